"""The list of pictures, the inputs of each, and which are missing or out of date."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from studio.paths import PICTURES, STUDIO
from studio.shop.casting import cast
from studio.shop.catalogue import products
from studio.shop.site import HERO_ALTS, HERO_SIZE, PHONE_SIZE, PRODUCT_SIZE, TILE_ALTS, TILE_SIZE

MANIFEST = STUDIO / "rendered.json"
# Increase a number to render all pictures of that kind again after a change of the scripts.
EDITIONS = {"pouch": 1, "lifestyle": 2, "closeup": 2, "hero": 1, "phone": 1, "tile": 1}
# CPU seconds for a megapixel on one core, as measured; a GPU takes about two seconds for any of them.
CPU_COST = {"pouch": 280, "lifestyle": 450, "closeup": 370, "hero": 400, "phone": 400, "tile": 420}


@dataclass(frozen=True)
class Job:
    kind: str
    subject: str
    file: str
    size: tuple[int, int]
    fingerprint: str

    @property
    def megapixels(self) -> float:
        return self.size[0] * self.size[1] / 1e6


def _fingerprint(kind: str, *facts) -> str:
    text = json.dumps([EDITIONS[kind], *facts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def all_jobs() -> list[Job]:
    """Every rendered picture of the shop."""
    made, catalogue = [], products()
    for product in catalogue.values():
        facts = (asdict(product), asdict(cast(product)))
        for kind, ending in (("pouch", "pouch"), ("lifestyle", "lifestyle shot"), ("closeup", "closeup")):
            made.append(Job(kind, product.id, f"{product.id} {ending}.webp", PRODUCT_SIZE, _fingerprint(kind, *facts)))
    for theme in HERO_ALTS:
        made.append(Job("hero", theme, f"site/hero-{theme}.webp", HERO_SIZE, _fingerprint("hero", theme)))
        made.append(Job("phone", theme, f"site/hero-{theme}-phone.webp", PHONE_SIZE, _fingerprint("phone", theme)))
    for slug in TILE_ALTS:
        made.append(Job("tile", slug, f"site/tile-{slug}.webp", TILE_SIZE, _fingerprint("tile", slug)))
    return made


def rendered() -> dict[str, str]:
    return json.loads(MANIFEST.read_text()) if MANIFEST.exists() else {}


def outstanding(jobs: list[Job], folder: Path = PICTURES) -> list[Job]:
    """Jobs whose picture is missing or was made from other data."""
    known = rendered()
    return [job for job in jobs if known.get(job.file) != job.fingerprint or not (folder / job.file).exists()]


def record(jobs: list[Job]) -> None:
    """Records the inputs of the pictures."""
    current = {job.file for job in all_jobs()}
    known = {file: mark for file, mark in rendered().items() if file in current}
    known |= {job.file: job.fingerprint for job in jobs}
    MANIFEST.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")
