"""What goes wrong around the shop while people buy: each fault lasts a while, is undone, and is counted."""

import asyncio
import os
import signal
import sqlite3
import subprocess

from soak.shop import ADMIN, FAULT_POINTS
from soak.web import NoAnswer, Visitor, once
from soak.world import NOT_FOR_ADMINS_TO_HIDE

DISK_MB = 64
# Wall clock jumps in seconds: a leap, a wrong time zone, past the time to pay, and back before the start.
JUMPS = [70, -70, 3600, -3600, 1300, -1300, 7 * 3600]


class Chaos:
    def __init__(self, world, instance, gateway, post, embedded=True):
        self.world, self.instance, self.gateway, self.post = world, instance, gateway, post
        # Whether the database is a file of the shop's own, which can run out of disk or be locked.
        self.embedded = embedded
        # Where visitors come in.
        self.front = instance.address
        self.dice = world.dice("chaos")
        self.skipped = []
        self.mounted = False
        self.backups = []

    # -- the disk ---------------------------------------------------------------------------------------

    def mount_small_disk(self, folder):
        """A disk that can be filled up without hurting anybody else. Needs root."""
        os.makedirs(folder, exist_ok=True)
        self.disk = folder
        if not self.embedded:
            return
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0777", "tmpfs", folder]
        done = subprocess.run(command, capture_output=True, text=True) if os.geteuid() == 0 else None
        self.mounted = done is not None and done.returncode == 0
        if not self.mounted:
            why = "not root" if done is None else done.stderr.strip()
            self.skipped.append(f"full disk: no small disk can be mounted here ({why})")

    def unmount(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.disk], check=False)
            self.mounted = False

    async def full_disk(self):
        if not self.mounted:
            return None
        seconds = self.dice.uniform(2, 5)
        filler = os.path.join(self.disk, "filler")
        self.instance.may_fail_to_start = True
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 65536)
            except OSError:
                pass
        await self.meanwhile("the disk is full", seconds)
        os.remove(filler)
        await self.comes_back("the disk was full")
        self.instance.may_fail_to_start = False
        return f"the disk is full for {seconds:.1f} s"

    # -- the database -----------------------------------------------------------------------------------

    async def locked_database(self):
        """Somebody else holds the one write lock, as a careless maintenance script would."""
        if not self.embedded:
            return None
        seconds = self.dice.uniform(2, 7)
        file = os.path.join(self.disk, "mirasa.db")

        def hold():
            connection = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
            connection.execute("begin immediate")
            return connection

        connection = await asyncio.to_thread(hold)
        await self.meanwhile("the database is locked", seconds)
        connection.execute("rollback")
        connection.close()
        await self.comes_back("the database was locked")
        return f"the database is locked for {seconds:.1f} s"

    async def meanwhile(self, what, seconds):
        """Without its database the shop shows its pages, and says of a change that it cannot be saved."""
        end = self.world.now() + seconds
        while self.world.now() < end:
            # A page may have to be rendered first, which takes its time on a busy machine.
            for path, patience in (("/api/products/api/productInfo", 3), ("/", 8)):
                try:
                    answer = await once(self.front + path, timeout=patience)
                    if answer.status != 200:
                        self.world.trouble(f"while {what}, {path} is {answer}")
                    self.world.count("pages shown while the database was away")
                except NoAnswer as error:
                    self.unanswered(f"while {what}, no page: {error}")
            try:
                body = {"name": "Probe", "email": "probe@soak.example", "message": "is anybody there?"}
                answer = await once(self.front + "/api/api/queries", "POST", body=body, timeout=12)
                if answer.status == 503 and answer.json().get("error") and "retry-after" in answer.headers:
                    self.world.count("changes refused plainly while the database was away")
                elif answer.status == 502:
                    self.world.count("changes cut off with their instance")
                elif not answer.ok:
                    self.world.trouble(f"while {what}, a change is answered {answer}")
            except NoAnswer as error:
                self.unanswered(f"while {what}, a change is not answered: {error}")
            await asyncio.sleep(0.3)

    def unanswered(self, told):
        if self.instance.is_starting():
            self.world.count("asked while the program was starting")
        else:
            self.world.trouble(told)

    async def comes_back(self, after):
        began = self.world.now()
        if not await self.instance.ready(15):
            self.world.trouble(f"after {after}, the shop did not come back by itself")
        self.world.counts["slowest recovery without a restart, s"] = max(
            self.world.counts.get("slowest recovery without a restart, s", 0), round(self.world.now() - began, 1))

    # -- the program and its neighbours -----------------------------------------------------------------

    async def kill(self):
        down = self.dice.choice([0, 0.1, 0.5, 2])
        point = self.dice.choice([None, *FAULT_POINTS])
        await self.instance.kill(down, point)
        if not await self.instance.ready(30):
            self.world.trouble("after kill -9 the shop did not come back")
        return f"kill -9, down {down} s" + (f", next death at '{point}'" if point else "")

    async def stop(self):
        if not await self.instance.stop():
            self.world.trouble("SIGTERM did not end the program within 15 s")
        await self.instance.start()
        await self.instance.ready(30)
        return "SIGTERM and start"

    async def freeze(self):
        seconds = self.dice.uniform(0.5, 2)
        self.instance.signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self.instance.signal(signal.SIGCONT)
        return f"the program stands still for {seconds:.1f} s"

    async def gateway_stalls(self):
        seconds = self.dice.uniform(2, 6)
        self.gateway.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self.gateway.send_signal(signal.SIGCONT)
        return f"the gateway stands still for {seconds:.1f} s"

    async def post_closes(self):
        seconds = self.dice.uniform(2, 6)
        self.post.is_open = False
        await asyncio.sleep(seconds)
        self.post.is_open = True
        return f"the post office is closed for {seconds:.1f} s"

    async def clock_jumps(self):
        if not self.instance.has_clock:
            return None
        jump = self.dice.choice(JUMPS)
        self.instance.set_clock(jump)
        seconds = self.dice.uniform(2, 5)
        await asyncio.sleep(seconds)
        self.instance.set_clock(0)
        # The program notices within a second; a sign-in that spans the jump is rightly refused.
        await asyncio.sleep(2.2)
        await self.an_edit_is_seen(f"the clock had jumped by {jump:+d} s")
        return f"the clock jumps by {jump:+d} s for {seconds:.1f} s, and back"

    async def an_edit_is_seen(self, after):
        """The owner hides a product and it is gone for visitors within a second; then it is shown again."""
        admin, product = Visitor(self.instance.address), NOT_FOR_ADMINS_TO_HIDE
        try:
            if not await admin.sign_in(ADMIN):
                return self.world.trouble(f"after {after} the admin cannot sign in")
            for _ in range(2):
                self.world.note("toggle asked", product=product)
                answer = await admin.put(f"/api/admin/products/{product}/toggle-visibility")
                if not answer.ok:
                    return self.world.trouble(f"after {after} hiding a product is answered {answer}")
                self.world.note("toggle", product=product)
                wanted, end = (200 if answer.json()["isVisible"] else 404), self.world.now() + 3
                while (await admin.get(f"/api/products/{product}")).status != wanted:
                    if self.world.now() > end:
                        self.world.trouble(f"after {after} a product that was {'shown' if wanted == 200 else 'hidden'} is not so for visitors")
                        break
                    await asyncio.sleep(0.05)
        except NoAnswer as error:
            self.world.trouble(f"after {after}: {error}")
        finally:
            admin.close()

    async def backup(self):
        file = self.world.path(f"backup-{len(self.backups)}.jsonl")
        began = self.world.now()
        code, words = await self.instance.command("backup", file)
        if code != 0:
            self.world.trouble(f"a backup under load failed: {words}")
            return None
        self.backups.append((file, began))
        return f"backup under load: {words.splitlines()[-1]}"

    # -- the order of things ----------------------------------------------------------------------------

    def deck(self):
        cards = [self.kill, self.kill, self.kill, self.gateway_stalls, self.full_disk, self.clock_jumps, self.clock_jumps,
                 self.locked_database, self.stop, self.freeze, self.post_closes, self.backup]
        if not self.instance.has_clock:
            self.skipped.append("clock jumps: the package faketime is not installed")
        return cards

    def short_deck(self):
        return [self.kill, self.full_disk, self.gateway_stalls, self.clock_jumps, self.backup, self.kill]

    async def rage(self, seconds, quiet, cards=None):
        """One fault after the other, each deck in an order of its own; `quiet` seconds between them at most. With
        `cards`, these first."""
        end = self.world.now() + seconds
        deck, cards = self.deck(), (cards or [])[::-1]
        while self.world.now() < end and not self.world.stopping:
            if not cards:
                cards = self.dice.sample(deck, len(deck))
            fault = cards.pop()
            told = await fault()
            if told:
                self.world.count(f"fault: {fault.__name__.replace('_', ' ')}")
                self.world.say(told)
            await asyncio.sleep(self.dice.uniform(0.2, quiet))
