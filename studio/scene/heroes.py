"""The wide pictures of the home page: a set on one side, an empty wall and table on the other side for the text.

Every set is written for text on the left (the set around x = 1.5) and mirrored for text on the right.
"""

import math
import random
from dataclasses import dataclass, field

from mathutils import Vector

from studio.scene import dishes, food, grounds, lights, powder, surfaces, vessels
from studio.scene.placing import Table, circle
from studio.scene.pouch import pouch


@dataclass
class Hero:
    words: str  # the side of the text
    pouches: list[tuple]  # (product id, x, y, yaw)
    ground: str
    wall: tuple[str, str]
    light: str
    dish: tuple = ()  # (function, x, y, options)
    bowls: list[tuple] = field(default_factory=list)  # (product id or seed name, x, y, radius, vessel)
    big: list[tuple] = field(default_factory=list)  # (item, x, y, yaw)
    small: list[str] = field(default_factory=list)
    board: tuple = ()  # (x, y, width, depth, wood)
    extra: str = ""
    exposure: float = 0.1


HEROES = {
    "maharashtrian": Hero(
        "left",
        [("kanda-lasun-masala", 0.55, 0.80, -12), ("goda-masala", 1.60, 0.22, -4), ("malvani-fish-masala", 2.66, 0.80, 9)],
        "terracotta",
        ("#8c3f2a", "#a9573a"),
        "sun",
        bowls=[
            ("goda-masala", 0.78, -0.72, 0.46, "brass"),
            ("kanda-lasun-masala", 2.42, -0.70, 0.42, "ink"),
            ("coriander seed", 1.62, -1.02, 0.30, "clay"),
        ],
        big=[
            ("red chilli", 0.15, -0.35, 0.9),
            ("red chilli", 0.05, -0.95, 0.6),
            ("dry coconut", 1.15, -1.35, 0.3),
            ("dry coconut", 0.1, -1.35, 1.0),
            ("cinnamon quill", 2.95, -0.15, 2.1),
            ("dagad phool", 2.1, -1.3, 0),
            ("dagad phool", 0.55, -1.42, 0),
            ("star anise", 2.75, -1.25, 0),
            ("bay leaf", 0.0, 0.35, 0.9),
            ("bay leaf", 3.1, -0.75, 2.0),
            ("garlic", -0.25, -0.05, 0),
        ],
        small=["clove", "coriander seed", "sesame seed", "black pepper"],
    ),
    "vegetarian": Hero(
        "right",
        [("paneer-butter-masala", 0.85, 0.45, -10), ("pav-bhaji-masala", 2.35, 0.62, 8)],
        "marble",
        ("#76866a", "#8b9a7c"),
        "morning",
        dish=(dishes.paneer, 1.66, -0.62, {}),
        bowls=[("paneer-butter-masala", 0.55, -0.85, 0.34, "brass")],
        big=[
            ("tomato", 2.62, -0.62, 0),
            ("tomato", 2.95, -0.2, 0),
            ("coriander leaf", 0.95, -1.42, 0.3),
            ("coriander leaf", 2.5, -1.2, 2.5),
            ("ginger", 0.05, -0.4, 0.8),
            ("green chilli", 0.35, -1.38, 0.4),
            ("green chilli", 1.7, -1.5, 0.1),
            ("cinnamon quill", 3.1, -0.95, 2.0),
            ("onion", 0.05, 0.25, 0),
        ],
        small=["green cardamom", "kasuri methi", "clove", "cashew"],
        exposure=-0.18,
    ),
    "peri-peri": Hero(
        "left",
        [("peri-peri-mix", 0.95, 0.30, -9)],
        "slate",
        ("#8a2f12", "#b04a1c"),
        "window",
        dish=(dishes.fries, 2.02, -0.28, {"radius": 0.62, "count": 44}),
        bowls=[("peri-peri-mix", 1.32, -0.98, 0.32, "copper")],
        big=[
            ("red chilli", 0.3, -0.6, 0.6),
            ("red chilli", 0.42, -0.98, 0.3),
            ("red chilli", 2.55, -1.05, 2.6),
            ("red chilli", 2.85, -0.75, 2.4),
            ("lemon", 2.92, 0.05, 0.4),
            ("garlic", 0.15, -0.1, 0),
            ("garlic", 2.6, 0.55, 0),
            ("lemon peel", 1.95, -1.25, 0),
            ("red chilli", 0.9, -1.38, 0.1),
        ],
        small=["garlic clove", "black pepper", "dried herb", "coriander seed"],
    ),
    "falafel": Hero(
        "right",
        [("falafel-mix", 0.78, 0.45, -10)],
        "linen",
        ("#c9a877", "#dcc29a"),
        "sun",
        dish=(dishes.falafel, 1.95, -0.22, {"radius": 0.72, "count": 16}),
        bowls=[("hummus", 1.02, -0.95, 0.36, "")],
        big=[
            ("parsley leaf", 2.6, -0.95, 2.4),
            ("parsley leaf", 0.32, -0.55, 0.6),
            ("lemon", 2.85, 0.35, 0.5),
            ("lemon", 3.05, -0.2, 1.8),
            ("garlic", 0.05, 0.1, 0),
            ("mint leaf", 1.7, -1.25, 0.3),
            ("parsley leaf", 0.4, -1.3, 0.3),
        ],
        small=["sesame seed", "chickpea", "coriander seed", "cumin seed"],
        exposure=0.0,
    ),
    "manchurian": Hero(
        "left",
        [("manchurian-mix", 0.85, 0.40, -10), ("hakka-noodle-mix", 2.78, 0.66, 10)],
        "walnut",
        ("#5a1418", "#7a2020"),
        "moody",
        dish=(dishes.manchurian, 1.85, -0.40, {"radius": 0.68, "count": 19}),
        bowls=[("manchurian-mix", 0.82, -0.85, 0.32, "copper")],
        big=[
            ("green chilli", 2.6, -0.95, 2.5),
            ("green chilli", 2.85, -0.65, 2.3),
            ("garlic", 0.12, -0.2, 0),
            ("ginger", 0.1, -0.75, 0.5),
            ("red chilli", 1.3, -1.32, 0.2),
            ("star anise", 2.3, -1.3, 0),
            ("red chilli", 0.35, -1.3, 0.5),
        ],
        small=["garlic clove", "black pepper", "spring onion", "sesame seed"],
        exposure=0.25,
    ),
    "tacos": Hero(
        "right",
        [("mexican-taco-mix", 0.72, 0.55, -10)],
        "terracotta",
        ("#c58a1c", "#dba43a"),
        "sun",
        board=(1.95, -0.35, 1.75, 1.35, "walnut"),
        dish=(dishes.tacos, 1.95, -0.35, {"yaw": 0.18}),
        bowls=[("mexican-taco-mix", 0.72, -0.78, 0.36, "indigo")],
        big=[
            ("lime", 3.0, 0.05, 0.5),
            ("lime", 0.15, -0.35, 1.5),
            ("tomato", 2.95, 0.6, 0),
            ("red chilli", 1.0, -1.35, 0.2),
            ("red chilli", 0.25, -1.1, 0.5),
            ("coriander leaf", 2.6, -1.4, 2.6),
            ("green chilli", 1.75, -1.42, 0.1),
            ("onion", 0.05, 0.3, 0),
        ],
        small=["cumin seed", "coriander seed", "dried herb", "black pepper"],
        exposure=0.0,
    ),
    "misal": Hero(
        "left",
        [("kolhapuri-misal-masala", 0.80, 0.45, -10)],
        "mango",
        ("#4a1410", "#64201a"),
        "window",
        dish=(dishes.misal, 1.75, -0.45, {"radius": 0.68}),
        bowls=[("kolhapuri-misal-masala", 0.72, -0.85, 0.32, "brass")],
        extra="pav",
        big=[
            ("lemon", 2.62, -1.0, 0.5),
            ("onion", 0.05, -0.1, 0),
            ("red chilli", 0.2, -0.65, 0.6),
            ("red chilli", 1.35, -1.35, 0.1),
            ("coriander leaf", 2.2, -1.35, 2.8),
            ("dry coconut", 0.4, -1.35, 0.5),
            ("green chilli", 3.05, -0.7, 2.0),
        ],
        small=["coriander seed", "sesame seed", "clove", "garlic clove"],
        exposure=0.15,
    ),
    "garlic-bread": Hero(
        "right",
        [("italian-garlic-bread-mix", 0.72, 0.55, -10)],
        "walnut",
        ("#4f5c3a", "#66734c"),
        "morning",
        board=(1.95, -0.26, 1.85, 1.50, "mango"),
        dish=(dishes.garlic_bread, 1.95, -0.25, {}),
        bowls=[("italian-garlic-bread-mix", 0.72, -0.78, 0.34, "white")],
        big=[
            ("garlic", 0.12, -0.1, 0),
            ("garlic", 3.05, 0.35, 0),
            ("tomato", 3.15, -0.25, 0),
            ("basil", 0.3, -1.25, 0.4),
            ("basil", 2.75, -1.4, 2.6),
            ("tomato", 0.0, 0.45, 0),
            ("basil", 1.5, -1.45, 0.1),
        ],
        small=["garlic clove", "dried herb", "black pepper"],
        exposure=0.1,
    ),
    "chettinad": Hero(
        "left",
        [("chicken-chettinad-masala", 0.78, 0.50, -10)],
        "walnut",
        ("#1f3a34", "#2d5149"),
        "moody",
        dish=(dishes.chettinad, 1.92, -0.35, {}),
        bowls=[("chicken-chettinad-masala", 0.72, -0.85, 0.34, "brass")],
        big=[
            ("curry leaf", 0.15, -0.45, 0.8),
            ("curry leaf", 2.75, -1.15, 2.6),
            ("star anise", 1.3, -1.25, 0),
            ("star anise", 0.2, -1.2, 0),
            ("red chilli", 0.3, -0.85, 0.4),
            ("red chilli", 2.2, -1.35, 2.9),
            ("dry coconut", 1.75, -1.42, 0.2),
            ("cinnamon quill", 3.1, -0.6, 2.0),
            ("black cardamom", 0.75, -1.42, 0.4),
        ],
        small=["black pepper", "coriander seed", "clove", "fennel seed"],
        exposure=0.30,
    ),
}


