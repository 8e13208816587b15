"""Failover test: three instances behind nginx, and PostgreSQL with a synchronous standby. Customers buy through nginx while
instances are killed at random and the database is stopped, made read-only and frozen. Then the primary fails and the
standby is promoted. The checker must find the data consistent.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time

from soak.admins import Admin
from soak.availability import AvailabilityProbe, WriteAvailabilityProbe, sample_memory
from soak.chaos import Chaos
from soak.customers import Customer
from soak.evidence import read_postgres
from soak.multi_instance import check_idempotency_across_instances, check_visibility_propagation
from soak.nginx import find_nginx, start_nginx
from soak.postgres import Relay, Server, find_binaries
from soak.run import find_program, finish, responds, start_courier, start_gateway, wait_until, wait_until_settled
from soak.run_context import RunContext, free_port
from soak.shop import FAILPOINTS, Instance, courier_settings, gateway_settings
from soak.smtp_server import SmtpServer

INSTANCES = 3


class Cluster(Chaos):
    """Faults of a deployment with several instances and a PostgreSQL standby."""

    def __init__(self, context, public_url, instances, gateway, smtp, primary, standby, relay):
        super().__init__(context, instances[0], gateway, smtp)
        self.public_url = public_url
        self.instances, self.primary, self.standby, self.relay = instances, primary, standby, relay

    async def kill_server(self):
        instance = self.rng.choice(self.instances)
        point = self.rng.choice([None, *FAILPOINTS])
        await instance.kill(self.rng.choice([0, 0.5, 2]), point)
        return f"kill -9 {instance.name}" + (f", next abort at '{point}'" if point else "")

    async def stop_server(self):
        instance = self.rng.choice(self.instances)
        began = self.context.now()
        await instance.stop()
        took = self.context.now() - began
        await instance.start()
        return f"SIGTERM to {instance.name}, which exited after {took:.1f} s, and start"

    async def stop_database(self):
        self.allow_failing_starts(True)
        await asyncio.to_thread(self.primary.stop)
        await self.check_degraded_service("the database is stopped", 3)
        await asyncio.to_thread(self.primary.start)
        await self.wait_for_recovery("the database was stopped")
        return "the database is stopped for 3 s"

    async def make_database_read_only(self):
        """Makes the primary read-only, as an operator does before moving a database."""
        self.allow_failing_starts(True)
        statement = "alter system set default_transaction_read_only = {}"
        self.primary.sql(statement.format("on"))
        self.primary.sql("select pg_reload_conf()")
        await self.check_degraded_service("the database is read-only", 3)
        self.primary.sql(statement.format("off"))
        self.primary.sql("select pg_reload_conf()")
        await self.wait_for_recovery("the database was read-only")
        return "the database is read-only for 3 s"

    async def freeze_database(self):
        self.allow_failing_starts(True)
        self.primary.signal_all(signal.SIGSTOP)
        await self.check_degraded_service("the database is frozen", 3)
        self.primary.signal_all(signal.SIGCONT)
        await self.wait_for_recovery("the database was frozen")
        return "the database is frozen for 3 s"

    def allow_failing_starts(self, allowed):
        for instance in self.instances:
            instance.may_fail_to_start = allowed

    async def wait_for_recovery(self, after):
        for self.instance in self.instances:
            await self.wait_for_instance(after)
        self.instance = self.instances[0]
        self.allow_failing_starts(False)

    async def fail_primary(self, silently):
        """Kills the primary and promotes the standby behind the same address. Returns when the primary failed."""
        failed_at = self.context.now()
        self.allow_failing_starts(True)
        if silently:
            self.relay.drop_silently(self.primary.port)
        self.primary.kill()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(self.standby.promote)
        self.relay.switch(self.standby.port)
        self.context.log(f"the primary has failed; the standby is promoted after {self.context.now() - failed_at:.1f} s")
        return failed_at

    def faults(self):
        return [self.kill_server, self.kill_server, self.kill_server, self.freeze_gateway, self.stop_server, self.stop_smtp,
                self.stop_database, self.make_database_read_only, self.freeze_database]


async def failover(arguments, context):
    program = find_program(arguments.program)
    context.log(f"seed {context.seed}, program {program}, record in {context.folder}")
    os.chmod(context.folder, 0o777)
    primary, standby = Server(context.folder, "primary"), Server(context.folder, "standby")
    primary.create()
    primary.start()
    standby.replicate_from(primary)
    standby.start()
    await wait_until(lambda: is_synchronous(primary), 20, "the standby does not replicate")
    primary.sql("create database shop")
    relay = Relay(primary.port)
    await relay.start()
    public_port, smtp_port = free_port(), free_port()
    public_url = f"http://127.0.0.1:{public_port}"
    smtp = SmtpServer(smtp_port, context.path("emails.jsonl"))
    await smtp.start()
    gateway, gateway_url = await start_gateway(context, public_url, arguments.faults)
    courier, courier_url = await start_courier(context, public_url, arguments.faults)
    settings = {"MIRASA_DATA": context.path("data"), "DATABASE_URL": f"postgres://mirasa@127.0.0.1:{relay.port}/shop",
                "MIRASA_TRUSTED_PROXIES": "127.0.0.1", **gateway_settings(gateway_url, smtp_port), **courier_settings(courier_url)}
    instances = [Instance(context, program, f"shop{number}", free_port(), public_url, settings) for number in range(1, INSTANCES + 1)]
    cluster = Cluster(context, public_url, instances, gateway, smtp, primary, standby, relay)
    pages, writes = AvailabilityProbe(context, public_url + "/api/products/api/productInfo"), WriteAvailabilityProbe(context, public_url)
    nginx = None
    try:
        code, output = await instances[0].command("seed", context.write_catalogue())
        if code:
            raise SystemExit(f"the catalogue cannot be imported: {output}")
        for instance in instances:
            await instance.start()
        for instance in instances:
            if not await instance.wait_until_ready():
                raise SystemExit(f"{instance.name} does not start")
        nginx = start_nginx(context, public_port, instances)
        await wait_until(lambda: responds(public_url + "/healthz"), 10, f"nginx does not start; see {context.path('nginx.log')}")
        users = [Customer(context, public_url, f"customer{number}") for number in range(arguments.customers)]
        users += [Admin(context, public_url, "admin0")]
        tasks = [asyncio.create_task(user.run(arguments.pace)) for user in users]
        tasks += [asyncio.create_task(work) for work in (pages.run(), writes.run(), sample_memory(context, instances))]
        await asyncio.sleep(2)
        await check_idempotency_across_instances(context, public_url, instances)
        await cluster.run_faults(arguments.seconds * 0.6, 2)
        failed_at = await cluster.fail_primary(arguments.silently)
        await cluster.wait_for_recovery("the failover")
        cluster.faults = lambda: [cluster.kill_server, cluster.kill_server, cluster.freeze_gateway]
        await cluster.run_faults(arguments.seconds * 0.3, 2)
        context.stopping = True
        _, late = await asyncio.wait(tasks, timeout=10)
        for task in late:
            task.cancel()
        for task in tasks:
            if not task.cancelled() and task.done() and task.exception():
                context.fail(f"the soak itself failed: {task.exception()!r}")
        for instance in instances:
            await instance.wait_until_ready()
        await check_visibility_propagation(context, public_url, instances)
        url = f"postgres://mirasa@127.0.0.1:{standby.port}/shop"
        await wait_until_settled(context, instances, [gateway_url, courier_url], lambda: read_postgres(url), 60 if instances[0].has_clock else 200)
        tables = read_postgres(url)
        context.counts["seconds without a successful write at the failover"] = round(writes.outage_around(failed_at), 1)
        context.counts["seconds without a successful read, in total"] = round(pages.total_downtime(), 1)
    finally:
        for instance in instances:
            if instance.process:
                await instance.stop()
        for process in filter(None, (nginx, gateway, courier)):
            process.terminate() if process is nginx else process.kill()
        primary.stop()
        standby.stop()
    total = instances[0]
    total.kills, total.failpoint_exits = sum(i.kills for i in instances), sum(i.failpoint_exits for i in instances)
    total.peak_memory_mib = max(i.peak_memory_mib for i in instances)
    return finish(context, tables, [], total, pages, cluster)


async def is_synchronous(primary):
    return primary.sql("select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')", check=False) == "1"


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.failover", description=__doc__)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--customers", type=int, default=16)
    parser.add_argument("--pace", type=float, default=0.4)
    parser.add_argument("--faults", type=float, default=0.1)
    parser.add_argument("--silently", action="store_true", help="the primary's connections hang instead of being closed")
    parser.add_argument("--program")
    arguments = parser.parse_args()
    if not find_binaries() or not find_nginx():
        print("PostgreSQL and nginx are needed. Please run:  apt-get install -y postgresql nginx-light", file=sys.stderr)
        return 2
    seed = arguments.seed if arguments.seed is not None else int(time.time()) % 1_000_000
    # Below /tmp, regardless of TMPDIR: the path of a Unix socket must stay below 108 characters.
    context = RunContext(tempfile.mkdtemp(prefix="mirasa-failover.", dir="/tmp"), seed)
    passed = asyncio.run(failover(arguments, context))
    print(f"\n{'Failover passed' if passed else 'FAILOVER FAILED'}: {context.folder}, {context.now():.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
