#!/usr/bin/env python3
"""Prints the licences and notices of the crates and npm packages that the binary contains, each text once.

    scripts/package-notices.py >FILE

Needs the sources: cargo's registry folder and web/node_modules.
"""

import json
import re
from pathlib import Path

from sbom import ROOT, compiled_in, run

LEGAL = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def texts(folder: Path) -> list[str]:
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and LEGAL.match(file.name)]
    return [file.read_text(errors="replace").strip() for file in files]


def crates() -> list[tuple[str, str, Path]]:
    host = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)[1]
    metadata = json.loads(run("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host))
    wanted = compiled_in(metadata)
    return [
        (f"{package['name']} {package['version']}", package["license"] or "see below", Path(package["manifest_path"]).parent)
        for package in metadata["packages"]
        if package["id"] in wanted and package["source"]
    ]


def npm_packages() -> list[tuple[str, str, Path]]:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    return [
        (f"{path.rpartition('node_modules/')[2]} {entry['version']}", entry.get("license", "see below"), ROOT / "web" / path)
        for path, entry in packages.items()
        if path and not entry.get("dev") and not entry.get("optional")
    ]


def main() -> None:
    owners: dict[str, list[str]] = {}
    print("Mirasa contains these packages of others, under the licences named beside them.\n")
    for name, licence, folder in crates() + npm_packages():
        print(f"  {name}: {licence}")
        for text in texts(folder):
            owners.setdefault(text, []).append(name)
    for text, names in owners.items():
        print(f"\n{'-' * 78}\n{', '.join(names)}\n\n{text}")


main()
