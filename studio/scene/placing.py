"""Places things so that nothing floats and nothing intersects.

A thing rests in a pose it could keep by itself: a face of its convex hull over which its centre of mass lies.
It may stand only where its footprint (the convex hull seen from above) is clear of all other footprints.
"""

import random

import bmesh
import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector
from mathutils.bvhtree import BVHTree

from studio.scene.base import cache, link, vertices
from studio.scene.pantry import ITEMS
from studio.scene.shapes import TAU

_templates = cache()
VARIANTS = {"big": 6, "small": 5, "dust": 4}


def template(name: str, seed: int):
    """The model of an item (one of a few variants), its vertices and its stable poses."""
    key = (name, seed)
    if key not in _templates:
        obj = ITEMS[name].make(seed)
        verts = vertices(obj)
        _templates[key] = (obj, verts, _poses(verts, ITEMS[name].pose))
    return _templates[key]


def _poses(verts: np.ndarray, style: str) -> list[Matrix]:
    if style == "any":
        r = random.Random(len(verts))
        return [Euler((r.uniform(0, TAU), r.uniform(0, TAU), 0)).to_matrix() for _ in range(6)]
    stable = stable_poses(verts)
    if style == "upright":
        stable = [pose for pose in stable if pose[2][2] > 0.75] or [Matrix.Identity(3)]
    return stable[:4]


def stable_poses(verts: np.ndarray) -> list[Matrix]:
    """Rotations that put a body on a hull face under its centre of mass, the lowest-lying first."""
    sample = verts if len(verts) < 900 else verts[np.random.default_rng(1).choice(len(verts), 900, replace=False)]
    mesh = bmesh.new()
    for v in sample:
        mesh.verts.new(v)
    hull = bmesh.ops.convex_hull(mesh, input=mesh.verts)
    centre = Vector(verts.mean(0))
    found = []
    for face in (f for f in hull["geom"] if isinstance(f, bmesh.types.BMFace)):
        face.normal_update()
        normal = face.normal
        corners = [v.co for v in face.verts]
        height = (corners[0] - centre).dot(normal)
        foot = centre + normal * height
        sides = [normal.dot((b - a).cross(foot - a)) for a, b in zip(corners, corners[1:] + corners[:1])]
        if min(sides) >= 0:
            found.append((height, normal.rotation_difference(Vector((0, 0, -1))).to_matrix()))
    mesh.free()
    found.sort(key=lambda pair: pair[0])
    lowest = found[0][0] if found else 0
    return [pose for height, pose in found if height < lowest * 1.6 + 0.004] or [Matrix.Identity(3)]


def hull_2d(points: np.ndarray) -> np.ndarray:
    """Convex hull of points in the plane, counter-clockwise."""
    pts = points[np.lexsort((points[:, 1], points[:, 0]))]

    def chain(sequence):
        out = []
        for p in sequence:
            while len(out) > 1 and ((out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) - (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0])) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return np.array(chain(pts) + chain(pts[::-1]))


def circle(x: float, y: float, radius: float) -> np.ndarray:
    a = np.linspace(0, TAU, 20, endpoint=False)
    return np.stack([x + radius * np.cos(a), y + radius * np.sin(a)], 1)


