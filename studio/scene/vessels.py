"""Bowls, plates, cups, mortar, spoons, boards."""

import math

import bpy
import numpy as np

from studio.scene import surfaces
from studio.scene.base import from_parts, mesh_object
from studio.scene.shapes import TAU, lathe, tube

WALL = 0.022


def finish(kind: str):
    """Material by name: metals, clays, woods and glazes."""
    if kind in ("brass", "copper", "steel", "iron"):
        return surfaces.metal(kind)
    if kind in surfaces.WOODS:
        return surfaces.wood(kind)
    glazes = {
        "white": ("#e8e0d2", "#f3eee4"),
        "ink": ("#1d2224", "#30383a"),
        "sage": ("#5d6b55", "#7d8a70"),
        "indigo": ("#1e2c4a", "#31456b"),
        "cream": ("#d9c9a8", "#eadfc4"),
        "rust": ("#7d3a20", "#a05530"),
    }
    return surfaces.clay() if kind == "clay" else surfaces.ceramic(*glazes[kind])


def bowl(x, y, z=0.0, radius=0.55, height=0.32, kind="brass", foot=0.38):
    """A round bowl; foot is the share of the radius it stands on."""
    curve = [(radius * (foot + (1 - foot) * math.sin(t * math.pi / 2) ** 0.85), height * t**1.75) for t in np.linspace(0, 1, 26)]
    outer = [(radius * 0.0001, 0), (radius * (foot - 0.02), 0), (radius * foot, 0.01)] + curve
    rim = [(radius + 0.006, height + 0.004), (radius + 0.004, height + 0.014), (radius - WALL * 0.7, height + 0.014)]
    inner = [(max(0.0001, r - WALL), h + WALL * 0.9) for r, h in reversed(curve)] + [(0.0001, WALL)]
    obj = mesh_object("bowl", *lathe(outer + rim + inner, 128), [finish(kind)], subdivide=1)
    obj.location = (x, y, z)
    return obj


def plate(x, y, z=0.0, radius=1.0, height=0.06, kind="brass"):
    """A thali: flat floor, short upright rim. Its floor lies 0.02 above z."""
    profile = [
        (0.0001, 0),
        (radius * 0.96, 0),
        (radius, height * 0.5),
        (radius + 0.01, height),
        (radius + 0.004, height + 0.012),
        (radius - 0.02, height),
        (radius - 0.03, 0.035),
        (radius * 0.95, 0.02),
        (radius * 0.5, 0.02),
        (0.0001, 0.02),
    ]
    obj = mesh_object("plate", *lathe(profile, 160), [finish(kind)], subdivide=1)
    obj.location = (x, y, z)
    return obj


def cup(x, y, z=0.0, radius=0.26, height=0.42, kind="clay"):
    """A straight-sided beaker or kulhad."""
    side = [(radius * (0.72 + 0.28 * t**0.8), height * t) for t in np.linspace(0, 1, 16)]
    profile = (
        [(0.0001, 0)]
        + side
        + [(radius - 0.004, height + 0.012), (radius - 0.028, height)]
        + [(r - 0.032, h) for r, h in reversed(side[2:])]
        + [(0.0001, 0.05)]
    )
    obj = mesh_object("cup", *lathe(profile, 96), [finish(kind)], subdivide=1)
    obj.location = (x, y, z)
    return obj


def kadhai(x, y, z=0.0, radius=0.75, height=0.34, kind="iron"):
    """A wok-shaped pan with two loop handles."""
    pan = bowl(x, y, z, radius, height, kind, 0.45)
    t = np.linspace(0, 1, 24)
    for side in (0, math.pi):
        loop = np.stack(
            [radius * 0.97 + 0.15 * np.sin(np.pi * t), 0.17 * np.cos(np.pi * t), np.full(24, height - 0.035) + 0.05 * np.sin(np.pi * t)], 1
        )
        handle = mesh_object("handle", *tube(loop, np.full(24, 0.022), 14), [finish(kind)])
        handle.location, handle.rotation_euler = (x, y, z), (0, 0, side + 0.35)
    return pan


