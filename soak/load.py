"""Load generators: closed loop (as fast as the server responds) and open loop (a fixed rate). They record the latencies."""

import asyncio
import time
from urllib.parse import urlsplit

from soak.web import NoResponse, Visitor

READS = ["/api/products/api/productInfo", "/product/goda-masala", "/api/api/products/search?q=masala"]
MESSAGE = {"name": "Load", "email": "load@soak.example", "message": "a message of the load test"}


class LoadStats:
    """Latencies in seconds by outcome."""

    def __init__(self):
        self.served, self.rejected, self.unanswered, self.unexpected = [], [], [], []
        self.began = time.monotonic()

    @property
    def seconds(self):
        return time.monotonic() - self.began

    def rate(self):
        return len(self.served) / self.seconds

    def total(self):
        return len(self.served) + len(self.rejected) + len(self.unanswered) + len(self.unexpected)

    def __str__(self):
        parts = [f"{len(self.served)} served (p99 {ms(self.served)})", f"{len(self.rejected)} rejected (p99 {ms(self.rejected)})",
                 f"{len(self.unanswered)} without a response"]
        return ", ".join(parts) + (f", {len(self.unexpected)} unexpected" if self.unexpected else "")


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else 0.0


def ms(times, share=0.99):
    return f"{quantile(times, share) * 1000:.0f} ms" if times else "-"


async def send_request(visitor, stats, timeout, unexpected, read=None):
    """Sends a write, or a GET of the path `read`, and records its latency. Descriptions of unexpected responses go to
    `unexpected`."""
    began = time.monotonic()
    try:
        if read:
            response = await visitor.get(read, timeout=timeout)
        else:
            response = await visitor.post("/api/api/queries", MESSAGE, timeout=timeout)
    except NoResponse:
        return stats.unanswered.append(time.monotonic() - began)
    seconds = time.monotonic() - began
    if response.ok:
        stats.served.append(seconds)
    elif response.status == 503 and "retry-after" in response.headers:
        stats.rejected.append(seconds)
    else:
        unexpected.append(f"{response.status} {'' if response.status != 503 else 'without Retry-After '}{response.body[:80]!r}")
        stats.unexpected.append(seconds)


async def closed_loop(base, connections, seconds):
    """Each connection sends the next request after the response: measures the capacity of the server."""
    stats, unexpected, end = LoadStats(), [], time.monotonic() + seconds

    async def client():
        visitor = Visitor(base)
        while time.monotonic() < end:
            await send_request(visitor, stats, 30, unexpected)
        visitor.close()

    await asyncio.gather(*(client() for _ in range(connections)))
    return stats, unexpected


async def open_loop(base, clients, per_second, seconds, timeout=10, reads=()):
    """Many clients, each at a low rate, send `per_second` requests in total, regardless of the responses."""
    stats, unexpected, end = LoadStats(), [], time.monotonic() + seconds
    interval_s = clients / per_second

    async def client(number):
        visitor = Visitor(base)
        due = time.monotonic() + interval_s * number / clients
        while due < end:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await send_request(visitor, stats, timeout, unexpected, reads[number % len(reads)] if reads else None)
            due = max(due + interval_s, time.monotonic())
        visitor.close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    return stats, unexpected


class AbusiveConnections:
    """A group of connections that send nothing, send slowly, or never read."""

    def __init__(self, base):
        parts = urlsplit(base)
        self.host, self.port = parts.hostname, parts.port
        self.connections = []

    async def open(self, count, first):
        for _ in range(count):
            reader, writer = await asyncio.open_connection(self.host, self.port)
            writer.write(first)
            self.connections.append((reader, writer))

    async def send_slowly(self, seconds):
        """Sends one byte on every connection each 0.5 s, as a slow HTTP attack does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _, writer in self.connections:
                if not writer.is_closing():
                    writer.write(b"x")
            await asyncio.sleep(0.5)

    async def count_open(self):
        count = 0
        for reader, writer in self.connections:
            count += not (reader.at_eof() or writer.is_closing())
        return count

    def close(self):
        for _, writer in self.connections:
            writer.close()
