"""Materials of food: skins, seeds, leaves, bark, powder, gravy, crust."""

from studio.colours import mix_hex
from studio.scene.nodes import material


@material
def seed(s, dark, light, rough=0.55, spec=0.35, scale=30.0, bump=0.25):
    """Dry seeds and pods: two tones of noise, a different shade for each one."""
    n = s.noise(s.object_coords(), scale, 4, 0.6)
    s.principled(
        color=s.vary(s.ramp(n, [(0.3, dark), (0.7, light)]), 0.15, 0.005, 0.08), rough=rough, spec=spec, normal=s.bump(n, bump, 0.01)
    )


@material
def chilli(s, tone="#8f120c", fresh=False):
    """Dried chilli skin: dark, wrinkled along the pod, half shiny."""
    co = s.object_coords()
    n = s.noise(co, 4, 5, 0.6)
    wrinkles = s.noise(s.mapping(co, (3, 22, 22)), 1, 4, 0.6)
    colour = s.ramp(n, [(0.3, mix_hex(tone, "#000000", 0.45)), (0.55, tone), (0.8, mix_hex(tone, "#e04a1c", 0.35))])
    s.principled(
        color=s.vary(colour, 0.20, 0.010, 0.08),
        rough=s.math("MULTIPLY_ADD", n, 0.25, 0.12 if fresh else 0.22),
        normal=s.bump(wrinkles, 0.08 if fresh else 0.5, 0.02),
        spec=0.5,
        coat=0.3,
        coat_rough=0.2,
        sss=0.06,
        sss_radius=(0.06, 0.01, 0.005),
    )


@material
def stalk(s, colour="#6b6a2c"):
    n = s.noise(s.mapping(s.object_coords(), (4, 30, 30)), 1, 3)
    s.principled(color=s.vary(s.ramp(n, [(0.3, mix_hex(colour, "#000000", 0.45)), (0.7, colour)])), rough=0.7, normal=s.bump(n, 0.4, 0.01))


@material
def bark(s, dark="#3d1a0b", middle="#7d3f1a", light="#a9632e"):
    co = s.object_coords()
    streak = s.noise(s.mapping(co, (1.2, 26, 26)), 1, 6, 0.65, 0.4)
    f = s.math("MULTIPLY_ADD", streak, 0.7, s.math("MULTIPLY", s.noise(co, 7, 4), 0.3))
    s.principled(
        color=s.vary(s.ramp(f, [(0.3, dark), (0.5, middle), (0.72, light)]), 0.10, 0.004, 0.06),
        rough=0.75,
        normal=s.bump(streak, 0.6, 0.012),
        spec=0.25,
    )


@material
def leaf(s, dark="#4b5a2a", light="#7f8a4d", gloss=0.5):
    """Leaf over UVs (u along the midrib): faint side veins, a paler midrib, light through it."""
    u, v = s.separate(s.uv())[:2]
    off = s.math("ABSOLUTE", s.math("SUBTRACT", v, 0.5))
    phase = s.math("SUBTRACT", s.math("MULTIPLY", u, 11), s.math("MULTIPLY", off, 9))
    veins = s.math("POWER", s.math("ABSOLUTE", s.math("SINE", s.math("MULTIPLY", phase, 3.1416))), 0.3)
    rib = s.smoothstep(off, 0.008, 0.035)
    relief = s.math("MULTIPLY", veins, rib)
    n = s.noise(s.object_coords(), 7, 5, 0.6)
    colour = s.mix(s.math("MULTIPLY_ADD", relief, -0.30, 0.30), s.ramp(n, [(0.3, dark), (0.7, light)]), mix_hex(light, "#f0e8b0", 0.35))
    s.principled(
        color=s.vary(colour, 0.18, 0.010),
        rough=s.math("MULTIPLY_ADD", n, 0.3, gloss),
        normal=s.bump(relief, 0.16, 0.012),
        spec=0.25,
        sss=0.08,
        sss_radius=(0.01, 0.02, 0.005),
    )


@material
def powder(s, dark, middle, light, scale=1.0):
    """Ground spice: three close tones, coarse to fine."""
    co = s.object_coords()
    big, fine = s.noise(co, 5 * scale, 5, 0.6), s.noise(co, 120 * scale, 3, 0.7)
    cells = s.node("ShaderNodeSeparateColor", {0: s.voronoi(co, 170 * scale, output="Color")}).outputs[0]
    f = s.math("ADD", s.math("MULTIPLY", big, 0.45), s.math("ADD", s.math("MULTIPLY", fine, 0.35), s.math("MULTIPLY", cells, 0.25)))
    normal = s.bump(s.noise(co, 210 * scale, 4, 0.75), 0.9, 0.006 / scale)
    normal = s.bump(s.noise(co, 40 * scale, 4, 0.65), 0.6, 0.02 / scale, normal)
    s.principled(color=s.ramp(f, [(0.28, dark), (0.52, middle), (0.80, light)]), rough=0.95, spec=0.12, normal=normal)


