"""The soak: a shop, its gateway, its post office, buyers, admins and faults; then a quiet end, and the checker."""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections import Counter

from soak.admins import Admin
from soak.books import Books, read_postgres, read_sqlite
from soak.chaos import JUMPS, Chaos
from soak.checker import report
from soak.people import Buyer
from soak.post import PostOffice
from soak.shop import WEBHOOK, Instance, gateway_settings
from soak.watch import Watch, watch_memory
from soak.web import NoAnswer, once
from soak.world import World, free_port

# Whatever was written while the clock was wrong is due after this.
LONGEST_JUMP_S = max(JUMPS) + 1800
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find_program(named):
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "mirasa/target")
    for program in [named, os.environ.get("MIRASA_PROGRAM"), f"{ROOT}/target/release/mirasa", f"{cache}/release/mirasa", f"{cache}/debug/mirasa"]:
        if program and os.access(program, os.X_OK):
            return program
    raise SystemExit("the program is not built; please run:  make build")


async def start_gateway(world, shop, faults):
    port = free_port()
    user, password = WEBHOOK
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "soak.gateway", "--port", str(port), "--record", world.path("gateway.jsonl"), "--shop", shop,
        "--user", user, "--password", password, "--seed", str(world.seed), "--faults", str(faults), cwd=ROOT)
    url = f"http://127.0.0.1:{port}"
    await until(lambda: answers(url + "/"), 10, "the gateway does not start")
    return process, url


async def answers(url):
    try:
        await once(url, timeout=1)
        return True
    except NoAnswer:
        return False


async def until(condition, seconds, complaint):
    for _ in range(int(seconds * 20)):
        if await condition():
            return
        await asyncio.sleep(0.05)
    raise SystemExit(complaint)


def unsettled(tables, folder):
    """What the shop still has to do before the books can be closed."""
    books = Books(folder, tables)
    attempts = [number for number in books.captured if number in books.attempts and books.attempts[number]["state"] in ("opening", "open")]
    refunds = [row["id"] for row in tables["refunds"] if row["state"] in ("wanted", "pending")]
    mails = [row["id"] for row in tables["mails"] if row["sent_at"] is None]
    return len(attempts), len(refunds), len(mails)


async def settle_down(world, instances, gateway_url, read, patience):
    """No more faults; the shop's own clock is moved on so that everything that waits comes due."""
    await once(gateway_url + "/control", "POST", body={}, timeout=60)
    clock, end, left = 0, world.now() + patience, None
    while world.now() < end:
        left = unsettled(read(), world.folder)
        if not any(left):
            break
        # First past the time to pay, then past the longest jump that the clock made, then hour by hour.
        clock = max(clock + 3700, LONGEST_JUMP_S) if clock else 1800
        for instance in instances:
            instance.set_clock(clock)
        await asyncio.sleep(1.5)
    world.say(f"settled: {left[0]} payments, {left[1]} refunds, {left[2]} letters are still under way; the clock went on by {clock // 60} min")
    if any(left):
        world.trouble(f"after {patience} s of quiet there are still {left[0]} payments, {left[1]} refunds, {left[2]} letters under way")


async def soak(arguments, world):
    program = find_program(arguments.program)
    world.say(f"seed {world.seed}, program {program}, record in {world.folder}")
    data, smtp, port = world.path("data"), free_port(), free_port()
    public = f"http://127.0.0.1:{port}"
    post = PostOffice(smtp, world.path("post.jsonl"))
    await post.start()
    gateway, gateway_url = await start_gateway(world, public, arguments.faults)
    settings = {"MIRASA_DATA": data, "DATABASE_URL": arguments.postgres or "", **gateway_settings(gateway_url, smtp)}
    shop = Instance(world, program, "shop", port, public, settings)
    chaos = Chaos(world, shop, gateway, post, embedded=not arguments.postgres)
    watch = Watch(world, public + "/healthz")

    def read():
        return read_postgres(arguments.postgres) if arguments.postgres else read_sqlite(os.path.join(data, "mirasa.db"))

    try:
        chaos.mount_small_disk(data)
        code, words = await shop.command("seed", world.write_catalogue())
        if code:
            raise SystemExit(f"the shop cannot be filled: {words}")
        await shop.start()
        if not await shop.ready():
            raise SystemExit(f"the shop does not start; see {world.path('shop.log')}")
        people = [Buyer(world, public, f"buyer{n}") for n in range(arguments.buyers)]
        people += [Admin(world, public, f"admin{n}") for n in range(2)]
        living = [asyncio.create_task(person.live(arguments.pace)) for person in people]
        living += [asyncio.create_task(watch.run()), asyncio.create_task(watch_memory(world, [shop]))]
        if arguments.calm:
            await asyncio.sleep(arguments.seconds)
        else:
            await chaos.rage(arguments.seconds, arguments.quiet, chaos.short_deck() if arguments.brief else None)
        if not chaos.backups:
            world.say(await chaos.backup())
        world.stopping = True
        world.say("buyers go home")
        _, late = await asyncio.wait(living, timeout=8)
        for task in late:
            task.cancel()
        for task in living:
            if not task.cancelled() and task.done() and task.exception():
                world.trouble(f"the soak itself failed: {task.exception()!r}")
        if not shop.has_clock:
            world.say("without faketime the payments are waited for by the true clock")
        await settle_down(world, [shop], gateway_url, read, 40 if shop.has_clock else 200)
        own_check, words = await shop.command("check")
        if own_check:
            world.trouble(f"the shop's own check finds: {words}")
        await shop.stop()
        tables = read()
        restored = await restore(world, chaos, shop)
        keep(data, world)
    finally:
        await shop.stop() if shop.process else None
        gateway.kill()
        chaos.unmount()
    return finish(world, tables, restored, shop, watch, chaos)