def _ground(name: str, seed: int) -> float:
    if name == "mango":
        grounds.planks("mango", seed=seed)
        return 0.0
    return grounds.lay(name, seed, "#cdbb9d") if name != "linen" else _linen(seed)


def _linen(seed):
    grounds.planks("oak", seed=seed)
    grounds.cloth(surfaces.weave("#d9cbb0", 420.0, 0.25), 16.0, 16.0, calm=12.0, seed=seed, turn=0.03, z=0.004)
    return 0.006


def _bowl(table, products, name, x, y, radius, kind, k):
    z = table.level
    if name == "hummus":
        dishes.hummus(x, y, z, radius)
    elif name in products:
        vessels.bowl(x, y, z, radius, radius * 0.60, kind)
        powder.heap(
            x,
            y,
            z + radius * 0.524,
            radius * 0.974,
            radius * 0.6,
            powder.blend_colours(products[name].powder),
            seed=k,
            grains=24000,
            spill=1.0,
            detail=300,
            grain=(0.002, 0.005),
            irregular=0.0,
            ruggedness=1.3,
        )
    else:
        vessels.bowl(x, y, z, radius, radius * 0.62, kind)
        powder.seeds_in(name, x, y, z + radius * 0.42, radius * 0.87, dome=radius * 0.17, seed=k)
    table.reserve(circle(x, y, radius + 0.02))


