"""The lifestyle compositions: the pouch, the blend and the whole spices that are in it."""

import math

from studio.scene import lights, powder, vessels
from studio.scene.placing import Table, circle
from studio.scene.stage import KATORIS, METALS, Stage


def beside(s: Stage):
    """Pouch to one side, a heaped bowl to the other, a spill in front."""
    s.lay_ground()
    s.pouch(-0.30, 0.15)
    s.bowl_of_powder(0.78, -0.55)
    s.spill(-0.62, -1.02)
    s.set_big(
        [
            (-1.08, -0.35, 0.95),
            (0.02, -1.15, 0.1),
            (-1.15, -0.95, 1.2),
            (1.15, 0.25, 0.75),
            (-1.38, 0.2, 1.4),
            (0.62, -1.38, 0.1),
            (1.45, -0.75, 2.2),
        ]
    )
    s.strew([(-0.08, -1.2, 0.26, 0.16, 30), (-1.05, -0.8, 0.22, 0.2, 24), (1.2, -1.1, 0.2, 0.14, 20), (1.25, 0.2, 0.25, 0.3, 14)])
    lights.rig(s.casting.light, s.casting.side)
    lights.camera((s.x(0.10), -6.6, 2.6), (s.x(0.10), 0, 0.78), 76, 1.2, (s.x(-0.15), -0.35, 0.8))
    return 0.25


def thali(s: Stage):
    """Looking down a little: a metal plate with a heap and its spices, the pouch behind it."""
    s.lay_ground()
    s.pouch(-0.42, 0.62, -7, scale=0.97)
    px, py, radius = 0.46, -0.62, 0.86
    base = s.table.level
    vessels.plate(s.x(px), py, base, radius, 0.07, METALS[s.product.ground] if s.product.ground != "slate" else "steel")
    s.table.reserve(circle(s.x(px), py, radius + 0.03))
    on_plate = Table(s.seed + 1, base + 0.02)
    powder.heap(
        s.x(px),
        py,
        base + 0.02,
        0.40,
        0.27,
        s.colours,
        seed=s.seed + 2,
        grains=30000,
        spill=1.25,
        grain=(0.002, 0.005),
        ruggedness=1.4,
        irregular=0.15,
    )
    on_plate.reserve(circle(s.x(px), py, 0.40))
    for k in range(10):
        a = 2 * math.pi * k / 10 + 0.3
        name = (s.big or s.small)[k % len(s.big or s.small)]
        on_plate.put(name, s.x(px) + 0.60 * math.cos(a), py + 0.60 * math.sin(a), a + math.pi / 2, 0.72, wander=0.03)
    if s.small:
        for _ in range(46):
            a, q = s.random.uniform(0, 2 * math.pi), s.random.uniform(0.46, 0.74)
            on_plate.put(s.random.choice(s.small), s.x(px) + q * math.cos(a), py + q * math.sin(a), tries=2, wander=0.01)
    s.set_big([(-1.25, -0.1, 1.2), (-0.85, -0.75, 0.7), (1.35, 0.35, 2.0), (-1.1, -1.15, 0.2)])
    s.strew([(-0.75, -0.6, 0.22, 0.25, 26), (1.35, 0.35, 0.15, 0.2, 10), (-0.45, -1.35, 0.3, 0.1, 14)])
    lights.rig(s.casting.light, s.casting.side)
    lights.camera((s.x(0.05), -6.5, 4.1), (s.x(0.05), 0.02, 0.66), 75, 1.8, (s.x(0.0), -0.1, 0.7))
    return 0.25


