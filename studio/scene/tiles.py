"""Square pictures for categories and cuisines, all seen from above: one thing in the middle, its ingredients around it."""

import math
import random
from dataclasses import dataclass, field

from studio.scene import dishes, grounds, lights, powder, surfaces, vessels
from studio.scene.placing import Table, circle


@dataclass
class Tile:
    ground: tuple  # ("plaster", dark, light) | ("wood", tone) | ("slate",) | ("marble",)
    centre: tuple  # ("dish", function, options) or ("powder", product id, vessel)
    sides: list[tuple] = field(default_factory=list)  # (item or dish function, x, y, radius, vessel)
    big: list[str] = field(default_factory=list)
    small: list[str] = field(default_factory=list)
    side: int = -1


TILES = {
    "veg": Tile(
        ("plaster", "#5f7a45", "#7d9a5e"),
        ("dish", dishes.paneer, {}),
        [("pea", -0.92, 0.88, 0.27, "white"), ("coriander seed", 0.98, -0.88, 0.27, "mango")],
        ["tomato", "coriander leaf", "green chilli", "ginger", "coriander leaf", "tomato"],
        ["kasuri methi", "green cardamom", "cashew"],
    ),
    "non-veg": Tile(
        ("wood", "ebony"),
        ("dish", dishes.chettinad, {}),
        [("black pepper", 1.02, 0.92, 0.24, "copper")],
        ["curry leaf", "red chilli", "star anise", "dry coconut", "curry leaf", "red chilli"],
        ["clove", "black pepper", "coriander seed"],
        1,
    ),
    "maharashtrian": Tile(
        ("plaster", "#9a4a2c", "#b8623c"),
        ("powder", "goda-masala", "brass"),
        [("sesame seed", -0.92, 0.85, 0.28, "ink"), ("coriander seed", 0.98, -0.85, 0.28, "clay")],
        ["dry coconut", "dagad phool", "red chilli", "cinnamon quill", "dagad phool", "dry coconut", "garlic"],
        ["clove", "coriander seed", "sesame seed"],
    ),
    "beverages": Tile(
        ("plaster", "#4f6b5a", "#67836f"),
        ("dish", dishes.chai, {"radius": 0.46}),
        [(dishes.chai, -0.92, 0.72, 0.34, "clay"), ("tea", 0.95, -0.82, 0.28, "brass")],
        ["ginger", "cinnamon quill", "star anise", "mint leaf", "cinnamon quill", "ginger"],
        ["green cardamom", "clove", "black pepper"],
        1,
    ),
    "snacks": Tile(
        ("plaster", "#b8741c", "#cf8f34"),
        ("dish", dishes.fries, {"radius": 0.60, "count": 40}),
        [("rock salt", -0.95, 0.85, 0.26, "ink"), ("cumin seed", 0.98, -0.88, 0.26, "white")],
        ["lemon", "red chilli", "mint leaf", "red chilli", "coriander leaf", "lime"],
        ["black pepper", "dried herb", "rock salt"],
    ),
    "soups": Tile(
        ("plaster", "#c9b088", "#dcc8a4"),
        ("dish", dishes.soup, {"kind": "indigo"}),
        [("black pepper", 0.98, 0.88, 0.24, "white")],
        ["tomato", "basil", "garlic", "tomato", "basil", "bay leaf"],
        ["garlic clove", "black pepper", "dried herb"],
        1,
    ),
    "rice-mixes": Tile(
        ("plaster", "#4a1f3c", "#632e50"),
        ("dish", dishes.biryani, {}),
        [("cashew", -0.92, 0.86, 0.28, "brass"), ("fried onion", 0.98, -0.86, 0.28, "ink")],
        ["bay leaf", "star anise", "cinnamon quill", "mint leaf", "mace", "nutmeg"],
        ["green cardamom", "clove", "saffron"],
    ),
    "south-indian": Tile(
        ("plaster", "#174741", "#2b6a62"),
        ("powder", "sambar-masala", "brass"),
        [("lentil", -0.90, 0.84, 0.30, "white"), ("mustard seed", 0.96, -0.86, 0.30, "walnut")],
        ["curry leaf", "red chilli", "curry leaf", "tamarind", "red chilli", "curry leaf"],
        ["mustard seed", "coriander seed", "fenugreek seed"],
        1,
    ),
    "chinese": Tile(
        ("plaster", "#7a1a1c", "#96282a"),
        ("dish", dishes.noodles, {}),
        [("sesame seed", 0.98, 0.88, 0.25, "white")],
        ["red chilli", "garlic", "ginger", "green chilli", "star anise"],
        ["spring onion", "garlic clove", "white pepper"],
    ),
    "mexican": Tile(
        ("plaster", "#12656a", "#24828a"),
        ("dish", dishes.tacos, {}),
        [("cumin seed", 1.02, 0.95, 0.26, "rust")],
        ["lime", "red chilli", "tomato", "coriander leaf", "green chilli", "lime", "onion"],
        ["coriander seed", "dried herb", "black pepper"],
        1,
    ),
    "italian": Tile(
        ("wood", "oak"),
        ("dish", dishes.garlic_bread, {"radius": 0.76, "count": 6}),
        [("salt", -0.98, 0.92, 0.24, "walnut")],
        ["basil", "garlic", "tomato", "basil", "tomato", "garlic"],
        ["garlic clove", "dried herb", "black pepper"],
        1,
    ),
    "lebanese": Tile(
        ("marble",),
        ("dish", dishes.falafel, {}),
        [(dishes.hummus, -0.92, 0.80, 0.36, "cream"), ("sesame seed", 1.0, -0.90, 0.25, "rust")],
        ["parsley leaf", "lemon", "mint leaf", "parsley leaf", "lemon", "garlic"],
        ["chickpea", "coriander seed", "cumin seed"],
        1,
    ),
    "malaysian": Tile(
        ("wood", "walnut"),
        ("dish", dishes.malaysian, {}),
        [("coriander seed", 0.98, 0.88, 0.26, "white")],
        ["lemongrass", "red chilli", "star anise", "dry coconut", "lime", "turmeric", "cinnamon quill"],
        ["clove", "coriander seed", "fennel seed"],
    ),
}
RADIUS = {"paneer": 0.70, "chettinad": 0.72, "soup": 0.70, "biryani": 0.70, "noodles": 0.70, "falafel": 0.74, "malaysian": 0.70}


