"""The program under test, as a supervisor sees it: started, restarted when it has died, killed when we like."""

import asyncio
import glob
import os
import signal

from soak.web import NoAnswer, once

# Moments at which the program can be told to die by itself, in the middle of its work.
FAULT_POINTS = ["order committed", "page asked for", "status heard", "settling", "settled", "refund asked for"]
WEBHOOK = ("soak", "soak-password")
ADMIN = "owner@soak.example"


def find_faketime():
    """libfaketime for programs with threads, or None where the package `faketime` is not installed."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    return found[0] if found else None


SECONDS_TO_START = 4


class Instance:
    def __init__(self, world, program, name, port, public_url, settings):
        self.world, self.program, self.name, self.port = world, program, name, port
        self.address = f"http://127.0.0.1:{port}"
        self.clock_file = world.path(f"{name}.clock")
        self.environment = {
            **os.environ, "MIRASA_LISTEN": f"127.0.0.1:{port}", "MIRASA_PUBLIC_URL": public_url, "MIRASA_RATE_LIMIT": "off",
            "MIRASA_LOG": "warn", "MIRASA_ADMIN_EMAILS": ADMIN, "MIRASA_SANDBOX_SECRET": "soak", **settings,
        }
        library = find_faketime()
        self.has_clock = library is not None
        if library:
            self.set_clock(0)
            self.environment |= {
                "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": self.clock_file, "FAKETIME_CACHE_DURATION": "1",
                "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
            }
        self.log = open(world.path(f"{name}.log"), "ab")
        self.process = None
        self.started = 0.0
        self.wanted = False
        self.kills = self.own_deaths = 0
        self.may_fail_to_start = False
        self.most_memory = 0

    def set_clock(self, seconds):
        """The program's wall clock from now on, beside the true one. Written whole: it is read at any time."""
        with open(self.clock_file + ".new", "w") as file:
            file.write(f"{seconds:+d}\n")
        os.replace(self.clock_file + ".new", self.clock_file)

    async def command(self, *arguments):
        """Runs another command of the program on the same configuration; its exit status and its words."""
        environment = {name: value for name, value in self.environment.items() if name != "LD_PRELOAD"}
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        words, _ = await process.communicate()
        return process.returncode, words.decode("utf-8", "replace").strip()

    async def start(self, fault_point=None):
        self.wanted = True
        environment = dict(self.environment)
        if fault_point:
            environment["MIRASA_FAILPOINT"] = fault_point
        self.armed = fault_point
        self.started = self.world.now()
        self.process = await asyncio.create_subprocess_exec(
            self.program, "serve", env=environment, stdout=self.log, stderr=self.log)
        asyncio.create_task(self.watch(self.process))

    async def watch(self, process):
        """Restarts the program as a service manager would, and tells a death of its own from one of ours."""
        code = await process.wait()
        if process is not self.process or not self.wanted:
            return
        if self.armed and code == -signal.SIGABRT:
            self.own_deaths += 1
            self.world.count(f"died at: {self.armed}")
        elif not self.may_fail_to_start:
            self.world.trouble(f"{self.name} ended by itself with {code}; see {self.log.name}")
        await asyncio.sleep(0.3)
        if self.wanted and process is self.process:
            await self.start()

    def is_starting(self):
        """Whether nobody can expect an answer, because it has just died and comes up again."""
        return self.process.returncode is not None or self.world.now() - self.started < SECONDS_TO_START

    async def ready(self, within=30):
        end = self.world.now() + within
        while self.world.now() < end:
            try:
                if (await once(self.address + "/readyz", timeout=2)).ok:
                    return True
            except NoAnswer:
                pass
            await asyncio.sleep(0.05)
        return False

    async def kill(self, down=0.0, fault_point=None):
        """kill -9, and up again after a while."""
        self.wanted = False
        self.signal(signal.SIGKILL)
        await self.process.wait()
        self.kills += 1
        await asyncio.sleep(down)
        await self.start(fault_point)

    async def stop(self, within=15):
        """SIGTERM; whether it ended in time."""
        self.wanted = False
        self.signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.process.wait(), within)
            return True
        except asyncio.TimeoutError:
            self.signal(signal.SIGKILL)
            await self.process.wait()
            return False

    def signal(self, number):
        if self.process and self.process.returncode is None:
            try:
                self.process.send_signal(number)
            except ProcessLookupError:
                pass

    def memory(self):
        """Resident memory in MiB, and the most that was ever seen."""
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                kilobytes = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        except (OSError, StopIteration, AttributeError):
            return 0
        self.most_memory = max(self.most_memory, kilobytes // 1024)
        return kilobytes // 1024


def gateway_settings(gateway_url, smtp_port):
    user, password = WEBHOOK
    return {
        "MIRASA_PHONEPE_PAYMENT_BASE": gateway_url, "MIRASA_PHONEPE_TOKEN_BASE": gateway_url,
        "MIRASA_PHONEPE_CLIENT_ID": "SOAK", "MIRASA_PHONEPE_CLIENT_SECRET": "soak-secret", "MIRASA_PHONEPE_CLIENT_VERSION": "1",
        "MIRASA_PHONEPE_WEBHOOK_USERNAME": user, "MIRASA_PHONEPE_WEBHOOK_PASSWORD": password, "MIRASA_PHONEPE_TIMEOUT_S": "2",
        "MIRASA_MAIL_SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
    }