def build(theme: str, products: dict, phone: bool = False) -> float:
    """Builds the set and the camera. Returns the exposure."""
    hero = HEROES[theme]
    m = 1 if hero.words == "left" else -1
    r = random.Random(theme)
    table = Table(theme)
    table.level = _ground(hero.ground, 7)
    grounds.wall(surfaces.plaster(*hero.wall), y=3.6)
    for pid, x, y, yaw in hero.pouches:
        table.reserve_object(pouch(products[pid], m * x, y, table.level, yaw=m * yaw))
    level = table.level
    if hero.board:
        x, y, width, depth, kind = hero.board
        table.reserve_object(vessels.board(m * x, y, width, depth, 0.09, kind, 0.05 * m))
        level += 0.09
    if hero.dish:
        make, x, y, options = hero.dish
        size = make(m * x, y, level, **options)
        if not hero.board:
            table.reserve(circle(m * x, y, size))
    if hero.extra == "pav":
        for x, y, yaw in ((2.84, 0.0, 0.25), (2.62, 0.66, -0.1)):
            food.bun(m * x, y, table.level, m * yaw, 0.30)
            table.reserve(circle(m * x, y, 0.36))
    for k, (name, x, y, radius, kind) in enumerate(hero.bowls):
        _bowl(table, products, name, m * x, y, radius, kind, k)
    for name, x, y, yaw in hero.big:
        table.put(name, m * x, y, yaw if m > 0 else math.pi - yaw, r.uniform(0.92, 1.05), wander=0.10)
    for x, y, sx, sy, count in (
        (0.4, -1.0, 0.35, 0.28, 40),
        (1.6, -1.35, 0.5, 0.14, 44),
        (2.8, -0.85, 0.25, 0.3, 26),
        (-0.3, -0.6, 0.35, 0.4, 14),
    ):
        table.scatter(r.sample(hero.small, min(3, len(hero.small))), count, (m * x, y), (sx, sy))
    _light(hero.light, m)
    if phone:
        lights.camera((m * 1.35, -9.8, 3.0), (m * 1.62, -0.35, 0.10), 72, 1.4, (m * 1.4, -0.1, 0.8))
    else:
        lights.camera((m * 0.12, -9.4, 3.0), (m * 0.12, 0, 0.86), 52, 1.5, (m * 1.4, -0.2, 0.8))
    return hero.exposure


