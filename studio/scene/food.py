"""Cooked things for the wide pictures: gravies, fried balls, bread, rice, noodles, tacos, drinks."""

import math
import random

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector

from studio.scene import skins
from studio.scene.base import from_parts, link, mesh_object
from studio.scene.powder import instances
from studio.scene.shapes import TAU, fractal, grid_faces, lathe, rough, rough_at, shell, sphere, tube
from studio.scene.spices_fresh import leaf


def surface(x, y, z, radius, material, *, dome=0.03, ripple=0.02, seed=1, swirl=0.0):
    """The top of a full bowl: a slightly domed, uneven disc. swirl raises a spiral, as of cream or hummus."""
    rings, around, verts = 60, 120, [(0, 0, dome)]
    for i in range(1, rings + 1):
        q = i / rings
        for k in range(around):
            a = TAU * k / around
            px, py = radius * q * math.cos(a), radius * q * math.sin(a)
            wave = swirl * math.cos(a - q * 14) * math.sin(math.pi * min(1, q * 1.05)) if swirl else 0
            verts.append((px, py, dome * (1 - q * q) + ripple * fractal(px * 4 + seed, py * 4, seed) * (1 - q**6) + wave))
    faces = [(0, 1 + k, 1 + (k + 1) % around) for k in range(around)]
    faces += [
        (1 + (i - 1) * around + k, 1 + i * around + k, 1 + i * around + (k + 1) % around, 1 + (i - 1) * around + (k + 1) % around)
        for i in range(1, rings)
        for k in range(around)
    ]
    obj = mesh_object("surface", verts, faces, [material])
    obj.location = (x, y, z)
    return obj


def _fried_ball(seed, radius, material):
    verts, faces = sphere(
        48, 32, lambda d, th, ph: radius * (1 + 0.10 * rough(d, seed, 1.8) + 0.05 * rough(d, seed, 5) + 0.022 * rough(d, seed, 14))
    )
    return from_parts("fried ball", [(verts, faces, 0)], [material], linked=False, subdivide=1)


def falafel(seed):
    return _fried_ball(seed, 0.15, skins.crust("#4a2a10", "#7d4c1c", "#a8742f", 1.2, 0.62))


def manchurian(seed):
    return _fried_ball(seed, 0.145, skins.crust("#2a0c06", "#5a1c0c", "#8a3414", 0.8, 0.16))


def chunk(seed, dark="#3a1a0c", light="#7a421c"):
    """A piece of meat or vegetable under gravy."""
    verts, faces = sphere(36, 26, lambda d, th, ph: 1 + 0.22 * rough(d, seed, 1.3) + 0.05 * rough(d, seed, 5))
    return from_parts(
        "chunk", [(verts * np.array([0.17, 0.12, 0.10]), faces, 0)], [skins.crust(dark, light, light, 0.8, 0.22)], linked=False, subdivide=1
    )


def cube(seed, size=0.10, colours=("#e3cfa0", "#f0e0b8", "#f7ecd0")):
    """A cube of paneer with soft edges."""
    bpy.ops.mesh.primitive_cube_add(size=1)
    obj = bpy.context.object
    r = random.Random(seed)
    obj.data.transform(Matrix.Diagonal((size * r.uniform(1.3, 1.6), size * r.uniform(1.2, 1.5), size, 1)))
    obj.data.materials.append(skins.crust(*colours, 0.6, 0.4))
    bevel = obj.modifiers.new("soft", "BEVEL")
    bevel.width, bevel.segments = size * 0.16, 4
    bpy.context.scene.collection.objects.unlink(obj)
    return obj


def fry(seed):
    """One chip of potato, dusted red."""
    r = random.Random(seed)
    t = np.linspace(0, 1, 12)
    length = r.uniform(0.55, 0.80)
    path = np.stack([(t - 0.5) * length, 0.02 * np.sin(t * 3 + seed), 0.015 * np.sin(t * 2 + seed)], 1)
    return from_parts(
        "fry",
        [
            (
                *tube(
                    path,
                    np.full(12, 0.045),
                    16,
                    lambda at, th: min(1.28, 1 / max(abs(math.cos(th)), abs(math.sin(th)))) * (1 + 0.04 * rough_at(at * 8, th, seed)),
                ),
                0,
            )
        ],
        [skins.crust("#a8521c", "#d0892c", "#e6b04c", 1.6, 0.55)],
        linked=False,
    )


