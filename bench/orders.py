"""Whole orders: cart, checkout, payment, settlement; on SQLite and on PostgreSQL."""

import json
import os
import statistics
import subprocess
import time
from pathlib import Path

from bench.reads import cpu_us_per_request
from bench.shop import METRICS_TOKEN, TARGET, Running

# Each figure is the middle one of these turns: a stall of the machine spoils one of them.
ROUNDS = 3
SECONDS = 4


def fsyncs_per_second(folder: Path) -> float:
    """What the disk gives, by appending a page and waiting for it, over and over."""
    page, done, began = b"x" * 4096, 0, time.monotonic()
    path = folder / "fsync-probe"
    file = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while time.monotonic() - began < 1:
            os.write(file, page)
            os.fdatasync(file)
            done += 1
    finally:
        os.close(file)
        path.unlink()
    return done / (time.monotonic() - began)


def buy(command: list) -> dict:
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        raise SystemExit(f"the buyers failed: {answer.stderr}")
    return json.loads(answer.stdout)


def middle(turns: list[dict]) -> dict:
    """Of each figure the middle one; of failures all."""
    row = {}
    for key, value in turns[0].items():
        values = [turn[key] for turn in turns]
        if key == "failures":
            row[key] = sum(values)
        elif key == "first_failure":
            row[key] = next(filter(None, values), None)
        else:
            row[key] = middle(values) if isinstance(value, dict) else statistics.median(values)
    return row


def measure(hello: Running, running: Running, engine: str, more_pids: list[int]) -> list[dict]:
    """Beside each: what an empty answer costs just then, since an hour's processor is not another's."""
    rows = []
    for buyers in (1, 16, 64):
        disk, empty = fsyncs_per_second(running.data), cpu_us_per_request(hello)
        command = [TARGET / "buyers", "--shop", running.address, "--buyers", str(buyers), "--seconds", str(SECONDS)]
        command += ["--metrics-token", METRICS_TOKEN]
        for pid in [running.pid, *more_pids]:
            command += ["--pid", str(pid)]
        row = {
            "engine": engine,
            "fsyncs_per_second": round(disk),
            "hello_cpu_us": round(empty, 1),
            **middle([buy(command) for _ in range(ROUNDS)]),
        }
        rows.append(row)
        print(
            f"{engine:<11}{buyers:>3} buyers {row['orders_per_second']:>7.0f} orders/s  {row['cpu_ms_per_order']:.2f} ms CPU ({row['cpu_ms_without_database']:.2f} the program; hello {row['hello_cpu_us']:.1f} µs)"
            f"  {row['statements_per_order']:.1f} statements  {row['orders_per_commit']:.2f} orders/commit"
            f"  checkout p50 {row['checkout_ms']['p50']:.1f} p99 {row['checkout_ms']['p99']:.1f} ms"
            f"  disk {row['fsyncs_per_second']} fsync/s  {row['failures']} failures {row['first_failure'] or ''}",
            flush=True,
        )
    return rows
