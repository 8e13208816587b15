"""Colour arithmetic for drawings and renders."""


def channels(colour: str) -> list[int]:
    return [int(colour.lstrip("#")[i : i + 2], 16) for i in (0, 2, 4)]


def mix_hex(a: str, b: str, t: float) -> str:
    """Blend two display colours."""
    return "#%02x%02x%02x" % tuple(round(x + (y - x) * t) for x, y in zip(channels(a), channels(b)))


def luminance(colour: str) -> float:
    """Rough perceived brightness, 0 to 1."""
    return sum(w * c / 255 for w, c in zip((0.30, 0.59, 0.11), channels(colour)))


def rgba(colour: str, alpha: float = 1.0) -> tuple[float, float, float, float]:
    """'#rrggbb' (display) to scene-linear."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in channels(colour))]
    return (*linear, alpha)
