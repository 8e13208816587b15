"""Ten drawn portraits for the testimonials: plain shapes, warm colours, no real persons."""

from dataclasses import dataclass

from PIL import Image

from studio.draw import fonts
from studio.paths import CACHE, SITE


@dataclass(frozen=True)
class Sitter:
    ground: str
    skin: str
    hair: str
    cloth: str
    style: str  # bun | long | short | beard | turban | bob | grey | curly | scarf | braid
    accent: str
    glasses: bool = False
    bindi: bool = False
    alt: str = ""


SITTERS = [
    Sitter(
        "#e9a22b",
        "#b5784c",
        "#26160f",
        "#8e1f3c",
        "bun",
        "#f6d58a",
        bindi=True,
        alt="Drawn portrait of a woman with her hair in a bun, in a maroon sari",
    ),
    Sitter("#b3261e", "#9a6038", "#1d120c", "#f2e3c4", "beard", "#c9a25a", alt="Drawn portrait of a bearded man in a cream kurta"),
    Sitter(
        "#4f7a3a",
        "#c98d5e",
        "#3a2116",
        "#e9a22b",
        "long",
        "#b3261e",
        alt="Drawn portrait of a young woman with long hair, in a turmeric-yellow kurta",
    ),
    Sitter(
        "#2f6a72",
        "#8a5632",
        "#15100d",
        "#dfe8e2",
        "short",
        "#2f6a72",
        True,
        alt="Drawn portrait of a man with short hair and glasses, in a light shirt",
    ),
    Sitter(
        "#c9607a",
        "#a86e44",
        "#dcd4ca",
        "#3c5a4a",
        "grey",
        "#e9c27a",
        True,
        True,
        alt="Drawn portrait of an elderly woman with silver hair and glasses, in a green sari",
    ),
    Sitter(
        "#6b4a8a", "#a5683e", "#2a1a12", "#2a3550", "turban", "#e2703a", alt="Drawn portrait of a man in an orange turban and a dark jacket"
    ),
    Sitter(
        "#d9822b", "#7a4a2a", "#120c0a", "#1f4a45", "curly", "#f4cf5a", alt="Drawn portrait of a woman with curly hair, in a dark green top"
    ),
    Sitter("#5d7f9a", "#b97f52", "#5a5450", "#7a2a1c", "short", "#e9a22b", alt="Drawn portrait of a grey-haired man in a brick-red shirt"),
    Sitter("#8fa05a", "#c08656", "#2a1a14", "#7d3a63", "scarf", "#e6b7a0", alt="Drawn portrait of a woman wearing a rose headscarf"),
    Sitter(
        "#a8432e",
        "#96603a",
        "#1a110d",
        "#f0c04a",
        "braid",
        "#2c6a4a",
        bindi=True,
        alt="Drawn portrait of a woman with a side braid, in a yellow blouse",
    ),
]


def _hair(s: Sitter) -> tuple[str, str]:
    """Shapes behind and before the face."""
    h, a = s.hair, s.accent
    cap = f'<path d="M128 176C120 108 152 74 200 74C248 74 280 108 272 176C264 140 244 118 200 118C156 118 136 140 128 176Z" fill="{h}"/>'
    parted = (
        f'<path d="M126 184C116 104 156 72 200 72C246 72 284 104 274 184C266 150 244 124 204 104C184 130 144 142 126 184Z" fill="{h}"/>'
    )
    looks = {
        "bun": (
            f'<circle cx="200" cy="66" r="36" fill="{h}"/><circle cx="228" cy="58" r="9" fill="{a}"/><circle cx="212" cy="44" r="9" fill="{a}"/>',
            parted,
        ),
        "long": (
            f'<path d="M116 178C112 96 150 66 200 66C252 66 290 100 286 180C284 240 296 280 282 306H120C104 280 118 236 116 178Z" fill="{h}"/>',
            parted,
        ),
        "bob": (f'<path d="M118 176C116 96 156 66 200 66C246 66 286 98 282 176L286 246H114Z" fill="{h}"/>', parted),
        "grey": (f'<circle cx="200" cy="150" r="92" fill="{h}"/><circle cx="276" cy="196" r="28" fill="{h}"/>', parted),
        "short": ("", cap),
        "beard": ("", cap),
        "turban": (
            "",
            f'<path d="M114 160C104 84 150 44 206 48C262 52 296 92 284 164C262 124 236 112 200 128C164 112 136 128 114 160Z" fill="{a}"/>'
            f'<path d="M120 144C146 92 208 70 280 128M132 110C160 72 214 58 262 84" stroke="#00000030" stroke-width="7" fill="none"/>',
        ),
        "curly": (
            "".join(
                f'<circle cx="{x}" cy="{y}" r="42" fill="{h}"/>'
                for x, y in ((128, 170), (130, 118), (164, 84), (210, 74), (254, 96), (274, 140), (274, 190), (132, 216), (270, 228))
            ),
            cap,
        ),
        "scarf": (
            f'<path d="M106 196C96 100 146 60 200 60C256 60 304 100 294 198C292 270 316 330 330 400H70C86 330 110 270 106 196Z" fill="{a}"/>',
            f'<path d="M120 196C112 116 154 84 200 84C248 84 288 116 280 196C276 146 246 116 200 116C154 116 124 146 120 196Z" fill="{a}"/>',
        ),
        "braid": (
            f'<path d="M268 170C300 210 296 250 300 290C304 330 290 352 276 362C262 336 276 300 262 262Z" fill="{h}"/><circle cx="280" cy="356" r="10" fill="{a}"/>',
            parted,
        ),
    }
    return looks[s.style]


