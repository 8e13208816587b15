"""The pouch alone: straight front, soft coloured paper, the label readable."""

from studio.colours import luminance, mix_hex
from studio.scene import grounds, lights, surfaces
from studio.scene.stage import Stage


def packshot(s: Stage):
    """Paper in a pale tint of the product's own colours; pouch turned a little, light from its side."""
    tint = s.product.accent if s.seed % 3 else s.product.pouch
    paper = mix_hex(tint, "#f1e6d6", 0.80 if luminance(tint) > 0.4 else 0.84)
    grounds.sweep(surfaces.plain(paper, 0.75, 0.2))
    yaw = (-13, -8, 8, 13)[s.seed % 4]
    s.pouch(0, 0, yaw)
    k = -1 if yaw * s.mirror < 0 else 1
    lights.area((k * 3.6, -2.6, 4.6), (0, 0, 0.9), 2.0, 330, (1, 0.97, 0.93), 2.6)
    lights.area((-k * 3.8, -0.9, 2.0), (0, 0, 1.1), 0.8, 95, (1, 0.95, 0.9), 3.4)
    lights.area((0.4, -7, 3.2), (0, 0, 0.9), 4, 70)
    lights.area((-k * 1.2, 2.6, 4.2), (0, 0, 1.4), 1.2, 70)
    lights.sky("#ffffff", "#d8c8b4", 0.20)
    lights.camera((0, -9.2, 1.95), (0, 0, 1.0), 122)
    return -0.05
