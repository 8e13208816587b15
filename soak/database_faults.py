"""Faults of the database cluster. For each one, another node must become leader by itself, and the former leader must
return as a standby. The times are used by failover_report.py."""

import asyncio
import time
from dataclasses import dataclass

from soak import processes
from soak.run import wait_until

# Longer than the leader key lives, so that another node takes over while the former leader is frozen.
FROZEN_S = 25
MAX_FAILOVER_S = 60


@dataclass
class Observation:
    fault: str
    began: float
    ended: float
    new_leader_after: float | None


class DatabaseFaults:
    def __init__(self, context, cluster):
        self.context, self.cluster = context, cluster
        self.observations, self.skipped = [], []
        # Rows that a former leader acknowledged while another node was leader.
        self.acknowledged_by_former_leader = []
        self.faults = {
            "leader killed": self.kill_leader,
            "leader frozen for 25 s": self.freeze_leader,
            "Patroni of the leader frozen for 25 s": self.freeze_patroni,
            "leader cut off from etcd": self.cut_leader_off,
            "disk of the leader full": self.fill_disk_of_leader,
            "PostgreSQL of the leader crashed": self.crash_postgres,
            "synchronous standby killed": self.kill_standby,
            "switchover": self.switch_over,
        }

    async def run(self, name):
        """Injects one fault into a healthy cluster and waits until it is healthy again and customers buy."""
        await self.cluster.wait_until_healthy()
        await self.wait_for_checkout()
        leader, timeline = await self.cluster.leader(), await self.cluster.timeline()
        began = self.context.now()
        new_leader_after = await self.faults[name](leader, began)
        if new_leader_after is False:
            return
        await self.cluster.wait_until_healthy()
        await self.wait_for_checkout()
        ended = self.context.now()
        changes, expected = await self.cluster.timeline() - timeline, 0 if new_leader_after is None else 1
        if changes != expected:
            self.context.fail(f"{name}: the leader changed {changes} times instead of {expected}")
        self.observations.append(Observation(name, began, ended, new_leader_after))
        self.context.count(f"fault: {name}")
        outcome = "the leader stays" if new_leader_after is None else f"another leader after {new_leader_after:.1f} s"
        self.context.log(f"{name} ({leader.name}): {outcome}, healthy after {ended - began:.1f} s")

    async def wait_for_checkout(self):
        """Waits for several checkouts, because the first may have been committed before."""
        before = self.context.counts.get("checkout", 0)

        async def has_checkout():
            return self.context.counts.get("checkout", 0) >= before + 5

        await wait_until(has_checkout, MAX_FAILOVER_S, f"no checkout succeeds within {MAX_FAILOVER_S} s")

    async def wait_for_other_leader(self, former, began):
        others = [node for node in self.cluster.nodes if node is not former]

        async def is_elected():
            return any(await asyncio.gather(*(self.cluster.is_primary(node) for node in others)))

        await wait_until(is_elected, MAX_FAILOVER_S, f"no node replaces {former.name} within {MAX_FAILOVER_S} s")
        return self.context.now() - began

    async def kill_leader(self, leader, began):
        if not self.cluster.is_synchronous:
            # The unsafe cluster goes on acknowledging changes that no standby has.
            leader.freeze_replication()
            await self.wait_for_checkout()
        leader.kill()
        after = await self.wait_for_other_leader(leader, began)
        await self.wait_for_checkout()
        leader.start()
        return after

    async def freeze_leader(self, leader, began):
        leader.freeze()
        after = await self.wait_for_other_leader(leader, began)
        await asyncio.sleep(max(0, began + FROZEN_S - self.context.now()))
        leader.thaw()
        await asyncio.to_thread(self.write_to_former_leader, leader)
        return after

    async def freeze_patroni(self, leader, began):
        """PostgreSQL of the former leader runs on and still accepts connections. Only the synchronous standby, which does not
        confirm its changes any more, keeps it from acknowledging them."""
        leader.freeze_patroni()
        after = await self.wait_for_other_leader(leader, began)
        await asyncio.to_thread(self.write_to_former_leader, leader)
        await asyncio.sleep(max(0, began + FROZEN_S - self.context.now()))
        leader.thaw()
        return after

    async def cut_leader_off(self, leader, began):
        leader.cut_off_etcd()
        after = await self.wait_for_other_leader(leader, began)
        await asyncio.to_thread(self.write_to_former_leader, leader)
        await self.wait_for_checkout()
        leader.reconnect_etcd()
        return after

    async def fill_disk_of_leader(self, leader, began):
        if not leader.is_mounted:
            self.skipped.append("disk of the leader full: no tmpfs can be mounted here (not root)")
            return False
        await asyncio.to_thread(leader.fill_disk)
        after = await self.wait_for_other_leader(leader, began)
        await self.wait_for_checkout()
        leader.free_disk()
        return after

    async def crash_postgres(self, leader, began):
        processes.kill(leader.postmaster())
        return await self.wait_for_other_leader(leader, began)

    async def kill_standby(self, _leader, _began):
        standby = await self.cluster.synchronous_standby()
        standby.kill()
        await self.wait_for_checkout()
        standby.start()
        return None

    async def switch_over(self, leader, began):
        await self.cluster.switch_over(leader)
        return await self.wait_for_other_leader(leader, began)

    def write_to_former_leader(self, node):
        """Two leaders would both acknowledge changes. The former one may not: a row that it acknowledges must be present at
        the end."""
        end = time.monotonic() + 3
        number = 0
        while time.monotonic() < end:
            number += 1
            row = f"{node.name} {self.context.now()} {number}"
            if self.cluster.sql(node, f"insert into failover_probe values ('{row}')", "mirasa", "shop", check=False, timeout_s=2) is not None:
                self.acknowledged_by_former_leader.append(row)
            time.sleep(0.1)

    def create_probe_table(self, leader):
        self.cluster.sql(leader, "create table failover_probe (id text primary key)", "mirasa", "shop")

    def check_probe_table(self, leader):
        present = set(self.cluster.sql(leader, "select id from failover_probe", "mirasa", "shop").splitlines())
        for row in self.acknowledged_by_former_leader:
            if row not in present:
                self.context.fail(f"a former leader acknowledged {row!r}, which is lost")
        self.context.counts["rows acknowledged by a former leader, all present"] = len(self.acknowledged_by_former_leader)
