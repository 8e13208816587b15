"""Scene basics: a clean Blender scene, meshes from arrays, colours. One unit is ten centimetres."""

import bpy
import numpy as np

_caches: list[dict] = []


def cache() -> dict:
    """A cache that is cleared with the scene, because its values belong to the scene."""
    store: dict = {}
    _caches.append(store)
    return store


def reset() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for store in _caches:
        store.clear()


def link(obj: bpy.types.Object) -> bpy.types.Object:
    bpy.context.scene.collection.objects.link(obj)
    return obj


def mesh_object(
    name, verts, faces, materials=(), *, uv=None, smooth=True, linked=True, subdivide=0, face_materials=None
) -> bpy.types.Object:
    """A mesh object from plain arrays."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.asarray(verts, float).tolist(), [], [tuple(map(int, f)) for f in faces])
    mesh.update()
    if smooth:
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    if uv is not None:
        layer = mesh.uv_layers.new(name="UVMap")
        index = np.zeros(len(mesh.loops), int)
        mesh.loops.foreach_get("vertex_index", index)
        layer.data.foreach_set("uv", np.asarray(uv)[index].ravel())
    for material in materials:
        mesh.materials.append(material)
    if face_materials is not None:
        mesh.polygons.foreach_set("material_index", list(face_materials))
    obj = bpy.data.objects.new(name, mesh)
    if linked:
        link(obj)
    if subdivide:
        modifier = obj.modifiers.new("subdivide", "SUBSURF")
        modifier.levels, modifier.render_levels = 0, subdivide
    return obj


def from_parts(name, parts, materials, **options) -> bpy.types.Object:
    """One object from several (vertices, faces, material number) parts."""
    verts, faces, numbers, offset = [], [], [], 0
    for part_verts, part_faces, number in parts:
        part_verts = np.asarray(part_verts, float)
        verts.append(part_verts)
        faces += [tuple(int(k) + offset for k in face) for face in part_faces]
        numbers += [number] * len(part_faces)
        offset += len(part_verts)
    return mesh_object(name, np.concatenate(verts), faces, materials, face_materials=numbers, **options)


def vertices(obj: bpy.types.Object) -> np.ndarray:
    flat = np.zeros(len(obj.data.vertices) * 3)
    obj.data.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3)
