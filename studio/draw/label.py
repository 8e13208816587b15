"""The print of a pouch as SVG, made from a product's data; three passes: colour, foil mask, die-cut."""

import html
import itertools
import math

from studio.colours import luminance, mix_hex
from studio.draw import brand, fonts
from studio.draw.label_art import arch, buti, rosette_panel
from studio.paths import LABELS
from studio.shop.catalogue import Product, stable_number

WIDTH, HEIGHT, SCALE = 1360, 2050, 1.5
CREAM, INK = "#faf0dc", "#2b1a14"
SERIF = "dm-serif-display-latin-400-normal"


def _name_lines(name: str, width: float, height: float) -> tuple[list[str], float]:
    """Break a name into up to three lines so that the letters come out as large as they can."""
    words, best = name.split(), ([name], 0.0)
    for count in range(1, min(3, len(words)) + 1):
        for cuts in itertools.combinations(range(1, len(words)), count - 1):
            edges = [0, *cuts, len(words)]
            lines = [" ".join(words[a:b]) for a, b in zip(edges, edges[1:])]
            size = min(min(width / fonts.text_width(line, SERIF, 1) for line in lines), height / (count * 0.95), 262)
            if size > best[1]:
                best = (lines, size)
    return best


def _header(product: Product, gold: str, dark: str, faint: str) -> str:
    centre = WIDTH / 2
    word = fonts.text_path("Mirasa", SERIF, 150, centre - fonts.text_width("Mirasa", SERIF, 150, 4) / 2, 432, 4)
    return (
        f'<rect width="{WIDTH}" height="172" fill="{dark}"/><rect y="176" width="{WIDTH}" height="5" fill="{gold}"/>'
        f'<g transform="translate({centre - 46} 208) scale(.92)"><path d="{brand.BODY}{brand.CALYX}{brand.STEM}" fill="{gold}"/></g>'
        f'<path d="{word}" fill="{gold}"/>'
        f'<text x="{centre + 4}" y="480" text-anchor="middle" font-family="Poppins Medium" font-weight="500" font-size="29" '
        f'letter-spacing="9" fill="{faint}">SPICE BLENDS · PUNE</text>'
    )


def _names(product: Product, gold: str, ink: str, accent: str, grey: str) -> str:
    centre, top = WIDTH / 2, 752
    size = min(122, 610 / fonts.shaped_width(product.devanagari, "Rozha One"))
    out = (
        f'<text x="{centre}" y="{top}" text-anchor="middle" font-family="Rozha One" font-size="{size:.0f}" fill="{accent}">{html.escape(product.devanagari)}</text>'
        f'<path d="M{centre - 170} {top + 44}H{centre - 34}M{centre + 34} {top + 44}H{centre + 170}" stroke="{gold}" stroke-width="4"/>'
        f'<path d="M{centre} {top + 30}l14 14l-14 14l-14 -14z" fill="{gold}"/>'
    )
    lines, size = _name_lines(product.name, 900, 500)
    y = top + 58 + (500 - len(lines) * size * 0.95) / 2
    for line in lines:
        y += size * 0.86
        x = centre - fonts.text_width(line, SERIF, size) / 2
        out += f'<path d="{fonts.text_path(line, SERIF, size, x, y)}" fill="{ink}"/>'
        y += size * 0.09
    return out + (
        f'<text x="{centre + 2}" y="{top + 606}" text-anchor="middle" font-family="Poppins Medium" font-weight="500" font-size="36" '
        f'letter-spacing="4" fill="{grey}">{html.escape(product.kind.upper())}</text>'
    )


def _footer(product: Product, gold: str, dark: str, text: str, plain) -> str:
    centre, y, left, right = WIDTH / 2, 1794, 168, WIDTH - 168
    mark = plain("#0a8a3a" if product.veg else "#9a3b16")
    dot = f'<circle cx="50" cy="50" r="23" fill="{mark}"/>' if product.veg else f'<path d="M50 26L74 70H26Z" fill="{mark}"/>'
    out = (
        f'<g transform="translate({left} {y - 50})"><rect width="100" height="100" rx="6" fill="{plain("#ffffff")}"/>'
        f'<rect x="10" y="10" width="80" height="80" fill="none" stroke="{mark}" stroke-width="8"/>{dot}</g>'
    )
    out += (
        f'<text x="{right}" y="{y - 22}" text-anchor="end" font-family="Poppins Medium" font-weight="500" font-size="28" letter-spacing="3" fill="{text}">NET WT.</text>'
        f'<text x="{right}" y="{y + 48}" text-anchor="end" font-family="Poppins SemiBold" font-weight="600" font-size="76" fill="{text}">{product.weight}</text>'
        f'<text x="{centre}" y="{y - 22}" text-anchor="middle" font-family="Poppins Medium" font-weight="500" font-size="28" letter-spacing="4" fill="{text}">HEAT</text>'
    )
    for k in range(3):
        fill = gold if k < product.heat else "none"
        out += (
            f'<g transform="translate({centre - 96 + k * 66} {y - 8}) scale(.6)"><path d="{brand.BODY}" fill="{fill}" stroke="{gold}" stroke-width="5"/>'
            f'<path d="{brand.STEM}" fill="{gold}"/></g>'
        )
    return out + f'<rect y="1905" width="{WIDTH}" height="5" fill="{gold}"/><rect y="1910" width="{WIDTH}" height="140" fill="{dark}"/>'