def flat_lay(s: Stage):
    """From above: the pouch on its back among bowls and spices."""
    s.lay_ground(with_wall=False)
    s.pouch(-0.42, -1.02, 7, lying=True, scale=0.98)
    kinds = KATORIS[s.product.ground]
    s.bowl_of_powder(0.92, 0.42, 0.46, kinds[0], rise=0.45)
    for name, (x, y, r), kind in zip(s.fillings, ((0.98, -0.52, 0.29), (0.62, 1.22, 0.24)), kinds[1:]):
        s.bowl_of_seeds(name, x, y, r, kind)
    s.spill(0.62, -1.12, 0.24, 0.07, 12000)
    s.set_big(
        [
            (-1.38, 0.75, 1.4),
            (1.35, 1.1, 2.2),
            (-1.40, -0.25, 1.7),
            (1.35, -1.1, 0.9),
            (0.25, 1.38, 0.2),
            (-1.3, -1.15, 0.6),
            (1.05, -1.42, 0.1),
            (-0.5, 1.42, 0.1),
            (0.45, 0.95, 1.0),
        ]
    )
    s.strew(
        [
            (0.50, -0.75, 0.12, 0.25, 20),
            (1.3, -0.1, 0.14, 0.3, 16),
            (-1.3, 0.2, 0.14, 0.4, 20),
            (0.3, 1.25, 0.3, 0.1, 14),
            (1.2, -1.2, 0.2, 0.15, 16),
            (-1.2, -1.2, 0.2, 0.15, 12),
        ]
    )
    lights.rig("overhead", s.casting.side)
    lights.camera((0, -0.25, 7.4), (0, 0, 0), 80)
    return 0.0


def katoris(s: Stage):
    """Three small bowls in a row before the pouch: whole, ground, whole."""
    s.lay_ground()
    s.pouch(0.05, 0.50, -5)
    kinds = KATORIS[s.product.ground]
    s.bowl_of_powder(0.02, -0.72, 0.37, kinds[0], grains=26000)
    for name, x, kind in zip(s.fillings, (-0.86, 0.88), kinds[1:]):
        s.bowl_of_seeds(name, x, -0.62 if x < 0 else -0.58, 0.31, kind)
    s.set_big(
        [
            (-1.1, 0.05, 1.1),
            (1.12, 0.12, 2.0),
            (-0.52, -1.25, 0.1),
            (0.55, -1.28, 3.0),
            (-1.32, -1.05, 0.8),
            (1.32, -1.12, 2.3),
            (-1.35, 0.6, 1.3),
            (1.4, 0.65, 1.9),
        ]
    )
    s.strew([(0.1, -1.32, 0.4, 0.1, 30), (-1.15, -1.1, 0.16, 0.12, 14), (1.2, -1.05, 0.16, 0.14, 14), (1.15, 0.1, 0.15, 0.2, 8)])
    lights.rig(s.casting.light, s.casting.side)
    lights.camera((s.x(-0.5), -6.5, 2.9), (s.x(0.02), 0, 0.78), 76, 1.3, (0, -0.1, 0.8))
    return 0.2


def mortar(s: Stage):
    """The pouch by a stone mortar; a generous heap in the foreground."""
    s.lay_ground()
    s.pouch(-0.52, 0.12, -10)
    mx, my = 0.82, 0.28
    vessels.mortar(s.x(mx), my, s.table.level, 0.46, 0.46)
    powder.heap(s.x(mx), my, s.table.level + 0.20, 0.33, 0.10, s.colours, seed=s.seed, grains=9000, spill=1.0, detail=160, irregular=0.0)
    s.table.reserve(circle(s.x(mx), my, 0.50))
    s.table.reserve(circle(s.x(mx + 0.35), my + 0.25, 0.42))
    powder.heap(
        s.x(0.42),
        -0.92,
        s.table.level,
        0.50,
        0.24,
        s.colours,
        seed=s.seed + 5,
        grains=38000,
        spill=1.4,
        detail=340,
        grain=(0.002, 0.005),
        ruggedness=1.4,
        irregular=0.22,
    )
    s.table.reserve(circle(s.x(0.42), -0.92, 0.50))
    s.set_big(
        [
            (-0.55, -0.75, 0.3),
            (-1.2, -0.45, 1.1),
            (1.22, -0.62, 2.1),
            (-0.75, -1.2, 0.2),
            (1.15, -1.15, 2.9),
            (-1.35, -1.0, 0.9),
            (1.5, 0.0, 1.7),
        ]
    )
    s.strew([(-0.55, -1.05, 0.22, 0.16, 26), (1.15, -0.85, 0.16, 0.22, 20), (-1.15, -0.85, 0.16, 0.2, 14), (0.4, -1.5, 0.35, 0.06, 12)])
    lights.rig(s.casting.light, s.casting.side)
    lights.camera((s.x(0.5), -6.7, 2.3), (s.x(0.08), 0, 0.80), 77, 1.2, (s.x(-0.2), -0.2, 0.8))
    return 0.22


