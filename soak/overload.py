"""Four times what the shop can serve, and clients that want it no good. The shop refuses what it cannot do, at once
and with a word on when to come back; it is itself again as soon as they are gone; its memory stays bounded.

The database is slowed down for this, by a trigger that counts to some thousands, so that a crowd written in Python
is more than the shop can serve.
"""

import argparse
import asyncio
import os
import resource
import sqlite3
import tempfile
import time

from soak.load import READS, Nuisance, closed_loop, ms, open_loop, quantile
from soak.run import find_program
from soak.shop import Instance
from soak.web import NoAnswer, once
from soak.world import World, free_port

# A change takes the database this much work more, so that a crowd written in Python is more than it can serve.
SLOW = """
create trigger slow_soak before insert on contact_queries begin
    select count(*) from (with recursive c (n) as (select 1 union all select n + 1 from c where n < {steps}) select n from c);
end
"""
SERVED_A_SECOND = 80
MOST_GROWTH_MB = 300
MOST_NUISANCE_MB = 150


class Judge:
    def __init__(self, world):
        self.world, self.failures = world, 0

    def expect(self, fine, sentence):
        self.failures += not fine
        self.world.say(f"{'fine ' if fine else 'WRONG'} {sentence}")


def slow_down(world, steps):
    connection = sqlite3.connect(world.path("data", "mirasa.db"), timeout=30)
    connection.execute("drop trigger if exists slow_soak")
    if steps:
        connection.execute(SLOW.format(steps=int(steps)))
    connection.commit()
    connection.close()


async def crowd(world, judge, shop, arguments):
    steps = 10_000
    for _ in range(5):
        slow_down(world, steps)
        calm, _ = await closed_loop(shop.address, 32, arguments.seconds / 4)
        capacity = calm.rate()
        if 0.6 < capacity / SERVED_A_SECOND < 1.6:
            break
        steps *= capacity / SERVED_A_SECOND
    before = shop.memory()
    world.say(f"on a slow database the shop saves {capacity:.0f} changes a second: {calm}")
    clients = max(900, int(capacity * 4 * 3))
    (storm, odd), (readers, _) = await asyncio.gather(
        open_loop(shop.address, clients, capacity * 4, arguments.seconds),
        open_loop(shop.address, 20, 20, arguments.seconds, reads=READS))
    offered = storm.asked() / storm.seconds
    world.say(f"{clients} clients, {offered:.0f} changes a second: {storm}; {storm.rate():.0f} a second saved; {shop.memory()} MiB")
    for text in odd[:5]:
        world.say(f"      odd: {text}")
    after, odd_after = await closed_loop(shop.address, 8, 2)
    slow_down(world, 0)
    judge.expect(len(readers.served) == readers.asked() and quantile(readers.served, 0.99) <= 1.0,
                 f"meanwhile who only looks sees pages from memory: {readers} (p99; 1 s is allowed)")
    answered = 1 - len(storm.silent) / max(1, storm.asked())
    judge.expect(offered >= 2.5 * capacity, f"the crowd asked {offered / capacity:.1f} times what can be served (4 were wanted)")
    judge.expect(len(storm.refused) > 0, f"{len(storm.refused)} were refused with 503 and Retry-After")
    judge.expect(not storm.odd, f"{len(storm.odd)} other answers")
    judge.expect(answered >= 0.999, f"{answered:.2%} of all got an answer within 10 s")
    judge.expect(quantile(storm.refused, 0.99) <= 1.0, f"a refusal takes {ms(storm.refused)} at most (p99; 1 s is allowed)")
    judge.expect(quantile(storm.served, 0.99) <= 6.0, f"who is served is served within {ms(storm.served)} (p99; 6 s are allowed)")
    judge.expect(storm.rate() >= 0.4 * capacity, f"meanwhile {storm.rate() / capacity:.0%} of the usual number are served")
    judge.expect(not after.silent and not odd_after and len(after.refused) <= 0.01 * after.asked() + 1,
                 f"right afterwards the shop is itself again: {after}; p50 {ms(after.served, 0.5)}")
    judge.expect(shop.most_memory - before <= MOST_GROWTH_MB, f"memory grew from {before} to {shop.most_memory} MiB at most")


