"""Dry spices, modelled: pods, quills, stars, seeds, roots. Each maker takes a seed and gives an unlinked object."""

import math
import random

import numpy as np

from studio.colours import mix_hex
from studio.scene import skins
from studio.scene.base import from_parts, mesh_object
from studio.scene.shapes import TAU, grid_faces, rotate_z, rough, rough_at, shell, sphere, tube


def chilli(seed=0, length=0.8, radius=0.055, tone="#8f120c", crinkle=0.22, fresh=False):
    r = random.Random(seed)
    t = np.linspace(0, 1, 44)
    bend, hook, phase = r.uniform(0.25, 0.75) * r.choice([-1, 1]), r.uniform(-0.3, 0.5), r.random() * 6
    angle = bend * t + hook * np.maximum(0, t - 0.7) * 2.2
    path = np.stack([np.cumsum(np.cos(angle)) * length / 44, np.cumsum(np.sin(angle)) * length / 44, 0.018 * np.sin(t * 6 + phase)], 1)
    path[:, :2] -= path[:, :2].mean(0)
    profile = np.minimum(1, (t / 0.07) ** 0.5) * (1 - np.clip((t - 0.12) / 0.88, 0, 1) ** 1.5 * 0.93)

    def section(at, th):
        ridges = 0.5 * math.sin(2 * th + phase + at * 4) + 0.35 * math.sin(3 * th - at * 9 + phase)
        return 1 + crinkle * (ridges + 0.5 * rough_at(at * 9 + seed, math.cos(th) * 1.4, math.sin(th) * 1.4)) * min(1, at * 8)

    q = np.linspace(0, 1, 12)
    stem = np.stack([path[0, 0] - np.linspace(-0.01, 0.17, 12), path[0, 1] + 0.05 * q**2 * r.choice([-1, 1]), path[0, 2] + 0.03 * q], 1)
    stem_radii = np.interp(q, [0, 0.08, 0.2, 0.3, 0.9, 1], [radius * 0.98, radius * 0.8, radius * 0.34, 0.014, 0.012, 0.017])
    green = "#4c6a2a" if fresh else "#8a7a3a"
    return from_parts(
        "chilli",
        [(*tube(path, radius * profile, 22, section), 0), (*tube(stem, stem_radii, 12, lambda at, th: 1 + 0.08 * math.sin(5 * th)), 1)],
        [skins.chilli(tone, fresh), skins.stalk(green)],
        linked=False,
        subdivide=1,
    )


def star_anise(seed=0, radius=0.17):
    r = random.Random(seed)
    parts, unit = [], radius / 0.17
    rows, columns = 16, 13
    for k in range(8):
        length, turn = radius * r.uniform(0.82, 1.08), TAU * k / 8 + r.uniform(-0.08, 0.08)
        lift, opening = r.uniform(0.0, 0.35), r.uniform(0.35, 0.9)
        verts = []
        for i in range(rows):
            t = i / (rows - 1)
            width = 0.036 * unit * math.sin(math.pi * min(1, t * 0.93 + 0.07)) ** 0.7 * (1.0 if t < 0.8 else 1 - (t - 0.8) * 2.2)
            height = (
                0.062
                * unit
                * (0.45 + 0.75 * math.sin(math.pi * min(1, t * 0.85 + 0.12)))
                * (1 if t < 0.85 else max(0.25, 1 - (t - 0.85) * 4))
            )
            gap = opening * width * math.sin(math.pi * t) ** 1.2
            for j in range(columns):
                s = j / (columns - 1) * 2 - 1
                y = width * math.sin(s * math.pi / 2)
                if abs(s) > 0.72:
                    y = math.copysign(width + (gap * 0.55 - width) * ((abs(s) - 0.72) / 0.28), s)
                z = -height * 0.55 * math.cos(s * math.pi / 2) + (height * 0.42 * ((abs(s) - 0.55) / 0.45) if abs(s) > 0.55 else 0)
                x = 0.012 + t * length
                verts.append(
                    (
                        x,
                        y + 0.004 * rough_at(x * 40, s * 3, seed + k),
                        z + 0.035 + lift * 0.12 * t * t + 0.004 * rough_at(x * 50, s * 3, k + 9),
                    )
                )
        verts = np.array(verts)
        inner = verts * np.array([1, 0.78, 0.9]) + np.array([0, 0, 0.006])
        closed, faces = shell(verts, grid_faces(rows, columns), rows, columns, inner)
        parts.append((rotate_z(closed, turn), faces, 0))
        if opening > 0.45:
            pip, pip_faces = sphere(14, 10)
            pip = pip * np.array([0.030, 0.013, 0.021]) * unit + np.array([length * 0.5, 0, 0.045 + lift * 0.03])
            parts.append((rotate_z(pip, turn), pip_faces, 1))
    hub, hub_faces = sphere(14, 8)
    parts.append((hub * np.array([0.022, 0.022, 0.02]) + np.array([0, 0, 0.045]), hub_faces, 0))
    return from_parts(
        "anise",
        parts,
        [skins.seed("#3d1a0b", "#7a4020", 0.6, 0.35, 22.0, 0.6), skins.seed("#5a2508", "#7d3a10", 0.12, 0.6, 10.0, 0.05)],
        linked=False,
        subdivide=1,
    )


