"""The printed pouch in a scene: standing, leaning or lying, with a product's label."""

import math

import bpy
import numpy as np

from studio.paths import LABELS
from studio.scene import surfaces
from studio.scene.base import mesh_object, vertices
from studio.scene.pouch_sim import variant_path


def pouch(product, x=0.0, y=0.0, z=0.0, *, yaw=0.0, lying=False, scale=1.0):
    """yaw in degrees, positive turns the front to the right."""
    data = np.load(variant_path(product.pouch_variant))
    verts, uv, flat = data["co"].astype(float), data["uv"], data["flat"]
    foot = np.median(verts[np.abs(flat[:, 2]) < 1e-6, 2])
    verts[:, 2] -= foot
    verts[:, 2] = np.where(verts[:, 2] < 0.002, 0.002 + verts[:, 2] * 0.02, verts[:, 2])
    faces = [tuple(k for k in face if k >= 0) for face in data["faces"]]
    maps = (str(LABELS / f"{product.id}-colour.png"), str(LABELS / f"{product.id}-foil.png"))
    # Only faces near a cut edge (top corners, notches, hang hole) need transparency, which is slow.
    cut = [int(uv[list(f), 1].max() > 0.86 or (uv[list(f), 1].min() < 0.05 and abs(uv[list(f), 0] - 0.5).max() > 0.44)) for f in faces]
    obj = mesh_object(
        "pouch",
        verts,
        faces,
        [surfaces.film(*maps, None, product.foil), surfaces.film(*maps, str(LABELS / "cut.png"), product.foil)],
        uv=uv,
        subdivide=1,
        face_materials=cut,
    )
    obj.scale = (scale,) * 3
    turn = math.radians(yaw)
    if lying:
        obj.rotation_euler = (-math.pi / 2, 0, turn)
        obj.scale = (scale, scale * 0.62, scale)  # lying down, the powder spreads and the pouch flattens
        bpy.context.view_layer.update()
        world = np.array(obj.matrix_world)
        lowest = (vertices(obj) @ world[:3, :3].T)[:, 2].min()
        obj.location = (x, y, z - lowest)
    else:
        obj.rotation_euler = (0, 0, turn)
        obj.location = (x, y, z)
    bpy.context.view_layer.update()
    return obj
