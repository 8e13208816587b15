"""The soak test: a server, a payment gateway, an SMTP server, customers, admins and faults. When all work has settled, the
checker runs."""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections import Counter

from soak.admins import Admin
from soak.availability import AvailabilityProbe, sample_memory
from soak.chaos import JUMPS, Chaos
from soak.checker import report
from soak.customers import Customer, LeavingCustomer
from soak.evidence import Evidence, read_postgres, read_sqlite
from soak.rules_parcels import ENDS
from soak.run_context import RunContext, free_port
from soak.shop import COURIER_KEY, WEBHOOK, Instance, courier_settings, gateway_settings
from soak.smtp_server import SmtpServer
from soak.stale_admins import StaleAdmin
from soak.web import NoResponse, fetch

# Work that was scheduled while the clock was wrong is due after this many seconds.
LONGEST_JUMP_S = max(JUMPS) + 1800
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find_program(named):
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "mirasa/target")
    for program in [named, os.environ.get("MIRASA_PROGRAM"), f"{ROOT}/target/release/mirasa", f"{cache}/release/mirasa", f"{cache}/debug/mirasa"]:
        if program and os.access(program, os.X_OK):
            return program
    raise SystemExit("mirasa is not built; please run:  make build")


async def start_gateway(context, public_url, faults):
    port = free_port()
    user, password = WEBHOOK
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "soak.gateway", "--port", str(port), "--record", context.path("gateway.jsonl"), "--shop", public_url,
        "--user", user, "--password", password, "--seed", str(context.seed), "--faults", str(faults), cwd=ROOT)
    url = f"http://127.0.0.1:{port}"
    await wait_until(lambda: responds(url + "/"), 10, "the gateway does not start")
    return process, url


async def start_courier(context, public_url, faults):
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "soak.courier", "--port", str(port), "--record", context.path("courier.jsonl"), "--shop", public_url,
        "--key", COURIER_KEY, "--seed", str(context.seed), "--faults", str(faults), cwd=ROOT)
    url = f"http://127.0.0.1:{port}"
    await wait_until(lambda: responds(url + "/"), 10, "the courier does not start")
    return process, url


async def responds(url):
    try:
        await fetch(url, timeout=1)
        return True
    except NoResponse:
        return False


async def wait_until(condition, seconds, message):
    for _ in range(int(seconds * 20)):
        if await condition():
            return
        await asyncio.sleep(0.05)
    raise SystemExit(message)


def count_unsettled(tables, folder):
    """Captured payments, refunds, emails and parcels that the server has not finished yet."""
    evidence = Evidence(folder, tables)
    attempts = [number for number in evidence.captured if number in evidence.attempts and evidence.attempts[number]["state"] in ("opening", "open")]
    refunds = [row["id"] for row in tables["refunds"] if row["state"] in ("wanted", "pending")]
    emails = [row["id"] for row in tables["mails"] if row["sent_at"] is None]
    known = {row["tracking_number"]: row for row in tables["shipments"]}
    ends = {line["awb"] for line in evidence.courier if line["event"] == "scan" and line["status"] in ENDS}
    # Booking a parcel waits while its customer waits for an answer of the owner. Its scans do not.
    asked = {row["order_id"] for row in tables["cancellation_requests"] if row["decided_at"] is None}
    parcels = [row["id"] for row in tables["shipments"] if row["step"] not in ("track", "done") and (row["step"] == "cancel" or row["order_id"] not in asked)]
    parcels += [awb for awb in ends if awb in known and known[awb]["step"] != "done"]
    return len(attempts), len(refunds), len(emails), len(parcels)


async def wait_until_settled(context, instances, partner_urls, read, timeout_s):
    """Ends the faults of gateway and courier and moves the server's clock forward until all waiting work is due and done."""
    for url in partner_urls:
        await fetch(url + "/control", "POST", body={}, timeout=60)
    clock, end, left = 0, context.now() + timeout_s, None
    while context.now() < end:
        left = count_unsettled(read(), context.folder)
        if not any(left):
            break
        # First past the payment timeout, then past the longest clock jump, then in steps of about an hour.
        clock = max(clock + 3700, LONGEST_JUMP_S) if clock else 1800
        for instance in instances:
            instance.set_clock(clock)
        await asyncio.sleep(1.5)
    context.log(f"unsettled: {left[0]} payments, {left[1]} refunds, {left[2]} emails, {left[3]} parcels; the clock was moved forward by {clock // 60} min")
    if any(left):
        context.fail(f"{timeout_s} s after the last fault, {left[0]} payments, {left[1]} refunds, {left[2]} emails and {left[3]} parcels are unsettled")


