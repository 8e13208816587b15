"""Three instances behind nginx on a PostgreSQL with a synchronous standby. Buyers buy through nginx; instances are
killed at random; the database goes away, turns read-only and stands still for a while; then its machine dies and
the standby takes over. The same checker must accept what is left.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time

from soak.admins import Admin
from soak.books import read_postgres
from soak.chaos import Chaos
from soak.everywhere import hide_everywhere, one_key_everywhere
from soak.front import find_nginx, start_nginx
from soak.people import Buyer
from soak.post import PostOffice
from soak.postgres import Relay, Server, find_programs
from soak.run import answers, finish, find_program, settle_down, start_gateway, until
from soak.shop import FAULT_POINTS, Instance, gateway_settings
from soak.watch import Watch, WriteWatch, watch_memory
from soak.world import World, free_port

INSTANCES = 3


class Cluster(Chaos):
    """The faults of a shop on several machines."""

    def __init__(self, world, public, instances, gateway, post, primary, standby, relay):
        super().__init__(world, instances[0], gateway, post)
        self.front = public
        self.instances, self.primary, self.standby, self.relay = instances, primary, standby, relay

    async def kill(self):
        instance = self.dice.choice(self.instances)
        point = self.dice.choice([None, *FAULT_POINTS])
        await instance.kill(self.dice.choice([0, 0.5, 2]), point)
        return f"kill -9 {instance.name}" + (f", next death at '{point}'" if point else "")

    async def stop(self):
        instance = self.dice.choice(self.instances)
        began = self.world.now()
        await instance.stop()
        took = self.world.now() - began
        await instance.start()
        return f"SIGTERM for {instance.name}, which took {took:.1f} s, and start"

    async def database_away(self):
        self.allow_failing_starts(True)
        await asyncio.to_thread(self.primary.stop)
        await self.meanwhile("the database is away", 3)
        await asyncio.to_thread(self.primary.start)
        await self.come_back("the database was away")
        return "the database is away for 3 s"

    async def database_read_only(self):
        """`set global read only`, as an operator does before moving a database."""
        self.allow_failing_starts(True)
        turn = "alter system set default_transaction_read_only = {}"
        self.primary.sql(turn.format("on"))
        self.primary.sql("select pg_reload_conf()")
        await self.meanwhile("the database is read-only", 3)
        self.primary.sql(turn.format("off"))
        self.primary.sql("select pg_reload_conf()")
        await self.come_back("the database was read-only")
        return "the database is read-only for 3 s"

    async def database_stands_still(self):
        self.allow_failing_starts(True)
        self.primary.signal_all(signal.SIGSTOP)
        await self.meanwhile("the database stands still", 3)
        self.primary.signal_all(signal.SIGCONT)
        await self.come_back("the database stood still")
        return "the database stands still for 3 s"

    def allow_failing_starts(self, allowed):
        for instance in self.instances:
            instance.may_fail_to_start = allowed

    async def come_back(self, after):
        for self.instance in self.instances:
            await self.comes_back(after)
        self.instance = self.instances[0]
        self.allow_failing_starts(False)

    async def machine_dies(self, silently):
        """The primary is gone; the standby takes over under the same address. Gives the moment."""
        moment = self.world.now()
        self.allow_failing_starts(True)
        if silently:
            self.relay.swallow(self.primary.port)
        self.primary.die()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(self.standby.promote)
        self.relay.switch(self.standby.port)
        self.world.say(f"the primary's machine has died; the standby is in charge after {self.world.now() - moment:.1f} s")
        return moment

    def deck(self):
        return [self.kill, self.kill, self.kill, self.gateway_stalls, self.stop, self.post_closes,
                self.database_away, self.database_read_only, self.database_stands_still]


async def failover(arguments, world):
    program = find_program(arguments.program)
    world.say(f"seed {world.seed}, program {program}, record in {world.folder}")
    os.chmod(world.folder, 0o777)
    primary, standby = Server(world.folder, "primary"), Server(world.folder, "standby")
    primary.create()
    primary.start()
    standby.follow(primary)
    standby.start()
    await until(lambda: synchronous(primary), 20, "the standby does not follow")
    primary.sql("create database shop")
    relay = Relay(primary.port)
    await relay.start()
    front, smtp = free_port(), free_port()
    public = f"http://127.0.0.1:{front}"
    post = PostOffice(smtp, world.path("post.jsonl"))
    await post.start()
    gateway, gateway_url = await start_gateway(world, public, arguments.faults)
    settings = {"MIRASA_DATA": world.path("data"), "DATABASE_URL": f"postgres://mirasa@127.0.0.1:{relay.port}/shop",
                "MIRASA_TRUSTED_PROXIES": "127.0.0.1", **gateway_settings(gateway_url, smtp)}
    instances = [Instance(world, program, f"shop{number}", free_port(), public, settings) for number in range(1, INSTANCES + 1)]
    cluster = Cluster(world, public, instances, gateway, post, primary, standby, relay)
    pages, writes = Watch(world, public + "/api/products/api/productInfo"), WriteWatch(world, public)
    nginx = None
    try:
        code, words = await instances[0].command("seed", world.write_catalogue())
        if code:
            raise SystemExit(f"the shop cannot be filled: {words}")
        for instance in instances:
            await instance.start()
        for instance in instances:
            if not await instance.ready():
                raise SystemExit(f"{instance.name} does not start")
        nginx = start_nginx(world, front, instances)
        await until(lambda: answers(public + "/healthz"), 10, f"nginx does not start; see {world.path('nginx.log')}")
        people = [Buyer(world, public, f"buyer{number}") for number in range(arguments.buyers)] + [Admin(world, public, "admin0")]
        living = [asyncio.create_task(person.live(arguments.pace)) for person in people]
        living += [asyncio.create_task(watch) for watch in (pages.run(), writes.run(), watch_memory(world, instances))]
        await asyncio.sleep(2)
        await one_key_everywhere(world, public, instances)
        await cluster.rage(arguments.seconds * 0.6, 2)
        moment = await cluster.machine_dies(arguments.silently)
        await cluster.come_back("the failover")
        cluster.deck = lambda: [cluster.kill, cluster.kill, cluster.gateway_stalls]
        await cluster.rage(arguments.seconds * 0.3, 2)
        world.stopping = True
        _, late = await asyncio.wait(living, timeout=10)
        for task in late:
            task.cancel()
        for task in living:
            if not task.cancelled() and task.done() and task.exception():
                world.trouble(f"the soak itself failed: {task.exception()!r}")
        for instance in instances:
            await instance.ready()
        await hide_everywhere(world, public, instances)
        url = f"postgres://mirasa@127.0.0.1:{standby.port}/shop"
        await settle_down(world, instances, gateway_url, lambda: read_postgres(url), 60 if instances[0].has_clock else 200)
        tables = read_postgres(url)
        world.counts["seconds without a change saved at the failover"] = round(writes.gap_around(moment), 1)
        world.counts["seconds without a page, altogether"] = round(pages.away(), 1)
    finally:
        for instance in instances:
            if instance.process:
                await instance.stop()
        for process in filter(None, (nginx, gateway)):
            process.terminate() if process is nginx else process.kill()
        primary.stop()
        standby.stop()
    total = instances[0]
    total.kills, total.own_deaths = sum(i.kills for i in instances), sum(i.own_deaths for i in instances)
    total.most_memory = max(i.most_memory for i in instances)
    return finish(world, tables, [], total, pages, cluster)


async def synchronous(primary):
    return primary.sql("select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')", check=False) == "1"


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.failover", description=__doc__)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--buyers", type=int, default=16)
    parser.add_argument("--pace", type=float, default=0.4)
    parser.add_argument("--faults", type=float, default=0.1)
    parser.add_argument("--silently", action="store_true", help="the dying machine's connections are swallowed, not cut")
    parser.add_argument("--program")
    arguments = parser.parse_args()
    if not find_programs() or not find_nginx():
        print("PostgreSQL and nginx are needed. Please run:  apt-get install -y postgresql nginx-light", file=sys.stderr)
        return 2
    seed = arguments.seed if arguments.seed is not None else int(time.time()) % 1_000_000
    # Below /tmp, whatever TMPDIR says: the path of a Unix socket must stay below 108 characters.
    world = World(tempfile.mkdtemp(prefix="mirasa-failover.", dir="/tmp"), seed)
    fine = asyncio.run(failover(arguments, world))
    print(f"\n{'The failover was fine' if fine else 'THE FAILOVER FOUND SOMETHING'}: {world.folder}, {world.now():.0f} s")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
