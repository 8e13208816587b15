"""Overload test: four times the writes that the server can process, and abusive connections. The server must reject excess
writes at once with 503 and Retry-After, recover as soon as the load ends, and keep its memory bounded.

A trigger slows the database down, so that clients written in Python can overload the server.
"""

import argparse
import asyncio
import os
import resource
import sqlite3
import tempfile
import time

from soak.load import READS, AbusiveConnections, closed_loop, ms, open_loop, quantile
from soak.run import find_program
from soak.run_context import RunContext, free_port
from soak.shop import Instance
from soak.web import NoResponse, fetch

# Makes each insert count to {steps}.
SLOW_TRIGGER = """
create trigger slow_soak before insert on contact_queries begin
    select count(*) from (with recursive c (n) as (select 1 union all select n + 1 from c where n < {steps}) select n from c);
end
"""
# The capacity that the trigger is tuned to.
TARGET_WRITES_PER_S = 80
MAX_GROWTH_MB = 300
MAX_ABUSE_MB = 150


class Expectations:
    """Logs each expectation and counts those that are not met."""

    def __init__(self, context):
        self.context, self.failures = context, 0

    def expect(self, is_met, sentence):
        self.failures += not is_met
        self.context.log(f"{'ok   ' if is_met else 'WRONG'} {sentence}")


def slow_down(context, steps):
    connection = sqlite3.connect(context.path("data", "mirasa.db"), timeout=30)
    connection.execute("drop trigger if exists slow_soak")
    if steps:
        connection.execute(SLOW_TRIGGER.format(steps=int(steps)))
    connection.commit()
    connection.close()


async def overload_writes(context, expectations, shop, arguments):
    steps = 10_000
    for _ in range(5):
        slow_down(context, steps)
        baseline, _ = await closed_loop(shop.base_url, 32, arguments.seconds / 4)
        capacity = baseline.rate()
        if 0.6 < capacity / TARGET_WRITES_PER_S < 1.6:
            break
        steps *= capacity / TARGET_WRITES_PER_S
    before = shop.memory()
    context.log(f"with the slow database the server processes {capacity:.0f} writes/s: {baseline}")
    clients = max(900, int(capacity * 4 * 3))
    (overloaded, unexpected), (readers, _) = await asyncio.gather(
        open_loop(shop.base_url, clients, capacity * 4, arguments.seconds),
        open_loop(shop.base_url, 20, 20, arguments.seconds, reads=READS))
    offered = overloaded.total() / overloaded.seconds
    context.log(f"{clients} clients, {offered:.0f} writes/s: {overloaded}; {overloaded.rate():.0f} writes/s processed; {shop.memory()} MiB")
    for text in unexpected[:5]:
        context.log(f"      unexpected: {text}")
    after, unexpected_after = await closed_loop(shop.base_url, 8, 2)
    slow_down(context, 0)
    expectations.expect(len(readers.served) == readers.total() and quantile(readers.served, 0.99) <= 1.0,
                        f"reads are served from memory during the overload: {readers} (p99 limit 1 s)")
    answered = 1 - len(overloaded.unanswered) / max(1, overloaded.total())
    expectations.expect(offered >= 2.5 * capacity, f"the load was {offered / capacity:.1f} times the capacity (target 4, minimum 2.5)")
    expectations.expect(len(overloaded.rejected) > 0, f"{len(overloaded.rejected)} writes were rejected with 503 and Retry-After")
    expectations.expect(not overloaded.unexpected, f"{len(overloaded.unexpected)} unexpected responses")
    expectations.expect(answered >= 0.999, f"{answered:.2%} of all requests got a response within 10 s")
    expectations.expect(quantile(overloaded.rejected, 0.99) <= 1.0, f"a rejection takes {ms(overloaded.rejected)} (p99, limit 1 s)")
    expectations.expect(quantile(overloaded.served, 0.99) <= 6.0, f"a processed write takes {ms(overloaded.served)} (p99, limit 6 s)")
    expectations.expect(overloaded.rate() >= 0.4 * capacity, f"the server processes {overloaded.rate() / capacity:.0%} of its capacity during the overload")
    expectations.expect(not after.unanswered and not unexpected_after and len(after.rejected) <= 0.01 * after.total() + 1,
                        f"the server recovers right after the overload: {after}; p50 {ms(after.served, 0.5)}")
    expectations.expect(shop.peak_memory_mib - before <= MAX_GROWTH_MB, f"memory grew from {before} to {shop.peak_memory_mib} MiB at most")