async def soak(arguments, context):
    program = find_program(arguments.program)
    context.log(f"seed {context.seed}, program {program}, record in {context.folder}")
    data, smtp_port, port = context.path("data"), free_port(), free_port()
    public_url = f"http://127.0.0.1:{port}"
    smtp = SmtpServer(smtp_port, context.path("emails.jsonl"))
    await smtp.start()
    gateway, gateway_url = await start_gateway(context, public_url, arguments.faults)
    courier, courier_url = await start_courier(context, public_url, arguments.faults)
    settings = {"MIRASA_DATA": data, "DATABASE_URL": arguments.postgres or "", **gateway_settings(gateway_url, smtp_port),
                **courier_settings(courier_url)}
    shop = Instance(context, program, "shop", port, public_url, settings)
    chaos = Chaos(context, shop, gateway, smtp, is_sqlite=not arguments.postgres)
    probe = AvailabilityProbe(context, public_url + "/healthz")

    def read():
        return read_postgres(arguments.postgres) if arguments.postgres else read_sqlite(os.path.join(data, "mirasa.db"))

    try:
        chaos.mount_small_disk(data, arguments.seconds)
        code, output = await shop.command("seed", context.write_catalogue())
        if code:
            raise SystemExit(f"the catalogue cannot be imported: {output}")
        await shop.start()
        if not await shop.wait_until_ready():
            raise SystemExit(f"the server does not start; see {context.path('shop.log')}")
        users = [Customer(context, public_url, f"customer{n}") for n in range(arguments.customers)]
        users += [LeavingCustomer(context, public_url, f"leaver{n}") for n in range(2)]
        users += [Admin(context, public_url, f"admin{n}") for n in range(2)]
        users += [StaleAdmin(context, public_url, f"stale{n}") for n in range(3)]
        tasks = [asyncio.create_task(user.run(arguments.pace)) for user in users]
        tasks += [asyncio.create_task(probe.run()), asyncio.create_task(sample_memory(context, [shop]))]
        if arguments.calm:
            await asyncio.sleep(arguments.seconds)
        else:
            await chaos.run_faults(arguments.seconds, arguments.quiet, chaos.short_faults() if arguments.brief else None)
        if not chaos.backups:
            context.log(await chaos.backup())
        context.stopping = True
        context.log("customers and admins stop")
        _, late = await asyncio.wait(tasks, timeout=8)
        for task in late:
            task.cancel()
        for task in tasks:
            if not task.cancelled() and task.done() and task.exception():
                context.fail(f"the soak itself failed: {task.exception()!r}")
        if not shop.has_clock:
            context.log("faketime is not installed: waiting for payments in real time")
        await wait_until_settled(context, [shop], [gateway_url, courier_url], read, arguments.seconds / 15 + (40 if shop.has_clock else 200))
        code, output = await shop.command("check")
        if code:
            context.fail(f"mirasa check reports: {output}")
        await shop.stop()
        tables = read()
        if arguments.postgres:
            await keep_as_sqlite(context, shop)
        restored = await restore(context, chaos, shop)
        save_database(data, context)
    finally:
        await shop.stop() if shop.process else None
        gateway.kill()
        courier.kill()
        chaos.unmount()
    return finish(context, tables, restored, shop, probe, chaos)


async def restore(context, chaos, shop):
    """Restores the last two backups that were made under load. [(tables, start of the backup, file name)]"""
    restored = []
    for number, (file, began) in enumerate(chaos.backups[-2:]):
        folder = context.path(f"restored-{number}")
        shop.environment["MIRASA_DATA"], shop.environment["DATABASE_URL"] = folder, ""
        code, output = await shop.command("restore", file)
        if code:
            context.fail(f"{file} cannot be restored: {output}")
            continue
        restored.append((read_sqlite(os.path.join(folder, "mirasa.db")), began, os.path.basename(file)))
    return restored


