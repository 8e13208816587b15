"""Dishes: a vessel and its contents. Each function takes a position and a size and returns the radius that it needs on the table."""

import math

import bpy
import numpy as np

from studio.scene import food, skins, spices_dry, spices_fresh, vessels
from studio.scene.base import link, mesh_object
from studio.scene.pantry import ITEMS
from studio.scene.shapes import TAU, tube


def _full(x, y, z, radius, kind, material, *, depth=0.80, vessel=vessels.bowl, height=None, **options):
    """A bowl filled to just below its rim. Returns the height of the surface."""
    height = height or radius * 0.55
    vessel(x, y, z, radius, height, kind)
    inner = radius * (0.38 + 0.62 * math.sin(depth ** (1 / 1.75) * math.pi / 2) ** 0.85) - 0.012
    food.surface(x, y, z + height * depth, inner, material, **options)
    return z + height * depth


def _sunk(maker, x, y, z, radius, count, lift, seed=1, scale=1.0):
    """Pieces half under the surface, spread without touching."""
    g = np.random.default_rng(seed)
    spots: list[tuple[float, float]] = []
    for _ in range(count * 40):
        a, q = g.uniform(0, TAU), math.sqrt(g.uniform()) * radius
        spot = (q * math.cos(a), q * math.sin(a))
        if len(spots) < count and all(math.dist(spot, other) > 0.27 * scale for other in spots):
            spots.append(spot)
    for k, (px, py) in enumerate(spots):
        obj = link(maker(k % 6))
        obj.location, obj.scale = (x + px, y + py, z + lift), (scale,) * 3
        obj.rotation_euler = (g.normal(0, 0.25), g.normal(0, 0.25), g.uniform(0, TAU))


def _leaves(x, y, z, radius, count, seed=2, dark="#2c5022", light="#54803a"):
    food.garnish(lambda k: food.leaf_bit(k, dark, light), x, y, z, radius, count, seed, (0.8, 1.4))


def _cream(x, y, z, radius, turns=2.2):
    """A swirl of cream lying on a soup or curry."""
    t = np.linspace(0, 1, 120)
    a = t * turns * TAU
    path = np.stack([radius * (0.12 + 0.88 * t) * np.cos(a), radius * (0.12 + 0.88 * t) * np.sin(a), np.full(120, 0.012)], 1)
    swirl = mesh_object(
        "cream",
        *tube(path, 0.030 * np.sin(np.pi * np.clip(t * 0.94 + 0.03, 0, 1)) ** 0.5 * radius / 0.3, 14),
        [skins.smooth_skin("#efe3cc", "#fbf4e6", 0.22, 3.0)],
    )
    swirl.location, swirl.scale = (x, y, z), (1, 1, 0.35)


def paneer(x, y, z, radius=0.66, kind="copper"):
    top = _full(x, y, z, radius, kind, skins.gravy("#a83c0e", "#cf6420", 0.35), ripple=0.03)
    _sunk(food.cube, x, y, top, radius * 0.66, 9, 0.035, 3, 1.15)
    _cream(x + radius * 0.1, y - radius * 0.15, top + 0.02, radius * 0.32, 1.4)
    _leaves(x, y, top, radius * 0.6, 16)
    return radius + 0.03


def chettinad(x, y, z, radius=0.74, kind="iron"):
    top = _full(x, y, z, radius, kind, skins.gravy("#2e1408", "#5e2c10", 0.55), vessel=vessels.kadhai, height=radius * 0.46, ripple=0.035)
    _sunk(food.chunk, x, y, top, radius * 0.66, 8, 0.035, 5, 1.25)
    _leaves(x, y, top, radius * 0.62, 22, dark="#213f1a", light="#42632d")
    food.garnish(lambda k: ITEMS["black pepper"].make(k), x, y, top, radius * 0.6, 14, 4, (0.7, 0.9))
    return radius + 0.16


