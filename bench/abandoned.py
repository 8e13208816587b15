"""How late payments are polled while customers leave the payment page, on SQLite and PostgreSQL.

    python3 -m bench.abandoned [SECONDS]

With scripts/with-postgres.sh, as bench/run.sh starts it. Not part of `make bench`: it takes minutes."""

import json
import os
import subprocess
import sys

from bench.shop import METRICS_TOKEN, TARGET, seed, seeded_folder, shop

ABANDONED_PER_SECOND = 100
DECLINED_PER_SECOND = 10


def measure(running, engine: str, seconds: int, more_pids: list[int]) -> None:
    command = [TARGET / "abandoned_checkouts", "--shop", running.address, "--metrics-token", METRICS_TOKEN]
    command += ["--abandoned", str(ABANDONED_PER_SECOND), "--declined", str(DECLINED_PER_SECOND)]
    command += ["--seconds", str(seconds)]
    for pid in [running.pid, *more_pids]:
        command += ["--pid", str(pid)]
    figures = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    print(engine, json.dumps(figures), flush=True)


def main() -> None:
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 240
    with seeded_folder() as folder:
        with shop(folder) as running:
            measure(running, "SQLite", seconds, [])
        if postgres := os.environ.get("MIRASA_TEST_POSTGRES"):
            seed(folder, postgres)
            with shop(folder, postgres) as running:
                measure(running, "PostgreSQL", seconds, [int(os.environ["MIRASA_TEST_POSTGRES_PID"])])


main()
