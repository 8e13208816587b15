"""Fresh things: leaves, garlic, onion, tomato, lemon, mango, spring onion. Makers give unlinked objects."""

import math
import random

import numpy as np

from studio.scene import skins
from studio.scene.base import from_parts, mesh_object
from studio.scene.shapes import TAU, grid_faces, rotate_z, rough, rough_at, shell, sphere, tube


def _leaf_mesh(seed, length, width, notch=0.0, curl=None):
    """A leaf as (vertices, faces, uv) along x; notch saws the edge."""
    r = random.Random(seed)
    rows, columns = 44, 19
    curl = r.uniform(0.05, 0.2) if curl is None else curl
    twist, verts, uv = r.uniform(-0.5, 0.5), [], []
    for i in range(rows):
        t = i / (rows - 1)
        half = width / 2 * math.sin(math.pi * t**0.85) ** 0.8 * (1 - 0.15 * t) + 0.002
        for j in range(columns):
            s = j / (columns - 1) * 2 - 1
            saw = 1 - notch * (0.5 + 0.5 * math.sin(t * 60)) * max(0.0, abs(s) - 0.7) / 0.3
            y = s * half * saw
            lift = abs(s) * half * 0.25 + curl * 0.88 * length * (t - 0.5) ** 2 + twist * y * (t - 0.5) * 0.9
            ripple = 0.012 * rough_at(t * 5, s * 1.5, seed) * abs(s) + 0.02 * length * math.sin(t * 23 + s * 2 + seed) * s * s
            verts.append(((t - 0.5) * length, y, lift + ripple))
            uv.append((t, j / (columns - 1)))
    return np.array(verts), grid_faces(rows, columns), uv


def leaf(seed=0, length=0.85, width=0.27, dark="#474d22", light="#77763c", gloss=0.5, notch=0.0, skin=None):
    verts, faces, uv = _leaf_mesh(seed, length, width, notch)
    obj = mesh_object("leaf", verts, faces, [skin or skins.leaf(dark, light, gloss)], uv=uv, linked=False)
    obj.modifiers.new("thick", "SOLIDIFY").thickness = 0.004
    sub = obj.modifiers.new("subdivide", "SUBSURF")
    sub.levels, sub.render_levels = 0, 1
    return obj


