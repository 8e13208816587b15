"""One attacker with one address and no more than a laptop, who wants the shop closed for everybody else. Each case
tells what other visitors saw meanwhile, how much memory the program took, and what became of the attack:

    bodies 70, bodies 384    sockets that send one byte of a webhook's body
    gateway                  a gateway that hangs, and 76 checkouts of one customer in four sessions
    addresses                addresses that lead nowhere, searches and parameters that nobody has asked for before
    sockets                  8,400 connections that say nothing
    images                   small files that unpack to large pictures, where soak/exhaustion_images.py is there

It also runs on older programs, to compare. The limits are on, as in a real shop.
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

from soak.load import quantile
from soak.people import HOME
from soak.run import find_program
from soak.shop import ADMIN, Instance
from soak.web import NoAnswer, Visitor, once
from soak.world import World, free_port

ATTACKER = "127.0.0.66"
TOKEN = "exhaustion"
PATIENCE_S = 8
# What other visitors ask for; each kind from an address of its own.
PAGES = ["/", "/product/goda-masala", "/products", "/sub-products", "/product/chai-masala", "/about-us"]
KINDS = {"pages": PAGES, "products": ["/api/products/api/productInfo"], "cart": ["/api/cart/cart"], "health": ["/healthz"]}
# Nobody should wait longer than this, whoever attacks. A debug build on a busy machine is slow by itself.
LONGEST_P99_S = 1.0


class Seen:
    """What visitors of one kind saw."""

    def __init__(self):
        self.times, self.statuses = [], Counter()

    def is_fine(self):
        return set(self.statuses) == {200} and quantile(self.times, 0.99) <= LONGEST_P99_S

    def __str__(self):
        p50, p99, most = (quantile(self.times, share) * 1000 for share in (0.5, 0.99, 1.0))
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items(), key=str))
        return f"p50 {p50:6.0f}  p99 {p99:6.0f}  max {most:6.0f} ms   {statuses}"


async def visit(visitor, paths, seen, until):
    for path in itertools.cycle(paths):
        if time.monotonic() >= until():
            return
        # A connection each, as somebody has who comes for the first time.
        newcomer, began = visitor.twin(), time.monotonic()
        try:
            status = (await newcomer.get(path, timeout=PATIENCE_S)).status
        except NoAnswer:
            status = "no answer"
        finally:
            newcomer.close()
        seen.times.append(time.monotonic() - began)
        seen.statuses[status] += 1
        await asyncio.sleep(0.05)


async def bystanders(shop):
    """Visitors of each kind, one of them with something in the cart."""
    visitors = {}
    for number, kind in enumerate(KINDS, 10):
        visitors[kind] = Visitor(shop.address, f"127.0.0.{number}")
    buyer = visitors["cart"]
    if not await buyer.sign_in("bystander@soak.example"):
        raise SystemExit("the bystander cannot sign in")
    await buyer.post("/api/cart/add-to-cart", {"productId": "goda-masala", "qty_50g": 1, "qty_100g": 0})
    for path in PAGES:
        await visitors["pages"].get(path)
    return visitors


async def owner_at_work(owner):
    """Hides and shows a product: each time all pages are rendered anew."""
    while True:
        with contextlib.suppress(NoAnswer):
            await owner.ask("PUT", "/api/admin/products/kanda-lasun-masala/toggle-visibility", {}, timeout=PATIENCE_S)
        await asyncio.sleep(2)


# -- the attacks: each lasts until it is cancelled, and counts what it was told -----------------------------


async def slow_bodies(shop, told, count):
    host = shop.address.split("//")[1]
    head = (f"POST /api/payment/webhook/phonepe HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            "Authorization: guessed\r\nContent-Length: 90000\r\n\r\n{").encode()

    async def one():
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", shop.port, local_addr=(ATTACKER, 0))
                writer.write(head)
                line = await reader.readline()
                told[line.split()[1].decode() if line else "closed"] += 1
                # Whoever is answered at once would only do the sender's own machine harm by hurrying.
                await asyncio.sleep(1)
            except OSError:
                told["cut"] += 1
                await asyncio.sleep(1)
            finally:
                if writer:
                    writer.close()

    await asyncio.gather(*(one() for _ in range(count)))


async def slow_gateway(shop, told, clicks=76, sessions=4):
    switched = await once(shop.address + "/sandbox/phonepe/switches", "POST", body={"timeout": 100_000, "calls": ["pay"]})
    if not switched.ok:
        raise SystemExit(f"the gateway cannot be made to hang: {switched}")
    customers = [Visitor(shop.address, ATTACKER) for _ in range(sessions)]
    for customer in customers:
        await customer.sign_in("clicker@soak.example")
    await customers[0].post("/api/cart/add-to-cart", {"productId": "chai-masala", "qty_50g": 1, "qty_100g": 0})
    home = (await customers[0].post("/api/addresses", HOME)).json()["address"]["_id"]

    async def click(customer):
        while True:
            tab = customer.twin()
            try:
                told[(await tab.post("/api/cart/checkout", {"addressId": home}, timeout=60)).status] += 1
            except NoAnswer:
                told["no answer"] += 1
            finally:
                tab.close()
            await asyncio.sleep(1)

    await asyncio.gather(*(click(customers[number % sessions]) for number in range(clicks)))


async def made_up_addresses(shop, told, per_second=90, connections=16):
    """As fast as the limits of one address allow."""
    numbers = itertools.count()
    kinds = ["/no/such/page/{}", "/product/none-{}", "/sub-products?search=x{}", "/search?q=x{}", "/sub-products?category=x{}",
             "/?x={}", "/products?category=x{}", "/about-us/{}"]

    async def one(number):
        visitor, due = Visitor(shop.address, ATTACKER), time.monotonic() + number / per_second
        while True:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due = max(due + connections / per_second, time.monotonic() - 1)
            at = next(numbers)
            path = kinds[at % len(kinds)].format(at)
            leads_nowhere = path.startswith(("/no/", "/product/", "/about-us/"))
            try:
                status = (await visitor.get(path, timeout=60)).status
                told[f"{status}{' for a wrong address' if leads_nowhere and status == 200 else ''}"] += 1
            except NoAnswer:
                told["no answer"] += 1

    await asyncio.gather(*(one(number) for number in range(connections)))


async def silent_sockets(shop, told, count=8400):
    """Opened as quickly as they can be; what is closed is opened again. In a thread, so that the visitors here do not
    wait for it."""
    over = threading.Event()
    try:
        await asyncio.to_thread(hold_sockets, shop.port, count, told, over)
    finally:
        over.set()


def hold_sockets(port, count, told, over):
    held, poll = {}, select.poll()
    while not over.is_set():
        for _ in range(min(200, count - len(held))):
            one = socket.socket()
            one.setblocking(False)
            try:
                one.bind((ATTACKER, 0))
                one.connect_ex(("127.0.0.1", port))
            except OSError:
                told["not connected"] += 1
                one.close()
                continue
            held[one.fileno()] = one
            poll.register(one, select.POLLIN | select.POLLERR)
        for handle, _ in poll.poll(0):
            poll.unregister(handle)
            with held.pop(handle) as one:
                try:
                    line = one.recv(100)
                    told[line.split()[1].decode() if line else "closed"] += 1
                except OSError:
                    told["cut"] += 1
        time.sleep(0.05)
    for one in held.values():
        one.close()


async def images(shop, told):
    from soak.exhaustion_images import run
    found = run(shop) if inspect.iscoroutinefunction(run) else asyncio.to_thread(run, shop)
    told.update({f"{name} {value}": 1 for name, value in (await found).items()})


CASES = {
    "bodies 70": lambda shop, told: slow_bodies(shop, told, 70),
    "bodies 384": lambda shop, told: slow_bodies(shop, told, 384),
    "gateway": slow_gateway,
    "addresses": made_up_addresses,
    "sockets": silent_sockets,
}
if importlib.util.find_spec("soak.exhaustion_images"):
    CASES["images"] = images


# -- one case -----------------------------------------------------------------------------------------------


async def rendered_pages(shop):
    """Pages rendered and thrown out of memory so far; an older program does not say."""
    answer = await once(shop.address + "/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE_S)
    found = {name: re.search(rf"^pages_{name} (\d+)", answer.body.decode(), re.M) for name in ("rendered", "evicted")}
    if not any(found.values()):
        return None
    return {name: int(match.group(1)) if match else 0 for name, match in found.items()}


async def sample(shop):
    while True:
        shop.memory()
        await asyncio.sleep(0.05)


async def case(world, program, name, seconds):
    port = free_port()
    settings = {"MIRASA_DATA": world.path(name), "MIRASA_RATE_LIMIT": "on", "MIRASA_METRICS_TOKEN": TOKEN, "MIRASA_LOG": "off"}
    shop = Instance(world, program, name.replace(" ", "-"), port, f"http://127.0.0.1:{port}", settings)
    shop.environment.pop("LD_PRELOAD", None)
    told, seen = Counter(), {kind: Seen() for kind in KINDS}
    try:
        await shop.command("seed", world.write_catalogue())
        await shop.start()
        if not await shop.ready():
            raise SystemExit("the shop does not start")
        visitors, owner = await bystanders(shop), Visitor(shop.address, "127.0.0.9")
        if not await owner.sign_in(ADMIN):
            raise SystemExit("the owner cannot sign in")
        before, pages_before = shop.memory(), await rendered_pages(shop)
        sampling = asyncio.create_task(sample(shop))
        editing = asyncio.create_task(owner_at_work(owner))
        attack = asyncio.create_task(CASES[name](shop, told))
        await asyncio.sleep(1)
        end = time.monotonic() + seconds
        # What ends by itself is watched to its end.
        until = (lambda: float("inf") if not attack.done() else 0.0) if name == "images" else (lambda: end)
        await asyncio.gather(*(visit(visitors[kind], KINDS[kind], seen[kind], until) for kind in KINDS))
        if attack.done():
            attack.result()
        for task in (attack, editing, sampling):
            task.cancel()
        await asyncio.gather(attack, editing, sampling, return_exceptions=True)
        try:
            pages = await rendered_pages(shop)
        except NoAnswer:
            pages = None
    finally:
        if shop.process:
            await shop.stop()
    world.say(f"{name}: memory {before} MiB before, {shop.most_memory} MiB at most")
    for kind, what in seen.items():
        world.say(f"    {'fine ' if what.is_fine() else 'WRONG'} {kind:9}{what}")
    world.say(f"    the attacker was told: {', '.join(f'{count} × {what}' for what, count in told.most_common()) or 'nothing'}")
    if pages and pages_before:
        more = {what: pages[what] - pages_before[what] for what in pages}
        world.say(f"    pages rendered meanwhile: {more['rendered']}, thrown out of memory: {more['evicted']}")
    return all(what.is_fine() for what in seen.values())


async def exhaustion(arguments, world):
    program = find_program(arguments.program)
    world.say(f"program {program}")
    fine = [await case(world, program, name, arguments.seconds) for name in arguments.cases]
    return all(fine) and not world.troubles


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.exhaustion", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=15, help="how long each case lasts")
    parser.add_argument("--cases", nargs="*", choices=list(CASES), default=list(CASES), metavar="CASE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="mirasa-exhaustion.") as folder:
        fine = asyncio.run(exhaustion(arguments, World(folder, arguments.seed)))
    print("Exhaustion: fine" if fine else "EXHAUSTION FOUND SOMETHING")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
