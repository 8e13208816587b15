"""Throughput and cost of complete orders with one, two and three instances on one PostgreSQL.

    scripts/with-postgres.sh python3 -m bench.instances

Not part of `make bench`. The customers buy directly from the instances, without a proxy."""

import contextlib
import os
import shutil

from bench.orders import RUNS, median_run, run_load
from bench.shop import METRICS_TOKEN, TARGET, seeded_folder, shop

CUSTOMERS = 48
SECONDS = 8
MAX_INSTANCES = 3


def measure(folders: list, database_url: str, postmaster: int) -> None:
    with contextlib.ExitStack() as stack:
        instances = [stack.enter_context(shop(folder, database_url)) for folder in folders]
        command = [TARGET / "checkout_load", "--customers", str(CUSTOMERS), "--seconds", str(SECONDS)]
        command += ["--metrics-token", METRICS_TOKEN]
        for instance in instances:
            command += ["--shop", instance.address, "--pid", str(instance.pid)]
        command += ["--pid", str(postmaster)]
        row = median_run([run_load(command) for _ in range(RUNS)])
    print(
        f"{len(folders)} instances {row['orders_per_second']:>5.0f} orders/s  {row['cpu_ms_per_order']:.2f} ms CPU"
        f" ({row['cpu_ms_without_database']:.2f} the servers)  {row['statements_per_order']:.1f} statements"
        f"  checkout p50 {row['checkout_ms']['p50']:.1f} p99 {row['checkout_ms']['p99']:.1f} ms"
        f"  {row['failures']} failures {row['first_failure'] or ''}",
        flush=True,
    )


def main() -> None:
    database_url = os.environ["MIRASA_TEST_POSTGRES"]
    with seeded_folder(database_url) as folder:
        # The sandbox of an instance keeps its payments in the folder of the instance.
        folders = [folder]
        for number in range(2, MAX_INSTANCES + 1):
            folders.append(shutil.copytree(folder, folder / f"instance-{number}", ignore=shutil.ignore_patterns("instance-*")))
        for count in range(1, MAX_INSTANCES + 1):
            measure(folders[:count], database_url, int(os.environ["MIRASA_TEST_POSTGRES_PID"]))


main()