async def keep_as_sqlite(context, shop):
    """Copies a PostgreSQL database to a SQLite file in the folder of the run, for the self test of the checker."""
    file, before = context.path("final.jsonl"), dict(shop.environment)
    code, output = await shop.command("backup", file)
    if not code:
        shop.environment |= {"MIRASA_DATA": context.path("kept"), "DATABASE_URL": ""}
        code, output = await shop.command("restore", file)
    shop.environment |= {name: before[name] for name in ("MIRASA_DATA", "DATABASE_URL")}
    if code:
        context.fail(f"the database cannot be copied to SQLite: {output}")


def save_database(data, context):
    """Copies the database from the small disk, which is unmounted at the end, to the folder of the run."""
    os.makedirs(context.path("kept"), exist_ok=True)
    for name in ("mirasa.db", "mirasa.db-wal"):
        if os.path.exists(os.path.join(data, name)):
            shutil.copy(os.path.join(data, name), context.path("kept", name))


def finish(context, tables, restored, shop, probe, chaos):
    evidence = Evidence(context.folder, tables)
    paid = [order for order in evidence.orders.values() if order["payment_status"] == "completed"]
    print(f"\nEvents with seed {context.seed}:")
    for line in sorted(f"{what:55s} {count}" for what, count in context.counts.items() if not what.endswith(" requested")):
        print(f"  {line}")
    for skipped in dict.fromkeys(chaos.skipped):
        print(f"  NOT TRIED  {skipped}")
    print(f"  {'gateway faults':55s} {len(evidence.gateway_faults)}")
    print(f"\n{len(evidence.orders)} orders, {len(paid)} paid, {len(evidence.captured)} payments captured, {len(evidence.gateway_refunds)} refunded, "
          f"{len(tables['concerns'])} order issues; {shop.kills} times kill -9, {shop.failpoint_exits} exits at failpoints; "
          f"downtime {probe.total_downtime():.1f} s (longest outage {probe.longest_outage():.1f} s); peak memory {shop.peak_memory_mib} MiB")
    arrived = Counter(email["id"] for email in evidence.received_emails)
    print(f"{len(evidence.received_emails)} emails arrived, {sum(count > 1 for count in arrived.values())} of them more than once, with one Message-ID")
    passed = report(evidence, "Checker, current database")
    for tables, began, name in restored:
        passed = report(Evidence(context.folder, tables, until=began), f"Checker, {name} restored (started at {began} s)") and passed
    for failure in context.failures:
        print(f"FAILURE {failure}")
    return passed and not context.failures


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--seed", type=int, default=None, help="the same seed gives the same random choices; it is printed")
    parser.add_argument("--customers", type=int, default=24)
    parser.add_argument("--pace", type=float, default=0.3, help="the longest pause of a user between two tasks, in seconds")
    parser.add_argument("--quiet", type=float, default=4, help="the longest pause between two faults, in seconds")
    parser.add_argument("--faults", type=float, default=0.15, help="share of the gateway requests with a fault, from 0 to 1")
    parser.add_argument("--calm", action="store_true", help="no faults except those of the gateway")
    parser.add_argument("--postgres", metavar="URL", help="an empty database to use instead of SQLite")
    parser.add_argument("--program", help="the mirasa binary; default: the release build, or the debug build if there is none")
    parser.add_argument("--folder", help="folder for the record; default: a new folder below /tmp")
    parser.add_argument("--brief", action="store_true", help="half a minute: each important fault once")
    arguments = parser.parse_args()
    if arguments.brief:
        arguments.seconds, arguments.quiet, arguments.customers = 18, 0.4, 12
    seed = arguments.seed if arguments.seed is not None else int(time.time()) % 1_000_000
    context = RunContext(arguments.folder or tempfile.mkdtemp(prefix="mirasa-soak."), seed)
    passed = asyncio.run(soak(arguments, context))
    print(f"\n{'Soak passed' if passed else 'SOAK FAILED'}: {context.folder}, {context.now():.0f} s")
    return 0 if passed else 1
