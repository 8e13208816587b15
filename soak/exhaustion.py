"""Resource exhaustion by one attacker with one client IP. Each case reports the latency and status codes of other visitors,
the server's memory, and the responses that the attacker got:

    bodies 70, bodies 384    connections that send one byte of a webhook's body
    gateway                  a gateway that hangs, and 76 checkouts of one customer in four sessions
    urls                     unknown URLs, and searches and parameters that are not cached
    sockets                  8,400 connections that send nothing
    images                   images that are small to send and large to decode (soak/exhaustion_images.py)

It also runs with older builds, for comparison. Rate limits are on, as in production.
"""

import argparse
import asyncio
import contextlib
import importlib.util
import inspect
import itertools
import re
import resource
import select
import socket
import tempfile
import threading
import time
from collections import Counter

from soak.customers import HOME_ADDRESS
from soak.load import quantile
from soak.run import find_program
from soak.run_context import RunContext, free_port
from soak.shop import ADMIN, Instance
from soak.web import NoResponse, Visitor, fetch

ATTACKER_IP = "127.0.0.66"
METRICS_TOKEN = "exhaustion"
REQUEST_TIMEOUT_S = 8
# The paths that other visitors request; each kind from its own client IP.
PAGES = ["/", "/product/goda-masala", "/products", "/sub-products", "/product/chai-masala", "/about-us"]
KINDS = {"pages": PAGES, "products": ["/api/products/api/productInfo"], "cart": ["/api/cart/cart"], "health": ["/healthz"]}
# The limit for other visitors during an attack. A debug build on a busy machine can exceed it without an attack.
MAX_P99_S = 1.0


class VisitorStats:
    """Latencies and status codes of the visitors of one kind."""

    def __init__(self):
        self.times, self.statuses = [], Counter()

    def is_within_limits(self):
        return set(self.statuses) == {200} and quantile(self.times, 0.99) <= MAX_P99_S

    def __str__(self):
        p50, p99, maximum = (quantile(self.times, share) * 1000 for share in (0.5, 0.99, 1.0))
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items(), key=str))
        return f"p50 {p50:6.0f}  p99 {p99:6.0f}  max {maximum:6.0f} ms   {statuses}"


async def visit(visitor, paths, stats, until):
    for path in itertools.cycle(paths):
        if time.monotonic() >= until():
            return
        # A new connection each time, as a new visitor has.
        client, began = visitor.new_tab(), time.monotonic()
        try:
            status = (await client.get(path, timeout=REQUEST_TIMEOUT_S)).status
        except NoResponse:
            status = "no response"
        finally:
            client.close()
        stats.times.append(time.monotonic() - began)
        stats.statuses[status] += 1
        await asyncio.sleep(0.05)


async def create_visitors(shop):
    """One visitor of each kind; the one of kind `cart` is signed in and has an item in the cart."""
    visitors = {}
    for number, kind in enumerate(KINDS, 10):
        visitors[kind] = Visitor(shop.base_url, f"127.0.0.{number}")
    customer = visitors["cart"]
    if not await customer.sign_in("visitor@soak.example"):
        raise SystemExit("the customer cannot sign in")
    await customer.post("/api/cart/add-to-cart", {"productId": "goda-masala", "qty_50g": 1, "qty_100g": 0})
    for path in PAGES:
        await visitors["pages"].get(path)
    return visitors


async def edit_products(admin):
    """Hides and shows a product every 2 s. Each change invalidates all rendered pages."""
    while True:
        with contextlib.suppress(NoResponse):
            await admin.request("PUT", "/api/admin/products/kanda-lasun-masala/toggle-visibility", {}, timeout=REQUEST_TIMEOUT_S)
        await asyncio.sleep(2)


# -- attacks: each runs until it is cancelled, and counts the outcomes --------------------------------------