def portrait(s: Sitter) -> str:
    behind, before = _hair(s)
    shade = "#00000018"
    face = (
        f'<path d="M172 236H228V300H172Z" fill="{s.skin}"/><path d="M172 258C184 276 216 276 228 258V272C214 288 186 288 172 272Z" fill="{shade}"/>'
        f'<ellipse cx="200" cy="180" rx="66" ry="80" fill="{s.skin}"/>'
    )
    if s.style != "scarf":
        face += f'<ellipse cx="133" cy="186" rx="11" ry="17" fill="{s.skin}"/><ellipse cx="267" cy="186" rx="11" ry="17" fill="{s.skin}"/>'
    if s.style in ("beard", "turban"):
        face += f'<path d="M134 186C136 246 164 270 200 270C236 270 264 246 266 186C258 214 244 218 226 212C210 204 190 204 174 212C156 218 142 214 134 186Z" fill="{s.hair}"/>'
    features = "".join(
        f'<path d="M{x - 15} 160Q{x} 149 {x + 15} 159" stroke="{s.hair if s.style != "grey" else "#8a8078"}" stroke-width="6" fill="none" stroke-linecap="round"/>'
        f'<path d="M{x - 11} 181Q{x} 170 {x + 11} 181" stroke="#24160f" stroke-width="5.5" fill="none" stroke-linecap="round"/>'
        for x in (172, 228)
    )
    features += (
        '<path d="M200 184Q208 203 197 206" stroke="#00000040" stroke-width="4.5" fill="none" stroke-linecap="round"/>'
        '<path d="M178 222Q200 242 222 222Q200 232 178 222Z" fill="#8a2f26"/>'
        '<ellipse cx="158" cy="206" rx="13" ry="8" fill="#d0502a" opacity=".22"/><ellipse cx="242" cy="206" rx="13" ry="8" fill="#d0502a" opacity=".22"/>'
    )
    if s.bindi:
        features += '<circle cx="200" cy="146" r="6" fill="#b3261e"/>'
    if s.glasses:
        features += '<g fill="none" stroke="#2b211b" stroke-width="5"><circle cx="172" cy="178" r="23"/><circle cx="228" cy="178" r="23"/><path d="M195 176Q200 172 205 176"/></g>'
    neckline = f'<path d="M60 400C62 326 116 294 172 286C184 306 216 306 228 286C284 294 338 326 340 400Z" fill="{s.cloth}"/>'
    trim = f'<path d="M164 288C182 322 218 322 236 288" stroke="{s.accent}" stroke-width="7" fill="none"/>'
    if s.style in ("bun", "grey"):
        trim += f'<path d="M106 316C160 330 230 352 262 400H214C190 366 140 342 92 334Z" fill="{s.accent}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="{s.ground}"/>'
        f'<circle cx="200" cy="196" r="164" fill="#ffffff" opacity=".16"/>{behind}{face}{neckline}{trim}{features}{before}</svg>'
    )


def draw_all() -> None:
    SITE.mkdir(parents=True, exist_ok=True)
    for number, sitter in enumerate(SITTERS, 1):
        scratch = CACHE / "portrait.png"
        fonts.rasterise(portrait(sitter), scratch, 400)
        Image.open(scratch).convert("RGB").save(SITE / f"portrait-{number}.webp", quality=88, method=6)
