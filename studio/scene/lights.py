"""Light rigs and cameras. Every rig is built for a set about three units wide around the origin."""

import math

import bpy
import numpy as np
from mathutils import Matrix, Vector

from studio.scene import surfaces
from studio.scene.base import from_parts, link
from studio.scene.nodes import Shader
from studio.scene.shapes import tube

WARM, NEUTRAL, COOL = (1, 0.92, 0.80), (1, 0.96, 0.92), (0.90, 0.95, 1.0)


def _aim(place, target):
    return (Vector(target) - Vector(place)).to_track_quat("-Z", "Y").to_euler()


def area(place, target, size, energy, colour=NEUTRAL, size_y=None, glossy=True):
    light = bpy.data.lights.new("area", "AREA")
    light.shape, light.size, light.energy, light.color = ("RECTANGLE" if size_y else "SQUARE"), size, energy, colour
    if size_y:
        light.size_y = size_y
    obj = bpy.data.objects.new("area", light)
    obj.location, obj.rotation_euler, obj.visible_glossy = place, _aim(place, target), glossy
    return link(obj)


def sun(direction, energy, softness=0.02, colour=(1, 0.91, 0.78)):
    light = bpy.data.lights.new("sun", "SUN")
    light.energy, light.angle, light.color = energy, softness, colour
    obj = bpy.data.objects.new("sun", light)
    obj.rotation_euler = Vector(direction).to_track_quat("-Z", "Y").to_euler()
    return link(obj)


def sky(top="#e6e2dc", bottom="#6a5646", strength=0.34):
    world = bpy.data.worlds.new("sky")
    bpy.context.scene.world = world
    world.use_nodes = True
    s = Shader(world.node_tree)
    z = s.separate(s.node("ShaderNodeTexCoord").outputs["Generated"])[2]
    background = world.node_tree.nodes["Background"]
    s.feed(background, 0, s.ramp(s.math("MULTIPLY_ADD", z, 0.5, 0.5), [(0.35, bottom), (0.75, top)]))
    background.inputs[1].default_value = strength


def camera(place, target, lens=85.0, fstop=None, focus=None, shift=(0.0, 0.0)):
    data = bpy.data.cameras.new("camera")
    data.lens, (data.shift_x, data.shift_y) = lens, shift
    obj = bpy.data.objects.new("camera", data)
    obj.location, obj.rotation_euler = place, _aim(place, target)
    bpy.context.scene.camera = link(obj)
    if fstop:
        data.dof.use_dof, data.dof.aperture_fstop = True, fstop
        data.dof.focus_distance = (Vector(focus or target) - Vector(place)).length


def frond(place, direction, spin=0.0, length=3.0, leaflets=13, seed=1):
    """A palm frond that only casts a shadow: thin leaflets with air between them, far enough to blur a little."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, 24)
    stem = np.stack([t * length, 0.075 * np.sin(t * 2) * length, 0 * t], 1)
    parts = [(*tube(stem, 0.022 * (1 - t * 0.7), 8), 0)]
    for k in range(leaflets):
        q = 0.10 + 0.88 * k / (leaflets - 1)
        root = stem[int(q * 23)]
        for side in (-1, 1):
            angle = side * (1.0 - 0.5 * q) + rng.uniform(-0.07, 0.07)
            reach = length * 0.40 * math.sin(math.pi * (q * 0.72 + 0.2)) * rng.uniform(0.85, 1.1)
            along, across = np.array([math.cos(angle), math.sin(angle), 0]), np.array([-math.sin(angle), math.cos(angle), 0])
            verts = []
            for i in range(12):
                p = i / 11
                half = 0.042 * length / 3 * math.sin(math.pi * min(1, p * 0.92 + 0.05))
                verts += [root + along * reach * p - across * half, root + along * reach * p + across * half]
            parts.append((verts, [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(11)], 0))
    obj = from_parts("frond", parts, [surfaces.plain("#1c2a12")])
    obj.location = place
    obj.rotation_euler = (Vector(direction).to_track_quat("Z", "Y").to_matrix() @ Matrix.Rotation(spin, 3, "Z")).to_euler()
    obj.visible_camera = obj.visible_glossy = False
    return obj


def rig(name: str, side: int = -1) -> None:
    """One of the studio's rigs; side -1 puts the key light on the left, 1 on the right."""
    k = side
    if name == "window":
        area((k * 3.4, 1.4, 3.2), (0, -0.2, 0.4), 1.3, 430, WARM, 1.6)
        area((k * 2.6, -4.2, 3.0), (0, 0, 1.0), 2.6, 200, NEUTRAL, 2.6, glossy=False)
        area((k * 2.2, -5.2, 2.2), (0, 0, 1.0), 1.6, 75, NEUTRAL, 2.0)
        area((-k * 3.6, -0.6, 2.0), (0, 0, 1.0), 0.8, 110, WARM, 2.6)
        area((0.6, 3.4, 4.2), (0, 4.2, 1.6), 2.2, 160, (1, 0.86, 0.70))
        sky(strength=0.34)
    elif name == "sun":
        d = Vector((-k * 0.62, 0.55, -0.56)).normalized()
        sun(d, 3.6, 0.02)
        for reach, spin, length, seed in ((4.4, 0.3, 3.0, 2), (4.9, -0.5, 2.6, 5)):
            start = Vector((k * 1.2, 2.4, 1.5)) - d * reach
            frond(tuple(start), tuple(-d), spin if k < 0 else math.pi - spin, length, seed=seed)
        area((k * 1.5, -5.5, 3.2), (0, 0, 0.9), 3, 190, NEUTRAL, glossy=False)
        area((-k * 3.8, -0.6, 2.2), (0, 0, 1.0), 0.8, 90, WARM, 2.6)
        sky("#dfe4ea", "#6a5646", 0.45)
    elif name == "moody":
        area((k * 3.0, 1.0, 2.6), (0, -0.2, 0.5), 0.9, 420, WARM, 1.2)
        area((k * 2.0, -4.6, 2.6), (0, 0, 1.0), 2.2, 135, WARM, 2.2, glossy=False)
        area((-k * 3.4, 1.6, 1.8), (0, 0, 0.9), 0.6, 120, (1, 0.84, 0.64), 2.2)
        area((k * 0.8, 3.3, 3.4), (k * 0.4, 4.2, 1.2), 1.6, 110, (1, 0.80, 0.60))
        sky("#8a8480", "#33261e", 0.30)
    elif name == "morning":
        area((k * 3.6, -0.6, 4.4), (0, 0, 0.5), 2.6, 560, (1, 0.96, 0.90), 3.0)
        area((k * 1.2, -5.4, 3.4), (0, 0, 0.8), 3.0, 170, NEUTRAL, 2.6, glossy=False)
        area((-k * 3.8, 0.4, 2.6), (0, 0, 0.8), 1.4, 110, COOL, 2.6)
        area((0, 3.3, 4.4), (0, 4.2, 1.8), 2.6, 190, NEUTRAL)
        sky("#f2efe9", "#a89880", 0.45)
    elif name == "overhead":
        sun((-k * 0.62, -0.42, -0.66), 3.4, 0.03)
        area((0, 0, 5), (0, 0, 0), 3, 90, COOL, glossy=False)
        sky("#e8eef2", "#e8eef2", 0.38)
    else:
        raise ValueError(f"no light rig called {name!r}")
