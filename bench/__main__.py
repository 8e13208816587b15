"""python3 -m bench [reads] [orders] [growth]: all of them where none is named.

What was measured replaces what was known of it; on a shared machine, each part may wait for a quiet minute."""

import os
import sys

from bench import growth, orders, reads, report
from bench.shop import TARGET, hello, seeded_folder, seed, shop


def main() -> None:
    wanted = set(sys.argv[1:]) or {"reads", "orders", "growth"}
    figures = {"commits": dict.fromkeys(wanted, report.commit()), "machine": report.machine()}
    postgres = os.environ.get("MIRASA_TEST_POSTGRES")
    with hello() as empty, seeded_folder() as folder:
        with shop(folder) as running:
            figures["cost"] = {
                "program_mb": round((TARGET / "mirasa").stat().st_size / 1e6, 1),
                "start_ms": round(running.seconds_to_first_answer * 1000),
            }
            print(f"The program: {figures['cost']['program_mb']} MB; first answer after {figures['cost']['start_ms']} ms")
            if "reads" in wanted:
                print("\nReads, compressed, from memory; each in turn with an empty handler")
                figures["reads"] = reads.measure(empty, running)
            if "orders" in wanted:
                print("\nWhole orders")
                figures["orders"] = orders.measure(empty, running, "SQLite", [])
                figures["cost"]["resident_mb"] = round(running.resident_mb(), 1)
                print(f"\nResident after all that: {figures['cost']['resident_mb']} MB")
        if "orders" in wanted and postgres:
            postmaster = int(os.environ["MIRASA_TEST_POSTGRES_PID"])
            seed(folder, postgres)
            with shop(folder, postgres) as running:
                figures["orders"] += orders.measure(empty, running, "PostgreSQL", [postmaster])
    if "growth" in wanted:
        print("\nGrowth")
        with seeded_folder() as folder:
            figures["growth"] = growth.measure(folder)
    report.save(figures)


main()
