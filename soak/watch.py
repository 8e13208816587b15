"""Looks at the shop all the time: whether who asks at a moment is served, and how much memory that takes."""

import asyncio

from soak.web import NoAnswer, once

EVERY_S = 0.2
# Who is served later than this was not served.
PATIENCE_S = 5


class Watch:
    """Asks ever again, without waiting for the answer before. A gap is the time between two who asked and were served,
    with nobody served who asked in between."""

    def __init__(self, world, url, method="GET", body=None):
        self.world, self.url, self.method, self.body = world, url, method, body
        self.served = []

    async def run(self):
        asking = set()
        while not self.world.stopping:
            task = asyncio.create_task(self.ask(self.world.now()))
            asking.add(task)
            task.add_done_callback(asking.discard)
            await asyncio.sleep(EVERY_S)
        await asyncio.gather(*asking)

    async def ask(self, moment):
        try:
            if (await once(self.url, self.method, body=self.body, timeout=PATIENCE_S)).ok:
                self.served.append(moment)
        except NoAnswer:
            pass

    def gaps(self):
        """[(from, to)] in which nobody was served; a missed beat or two is the soak's own slowness."""
        moments = sorted(self.served)
        return [(before, after) for before, after in zip(moments, moments[1:]) if after - before > 3 * EVERY_S]

    def gap_around(self, moment):
        return max((end - begin for begin, end in self.gaps() if end > moment - 1 and begin < moment + 30), default=0.0)

    def away(self):
        return sum(end - begin for begin, end in self.gaps())

    def longest(self):
        return max((end - begin for begin, end in self.gaps()), default=0.0)


class WriteWatch(Watch):
    """The same for something that has to be saved."""

    def __init__(self, world, base):
        super().__init__(world, base + "/api/api/queries", "POST", {"name": "Watch", "email": "watch@soak.example", "message": "still there?"})


async def watch_memory(world, instances):
    while not world.stopping:
        for instance in instances:
            instance.memory()
        await asyncio.sleep(0.5)