async def visitor_requests(base, seconds):
    """Latencies and failures of a normal visitor."""
    times, failures, end = [], [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            response = await fetch(base + "/product/goda-masala", timeout=3)
            if response.ok:
                times.append(time.monotonic() - began)
            else:
                failures.append(str(response.status))
        except NoResponse as error:
            failures.append(str(error))
        await asyncio.sleep(0.05)
    return times, failures


async def abusive_connections(context, expectations, shop, arguments):
    base, seconds = shop.base_url, arguments.seconds
    host = base.split("//")[1]
    unfinished_header = f"GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: ".encode()
    unfinished_body = f"POST /api/api/queries HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n{{".encode()
    many_requests = f"GET /product/goda-masala HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * 50
    before = shop.memory()
    handles = len(os.listdir(f"/proc/{shop.process.pid}/fd"))
    silent, slow, unfinished, unread = (AbusiveConnections(base) for _ in range(4))
    count = arguments.connections
    await silent.open(count, b"")
    await slow.open(count, unfinished_header)
    await unfinished.open(count // 4, unfinished_body)
    await unread.open(count // 4, many_requests)
    (times, failures), *_ = await asyncio.gather(visitor_requests(base, seconds), slow.send_slowly(seconds), unfinished.send_slowly(seconds))
    peak = shop.memory()
    left = [await connections.count_open() for connections in (silent, slow, unfinished, unread)]
    context.log(f"{2 * count + 2 * (count // 4)} abusive connections for {seconds:.0f} s; still open: {left[0]} silent, {left[1]} slow, "
                f"{left[2]} with an unfinished body, {left[3]} that never read")
    expectations.expect(not failures and times, f"{len(times)} requests of a normal visitor succeeded, {len(failures)} failed {failures[:2]}")
    expectations.expect(quantile(times, 0.99) <= 0.5, f"the visitor's requests take {ms(times)} (p99, limit 500 ms)")
    expectations.expect(peak - before <= MAX_ABUSE_MB, f"memory: {before} MiB before, {peak} MiB with all connections")
    for connections in (silent, slow, unfinished, unread):
        connections.close()
    for _ in range(100):
        await asyncio.sleep(0.1)
        if len(os.listdir(f"/proc/{shop.process.pid}/fd")) <= handles + 20:
            break
    expectations.expect(len(os.listdir(f"/proc/{shop.process.pid}/fd")) <= handles + 20, "the server closes its side of all connections afterwards")
    await oversized_requests(expectations, shop, base)


async def oversized_requests(expectations, shop, base):
    """Oversized headers and bodies are rejected without being read into memory."""
    before = shop.memory()
    responses = []
    for _ in range(20):
        try:
            response = await fetch(base + "/", headers={"X-Huge": "x" * 1_500_000}, timeout=5)
            responses.append(response.status)
        except NoResponse:
            responses.append("closed")
    expectations.expect(all(response in (400, 413, 431, "closed") for response in responses), f"headers of 1.5 MB are rejected: {sorted(set(map(str, responses)))}")
    statuses = set()
    for _ in range(5):
        try:
            big = {"name": "x", "email": "x@soak.example", "message": "x" * 3_000_000}
            statuses.add((await fetch(base + "/api/api/queries", "POST", body=big, timeout=5)).status)
        except NoResponse:
            statuses.add("closed")
    expectations.expect(statuses <= {413, "closed"}, f"a body of 3 MB is rejected: {statuses}")
    expectations.expect(shop.memory() - before <= 50, f"memory: {before} MiB before, {shop.memory()} MiB after")
    expectations.expect((await fetch(base + "/healthz", timeout=2)).ok, "the server still responds")


async def overload(arguments, context):
    port = free_port()
    shop = Instance(context, find_program(arguments.program), "overload", port, f"http://127.0.0.1:{port}", {"MIRASA_DATA": context.path("data")})
    shop.environment.pop("LD_PRELOAD", None)
    expectations = Expectations(context)
    try:
        await shop.command("seed", context.write_catalogue())
        await shop.start()
        if not await shop.wait_until_ready():
            raise SystemExit("the server does not start")
        for path in ("/", "/product/goda-masala"):
            await fetch(shop.base_url + path)
        sampling = asyncio.create_task(sample_memory(shop))
        await overload_writes(context, expectations, shop, arguments)
        await abusive_connections(context, expectations, shop, arguments)
        sampling.cancel()
        began = time.monotonic()
        expectations.expect(await shop.stop(), f"the server exits on SIGTERM ({time.monotonic() - began:.1f} s)")
    finally:
        if shop.process:
            await shop.stop()
    return not expectations.failures and not context.failures


async def sample_memory(shop):
    while True:
        shop.memory()
        await asyncio.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.overload", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="duration of each phase")
    parser.add_argument("--connections", type=int, default=400, help="number of silent and of slow connections")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    with tempfile.TemporaryDirectory(prefix="mirasa-overload.") as folder:
        passed = asyncio.run(overload(arguments, RunContext(folder, arguments.seed)))
    print("Overload passed" if passed else "OVERLOAD FAILED")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
