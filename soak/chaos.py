"""Faults that are injected while customers buy. Each fault lasts some seconds, is undone and is counted."""

import asyncio
import os
import signal
import sqlite3
import subprocess

from soak.run_context import VISIBILITY_PROBE_PRODUCT
from soak.shop import ADMIN, FAILPOINTS
from soak.web import NoResponse, Visitor, fetch

# The size of the disk, and what a run adds in a second.
DISK_MB, DISK_MB_PER_S = 64, 0.5
# A slow machine takes seconds for a page. A fault ends only after its requests, so a request that waits for its end gets no response.
DEGRADED_TIMEOUT_S = 60
# Wall clock offsets in seconds: a small correction, a wrong time zone, past the payment timeout, forward and back.
JUMPS = [70, -70, 3600, -3600, 1300, -1300, 7 * 3600]


class Chaos:
    def __init__(self, context, instance, gateway, smtp, is_sqlite=True):
        self.context, self.instance, self.gateway, self.smtp = context, instance, gateway, smtp
        # A SQLite file can run out of disk space or be locked by another process.
        self.is_sqlite = is_sqlite
        self.public_url = instance.base_url
        self.rng = context.rng("chaos")
        self.skipped = []
        self.mounted = False
        self.backups = []

    # -- disk -------------------------------------------------------------------------------------------

    def mount_small_disk(self, folder, seconds):
        """Mounts a tmpfs for the data of such a run, which can be filled without affecting the machine. Needs root."""
        os.makedirs(folder, exist_ok=True)
        self.disk = folder
        if not self.is_sqlite:
            return
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB + round(DISK_MB_PER_S * seconds)}m,mode=0777", "tmpfs", folder]
        done = subprocess.run(command, capture_output=True, text=True) if os.geteuid() == 0 else None
        self.mounted = done is not None and done.returncode == 0
        if not self.mounted:
            why = "not root" if done is None else done.stderr.strip()
            self.skipped.append(f"full disk: no tmpfs can be mounted here ({why})")

    def unmount(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.disk], check=False)
            self.mounted = False

    async def fill_disk(self):
        if not self.mounted:
            return None
        seconds = self.rng.uniform(2, 5)
        filler = os.path.join(self.disk, "filler")
        self.instance.may_fail_to_start = True
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 65536)
            except OSError:
                pass
        await self.check_degraded_service("the disk is full", seconds)
        os.remove(filler)
        await self.wait_for_instance("the disk was full")
        self.instance.may_fail_to_start = False
        return f"the disk is full for {seconds:.1f} s"

    # -- database ---------------------------------------------------------------------------------------

    async def lock_database(self):
        """Holds the write lock, as a maintenance script could."""
        if not self.is_sqlite:
            return None
        seconds = self.rng.uniform(2, 7)
        file = os.path.join(self.disk, "mirasa.db")

        def lock():
            connection = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
            connection.execute("begin immediate")
            return connection

        connection = await asyncio.to_thread(lock)
        await self.check_degraded_service("the database is locked", seconds)
        connection.execute("rollback")
        connection.close()
        await self.wait_for_instance("the database was locked")
        return f"the database is locked for {seconds:.1f} s"

    async def check_degraded_service(self, what, seconds):
        """Without its database the server must still serve pages, and reject changes with 503 and Retry-After."""
        end = self.context.now() + seconds
        while self.context.now() < end:
            for path in ("/api/products/api/productInfo", "/"):
                try:
                    response = await fetch(self.public_url + path, timeout=DEGRADED_TIMEOUT_S)
                    if response.status != 200:
                        self.context.fail(f"while {what}, {path} returns {response}")
                    self.context.count("pages served while the database was unavailable")
                except NoResponse as error:
                    await self.report_no_response(f"while {what}, no response to a read: {error}")
            try:
                body = {"name": "Probe", "email": "probe@soak.example", "message": "degraded service probe"}
                response = await fetch(self.public_url + "/api/api/queries", "POST", body=body, timeout=DEGRADED_TIMEOUT_S)
                if response.status == 503 and response.json().get("error") and "retry-after" in response.headers:
                    self.context.count("changes rejected with 503 while the database was unavailable")
                elif response.status == 502:
                    self.context.count("changes interrupted with their instance (502)")
                elif not response.ok:
                    self.context.fail(f"while {what}, a change returns {response}")
            except NoResponse as error:
                await self.report_no_response(f"while {what}, no response to a change: {error}")
            await asyncio.sleep(0.3)

    async def report_no_response(self, message):
        # A connection that is reset is noticed before the exit of the process.
        await self.instance.wait_for_exit(0.5)
        if self.instance.is_starting():
            self.context.count("requests while the server was starting")
        else:
            self.context.fail(message)

    async def wait_for_instance(self, after):
        began = self.context.now()
        if not await self.instance.wait_until_ready(15):
            self.context.fail(f"the server did not recover after {after}")
        self.context.counts["slowest recovery without a restart, s"] = max(
            self.context.counts.get("slowest recovery without a restart, s", 0), round(self.context.now() - began, 1))

    # -- processes and clock ----------------------------------------------------------------------------

    async def kill_server(self):
        down = self.rng.choice([0, 0.1, 0.5, 2])
        point = self.rng.choice([None, *FAILPOINTS])
        await self.instance.kill(down, point)
        if not await self.instance.wait_until_ready(30):
            self.context.fail("the server did not recover after kill -9")
        return f"kill -9, down {down} s" + (f", next abort at '{point}'" if point else "")

    async def stop_server(self):
        if not await self.instance.stop():
            self.context.fail("the server did not exit within 15 s of SIGTERM")
        await self.instance.start()
        await self.instance.wait_until_ready(30)
        return "SIGTERM and start"

    async def freeze_server(self):
        seconds = self.rng.uniform(0.5, 2)
        self.instance.signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self.instance.signal(signal.SIGCONT)
        return f"the server is frozen for {seconds:.1f} s"

    async def freeze_gateway(self):
        seconds = self.rng.uniform(2, 6)
        self.gateway.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self.gateway.send_signal(signal.SIGCONT)
        return f"the gateway is frozen for {seconds:.1f} s"

    async def stop_smtp(self):
        seconds = self.rng.uniform(2, 6)
        self.smtp.is_open = False
        await asyncio.sleep(seconds)
        self.smtp.is_open = True
        return f"the SMTP server rejects emails for {seconds:.1f} s"

    async def change_clock(self):
        if not self.instance.has_clock:
            return None
        jump = self.rng.choice(JUMPS)
        self.instance.set_clock(jump)
        seconds = self.rng.uniform(2, 5)
        await asyncio.sleep(seconds)
        self.instance.set_clock(0)
        # The server sees the new time within a second. A sign-in that spans the jump is rejected, correctly.
        await asyncio.sleep(2.2)
        await self.check_edit_is_visible(f"a clock jump of {jump:+d} s")
        return f"the clock jumps by {jump:+d} s for {seconds:.1f} s, and back"

    async def check_edit_is_visible(self, after):
        """An admin hides a product, which must disappear for visitors within 3 s, and shows it again."""
        admin, product = Visitor(self.instance.base_url), VISIBILITY_PROBE_PRODUCT
        try:
            if not await admin.sign_in(ADMIN):
                return self.context.fail(f"the admin cannot sign in after {after}")
            for _ in range(2):
                self.context.record("toggle requested", product=product)
                response = await admin.put(f"/api/admin/products/{product}/toggle-visibility")
                if not response.ok:
                    return self.context.fail(f"a visibility change after {after} returns {response}")
                self.context.record("toggle", product=product)
                expected, end = (200 if response.json()["isVisible"] else 404), self.context.now() + 3
                while (await admin.get(f"/api/products/{product}")).status != expected:
                    if self.context.now() > end:
                        self.context.fail(f"visitors do not see that a product was {'shown' if expected == 200 else 'hidden'} after {after}")
                        break
                    await asyncio.sleep(0.05)
        except NoResponse as error:
            await self.report_no_response(f"after {after}: {error}")
        finally:
            admin.close()

    async def backup(self):
        file = self.context.path(f"backup-{len(self.backups)}.jsonl")
        began = self.context.now()
        code, output = await self.instance.command("backup", file)
        if code != 0:
            self.context.fail(f"a backup under load failed: {output}")
            return None
        self.backups.append((file, began))
        return f"backup under load: {output.splitlines()[-1]}"

    # -- schedule ---------------------------------------------------------------------------------------

    def faults(self):
        if not self.instance.has_clock:
            self.skipped.append("clock jumps: the package faketime is not installed")
        return [self.kill_server, self.kill_server, self.kill_server, self.freeze_gateway, self.fill_disk, self.change_clock,
                self.change_clock, self.lock_database, self.stop_server, self.freeze_server, self.stop_smtp, self.backup]

    def short_faults(self):
        return [self.kill_server, self.fill_disk, self.freeze_gateway, self.change_clock, self.backup, self.kill_server]

    async def run_faults(self, seconds, quiet, queue=None):
        """Runs one fault after the other for `seconds`, in random order, with at most `quiet` seconds between them. The faults
        in `queue` come first, in their order."""
        end = self.context.now() + seconds
        faults, queue = self.faults(), (queue or [])[::-1]
        while self.context.now() < end and not self.context.stopping:
            if not queue:
                queue = self.rng.sample(faults, len(faults))
            fault = queue.pop()
            message = await fault()
            if message:
                self.context.count(f"fault: {fault.__name__.replace('_', ' ')}")
                self.context.log(message)
            await asyncio.sleep(self.rng.uniform(0.2, quiet))
