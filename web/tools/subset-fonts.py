#!/usr/bin/env python3
"""Cuts the fonts of the first load to the characters that the shop itself writes: python3 tools/subset-fonts.py

Needs libfreetype (with WOFF2) and libharfbuzz-subset, both in Debian, and Node for Brotli. Writes src/ui/fonts/*.woff2, the
words of the catalogue's Devanagari names to src/shared/product/devanagari-words.ts, and all Devanagari words in src/ to
src/ui/fonts/devanagari.txt; a test compares both lists with their sources.

Latin fonts keep printable ASCII and common punctuation; other characters come from the package's whole file. Of the
Devanagari fonts only the glyphs of these words are kept: in Devanagari most glyphs are ligatures of a few letters, so that a
cut by characters would keep nearly all of them. A name with another word is shown in the whole fonts.
"""
import ctypes as c
import itertools
import re
import struct
import subprocess
import textwrap
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent
OUT = WEB / "src/ui/fonts"
LATIN = [*range(0x20, 0x7F), *map(ord, "\u00a0©·×é‘’“”–—…•")]
RECIPES = [*map(ord, "°¼½¾")]
TEXT_FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "rlig", "tnum", "lnum"]

ft = c.CDLL("libfreetype.so.6")
hb = c.CDLL("libharfbuzz.so.0")
hbs = c.CDLL("libharfbuzz-subset.so.0")
pointer = c.c_void_p
for lib, name in [
    (hb, "hb_blob_create"), (hb, "hb_face_create"), (hb, "hb_font_create"), (hb, "hb_buffer_create"), (hb, "hb_language_from_string"),
    (hb, "hb_face_reference_blob"), (hb, "hb_blob_get_data"), (hb, "hb_buffer_get_glyph_infos"),
    (hbs, "hb_subset_input_create_or_fail"), (hbs, "hb_subset_input_unicode_set"), (hbs, "hb_subset_input_set"),
    (hbs, "hb_subset_or_fail"),
]:
    getattr(lib, name).restype = pointer


def unpack(path):
    """The sfnt file inside a WOFF2 file. FreeType returns all of it for the table 0."""
    library, face, size = pointer(), pointer(), c.c_ulong(0)
    assert ft.FT_Init_FreeType(c.byref(library)) == 0
    assert ft.FT_New_Face(library, str(path).encode(), c.c_long(0), c.byref(face)) == 0, path
    assert ft.FT_Load_Sfnt_Table(face, c.c_ulong(0), c.c_long(0), None, c.byref(size)) == 0
    data = c.create_string_buffer(size.value)
    assert ft.FT_Load_Sfnt_Table(face, c.c_ulong(0), c.c_long(0), data, c.byref(size)) == 0
    return data.raw


def open_face(data):
    buffer = c.create_string_buffer(data, len(data))
    blob = hb.hb_blob_create(buffer, c.c_uint(len(data)), 0, None, None)
    face = hb.hb_face_create(pointer(blob), 0)
    return face, buffer


def subset(data, codepoints, features):
    face, keep = open_face(data)
    request = pointer(hbs.hb_subset_input_create_or_fail())
    for codepoint in codepoints:
        hb.hb_set_add(pointer(hbs.hb_subset_input_unicode_set(request)), c.c_uint(codepoint))
    tags = pointer(hbs.hb_subset_input_set(request, 6))  # HB_SUBSET_SETS_LAYOUT_FEATURE_TAG
    hb.hb_set_clear(tags)
    if features is None:
        hb.hb_set_invert(tags)
    else:
        for feature in features:
            hb.hb_set_add(tags, c.c_uint(int.from_bytes(feature.encode(), "big")))
    cut = hbs.hb_subset_or_fail(pointer(face), request)
    assert cut, "not cut"
    blob, size = pointer(hb.hb_face_reference_blob(pointer(cut))), c.c_uint(0)
    return c.string_at(hb.hb_blob_get_data(blob, c.byref(size)), size.value)


class GlyphInfo(c.Structure):
    _fields_ = [("codepoint", c.c_uint32), ("mask", c.c_uint32), ("cluster", c.c_uint32), ("a", c.c_uint32), ("b", c.c_uint32)]


def glyphs_of(data, texts):
    face, keep = open_face(data)
    font = pointer(hb.hb_font_create(pointer(face)))
    used = {0}
    # A language has letters of its own: in Marathi ल and श look different.
    for text, language in itertools.product(texts, ["mr", "hi"]):
        buffer = pointer(hb.hb_buffer_create())
        encoded = text.encode()
        hb.hb_buffer_add_utf8(buffer, encoded, len(encoded), 0, len(encoded))
        hb.hb_buffer_set_language(buffer, pointer(hb.hb_language_from_string(language.encode(), -1)))
        hb.hb_buffer_guess_segment_properties(buffer)
        hb.hb_shape(font, buffer, None, 0)
        count = c.c_uint(0)
        infos = c.cast(hb.hb_buffer_get_glyph_infos(buffer, c.byref(count)), c.POINTER(GlyphInfo))
        assert all(infos[at].codepoint for at in range(count.value)), f"a glyph is missing: {text}"
        used.update(infos[at].codepoint for at in range(count.value))
    return used


def tables_of(data):
    count = struct.unpack(">H", data[4:6])[0]
    entries = (struct.unpack(">4sLLL", data[12 + 16 * at:28 + 16 * at]) for at in range(count))
    return {tag: data[start:start + size] for tag, _, start, size in entries}


