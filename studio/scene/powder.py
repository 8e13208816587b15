"""Ground spice and loose fillings: heaps with thousands of instanced grains, bowls packed with seeds."""

import math

import bmesh
import bpy
import numpy as np

from studio.colours import luminance, mix_hex
from studio.scene import skins, surfaces
from studio.scene.base import link, mesh_object
from studio.scene.pantry import ITEMS
from studio.scene.placing import template
from studio.scene.shapes import TAU, fractal, grid_faces, lathe, rough_at


def instances(name, points, rotations, scales, templates, pick=None):
    """Scatters instances of template objects on points with geometry nodes, so that meshes are not copied."""
    count = len(points)
    pick = np.random.default_rng(1).integers(0, len(templates), count) if pick is None else pick
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(count)
    mesh.vertices.foreach_set("co", np.asarray(points, np.float32).ravel())
    for key, kind, field, values in (
        ("turn", "FLOAT_VECTOR", "vector", np.asarray(rotations, np.float32)),
        ("size", "FLOAT", "value", np.asarray(scales, np.float32)),
        ("pick", "INT", "value", np.asarray(pick, np.int32)),
    ):
        mesh.attributes.new(key, kind, "POINT").data.foreach_set(field, values.ravel())
    collection = bpy.data.collections.new(name)
    for obj in templates:
        collection.objects.link(obj)
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    nodes, links = tree.nodes, tree.links
    source, sink = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    info, on_points = nodes.new("GeometryNodeCollectionInfo"), nodes.new("GeometryNodeInstanceOnPoints")
    info.inputs["Collection"].default_value = collection
    info.inputs["Separate Children"].default_value = info.inputs["Reset Children"].default_value = True
    on_points.inputs["Pick Instance"].default_value = True

    def attribute(key, kind):
        node = nodes.new("GeometryNodeInputNamedAttribute")
        node.data_type = kind
        node.inputs[0].default_value = key
        return next(o for o in node.outputs if o.enabled and o.name == "Attribute")

    links.new(source.outputs[0], on_points.inputs["Points"])
    links.new(info.outputs[0], on_points.inputs["Instance"])
    links.new(attribute("pick", "INT"), on_points.inputs["Instance Index"])
    links.new(attribute("turn", "FLOAT_VECTOR"), on_points.inputs["Rotation"])
    links.new(attribute("size", "FLOAT"), on_points.inputs["Scale"])
    links.new(on_points.outputs[0], sink.inputs[0])
    obj = link(bpy.data.objects.new(name, mesh))
    obj.modifiers.new("instances", "NODES").node_group = tree
    return obj


def _crumbs(colours, count=4):
    """Small convex grains, a few shapes of them."""
    base = np.array([(0, 0, 1), (0.9, 0, -0.3), (-0.5, 0.8, -0.3), (-0.5, -0.8, -0.3), (0.3, 0.5, 0.6), (-0.4, -0.1, -0.9)], float)
    out = []
    for k in range(count):
        shape = bmesh.new()
        for v in base * np.random.default_rng(3 + k).uniform(0.6, 1.2, (6, 3)):
            shape.verts.new(v)
        bmesh.ops.convex_hull(shape, input=shape.verts)
        mesh = bpy.data.meshes.new("crumb")
        shape.to_mesh(mesh)
        shape.free()
        mesh.materials.append(skins.grain(*colours))
        out.append(bpy.data.objects.new("crumb", mesh))
    return out


def _flakes(colours, count=4):
    """Thin bits of husk, as in every ground blend."""
    out = []
    for k in range(count):
        g = np.random.default_rng(50 + k)
        a, r = np.sort(g.uniform(0, TAU, 7)), g.uniform(0.6, 1.2, 7)
        verts = [(0, 0, 0.18)] + [(r[i] * math.cos(a[i]), r[i] * math.sin(a[i]) * 0.8, g.uniform(-0.15, 0.15)) for i in range(7)]
        out.append(
            mesh_object(
                "flake", verts, [(0, 1 + i, 1 + (i + 1) % 7) for i in range(7)], [skins.grain(*colours)], linked=False, smooth=False
            )
        )
    return out


