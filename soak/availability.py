"""Measures the availability of the server with a request every 0.2 s, and samples its memory."""

import asyncio

from soak.web import NoResponse, fetch

INTERVAL_S = 0.2
# A slower response counts as an outage.
REQUEST_TIMEOUT_S = 5


class AvailabilityProbe:
    """Sends requests at a fixed interval without waiting for earlier responses. An outage is the time between two successful
    requests, by the time of sending, if all requests between them failed."""

    def __init__(self, context, url, method="GET", body=None):
        self.context, self.url, self.method, self.body = context, url, method, body
        # The times at which successful requests were sent, and at which they were answered.
        self.served_at, self.answered_at = [], []

    async def run(self):
        tasks = set()
        while not self.context.stopping:
            task = asyncio.create_task(self.request(self.context.now()))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            await asyncio.sleep(INTERVAL_S)
        await asyncio.gather(*tasks)

    async def request(self, sent_at):
        try:
            if (await fetch(self.url, self.method, body=self.body, timeout=REQUEST_TIMEOUT_S)).ok:
                self.served_at.append(sent_at)
                self.answered_at.append(self.context.now())
        except NoResponse:
            pass

    def outages(self):
        """[(start, end)] of the outages. One or two missing responses are ignored: the soak itself can be slow."""
        times = sorted(self.served_at)
        return [(before, after) for before, after in zip(times, times[1:]) if after - before > 3 * INTERVAL_S]

    def outage_around(self, at):
        return max((end - begin for begin, end in self.outages() if end > at - 1 and begin < at + 30), default=0.0)

    def total_downtime(self):
        return sum(end - begin for begin, end in self.outages())

    def longest_outage(self):
        return max((end - begin for begin, end in self.outages()), default=0.0)


class WriteAvailabilityProbe(AvailabilityProbe):
    """The same with a request that writes to the database."""

    def __init__(self, context, base):
        super().__init__(context, base + "/api/api/queries", "POST", {"name": "Probe", "email": "availability@soak.example", "message": "availability probe"})


async def sample_memory(context, instances):
    while not context.stopping:
        for instance in instances:
            instance.memory()
        await asyncio.sleep(0.5)