def cardamom(seed=0, length=0.17, radius=0.042, dark="#7c7a4a", light="#b3a878"):
    r = random.Random(seed)
    t = np.linspace(0, 1, 30)
    path = np.stack([(t - 0.5) * length, 0.01 * np.sin(t * 3) * r.choice([-1, 1]), 0 * t], 1)
    profile = np.sin(np.pi * np.clip(t * 0.97 + 0.015, 0, 1)) ** 0.62
    profile[0], profile[-1] = 0.12, 0.10

    def section(at, th):
        ribs = 0.035 * math.cos(27 * th) * math.sin(math.pi * at)
        return (1 + 0.13 * math.cos(3 * th)) * (1 + ribs) + 0.04 * rough_at(at * 6 + seed, math.cos(th), math.sin(th))

    tip = np.stack([np.linspace(length * 0.47, length * 0.6, 5), np.zeros(5), np.zeros(5)], 1)
    return from_parts(
        "cardamom",
        [(*tube(path, radius * profile, 48, section), 0), (*tube(tip, [0.009, 0.007, 0.006, 0.005, 0.006], 8), 1)],
        [skins.seed(dark, light, 0.6, 0.3, 14.0, 0.35), skins.stalk("#a29a62")],
        linked=False,
    )


def black_cardamom(seed=0):
    return cardamom(seed, 0.27, 0.075, "#1f120c", "#4a2f20")


def cinnamon(seed=0, length=0.85, radius=0.060):
    """Double-scroll quill: two spirals curling in, a groove on top."""
    r = random.Random(seed)
    rows, columns = 34, 90
    centre, turns = radius * r.uniform(0.80, 0.98), r.uniform(1.25, 1.75) * math.pi

    def section(s, inward):
        k, sign, flat = abs(s), (1 if s >= 0 else -1), 0.16
        if k < flat:
            return sign * centre * k / flat, -radius + inward
        q = (k - flat) / (1 - flat)
        phi = -math.pi / 2 + q * turns
        rho = radius * (1 - 0.5 * q) - inward
        return sign * (centre + rho * math.cos(phi)), rho * math.sin(phi)

    def sheet(inward):
        verts = []
        for i in range(rows):
            t = i / (rows - 1)
            for j in range(columns):
                s = j / (columns - 1) * 2 - 1
                y, z = section(s, inward)
                w = 1 + 0.05 * rough_at(t * 4, s * 1.5, seed) + 0.02 * rough_at(t * 16, s * 5, seed + 4)
                x = (t - 0.5) * length + (0.012 * rough_at(s * 7, seed, i) if i in (0, rows - 1) else 0)
                verts.append((x, y * w + 0.012 * math.sin(t * 2.5 + seed), z * w))
        return verts

    closed, faces = shell(sheet(0), grid_faces(rows, columns), rows, columns, sheet(0.010))
    return from_parts("cinnamon", [(closed, faces, 0)], [skins.bark()], linked=False)


def cassia(seed=0):
    return cinnamon(seed, 0.45, 0.05)


def ball(seed=0, radius=0.011, dark="#1d120c", light="#4a2f1d", rough_=0.45, squash=1.0):
    verts, faces = sphere(16, 10, lambda d, th, ph: radius * (1 + 0.06 * rough(d, seed, 2)))
    verts[:, 2] *= squash
    return from_parts("ball", [(verts, faces, 0)], [skins.seed(dark, light, rough_, 0.4, 40.0, 0.15)], linked=False)


def peppercorn(seed=0, radius=0.026, dark="#120d0a", light="#3a2c22"):
    verts, faces = sphere(28, 18, lambda d, th, ph: radius * (1.10 - 0.42 * abs(rough(d, seed, 3.4)) - 0.30 * abs(rough(d, seed, 6.8))))
    return from_parts("pepper", [(verts, faces, 0)], [skins.seed(dark, light, 0.6, 0.4, 60.0, 0.5)], linked=False)


