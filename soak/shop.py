"""The server under test as a supervised process: started, restarted after a crash, killed on demand."""

import asyncio
import glob
import os
import signal

from soak.web import NoResponse, fetch

# Steps at which the server can be made to abort. The names are defined in the server's code.
FAILPOINTS = ["order committed", "page asked for", "status heard", "settling", "settled", "refund asked for",
              "parcel created", "courier assigned", "pickup requested", "tracking heard"]
WEBHOOK = ("soak", "soak-password")
COURIER_KEY = "soak-courier-key"
ADMIN = "admin@soak.example"
# No response is expected this long after a start.
STARTUP_GRACE_S = 4


def find_faketime():
    """The path of libfaketime for multi-threaded programs, or None if the package `faketime` is not installed."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    return found[0] if found else None


class Instance:
    def __init__(self, context, program, name, port, public_url, settings):
        self.context, self.program, self.name, self.port = context, program, name, port
        self.base_url = f"http://127.0.0.1:{port}"
        self.clock_file = context.path(f"{name}.clock")
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
        self.log_file = open(context.path(f"{name}.log"), "ab")
        self.process = None
        self.started = 0.0
        self.should_run = False
        self.kills = self.failpoint_exits = 0
        self.may_fail_to_start = False
        self.peak_memory_mib = 0

    def set_clock(self, seconds):
        """Sets the offset of the server's wall clock. The file is replaced atomically, because the server reads it at any
        time."""
        with open(self.clock_file + ".new", "w") as file:
            file.write(f"{seconds:+d}\n")
        os.replace(self.clock_file + ".new", self.clock_file)

    async def command(self, *arguments):
        """Runs another mirasa command with the same configuration. Returns its exit status and output."""
        environment = {name: value for name, value in self.environment.items() if name != "LD_PRELOAD"}
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        output, _ = await process.communicate()
        return process.returncode, output.decode("utf-8", "replace").strip()

    async def start(self, failpoint=None):
        self.should_run = True
        environment = dict(self.environment)
        if failpoint:
            environment["MIRASA_FAILPOINT"] = failpoint
        self.active_failpoint = failpoint
        self.started = self.context.now()
        self.process = await asyncio.create_subprocess_exec(
            self.program, "serve", env=environment, stdout=self.log_file, stderr=self.log_file)
        asyncio.create_task(self.supervise(self.process))

    async def supervise(self, process):
        """Restarts the server as a service manager would. An exit that the soak did not cause is a failure."""
        code = await process.wait()
        if process is not self.process or not self.should_run:
            return
        if self.active_failpoint and code == -signal.SIGABRT:
            self.failpoint_exits += 1
            self.context.count(f"aborted at failpoint: {self.active_failpoint}")
        elif not self.may_fail_to_start:
            self.context.fail(f"{self.name} exited unexpectedly with {code}; see {self.log_file.name}")
        await asyncio.sleep(0.3)
        if self.should_run and process is self.process:
            await self.start()

    def is_starting(self):
        """Whether no response can be expected, because the server has exited or has just been started."""
        return self.process.returncode is not None or self.context.now() - self.started < STARTUP_GRACE_S

    async def wait_for_exit(self, timeout_s):
        try:
            await asyncio.wait_for(self.process.wait(), timeout_s)
        except asyncio.TimeoutError:
            pass

    async def wait_until_ready(self, timeout_s=30):
        end = self.context.now() + timeout_s
        while self.context.now() < end:
            try:
                if (await fetch(self.base_url + "/readyz", timeout=2)).ok:
                    return True
            except NoResponse:
                pass
            await asyncio.sleep(0.05)
        return False

    async def kill(self, down=0.0, failpoint=None):
        """Sends SIGKILL and starts the server again after `down` seconds."""
        self.should_run = False
        self.signal(signal.SIGKILL)
        await self.process.wait()
        self.kills += 1
        await asyncio.sleep(down)
        await self.start(failpoint)

    async def stop(self, timeout_s=15):
        """Sends SIGTERM. True if the server exited in time; otherwise it is killed."""
        self.should_run = False
        self.signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.process.wait(), timeout_s)
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
        """Resident memory in MiB. Also updates peak_memory_mib."""
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                kilobytes = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        except (OSError, StopIteration, AttributeError):
            return 0
        self.peak_memory_mib = max(self.peak_memory_mib, kilobytes // 1024)
        return kilobytes // 1024


def courier_settings(courier_url):
    return {
        "MIRASA_SHIPROCKET_BASE_URL": courier_url, "MIRASA_SHIPROCKET_EMAIL": "api@soak.example", "MIRASA_SHIPROCKET_PASSWORD": "soak-secret",
        "MIRASA_SHIPROCKET_WEBHOOK_TOKEN": COURIER_KEY, "MIRASA_SHIPROCKET_TIMEOUT_S": "2",
    }


def gateway_settings(gateway_url, smtp_port):
    user, password = WEBHOOK
    return {
        "MIRASA_PHONEPE_PAYMENT_BASE": gateway_url, "MIRASA_PHONEPE_TOKEN_BASE": gateway_url,
        "MIRASA_PHONEPE_CLIENT_ID": "SOAK", "MIRASA_PHONEPE_CLIENT_SECRET": "soak-secret", "MIRASA_PHONEPE_CLIENT_VERSION": "1",
        "MIRASA_PHONEPE_WEBHOOK_USERNAME": user, "MIRASA_PHONEPE_WEBHOOK_PASSWORD": password, "MIRASA_PHONEPE_TIMEOUT_S": "2",
        "MIRASA_MAIL_SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
    }