def label_svg(product: Product, foil_mask: bool = False) -> str:
    """The whole print. The foil mask is the same drawing with foil white and everything else black."""

    def plain(colour):
        return "#000000" if foil_mask else colour

    base, light = product.pouch, luminance(product.pouch) > 0.48
    gold = "#ffffff" if foil_mask else product.foil
    dark = plain(mix_hex(base, "#000000", 0.25))
    text = plain(mix_hex(base, INK, 0.9) if light else "#fff6e3")
    strong = (
        product.accent
        if luminance(product.accent) < 0.50
        else (mix_hex(base, "#000000", 0.1) if not light else mix_hex(product.accent, "#5a1a08", 0.65))
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><rect width="{WIDTH}" height="{HEIGHT}" fill="{plain(base)}"/>'
    ]
    variant = stable_number(product.id + "print", 60)
    if not foil_mask:
        print_one = buti(variant % 5, mix_hex(base, "#ffffff", 0.11), mix_hex(base, "#000000", 0.05))
        for row in range(-1, 16):
            for column in range(-1, 11):
                x, y = column * 150 + (75 if row % 2 else 0) + 5, 200 + row * 123
                if abs(x - WIDTH / 2) < 330 and y < 545:
                    continue  # the brand stands on plain film
                parts.append(f'<g transform="translate({x} {y}) scale(.92)">{print_one}</g>')
    parts.append(_header(product, gold, dark, plain(mix_hex(base, INK if light else "#fff5e0", 0.85))))
    frame = dict(left=150, right=WIDTH - 150, foot=1668, spring=(880, 800, 840)[variant % 3], tip=530, style=variant % 3)
    for grow, colour in ((-18, dark), (-8, gold), (2, plain(CREAM))):
        parts.append(f'<path d="{arch(**frame, inset=grow)}" fill="{colour}"/>')
    parts.append(f'<path d="{arch(**frame, inset=22)}" fill="none" stroke="{gold}" stroke-width="4"/>')
    parts.append(f'<clipPath id="a"><path d="{arch(**frame, inset=30)}"/></clipPath><g clip-path="url(#a)">')
    parts.append(
        rosette_panel(
            WIDTH / 2,
            1684,
            variant // 5 % 4,
            plain(base),
            plain(product.accent),
            plain(mix_hex(product.accent, base, 0.5)),
            plain(CREAM),
            gold,
        )
    )
    parts.append("</g>" + _names(product, gold, plain(INK), plain(strong), plain("#5d4a3e")))
    parts.append(_footer(product, gold, dark, text, plain) + "</svg>")
    return "".join(parts)


def cut_svg() -> str:
    """Die-cut: round corners, tear notches, hang hole; white is film."""
    w, h, r = WIDTH, HEIGHT, 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"><rect width="{w}" height="{h}"/>'
        f'<path d="M{r} 0H{w - r}Q{w} 0 {w} {r}V208L{w - 22} 222L{w} 236V{h - r}Q{w} {h} {w - r} {h}H{r}Q0 {h} 0 {h - r}V236L22 222L0 208V{r}Q0 0 {r} 0Z" fill="#fff"/>'
        f'<circle cx="{w / 2}" cy="86" r="30"/></svg>'
    )


def _print(svg: str, name: str) -> None:
    """Rasterises one pass, unless the same drawing has been rasterised before."""
    picture, drawing = LABELS / f"{name}.png", LABELS / f"{name}.svg"
    if picture.exists() and drawing.exists() and drawing.read_text() == svg:
        return
    fonts.rasterise(svg, picture, math.ceil(WIDTH * SCALE))
    drawing.write_text(svg)


def draw(product: Product) -> None:
    """Write the passes of one product's label."""
    _print(label_svg(product), f"{product.id}-colour")
    _print(label_svg(product, foil_mask=True), f"{product.id}-foil")


def draw_cut() -> None:
    _print(cut_svg(), "cut")