def coriander_seed(seed=0, radius=0.023):
    verts, faces = sphere(
        44,
        14,
        lambda d, th, ph: radius * (1 + 0.075 * math.cos(11 * th + 0.6 * math.sin(ph * 3)) * math.sin(ph) + 0.03 * rough(d, seed, 3)),
    )
    verts[:, 2] *= 1.12
    tip = tube([(0, 0, radius * 1.05), (0, 0, radius * 1.32)], [0.004, 0.0015], 6)
    return from_parts("coriander", [(verts, faces, 0), (*tip, 0)], [skins.seed("#785a30", "#ab8a58", 0.7, 0.2, 40.0, 0.4)], linked=False)


def ridged_seed(seed=0, length=0.060, radius=0.0095, dark="#6d4f2c", light="#a8875a"):
    """Cumin, fennel, caraway, ajwain: a bent spindle with nine ridges."""
    t = np.linspace(0, 1, 14)
    path = np.stack([(t - 0.5) * length, random.Random(seed).uniform(-0.2, 0.2) * length * np.sin(np.pi * t), 0 * t], 1)
    profile = np.sin(np.pi * np.clip(t * 0.96 + 0.02, 0, 1)) ** 0.7
    return from_parts(
        "ridged",
        [(*tube(path, radius * profile, 27, lambda at, th: 1 + 0.13 * math.cos(9 * th)), 0)],
        [skins.seed(dark, light, 0.65, 0.3, 60.0, 0.3)],
        linked=False,
    )


def clove(seed=0, length=0.15):
    t = np.linspace(0, 1, 16)
    path = np.stack([(t - 0.5) * length, 0.006 * np.sin(t * 3 + seed), 0 * t], 1)
    shaft = tube(
        path,
        np.interp(t, [0, 0.1, 0.7, 0.92, 1], [0.007, 0.011, 0.015, 0.021, 0.014]),
        14,
        lambda at, th: 1 + 0.1 * math.cos(4 * th) + 0.06 * rough_at(at * 9, th, seed),
    )
    head, head_faces = sphere(16, 10)
    parts = [(*shaft, 0), (head * 0.021 + np.array([length * 0.5 + 0.012, 0, 0]), head_faces, 1)]
    for k in range(4):
        a = TAU * k / 4 + 0.4
        d = np.array([0, math.cos(a), math.sin(a)])
        p = np.array([length * 0.45, 0, 0]) + d * 0.014
        prong = np.array([p, p + d * 0.012 + np.array([0.008, 0, 0]), p + d * 0.028 + np.array([0.024, 0, 0])])
        parts.append((*tube(prong, [0.009, 0.008, 0.002], 8), 0))
    return from_parts(
        "clove",
        parts,
        [skins.seed("#2a130a", "#5a2f18", 0.6, 0.3, 40.0, 0.5), skins.seed("#4d2a16", "#8a5a34", 0.6, 0.3, 40.0, 0.4)],
        linked=False,
        subdivide=1,
    )


def root(seed=0, length=0.6, radius=0.085, dark="#8a5a16", light="#c98d2c", fingers=(1, 3)):
    """Turmeric or ginger: a ringed, knobbly rhizome with stub fingers."""
    r = random.Random(seed)
    t = np.linspace(0, 1, 50)
    path = np.stack([(t - 0.5) * length, 0.07 * np.sin(t * 2.4 + r.random() * 3), 0.01 * np.sin(t * 5)], 1)
    profile = np.sin(np.pi * np.clip(t * 0.9 + 0.05, 0, 1)) ** 0.45 * (1 + 0.07 * np.sin(t * 38) + 0.12 * np.sin(t * 5 + r.random() * 6))

    def section(at, th):
        return 1 + 0.07 * rough_at(at * 10, math.cos(th) * 2, math.sin(th) * 2 + seed) + 0.02 * math.sin(at * 120)

    parts = [(*tube(path, radius * profile, 26, section), 0)]
    for _ in range(r.randint(*fingers)):
        start, a = r.randint(12, 38), r.uniform(-0.5, 0.5) + r.choice([0, math.pi])
        direction = np.array([r.uniform(-0.5, 0.6), math.cos(a), abs(math.sin(a)) * 0.35])
        q = np.linspace(0, 1, 10)
        parts.append(
            (
                *tube(
                    path[start] + q[:, None] * direction * radius * r.uniform(1.6, 2.6),
                    radius * np.interp(q, [0, 0.6, 0.9, 1], [0.8, 0.72, 0.5, 0.2]),
                    18,
                    section,
                ),
                0,
            )
        )
    return from_parts("root", parts, [skins.seed(dark, light, 0.75, 0.25, 16.0, 0.7)], linked=False, subdivide=1)