def misal(x, y, z, radius=0.62, kind="steel"):
    top = _full(x, y, z, radius, kind, skins.gravy("#5a0d05", "#8c2009", 0.6), ripple=0.03)
    sprout = lambda k: spices_dry.ball(k, 0.034, "#a8803c", "#d0ae6a", 0.4, 0.8)  # noqa: E731
    food.garnish(sprout, x, y, top, radius * 0.74, 120, 3, (0.8, 1.1))
    food.garnish(lambda k: spices_dry.thread(k, 0.20, 0.013, "#c07a1c", "#e6ae48"), x, y, top, radius * 0.46, 150, 5, (0.7, 1.2), 0.5)
    food.garnish(lambda k: food.cube(k, 0.026, ("#d9a0b4", "#efd6dc", "#f6ecec")), x, y, top, radius * 0.42, 34, 6, (0.7, 1.2), 0.6)
    _leaves(x, y, top, radius * 0.5, 22)
    return radius + 0.03


def malaysian(x, y, z, radius=0.62, kind="indigo"):
    top = _full(x, y, z, radius, kind, skins.gravy("#b06a0c", "#d99a2a", 0.5), ripple=0.03)
    _sunk(lambda k: food.chunk(k, "#a86a20", "#d9a858"), x, y, top, radius * 0.66, 7, 0.03, 4, 1.2)
    food.garnish(lambda k: spices_fresh.ring(k, 0.045, 0.012, ("#a3150c", "#cf3a1c")), x, y, top, radius * 0.6, 12, 5)
    _leaves(x, y, top, radius * 0.6, 18)
    return radius + 0.03


def soup(x, y, z, radius=0.66, kind="white"):
    top = _full(x, y, z, radius, kind, skins.gravy("#b02a0c", "#cf4a1c", 0.15), ripple=0.004, dome=0.004)
    _cream(x, y, top + 0.004, radius * 0.34, 1.8)
    _leaves(x, y, top, radius * 0.3, 7, dark="#2a5522", light="#4c7634")
    food.garnish(lambda k: spices_dry.peppercorn(k, 0.010), x, y, top, radius * 0.6, 26, 6)
    return radius + 0.03


def hummus(x, y, z, radius=0.40, kind="cream"):
    top = _full(x, y, z, radius, kind, skins.crust("#c8a876", "#dcc294", "#ead6ae", 0.4, 0.55), ripple=0.006, swirl=0.028)
    food.garnish(lambda k: spices_dry.shard(k, 0.010, "#8a1c0c", "#b8401c", 0.4), x, y, top, radius * 0.5, 60, 3)
    food.garnish(lambda k: ITEMS["chickpea"].make(k), x, y, top, radius * 0.2, 4, 5, (0.9, 1.0))
    _leaves(x, y, top, radius * 0.4, 6)
    return radius + 0.03


def falafel(x, y, z, radius=0.66, kind="rust", count=13):
    vessels.plate(x, y, z, radius, 0.07, kind)
    food.pile(food.falafel, x, y, z + 0.02, count, radius * 0.80, wall=0.05, seed=4)
    food.garnish(lambda k: food.leaf_bit(k, "#234a1e", "#41682e"), x, y, z, radius * 0.8, 36, 3, (0.5, 0.9))
    food.garnish(lambda k: ITEMS["sesame seed"].make(k), x, y, z, radius * 0.7, 120, 4)
    return radius + 0.03


def manchurian(x, y, z, radius=0.60, kind="ink", count=15):
    height = radius * 0.50
    vessels.bowl(x, y, z, radius, height, kind)
    food.surface(x, y, z + height * 0.42, radius * 0.80, skins.gravy("#240a05", "#4a160a", 0.3), ripple=0.02)
    food.pile(food.manchurian, x, y, z + height * 0.34, count, radius * 0.92, wall=height * 0.7, seed=3, frames=120)
    food.garnish(lambda k: spices_fresh.ring(k), x, y, z + height * 0.4, radius * 0.86, 60, 3, (0.8, 1.3))
    food.garnish(lambda k: ITEMS["sesame seed"].make(k), x, y, z + height * 0.4, radius * 0.86, 130, 4)
    return radius + 0.03


