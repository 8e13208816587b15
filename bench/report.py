"""Writes the figures as JSON and as a chart, and prints the differences from the committed figures."""

import json
import platform
import subprocess
from pathlib import Path

from bench.shop import ROOT

RESULTS = ROOT / "bench" / "results"
# Relative changes up to this size are noise.
NOISE = 0.15


def commit() -> str:
    result = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return result.stdout.strip() or "unknown"


def machine() -> str:
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.machine(),
    )
    cores = Path("/proc/cpuinfo").read_text().count("processor\t")
    return f"{model}, {cores} cores"


def save(figures: dict) -> None:
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / "figures.json"
    before = json.loads(path.read_text()) if path.exists() else {"commits": {}, "cost": {}}
    now = {**before, **figures}
    for part in ("commits", "cost"):
        now[part] = {**before[part], **figures[part]}
    path.write_text(json.dumps(now, indent=1) + "\n")
    if "reads" in figures:
        (RESULTS / "reads.svg").write_text(plot(now))
        compare(before, now)


def compare(before: dict, now: dict) -> None:
    key = lambda row: (row["call"], row["connections"])  # noqa: E731
    known = {key(row): row["ratio"] for row in before.get("reads", [])}
    print(f"\nCompared with {before['commits'].get('reads')} (changes within {NOISE:.0%} are noise):")
    has_changes = False
    for row in now["reads"]:
        was = known.get(key(row))
        if was and abs(row["ratio"] / was - 1) > NOISE:
            has_changes = True
            print(f"  {row['call']}, {row['connections']} connections: {was:.2f} → {row['ratio']:.2f} of baseline")
    if not has_changes:
        print("  no changes")


def plot(figures: dict) -> str:
    """A bar chart of the throughput of each read, relative to an empty handler, at 16 connections, with its target."""
    rows = [row for row in figures["reads"] if row["connections"] == 16]
    left, width, step = 130, 520, 30
    height = 56 + step * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" font-family="sans-serif" font-size="13" '
        'role="img" aria-label="Throughput of reads relative to an empty axum handler">',
        "<style>text{fill:#4a3a2c}.soft{fill:#8a7763}@media(prefers-color-scheme:dark){text{fill:#eadfce}.soft{fill:#b8a894}}</style>",
        '<text x="0" y="16" font-weight="bold">Requests per second, relative to an empty handler (16 connections)</text>',
    ]
    for number, row in enumerate(rows):
        y = 34 + step * number
        bar, mark = width * min(row["ratio"], 1.05), left + width * row["at_least"]
        parts.append(f'<text x="{left - 10}" y="{y + 14}" text-anchor="end">{row["call"]}</text>')
        parts.append(f'<rect x="{left}" y="{y}" width="{bar:.0f}" height="20" rx="3" fill="#c8842c"/>')
        parts.append(f'<path d="M{mark:.0f} {y - 3}v26" stroke="#6d2b1f" stroke-width="2" stroke-dasharray="4 3"/>')
        parts.append(f'<text x="{left + bar + 8:.0f}" y="{y + 14}">{row["ratio"]:.2f} · {row["per_second"]:,}/s</text>')
    parts.append(
        f'<text class="soft" x="0" y="{height - 6}">Dashed: the target. {figures["commits"]["reads"]}, {figures["machine"]}.</text></svg>\n'
    )
    return "\n".join(parts)
