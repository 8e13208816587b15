"""Selects the composition, light and wall of a product."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache

from studio.colours import mix_hex
from studio.paths import STUDIO
from studio.shop.catalogue import Product, stable_number

COMPOSITIONS = ("beside", "thali", "flat_lay", "katoris", "mortar", "spoon", "board")
LIGHTS = ("window", "sun", "moody", "morning")
WALLS = ("light", "deep", "accent", "warm")
CLOSEUPS = ("mound", "bowl", "spoon", "field")


@dataclass(frozen=True)
class Casting:
    composition: str
    light: str
    side: int
    wall: str
    closeup: str


@lru_cache(maxsize=None)
def _table() -> dict:
    return tomllib.loads((STUDIO / "shop" / "casting.toml").read_text())


def cast(product: Product) -> Casting:
    def pick(key, choices):
        return choices[stable_number(product.id + key, len(choices))]

    chosen = {
        "composition": pick("composition", COMPOSITIONS),
        "light": pick("light", LIGHTS),
        "side": pick("side", (-1, 1)),
        "wall": pick("wall", WALLS),
        "closeup": pick("closeup", CLOSEUPS),
    }
    chosen |= _table().get(product.id, {})
    if chosen["composition"] == "flat_lay":
        chosen["light"] = "overhead"
    return Casting(**chosen)


def wall_colours(product: Product, wall: str) -> tuple[str, str]:
    """Two close tones for the plaster behind a set."""
    base = {
        "light": mix_hex(product.accent, "#eee0ca", 0.78),
        "deep": mix_hex(product.pouch, "#1d120d", 0.50),
        "accent": mix_hex(product.accent, "#7a4630", 0.55),
        "warm": "#7a4030",
    }[wall]
    return mix_hex(base, "#000000", 0.12), mix_hex(base, "#ffffff", 0.06)
