"""Tables and walls of a set."""

import math
import random

import bpy
import numpy as np

from studio.colours import mix_hex
from studio.scene import surfaces
from studio.scene.base import mesh_object
from studio.scene.shapes import fractal, grid_faces
from studio.scene.vessels import plate


def planks(tone="walnut", width=1.05, count=16, length=18, z=0.0, seed=2, across=False):
    """Boards with gaps, no two alike, over a dark bed."""
    r = random.Random(seed)
    slab(surfaces.plain(mix_hex(surfaces.WOODS[tone][0], "#000000", 0.5), 0.95, 0.05), z=z - 0.06)
    for k in range(count):
        bpy.ops.mesh.primitive_cube_add(size=1)
        board = bpy.context.object
        board.scale = (length, width - 0.012, 0.2)
        place = (k - (count - 1) / 2) * width + 1.0
        board.location = (place - 1.0, r.uniform(-1, 1) + 1, z - 0.1) if across else (r.uniform(-1, 1), place, z - 0.1)
        board.rotation_euler = (0, 0, math.pi / 2 if across else 0)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        bevel = board.modifiers.new("edge", "BEVEL")
        bevel.width, bevel.segments = 0.014, 3
        board.data.materials.append(surfaces.wood(tone))


def slab(material, size=40.0, z=0.0):
    half = size / 2
    return mesh_object(
        "slab",
        [(-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z)],
        [(0, 1, 2, 3)],
        [material],
        uv=[(0, 0), (1, 0), (1, 1), (0, 1)],
        smooth=False,
    )


def wall(material, y=4.2, size=40.0):
    half = size / 2
    return mesh_object("wall", [(-half, y, -1), (half, y, -1), (half, y, half), (-half, y, half)], [(0, 1, 2, 3)], [material], smooth=False)


def sweep(material, y=2.0, radius=1.6, width=40.0):
    """A paper background that curves from table to wall without an edge."""
    line = (
        [(-16, 0), (y, 0)]
        + [(y + radius * math.sin(a), radius - radius * math.cos(a)) for a in np.linspace(0.05, math.pi / 2, 24)]
        + [(y + radius, 16)]
    )
    verts = [(x, py, pz) for x in (-width / 2, width / 2) for py, pz in line]
    n = len(line)
    return mesh_object("sweep", verts, [(i, n + i, n + i + 1, i + 1) for i in range(n - 1)], [material])


def cloth(material, width=5.0, depth=4.0, centre=(0.0, 0.3), calm=1.5, seed=1, turn=0.12, z=0.0):
    """A cloth laid on the table: flat where things stand (within calm), gently creased beyond."""
    rows, columns, verts, uv = 150, 120, [], []
    c, s = math.cos(turn), math.sin(turn)
    for i in range(rows):
        for j in range(columns):
            a, b = (i / (rows - 1) - 0.5) * width, (j / (columns - 1) - 0.5) * depth
            crease = max(0.0, fractal(a * 0.9 + seed, b * 0.7, seed, 3) - 0.05) * 0.10
            away = min(1.0, max(0.0, (math.hypot(a * 0.8, b) - calm) / 0.7))
            verts.append((centre[0] + a * c - b * s, centre[1] + a * s + b * c, z + crease * away))
            uv.append((a / 5, b / 5))
    return mesh_object("cloth", verts, grid_faces(rows, columns), [material], uv=uv)


def lay(ground: str, seed: int, tint: str) -> float:
    """Builds the ground of a product. Returns the height at which things stand."""
    r = random.Random(seed)
    if ground == "walnut":
        planks(r.choice(["walnut", "walnut", "ebony"]), seed=seed, across=r.random() < 0.4, width=r.uniform(0.85, 1.25))
    elif ground == "oak":
        planks("oak", seed=seed)
    elif ground == "slate":
        slab(surfaces.stone())
    elif ground == "marble":
        slab(surfaces.marble())
    elif ground == "terracotta":
        slab(surfaces.plaster("#8f4a2e", "#b3663f"))
    elif ground == "linen":
        planks("oak", seed=seed)
        cloth(surfaces.weave(r.choice(["#cdbb9d", "#d9cbb0", tint]), 330.0, 0.3), seed=seed, calm=2.0, z=0.004, width=6, depth=5)
        return 0.006
    elif ground == "jute":
        planks("mango", seed=seed)
        cloth(surfaces.jute(), width=4.4, depth=3.4, seed=seed, calm=2.6, turn=r.uniform(-0.2, 0.2), z=0.010)
        return 0.012
    elif ground == "brass":
        slab(surfaces.plaster("#2a1a16", "#3d2620"))
        plate(0.0, 0.05, 0.0, 2.05, 0.09, "brass")
        return 0.02
    else:
        raise ValueError(f"no ground called {ground!r}")
    return 0.0