def pile(makers, x, y, z, count, radius, *, wall=None, drop=0.5, seed=1, scale=1.0, frames=70):
    """Drops things from above and settles them with rigid-body physics; walls can keep them in a bowl."""
    r = random.Random(seed)
    scene = bpy.context.scene
    if scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
    helpers = [_static(_funnel(x, y, z, radius, wall))] if wall else [_static(_floor(z))]
    placed = []
    for k in range(count):
        obj = link(makers(k % 6))
        a, q = r.uniform(0, TAU), math.sqrt(r.random()) * radius * 0.55
        obj.location = (x + q * math.cos(a), y + q * math.sin(a), z + 0.15 + drop * k * 0.32)
        obj.rotation_euler = Euler((r.uniform(0, TAU), r.uniform(0, TAU), r.uniform(0, TAU)))
        obj.scale = (scale,) * 3
        _body(obj, "ACTIVE")
        placed.append(obj)
    scene.rigidbody_world.point_cache.frame_end = frames
    scene.rigidbody_world.substeps_per_frame = 12
    for frame in range(1, frames + 1):
        scene.frame_set(frame)
    matrices = [obj.matrix_world.copy() for obj in placed]
    bpy.ops.rigidbody.world_remove()
    for obj, matrix in zip(placed, matrices):
        obj.matrix_world = matrix
    for helper in helpers:
        bpy.data.objects.remove(helper)
    scene.frame_set(1)
    return placed


def _body(obj, kind):
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    bpy.ops.rigidbody.object_add(type=kind)
    body = obj.rigid_body
    body.collision_shape = "MESH" if kind == "PASSIVE" else "CONVEX_HULL"
    body.friction, body.restitution, body.linear_damping, body.angular_damping = 0.75, 0.05, 0.2, 0.5
    body.use_margin, body.collision_margin = True, 0.002
    body.mesh_source = "BASE"
    return obj


def _static(obj):
    return _body(obj, "PASSIVE")


def _floor(z):
    return mesh_object("floor", [(-9, -9, z), (9, -9, z), (9, 9, z), (-9, 9, z)], [(0, 1, 2, 3)], smooth=False)


def _funnel(x, y, z, radius, height):
    """The inside of a bowl, with an invisible collar so that everything falls into it."""
    profile = [(0.0001, 0.0)] + [(radius * (0.40 + 0.60 * t), height * t**1.8) for t in np.linspace(0, 1, 12)] + [(radius * 1.02, 4.0)]
    obj = mesh_object("funnel", *lathe(profile, 40))
    obj.data.flip_normals()
    obj.location = (x, y, z)
    return obj


def bun(x, y, z=0.0, yaw=0.0, width=0.42):
    """A pav: soft square loaf, browned on top, pale on its torn sides."""

    def shape(d, th, ph):
        box = (abs(d[0]) ** 4 + abs(d[1]) ** 4 + abs(d[2]) ** 3.2) ** (-1 / 4)
        return width * box * (1 + 0.02 * rough(d, yaw, 2))

    verts, faces = sphere(64, 48, shape)
    verts[:, 2] = np.where(verts[:, 2] > 0, verts[:, 2] * 0.62, verts[:, 2] * 0.36)
    top = width * 0.30
    tones = [0 if np.mean([verts[v][2] for v in f]) > top * 0.45 else 1 for f in faces]
    obj = mesh_object(
        "bun",
        verts,
        faces,
        [skins.crust("#7a3c12", "#a85c1e", "#c07a30", 0.5, 0.38), skins.crust("#d9b47a", "#ecd2a0", "#f4e2bc", 0.9, 0.8)],
        face_materials=tones,
    )
    obj.location, obj.rotation_euler = (x, y, z - verts[:, 2].min()), (0, 0, yaw)
    return obj