def empty_other_glyphs(tables, used):
    """Keeps the numbers of all glyphs, and the outlines of those that are used."""
    short = struct.unpack(">h", tables[b"head"][50:52])[0] == 0
    loca, glyf = tables[b"loca"], tables[b"glyf"]
    offsets = [2 * n for n in struct.unpack(f">{len(loca) // 2}H", loca)] if short else list(struct.unpack(f">{len(loca) // 4}L", loca))
    outline = lambda glyph: glyf[offsets[glyph]:offsets[glyph + 1]]
    waiting = list(used)
    while waiting:  # parts of composite glyphs
        data = outline(waiting.pop())
        if len(data) < 10 or struct.unpack(">h", data[:2])[0] >= 0:
            continue
        at, more = 10, True
        while more:
            flags, part = struct.unpack(">HH", data[at:at + 4])
            at += 4 + (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
            more = bool(flags & 0x20)
            if part not in used:
                used.add(part)
                waiting.append(part)
    parts, starts, at = [], [], 0
    for glyph in range(len(offsets) - 1):
        starts.append(at)
        if glyph in used:
            data = outline(glyph) + b"\0" * (-len(outline(glyph)) % 4)
            parts.append(data)
            at += len(data)
    starts.append(at)
    head = tables[b"head"]
    return {
        **tables,
        b"glyf": b"".join(parts),
        b"loca": struct.pack(f">{len(starts)}L", *starts),
        b"head": head[:50] + struct.pack(">h", 1) + head[52:],
    }


KNOWN = ("cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX "
         "vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat "
         "fmtx fvar gvar").split(" ")


def base128(number):
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.insert(0, number & 0x7F | 0x80)
    return bytes(groups)


def pack(tables):
    """A WOFF2 file, with its outlines as they are: the format's own coding of them saves a few percent more."""
    drop = {b"DSIG", b"FFTM", b"hdmx", b"VDMX", b"LTSH"}
    order = sorted((tag for tag in tables if tag not in drop and tag != b"loca"), key=lambda tag: tag)
    order.insert(order.index(b"glyf") + 1, b"loca")
    directory, data = b"", b""
    for tag in order:
        text = tag.decode()
        index = KNOWN.index(text.replace(" ", "_")) if text.replace(" ", "_") in KNOWN else 63
        version = 3 if tag in (b"glyf", b"loca") else 0
        directory += bytes([index | version << 6]) + (tag if index == 63 else b"") + base128(len(tables[tag]))
        data += tables[tag]
    script = "const z=require('zlib');process.stdout.write(z.brotliCompressSync(require('fs').readFileSync(0),{params:{[z.constants.BROTLI_PARAM_MODE]:2,[z.constants.BROTLI_PARAM_QUALITY]:11,[z.constants.BROTLI_PARAM_LGWIN]:22}}))"
    packed = subprocess.run(["node", "-e", script], input=data, capture_output=True, check=True).stdout
    sfnt_size = 12 + 16 * len(order) + sum(len(tables[tag]) + -len(tables[tag]) % 4 for tag in order)
    total = 48 + len(directory) + len(packed)
    total += -total % 4
    header = struct.pack(">4sLLHHLLHHLLLLL", b"wOF2", 0x00010000, total, len(order), 0, sfnt_size, len(packed), 1, 0, 0, 0, 0, 0, 0)
    file = header + directory + packed
    return file + b"\0" * (-len(file) % 4)


WORD = re.compile(r"[\u0900-\u097f\u200c\u200d]+")


def write_name_words():
    names = (WORD.findall(path.read_text()) for path in (WEB.parent / "catalogue/products").glob("*.toml"))
    words = " ".join(sorted({word for name in names for word in name}))
    lines = textwrap.wrap(words, 110)
    literal = " +\n".join(f"  '{line}{' ' if line != lines[-1] else ''}'" for line in lines)
    (WEB / "src/shared/product/devanagari-words.ts").write_text(
        "// Written by tools/subset-fonts.py: the words of the catalogue's Devanagari names, which the cut font has.\n"
        f"export const NAME_WORDS =\n{literal};\n"
    )


def devanagari_words():
    found = set()
    for path in sorted((WEB / "src").rglob("*.ts*")):
        if ".test." not in path.name and "testing" not in path.parts:
            found.update(WORD.findall(path.read_text()))
    return sorted(found)


def write(name, tables):
    data = pack(tables)
    (OUT / name).write_bytes(data)
    print(f"{len(data):7} {name}")


def main():
    fonts = WEB / "node_modules"
    figtree = unpack(fonts / "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2")
    write("figtree.woff2", tables_of(subset(figtree, LATIN + RECIPES, TEXT_FEATURES)))
    serif = unpack(fonts / "@fontsource/dm-serif-display/files/dm-serif-display-latin-400-normal.woff2")
    write("dm-serif-display.woff2", tables_of(subset(serif, LATIN, TEXT_FEATURES)))
    write_name_words()
    texts = devanagari_words()
    (OUT / "devanagari.txt").write_text("\n".join(texts) + "\n")
    for name, file in [
        ("rozha-one", "rozha-one/files/rozha-one-devanagari-400-normal.woff2"),
        ("vesper-libre", "vesper-libre/files/vesper-libre-devanagari-700-normal.woff2"),
    ]:
        cut = subset(unpack(fonts / "@fontsource" / file), {ord(char) for char in "".join(texts)}, None)
        write(f"{name}.woff2", empty_other_glyphs(tables_of(cut), glyphs_of(cut, texts)))


main()