class Table:
    """The positions of things. Footprints are convex polygons with a bounding circle for a quick test."""

    def __init__(self, seed, level=0.0):
        self.random = random.Random(seed)
        self.level = level
        self.bed = None
        self.taken: list[tuple[np.ndarray, np.ndarray, float]] = []

    def reserve(self, polygon: np.ndarray) -> None:
        centre = polygon.mean(0)
        self.taken.append((polygon, centre, float(np.linalg.norm(polygon - centre, axis=1).max())))

    def reserve_object(self, obj, margin=0.0) -> None:
        """Reserves the ground under an object that was placed by hand."""
        bpy.context.view_layer.update()
        world = np.array(obj.matrix_world)
        points = hull_2d((vertices(obj) @ world[:3, :3].T + world[:3, 3])[:, :2])
        centre = points.mean(0)
        self.reserve(centre + (points - centre) * (1 + margin))

    def free(self, polygon: np.ndarray, gap=0.006) -> bool:
        centre = polygon.mean(0)
        radius = float(np.linalg.norm(polygon - centre, axis=1).max())
        return not any(np.linalg.norm(centre - c) < radius + r + gap and _overlap(polygon, other, gap) for other, c, r in self.taken)

    def put(self, name, x, y, yaw=None, scale=1.0, tries=24, wander=0.14):
        """Places an item near x, y, at a free position. Places nothing if there is none."""
        r = self.random
        obj, verts, poses = template(name, r.randrange(VARIANTS[ITEMS[name].size]))
        for attempt in range(tries):
            turn = r.uniform(0, TAU) if yaw is None else yaw + r.uniform(-0.25, 0.25) * (1 + attempt / 8)
            pose = Matrix.Rotation(turn, 3, "Z") @ r.choice(poses)
            reach = wander * attempt / tries * 3
            px, py = x + r.uniform(-reach, reach), y + r.uniform(-reach, reach)
            posed = verts @ np.array(pose).T * scale
            footprint = hull_2d(posed[:, :2]) + np.array([px, py])
            if self.free(footprint):
                self.reserve(footprint)
                placed = link(obj.copy())
                matrix = pose.to_4x4()
                matrix.translation = (px, py, self._height(footprint, float(np.ptp(posed[:, 2]))) - posed[:, 2].min())
                placed.matrix_world = matrix @ Matrix.Scale(scale, 4)
                return placed
        return None

    def lay_bed(self, obj) -> None:
        """Places things on an uneven body (a bed of powder) instead of the table."""
        bpy.context.view_layer.update()
        self.bed = BVHTree.FromObject(obj, bpy.context.evaluated_depsgraph_get())

    def _height(self, footprint: np.ndarray, thickness: float) -> float:
        """How high a thing lies: a little sunk into a bed, but never so deep that the bed comes out through it."""
        if self.bed is None:
            return self.level
        centre = footprint.mean(0)
        spots = [centre + (corner - centre) * part for corner in footprint for part in (0.0, 0.25, 0.5, 0.75, 1.0)]
        hits = [self.bed.ray_cast(Vector((x, y, 2.0)), Vector((0, 0, -1)))[0] for x, y in spots]
        heights = [hit.z for hit in hits if hit] or [self.level]
        sunk = 0.3 * thickness if thickness > 0.08 else -0.004  # leaves and seeds lie on the grains
        return max(float(np.percentile(heights, 60)), max(heights) - sunk)

    def scatter(self, names, count, centre, spread, scale=(0.9, 1.1)) -> None:
        """Strew small things around a centre, denser in the middle."""
        weights = [0.18 if ITEMS[name].radius > 0.08 else 1.4 if ITEMS[name].size == "dust" else 1.0 for name in names]
        for _ in range(count):
            x, y = self.random.gauss(centre[0], spread[0]), self.random.gauss(centre[1], spread[1])
            self.put(self.random.choices(names, weights)[0], x, y, scale=self.random.uniform(*scale), tries=3, wander=0.05)


def _overlap(a: np.ndarray, b: np.ndarray, gap: float) -> bool:
    """Separating-axis test of two convex polygons."""
    for polygon in (a, b):
        edges = np.roll(polygon, -1, 0) - polygon
        axes = np.stack([edges[:, 1], -edges[:, 0]], 1)
        axes /= np.linalg.norm(axes, axis=1)[:, None] + 1e-12
        pa, pb = a @ axes.T, b @ axes.T
        if ((pa.min(0) > pb.max(0) + gap) | (pb.min(0) > pa.max(0) + gap)).any():
            return False
    return True