def _ground(kind: str, *tones) -> None:
    if kind == "plaster":
        grounds.slab(surfaces.plaster(*tones))
    elif kind == "wood":
        grounds.planks(tones[0], seed=5, across=True)
    else:
        grounds.slab(surfaces.marble() if kind == "marble" else surfaces.stone())


def build(slug: str, products: dict) -> float:
    """Builds the set and camera. Returns the exposure."""
    tile = TILES[slug]
    r, table = random.Random(slug), Table(slug)
    _ground(*tile.ground)
    kind, what, detail = tile.centre
    if kind == "powder":
        vessels.bowl(0.03, 0.03, 0, 0.66, 0.32, detail)
        powder.heap(
            0.03,
            0.03,
            0.275,
            0.65,
            0.30,
            powder.blend_colours(products[what].powder),
            seed=5,
            grains=60000,
            spill=1.0,
            grain=(0.002, 0.005),
            detail=420,
            ruggedness=1.9,
            irregular=0.0,
            gullies=0.35,
        )
        table.reserve(circle(0.03, 0.03, 0.70))
    else:
        options = {"radius": RADIUS[what.__name__]} | detail if what.__name__ in RADIUS else detail
        table.reserve(circle(0, 0, what(0.0, 0.0, 0.0, **options) + 0.02))
    for item, x, y, radius, vessel in tile.sides:
        if callable(item):
            item(x, y, 0.0, radius, vessel)
        else:
            vessels.bowl(x, y, 0, radius, radius * 0.6, vessel)
            powder.seeds_in(item, x, y, radius * 0.40, radius * 0.88, dome=radius * 0.17)
        table.reserve(circle(x, y, radius + 0.03))
    count = len(tile.big) * 2
    for k in range(count):
        a = 2 * math.pi * (k + 0.35) / count
        reach = 1.14 + 0.10 * math.sin(k * 2.3)
        table.put(
            tile.big[k % len(tile.big)],
            reach * math.cos(a) * 1.02,
            reach * math.sin(a) * 1.02,
            a + math.pi / 2 + r.uniform(-0.4, 0.4),
            r.uniform(0.9, 1.05),
            wander=0.12,
        )
    for _ in range(9):
        a, q = r.uniform(0, 2 * math.pi), r.uniform(0.85, 1.25)
        table.scatter(tile.small, 16, (q * math.cos(a), q * math.sin(a)), (0.13, 0.13))
    lights.rig("overhead", tile.side)
    lights.camera((0, -0.02, 6.6), (0, 0, 0), 86)
    return 0.0