def mortar(x, y, z=0.0, radius=0.42, height=0.42, kind="ink"):
    """A stone mortar and its pestle, leaning inside on floor and rim."""
    wall = 0.075
    outer = [
        (0.0001, 0),
        (radius * 0.72, 0),
        (radius * 0.76, 0.03),
        (radius * 0.70, 0.10),
        (radius * 0.86, height * 0.55),
        (radius, height),
    ]
    inner = [(radius - wall, height), (radius - wall * 1.25, height * 0.7), (radius * 0.5, height * 0.36), (0.0001, height * 0.28)]
    stone = surfaces.stone("#2a2a2b", "#4a4a4a") if kind == "ink" else finish(kind)
    obj = mesh_object(
        "mortar", *lathe(outer + [(radius + 0.01, height + 0.02), (radius - wall + 0.01, height + 0.02)] + inner, 112), [stone], subdivide=1
    )
    obj.location = (x, y, z)
    foot, rim = np.array([-radius * 0.30, 0, height * 0.36]), np.array([radius * 0.66, 0, height + 0.10])
    t = np.linspace(0, 1, 20)
    line = foot + (rim - foot) * 1.55 * t[:, None]
    pestle = mesh_object(
        "pestle",
        *tube(line, np.interp(t, [0, 0.03, 0.2, 0.6, 0.9, 0.97, 1], [0.03, 0.075, 0.08, 0.05, 0.06, 0.055, 0.02]), 24),
        [stone],
        subdivide=1,
    )
    pestle.location, pestle.rotation_euler = (x, y, z), (0, 0, 0.6)
    return obj


def spoon(x, y, z=0.0, *, yaw=0.0, length=1.3, width=0.17, kind="mango"):
    """A spoon lying level: the bowl's underside and the handle's end touch the table. Filling stands at z + 0.07."""
    rows, columns, parts = 26, 64, []
    inner, outer = [], []
    for i in range(rows):
        q = i / (rows - 1)
        for k in range(columns):
            a = TAU * k / columns
            px, py = width * 1.35 * q * math.cos(a), width * q * math.sin(a)
            inner.append((px, py, 0.012 + 0.085 * q**2.4))
            outer.append((px * 1.06, py * 1.08, 0.0 + 0.092 * q**2.0))
    faces = [
        (i * columns + k, (i + 1) * columns + k, (i + 1) * columns + (k + 1) % columns, i * columns + (k + 1) % columns)
        for i in range(rows - 1)
        for k in range(columns)
    ]
    count = rows * columns
    rim = [
        (
            (rows - 1) * columns + k,
            (rows - 1) * columns + (k + 1) % columns,
            count + (rows - 1) * columns + (k + 1) % columns,
            count + (rows - 1) * columns + k,
        )
        for k in range(columns)
    ]
    parts.append((np.array(inner + outer), faces + [tuple(reversed([v + count for v in f])) for f in faces] + rim, 0))
    t = np.linspace(0, 1, 24)
    handle = np.stack([width * 1.3 + (length - width * 2.6) * t, 0 * t, 0.085 + 0.012 * np.sin(np.pi * t) - 0.055 * t**1.5], 1)
    parts.append(
        (
            *tube(
                handle,
                np.interp(t, [0, 0.15, 0.6, 0.95, 1], [0.040, 0.028, 0.030, 0.036, 0.02]),
                18,
                lambda at, th: 0.8 + 0.2 * abs(math.cos(th)),
            ),
            0,
        )
    )
    obj = from_parts("spoon", parts, [finish(kind)], subdivide=1)
    obj.location, obj.rotation_euler = (x, y, z), (0, 0, yaw)
    bpy.context.view_layer.update()
    return obj


def board(x, y, width, depth, thickness=0.09, kind="mango", yaw=0.0):
    """A chopping board; things may stand on its top at z = thickness."""
    bpy.ops.mesh.primitive_cube_add(size=1)
    obj = bpy.context.object
    obj.scale = (width, depth, thickness)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bevel = obj.modifiers.new("soft", "BEVEL")
    bevel.width, bevel.segments = 0.028, 4
    obj.data.materials.append(finish(kind))
    obj.location, obj.rotation_euler = (x, y, thickness / 2), (0, 0, yaw)
    bpy.context.view_layer.update()
    return obj
