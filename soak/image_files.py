"""Generates image files that are small to send and large to decode. Each is valid: a decoder reads it to the end without an
error. Uses Python's standard library only."""

import random
import struct
import zlib

ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
RGB, RGBA = 2, 6


def png(width, height, depth=8, colour=RGB, noise=False, interlaced=False, seed=1):
    """A black image, or noise that repeats within the 32 KiB window of deflate."""
    size = depth // 8 * (3 if colour == RGB else 4)
    rng = random.Random(seed)
    block = rng.randbytes(500 * size) if noise else bytes(500 * size)
    line = block * (width // 500 + 2)
    compressor = zlib.compressobj(1)
    compressed = []

    def row(pixels):
        start = rng.randrange(500) * size if noise else 0
        compressed.append(compressor.compress(b"\0" + line[start:start + pixels * size]))

    if interlaced:
        for x, y, dx, dy in ADAM7:
            for _ in range(-(-(height - y) // dy)):
                row(-(-(width - x) // dx))
    else:
        for _ in range(height):
            row(width)
    compressed.append(compressor.flush())

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, int(interlaced))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"".join(compressed)) + chunk(b"IEND", b"")


def jpeg(width, height, progressive=False):
    """A uniform grey image, three components in full resolution. Width and height must be multiples of 16."""
    def segment(marker, body):
        return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body

    # Two codes a table: category 0 is 00, end of block is 01.
    table = bytes([0, 2] + [0] * 14)
    tables = b"".join(segment(0xC4, bytes([kind]) + table + bytes([0, 1])) for kind in (0x00, 0x10))
    frame = struct.pack(">BHHB", 8, height, width, 3) + b"".join(bytes([number, 0x11, 0]) for number in (1, 2, 3))
    scan = bytes([3, 1, 0, 2, 0, 3, 0, 0, 0 if progressive else 63, 0])
    blocks = width // 8 * (height // 8)
    # A progressive image needs only its first scan. Each block is 00, or 00 and the end of block, which is 00 in its own
    # table: all bits are zero.
    bits = blocks * 3 * (2 if progressive else 4)
    return (b"\xff\xd8" + segment(0xDB, bytes([0]) + bytes([1] * 64)) + segment(0xC2 if progressive else 0xC0, frame) + tables
            + segment(0xDA, scan) + bytes(-(-bits // 8)) + b"\xff\xd9")


class Bits:
    """Writes bits with the lowest bit first, as GIF and WebP require."""

    def __init__(self):
        self.value, self.count, self.bytes = 0, 0, bytearray()

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count
        while self.count >= 8:
            self.bytes.append(self.value & 0xFF)
            self.value >>= 8
            self.count -= 8

    def done(self):
        self.put(0, 7)
        return bytes(self.bytes)


def gif(width, height, frames=1):
    """One colour. A run of n equal pixels is one code, one longer than the last."""
    left, bits, clear, end = width * height, Bits(), 4, 5
    while left:
        bits.put(clear, wide := 3)
        bits.put(0, wide)
        left, run, code = left - 1, 2, 6
        while left >= run and code < 4095:
            bits.put(code, wide)
            left, run, code = left - run, run + 1, code + 1
            if code == 1 << wide and wide < 12:
                wide += 1
        if left < run:
            while left:
                # The rest of the last run, pixel by pixel; each adds an unused code.
                bits.put(0, wide)
                left, code = left - 1, code + 1
                if code == 1 << wide and wide < 12:
                    wide += 1
                if code >= 4094:
                    break
    bits.put(end, wide)
    data = bits.done()
    blocks = b"".join(bytes([len(part)]) + part for part in (data[at:at + 255] for at in range(0, len(data), 255)))
    screen = struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes([200, 30, 20, 0, 0, 0])
    frame = b"\x21\xf9\x04\0\x0a\0\0\0" + b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02" + blocks + b"\0"
    return b"GIF89a" + screen + frame * frames + b"\x3b"


def webp(width, height, frames=1):
    """A lossless image of one colour: a pixel takes no bits. With several frames, an animation."""
    bits = Bits()
    bits.put(0x2F, 8)
    bits.put(width - 1, 14)
    bits.put(height - 1, 14)
    bits.put(0, 1 + 3)
    bits.put(0, 3)  # no transform, no colour cache, one set of codes
    for _ in range(5):
        bits.put(0b001, 3)  # a code with one symbol, of one bit
        bits.put(0, 1)

    def chunk(kind, body):
        return kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    def three(number):
        return struct.pack("<I", number)[:3]

    image = chunk(b"VP8L", bits.done())
    if frames > 1:
        size = three(width - 1) + three(height - 1)
        frame = chunk(b"ANMF", three(0) * 2 + size + three(100) + b"\0" + image)
        image = chunk(b"VP8X", b"\x02\0\0\0" + size) + chunk(b"ANIM", bytes(6)) + frame * frames
    return chunk(b"RIFF", b"WEBP" + image)
