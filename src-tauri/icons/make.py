#!/usr/bin/env python3
"""Draws the icons of the program from the mark: the rangoli knot r² = |cos 2θ| round four dots.

    python3 src-tauri/icons/make.py

Needs only Python. The colours are those of `ui/src/theme/tokens.css` (neeli, ink, arishina), the
proportions those of `ui/src/components/Mark.tsx`. The pictures are committed; run it again after
a change of the mark.
"""

import math
import struct
import zlib
from pathlib import Path

HERE = Path(__file__).parent
TILE = (67, 66, 172)  # --neeli-fill
LINE = (242, 242, 247)  # --canvas
DOT = (246, 182, 31)  # --turn: the tray and the shelf are where it calls
SAMPLES = 4  # per side and pixel
STEPS = 720

# In units of the mark's 24: middle, reach of the line, its width, distance and radius of the dots.
MIDDLE, REACH, WIDTH, DISTANCE, RADIUS = 12.0, 11.0, 1.7, 7.0, 1.9


def knot():
    points = []
    for step in range(STEPS + 1):
        angle = step / STEPS * 2 * math.pi
        cosine = math.cos(2 * angle)
        reach = REACH * math.copysign(math.sqrt(abs(cosine)), cosine)
        points.append((MIDDLE + reach * math.cos(angle), MIDDLE + reach * math.sin(angle)))
    return points


def near_line(margin, size):
    """Which samples lie on the line, as a set of places in the picture's grid."""
    side, half = size * SAMPLES, WIDTH / 2
    unit = (size - 2 * margin) / 24 * SAMPLES
    covered = bytearray(side * side)
    reach = half * unit
    for x, y in knot():
        centre_x, centre_y = margin * SAMPLES + x * unit, margin * SAMPLES + y * unit
        for row in range(max(0, int(centre_y - reach)), min(side, int(centre_y + reach) + 2)):
            for column in range(max(0, int(centre_x - reach)), min(side, int(centre_x + reach) + 2)):
                if (column + 0.5 - centre_x) ** 2 + (row + 0.5 - centre_y) ** 2 <= reach * reach:
                    covered[row * side + column] = 1
    return covered


def in_dot(x, y):
    dots = ((DISTANCE, 0), (-DISTANCE, 0), (0, DISTANCE), (0, -DISTANCE))
    return any((x - MIDDLE - dx) ** 2 + (y - MIDDLE - dy) ** 2 <= RADIUS**2 for dx, dy in dots)


def in_tile(x, y, size):
    """A square with the corners of the large radius."""
    corner = size * 0.22
    inset_x = max(corner - x, x - (size - corner), 0)
    inset_y = max(corner - y, y - (size - corner), 0)
    return inset_x**2 + inset_y**2 <= corner**2


def picture(size):
    margin = size * 0.14
    line = near_line(margin, size)
    unit = (size - 2 * margin) / 24
    rows = []
    for row in range(size):
        pixels = bytearray()
        for column in range(size):
            total = [0, 0, 0, 0]
            for sample in range(SAMPLES * SAMPLES):
                sub_x, sub_y = column * SAMPLES + sample % SAMPLES, row * SAMPLES + sample // SAMPLES
                x, y = (sub_x + 0.5) / SAMPLES, (sub_y + 0.5) / SAMPLES
                if not in_tile(x, y, size):
                    continue
                colour = TILE
                if in_dot((x - margin) / unit, (y - margin) / unit):
                    colour = DOT
                elif line[sub_y * size * SAMPLES + sub_x]:
                    colour = LINE
                for channel in range(3):
                    total[channel] += colour[channel]
                total[3] += 1
            count = total[3]
            pixels += bytes(value // count for value in total[:3]) if count else b"\0\0\0"
            pixels.append(count * 255 // (SAMPLES * SAMPLES))
        rows.append(bytes(pixels))
    return rows


def png(rows, size):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def ico(pictures):
    """The Windows container, with PNG pictures inside."""
    directory, body, offset = b"", b"", 6 + 16 * len(pictures)
    for size, data in pictures:
        directory += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), offset + len(body))
        body += data
    return struct.pack("<HHH", 0, 1, len(pictures)) + directory + body


def icns(pictures):
    """The macOS container, with PNG pictures inside."""
    kinds = {128: b"ic07", 256: b"ic08", 512: b"ic09", 1024: b"ic10"}
    body = b"".join(kinds[size] + struct.pack(">I", len(data) + 8) + data for size, data in pictures)
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def main():
    made = {size: png(picture(size), size) for size in (16, 32, 48, 64, 128, 256, 512)}
    names = {32: "32x32.png", 64: "64x64.png", 128: "128x128.png", 256: "128x128@2x.png", 512: "icon.png"}
    for size, name in names.items():
        (HERE / name).write_bytes(made[size])
    (HERE / "icon.ico").write_bytes(ico([(size, made[size]) for size in (16, 32, 48, 64, 256)]))
    (HERE / "icon.icns").write_bytes(icns([(size, made[size]) for size in (128, 256, 512)]))


if __name__ == "__main__":
    main()
