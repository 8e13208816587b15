"""Materials of the set: wood, stone, plaster, cloth, metal, clay, film."""

import math

from studio.colours import mix_hex
from studio.scene.nodes import material

WOODS = {
    "walnut": ("#1d0f08", "#3f2413", "#6b4326"),
    "oak": ("#7a5630", "#a97f4e", "#c9a474"),
    "ebony": ("#0d0805", "#20130b", "#3a2415"),
    "mango": ("#54301a", "#8a5a33", "#b58453"),
}


@material
def wood(s, tone="walnut"):
    """Planed boards: long warped grain, open pores, no regular rings (they turn stripy far away)."""
    dark, middle, light = WOODS[tone]
    co = s.offset_by_object(s.object_coords())
    drift = s.noise(s.mapping(co, (0.35, 1.1, 1.1)), 1.0, 3, 0.5)
    cathedral = s.noise(s.mapping(co, (0.5, 5.0, 5.0)), 1.0, 3, 0.5, 0.9)
    grain = s.noise(s.mapping(co, (1.1, 34, 34)), 1.0, 5, 0.65, 0.3)
    pores = s.ramp(s.noise(s.mapping(co, (3.2, 130, 130)), 1.0, 2, 0.6), [(0.36, 0.55), (0.46, 1.0)])
    tone_at = s.math(
        "ADD", s.math("MULTIPLY", cathedral, 0.35), s.math("ADD", s.math("MULTIPLY", grain, 0.45), s.math("MULTIPLY", drift, 0.25))
    )
    colour = s.mix(1.0, s.ramp(tone_at, [(0.30, dark), (0.53, middle), (0.78, light)]), pores, "MULTIPLY")
    height = s.math("ADD", s.math("MULTIPLY", grain, 0.6), s.math("MULTIPLY", pores, 0.5))
    s.principled(
        color=s.vary(colour, 0.16, 0.008, 0.08),
        rough=s.math("MULTIPLY_ADD", grain, 0.25, 0.40),
        normal=s.bump(height, 0.35, 0.012),
        spec=0.4,
    )


@material
def stone(s, dark="#1b1c1e", light="#34363a"):
    """Honed slate or clay tile: cloudy, slightly uneven."""
    co = s.object_coords()
    cloud, fine = s.noise(co, 1.6, 6, 0.62, 0.3), s.noise(co, 14, 5, 0.7)
    f = s.math("MULTIPLY_ADD", fine, 0.35, s.math("MULTIPLY", cloud, 0.65))
    s.principled(
        color=s.ramp(f, [(0.3, dark), (0.7, light)]), rough=s.math("MULTIPLY_ADD", fine, 0.3, 0.45), normal=s.bump(f, 0.5, 0.03), spec=0.4
    )


@material
def marble(s, base="#e9e4dc", vein="#8c857d"):
    co = s.object_coords()

    def veins(scale, detail, width):
        n = s.noise(co, scale, detail, 0.62, 0.7)
        return s.ramp(s.math("ABSOLUTE", s.math("SUBTRACT", n, 0.5)), [(0, 1.0), (width, 0.0)])

    f = s.math("ADD", s.math("MULTIPLY", veins(0.9, 6, 0.035), 0.5), s.math("MULTIPLY", veins(2.6, 8, 0.02), 0.2), clamp=True)
    cloud = s.ramp(s.noise(co, 0.7, 4), [(0.3, base), (0.75, mix_hex(base, "#ffffff", 0.6))])
    s.principled(color=s.mix(f, cloud, vein), rough=0.2, spec=0.5, coat=0.15, coat_rough=0.06)


@material
def plaster(s, dark="#c98f63", light="#d8a67c"):
    """Lime-washed wall or painted table."""
    co = s.object_coords()
    cloud, fine = s.noise(co, 1.1, 9, 0.62, 0.2), s.noise(co, 9, 8, 0.7)
    colour = s.mix(s.ramp(cloud, [(0.35, 0.0), (0.7, 1.0)]), dark, light)
    s.principled(color=colour, rough=0.9, spec=0.15, normal=s.bump(s.math("MULTIPLY_ADD", fine, 0.5, cloud), 0.3, 0.06))


