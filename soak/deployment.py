"""Several instances behind nginx with their payment gateway, delivery partner, SMTP server, customers and an admin."""

import asyncio
import signal

from soak.admins import Admin
from soak.availability import AvailabilityProbe, WriteAvailabilityProbe, sample_memory
from soak.customers import Customer
from soak.nginx import start_nginx
from soak.run import responds, start_courier, start_gateway, wait_until
from soak.run_context import free_port
from soak.shop import Instance, courier_settings, gateway_settings
from soak.smtp_server import SmtpServer
from soak.web import fetch

INSTANCES = 3


def clean_up_on_termination():
    """SIGTERM cancels the current task, so that its `finally` stops all processes."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asyncio.current_task().cancel)


class Deployment:
    def __init__(self, context):
        self.context = context
        self.port, self.smtp_port = free_port(), free_port()
        self.public_url = f"http://127.0.0.1:{self.port}"
        self.smtp = SmtpServer(self.smtp_port, context.path("emails.jsonl"))
        self.nginx = self.gateway = self.courier = None
        self.instances, self.tasks = [], []
        self.pages = AvailabilityProbe(context, self.public_url + "/")
        self.changes = WriteAvailabilityProbe(context, self.public_url)

    async def start(self, program, database_url, faults):
        await self.smtp.start()
        self.gateway, self.gateway_url = await start_gateway(self.context, self.public_url, faults)
        self.courier, self.courier_url = await start_courier(self.context, self.public_url, faults)
        settings = {"MIRASA_DATA": self.context.path("data"), "DATABASE_URL": database_url, "MIRASA_TRUSTED_PROXIES": "127.0.0.1",
                    **gateway_settings(self.gateway_url, self.smtp_port), **courier_settings(self.courier_url)}
        self.instances += [Instance(self.context, program, f"shop{number}", free_port(), self.public_url, settings)
                           for number in range(1, INSTANCES + 1)]
        code, output = await self.instances[0].command("seed", self.context.write_catalogue())
        if code:
            raise SystemExit(f"the catalogue cannot be imported: {output}")
        for instance in self.instances:
            await instance.start()
        for instance in self.instances:
            if not await instance.wait_until_ready():
                raise SystemExit(f"{instance.name} does not start")
        self.nginx = start_nginx(self.context, self.port, self.instances)
        await wait_until(lambda: responds(self.public_url + "/healthz"), 10, f"nginx does not start; see {self.context.path('nginx.log')}")

    def start_users(self, customers, pace, receives_batches=True):
        users = [Customer(self.context, self.public_url, f"customer{number}") for number in range(customers)]
        users += [Admin(self.context, self.public_url, "admin0", receives_batches)]
        work = [user.run(pace) for user in users]
        work += [self.pages.run(), self.changes.run(), sample_memory(self.context, self.instances)]
        self.tasks = [asyncio.create_task(each) for each in work]

    async def stop_users(self):
        self.context.stopping = True
        _, late = await asyncio.wait(self.tasks, timeout=10)
        for task in late:
            task.cancel()
        for task in self.tasks:
            if not task.cancelled() and task.done() and task.exception():
                self.context.fail(f"the soak itself failed: {task.exception()!r}")
        for instance in self.instances:
            await instance.wait_until_ready()

    async def end_gateway_faults(self):
        """Customers can still pay."""
        await fetch(self.gateway_url + "/control", "POST", body={"close": False}, timeout=60)

    async def stop(self):
        for instance in self.instances:
            if instance.process:
                await instance.stop()
        for process in filter(None, (self.nginx, self.gateway, self.courier)):
            process.terminate() if process is self.nginx else process.kill()

    def total(self):
        """The first instance with the counters of all, for the report."""
        total = self.instances[0]
        total.kills, total.failpoint_exits = sum(i.kills for i in self.instances), sum(i.failpoint_exits for i in self.instances)
        total.peak_memory_mib = max(i.peak_memory_mib for i in self.instances)
        return total
