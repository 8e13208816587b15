"""Faults of a deployment with several instances that do not change the leader of the database: killed and stopped
instances, a database that is read-only or hangs, a frozen gateway, an SMTP server that rejects emails."""

import asyncio

from soak.chaos import Chaos
from soak.shop import FAILPOINTS


class MultiInstanceFaults(Chaos):
    def __init__(self, context, deployment, cluster):
        super().__init__(context, deployment.instances[0], deployment.gateway, deployment.smtp, is_sqlite=False)
        self.public_url, self.instances, self.cluster = deployment.public_url, deployment.instances, cluster

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

    async def make_database_read_only(self):
        """Makes the leader read-only, as an operator does before moving a database."""
        self.allow_failing_starts(True)
        leader = await self.cluster.leader()
        await asyncio.to_thread(self.set_read_only, leader, "on")
        await self.check_degraded_service("the database is read-only", 3)
        await asyncio.to_thread(self.set_read_only, leader, "off")
        await self.wait_for_recovery("the database was read-only")
        return "the database is read-only for 3 s"

    def set_read_only(self, leader, value):
        self.cluster.sql(leader, f"alter system set default_transaction_read_only = {value}")
        self.cluster.sql(leader, "select pg_reload_conf()")

    async def hang_database(self):
        """Patroni runs on and PostgreSQL responds again before the leader key expires."""
        self.allow_failing_starts(True)
        leader = await self.cluster.leader()
        leader.freeze_postgres()
        await self.check_degraded_service("the database hangs", 3)
        leader.thaw()
        await self.wait_for_recovery("the database was frozen")
        return "the database hangs for 3 s"

    def allow_failing_starts(self, allowed):
        for instance in self.instances:
            instance.may_fail_to_start = allowed

    async def wait_for_recovery(self, after):
        for self.instance in self.instances:
            await self.wait_for_instance(after)
        self.instance = self.instances[0]
        self.allow_failing_starts(False)

    def faults(self):
        return [self.kill_server, self.kill_server, self.kill_server, self.freeze_gateway, self.stop_server, self.stop_smtp,
                self.make_database_read_only, self.hang_database]