@material
def plain(s, colour, rough=0.75, spec=0.2):
    s.principled(color=colour, rough=rough, spec=spec)


@material
def metal(s, kind="brass", hammered=True):
    """Brass, copper or steel; hammered for vessels, brushed-flat for trays."""
    dark, middle, light, rough = {
        "brass": ("#8c5f22", "#c8963e", "#e3bb6a", 0.22),
        "copper": ("#7a3a1e", "#c06a40", "#e09a70", 0.24),
        "steel": ("#8d8d8c", "#b9b8b5", "#d8d6d2", 0.20),
        "iron": ("#17150f", "#26231e", "#37332c", 0.48),
    }[kind]
    co = s.object_coords()
    n = s.noise(co, 6, 5, 0.6)
    s.principled(
        color=s.ramp(n, [(0.3, dark), (0.6, middle), (0.85, light)]), metal=1.0, rough=s.math("MULTIPLY_ADD", n, 0.2, rough - 0.06)
    )
    if hammered:
        s.principled(normal=s.bump(s.voronoi(co, 13, "SMOOTH_F1"), 0.25, 0.03))


@material
def ceramic(s, dark="#26302f", light="#3d4a47"):
    """Speckled stoneware with a thin glaze."""
    co = s.object_coords()
    specks = s.ramp(s.noise(co, 60, 3, 0.7), [(0.66, 0.0), (0.70, 0.5)])
    n = s.noise(co, 3, 5)
    s.principled(
        color=s.mix(specks, s.ramp(n, [(0.35, dark), (0.7, light)]), "#15110d"),
        rough=0.36,
        spec=0.5,
        coat=0.25,
        coat_rough=0.15,
        normal=s.bump(n, 0.06, 0.03),
    )


@material
def clay(s, dark="#8a4a2c", light="#b56a42"):
    """Unglazed terracotta with throwing rings."""
    co = s.object_coords()
    rings = s.noise(s.mapping(co, (1, 1, 30)), 1.0, 3)
    n = s.noise(co, 9, 6, 0.65)
    s.principled(
        color=s.ramp(s.math("MULTIPLY_ADD", n, 0.6, s.math("MULTIPLY", rings, 0.4)), [(0.3, dark), (0.7, light)]),
        rough=0.88,
        spec=0.2,
        normal=s.bump(s.math("ADD", rings, n), 0.25, 0.02),
    )


@material
def weave(s, colour="#cdbb9d", threads=330.0, coarse=0.3):
    """Fine woven cloth over UVs."""
    uv = s.uv()
    x, y = s.separate(uv)[:2]
    wobble = s.math("MULTIPLY", s.noise(uv, threads * 0.2, 3), 4.0)
    pitch = math.pi * threads
    warp = s.math("SINE", s.math("MULTIPLY_ADD", x, pitch, wobble))
    weft = s.math("SINE", s.math("MULTIPLY_ADD", y, pitch, wobble))
    threads_at = s.math("MULTIPLY", warp, weft)
    f = s.math("MULTIPLY_ADD", threads_at, coarse, s.noise(uv, threads * 0.42, 4))
    s.principled(
        color=s.mix(s.ramp(f, [(0.3, 1.0), (0.65, 0.0)]), colour, mix_hex(colour, "#000000", 0.30)),
        rough=0.95,
        spec=0.1,
        sheen=0.25,
        normal=s.bump(threads_at, 0.35, 0.006 * 330 / threads),
    )


