"""Rolling update: instances of the previous version are replaced one by one by the new one, on one PostgreSQL, while customers
buy. The first new instance migrates the tables under the others. Then one instance goes back to the previous version, as after a
problem. The checker must find the data consistent, and pages are served throughout.

    scripts/with-postgres.sh python3 -m soak.rolling_update --previous PROGRAM --program PROGRAM
"""

import argparse
import asyncio
import os
import subprocess
import tempfile
import time

from soak.chaos import Chaos
from soak.deployment import Deployment, clean_up_on_termination
from soak.evidence import read_postgres
from soak.run import find_program, finish, wait_until_settled
from soak.run_context import RunContext

MAX_PAGE_OUTAGE_S = 2


async def rolling_update(arguments, context):
    clean_up_on_termination()
    program = find_program(arguments.program)
    context.log(f"seed {context.seed}, from {arguments.previous} to {program}, record in {context.folder}")
    url = create_database(arguments.postgres)
    deployment = Deployment(context)
    try:
        await deployment.start(arguments.previous, url, 0)
        context.log(f"three instances of the previous version, {count_migrations(url)} migrations")
        # A version without batches returns packs to the stock, but not to their batch.
        deployment.start_users(arguments.customers, 0.2, receives_batches=False)
        await asyncio.sleep(arguments.seconds)
        for instance in deployment.instances:
            await replace(context, instance, program)
            context.log(f"{instance.name} runs the new version; {count_migrations(url)} migrations")
            await asyncio.sleep(arguments.seconds)
        await replace(context, deployment.instances[0], arguments.previous)
        context.log(f"{deployment.instances[0].name} runs the previous version again")
        await asyncio.sleep(arguments.seconds)
        await replace(context, deployment.instances[0], program)
        await deployment.stop_users()
        partners = [deployment.gateway_url, deployment.courier_url]
        await wait_until_settled(context, deployment.instances, partners, lambda: read_postgres(url), 60)
        code, output = await deployment.instances[0].command("check")
        if code:
            context.fail(f"mirasa check reports: {output}")
        tables = read_postgres(url)
    finally:
        await deployment.stop()
    if deployment.pages.longest_outage() > MAX_PAGE_OUTAGE_S:
        context.fail(f"no page for {deployment.pages.longest_outage():.1f} s")
    context.counts["longest time without a change, s"] = round(deployment.changes.longest_outage(), 1)
    chaos = Chaos(context, deployment.instances[0], deployment.gateway, deployment.smtp, is_sqlite=False)
    return finish(context, tables, [], deployment.total(), deployment.pages, chaos)


async def replace(context, instance, program):
    if not await instance.stop():
        context.fail(f"{instance.name} did not exit within 15 s of SIGTERM")
    instance.program = program
    await instance.start()
    if not await instance.wait_until_ready():
        context.fail(f"{instance.name} does not start with {program}")


def psql(url, statement):
    return subprocess.run(["psql", url, "-AtqX", "-v", "ON_ERROR_STOP=1", "-c", statement], capture_output=True, text=True, check=True).stdout.strip()


def create_database(server):
    name = f"rolling_update_{os.getpid()}"
    psql(server, f"create database {name}")
    return server.rsplit("/", 1)[0] + "/" + name


def count_migrations(url):
    return psql(url, "select count(*) from migrations")


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.rolling_update", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--previous", required=True, help="the mirasa binary of the previous version")
    parser.add_argument("--program", help="the new one; default: the release build, or the debug build if there is none")
    parser.add_argument("--postgres", default=os.environ.get("MIRASA_TEST_POSTGRES"), metavar="URL", help="a server; a database is created there")
    parser.add_argument("--seconds", type=float, default=8, help="how long each combination of versions runs")
    parser.add_argument("--customers", type=int, default=8)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    if not arguments.postgres:
        raise SystemExit("please run it with scripts/with-postgres.sh")
    seed = arguments.seed if arguments.seed is not None else int(time.time()) % 1_000_000
    context = RunContext(tempfile.mkdtemp(prefix="mirasa-update.", dir="/tmp"), seed)
    passed = asyncio.run(rolling_update(arguments, context))
    print(f"\n{'Rolling update passed' if passed else 'ROLLING UPDATE FAILED'}: {context.folder}, {context.now():.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