def turmeric(seed=0):
    return root(seed, 0.5, 0.065)


def ginger(seed=0):
    return root(seed, 0.6, 0.10, "#a8855a", "#d8bd92", (3, 4))


def nutmeg(seed=0, radius=0.11):
    verts, faces = sphere(40, 28, lambda d, th, ph: radius * (1 + 0.05 * rough(d, seed, 3) + 0.03 * abs(rough(d, seed, 9))))
    verts[:, 2] *= 1.25
    return from_parts("nutmeg", [(verts, faces, 0)], [skins.seed("#5b3a22", "#946942", 0.6, 0.3, 30.0, 0.5)], linked=False)


def stone_flower(seed=0, radius=0.13):
    """Dagad phool: a crumpled, frilled lichen; grey-green above, near-black below."""
    r = random.Random(seed)
    rings, around = 16, 120
    lobes, phase = r.randint(4, 6), r.random() * 6
    verts = [(0, 0, 0.01)]
    for i in range(1, rings):
        q = i / (rings - 1)
        for k in range(around):
            a = TAU * k / around
            edge = radius * (0.72 + 0.22 * math.sin(lobes * a + phase) + 0.16 * rough_at(math.cos(a) * 3, math.sin(a) * 3, seed))
            frill = (
                0.30
                * q**1.7
                * (
                    math.sin(9 * a + phase * 2) * 0.35
                    + rough_at(math.cos(a) * 5, math.sin(a) * 5, q * 2 + seed)
                    + 0.45 * rough_at(math.cos(a) * 14, math.sin(a) * 14, q * 6 + seed)
                )
            )
            verts.append((edge * q * math.cos(a), edge * q * math.sin(a), radius * (frill + 0.35 * q * q) + 0.012))
    faces = [(0, 1 + k, 1 + (k + 1) % around) for k in range(around)]
    faces += [
        (1 + (i - 1) * around + k, 1 + i * around + k, 1 + i * around + (k + 1) % around, 1 + (i - 1) * around + (k + 1) % around)
        for i in range(1, rings - 1)
        for k in range(around)
    ]
    obj = mesh_object("stone flower", verts, faces, [skins.seed("#2e2a22", "#857f68", 1.0, 0.08, 22.0, 0.9)], linked=False)
    obj.modifiers.new("thick", "SOLIDIFY").thickness = 0.006
    return obj


def mace(seed=0):
    """Javitri: the amber cage of blades that wraps a nutmeg, dried and half collapsed."""
    r = random.Random(seed)
    parts = []
    for k in range(11):
        t = np.linspace(0, 1, 20)
        a = TAU * k / 11 + r.uniform(-0.2, 0.2)
        belly, drift = r.uniform(0.085, 0.125), r.uniform(-0.9, 0.9)
        out = 0.02 + belly * np.sin(np.pi * np.clip(t * 0.86 + 0.06, 0, 1)) ** 0.8
        path = np.stack([out * np.cos(a + drift * t), out * np.sin(a + drift * t) * 0.8, 0.012 + r.uniform(0.11, 0.15) * t**1.2], 1)
        width = 0.017 * np.sin(np.pi * np.clip(t * 0.9 + 0.08, 0, 1)) ** 0.6 * (1 + 0.35 * np.sin(t * 17 + k)) + 0.002
        parts.append((*tube(path, width, 10, lambda at, th: 0.28 + 0.85 * abs(math.cos(th))), 0))
    return from_parts("mace", parts, [skins.seed("#7a3410", "#b8672a", 0.6, 0.3, 24.0, 0.5)], linked=False, subdivide=1)


def tamarind(seed=0):
    r = random.Random(seed)
    t = np.linspace(0, 1, 40)
    bend = r.uniform(0.6, 1.1)
    path = np.stack([0.7 * (t - 0.5), 0.18 * bend * (t - 0.5) ** 2 * 4 - 0.09 * bend, 0 * t], 1)
    profile = np.minimum(1, np.sin(np.pi * np.clip(t * 0.97 + 0.015, 0, 1)) * 2.2) * (0.80 + 0.20 * np.abs(np.sin(t * math.pi * 4.5)))
    return from_parts(
        "tamarind",
        [(*tube(path, 0.062 * profile, 24, lambda at, th: 1 + 0.12 * math.cos(2 * th) + 0.05 * rough_at(at * 12, th, seed)), 0)],
        [skins.seed("#4a2c18", "#8a5c38", 0.75, 0.25, 14.0, 0.4)],
        linked=False,
        subdivide=1,
    )


