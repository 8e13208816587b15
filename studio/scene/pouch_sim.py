"""Cloth simulation of a filled stand-up pouch. Runs once per variant; the result is cached as arrays.

The film starts flat (its rest shape), the side seals are pinned, and a pressure that falls with height fills it.
UVs stay those of the flat sheet, so that a flat print wraps by itself.
"""

import math
import sys
from pathlib import Path

import bpy
import numpy as np

from studio.paths import POUCHES

WIDTH, HEIGHT, SIDE_SEAL, TOP_SEAL, FOOT_SEAL = 1.36, 2.05, 0.065, 0.17, 0.03
COLUMNS, ROWS, GUSSET = 72, 110, 14
FRAMES, PRESSURE, TENSION, BENDING = 30, 1.2, 60.0, 1.5


def variant_path(variant: int) -> Path:
    return POUCHES / f"pouch-{variant}.npz"


class _Sheet:
    """Collects vertices with their flat place, starting place, UV and pinning."""

    def __init__(self):
        self.flat, self.start, self.uv, self.pin, self.faces = [], [], [], [], []

    def add(self, flat, start, pin):
        self.flat.append(flat)
        self.start.append(start)
        self.uv.append((flat[0] / WIDTH + 0.5, min(1.0, flat[2] / HEIGHT)))
        self.pin.append(pin)
        return len(self.flat) - 1


def _build(seed: int, fullness: float) -> _Sheet:
    rng = np.random.default_rng(seed)
    inner, low, high = WIDTH / 2 - SIDE_SEAL, FOOT_SEAL, HEIGHT - TOP_SEAL
    xs = np.concatenate(
        [np.linspace(-WIDTH / 2, -inner, 4)[:-1], np.linspace(-inner, inner, COLUMNS + 1), np.linspace(inner, WIDTH / 2, 4)[1:]]
    )
    zs = np.concatenate([np.linspace(0, low, 3)[:-1], np.linspace(low, high, ROWS + 1), np.linspace(high, HEIGHT, 10)[1:]])
    left, right, foot, top = 3, 3 + COLUMNS, 2, 2 + ROWS
    at = np.linspace(0, 1, 400)
    depths = np.interp(
        at, [0, 0.12, 0.28, 0.45, 0.62, 0.78, 0.9, 1.0], np.array([0.27, 0.315, 0.325, 0.285, 0.20, 0.115, 0.05, 0.0]) * fullness
    )
    depths = np.convolve(np.pad(depths, 20, mode="edge"), np.ones(41) / 41, "valid")
    depths[-40:] *= np.linspace(1, 0, 40) ** 0.7
    phases, waves = rng.uniform(0, 6.28, (8, 2)), rng.uniform(2, 8, (8, 2)) * rng.choice([-1, 1], (8, 2))

    def depth(z):
        return float(np.interp((z - low) / (high - low), at, depths))

    def narrowed(x, z):
        half, d = inner, depth(z)
        for _ in range(20):
            half = inner - (2 / 3) * d * d / half
        return x / inner * half if abs(x) <= inner else math.copysign(half + abs(x) - inner, x)

    def ripple(x, z):
        return float(0.003 * sum(math.sin(w[0] * x + p[0]) * math.sin(w[1] * z + p[1]) for w, p in zip(waves, phases)))

    def pinned(x, z):
        if abs(x) < inner - 1e-6:
            return 0.0
        t = min(1, max(0, (high - 0.05 - z) / 0.35))
        return t * t * (3 - 2 * t)

    sheet = _Sheet()
    front = np.zeros((len(xs), len(zs)), int)
    for i, x in enumerate(xs):
        for j, z in enumerate(zs):
            inside, u = left < i < right and j < top, x / inner
            y = -(depth(max(z, low)) * max(0, 1 - u * u) ** 0.85 + 0.003) + ripple(x, z) * (1 - u * u) if inside else 0.0
            front[i, j] = sheet.add((x, -0.001 if inside else 0, z), (narrowed(x, z), y, z * (0.985 if z < high else 1)), pinned(x, z))
    back = -np.ones((len(xs), len(zs)), int)
    for i in range(left, right + 1):
        for j in range(0, top + 1):
            x, z = xs[i], zs[j]
            if i in (left, right) or j == top:
                back[i, j] = front[i, j]
                continue
            u = x / inner
            y = depth(max(z, low)) * max(0, 1 - u * u) ** 0.85 + 0.003 + ripple(x + 3, z) * (1 - u * u)
            back[i, j] = sheet.add((x, 0.001, z), (narrowed(x, z), y, z * 0.985), 0.0)
    sheet.faces += [
        (front[i, j], front[i + 1, j], front[i + 1, j + 1], front[i, j + 1]) for i in range(len(xs) - 1) for j in range(len(zs) - 1)
    ]
    for i in range(left, right):
        for j in range(0, top):
            quad = (back[i, j], back[i, j + 1], back[i + 1, j + 1], back[i + 1, j])
            if len(set(quad)) == 4:
                sheet.faces.append(quad)
    previous = None
    for i in range(left, right + 1):
        x, u = xs[i], xs[i] / inner
        column = [front[i, foot]] * (GUSSET + 1)
        if i not in (left, right):
            d = depth(low) * max(0, 1 - u * u) ** 0.85 + 0.003
            column = [front[i, foot]]
            for m in range(1, GUSSET):
                t = m / GUSSET
                column.append(
                    sheet.add(
                        (x, -0.001 + 0.002 * t, low + d * 1.12 * (1 - abs(2 * t - 1))),
                        (narrowed(x, low), -d + 2 * d * t, low + 0.25 * d * math.sin(math.pi * t)),
                        0.0,
                    )
                )
                sheet.uv[-1] = (x / WIDTH + 0.5, 0.01)
            column.append(back[i, foot])
        if previous is not None:
            for m in range(GUSSET):
                quad = list(dict.fromkeys((previous[m], previous[m + 1], column[m + 1], column[m])))
                if len(quad) >= 3:
                    sheet.faces.append(tuple(quad))
        previous = column
    return sheet


