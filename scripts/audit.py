#!/usr/bin/env python3
"""Checks all dependencies: known vulnerabilities, yanked or deprecated versions, licences and sources.

    scripts/audit.py            fails on any finding; prints which sources could not be queried

RustSec's advisories are on GitHub, npm's are an endpoint of its registry. When one of them cannot be reached, the
registries still report yanked crates and deprecated packages, and those fail the check too.
An exception goes into deny.toml, or below, with its reason.
"""

import http.client
import json
import re
import shutil
import ssl
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INDEX = "index.crates.io"
ADVISORIES = "https://github.com/rustsec/advisory-db"
TIMEOUT_S = 20

# package: the reason for the exception
ALLOWED_YANKED: dict[str, str] = {}
ALLOWED_DEPRECATED: dict[str, str] = {}


def run(*command: str, **more) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **more)


def reachable(repository: str) -> bool:
    try:
        return run("git", "ls-remote", repository, "HEAD", timeout=TIMEOUT_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def allowed(expression: str, licences: set[str]) -> bool:
    """Whether an SPDX expression can be met by these licences; some crates still write / for OR."""
    tokens = re.findall(r"[()]|[^\s()/]+|/", re.sub(r" WITH \S+", "", expression))
    words = {"OR": "or", "/": "or", "AND": "and", "(": "(", ")": ")"}
    # The expression consists only of these words, True and False.
    return bool(eval(" ".join(words.get(token) or str(token in licences) for token in tokens)))


def check_licences_and_sources() -> list[str]:
    rules = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]
    exceptions = {rule["name"]: set(rule["allow"]) for rule in rules["exceptions"]}
    packages = json.loads(run("cargo", "metadata", "--format-version", "1", "--locked").stdout)["packages"]
    found = []
    for package in packages:
        name, source = package["name"], package["source"]
        if not source:
            continue
        if not source.startswith("registry+https://github.com/rust-lang/crates.io-index"):
            found.append(f"{name}: comes from {source}")
        if not allowed(package["license"] or "none", set(rules["allow"]) | exceptions.get(name, set())):
            found.append(f"{name}: its licence {package['license']} is not one of those in deny.toml")
    print(f"  licences and sources: {len(packages)} crates, {len(found)} violations")
    return found


def check_crate_advisories() -> list[str]:
    if not shutil.which("cargo-deny") or not reachable(ADVISORIES):
        print("  RustSec's advisories: not checked, because cargo-deny is not installed or GitHub cannot be reached")
        return []
    result = run("cargo-deny", "--workspace", "check", "--hide-inclusion-graph")
    print("  cargo deny check: " + ("ok" if result.returncode == 0 else "failed"))
    return [] if result.returncode == 0 else [result.stderr.strip()]


def index_path(name: str) -> str:
    folder = {1: "1", 2: "2", 3: f"3/{name[0]}"}.get(len(name), f"{name[:2]}/{name[2:4]}")
    return f"/{folder}/{name}"


def yanked_among(crates: list[tuple[str, set[str]]], tls: ssl.SSLContext) -> list[str]:
    """Sends all requests over one connection: five hundred TLS handshakes take longer than the requests."""
    registry = http.client.HTTPSConnection(INDEX, timeout=TIMEOUT_S, context=tls)
    found = []
    for name, versions in crates:
        registry.request("GET", index_path(name.lower()))
        response = registry.getresponse()
        lines = response.read().splitlines()
        if response.status != 200:
            raise OSError(f"{name}: {response.status}")
        entries = [json.loads(line) for line in lines if b'"yanked":true' in line.replace(b" ", b"")]
        found += [f"{name} {entry['vers']}" for entry in entries if entry["vers"] in versions]
    return found


def check_yanked_crates() -> list[str]:
    locked: dict[str, set[str]] = {}
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        if "source" in package:
            locked.setdefault(package["name"], set()).add(package["version"])
    crates, tls = list(locked.items()), ssl.create_default_context()
    try:
        with ThreadPoolExecutor(8) as pool:
            parts = pool.map(lambda start: yanked_among(crates[start::8], tls), range(8))
            found = [name for part in parts for name in part]
    except (OSError, http.client.HTTPException) as error:
        print(f"  yanked crates: not checked, because the registry does not respond ({error})")
        return []
    print(f"  yanked crates: {len(locked)} checked, {len(found)} yanked")
    return [f"yanked: {name}" for name in found if name not in ALLOWED_YANKED]


def check_npm_advisories() -> list[str]:
    result = run("npm", "--prefix", "web", "audit", "--json")
    try:
        report = json.loads(result.stdout)
    except ValueError:
        report = {}
    if "vulnerabilities" not in report:
        print("  npm's advisories: not checked, because the registry cannot be reached")
        return []
    print(f"  npm audit: {len(report['vulnerabilities'])} packages with known vulnerabilities")
    return [f"{name}: {advisory['severity']}, {advisory['range']}" for name, advisory in report["vulnerabilities"].items()]


def check_deprecated_packages() -> list[str]:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    deprecated = {path.rpartition("node_modules/")[2]: message for path, entry in packages.items()
                  if (message := entry.get("deprecated"))}
    print(f"  npm packages: {len(packages) - 1} locked, {len(deprecated)} deprecated")
    return [f"{name}: {message}" for name, message in deprecated.items() if name not in ALLOWED_DEPRECATED]


def main() -> None:
    checks = [check_licences_and_sources, check_crate_advisories, check_yanked_crates, check_npm_advisories,
              check_deprecated_packages]
    found = [finding for check in checks for finding in check()]
    if found:
        sys.exit("\n".join(found))


main()
