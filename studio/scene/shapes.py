"""Pure geometry: tubes, lathed profiles, spheres and sheets as vertex and face arrays."""

import math

import numpy as np
from mathutils import Vector, noise

TAU = 2 * math.pi


def grid_faces(rows: int, columns: int) -> list[tuple]:
    return [
        (i * columns + j, (i + 1) * columns + j, (i + 1) * columns + j + 1, i * columns + j + 1)
        for i in range(rows - 1)
        for j in range(columns - 1)
    ]


def tube(path, radii, segments=16, section=None):
    """Loft a circle along a path; section(t, angle) multiplies the radius. Ends are capped."""
    path = np.asarray(path, float)
    count = len(path)
    tangents = np.gradient(path, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1)[:, None] + 1e-9
    up = np.array([0, 0, 1.0]) if abs(tangents[0][2]) < 0.9 else np.array([0, 1.0, 0])
    side = np.cross(up, tangents[0])
    verts = []
    for i in range(count):
        side = side - tangents[i] * side.dot(tangents[i])
        side /= np.linalg.norm(side) + 1e-9
        other = np.cross(tangents[i], side)
        for k in range(segments):
            angle = TAU * k / segments
            radius = radii[i] * (section(i / (count - 1), angle) if section else 1)
            verts.append(path[i] + radius * (math.cos(angle) * side + math.sin(angle) * other))
    faces = [
        (i * segments + k, i * segments + (k + 1) % segments, (i + 1) * segments + (k + 1) % segments, (i + 1) * segments + k)
        for i in range(count - 1)
        for k in range(segments)
    ]
    verts += [path[0], path[-1]]
    first, last, end = len(verts) - 2, len(verts) - 1, (count - 1) * segments
    faces += [(first, (k + 1) % segments, k) for k in range(segments)]
    faces += [(last, end + k, end + (k + 1) % segments) for k in range(segments)]
    return np.array(verts), faces


def lathe(profile, segments=96):
    """Turn a list of (radius, height) around the upright axis."""
    verts = [(r * math.cos(TAU * k / segments), r * math.sin(TAU * k / segments), z) for r, z in profile for k in range(segments)]
    faces = [
        (i * segments + k, i * segments + (k + 1) % segments, (i + 1) * segments + (k + 1) % segments, (i + 1) * segments + k)
        for i in range(len(profile) - 1)
        for k in range(segments)
    ]
    return np.array(verts), faces


def sphere(around=20, down=12, radius=None):
    """radius(direction, longitude, colatitude) shapes it; a unit sphere without."""
    verts = []
    for i in range(down + 1):
        phi = math.pi * i / down
        for k in range(around):
            theta = TAU * k / around
            direction = np.array([math.sin(phi) * math.cos(theta), math.sin(phi) * math.sin(theta), math.cos(phi)])
            verts.append(direction * (radius(direction, theta, phi) if radius else 1))
    faces = [
        (i * around + k, (i + 1) * around + k, (i + 1) * around + (k + 1) % around, i * around + (k + 1) % around)
        for i in range(down)
        for k in range(around)
    ]
    return np.array(verts), faces


def rough(direction, seed: float, scale: float) -> float:
    """Noise over directions, about -1 to 1."""
    return noise.noise(Vector(direction) * scale + Vector((seed * 3.7, seed * 1.3, seed)))


def rough_at(*point) -> float:
    return noise.noise(point)


def fractal(x, y, z=0.0, octaves=4, gain=0.8) -> float:
    return noise.fractal((x, y, z), gain, 2.1, octaves)


def rotate_z(verts, angle: float):
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(verts) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T


def shell(verts, faces, rows: int, columns: int, inner):
    """Close an open sheet (rows x columns) with a second, inner sheet and rims at its four edges."""
    verts, inner, n = np.asarray(verts), np.asarray(inner), rows * columns
    back = [tuple(reversed([q + n for q in face])) for face in faces]
    rim = [
        (i * columns + j, i * columns + j + 1, i * columns + j + 1 + n, i * columns + j + n)
        for i in (0, rows - 1)
        for j in range(columns - 1)
    ]
    rim += [
        (i * columns + j, (i + 1) * columns + j, (i + 1) * columns + j + n, i * columns + j + n)
        for j in (0, columns - 1)
        for i in range(rows - 1)
    ]
    return np.concatenate([verts, inner]), list(faces) + back + rim