def bread_slice(seed, radius=0.30):
    """A slice of garlic bread: toasted, buttery crumb, dark crust."""
    rings, around, front = 26, 90, []
    for i in range(rings + 1):
        q = max(0.001, i / rings)
        for k in range(around):
            a = TAU * k / around
            edge = (
                1.25
                * radius
                * (
                    1
                    + 0.09 * rough_at(math.cos(a) * 1.5, math.sin(a) * 1.5, seed)
                    + 0.02 * rough_at(math.cos(a) * 6, math.sin(a) * 6, seed)
                )
            )
            px, py = edge * q * math.cos(a), edge * 0.72 * q * math.sin(a)
            holes = max(0.0, fractal(px * 14 + seed, py * 14, seed, 2) - 0.35) * 0.06
            front.append((px, py, 0.080 - 0.045 * q**14 + (0.012 * fractal(px * 9 + seed, py * 9, seed) - holes) * (1 - q**6)))
    front = np.array(front)
    back = front * np.array([1.0, 1.0, 0.0]) + np.array([0, 0, -0.080])
    faces = [
        (i * around + k, (i + 1) * around + k, (i + 1) * around + (k + 1) % around, i * around + (k + 1) % around)
        for i in range(rings)
        for k in range(around)
    ]
    count = len(front)
    side = [
        (rings * around + k, count + rings * around + k, count + rings * around + (k + 1) % around, rings * around + (k + 1) % around)
        for k in range(around)
    ]
    all_faces = faces + [tuple(reversed([v + count for v in f])) for f in faces] + side
    crumb = len([f for f in faces if f[0] < (rings - 2) * around])
    tones = [0] * crumb + [1] * (len(all_faces) - crumb)
    obj = mesh_object(
        "bread",
        np.concatenate([front, back]),
        all_faces,
        [skins.crust("#9a581a", "#e0ac58", "#f6de9e", 1.0, 0.30), skins.crust("#5f2f0e", "#8a4a18", "#a8622a", 0.9, 0.5)],
        face_materials=tones,
        linked=False,
    )
    return obj


def taco(x, y, z=0.0, yaw=0.0, seed=1, tilt=0.30):
    """A folded tortilla lying open a little, filled with crumbly mince, herbs and tomato."""
    rows, columns, outer, inner = 36, 44, [], []
    for i in range(rows):
        u = i / (rows - 1) * 2 - 1
        reach = 0.40 * math.sqrt(max(0.0, 1 - u * u)) + 0.015
        for j in range(columns):
            s = j / (columns - 1) * 2 - 1
            fold = s * reach
            a = 1.10 * math.tanh(fold / 0.13)
            py = 0.13 * math.tanh(fold / 0.13) + 0.30 * max(0, abs(fold) - 0.05) * math.copysign(1, fold) * 0.55
            pz = 0.05 * (1 - math.cos(a)) + 0.92 * max(0, abs(fold) - 0.04)
            wobble = 0.018 * rough_at(u * 2.2, s * 2.2, seed)
            outer.append((u * 0.42, py + wobble, pz))
            inner.append((u * 0.42, (py + wobble) * 0.90, pz + 0.016 * (1 - abs(s))))
    closed, faces = shell(outer, grid_faces(rows, columns), rows, columns, inner)
    obj = mesh_object("tortilla", closed, faces, [skins.crust("#b87c34", "#dcae64", "#efd096", 0.7, 0.7)])
    obj.location, obj.rotation_euler = (x, y, z - closed[:, 2].min()), (0, 0, yaw)
    g = np.random.default_rng(seed)
    c, s_ = math.cos(yaw), math.sin(yaw)

    def fill(maker, count, low, high, size):
        u = g.uniform(-0.86, 0.86, count)
        h = g.uniform(low, high, count) * np.sqrt(1 - u * u)
        v = g.uniform(-1, 1, count) * (0.02 + h * 0.30)
        pts = np.stack([x + u * 0.40 * c - v * s_, y + u * 0.40 * s_ + v * c, z + 0.05 + h], 1)
        instances("taco filling", pts, g.uniform(0, TAU, (count, 3)), g.uniform(0.7, 1.25, count) * size, [maker(k) for k in range(4)])

    fill(lambda k: _fried_ball(k, 0.034, skins.crust("#4a1e0c", "#7a3716", "#9a5426", 3.0, 0.4)), 170, 0.02, 0.27, 1.0)
    fill(lambda k: cube(k, 0.034, ("#a3150c", "#c9301a", "#d9482a")), 26, 0.22, 0.33, 1.0)
    fill(lambda k: leaf_bit(k), 60, 0.22, 0.35, 1.0)
    return obj


def leaf_bit(seed, dark="#2c5022", light="#54803a"):
    """A torn bit of green leaf for the top of a dish."""
    return leaf(seed, 0.10, 0.075, dark, light, 0.5)