def fries(x, y, z, radius=0.52, kind="ink", count=34):
    height = radius * 0.70
    vessels.bowl(x, y, z, radius, height, kind)
    food.pile(food.fry, x, y, z + 0.05, count, radius * 0.95, wall=height, seed=6, drop=0.3, frames=90)
    food.garnish(lambda k: spices_dry.shard(k, 0.012, "#7d1408", "#c03a14", 0.4), x, y, z + 0.2, radius * 1.1, 420, 5, (0.5, 1.1))
    food.garnish(lambda k: food.leaf_bit(k), x, y, z + 0.2, radius * 0.9, 16, 7, (0.4, 0.7))
    return radius + 0.03


def garlic_bread(x, y, z, radius=0.8, count=6):
    """Slices laid on a board, two of them on top of the others."""
    spots = [(-0.43, 0.36, 0), (0.42, 0.40, 0), (-0.40, -0.28, 0), (0.44, -0.24, 0), (0.02, 0.08, 1), (0.30, -0.10, 2), (-0.02, -0.86, 0)]
    for k, (px, py, layer) in enumerate(spots[:count]):
        slice_ = link(food.bread_slice(k, 0.29))
        slice_.location, slice_.rotation_euler = (
            (x + px * radius / 0.8, y + py * radius / 0.8, z + 0.081 + layer * 0.165),
            (0, 0, 0.35 * math.sin(k * 2.4) + 0.2),
        )
    bpy.context.view_layer.update()
    food.garnish(lambda k: food.leaf_bit(k, "#2a4a20", "#4a7034"), x, y, z + 0.06, radius * 1.2, 300, 3, (0.25, 0.55))
    food.garnish(lambda k: spices_dry.shard(k, 0.016, "#e3cf9a", "#f3e6c0", 0.6), x, y, z + 0.06, radius * 1.2, 150, 4)
    return radius


def tacos(x, y, z, count=3, yaw=0.25):
    """Tacos in a row, each leaning on the next."""
    for k in range(count):
        food.taco(x + (k - (count - 1) / 2) * 0.12, y + (k - (count - 1) / 2) * -0.46, z, yaw + 0.06 * k, seed=k + 1)
    return 0.7


def biryani(x, y, z, radius=0.64, kind="copper"):
    height = radius * 0.50
    vessels.bowl(x, y, z, radius, height, kind)
    food.rice(x, y, z + height * 0.72, radius * 0.88)
    top = z + height * 0.72
    food.garnish(lambda k: spices_dry.thread(k, 0.20, 0.010, "#5a2a10", "#9a5a26"), x, y, top, radius * 0.7, 70, 3, (0.7, 1.2), 0.3)
    _leaves(x, y, top, radius * 0.7, 20, dark="#2f5a2b", light="#557f46")
    food.garnish(lambda k: ITEMS["cashew"].make(k), x, y, top, radius * 0.6, 7, 6)
    food.garnish(lambda k: ITEMS["star anise"].make(k), x, y, top, radius * 0.5, 2, 9, (0.9, 1.0), 0.1)
    return radius + 0.03


def noodles(x, y, z, radius=0.64, kind="ink"):
    height = radius * 0.50
    vessels.bowl(x, y, z, radius, height, kind)
    food.surface(x, y, z + height * 0.55, radius * 0.86, skins.gravy("#5a300c", "#9a5a1c", 0.2), dome=0.10)
    food.noodles(x, y, z + height * 0.62, radius * 0.88, 130, 3)
    top = z + height * 0.5
    food.garnish(lambda k: spices_fresh.ring(k), x, y, top, radius * 0.7, 40, 3, (0.8, 1.3))
    food.garnish(lambda k: spices_dry.thread(k, 0.22, 0.014, "#c24a12", "#e07a24"), x, y, top, radius * 0.7, 22, 4)
    food.garnish(lambda k: spices_dry.thread(k, 0.22, 0.016, "#3f6f1c", "#7fae40"), x, y, top, radius * 0.7, 18, 5)
    return radius + 0.03


def chai(x, y, z, radius=0.30, kind="clay"):
    height = radius * 1.35
    vessels.cup(x, y, z, radius, height, kind)
    food.surface(x, y, z + height * 0.86, radius * 0.94 - 0.03, skins.gravy("#8a4e1c", "#b57a3a", 0.0), dome=0.003, ripple=0.003)
    return radius + 0.03
