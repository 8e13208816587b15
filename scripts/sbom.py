#!/usr/bin/env python3
"""Writes a software bill of materials (CycloneDX 1.5): the crates in the binary and the npm packages in the web app.

    scripts/sbom.py FILE
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "mirasa"


def run(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def compiled_in(metadata: dict) -> set[str]:
    """Ids of the packages that the binary needs to be built or run; not those that only its tests need."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [next(package["id"] for package in metadata["packages"] if package["name"] == PROGRAM)]
    seen = set(waiting)
    while waiting:
        for needed in nodes[waiting.pop()]["deps"]:
            kinds = {kind["kind"] for kind in needed["dep_kinds"]}
            if kinds != {"dev"} and needed["pkg"] not in seen:
                seen.add(needed["pkg"])
                waiting.append(needed["pkg"])
    return seen


def crates() -> tuple[list[dict], dict[str, list[str]]]:
    metadata = json.loads(run("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"))
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    inside = compiled_in(metadata)
    packages = {package["id"]: package for package in metadata["packages"] if package["id"] in inside}
    names = {key: f"pkg:cargo/{package['name']}@{package['version']}" for key, package in packages.items()}
    components = []
    for key, package in packages.items():
        component = {"type": "library", "name": package["name"], "version": package["version"], "purl": names[key], "bom-ref": names[key]}
        if package["license"]:
            component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if checksum := checksums[package["name"], package["version"]]:
            component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        components.append(component)
    needs = {
        names[node["id"]]: sorted(names[needed["pkg"]] for needed in node["deps"] if needed["pkg"] in names)
        for node in metadata["resolve"]["nodes"] if node["id"] in names
    }
    return components, needs


def packages() -> tuple[list[dict], dict[str, list[str]]]:
    bill = json.loads(run("npm", "--prefix", "web", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev"))
    return bill["components"], {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}


def main() -> None:
    (crate_list, crate_needs), (package_list, package_needs) = crates(), packages()
    version = next(crate["version"] for crate in crate_list if crate["name"] == PROGRAM)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "mirasa", "version": version, "bom-ref": "mirasa"}},
        "components": sorted(crate_list + package_list, key=lambda component: component["bom-ref"]),
        "dependencies": [{"ref": name, "dependsOn": needs} for name, needs in sorted((crate_needs | package_needs).items())],
    }
    Path(sys.argv[1]).write_text(json.dumps(bill, indent=1) + "\n")
    print(f"{sys.argv[1]}: {len(crate_list)} crates, {len(package_list)} npm packages")


if __name__ == "__main__":
    main()
