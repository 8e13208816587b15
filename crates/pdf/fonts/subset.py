#!/usr/bin/env python3
"""Makes the fonts of the PDF documents: python3 crates/pdf/fonts/subset.py

Needs npm and fonttools (pip install fonttools). Fetches whole TrueType files from the npm registry, removes characters and
features that documents do not use, and writes *.ttf and their licences beside this file.

Devanagari keeps every letter and conjunct of the font, because customers type names and addresses. Mukta also keeps its
Latin letters: it has letters of transliterated Sanskrit (ṭ, ṣ, ṛ) that Figtree does not have.
"""
import subprocess
import tarfile
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).resolve().parent
LATIN = [
    *range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x2B0, 0x370), *range(0x1E00, 0x1F00),
    *range(0x2000, 0x2070), *range(0x20A0, 0x20C0), *range(0x2100, 0x2150), 0x2190, 0x2192, 0x2212, 0x2248, 0x2260, 0xFFFD,
]
HEADINGS = [*range(0x20, 0x7F), *range(0xA0, 0x100), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026]
LATIN_LETTERS = [*range(0x20, 0x7F), *range(0xC0, 0x180), *range(0x300, 0x370), *range(0x1E00, 0x1F00), *range(0x2010, 0x2027), 0x20B9]
DEVANAGARI = [*range(0x900, 0x980), 0x200C, 0x200D, 0x25CC]
LATIN_FEATURES = ["kern", "ccmp", "locl", "mark", "mkmk", "liga", "tnum"]
INDIC_FEATURES = [
    "nukt", "akhn", "rphf", "rkrf", "blwf", "half", "vatu", "cjct", "pres", "abvs", "blws", "psts", "haln", "abvm", "blwm",
    "dist", "init",
]
# package, version, file, written as, characters, features
FONTS = [
    ("figtree", "0.4.1", "400Regular/Figtree_400Regular.ttf", "figtree-regular", LATIN, LATIN_FEATURES),
    ("figtree", "0.4.1", "600SemiBold/Figtree_600SemiBold.ttf", "figtree-semibold", LATIN, LATIN_FEATURES),
    ("dm-serif-display", "0.4.2", "400Regular/DMSerifDisplay_400Regular.ttf", "dm-serif-display", HEADINGS, LATIN_FEATURES),
    ("mukta", "0.4.1", "400Regular/Mukta_400Regular.ttf", "mukta-regular", LATIN_LETTERS + DEVANAGARI, LATIN_FEATURES + INDIC_FEATURES),
    ("mukta", "0.4.1", "600SemiBold/Mukta_600SemiBold.ttf", "mukta-semibold", LATIN_LETTERS + DEVANAGARI, LATIN_FEATURES + INDIC_FEATURES),
]


def fetch(package, version, folder):
    name = f"@expo-google-fonts/{package}@{version}"
    packed = subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=True, capture_output=True, text=True)
    with tarfile.open(Path(folder) / packed.stdout.strip()) as archive:
        archive.extractall(Path(folder) / package, filter="data")
    return Path(folder) / package / "package"


def main():
    with tempfile.TemporaryDirectory() as folder:
        for package, version, file, name, characters, features in FONTS:
            source = Path(folder) / package / "package"
            if not source.exists():
                source = fetch(package, version, folder)
                (HERE / f"OFL-{package}.txt").write_text((source / "LICENSE_FONT").read_text())
            # The file's own time is kept, so that the same input gives the same bytes.
            font = TTFont(source / file, recalcTimestamp=False)
            options = subset.Options(
                layout_features=features, notdef_outline=True, hinting=False, glyph_names=False, legacy_kern=False,
                drop_tables=[*subset.Options().drop_tables, "DSIG", "meta", "gasp"], recalc_timestamp=False,
            )
            cutter = subset.Subsetter(options)
            cutter.populate(unicodes=characters)
            cutter.subset(font)
            target = HERE / f"{name}.ttf"
            font.save(target)
            print(f"{target.stat().st_size:7} {target.name}")


main()
