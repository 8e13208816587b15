"""Fetches the open fonts (SIL OFL 1.1) from npm, and turns text into SVG paths.

Labels are set by librsvg through a private fontconfig file, because Devanagari needs real shaping;
the brand marks carry their letters as paths, so that no page has to load a font to show the logo.
"""

import html
import os
import subprocess
import tarfile
import tempfile
from functools import lru_cache
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from PIL import Image

from studio.paths import FONTS

PACKAGES = {
    "dm-serif-display": ("5.3.0", ["latin-400-normal", "latin-ext-400-normal"]),
    "rozha-one": ("5.3.0", ["devanagari-400-normal"]),
    "poppins": ("5.3.0", ["latin-400-normal", "latin-500-normal", "latin-600-normal"]),
}
FONTCONFIG = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{dir}</dir><cachedir>{dir}/cache</cachedir></fontconfig>
"""


def prepare() -> None:
    """Download and convert whatever is not in the cache yet."""
    FONTS.mkdir(parents=True, exist_ok=True)
    for package, (version, faces) in PACKAGES.items():
        wanted = [(face, FONTS / f"{package}-{face}.ttf") for face in faces]
        if all(target.exists() for _, target in wanted):
            continue
        with tempfile.TemporaryDirectory() as tmp:
            name = (
                subprocess.check_output(["npm", "pack", "--silent", f"@fontsource/{package}@{version}"], cwd=tmp, text=True)
                .strip()
                .splitlines()[-1]
            )
            with tarfile.open(Path(tmp) / name) as tar:
                tar.extractall(tmp, filter="data")
            for face, target in wanted:
                font = TTFont(Path(tmp) / "package" / "files" / f"{package}-{face}.woff2")
                font.flavor = None
                font.save(target)
    (FONTS / "fonts.conf").write_text(FONTCONFIG.format(dir=FONTS))


def rasterise(svg: str, target: Path, width: int) -> None:
    """Render an SVG string to PNG with the studio's own fonts only."""
    target.parent.mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "FONTCONFIG_FILE": str(FONTS / "fonts.conf")}
    subprocess.run(["rsvg-convert", "-w", str(width), "-o", str(target)], input=svg.encode(), check=True, env=env)


@lru_cache(maxsize=None)
def shaped_width(text: str, family: str) -> float:
    """Inked width of a line at size 1, for scripts whose letters join: measured on a rendering."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3000 160"><text x="20" y="110" font-family="{family}" '
        f'font-size="80">{html.escape(text)}</text></svg>'
    )
    scratch = FONTS / "measure.png"
    rasterise(svg, scratch, 3000)
    left, _, right, _ = Image.open(scratch).getchannel("A").getbbox()
    return (right - left) / 80


@lru_cache(maxsize=None)
def _font(face: str) -> TTFont:
    return TTFont(FONTS / f"{face}.ttf")


def text_width(text: str, face: str, size: float, spacing: float = 0) -> float:
    """Advance width of a line of Latin text, in the same units as size."""
    font = _font(face)
    cmap, metrics = font.getBestCmap(), font["hmtx"]
    scale = size / font["head"].unitsPerEm
    return sum(metrics[cmap.get(ord(c), ".notdef")][0] * scale + spacing for c in text) - spacing


def text_path(text: str, face: str, size: float, x: float, y: float, spacing: float = 0) -> str:
    """SVG path data of a line of Latin text whose baseline starts at x, y."""
    font = _font(face)
    glyphs, cmap, metrics = font.getGlyphSet(), font.getBestCmap(), font["hmtx"]
    scale = size / font["head"].unitsPerEm
    out = []
    for char in text:
        name = cmap[ord(char)]
        pen = SVGPathPen(glyphs, ntos=lambda v: f"{v:.1f}".rstrip("0").rstrip("."))
        glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, x, y)))
        out.append(pen.getCommands())
        x += metrics[name][0] * scale + spacing
    return "".join(out)