async def restore(world, chaos, shop):
    """Each backup that was taken under load, as the database that it restores to."""
    restored = []
    for number, (file, began) in enumerate(chaos.backups[-2:]):
        folder = world.path(f"restored-{number}")
        shop.environment["MIRASA_DATA"], shop.environment["DATABASE_URL"] = folder, ""
        code, words = await shop.command("restore", file)
        if code:
            world.trouble(f"{file} cannot be restored: {words}")
            continue
        restored.append((read_sqlite(os.path.join(folder, "mirasa.db")), began, os.path.basename(file)))
    return restored


def keep(data, world):
    """The small disk goes away; its database stays for whoever looks later."""
    os.makedirs(world.path("kept"), exist_ok=True)
    for name in ("mirasa.db", "mirasa.db-wal"):
        if os.path.exists(os.path.join(data, name)):
            shutil.copy(os.path.join(data, name), world.path("kept", name))


def finish(world, tables, restored, shop, watch, chaos):
    books = Books(world.folder, tables)
    paid = [order for order in books.orders.values() if order["payment_status"] == "completed"]
    print(f"\nTried with seed {world.seed}:")
    for line in sorted(f"{what:55s} {count}" for what, count in world.counts.items() if not what.endswith(" asked")):
        print(f"  {line}")
    for skipped in dict.fromkeys(chaos.skipped):
        print(f"  NOT TRIED  {skipped}")
    print(f"  {'faults of the gateway':55s} {len(books.gateway_faults)}")
    print(f"\n{len(books.orders)} orders, {len(paid)} paid, {len(books.captured)} payments captured, {len(books.gateway_refunds)} refunded, "
          f"{len(tables['concerns'])} concerns for the owner; {shop.kills} times kill -9, {shop.own_deaths} deaths at fault points; "
          f"{watch.away():.1f} s in which nobody was served (longest {watch.longest():.1f} s); at most {shop.most_memory} MiB")
    arrived = Counter(letter["id"] for letter in books.letters)
    print(f"{len(books.letters)} letters arrived, {sum(count > 1 for count in arrived.values())} of them more than once, under one message id")
    fine = report(books, "The checker on the shop as it is now")
    for tables, began, name in restored:
        fine = report(Books(world.folder, tables, until=began), f"The checker on {name}, restored (taken at {began} s)") and fine
    for trouble in world.troubles:
        print(f"TROUBLE {trouble}")
    return fine and not world.troubles


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--seed", type=int, default=None, help="the same seed makes the same choices; it is printed")
    parser.add_argument("--buyers", type=int, default=24)
    parser.add_argument("--pace", type=float, default=0.3, help="the longest pause of a person between two errands")
    parser.add_argument("--quiet", type=float, default=4, help="the longest pause between two faults")
    parser.add_argument("--faults", type=float, default=0.15, help="how much of the gateway's calls goes wrong")
    parser.add_argument("--calm", action="store_true", help="no faults but the gateway's own")
    parser.add_argument("--postgres", metavar="URL", help="an empty database to use instead of SQLite")
    parser.add_argument("--program", help="the program; otherwise the release build, otherwise the debug one")
    parser.add_argument("--folder", help="where the record goes; otherwise a new folder below /tmp")
    parser.add_argument("--brief", action="store_true", help="half a minute: each fault that may cost something once")
    arguments = parser.parse_args()
    if arguments.brief:
        arguments.seconds, arguments.quiet, arguments.buyers = 18, 0.4, 12
    seed = arguments.seed if arguments.seed is not None else int(time.time()) % 1_000_000
    world = World(arguments.folder or tempfile.mkdtemp(prefix="mirasa-soak."), seed)
    fine = asyncio.run(soak(arguments, world))
    print(f"\n{'The soak was fine' if fine else 'THE SOAK FOUND SOMETHING'}: {world.folder}, {world.now():.0f} s")
    return 0 if fine else 1