def sprig(seed=0, pairs=4, length=0.34, width=0.14, spacing=0.16, dark="#213f1a", light="#42632d", notch=0.0, gloss=0.45):
    """A stalk with leaves in pairs: curry leaf, mint, basil."""
    r = random.Random(seed)
    parts, uvs = [], []
    total = spacing * (pairs + 0.4)
    t = np.linspace(0, 1, 16)
    stalk = np.stack([t * total - total / 2, 0.06 * np.sin(t * 2.2 + seed), 0.02 + 0.03 * t], 1)
    verts, faces = tube(stalk, np.interp(t, [0, 1], [0.013, 0.006]), 8)
    parts.append((verts, faces, 1))
    uvs += [(0.0, 0.0)] * len(verts)
    for k in range(pairs * 2 + 1):
        last = k == pairs * 2
        at = stalk[-1] if last else stalk[min(15, int((k // 2 + 0.5) / (pairs + 0.4) * 16))]
        angle = r.uniform(-0.15, 0.15) if last else (1 if k % 2 else -1) * r.uniform(0.75, 1.1)
        size = r.uniform(0.85, 1.1) * (1 - 0.25 * (k // 2) / pairs)
        v, f, uv = _leaf_mesh(seed * 31 + k, length * size, width * size, notch, r.uniform(0.0, 0.12))
        v[:, 0] += length * size / 2
        parts.append((rotate_z(v, angle) + at + np.array([0, 0, 0.004 * (k % 3)]), f, 0))
        uvs += uv
    return from_parts("sprig", parts, [skins.leaf(dark, light, gloss), skins.stalk("#5f7a34")], uv=uvs, linked=False)


def herb(seed=0, scale=1.0, dark="#2c5022", light="#4a7034"):
    """Coriander or parsley: a thin stalk with three fans of scalloped leaflets."""
    r = random.Random(seed)
    parts, uvs = [], []

    def fan(at, turn, size):
        around, verts = 40, [(0.0, 0.0, 0.0)]
        for i in range(1, 5):
            q = i / 4
            for k in range(around):
                a = (k / (around - 1) - 0.5) * 3.9
                lobe = 0.62 + 0.30 * abs(math.cos(a * 1.5)) + 0.09 * math.cos(a * 9)
                verts.append(
                    (
                        size * q * lobe * math.cos(a),
                        size * q * lobe * math.sin(a),
                        size * (0.22 * q * rough_at(math.cos(a) * 2, math.sin(a) * 2, seed + turn) + 0.12 * q * q),
                    )
                )
        faces = [(0, 1 + k, 2 + k) for k in range(around - 1)]
        faces += [
            (1 + (i - 1) * around + k, 1 + i * around + k, 2 + i * around + k, 2 + (i - 1) * around + k)
            for i in range(1, 4)
            for k in range(around - 1)
        ]
        uvs.extend([(0.1 + 0.8 * math.hypot(v[0], v[1]) / size, 0.5 + 0.45 * math.atan2(v[1], v[0] + 1e-6) / 2) for v in verts])
        parts.append((rotate_z(np.array(verts), turn) + at, faces, 0))

    t = np.linspace(0, 1, 14)
    main = np.stack([-0.34 * scale * (1 - t), 0.05 * np.sin(t * 3 + seed) * scale, 0.016 + 0.02 * t], 1)
    for path in [main] + [
        np.linspace(main[9], main[9] + np.array([0.13 * math.cos(a), 0.13 * math.sin(a), 0.01]) * scale, 6) for a in (0.95, -0.95)
    ]:
        verts, faces = tube(path, np.full(len(path), 0.007 * scale), 8)
        parts.append((verts, faces, 1))
        uvs += [(0.0, 0.0)] * len(verts)
    for at, turn in (
        (main[-1], 0.0),
        (main[9] + np.array([0.13 * math.cos(0.95), 0.13 * math.sin(0.95), 0.01]) * scale, 0.95),
        (main[9] + np.array([0.13 * math.cos(0.95), -0.13 * math.sin(0.95), 0.01]) * scale, -0.95),
    ):
        fan(at, turn + r.uniform(-0.2, 0.2), 0.14 * scale * r.uniform(0.9, 1.1))
    return from_parts("herb", parts, [skins.leaf(dark, light, 0.5), skins.stalk("#5f8a3a")], uv=uvs, linked=False)


def garlic(seed=0, radius=0.20):
    """A bulb: bulging cloves under papery skin, pinched to a dry neck, with a root plate below."""

    def shape(d, th, ph):
        up = math.cos(ph)
        cloves = 1 + 0.085 * abs(math.cos(4.5 * th + 0.3 * seed)) * math.sin(ph) ** 1.2
        return radius * cloves * (1 + 0.025 * rough(d, seed, 2.4)) * (1 - 0.12 * max(0, up))

    verts, faces = sphere(90, 36, shape)
    verts[:, 2] *= 0.82
    t = np.linspace(0, 1, 12)
    neck = np.stack([0.03 * t * t, 0.015 * np.sin(t * 3), radius * (0.55 + 0.85 * t)], 1)
    stem = tube(
        neck, radius * np.interp(t, [0, 0.25, 0.6, 1], [0.62, 0.26, 0.17, 0.15]), 26, lambda at, th: 1 + 0.10 * math.sin(7 * th + at * 3)
    )
    return from_parts("garlic", [(verts, faces, 0), (*stem, 0)], [skins.papery("#e6dccb", "#c4a6a0")], linked=False, subdivide=1)


def garlic_clove(seed=0, length=0.19):
    t = np.linspace(0, 1, 26)
    path = np.stack([(t - 0.5) * length, 0.028 * np.sin(np.pi * t), 0.008 * np.sin(t * 4)], 1)
    profile = np.sin(np.pi * np.clip(t * 0.93 + 0.055, 0, 1)) ** 0.85 * (1.15 - 0.6 * t)
    return from_parts(
        "clove of garlic",
        [(*tube(path, 0.062 * profile, 24, lambda at, th: 1 + 0.14 * math.cos(3 * th + seed) + 0.03 * rough_at(at * 5, th, seed)), 0)],
        [skins.papery("#e6d8b8", "#cfae8a", 16.0)],
        linked=False,
        subdivide=1,
    )


def onion(seed=0, radius=0.24):
    verts, faces = sphere(60, 34, lambda d, th, ph: radius * (1 + 0.012 * math.cos(12 * th) * math.sin(ph) + 0.02 * rough(d, seed, 2)))
    verts[:, 2] *= 0.88
    t = np.linspace(0, 1, 12)
    neck = np.stack([0.04 * t * t, 0.02 * np.sin(t * 4), radius * (0.70 + 0.55 * t)], 1)
    stem = tube(
        neck, radius * np.interp(t, [0, 0.3, 0.7, 1], [0.52, 0.16, 0.10, 0.14]), 22, lambda at, th: 1 + 0.16 * math.sin(5 * th + at * 5)
    )
    return from_parts(
        "onion",
        [(verts, faces, 0), (*stem, 1)],
        [skins.papery("#7a2340", "#a84a60", 30.0), skins.papery("#b08a58", "#d9b98a")],
        linked=False,
        subdivide=1,
    )


def ring(seed=0, radius=0.03, thick=0.009, colours=("#7fae4a", "#c9dc9a")):
    """A cut ring: spring onion, or onion."""
    r = random.Random(seed)
    a = np.linspace(0, TAU, 33)
    squash = r.uniform(0.75, 1.0)
    verts, count = [], 10
    for angle in a[:-1]:
        for k in range(count):
            b = TAU * k / count
            rho = radius + thick * 0.5 * math.cos(b)
            verts.append((rho * math.cos(angle), rho * squash * math.sin(angle), thick * 0.9 * math.sin(b)))
    n = 32
    faces = [
        (i * count + k, ((i + 1) % n) * count + k, ((i + 1) % n) * count + (k + 1) % count, i * count + (k + 1) % count)
        for i in range(n)
        for k in range(count)
    ]
    return from_parts("ring", [(verts, faces, 0)], [skins.smooth_skin(*colours, 0.35, 20.0)], linked=False)


def tomato(seed=0, radius=0.25):
    verts, faces = sphere(
        60,
        36,
        lambda d, th, ph: (
            radius
            * (
                1
                + 0.03 * math.cos(5 * th + seed) * max(0, math.cos(ph))
                + 0.012 * rough(d, seed, 1.6)
                - 0.16 * math.exp(-((ph / 0.34) ** 2))
            )
        ),
    )
    verts[:, 2] *= 0.86
    parts = [(verts, faces, 0)]
    top = radius * 0.86 * 0.85
    for k in range(5):
        t = np.linspace(0, 1, 10)
        a = TAU * k / 5 + 0.2 * math.sin(seed + k)
        sepal = np.stack([0.17 * t * math.cos(a), 0.17 * t * math.sin(a), top + 0.045 * np.sin(t * 2.2)], 1)
        parts.append(
            (*tube(sepal, 0.022 * np.sin(np.pi * np.clip(t * 0.85 + 0.14, 0, 1)), 8, lambda at, th: 0.4 + 0.6 * abs(math.cos(th))), 1)
        )
    t = np.linspace(0, 1, 6)
    parts.append((*tube(np.stack([0.03 * t, 0 * t, top + 0.10 * t], 1), np.full(6, 0.014), 8), 1))
    return from_parts(
        "tomato", parts, [skins.smooth_skin("#a3150c", "#c9301a", 0.16, 2.0, 0.1), skins.stalk("#4f7a30")], linked=False, subdivide=1
    )


def lemon(seed=0, radius=0.19, dark="#d9a516", light="#efc637"):
    def shape(d, th, ph):
        ends = 0.24 * (math.exp(-((ph / 0.34) ** 2)) + math.exp(-(((math.pi - ph) / 0.30) ** 2)))
        return radius * (1 + ends + 0.012 * rough(d, seed, 3) + 0.006 * rough(d, seed, 16))

    verts, faces = sphere(48, 40, shape)
    verts[:, 2] *= 1.15
    verts = verts[:, [2, 1, 0]]
    return from_parts(
        "lemon", [(verts, [tuple(reversed(f)) for f in faces], 0)], [skins.smooth_skin(dark, light, 0.32, 5.0)], linked=False, subdivide=1
    )


def lime(seed=0):
    return lemon(seed, 0.17, "#5f8a1c", "#93b53a")


def mango(seed=0, length=0.5):
    """Raw green mango: an asymmetric egg with a beak."""
    verts, faces = sphere(50, 40, lambda d, th, ph: 1 + 0.02 * rough(d, seed, 1.5) - 0.07 * math.exp(-((ph / 0.3) ** 2)))
    verts = verts * np.array([0.20, 0.165, 0.27]) * length / 0.5
    verts[:, 0] += 0.07 * np.sin(verts[:, 2] / 0.27 * 1.4)
    verts = verts[:, [2, 0, 1]]
    t = np.linspace(0, 1, 6)
    stem = np.stack([0.24 * length / 0.5 + 0.09 * t, 0.06 + 0.01 * t, 0.02 * t], 1)
    return from_parts(
        "mango",
        [(verts, faces, 0), (*tube(stem, np.full(6, 0.014), 8), 1)],
        [skins.rind("#35591c", "#6f8a34", "#a8b45c"), skins.stalk("#6b5a32")],
        linked=False,
        subdivide=1,
    )


def peel(seed=0, colour=("#d9a516", "#efc637")):
    """A twist of citrus peel."""
    r = random.Random(seed)
    rows, columns, verts = 30, 6, []
    turns, radius = r.uniform(1.2, 1.7), 0.09
    for i in range(rows):
        t = i / (rows - 1)
        a = t * turns * TAU * 0.62
        for j in range(columns):
            w = (j / (columns - 1) - 0.5) * 0.075 * math.sin(math.pi * min(1, t * 0.9 + 0.08))
            verts.append(
                (radius * math.cos(a) * (1 + 0.3 * t) + 0.10 * t, radius * math.sin(a) * (1 + 0.3 * t), 0.055 + w + 0.02 * math.sin(a))
            )
    verts = np.array(verts)
    centre = verts - np.array([0, 0, 0])
    inner = centre * np.array([0.93, 0.93, 1.0])
    closed, faces = shell(verts, grid_faces(rows, columns), rows, columns, inner)
    return from_parts("peel", [(closed, faces, 0)], [skins.smooth_skin(*colour, 0.35, 6.0)], linked=False, subdivide=1)


def petal(seed=0, dark="#8a2a44", light="#bd5f78"):
    return leaf(seed, 0.20, 0.17, skin=skins.smooth_skin(dark, light, 0.65, 9.0, 0.2))


def stick(seed=0, length=1.0, radius=0.035, dark="#8aa050", light="#d8d8a0"):
    """Lemongrass or spring onion stalk: pale at the foot, leafy at the end."""
    t = np.linspace(0, 1, 26)
    path = np.stack([(t - 0.5) * length, 0.03 * np.sin(t * 3 + seed), 0 * t], 1)
    profile = np.interp(t, [0, 0.04, 0.2, 0.7, 1], [0.75, 1.25, 1.0, 0.75, 0.6])
    return from_parts(
        "stick",
        [(*tube(path, radius * profile, 22, lambda at, th: 1 + 0.05 * math.cos(5 * th + at * 4)), 0)],
        [skins.smooth_skin(dark, light, 0.45, 2.0)],
        linked=False,
        subdivide=1,
    )