def simulate(variant: int) -> None:
    """Run the simulation for one variant (each is filled and wrinkled a little differently)."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    sheet = _build(seed=variant, fullness=(1.0, 0.93, 1.06)[variant % 3])
    mesh = bpy.data.meshes.new("pouch")
    mesh.from_pydata([tuple(map(float, v)) for v in sheet.start], [], [tuple(map(int, f)) for f in sheet.faces])
    obj = bpy.data.objects.new("pouch", mesh)
    bpy.context.collection.objects.link(obj)
    obj.shape_key_add(name="Basis")
    rest = obj.shape_key_add(name="flat")
    rest.data.foreach_set("co", np.array(sheet.flat, np.float32).ravel())
    rest.value = 0
    inner, low, high = WIDTH / 2 - SIDE_SEAL, FOOT_SEAL, HEIGHT - TOP_SEAL

    def pressed(x, y, z):
        if abs(x) > inner + 1e-6 or z > high + 1e-6 or z < low - 1e-6:
            return 0
        w = max(0, min(1, (1 - (z - low) / (high - low)) / 0.8))
        return w * w * (3 - 2 * w) * 0.92 + 0.08

    groups = {
        "press": [pressed(*p) for p in sheet.flat],
        "pin": sheet.pin,
        "stiff": [float(abs(x) > inner - 1e-6 or z > high - 1e-6 or z < low + 1e-6) for x, _, z in sheet.flat],
    }
    for name, weights in groups.items():
        group = obj.vertex_groups.new(name=name)
        for k, weight in enumerate(weights):
            if weight > 0:
                group.add([k], float(weight), "REPLACE")
    modifier = obj.modifiers.new("cloth", "CLOTH")
    cloth = modifier.settings
    cloth.quality, cloth.mass, cloth.air_damping = 10, 0.05, 3
    for key in ("tension", "compression"):
        setattr(cloth, f"{key}_stiffness", TENSION)
        setattr(cloth, f"{key}_stiffness_max", TENSION)
        setattr(cloth, f"{key}_damping", 8)
    cloth.shear_stiffness = cloth.shear_stiffness_max = TENSION * 0.6
    cloth.shear_damping, cloth.bending_damping = 8, 1
    cloth.bending_stiffness, cloth.bending_stiffness_max = BENDING, BENDING * 60
    cloth.vertex_group_bending, cloth.vertex_group_mass, cloth.pin_stiffness = "stiff", "pin", 10
    cloth.use_pressure, cloth.uniform_pressure_force, cloth.vertex_group_pressure = True, PRESSURE, "press"
    cloth.rest_shape_key = rest
    modifier.collision_settings.use_collision = False
    scene = bpy.context.scene
    scene.gravity, scene.frame_end, modifier.point_cache.frame_end = (0, 0, 0), FRAMES, FRAMES
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
    shaped = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    co = np.zeros(len(shaped.vertices) * 3)
    shaped.vertices.foreach_get("co", co)
    assert not np.isnan(co).any(), "the simulation blew up"
    POUCHES.mkdir(parents=True, exist_ok=True)
    faces = np.array([tuple(f) + ((-1,) if len(f) == 3 else ()) for f in sheet.faces], np.int32)
    np.savez_compressed(
        variant_path(variant),
        co=co.reshape(-1, 3).astype(np.float32),
        flat=np.array(sheet.flat, np.float32),
        uv=np.array(sheet.uv, np.float32),
        faces=faces,
    )


if __name__ == "__main__":
    for number in map(int, sys.argv[1:] or ("1", "2", "3")):
        simulate(number)
