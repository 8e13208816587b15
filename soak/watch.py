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
