"""A crowd that asks at a given rate, whether it is answered or not, and writes down how long each answer took."""

import asyncio
import time
from urllib.parse import urlsplit

from soak.web import NoAnswer, Visitor

READS = ["/api/products/api/productInfo", "/product/goda-masala", "/api/api/products/search?q=masala"]
MESSAGE = {"name": "Crowd", "email": "crowd@soak.example", "message": "Do you have it?"}


class Tally:
    def __init__(self):
        self.served, self.refused, self.silent, self.odd = [], [], [], []
        self.began = time.monotonic()

    def took(self, kind, seconds):
        getattr(self, kind).append(seconds)

    @property
    def seconds(self):
        return time.monotonic() - self.began

    def rate(self):
        return len(self.served) / self.seconds

    def asked(self):
        return len(self.served) + len(self.refused) + len(self.silent) + len(self.odd)

    def __str__(self):
        parts = [f"{len(self.served)} served (p99 {ms(self.served)})", f"{len(self.refused)} refused (p99 {ms(self.refused)})",
                 f"{len(self.silent)} without an answer"]
        return ", ".join(parts) + (f", {len(self.odd)} odd" if self.odd else "")


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else 0.0


def ms(times, share=0.99):
    return f"{quantile(times, share) * 1000:.0f} ms" if times else "-"


async def one(visitor, tally, patience, odd, read=None):
    """A change that goes to the database, or a read that does not."""
    began = time.monotonic()
    try:
        if read:
            answer = await visitor.get(read, timeout=patience)
        else:
            answer = await visitor.post("/api/api/queries", MESSAGE, timeout=patience)
    except NoAnswer:
        return tally.took("silent", time.monotonic() - began)
    seconds = time.monotonic() - began
    if answer.ok:
        tally.took("served", seconds)
    elif answer.status == 503 and "retry-after" in answer.headers:
        tally.took("refused", seconds)
    else:
        odd.append(f"{answer.status} {'' if answer.status != 503 else 'without Retry-After '}{answer.body[:80]!r}")
        tally.took("odd", seconds)


async def closed_loop(base, connections, seconds):
    """Each asks again as soon as it is answered: what the shop can serve."""
    tally, odd, end = Tally(), [], time.monotonic() + seconds

    async def client():
        visitor = Visitor(base)
        while time.monotonic() < end:
            await one(visitor, tally, 30, odd)
        visitor.close()

    await asyncio.gather(*(client() for _ in range(connections)))
    return tally, odd


async def open_loop(base, clients, per_second, seconds, patience=10, reads=()):
    """Many clients, each at its own slow pace, together so many a second, whatever the shop makes of it."""
    tally, odd, end = Tally(), [], time.monotonic() + seconds
    every = clients / per_second

    async def client(number):
        visitor = Visitor(base)
        due = time.monotonic() + every * number / clients
        while due < end:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await one(visitor, tally, patience, odd, reads[number % len(reads)] if reads else None)
            due = max(due + every, time.monotonic())
        visitor.close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    return tally, odd


class Nuisance:
    """Connections that want nothing good: silent ones, ones that dribble, ones that never read."""

    def __init__(self, base):
        parts = urlsplit(base)
        self.host, self.port = parts.hostname, parts.port
        self.writers = []
        self.closed = 0

    async def open(self, count, first):
        for _ in range(count):
            reader, writer = await asyncio.open_connection(self.host, self.port)
            writer.write(first)
            self.writers.append((reader, writer))

    async def dribble(self, seconds):
        """A byte of a header now and then, on every connection, as a slow attack does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _, writer in self.writers:
                if not writer.is_closing():
                    writer.write(b"x")
            await asyncio.sleep(0.5)

    async def still_open(self):
        count = 0
        for reader, writer in self.writers:
            count += not (reader.at_eof() or writer.is_closing())
        return count

    def close(self):
        for _, writer in self.writers:
            writer.close()
