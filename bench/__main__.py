"""python3 -m bench [reads] [orders] [growth]: runs the named benchmarks, or all of them.

The names are the keys of results/figures.json. Only the figures of the benchmarks that ran are replaced, so that on a shared
machine each can be run when the machine is idle."""

import os
import sys

from bench import large_dataset, orders, reads, report
from bench.shop import TARGET, baseline, seed, seeded_folder, shop


def main() -> None:
    selected = set(sys.argv[1:]) or {"reads", "orders", "growth"}
    figures = {"commits": dict.fromkeys(selected, report.commit()), "machine": report.machine()}
    postgres = os.environ.get("MIRASA_TEST_POSTGRES")
    with baseline() as reference, seeded_folder() as folder:
        with shop(folder) as running:
            figures["cost"] = {
                "program_mb": round((TARGET / "mirasa").stat().st_size / 1e6, 1),
                "start_ms": round(running.seconds_to_first_response * 1000),
            }
            print(f"Binary: {figures['cost']['program_mb']} MB; first response after {figures['cost']['start_ms']} ms")
            if "reads" in selected:
                print("\nReads, compressed, from memory; measured in turn with an empty handler")
                figures["reads"] = reads.measure(reference, running)
            if "orders" in selected:
                print("\nComplete orders")
                figures["orders"] = orders.measure(reference, running, "SQLite", [])
                figures["cost"]["resident_mb"] = round(running.resident_mb(), 1)
                print(f"\nResident memory after these benchmarks: {figures['cost']['resident_mb']} MB")
        if "orders" in selected and postgres:
            postmaster = int(os.environ["MIRASA_TEST_POSTGRES_PID"])
            seed(folder, postgres)
            with shop(folder, postgres) as running:
                figures["orders"] += orders.measure(reference, running, "PostgreSQL", [postmaster])
    if "growth" in selected:
        print("\nLarge dataset")
        with seeded_folder() as folder:
            figures["growth"] = large_dataset.measure(folder)
    report.save(figures)


main()
