"""Ornament of the labels: arches, block-print butis, the rosette at the foot."""

import math

from studio.draw.brand import petal, rosette


def arch(left, right, foot, spring, tip, style=0, inset=0.0) -> str:
    """A frame: 0 multifoil arch, 1 pointed ogee, 2 round shoulders. Grows outward with a negative inset."""
    left, right, foot, tip = left + inset, right - inset, foot - inset, tip + inset * 1.25
    centre, half = (left + right) / 2, (right - left) / 2
    start = f"M{left:.1f} {foot - 40:.1f}L{left:.1f} {spring:.1f}"
    end = (
        f"L{right:.1f} {foot - 40:.1f}Q{right:.1f} {foot:.1f} {right - 40:.1f} {foot:.1f}L{left + 40:.1f} {foot:.1f}"
        f"Q{left:.1f} {foot:.1f} {left:.1f} {foot - 40:.1f}Z"
    )
    if style == 1:
        rise = spring - tip
        return (
            start
            + f"C{left:.1f} {spring - rise * 0.62:.1f} {centre - half * 0.52:.1f} {tip + rise * 0.34:.1f} {centre - half * 0.26:.1f} {tip + rise * 0.20:.1f}"
            f"S{centre - 14:.1f} {tip + rise * 0.12:.1f} {centre:.1f} {tip:.1f}S{centre + half * 0.12:.1f} {tip + rise * 0.13:.1f} {centre + half * 0.26:.1f} {tip + rise * 0.20:.1f}"
            f"C{centre + half * 0.52:.1f} {tip + rise * 0.34:.1f} {right:.1f} {spring - rise * 0.62:.1f} {right:.1f} {spring:.1f}" + end
        )
    foils = 4 if style == 0 else 3
    points = []
    for k in range(foils + 1):
        angle = k / foils * 0.80 * math.pi / 2
        points.append((centre - half * math.cos(angle) ** 0.92, spring - (spring - tip) * 0.80 * math.sin(angle)))
    out = start
    bulge = 0.56 if style == 0 else 0.9
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        r = math.hypot(bx - ax, by - ay) * bulge
        out += f"A{r:.1f} {r:.1f} 0 0 1 {bx:.1f} {by:.1f}"
    lx, ly = points[-1]
    out += (
        f"C{lx + (centre - lx) * 0.55:.1f} {ly - 6:.1f} {centre - 14:.1f} {tip + (ly - tip) * 0.55:.1f} {centre:.1f} {tip:.1f}"
        f"C{centre + 14:.1f} {tip + (ly - tip) * 0.55:.1f} {2 * centre - lx - (centre - lx) * 0.55:.1f} {ly - 6:.1f} {2 * centre - lx:.1f} {ly:.1f}"
    )
    for (ax, ay), (bx, by) in zip(points[::-1], points[-2::-1]):
        r = math.hypot(bx - ax, by - ay) * bulge
        out += f"A{r:.1f} {r:.1f} 0 0 1 {2 * centre - bx:.1f} {by:.1f}"
    return out + end


def _turned(shape: str, fill: str, turns, y=0.0) -> str:
    return "".join(f'<path d="{shape}" transform="translate(0 {y}) rotate({a})" fill="{fill}"/>' for a in turns)


def buti(style: int, tone: str, inner: str) -> str:
    """One tone-on-tone block print, about 90 units tall around the origin."""
    if style == 0:
        return (
            f'<path d="M0-46C28-30 36 8 20 30C8 46-18 46-28 28C-38 8-26-12-10-22C2-30 4-38 0-46Z" fill="{tone}"/>'
            f'<path d="M-2-18C14-8 18 10 8 22C0 30-14 28-18 16C-20 4-12-6-2-18Z" fill="{inner}"/><circle cx="-3" cy="10" r="6" fill="{tone}"/>'
        )
    if style == 1:
        return (
            _turned(petal(0, 62, 22), tone, [0], 16)
            + _turned(petal(0, 54, 17), tone, (-34, 34), 16)
            + _turned(petal(0, 44, 14), tone, (-68, 68), 16)
            + _turned(petal(8, 44, 9), inner, [0], 16)
        )
    if style == 2:
        return f'<path d="M0 48V-20" stroke="{tone}" stroke-width="4"/>' + "".join(
            _turned(petal(0, 34, 13), tone, [a], y) for y, a in ((34, -52), (34, 52), (8, -48), (8, 48), (-16, 0))
        )
    if style == 3:
        return f'<g>{rosette(8, 8, 44, 11, tone)}<circle r="9" fill="{tone}"/></g>'
    return (
        f'<path d="M0-34L26 0L0 34L-26 0Z" fill="none" stroke="{tone}" stroke-width="6"/><path d="M0-15L12 0L0 15L-12 0Z" fill="{tone}"/>'
    )


def _dots(count: int, radius: float, size: float, fill: str, turn=0.0) -> str:
    return "".join(
        f'<circle cx="{radius * math.sin(a):.1f}" cy="{-radius * math.cos(a):.1f}" r="{size}" fill="{fill}"/>'
        for a in (2 * math.pi * (k + turn) / count for k in range(count))
    )


def rosette_panel(x, y, style, base, accent, between, cream, gold) -> str:
    """The half sun that rises from the frame's foot: four drawings of it."""
    n = (20, 16, 24, 18)[style]
    out = f'<g transform="translate({x} {y}) scale(.80)">'
    if style == 0:
        out += (
            rosette(n, 150, 372, 52, base)
            + rosette(n, 170, 338, 34, accent)
            + rosette(n, 190, 300, 17, between)
            + _dots(n, 352, 8, gold, 0.5)
        )
    elif style == 1:
        out += (
            rosette(n, 120, 366, 78, accent, 0.5)
            + rosette(n, 130, 366, 62, base)
            + rosette(n, 180, 320, 26, cream)
            + rosette(n, 200, 300, 12, accent)
        )
    elif style == 2:
        out += "".join(
            f'<path d="M0 -240L13 -372L-13 -372Z" transform="rotate({360 * k / n:.1f})" fill="{base if k % 2 else accent}"/>'
            for k in range(n)
        )
        out += _dots(n, 384, 9, gold) + _dots(n, 262, 13, between, 0.5)
    else:
        out += _dots(n, 330, 52, base) + _dots(n, 330, 34, accent) + _dots(n, 330, 14, cream) + rosette(n, 170, 300, 24, between, 0.5)
    out += (
        f'<circle r="236" fill="{cream}"/><circle r="228" fill="{base}"/>'
        + rosette(n, 110, 222, 27, between, 0.5)
        + rosette(n, 120, 196, 15, base, 0.5)
    )
    out += (
        f'<circle r="142" fill="{gold}"/><circle r="134" fill="{accent}"/>'
        + rosette(n // 2, 20, 128, 22, cream)
        + rosette(n // 2, 30, 104, 11, base)
    )
    return out + f'<circle r="40" fill="{gold}"/></g>'
