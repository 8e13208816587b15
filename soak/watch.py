"""Looks at the shop all the time: when it did not answer, and how much memory it took."""

import asyncio

from soak.web import NoAnswer, once

EVERY_S = 0.1


class Watch:
    """Counts the seconds in which `url` gave no good answer."""

    def __init__(self, world, url, good=lambda answer: answer.ok, timeout=1.0):
        self.world, self.url, self.good, self.timeout = world, url, good, timeout
        self.away = 0.0
        self.longest = 0.0

    async def run(self):
        last_good = self.world.now()
        while not self.world.stopping:
            try:
                fine = self.good(await once(self.url, timeout=self.timeout))
            except NoAnswer:
                fine = False
            now = self.world.now()
            if fine:
                gap = now - last_good
                if gap > 4 * EVERY_S:
                    self.away += gap
                    self.longest = max(self.longest, gap)
                last_good = now
            await asyncio.sleep(EVERY_S)


async def watch_memory(world, instances):
    while not world.stopping:
        for instance in instances:
            instance.memory()
        await asyncio.sleep(0.5)


class WriteWatch(Watch):
    """Seconds in which nothing could be saved through the front door."""

    async def run(self):
        body, last, self.gaps = {"name": "Watch", "email": "watch@soak.example", "message": "still there?"}, self.world.now(), []
        while not self.world.stopping:
            try:
                fine = (await once(self.url, "POST", body=body, timeout=1)).ok
            except NoAnswer:
                fine = False
            now = self.world.now()
            if fine:
                if now - last > 0.4:
                    self.gaps.append((last, now))
                last = now
            await asyncio.sleep(0.1)

    def gap_around(self, moment):
        return max((end - begin for begin, end in self.gaps if end > moment - 0.5 and begin < moment + 30), default=0.0)
