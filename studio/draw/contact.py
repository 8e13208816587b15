"""A contact sheet of every picture, to review the whole set."""

from pathlib import Path

from PIL import Image

from studio.jobs import all_jobs
from studio.paths import PICTURES

CELL, COLUMNS = 200, 12


def contact_sheet(target: Path) -> None:
    """Products by kind, then heroes, phone crops and tiles; each fitted into a square."""
    jobs = sorted(all_jobs(), key=lambda job: ("lifestyle", "pouch", "closeup", "hero", "phone", "tile").index(job.kind))
    rows: list[list] = []
    for kind in dict.fromkeys(job.kind for job in jobs):
        same = [job for job in jobs if job.kind == kind]
        rows += [same[i : i + COLUMNS] for i in range(0, len(same), COLUMNS)]
    sheet = Image.new("RGB", (COLUMNS * CELL, len(rows) * CELL), "#17100d")
    for y, row in enumerate(rows):
        for x, job in enumerate(row):
            picture = Image.open(PICTURES / job.file).convert("RGB")
            picture.thumbnail((CELL - 6, CELL - 6), Image.LANCZOS)
            sheet.paste(picture, (x * CELL + (CELL - picture.width) // 2, y * CELL + (CELL - picture.height) // 2))
    sheet.save(target, quality=80, method=6)
