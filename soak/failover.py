"""Failover test: three instances behind nginx, and three PostgreSQL servers that are managed by Patroni and etcd. Customers
buy through nginx while instances are killed, the database is read-only or hangs, and the leader of the database is killed,
frozen, cut off, filled and changed. The checker must find the data consistent, including what customers had acknowledged.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time

from soak.database_faults import DatabaseFaults
from soak.deployment import Deployment, clean_up_on_termination
from soak.evidence import read_lines, read_postgres
from soak.failover_report import measure, table
from soak.multi_instance import check_idempotency_across_instances, check_visibility_propagation
from soak.multi_instance_faults import MultiInstanceFaults
from soak.nginx import find_nginx
from soak.patroni import PatroniCluster, missing_programs
from soak.run import ROOT, find_program, finish, wait_until_settled
from soak.run_context import RunContext


async def failover(arguments, context):
    clean_up_on_termination()
    program = find_program(arguments.program)
    context.log(f"seed {context.seed}, program {program}, record in {context.folder}")
    # The databases run as another user.
    os.chmod(context.folder, 0o755)
    deployment, cluster = Deployment(context), PatroniCluster(context, is_synchronous=not arguments.asynchronous)
    try:
        await cluster.start()
        await deployment.start(program, cluster.url_for_shop(), arguments.faults)
        chaos = MultiInstanceFaults(context, deployment, cluster)
        database = DatabaseFaults(context, cluster)
        database.create_probe_table(await cluster.leader())
        deployment.start_users(arguments.customers, arguments.pace)
        await asyncio.sleep(2)
        await check_idempotency_across_instances(context, deployment.public_url, deployment.instances)
        await chaos.run_faults(arguments.seconds, 2)
        await run_database_faults(context, arguments, chaos, database, deployment)
        await deployment.stop_users()
        await check_visibility_propagation(context, deployment.public_url, deployment.instances)
        leader = await cluster.leader()
        url, partners = cluster.url_of(leader), [deployment.gateway_url, deployment.courier_url]
        timeout_s = 60 if deployment.instances[0].has_clock else 200
        await wait_until_settled(context, deployment.instances, partners, lambda: read_postgres(url), timeout_s)
        database.check_probe_table(leader)
        tables = read_postgres(url)
        # The databases are in memory and gone after the run.
        with open(context.path("tables.json"), "w") as file:
            json.dump(tables, file)
    finally:
        await deployment.stop()
        cluster.stop()
    chaos.skipped += database.skipped
    return summarize(context, arguments, deployment, tables, chaos, database)


async def run_database_faults(context, arguments, chaos, database, deployment):
    """Each fault `--runs` times, without faults of the gateway: they would delay checkouts too."""
    await deployment.end_gateway_faults()
    chosen = [name for name in database.faults if not arguments.only or any(part in name for part in arguments.only.split(","))]
    chaos.allow_failing_starts(True)
    for number in range(arguments.runs):
        context.log(f"faults of the database cluster, round {number + 1} of {arguments.runs}")
        for name in chosen:
            await database.run(name)
    await chaos.wait_for_recovery("the faults of the database cluster")


def summarize(context, arguments, deployment, tables, chaos, database):
    checkouts = [line["t"] for line in read_lines(context.path("client.jsonl")) if line["kind"] == "checkout"]
    rows = measure(database.observations, checkouts, deployment.changes.answered_at, deployment.pages.answered_at)
    passed = finish(context, tables, [], deployment.total(), deployment.pages, chaos)
    if rows:
        os.makedirs(os.path.dirname(arguments.results), exist_ok=True)
        with open(arguments.results, "w") as file:
            json.dump({"seed": context.seed, "orders": len(tables["orders"]), "passed": passed, "rows": rows}, file, indent=1)
        print(f"\n{table(rows)}\n\nwritten to {arguments.results}")
    return passed


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.failover", description=__doc__)
    parser.add_argument("--runs", type=int, default=1, help="how often each fault of the database cluster is injected")
    parser.add_argument("--only", help="only faults of the database cluster whose names contain one of these words, for example killed,frozen")
    parser.add_argument("--seconds", type=float, default=40, help="duration of the other faults before")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--customers", type=int, default=8)
    parser.add_argument("--pace", type=float, default=0.2)
    parser.add_argument("--faults", type=float, default=0.1, help="share of the gateway requests with a fault, from 0 to 1")
    parser.add_argument("--asynchronous", action="store_true", help="an unsafe cluster that loses orders: the checker must find it")
    parser.add_argument("--results", help="file for the measured times")
    parser.add_argument("--program")
    arguments = parser.parse_args()
    if missing := missing_programs() + ([] if find_nginx() else ["nginx"]):
        print(f"Missing: {', '.join(missing)}. Please run:  scripts/setup.sh measure", file=sys.stderr)
        return 2
    seed = arguments.seed if arguments.seed is not None else int(time.time()) % 1_000_000
    arguments.results = arguments.results or os.path.join(ROOT, f"soak/results/now/failover-{seed}.json")
    # Below /tmp, regardless of TMPDIR: the path of a Unix socket must stay below 108 characters.
    context = RunContext(tempfile.mkdtemp(prefix="mirasa-failover.", dir="/tmp"), seed)
    passed = asyncio.run(failover(arguments, context))
    print(f"\n{'Failover passed' if passed else 'FAILOVER FAILED'}: {context.folder}, {context.now():.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
