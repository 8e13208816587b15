"""A thin layer over Blender's shader nodes, so that a material is written as arithmetic."""

import bpy

from studio.colours import rgba
from studio.scene.base import cache

_materials = cache()

PRINCIPLED = {
    "color": "Base Color",
    "rough": "Roughness",
    "metal": "Metallic",
    "normal": "Normal",
    "alpha": "Alpha",
    "spec": "Specular IOR Level",
    "coat": "Coat Weight",
    "coat_rough": "Coat Roughness",
    "sss": "Subsurface Weight",
    "sss_scale": "Subsurface Scale",
    "sss_radius": "Subsurface Radius",
    "sheen": "Sheen Weight",
    "transmission": "Transmission Weight",
    "ior": "IOR",
}


def material(build):
    """Decorator: build(shader, *args) makes a material once per scene and set of arguments."""

    def wrapper(*args):
        key = (build.__module__, build.__name__, *args)
        if key not in _materials:
            made = bpy.data.materials.new(build.__name__)
            made.use_nodes = True
            build(Shader(made.node_tree), *args)
            _materials[key] = made
        return _materials[key]

    wrapper.__doc__ = build.__doc__
    return wrapper


class Shader:
    """Node factory for one node tree; every method returns an output socket."""

    def __init__(self, tree):
        self.tree = tree
        self.surface = tree.nodes.get("Principled BSDF")

    def node(self, kind, inputs=None, **properties):
        made = self.tree.nodes.new(kind)
        for key, value in properties.items():
            setattr(made, key, value)
        for key, value in (inputs or {}).items():
            self.feed(made, key, value)
        return made

    def feed(self, node, key, value):
        if isinstance(key, int):
            socket = node.inputs[key]
        else:
            named = [i for i in node.inputs if i.name == key]
            socket = next((i for i in named if i.enabled), named[0])
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = rgba(value) if isinstance(value, str) else value

    def principled(self, **settings):
        for key, value in settings.items():
            self.feed(self.surface, PRINCIPLED[key], value)

    # ---- coordinates
    def object_coords(self):
        return self.node("ShaderNodeTexCoord").outputs["Object"]

    def uv(self):
        return self.node("ShaderNodeTexCoord").outputs["UV"]

    def random(self):
        return self.node("ShaderNodeObjectInfo").outputs["Random"]

    def separate(self, vector):
        return self.node("ShaderNodeSeparateXYZ", {0: vector}).outputs

    def mapping(self, vector, scale=(1, 1, 1), rotation=(0, 0, 0)):
        return self.node("ShaderNodeMapping", {"Vector": vector, "Scale": scale, "Rotation": rotation}).outputs[0]

    def offset_by_object(self, vector):
        """Shift a pattern per object, so that two planks never show the same grain."""
        r = self.random()
        shift = self.node("ShaderNodeCombineXYZ", {i: self.math("MULTIPLY", r, k) for i, k in enumerate((37.0, 11.0, 5.0))}).outputs[0]
        return self.node("ShaderNodeVectorMath", {0: vector, 1: shift}, operation="ADD").outputs[0]

    # ---- patterns and arithmetic
    def noise(self, vector, scale, detail=4.0, rough=0.55, distortion=0.0):
        return self.node(
            "ShaderNodeTexNoise", {"Vector": vector, "Scale": scale, "Detail": detail, "Roughness": rough, "Distortion": distortion}
        ).outputs["Fac"]

    def noise_vector(self, vector, scale):
        """Three noises at once, about zero: for bending coordinates."""
        colour = self.node("ShaderNodeTexNoise", {"Vector": vector, "Scale": scale, "Detail": 2.0}).outputs["Color"]
        return self.node("ShaderNodeVectorMath", {0: colour, 1: (0.5, 0.5, 0.5)}, operation="SUBTRACT").outputs[0]

    def voronoi(self, vector, scale, feature="F1", output="Distance"):
        return self.node("ShaderNodeTexVoronoi", {"Vector": vector, "Scale": scale}, feature=feature).outputs[output]

    def math(self, operation, a, b=None, c=None, clamp=False):
        inputs = {i: v for i, v in enumerate((a, b, c)) if v is not None}
        return self.node("ShaderNodeMath", inputs, operation=operation, use_clamp=clamp).outputs[0]

    def smoothstep(self, value, low, high):
        return self.node("ShaderNodeMapRange", {0: value, 1: low, 2: high}, interpolation_type="SMOOTHSTEP").outputs[0]

    def ramp(self, factor, stops):
        """stops: (position, '#colour' or grey number)."""
        node = self.node("ShaderNodeValToRGB", {0: factor})
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops):
            element.position = position
            element.color = rgba(colour) if isinstance(colour, str) else (colour, colour, colour, 1)
        return node.outputs[0]

    def mix(self, factor, a, b, blend="MIX"):
        return self.node("ShaderNodeMix", {0: factor, 6: a, 7: b}, data_type="RGBA", blend_type=blend).outputs[2]

    def vary(self, colour, value=0.25, hue=0.02, saturation=0.15):
        """A different shade for every object (or instance) with the material."""
        r = self.random()
        second = self.math("FRACT", self.math("MULTIPLY", r, 7.31))
        third = self.math("FRACT", self.math("MULTIPLY", r, 13.77))
        return self.node(
            "ShaderNodeHueSaturation",
            {
                "Color": colour,
                "Hue": self.math("MULTIPLY_ADD", r, 2 * hue, 0.5 - hue),
                "Saturation": self.math("MULTIPLY_ADD", second, 2 * saturation, 1 - saturation),
                "Value": self.math("MULTIPLY_ADD", third, 2 * value, 1 - value),
            },
        ).outputs[0]

    def bump(self, height, strength=0.3, distance=0.01, normal=None):
        inputs = {"Height": height, "Strength": strength, "Distance": distance}
        if normal is not None:
            inputs["Normal"] = normal
        return self.node("ShaderNodeBump", inputs).outputs[0]

    def image(self, path, vector, data=False):
        node = self.node("ShaderNodeTexImage", {"Vector": vector}, interpolation="Cubic", extension="EXTEND")
        node.image = bpy.data.images.load(str(path))
        if data:
            node.image.colorspace_settings.name = "Non-Color"
        return node.outputs["Color"]