@material
def grain(s, *colours):
    """Single grains: each instance takes its colour from the list, the last ones rare."""
    places = [0.0, 0.35, 0.75, 0.96][: len(colours)]
    s.principled(color=s.ramp(s.random(), list(zip(places, colours))), rough=0.85, spec=0.2)


@material
def smooth_skin(s, dark, light, gloss=0.2, scale=3.0, through=0.08):
    """Fresh skins: tomato, lemon, mango, onion."""
    co = s.object_coords()
    n = s.noise(co, scale, 4, 0.55)
    pores = s.noise(co, scale * 20, 3, 0.6)
    s.principled(
        color=s.vary(s.ramp(n, [(0.3, dark), (0.7, light)]), 0.08, 0.008, 0.06),
        rough=gloss,
        spec=0.5,
        coat=0.3,
        coat_rough=0.12,
        normal=s.bump(pores, 0.06, 0.01),
        sss=through,
        sss_radius=(0.06, 0.03, 0.015),
    )


@material
def rind(s, dark, light, freckle):
    """Matte fruit skin with pale freckles and a bloom: raw mango."""
    co = s.object_coords()
    n = s.noise(co, 2.4, 5, 0.6)
    freckles = s.ramp(s.voronoi(co, 26), [(0.06, 1.0), (0.13, 0.0)])
    s.principled(
        color=s.vary(s.mix(s.math("MULTIPLY", freckles, 0.55), s.ramp(n, [(0.28, dark), (0.72, light)]), freckle), 0.08, 0.006, 0.05),
        rough=s.math("MULTIPLY_ADD", n, 0.25, 0.40),
        spec=0.35,
        normal=s.bump(s.noise(co, 40, 3), 0.10, 0.01),
        sss=0.05,
        sss_radius=(0.03, 0.04, 0.01),
    )


@material
def papery(s, base, streak, lines=26.0):
    """Garlic and onion skins: dry, streaked along the bulb."""
    co = s.object_coords()
    x, y, z = s.separate(co)[:3]
    angle = s.math("ARCTAN2", y, x)
    stripes = s.noise(
        s.node("ShaderNodeCombineXYZ", {0: s.math("MULTIPLY", angle, lines / 6), 1: s.math("MULTIPLY", z, 1.5)}).outputs[0], 3.0, 4, 0.6
    )
    s.principled(
        color=s.vary(s.ramp(stripes, [(0.35, base), (0.72, streak)]), 0.08, 0.006, 0.06),
        rough=0.42,
        spec=0.4,
        normal=s.bump(stripes, 0.2, 0.012),
        sss=0.12,
        sss_radius=(0.05, 0.03, 0.02),
    )


@material
def crust(s, dark, middle, light, scale=1.0, gloss=0.6):
    """Baked or fried crust: blotches, crumbs, a coarse bump."""
    co = s.object_coords()
    blotch, crumb = s.noise(co, 3.5 * scale, 6, 0.65), s.noise(co, 26 * scale, 5, 0.7)
    f = s.math("MULTIPLY_ADD", crumb, 0.4, s.math("MULTIPLY", blotch, 0.6))
    normal = s.bump(crumb, 0.7, 0.02 / scale, s.bump(s.noise(co, 80 * scale, 3, 0.7), 0.5, 0.006 / scale))
    s.principled(
        color=s.vary(s.ramp(f, [(0.32, dark), (0.5, middle), (0.68, light)]), 0.12, 0.008, 0.06),
        rough=gloss,
        spec=0.35,
        normal=normal,
        sss=0.05,
        sss_radius=(0.05, 0.03, 0.02),
    )


@material
def gravy(s, dark, light, oil=0.5):
    """The top of a curry: uneven, wet, with rounder oil-red islands."""
    co = s.object_coords()
    n, pools = s.noise(co, 5, 6, 0.62, 0.4), s.noise(co, 2.2, 2, 0.4)
    colour = s.mix(
        s.math("MULTIPLY", s.ramp(pools, [(0.50, 0.0), (0.56, 1.0)]), oil),
        s.ramp(n, [(0.3, dark), (0.7, light)]),
        mix_hex(light, "#d8481a", 0.5),
    )
    s.principled(
        color=colour,
        rough=s.math("MULTIPLY_ADD", s.noise(co, 16, 4), 0.30, 0.14),
        spec=0.4,
        coat=0.2,
        coat_rough=0.1,
        normal=s.bump(n, 0.5, 0.04, s.bump(s.noise(co, 40, 4, 0.7), 0.25, 0.008)),
        sss=0.08,
        sss_radius=(0.08, 0.03, 0.01),
    )