async def honest_requests(base, seconds):
    """What a well-behaved visitor sees meanwhile."""
    times, failures, end = [], [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            answer = await once(base + "/product/goda-masala", timeout=3)
            if answer.ok:
                times.append(time.monotonic() - began)
            else:
                failures.append(str(answer.status))
        except NoAnswer as error:
            failures.append(str(error))
        await asyncio.sleep(0.05)
    return times, failures


async def nuisances(world, judge, shop, arguments):
    base, seconds = shop.address, arguments.seconds
    host = base.split("//")[1]
    start = f"GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: ".encode()
    promise = f"POST /api/api/queries HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n{{".encode()
    greedy = f"GET /product/goda-masala HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * 50
    before = shop.memory()
    handles = len(os.listdir(f"/proc/{shop.process.pid}/fd"))
    silent, slow, liars, deaf = (Nuisance(base) for _ in range(4))
    count = arguments.nuisances
    await silent.open(count, b"")
    await slow.open(count, start)
    await liars.open(count // 4, promise)
    await deaf.open(count // 4, greedy)
    (times, failures), *_ = await asyncio.gather(honest_requests(base, seconds), slow.dribble(seconds), liars.dribble(seconds))
    peak = shop.memory()
    left = [await nuisance.still_open() for nuisance in (silent, slow, liars, deaf)]
    world.say(f"{2 * count + 2 * (count // 4)} bad connections for {seconds:.0f} s; still open: {left[0]} silent, {left[1]} slow, "
              f"{left[2]} with an unfinished body, {left[3]} that never read")
    judge.expect(not failures and times, f"{len(times)} honest visitors meanwhile, {len(failures)} of them not served {failures[:2]}")
    judge.expect(quantile(times, 0.99) <= 0.5, f"they wait {ms(times)} at most (p99; 500 ms are allowed)")
    judge.expect(peak - before <= MOST_NUISANCE_MB, f"memory: {before} MiB before, {peak} MiB with all of them")
    for nuisance in (silent, slow, liars, deaf):
        nuisance.close()
    for _ in range(100):
        await asyncio.sleep(0.1)
        if len(os.listdir(f"/proc/{shop.process.pid}/fd")) <= handles + 20:
            break
    judge.expect(len(os.listdir(f"/proc/{shop.process.pid}/fd")) <= handles + 20, "all their connections are given back when they go")
    await too_much(judge, shop, base)


async def too_much(judge, shop, base):
    """Headers and bodies beyond all measure are refused, and not collected first."""
    before = shop.memory()
    answers = []
    for _ in range(20):
        try:
            answer = await once(base + "/", headers={"X-Huge": "x" * 1_500_000}, timeout=5)
            answers.append(answer.status)
        except NoAnswer:
            answers.append("cut")
    judge.expect(all(answer in (400, 413, 431, "cut") for answer in answers), f"headers of 1.5 MB: {sorted(set(map(str, answers)))}")
    statuses = set()
    for _ in range(5):
        try:
            big = {"name": "x", "email": "x@soak.example", "message": "x" * 3_000_000}
            statuses.add((await once(base + "/api/api/queries", "POST", body=big, timeout=5)).status)
        except NoAnswer:
            statuses.add("cut")
    judge.expect(statuses <= {413, "cut"}, f"a body of 3 MB: {statuses}")
    judge.expect(shop.memory() - before <= 50, f"memory: {before} MiB before, {shop.memory()} MiB after")
    judge.expect((await once(base + "/healthz", timeout=2)).ok, "and the shop still answers")


async def overload(arguments, world):
    port = free_port()
    shop = Instance(world, find_program(arguments.program), "overload", port, f"http://127.0.0.1:{port}", {"MIRASA_DATA": world.path("data")})
    shop.environment.pop("LD_PRELOAD", None)
    judge = Judge(world)
    try:
        await shop.command("seed", world.write_catalogue())
        await shop.start()
        if not await shop.ready():
            raise SystemExit("the shop does not start")
        for path in ("/", "/product/goda-masala"):
            await once(shop.address + path)
        sampling = asyncio.create_task(sample(shop))
        await crowd(world, judge, shop, arguments)
        await nuisances(world, judge, shop, arguments)
        sampling.cancel()
        began = time.monotonic()
        judge.expect(await shop.stop(), f"SIGTERM ends it ({time.monotonic() - began:.1f} s)")
    finally:
        if shop.process:
            await shop.stop()
    return not judge.failures and not world.troubles


async def sample(shop):
    while True:
        shop.memory()
        await asyncio.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.overload", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="how long each nuisance lasts")
    parser.add_argument("--nuisances", type=int, default=400, help="slow and silent connections of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    with tempfile.TemporaryDirectory(prefix="mirasa-overload.") as folder:
        fine = asyncio.run(overload(arguments, World(folder, arguments.seed)))
    print("Overload: fine" if fine else "OVERLOAD FOUND SOMETHING")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
