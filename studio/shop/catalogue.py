"""The products of the catalogue: names, colours and spices."""

import hashlib
import tomllib
from dataclasses import dataclass

from studio.colours import luminance
from studio.paths import PRODUCTS


def stable_number(text: str, below: int) -> int:
    """A number that depends only on the text, so that existing pictures do not change when a product is added."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % below


@dataclass(frozen=True)
class Product:
    id: str
    name: str
    devanagari: str
    kind: str
    veg: bool
    weight: str
    pouch: str
    accent: str
    powder: tuple[str, ...]
    heat: int
    spices: tuple[str, ...]
    ground: str

    @property
    def pouch_variant(self) -> int:
        return 1 + stable_number(self.id, 3)

    @property
    def foil(self) -> str:
        """Gold shows on dark film, pale gold on a middle tone; light film gets a copper with enough contrast."""
        brightness = luminance(self.pouch)
        return "#dda84e" if brightness < 0.34 else "#f6e0a8" if brightness < 0.48 else "#7a3d16"


def read(path) -> Product:
    data = tomllib.loads(path.read_text())
    look, largest = data["look"], data["net_wt"][-1]
    return Product(
        id=data["id"],
        name=data["product_name"],
        devanagari=data["devanagari_name"],
        kind=data["generic_name"],
        veg=data["diet"] == "veg",
        weight=f"{largest['value']} {largest['unit']}",
        pouch=look["pouch"],
        accent=look["accent"],
        powder=tuple(look["powder"]),
        heat=look["heat"],
        spices=tuple(look["spices"]),
        ground=look["ground"],
    )


def products() -> dict[str, Product]:
    """Every product of the catalogue, by id."""
    found = [read(path) for path in sorted(PRODUCTS.glob("*.toml"))]
    return {product.id: product for product in found}