async def slow_bodies(shop, outcomes, count):
    host = shop.base_url.split("//")[1]
    head = (f"POST /api/payment/webhook/phonepe HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            "Authorization: guessed\r\nContent-Length: 90000\r\n\r\n{").encode()

    async def one():
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", shop.port, local_addr=(ATTACKER_IP, 0))
                writer.write(head)
                line = await reader.readline()
                outcomes[line.split()[1].decode() if line else "closed"] += 1
                # After an immediate response, a faster loop would only overload the machine of the test.
                await asyncio.sleep(1)
            except OSError:
                outcomes["reset"] += 1
                await asyncio.sleep(1)
            finally:
                if writer:
                    writer.close()

    await asyncio.gather(*(one() for _ in range(count)))


async def slow_gateway(shop, outcomes, tabs=76, sessions=4):
    response = await fetch(shop.base_url + "/sandbox/phonepe/faults", "POST", body={"timeout": 100_000, "calls": ["pay"]})
    if not response.ok:
        raise SystemExit(f"the sandbox gateway cannot be made to hang: {response}")
    customers = [Visitor(shop.base_url, ATTACKER_IP) for _ in range(sessions)]
    for customer in customers:
        await customer.sign_in("attacker@soak.example")
    await customers[0].post("/api/cart/add-to-cart", {"productId": "chai-masala", "qty_50g": 1, "qty_100g": 0})
    address_id = (await customers[0].post("/api/addresses", HOME_ADDRESS)).json()["address"]["_id"]

    async def check_out(customer):
        while True:
            tab = customer.new_tab()
            try:
                outcomes[(await tab.post("/api/cart/checkout", {"addressId": address_id}, timeout=60)).status] += 1
            except NoResponse:
                outcomes["no response"] += 1
            finally:
                tab.close()
            await asyncio.sleep(1)

    await asyncio.gather(*(check_out(customers[number % sessions]) for number in range(tabs)))


async def unknown_urls(shop, outcomes, per_second=90, connections=16):
    """As fast as the rate limit of one client IP allows."""
    numbers = itertools.count()
    patterns = ["/no/such/page/{}", "/product/none-{}", "/sub-products?search=x{}", "/search?q=x{}", "/sub-products?category=x{}",
                "/?x={}", "/products?category=x{}", "/about-us/{}"]

    async def one(number):
        visitor, due = Visitor(shop.base_url, ATTACKER_IP), time.monotonic() + number / per_second
        while True:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due = max(due + connections / per_second, time.monotonic() - 1)
            at = next(numbers)
            path = patterns[at % len(patterns)].format(at)
            is_unknown = path.startswith(("/no/", "/product/", "/about-us/"))
            try:
                status = (await visitor.get(path, timeout=60)).status
                outcomes[f"{status}{' for an unknown URL' if is_unknown and status == 200 else ''}"] += 1
            except NoResponse:
                outcomes["no response"] += 1

    await asyncio.gather(*(one(number) for number in range(connections)))


async def silent_sockets(shop, outcomes, count=8400):
    """Opens connections as fast as possible and replaces those that are closed. Runs in a thread, so that it does not delay
    the visitors of this process."""
    stopped = threading.Event()
    try:
        await asyncio.to_thread(keep_sockets_open, shop.port, count, outcomes, stopped)
    finally:
        stopped.set()


def keep_sockets_open(port, count, outcomes, stopped):
    connections, poll = {}, select.poll()
    while not stopped.is_set():
        for _ in range(min(200, count - len(connections))):
            connection = socket.socket()
            connection.setblocking(False)
            try:
                connection.bind((ATTACKER_IP, 0))
                connection.connect_ex(("127.0.0.1", port))
            except OSError:
                outcomes["not connected"] += 1
                connection.close()
                continue
            connections[connection.fileno()] = connection
            poll.register(connection, select.POLLIN | select.POLLERR)
        for handle, _ in poll.poll(0):
            poll.unregister(handle)
            with connections.pop(handle) as connection:
                try:
                    line = connection.recv(100)
                    outcomes[line.split()[1].decode() if line else "closed"] += 1
                except OSError:
                    outcomes["reset"] += 1
        time.sleep(0.05)
    for connection in connections.values():
        connection.close()


async def images(shop, outcomes):
    from soak.exhaustion_images import run
    result = run(shop) if inspect.iscoroutinefunction(run) else asyncio.to_thread(run, shop)
    outcomes.update({f"{name} {value}": 1 for name, value in (await result).items()})


CASES = {
    "bodies 70": lambda shop, outcomes: slow_bodies(shop, outcomes, 70),
    "bodies 384": lambda shop, outcomes: slow_bodies(shop, outcomes, 384),
    "gateway": slow_gateway,
    "urls": unknown_urls,
    "sockets": silent_sockets,
}
if importlib.util.find_spec("soak.exhaustion_images"):
    CASES["images"] = images


# -- one case -----------------------------------------------------------------------------------------------


async def rendered_pages(shop):
    """Counters of rendered and evicted pages, or None with an older build that does not have them."""
    response = await fetch(shop.base_url + "/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}, timeout=REQUEST_TIMEOUT_S)
    found = {name: re.search(rf"^pages_{name}_total (\d+)", response.body.decode(), re.M) for name in ("rendered", "evicted")}
    if not any(found.values()):
        return None
    return {name: int(match.group(1)) if match else 0 for name, match in found.items()}


async def sample_memory(shop):
    while True:
        shop.memory()
        await asyncio.sleep(0.05)


async def run_case(context, program, name, seconds):
    port = free_port()
    settings = {"MIRASA_DATA": context.path(name), "MIRASA_RATE_LIMIT": "on", "MIRASA_METRICS_TOKEN": METRICS_TOKEN, "MIRASA_LOG": "off"}
    shop = Instance(context, program, name.replace(" ", "-"), port, f"http://127.0.0.1:{port}", settings)
    shop.environment.pop("LD_PRELOAD", None)
    outcomes, stats = Counter(), {kind: VisitorStats() for kind in KINDS}
    try:
        await shop.command("seed", context.write_catalogue())
        await shop.start()
        if not await shop.wait_until_ready():
            raise SystemExit("the server does not start")
        visitors, admin = await create_visitors(shop), Visitor(shop.base_url, "127.0.0.9")
        if not await admin.sign_in(ADMIN):
            raise SystemExit("the admin cannot sign in")
        before, pages_before = shop.memory(), await rendered_pages(shop)
        sampling = asyncio.create_task(sample_memory(shop))
        editing = asyncio.create_task(edit_products(admin))
        attack = asyncio.create_task(CASES[name](shop, outcomes))
        await asyncio.sleep(1)
        end = time.monotonic() + seconds
        # The images case ends by itself; the visitors continue until then.
        until = (lambda: float("inf") if not attack.done() else 0.0) if name == "images" else (lambda: end)
        await asyncio.gather(*(visit(visitors[kind], KINDS[kind], stats[kind], until) for kind in KINDS))
        if attack.done():
            attack.result()
        for task in (attack, editing, sampling):
            task.cancel()
        await asyncio.gather(attack, editing, sampling, return_exceptions=True)
        try:
            pages = await rendered_pages(shop)
        except NoResponse:
            pages = None
    finally:
        if shop.process:
            await shop.stop()
    context.log(f"{name}: memory {before} MiB before, peak {shop.peak_memory_mib} MiB")
    for kind, visitor_stats in stats.items():
        context.log(f"    {'ok   ' if visitor_stats.is_within_limits() else 'WRONG'} {kind:9}{visitor_stats}")
    context.log(f"    outcomes for the attacker: {', '.join(f'{count} × {outcome}' for outcome, count in outcomes.most_common()) or 'none'}")
    if pages and pages_before:
        difference = {name: pages[name] - pages_before[name] for name in pages}
        context.log(f"    pages rendered during the attack: {difference['rendered']}, evicted: {difference['evicted']}")
    return all(visitor_stats.is_within_limits() for visitor_stats in stats.values())


async def exhaustion(arguments, context):
    program = find_program(arguments.program)
    context.log(f"program {program}")
    passed = [await run_case(context, program, name, arguments.seconds) for name in arguments.cases]
    return all(passed) and not context.failures


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.exhaustion", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=15, help="duration of each case")
    parser.add_argument("--cases", nargs="*", choices=list(CASES), default=list(CASES), metavar="CASE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="mirasa-exhaustion.") as folder:
        passed = asyncio.run(exhaustion(arguments, RunContext(folder, arguments.seed)))
    print("Exhaustion passed" if passed else "EXHAUSTION FAILED")
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