def _light(name: str, m: int) -> None:
    """The rigs again, for a set twice as wide that stands at x = 1.5 m."""
    k = -m
    if name == "sun":
        d = Vector((m * 0.58, 0.70, -0.42)).normalized()
        for tx, tz, reach, spin, length, seed in ((-3.6, 2.2, 4.2, 0.35, 3.0, 2), (-2.9, 0.9, 4.6, -0.15, 2.6, 5)):
            start = Vector((m * tx, 3.6, tz)) - d * reach
            lights.frond(tuple(start), tuple(-d), spin if m > 0 else math.pi - spin, length, seed=seed)
        lights.sun(d, 3.3, 0.024)
        lights.area((-m * 1.2, -5.5, 3.4), (m * 1.5, 0, 0.9), 3, 190, lights.NEUTRAL, glossy=False)
        lights.area((-m * 0.6, -6.5, 2.2), (m * 1.5, 0, 0.9), 1.8, 50)
        lights.area((m * 4.6, -0.4, 2.2), (m * 1.8, 0, 1), 0.8, 110, lights.WARM, 2.6)
        lights.sky("#e6dccf", "#5a4032", 0.32)
        return
    moody = name == "moody"
    soft = name == "morning"
    key = 560 if moody else 760 if soft else 560
    lights.area(
        (m * 1.5 + k * 3.6, 1.0, 3.4),
        (m * 1.5, -0.2, 0.5),
        2.4 if soft else 1.3,
        key,
        lights.NEUTRAL if soft else lights.WARM,
        2.6 if soft else 1.6,
    )
    lights.area((m * 0.6, -5.6, 3.4), (m * 1.5, 0, 0.9), 3, 190 if moody else 270, lights.NEUTRAL, glossy=False)
    lights.area((m * 0.2, -6.5, 2.2), (m * 1.5, 0, 0.9), 1.8, 60)
    lights.area((m * 4.8, 0.6, 2.2), (m * 1.6, 0, 0.9), 0.8, 170, (1, 0.86, 0.68), 2.6)
    lights.area((m * 1.6, 2.6, 4.6), (m * 1.2, 3.6, 1.4), 2.6, 200 if moody else 280, (1, 0.86, 0.70))
    lights.area((-m * 3.0, 1.6, 4.6), (-m * 2.6, 3.6, 1.2), 2.4, 40 if moody else 90, (1, 0.88, 0.74))
    lights.sky("#8a8480" if moody else "#e6e2dc", "#33261e" if moody else "#6a5646", 0.32 if moody else 0.38)