def spoon(s: Stage):
    """A long spoon of the blend leads the eye to the pouch."""
    s.lay_ground()
    s.pouch(0.46, 0.22, 8)
    yaw = math.pi - 2.55 if s.mirror < 0 else 2.55
    sx, sy = s.x(-0.35), -1.02
    made = vessels.spoon(sx, sy, s.table.level, yaw=yaw, length=1.45, width=0.20)
    s.table.reserve_object(made, 0.02)
    powder.heap(
        sx,
        sy,
        s.table.level + 0.070,
        0.185,
        0.12,
        s.colours,
        seed=s.seed,
        grains=14000,
        spill=1.0,
        detail=220,
        irregular=0.0,
        grain=(0.002, 0.0048),
        stretch=1.32,
        turn=yaw,
    )
    s.spill(0.28, -1.02, 0.26, 0.08, 14000)
    vessels.cup(s.x(-0.86), 0.30, s.table.level, 0.33, 0.50, "clay")
    s.table.reserve(circle(s.x(-0.86), 0.30, 0.36))
    powder.seeds_in(s.fillings[0], s.x(-0.86), 0.30, s.table.level + 0.42, 0.285, dome=0.05, seed=s.seed)
    s.set_big(
        [
            (0.95, -0.65, 2.3),
            (-0.60, -0.28, 0.4),
            (1.25, -0.2, 1.9),
            (0.75, -1.25, 2.9),
            (-1.35, -0.15, 1.2),
            (1.35, -1.05, 2.2),
            (0.1, -0.52, 0.1),
        ]
    )
    s.strew([(0.85, -1.0, 0.22, 0.18, 26), (-0.62, -0.35, 0.2, 0.14, 14), (1.25, -0.5, 0.15, 0.25, 14), (0.1, -1.42, 0.3, 0.07, 14)])
    lights.rig(s.casting.light, s.casting.side)
    lights.camera((s.x(-0.35), -6.5, 2.7), (s.x(0.02), 0, 0.76), 75, 1.2, (s.x(0.3), -0.3, 0.8))
    return 0.22


def board(s: Stage):
    """Everything on a board, camera low, light from behind."""
    s.lay_ground()
    ground = s.table.level
    kind = "walnut" if s.product.ground in ("marble", "linen", "terracotta") else "mango"
    vessels.board(s.x(0.05), -0.28, 2.75, 1.75, 0.09, kind, 0.04 * s.mirror)
    s.table.level = ground + 0.09
    s.pouch(-0.58, 0.18, -11, scale=0.97)
    powder.heap(
        s.x(0.42),
        -0.46,
        s.table.level,
        0.42,
        0.24,
        s.colours,
        seed=s.seed + 5,
        grains=34000,
        spill=1.35,
        detail=320,
        grain=(0.002, 0.005),
        ruggedness=1.4,
        irregular=0.2,
    )
    s.table.reserve(circle(s.x(0.42), -0.46, 0.43))
    s.set_big([(0.98, 0.10, 0.3), (-1.06, -0.70, 0.4), (1.0, -0.72, 2.6), (0.45, 0.28, 0.2), (-0.22, -0.98, 0.1)])
    s.strew([(0.1, -0.95, 0.35, 0.06, 24), (0.98, -0.35, 0.10, 0.2, 14), (-0.85, -0.8, 0.15, 0.1, 14)])
    s.table.level = ground
    s.table.reserve(circle(s.x(0.05), -0.28, 0.9))
    s.set_big([(-1.55, -1.05, 0.6), (1.35, -1.42, 2.6), (0.2, -1.42, 0.1)])
    s.strew([(1.1, -1.42, 0.25, 0.07, 14), (-0.9, -1.42, 0.3, 0.06, 12)])
    lights.rig(s.casting.light, s.casting.side)
    lights.camera((s.x(0.25), -6.7, 2.25), (s.x(0.05), 0, 0.84), 75, 1.3, (s.x(-0.3), -0.2, 0.8))
    return 0.2


# Each composition returns its exposure.
COMPOSITIONS = {f.__name__: f for f in (beside, thali, flat_lay, katoris, mortar, spoon, board)}
