"""Throughput and cost of complete orders (cart, checkout, payment, settlement) on SQLite and PostgreSQL."""

import json
import os
import statistics
import subprocess
import time
from pathlib import Path

from bench.reads import cpu_us_per_request
from bench.shop import METRICS_TOKEN, TARGET, Running

# Each figure is the median of these runs, so that one disturbed run has no effect.
RUNS = 3
SECONDS = 4


def fsyncs_per_second(folder: Path) -> float:
    """Measures the disk: appends of one page, each with fdatasync, for a second."""
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


def run_load(command: list) -> dict:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"checkout_load failed: {result.stderr}")
    return json.loads(result.stdout)


def median_run(runs: list[dict]) -> dict:
    """The median of each figure; the sum of the failures."""
    row = {}
    for key, value in runs[0].items():
        values = [run[key] for run in runs]
        if key == "failures":
            row[key] = sum(values)
        elif key == "first_failure":
            row[key] = next(filter(None, values), None)
        else:
            row[key] = median_run(values) if isinstance(value, dict) else statistics.median(values)
    return row


def measure(baseline: Running, running: Running, engine: str, more_pids: list[int]) -> list[dict]:
    """Also measures the CPU time of an empty response before each row, because the speed of a shared machine varies."""
    rows = []
    for customers in (1, 16, 64):
        fsyncs, baseline_us = fsyncs_per_second(running.data), cpu_us_per_request(baseline)
        command = [TARGET / "checkout_load", "--shop", running.address, "--customers", str(customers), "--seconds", str(SECONDS)]
        command += ["--metrics-token", METRICS_TOKEN]
        for pid in [running.pid, *more_pids]:
            command += ["--pid", str(pid)]
        row = {
            "engine": engine,
            "fsyncs_per_second": round(fsyncs),
            "hello_cpu_us": round(baseline_us, 1),
            **median_run([run_load(command) for _ in range(RUNS)]),
        }
        rows.append(row)
        print(
            f"{engine:<11}{customers:>3} customers {row['orders_per_second']:>7.0f} orders/s  {row['cpu_ms_per_order']:.2f} ms CPU ({row['cpu_ms_without_database']:.2f} the server; baseline {row['hello_cpu_us']:.1f} µs)"
            f"  {row['statements_per_order']:.1f} statements  {row['orders_per_commit']:.2f} orders/commit"
            f"  checkout p50 {row['checkout_ms']['p50']:.1f} p99 {row['checkout_ms']['p99']:.1f} ms"
            f"  disk {row['fsyncs_per_second']} fsync/s  {row['failures']} failures {row['first_failure'] or ''}",
            flush=True,
        )
    return rows