def garnish(makers, x, y, z, radius, count, seed=1, size=(0.8, 1.2), tilt=0.25):
    """Scatters bits: each falls straight down and rests on the first surface below."""
    g = np.random.default_rng(seed)
    graph = bpy.context.evaluated_depsgraph_get()
    points, turns = [], []
    for _ in range(count):
        a, q = g.uniform(0, TAU), math.sqrt(g.uniform()) * radius
        hit, place, normal, *_ = bpy.context.scene.ray_cast(
            graph, Vector((x + q * math.cos(a), y + q * math.sin(a), z + 3)), Vector((0, 0, -1))
        )
        if not hit or place.z < z - 0.05:
            continue
        lie = (
            Vector((0, 0, 1)).rotation_difference(normal).to_matrix()
            @ Euler((g.normal(0, tilt), g.normal(0, tilt), g.uniform(0, TAU))).to_matrix()
        )
        points.append(tuple(place + normal * 0.004))
        turns.append(tuple(lie.to_euler()))
    if points:
        instances("garnish", points, turns, g.uniform(*size, len(points)), [makers(k) for k in range(4)])


def rice(x, y, z, radius, dome=0.16, seed=1):
    """A mound of long-grain rice, part of it stained with saffron."""
    g = np.random.default_rng(seed)
    count = int(5200 * (radius / 0.55) ** 2)
    a, q = g.uniform(0, TAU, count), np.sqrt(g.uniform(0, 1, count))
    px, py = radius * q * np.cos(a), radius * q * np.sin(a)
    pz = np.array([dome * (1 - s * s) + 0.03 * fractal(u * 5, v * 5, seed) for s, u, v in zip(q, px, py)])
    stain = np.array([rough_at(u * 3.2 + seed, v * 3.2, 1.0) for u, v in zip(px, py)]) + g.normal(0, 0.16, count)
    pick = np.where(stain > 0.30, 2, np.where(stain > 0.14, 1, 0))
    turns = np.stack([g.normal(0, 0.35, count), g.normal(0, 0.45, count), g.uniform(0, TAU, count)], 1)
    t = np.linspace(0, 1, 10)
    grains = []
    for dark, light in (("#efe6d2", "#fbf6ea"), ("#f0cf6a", "#f6df98"), ("#e09a1c", "#f0b840")):
        path = np.stack([(t - 0.5) * 0.085, 0.006 * np.sin(np.pi * t), 0 * t], 1)
        grains.append(
            from_parts(
                "rice",
                [(*tube(path, 0.0095 * np.sin(np.pi * np.clip(t * 0.92 + 0.04, 0, 1)) ** 0.5, 10), 0)],
                [skins.smooth_skin(dark, light, 0.4, 30.0, 0.2)],
                linked=False,
            )
        )
    surface(x, y, z - 0.02, radius, skins.powder("#d8c8a0", "#e6d8b4", "#efe4c8"), dome=dome, ripple=0.02)
    return instances("rice", np.stack([px + x, py + y, pz + z], 1), turns, g.uniform(0.85, 1.1, count), grains, pick)


def noodles(x, y, z, radius, strands=90, seed=1, dome=0.14):
    """A tangle of noodles in a bowl."""
    r = random.Random(seed)
    parts = []
    for k in range(strands):
        a, spread, turn = r.uniform(0, TAU), radius * math.sqrt(r.random()) * 0.85, r.choice([-1, 1]) * r.uniform(1.2, 3.0)
        curl = radius * r.uniform(0.12, 0.42)
        t = np.linspace(0, 1, 40)
        px = spread * math.cos(a) + curl * np.cos(turn * t * 2.2 + a) * (0.7 + 0.5 * t)
        py = spread * math.sin(a) + curl * np.sin(turn * t * 2.2 + a) * (0.7 + 0.5 * t)
        away = np.hypot(px, py) / radius
        squeeze = np.where(away > 0.96, 0.96 / np.maximum(away, 1e-6), 1.0)
        px, py = px * squeeze, py * squeeze
        pz = dome * (1 - np.minimum(1, away) ** 2) + 0.035 * np.sin(t * r.uniform(6, 12) + a) + 0.05 * k / strands
        parts.append((*tube(np.stack([px, py, pz], 1), np.full(40, 0.0145), 9), 0))
    obj = from_parts("noodles", parts, [skins.smooth_skin("#b9742a", "#e0ac58", 0.28, 4.0, 0.15)])
    obj.location = (x, y, z)
    return obj