def heap(
    x,
    y,
    z,
    radius,
    height,
    colours,
    *,
    seed=0,
    detail=300,
    grains=30000,
    grain=(0.002, 0.005),
    spill=1.35,
    ruggedness=1.0,
    irregular=0.12,
    flakes=0,
    gullies=1.0,
    flat=False,
    swirl=0.0,
    stretch=1.0,
    turn=0.0,
):
    """A heap of powder with its spilled rim. colours: dark, middle, light, rare.

    flat makes a level bed, swirl draws a finger's spiral into it; stretch and turn make it oval, as in a spoon.
    """
    rng = np.random.default_rng(seed)
    extent = 1.12 + irregular
    steps = np.linspace(-extent, extent, detail)
    field = np.empty((detail, detail))
    for i, a in enumerate(steps):
        for j, b in enumerate(steps):
            field[i, j] = _heap_height(a, b, height, seed, ruggedness, irregular, gullies, flat, swirl)
    verts = np.stack([np.repeat(steps, detail) * radius, np.tile(steps, detail) * radius, np.maximum(field, -0.01).ravel()], 1)
    keep = field.ravel()
    faces = [f for f in grid_faces(detail, detail) if max(keep[q] for q in f) > -0.015]
    verts[:, :2] += rng.normal(0, radius * extent * 2 / detail * 0.25, (len(verts), 2))
    body = mesh_object("heap", verts, faces, [skins.powder(*colours[:3])])
    made = [body]
    angle, rad = rng.uniform(0, TAU, grains), np.sqrt(rng.uniform(0, 1, grains)) * radius * 1.02
    if spill > 1:
        loose = int(grains * 0.10)
        rad[:loose] = radius * (0.93 + np.abs(rng.normal(0, 1, loose)) * (spill - 1) * 0.8)
    px, py = rad * np.cos(angle), rad * np.sin(angle)
    cell = [np.clip(((p / radius + extent) / (2 * extent) * (detail - 1)).round().astype(int), 0, detail - 1) for p in (px, py)]
    points = np.stack([px, py, np.maximum(field[cell[0], cell[1]], 0) + 0.0006], 1)
    sizes = rng.uniform(0, 1, grains) ** 2.2 * (grain[1] - grain[0]) + grain[0]
    made.append(instances("grains", points, rng.uniform(0, TAU, (grains, 3)), sizes, _crumbs(colours)))
    if flakes:
        some = rng.choice(grains, flakes, replace=False)
        made.append(
            instances(
                "flakes",
                points[some] + np.array([0, 0, 0.002]),
                rng.uniform(0, TAU, (flakes, 3)),
                rng.uniform(0.8, 2.1, flakes) * grain[1],
                _flakes(colours[1:]),
            )
        )
    for obj in made:
        obj.location, obj.rotation_euler, obj.scale = (x, y, z), (0, 0, turn), (stretch, 1, 1)
    return body


def _heap_height(a, b, height, seed, ruggedness, irregular, gullies, flat, swirl):
    r, th = math.hypot(a, b), math.atan2(b, a)
    c, s = math.cos(th), math.sin(th)
    edge = 0.07 * rough_at(c * 5, s * 5, seed) + 0.045 * rough_at(c * 13, s * 13, seed + 0.5) if irregular else 0.0
    reach = r / (1 + irregular * rough_at(c * 1.3 + seed, s * 1.3, 0.37) + edge)
    base = max(0.0, 1 - reach)
    if base <= 0:
        return -0.02
    profile = 0.5 if flat else base**0.92
    if swirl:
        inside = max(0.0, 1 - (r / 0.42) ** 4)
        profile += swirl * inside * (abs(math.cos(math.pi * r * 7.5 - th / 2 + 0.5 * rough_at(a * 3, b * 3, seed))) ** 1.6 - 0.5)
    if not flat:
        profile = 1 - math.sqrt((1 - profile) ** 2 + 0.012) + 0.006
    bumps = (
        0.10 * fractal(a * 2.2 + seed, b * 2.2)
        + 0.035 * fractal(a * 9, b * 9, seed)
        + 0.010 * rough_at(a * 48, b * 48, seed)
        + 0.005 * rough_at(a * 110, b * 110, seed)
    )
    slides = gullies * (
        0.085 * min(1, (r * 1.5) ** 2) * rough_at(c * 4.2 + seed, s * 4.2, r * 1.3)
        + 0.03 * rough_at(c * 11, s * 11 + seed, r * 3) * min(1, (r * 1.6) ** 2)
    )
    return height * (profile + (bumps + slides) * ruggedness * min(1, base * 5) * 0.55)


def seeds_in(name, x, y, z, radius, dome=0.05, seed=4, scale=1.0):
    """Fill a bowl with whole seeds: two loose layers packed on a dome, a dark bed beneath."""
    item = ITEMS[name]
    unit = item.radius * scale
    rng = np.random.default_rng(seed)
    points = []
    for lift, spacing in ((0.0, 1.75), (unit * 1.05, 2.3)):
        cell, grid = unit * spacing, {}
        for _ in range(int(14 * (radius / unit) ** 2)):
            a, q = rng.uniform(0, TAU), math.sqrt(rng.uniform()) * radius
            px, py = q * math.cos(a), q * math.sin(a)
            k = (int(px // cell), int(py // cell))
            near = (p for i in (-1, 0, 1) for j in (-1, 0, 1) for p in grid.get((k[0] + i, k[1] + j), ()))
            if any((px - ox) ** 2 + (py - oy) ** 2 < cell * cell for ox, oy in near):
                continue
            grid.setdefault(k, []).append((px, py))
            points.append((x + px, y + py, z + lift + dome * (1 - (q / radius) ** 2) + rng.normal(0, unit * 0.12)))
    count = len(points)
    turns = rng.uniform(0, TAU, (count, 3))
    if item.pose == "rest":
        turns[:, :2] = rng.normal(0, 0.35, (count, 2))
    instances(f"{name} filling", points, turns, rng.uniform(0.88, 1.08, count) * scale, [template(name, k)[0] for k in range(4)])
    profile = [(0.0001, dome - unit * 0.5)] + [(radius * q * 1.05, dome * (1 - q * q) - unit * 0.5) for q in np.linspace(0.1, 1, 8)]
    bed = mesh_object("bed", *lathe(profile, 48), [surfaces.plain(item.fill, 0.9)])
    bed.location = (x, y, z)


def blend_colours(powder: list[str]) -> tuple[str, str, str, str]:
    """Dark, middle, light and a rare lighter grain from a product's three powder colours."""
    ordered = sorted(powder, key=luminance)
    return ordered[0], ordered[len(ordered) // 2], ordered[-1], mix_hex(ordered[-1], "#f0d9a8", 0.35)
