"""The close-ups: the ground blend itself, near enough to see its grains."""

import math

from studio.colours import luminance, mix_hex
from studio.scene import grounds, lights, powder, surfaces, vessels
from studio.scene.placing import circle
from studio.scene.stage import METALS, Stage
from studio.shop.casting import wall_colours

SURFACES = {
    "walnut": lambda: surfaces.wood("walnut"),
    "jute": lambda: surfaces.stone("#2b2018", "#46362a"),
    "slate": lambda: surfaces.stone(),
    "brass": lambda: surfaces.stone("#231a14", "#3c2e24"),
    "linen": lambda: surfaces.stone("#3a3530", "#57504a"),
    "terracotta": lambda: surfaces.plaster("#6f3823", "#8f4e33"),
    "marble": lambda: surfaces.marble(),
}


def _ground(s: Stage):
    if s.product.ground == "walnut":
        grounds.planks("walnut", seed=s.seed, across=True)
    else:
        grounds.slab(SURFACES[s.product.ground]())
    grounds.wall(surfaces.plaster(*wall_colours(s.product, s.casting.wall)), y=5)


def _light(side: int):
    k = side
    lights.area((k * 3.2, 1.2, 2.2), (0, 0, 0.3), 1.0, 360, lights.WARM)
    lights.area((k * 1.0, -4, 3.2), (0, 0, 0.3), 2.5, 110)
    lights.area((0.6, 3.6, 3.6), (0, 5, 1.2), 2.2, 170, (1, 0.86, 0.7))
    lights.area((-k * 3, 0.2, 1.6), (0, 0, 0.4), 1, 60, (1, 0.9, 0.8))
    lights.sky(strength=0.28)


def _lift(s: Stage) -> float:
    """Dark blends are exposed a little longer."""
    return max(0.0, 0.46 - luminance(s.colours[1])) * 1.7


def mound(s: Stage):
    """A mountain of powder, spices at its foot."""
    _ground(s)
    powder.heap(
        s.x(0.1),
        0.1,
        0,
        1.15,
        0.74,
        s.colours,
        seed=s.seed,
        grains=110000,
        grain=(0.0025, 0.0065),
        spill=1.25,
        detail=480,
        ruggedness=1.5,
        irregular=0.22,
        flakes=900,
    )
    s.table.reserve(circle(s.x(0.1), 0.1, 1.12))
    s.set_big([(-0.95, -1.02, 0.35), (0.85, -1.12, 2.8), (-1.32, -0.55, 1.1), (1.3, -0.75, 1.9)])
    s.strew([(0.0, -1.32, 0.55, 0.12, 40), (-1.1, -1.15, 0.2, 0.1, 10)])
    _light(s.casting.side)
    lights.camera((0, -4.6, 1.95), (0.02, -0.15, 0.36), 74, 0.7, (0, -0.62, 0.3))
    return 0.1 + _lift(s)


def bowl(s: Stage):
    """Close on a heaped bowl."""
    _ground(s)
    s.bowl_of_powder(0.10, 0.0, 0.86, METALS[s.product.ground], rise=0.62, grains=110000)
    s.set_big([(-1.05, -0.75, 0.5), (0.95, -0.98, 2.6), (-1.3, -0.1, 1.2), (1.3, -0.2, 1.9)])
    s.strew([(-0.75, -1.12, 0.2, 0.12, 26), (0.8, -1.15, 0.2, 0.1, 20)])
    _light(s.casting.side)
    lights.camera((s.x(-0.6), -4.4, 2.7), (s.x(0.02), -0.08, 0.46), 74, 0.9, (s.x(0.1), -0.45, 0.72))
    return 0.12 + _lift(s)


def spoon(s: Stage):
    """A spoonful, with a soft bed of the blend behind it."""
    _ground(s)
    yaw = 2.5 if s.mirror > 0 else math.pi - 2.5
    powder.heap(
        s.x(0.28), 0.62, 0, 0.95, 0.42, s.colours, seed=s.seed + 1, grains=70000, spill=1.3, detail=400, ruggedness=1.5, irregular=0.18
    )
    s.table.reserve(circle(s.x(0.28), 0.62, 0.95))
    sx, sy = s.x(-0.02), -0.78
    made = vessels.spoon(sx, sy, 0, yaw=yaw + math.pi, length=1.7, width=0.34, kind="mango" if s.product.ground != "walnut" else "brass")
    s.table.reserve_object(made, 0.02)
    powder.heap(
        sx,
        sy,
        0.078,
        0.318,
        0.30,
        s.colours,
        seed=s.seed,
        grains=52000,
        spill=1.0,
        detail=360,
        irregular=0.0,
        grain=(0.002, 0.0055),
        ruggedness=1.3,
        stretch=1.32,
        turn=yaw,
        flakes=300,
    )
    s.set_big([(-0.95, -0.45, 0.6), (0.75, -0.95, 2.5), (-0.75, -1.15, 0.2)])
    s.strew([(-0.72, -0.95, 0.2, 0.16, 20), (0.6, -1.1, 0.2, 0.1, 16)])
    _light(s.casting.side)
    lights.camera((s.x(-0.3), -4.3, 2.3), (s.x(0.0), -0.36, 0.24), 84, 0.8, (sx, sy + 0.02, 0.2))
    return 0.12 + _lift(s)


def _dust(s: Stage) -> float:
    """A dark blend that fills the frame absorbs light between its grains. Returns how much lighter its colours and exposure are."""
    return max(0.0, 0.40 - luminance(s.colours[1])) * 1.7


def field(s: Stage):
    """From above: a bed of powder to the edges of the frame, a few whole spices lying in it."""
    colours = tuple(mix_hex(colour, "#a87a54", _dust(s)) for colour in s.colours)
    grounds.slab(surfaces.plain(colours[0], 0.95, 0.1))
    bed = powder.heap(
        0,
        0,
        0,
        2.3,
        0.30,
        colours,
        seed=s.seed,
        grains=150000,
        grain=(0.003, 0.0065),
        spill=1.0,
        detail=560,
        ruggedness=1.2,
        irregular=0.0,
        flat=True,
        flakes=1800,
        gullies=0.3,
        swirl=0.34,
    )
    s.table.lay_bed(bed)
    s.table.reserve(circle(0, 0.05, 0.62))
    s.set_big([(0.80, -0.72, 2.4), (-0.90, 0.82, 0.7), (0.95, -0.30, 2.0), (0.45, -0.98, 2.9)])
    s.strew([(0.75, -0.62, 0.22, 0.2, 12), (-0.85, 0.8, 0.14, 0.12, 5)])
    lights.sun((-s.casting.side * 0.80, -0.30, -0.42), 3.6, 0.03)
    lights.area((0, -2, 4.5), (0, 0, 0), 3, 80)
    lights.sky(strength=0.30)
    lights.camera((0, -1.9, 4.4), (0, -0.06, 0.12), 74, 2.2, (0, -0.1, 0.15))
    return 0.05 + _lift(s) + 2 * _dust(s)


CLOSEUPS = {f.__name__: f for f in (mound, bowl, spoon, field)}
