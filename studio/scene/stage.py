"""The set of one product: its table, its powder, its spices, and common arrangements."""

import math
import random

from studio.scene import grounds, powder, surfaces, vessels
from studio.scene.pantry import ITEMS, items_for
from studio.scene.placing import Table, circle
from studio.scene.pouch import pouch
from studio.shop.casting import Casting, wall_colours
from studio.shop.catalogue import Product, stable_number

METALS = {"walnut": "brass", "slate": "copper", "brass": "ink", "linen": "sage", "terracotta": "brass", "marble": "brass", "jute": "iron"}
KATORIS = {
    "walnut": ("brass", "cream", "brass"),
    "slate": ("copper", "white", "copper"),
    "brass": ("ink", "cream", "clay"),
    "linen": ("indigo", "white", "mango"),
    "terracotta": ("brass", "white", "ink"),
    "marble": ("brass", "indigo", "walnut"),
    "jute": ("iron", "cream", "clay"),
}


class Stage:
    """Mirrored by side: a composition is written for the key light on the left (side -1)."""

    def __init__(self, product: Product, casting: Casting):
        self.product, self.casting = product, casting
        self.mirror = -casting.side
        self.seed = stable_number(product.id, 1000)
        self.random = random.Random(self.seed)
        self.colours = powder.blend_colours(product.powder)
        names = items_for(product.spices)
        self.big = [n for n in names if ITEMS[n].size == "big"]
        self.small = [n for n in names if ITEMS[n].size != "big"]
        if "garlic" in names:
            self.small.append("garlic clove")
        self.fillings = [n for n in self.small if ITEMS[n].radius <= 0.06] or ["coriander seed"]
        self.table = Table(self.seed)

    def lay_ground(self, with_wall=True):
        self.table.level = grounds.lay(self.product.ground, self.seed, self.product.accent)
        if with_wall:
            grounds.wall(surfaces.plaster(*wall_colours(self.product, self.casting.wall)))

    def x(self, value):
        return value * self.mirror

    def pouch(self, x, y, yaw=-9.0, z=None, **options):
        made = pouch(self.product, self.x(x), y, self.table.level if z is None else z, yaw=yaw * self.mirror, **options)
        self.table.reserve_object(made)
        return made

    def bowl_of_powder(self, x, y, radius=0.50, kind=None, rise=0.6, grains=34000):
        """A bowl heaped with the blend."""
        kind = kind or METALS[self.product.ground]
        height = radius * 0.60
        vessels.bowl(self.x(x), y, self.table.level, radius, height, kind)
        powder.heap(
            self.x(x),
            y,
            self.table.level + height * 0.873,
            radius * 0.974,
            radius * rise,
            self.colours,
            seed=self.seed + 3,
            grains=grains,
            spill=1.0,
            detail=320,
            grain=(0.002, 0.0048),
            ruggedness=1.3,
            irregular=0.0,
        )
        self.table.reserve(circle(self.x(x), y, radius + 0.02))

    def bowl_of_seeds(self, name, x, y, radius=0.28, kind="white"):
        height = radius * 0.62
        vessels.bowl(self.x(x), y, self.table.level, radius, height, kind)
        powder.seeds_in(name, self.x(x), y, self.table.level + height * 0.68, radius * 0.87, dome=radius * 0.17, seed=self.seed)
        self.table.reserve(circle(self.x(x), y, radius + 0.02))

    def spill(self, x, y, radius=0.30, height=0.10, grains=16000, z=None):
        """A small heap on the table."""
        powder.heap(
            self.x(x),
            y,
            self.table.level if z is None else z,
            radius,
            height,
            self.colours,
            seed=self.seed + 8,
            grains=grains,
            spill=1.8,
            detail=240,
            grain=(0.002, 0.0048),
            ruggedness=1.6,
            irregular=0.3,
        )
        self.table.reserve(circle(self.x(x), y, radius * 0.88))

    def set_big(self, slots):
        """Put the large spices on the slots (x, y, yaw) in turn; each is used about equally often."""
        for k, (x, y, yaw) in enumerate(slots):
            if self.big:
                name = self.big[k % len(self.big)]
                turn = yaw if self.mirror > 0 else math.pi - yaw
                self.table.put(name, self.x(x), y, turn, self.random.uniform(0.9, 1.05))

    def strew(self, clusters):
        """Scatter the small spices: (x, y, spread x, spread y, count)."""
        if not self.small:
            return
        for x, y, sx, sy, count in clusters:
            some = self.random.sample(self.small, min(len(self.small), 3))
            self.table.scatter(some, count, (self.x(x), y), (sx, sy))
