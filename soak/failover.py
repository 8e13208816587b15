"""Failover test: three instances behind nginx, and three PostgreSQL servers that are managed by Patroni and etcd. Customers
buy through nginx while instances are killed, the database is read-only or hangs, and the leader of the database is killed,
frozen, cut off, filled and changed. The checker must find the data consistent, including what customers had acknowledged.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
import time

from soak.admins import Admin
from soak.availability import AvailabilityProbe, WriteAvailabilityProbe, sample_memory
from soak.customers import Customer
from soak.database_faults import DatabaseFaults
from soak.evidence import read_lines, read_postgres
from soak.failover_report import measure, table
from soak.multi_instance import check_idempotency_across_instances, check_visibility_propagation
from soak.multi_instance_faults import MultiInstanceFaults
from soak.nginx import find_nginx, start_nginx
from soak.patroni import PatroniCluster, missing_programs
from soak.run import ROOT, find_program, finish, responds, start_courier, start_gateway, wait_until, wait_until_settled
from soak.run_context import RunContext, free_port
from soak.shop import Instance, courier_settings, gateway_settings
from soak.smtp_server import SmtpServer
from soak.web import fetch

INSTANCES = 3


async def failover(arguments, context):
    program = find_program(arguments.program)
    context.log(f"seed {context.seed}, program {program}, record in {context.folder}")
    # A termination must not leave the database cluster behind.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asyncio.current_task().cancel)
    os.chmod(context.folder, 0o755)
    public_port, smtp_port = free_port(), free_port()
    public_url = f"http://127.0.0.1:{public_port}"
    smtp = SmtpServer(smtp_port, context.path("emails.jsonl"))
    await smtp.start()
    nginx = gateway = courier = None
    instances = []
    cluster = PatroniCluster(context, is_synchronous=not arguments.asynchronous)
    try:
        gateway, gateway_url = await start_gateway(context, public_url, arguments.faults)
        courier, courier_url = await start_courier(context, public_url, arguments.faults)
        await cluster.start()
        settings = {"MIRASA_DATA": context.path("data"), "DATABASE_URL": cluster.url_for_shop(),
                    "MIRASA_TRUSTED_PROXIES": "127.0.0.1", **gateway_settings(gateway_url, smtp_port), **courier_settings(courier_url)}
        instances += [Instance(context, program, f"shop{number}", free_port(), public_url, settings) for number in range(1, INSTANCES + 1)]
        await start_instances(context, instances)
        nginx = start_nginx(context, public_port, instances)
        await wait_until(lambda: responds(public_url + "/healthz"), 10, f"nginx does not start; see {context.path('nginx.log')}")
        chaos = MultiInstanceFaults(context, public_url, instances, gateway, smtp, cluster)
        database = DatabaseFaults(context, cluster)
        database.create_probe_table(await cluster.leader())
        pages, changes = AvailabilityProbe(context, public_url + "/"), WriteAvailabilityProbe(context, public_url)
        users = [Customer(context, public_url, f"customer{number}") for number in range(arguments.customers)]
        users += [Admin(context, public_url, "admin0")]
        tasks = [asyncio.create_task(user.run(arguments.pace)) for user in users]
        tasks += [asyncio.create_task(work) for work in (pages.run(), changes.run(), sample_memory(context, instances))]
        await asyncio.sleep(2)
        await check_idempotency_across_instances(context, public_url, instances)
        await chaos.run_faults(arguments.seconds, 2)
        await run_database_faults(context, arguments, chaos, database, gateway_url)
        context.stopping = True
        await end_tasks(context, tasks)
        for instance in instances:
            await instance.wait_until_ready()
        await check_visibility_propagation(context, public_url, instances)
        leader = await cluster.leader()
        url = cluster.url_of(leader)
        await wait_until_settled(context, instances, [gateway_url, courier_url], lambda: read_postgres(url), 60 if instances[0].has_clock else 200)
        database.check_probe_table(leader)
        tables = read_postgres(url)
    finally:
        for instance in instances:
            if instance.process:
                await instance.stop()
        for process in filter(None, (nginx, gateway, courier)):
            process.terminate() if process is nginx else process.kill()
        cluster.stop()
    chaos.skipped += database.skipped
    return summarize(context, arguments, instances, tables, pages, changes, chaos, database)


async def start_instances(context, instances):
    code, output = await instances[0].command("seed", context.write_catalogue())
    if code:
        raise SystemExit(f"the catalogue cannot be imported: {output}")
    for instance in instances:
        await instance.start()
    for instance in instances:
        if not await instance.wait_until_ready():
            raise SystemExit(f"{instance.name} does not start")


async def run_database_faults(context, arguments, chaos, database, gateway_url):
    """Each fault `--runs` times, without faults of the gateway: they would delay checkouts too."""
    await fetch(gateway_url + "/control", "POST", body={}, timeout=60)
    chosen = [name for name in database.faults if not arguments.only or any(part in name for part in arguments.only.split(","))]
    for instance in chaos.instances:
        instance.may_fail_to_start = True
    for number in range(arguments.runs):
        context.log(f"faults of the database cluster, round {number + 1} of {arguments.runs}")
        for name in chosen:
            await database.run(name)
    await chaos.wait_for_recovery("the faults of the database cluster")


async def end_tasks(context, tasks):
    _, late = await asyncio.wait(tasks, timeout=10)
    for task in late:
        task.cancel()
    for task in tasks:
        if not task.cancelled() and task.done() and task.exception():
            context.fail(f"the soak itself failed: {task.exception()!r}")


def summarize(context, arguments, instances, tables, pages, changes, chaos, database):
    checkouts = [line["t"] for line in read_lines(context.path("client.jsonl")) if line["kind"] == "checkout"]
    rows = measure(database.observations, checkouts, changes.answered_at, pages.answered_at)
    total = instances[0]
    total.kills, total.failpoint_exits = sum(i.kills for i in instances), sum(i.failpoint_exits for i in instances)
    total.peak_memory_mib = max(i.peak_memory_mib for i in instances)
    passed = finish(context, tables, [], total, pages, chaos)
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
