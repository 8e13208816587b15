"""The brand: a chilli that is also a drop (mirch and rasa), its wordmark, a block-print pattern, the icons."""

import math

from PIL import Image

from studio.draw import fonts
from studio.paths import BRAND, PUBLIC

CHILLI, TURMERIC, CARDAMOM, CLOVE = "#b3261e", "#e9a22b", "#4f7a3a", "#3b1f16"
PAPER, ROAST, CREAM = "#fdf6ea", "#17100d", "#fbe9cc"
SERIF = "dm-serif-display-latin-400-normal"

# Drawn on a 100 x 100 field: a fat-shouldered body that tapers and curls like a chilli and a paisley.
BODY = "M58 24C76 24 88 38 86 56C84 78 62 94 36 93C24 92.5 14 88 9 80C22 84 33 80 38 71C43 62 36 52 36 43C36 32 46 24 58 24Z"
CALYX = "M40 33C43 22 52 17 61 18C70 18.5 78 23 82 31C76 29 72 32 69 35C66 30 60 30 57 35C53 30 46 29 40 33Z"
STEM = "M58 20C57 14 59 8 65 4L70 8C65 11 64 15 65 20Z"
DROP = "M63 43C70 51 75 57 74 64.5C73 72 67 76.5 60 76C53 75.5 49 70 50 63.5C51 56 58 51 63 43Z"


def mark(body: str, drop: str, leaf: str) -> str:
    """The mark alone, as SVG elements on the 100 x 100 field."""
    return f'<path d="{BODY}" fill="{body}"/><path d="{DROP}" fill="{drop}"/><path d="{CALYX}{STEM}" fill="{leaf}"/>'


def svg(width: float, height: float, body: str, title: str = "Mirasa") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"><title>{title}</title>{body}</svg>\n'


def wordmark_group(ink: str, x: float, y: float, size: float) -> tuple[str, float]:
    """The name as one path. Returns the element and its width."""
    spacing = size * 0.012
    path = fonts.text_path("Mirasa", SERIF, size, x, y, spacing)
    return f'<path d="{path}" fill="{ink}"/>', fonts.text_width("Mirasa", SERIF, size, spacing)


def logo(ink: str, body: str, drop: str, leaf: str) -> str:
    word, width = wordmark_group(ink, 112, 82, 92)
    return svg(112 + width + 4, 100, mark(body, drop, leaf) + word)


def wordmark(ink: str) -> str:
    word, width = wordmark_group(ink, 2, 70, 92)
    return svg(width + 4, 76, word)


def petal(inner: float, outer: float, width: float, sharp: float = 0.55) -> str:
    """A pointed petal that stands on the origin and points up."""
    mid = inner + (outer - inner) * sharp
    low = inner + (mid - inner) * 0.4
    return (
        f"M0 {-inner:.1f}C{width:.1f} {-low:.1f} {width:.1f} {-mid:.1f} 0 {-outer:.1f}"
        f"C{-width:.1f} {-mid:.1f} {-width:.1f} {-low:.1f} 0 {-inner:.1f}Z"
    )


def rosette(petals: int, inner: float, outer: float, width: float, fill: str, turn: float = 0) -> str:
    """A ring of petals around the origin."""
    shape = petal(inner, outer, width)
    return "".join(f'<path d="{shape}" transform="rotate({360 * (k + turn) / petals:.2f})" fill="{fill}"/>' for k in range(petals))


def pattern() -> str:
    """A seamless block-print tile: rosettes and chilli-drops in the current text colour."""
    flower = rosette(8, 5, 21, 5, "currentColor") + '<circle r="3.2" fill="currentColor"/>'
    dots = "".join(
        f'<circle cx="{25 * math.sin(a):.1f}" cy="{25 * math.cos(a):.1f}" r="1.5" fill="currentColor"/>'
        for a in (2 * math.pi * (k + 0.5) / 8 for k in range(8))
    )
    chilli = f'<path d="{BODY}{CALYX}{STEM}" transform="scale(.42) translate(-50 -50)" fill="currentColor"/>'
    places = [(0, 0), (120, 0), (0, 120), (120, 120)]
    body = "".join(f'<g transform="translate({x} {y})">{flower}{dots}</g>' for x, y in places)
    body += f'<g transform="translate(60 60)">{chilli}</g>'
    for x, y in [(60, 0), (0, 60), (60, 120), (120, 60)]:
        body += (
            f'<g transform="translate({x} {y}) rotate({0 if y in (0, 120) else 90})"><path d="{petal(-9, 9, 5)}" fill="currentColor"/></g>'
        )
    return svg(120, 120, f'<g color="{CHILLI}">{body}</g>', "Block-print pattern")


def icon(radius: float, inset: float) -> str:
    """App icon: the mark in turmeric and cream on a chilli-red field. radius rounds it, inset keeps the safe zone."""
    scale = (100 - 2 * inset) / 100
    body = (
        f'<rect width="100" height="100" rx="{radius}" fill="{CHILLI}"/>'
        f'<g transform="translate({inset} {inset}) scale({scale:.3f})">{mark(CREAM, CHILLI, TURMERIC)}</g>'
    )
    return svg(100, 100, body)


def favicon() -> str:
    """The bare mark; the body turns brighter where the browser is dark."""
    style = (
        f"<style>.b{{fill:{CHILLI}}}.d{{fill:{TURMERIC}}}.l{{fill:{CARDAMOM}}}"
        "@media(prefers-color-scheme:dark){.b{fill:#e2483c}.l{fill:#8fbf6a}}</style>"
    )
    body = mark("@b", "@d", "@l")
    for key in "bdl":
        body = body.replace(f'fill="@{key}"', f'class="{key}"')
    return svg(100, 100, style + body)


def draw_all() -> None:
    """Write every brand file."""
    BRAND.mkdir(parents=True, exist_ok=True)
    (PUBLIC / "icons").mkdir(parents=True, exist_ok=True)
    files = {
        BRAND / "logo.svg": logo(CLOVE, CHILLI, TURMERIC, CARDAMOM),
        BRAND / "logo-dark.svg": logo(CREAM, "#e2483c", "#f2b544", "#8fbf6a"),
        BRAND / "wordmark.svg": wordmark(CLOVE),
        BRAND / "wordmark-dark.svg": wordmark(CREAM),
        BRAND / "pattern.svg": pattern(),
        PUBLIC / "favicon.svg": favicon(),
    }
    for path, text in files.items():
        path.write_text(text)
    icons = {
        "icon-192": (192, icon(22, 12)),
        "icon-512": (512, icon(22, 12)),
        "maskable-512": (512, icon(0, 18)),
        "apple-touch-icon": (180, icon(0, 13)),
    }
    for name, (size, text) in icons.items():
        target = PUBLIC / "icons" / f"{name}.png"
        fonts.rasterise(text, target, size)
        Image.open(target).save(target, optimize=True)


if __name__ == "__main__":
    fonts.prepare()
    draw_all()
