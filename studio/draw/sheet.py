"""The alt texts of the site's pictures, and the picture for shared links."""

from PIL import Image

from studio.draw import brand, fonts
from studio.draw.portraits import SITTERS
from studio.paths import CACHE, SITE
from studio.shop.site import HERO_ALTS, TILE_ALTS


def alts() -> dict[str, str]:
    """File name to alt text, for everything in the site folder."""
    texts = {}
    for theme, text in HERO_ALTS.items():
        texts[f"hero-{theme}.webp"] = texts[f"hero-{theme}-phone.webp"] = text
    texts |= {f"tile-{slug}.webp": text for slug, text in TILE_ALTS.items()}
    texts |= {f"portrait-{number}.webp": sitter.alt for number, sitter in enumerate(SITTERS, 1)}
    texts["og.jpg"] = "The Mirasa wordmark beside pouches of goda, kanda lasun and Malvani masala with bowls of ground spice"
    return texts


def write_alts() -> None:
    SITE.mkdir(parents=True, exist_ok=True)
    lines = ["# Written by the studio: alt texts of the site's own pictures."]
    lines += [f'"{file}" = "{text}"' for file, text in sorted(alts().items())]
    (SITE / "alts.toml").write_text("\n".join(lines) + "\n")


def sharing_picture() -> None:
    """Cuts the sharing picture from a hero and draws the wordmark on its empty side."""
    hero = Image.open(SITE / "hero-maharashtrian.webp").convert("RGB")
    width = round(hero.height * 1200 / 630)
    card = hero.crop((hero.width - width, 0, hero.width, hero.height)).resize((1200, 630), Image.LANCZOS)
    word, length = brand.wordmark_group(brand.CREAM, 0, 84, 104)
    tag = fonts.text_path("Spice blends from Pune", "poppins-latin-500-normal", 26, 2, 136, 0.6)
    mark = f'<g transform="translate(0 -104) scale(.92)">{brand.mark(brand.CREAM, brand.CHILLI, brand.TURMERIC)}</g>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -108 {length + 20:.0f} 260">{mark}{word}<path d="{tag}" fill="{brand.CREAM}"/></svg>'
    scratch = CACHE / "sharing.png"
    fonts.rasterise(svg, scratch, 400)
    overlay = Image.open(scratch)
    card.paste(overlay, (72, 160), overlay)
    card.save(SITE / "og.jpg", quality=86, optimize=True)