@material
def jute(s, colour="#a8834f", threads=130.0):
    """Sackcloth over UVs: round threads that go over and under each other, with gaps between and fibres along them."""
    uv = s.uv()
    drift = s.node("ShaderNodeVectorMath", {0: s.noise_vector(uv, 22.0), "Scale": 0.010}, operation="SCALE").outputs[0]
    x, y = s.separate(s.node("ShaderNodeVectorMath", {0: uv, 1: drift}, operation="ADD").outputs[0])[:2]
    across, along = (s.math("SINE", s.math("MULTIPLY", at, math.pi * threads)) for at in (x, y))
    over = s.math("MULTIPLY", across, along)
    warp, weft = s.math("ADD", s.math("ABSOLUTE", across), over), s.math("SUBTRACT", s.math("ABSOLUTE", along), over)
    height = s.math("MULTIPLY", s.math("MAXIMUM", warp, weft), 0.5)
    fibres = [s.noise(s.mapping(uv, scale), 1.0, 4, 0.7) for scale in ((threads * 9, threads, 1), (threads, threads * 9, 1))]
    fibre = s.mix(s.math("GREATER_THAN", warp, weft), fibres[1], fibres[0])
    shade = s.noise(uv, 14.0, 4, 0.6)
    f = s.math("MULTIPLY_ADD", fibre, 0.5, s.math("MULTIPLY_ADD", shade, 0.35, s.math("MULTIPLY", height, 0.35)))
    tones = [(0.30, mix_hex(colour, "#1c1008", 0.52)), (0.52, mix_hex(colour, "#2a1a0c", 0.22)), (0.74, mix_hex(colour, "#f0dcb4", 0.28))]
    relief = s.bump(fibre, 0.35, 0.006, s.bump(height, 0.9, 0.020))
    s.principled(color=s.ramp(f, tones), rough=0.95, spec=0.1, sheen=0.2, normal=relief)


@material
def film(s, colour_map, foil_map, cut_map=None, foil="#dda84e"):
    """The pouch: matte printed film, gold-foil areas from a mask, crimped top seal, soft creases at the sides."""
    uv = s.uv()
    u, v = s.separate(uv)[:2]
    colour, mask = s.image(colour_map, uv), s.image(foil_map, uv, data=True)
    co = s.object_coords()
    fine, soft = s.noise(co, 260, 2, 0.6), s.noise(co, 9, 3, 0.5)
    seal = 1 - 0.17 / 2.05
    crimp = s.math("MULTIPLY", s.math("SINE", s.math("MULTIPLY", v, 2 * math.pi * 230)), s.math("GREATER_THAN", v, seal + 0.004))
    off_centre = s.math("ABSOLUTE", s.math("SUBTRACT", u, 0.5))
    at_sides = s.math("MULTIPLY", s.smoothstep(off_centre, 0.26, 0.43), s.smoothstep(off_centre, 0.475, 0.445))
    side_creases = s.math("MULTIPLY", s.noise(s.mapping(uv, (2.2, 15, 1), (0, 0, 0.12)), 1.0, 3, 0.5), at_sides)
    near_seal = s.math("MULTIPLY", s.smoothstep(v, 0.72, 0.90), s.math("LESS_THAN", v, seal))
    top_creases = s.math("MULTIPLY", s.noise(s.mapping(uv, (15, 1.6, 1)), 1.0, 2, 0.5), near_seal)
    normal = s.bump(s.math("MULTIPLY_ADD", top_creases, 0.4, side_creases), 0.36, 0.06)
    normal = s.bump(soft, 0.10, 0.02, s.bump(fine, 0.045, 0.004, s.bump(crimp, 0.35, 0.004, normal)))
    rough = s.math("ADD", s.math("MULTIPLY_ADD", mask, -0.20, 0.44), s.math("MULTIPLY", soft, 0.06))
    s.principled(color=s.mix(mask, colour, foil), metal=s.math("MULTIPLY", mask, 0.62), rough=rough, normal=normal, spec=0.45)
    if cut_map:
        s.principled(alpha=s.image(cut_map, uv, data=True))
