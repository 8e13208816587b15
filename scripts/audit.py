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
SECONDS_TO_ANSWER = 20

# package: the reason for the exception
WITHDRAWN_BUT_KEPT: dict[str, str] = {}
DEAD_BUT_KEPT: dict[str, str] = {}


def run(*command: str, **more) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **more)


def reachable(repository: str) -> bool:
    try:
        return run("git", "ls-remote", repository, "HEAD", timeout=SECONDS_TO_ANSWER).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def allowed(expression: str, licences: set[str]) -> bool:
    """Whether an SPDX expression can be met by these licences; some crates still write / for OR."""
    tokens = re.findall(r"[()]|[^\s()/]+|/", re.sub(r" WITH \S+", "", expression))
    words = {"OR": "or", "/": "or", "AND": "and", "(": "(", ")": ")"}
    # The expression consists only of these words, True and False.
    return bool(eval(" ".join(words.get(token) or str(token in licences) for token in tokens)))


def crates_by_rule() -> list[str]:
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
    print(f"  licences and sources: {len(packages)} crates, {len(found)} against the rules")
    return found


def crates_with_holes() -> list[str]:
    if not shutil.which("cargo-deny") or not reachable(ADVISORIES):
        print("  RustSec's advisories: not asked, for want of cargo-deny or of a way to GitHub")
        return []
    answer = run("cargo-deny", "--workspace", "check", "--hide-inclusion-graph")
    print("  cargo deny check: " + ("fine" if answer.returncode == 0 else "not fine"))
    return [] if answer.returncode == 0 else [answer.stderr.strip()]


def index_path(name: str) -> str:
    folder = {1: "1", 2: "2", 3: f"3/{name[0]}"}.get(len(name), f"{name[:2]}/{name[2:4]}")
    return f"/{folder}/{name}"


def withdrawn_among(crates: list[tuple[str, set[str]]], tls: ssl.SSLContext) -> list[str]:
    """Sends all requests over one connection: five hundred TLS handshakes take longer than the requests."""
    registry = http.client.HTTPSConnection(INDEX, timeout=SECONDS_TO_ANSWER, context=tls)
    found = []
    for name, versions in crates:
        registry.request("GET", index_path(name.lower()))
        answer = registry.getresponse()
        lines = answer.read().splitlines()
        if answer.status != 200:
            raise OSError(f"{name}: {answer.status}")
        entries = [json.loads(line) for line in lines if b'"yanked":true' in line.replace(b" ", b"")]
        found += [f"{name} {entry['vers']}" for entry in entries if entry["vers"] in versions]
    return found


def withdrawn_crates() -> list[str]:
    locked: dict[str, set[str]] = {}
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        if "source" in package:
            locked.setdefault(package["name"], set()).add(package["version"])
    crates, tls = list(locked.items()), ssl.create_default_context()
    try:
        with ThreadPoolExecutor(8) as pool:
            parts = pool.map(lambda start: withdrawn_among(crates[start::8], tls), range(8))
            found = [name for part in parts for name in part]
    except (OSError, http.client.HTTPException) as fault:
        print(f"  withdrawn crates: not asked, the registry does not answer ({fault})")
        return []
    print(f"  withdrawn crates: {len(locked)} looked up, {len(found)} withdrawn")
    return [f"withdrawn by its authors: {name}" for name in found if name not in WITHDRAWN_BUT_KEPT]


def packages_with_holes() -> list[str]:
    answer = run("npm", "--prefix", "web", "audit", "--json")
    try:
        report = json.loads(answer.stdout)
    except ValueError:
        report = {}
    if "vulnerabilities" not in report:
        print("  npm's advisories cannot be reached from here: not asked")
        return []
    print(f"  npm audit: {len(report['vulnerabilities'])} packages with known holes")
    return [f"{name}: {hole['severity']}, {hole['range']}" for name, hole in report["vulnerabilities"].items()]


def dead_packages() -> list[str]:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    dead = {path.rpartition("node_modules/")[2]: why for path, entry in packages.items() if (why := entry.get("deprecated"))}
    print(f"  npm packages: {len(packages) - 1} locked, {len(dead)} declared dead")
    return [f"{name}: {why}" for name, why in dead.items() if name not in DEAD_BUT_KEPT]


def main() -> None:
    found = crates_by_rule() + crates_with_holes() + withdrawn_crates() + packages_with_holes() + dead_packages()
    if found:
        sys.exit("\n".join(found))


main()
