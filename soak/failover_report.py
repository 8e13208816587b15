"""How long customers could not buy, and visitors could not read, for each fault of the database cluster.

    python3 -m soak.failover_report FILE…     the table of one or several runs
"""

import json
import statistics
import sys

COLUMNS = {"no_checkout_s": "no checkout", "no_change_s": "no change saved", "no_page_s": "no page", "new_leader_s": "new leader after"}


def longest_gap(times, began, ended):
    """The longest time without a success that overlaps the fault."""
    times = sorted(times)
    return max((after - before for before, after in zip(times, times[1:]) if after > began and before < ended), default=0.0)


def measure(observations, checkouts, changes, pages):
    """One row per fault. `checkouts`, `changes` and `pages` are the times of successes."""
    return [{"fault": seen.fault,
             "no_checkout_s": round(longest_gap(checkouts, seen.began, seen.ended), 1),
             "no_change_s": round(longest_gap(changes, seen.began, seen.ended), 1),
             "no_page_s": round(longest_gap(pages, seen.began, seen.ended), 1),
             "new_leader_s": None if seen.new_leader_after is None else round(seen.new_leader_after, 1)} for seen in observations]


def table(rows):
    """A Markdown table: the median and the longest time of each fault, in seconds."""
    lines = ["| fault | runs | " + " | ".join(f"{title}: p50, worst" for title in COLUMNS.values()) + " |", "|---|---|" + "---|" * len(COLUMNS)]
    for fault in dict.fromkeys(row["fault"] for row in rows):
        chosen = [row for row in rows if row["fault"] == fault]
        cells = []
        for column in COLUMNS:
            values = [row[column] for row in chosen if row[column] is not None]
            cells.append(f"{statistics.median(values):.1f} s, {max(values):.1f} s" if values else "–")
        lines.append(f"| {fault} | {len(chosen)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def read_rows(files):
    rows = []
    for name in files:
        with open(name) as file:
            rows += json.load(file)["rows"]
    return rows


if __name__ == "__main__":
    print(table(read_rows(sys.argv[1:])))