def coconut_chip(seed=0):
    """Sliver of dry coconut: white flesh, a thin brown rind along one edge."""
    r = random.Random(seed)
    rows, columns, verts = 20, 7, []
    length, width, curl = r.uniform(0.26, 0.36), r.uniform(0.07, 0.10), r.uniform(0.5, 0.9)
    for i in range(rows):
        a = (i / (rows - 1) - 0.5) * curl * 2
        for j in range(columns):
            w = (j / (columns - 1) - 0.5) * width * (1 - 0.5 * abs(i / (rows - 1) - 0.5) ** 2 * 4 * 0.6)
            bow = length / (2 * curl)
            verts.append((bow * math.sin(a), bow * (1 - math.cos(a)) + w, 0.02 * math.sin(a * 2 + seed) + w * 0.25))
    faces = grid_faces(rows, columns)
    rind = [1 if (k % (columns - 1)) == 0 else 0 for k in range(len(faces))]
    obj = mesh_object(
        "coconut",
        verts,
        faces,
        [skins.seed("#e6dcc6", "#f6f0e2", 0.6, 0.3, 20.0, 0.2), skins.seed("#5a3a22", "#7d5636", 0.8, 0.2, 30.0, 0.3)],
        face_materials=rind,
        linked=False,
    )
    obj.modifiers.new("thick", "SOLIDIFY").thickness = 0.022
    bevel = obj.modifiers.new("soft", "BEVEL")
    bevel.width, bevel.segments = 0.004, 2
    return obj


def shard(seed=0, size=0.03, dark="#2a1a10", light="#5a3a22", flat=0.4, rough_=0.7):
    """A small irregular chip: tea, dried herb, rock salt, fried onion, jaggery."""
    g = np.random.default_rng(seed + 50)
    verts, faces = sphere(7, 5, lambda d, th, ph: size * (0.75 + 0.45 * rough(d, seed, 1.9)))
    verts = verts * np.array([1.5, g.uniform(0.5, 0.9), flat])
    return from_parts("shard", [(verts, faces, 0)], [skins.seed(dark, light, rough_, 0.35, 40.0, 0.3)], linked=False, smooth=False)


def thread(seed=0, length=0.16, radius=0.0035, dark="#7d0f08", light="#c0391a"):
    """Saffron: a curled stigma, wider at one end."""
    r = random.Random(seed)
    t = np.linspace(0, 1, 18)
    path = np.stack([length * (t - 0.5), 0.03 * np.sin(t * r.uniform(2, 5) + r.random() * 6), 0.008 * np.sin(t * 5 + r.random() * 6)], 1)
    return from_parts(
        "thread",
        [(*tube(path, radius * np.interp(t, [0, 0.7, 0.95, 1], [0.6, 0.9, 1.9, 1.5]), 8), 0)],
        [skins.seed(dark, light, 0.5, 0.4, 30.0, 0.2)],
        linked=False,
    )


def nut(seed=0, kind="almond"):
    """Almond, cashew or pistachio."""
    r = random.Random(seed)
    if kind == "cashew":
        t = np.linspace(0, 1, 26)
        a = (t - 0.5) * 2.6
        path = np.stack([0.075 * np.sin(a), 0.075 * np.cos(a), 0 * t], 1)
        return from_parts(
            "cashew",
            [(*tube(path, 0.036 * np.sin(np.pi * np.clip(t * 0.94 + 0.03, 0, 1)) ** 0.5, 20), 0)],
            [skins.seed("#d9bd8c", "#efdcb6", 0.55, 0.35, 8.0, 0.15)],
            linked=False,
            subdivide=1,
        )
    size, dark, light = (
        (np.array([0.115, 0.066, 0.040]), "#6b3d1c", "#a2683a")
        if kind == "almond"
        else (np.array([0.065, 0.036, 0.034]), "#6b7a2e", "#a8a858")
    )
    verts, faces = sphere(30, 20, lambda d, th, ph: 1 + 0.014 * rough(d * np.array([1, 5, 5]), seed, 2.5))
    verts = verts * size * np.array([1, 1, r.uniform(0.9, 1.1)])
    along = verts[:, 0] / size[0]
    verts[:, 1] *= np.where(along > 0, np.sqrt(np.maximum(0, 1 - 0.55 * along)), 1)
    verts[:, 0] += 0.12 * size[0] * np.maximum(0, along) ** 3
    return from_parts(
        kind,
        [(verts, faces, 0)],
        [skins.bark(mix_hex(dark, "#000000", 0.25), dark, light) if kind == "almond" else skins.seed(dark, light, 0.6, 0.3, 24.0, 0.5)],
        linked=False,
    )
