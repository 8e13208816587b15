"""Reads, each in turn with the empty handler, so that a noisy machine disturbs both alike."""

import re
import statistics
import subprocess
from dataclasses import dataclass

from bench.shop import Running, sign_in

# Short turns and many of them: a neighbour's stall spoils a few, and the middle one stands.
ROUNDS = 7
SECONDS = 1


@dataclass
class Call:
    name: str
    path: str
    at_least: float
    headers: tuple[str, ...] = ("Accept-Encoding: br",)


def calls(running: Running) -> list[Call]:
    product = "/api/products/api/productInfo/goda-masala"
    return [
        Call("product page", "/product/goda-masala", 0.5),
        Call("home page", "/", 0.4),
        Call("product list", "/api/products/api/productInfo", 0.5),
        Call("one product", product, 0.6),
        Call("search", "/api/api/products/search?q=masala", 0.3),
        Call("304", product, 0.7, ("Accept-Encoding: br", f"If-None-Match: {etag(running, product)}")),
        Call("cart, signed in", "/api/cart/cart", 0.15, (f"Cookie: {sign_in(running, 'reader@mirasa.example')}",)),
    ]


def etag(running: Running, path: str) -> str:
    connection = running.connect()
    connection.request("GET", path, headers={"Accept-Encoding": "br"})
    return connection.getresponse().headers["ETag"]


def wrk(address: str, path: str, connections: int, headers=()) -> tuple[float, float]:
    """Requests a second, and the 99th percentile in milliseconds."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency"]
    for header in headers:
        command += ["-H", header]
    said = subprocess.run([*command, f"http://{address}{path}"], capture_output=True, text=True, check=True).stdout
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    if refused:
        raise SystemExit(f"{path}: {refused[1]} answers were refusals")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", said).groups()
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def cpu_us_per_request(hello: Running) -> float:
    """What one empty answer takes of the processor in this minute."""
    before = hello.cpu_seconds()
    rate, _ = wrk(hello.address, "/", 16)
    return (hello.cpu_seconds() - before) / (rate * SECONDS) * 1e6


def measure(hello: Running, running: Running) -> list[dict]:
    rows = []
    for call in calls(running):
        for connections in (16, 256):
            pairs = []
            for _ in range(ROUNDS):
                base = wrk(hello.address, "/", connections)
                ours = wrk(running.address, call.path, connections, call.headers)
                pairs.append((base, ours))
            middle = lambda pick: statistics.median(map(pick, pairs))  # noqa: E731
            rows.append(
                {
                    "call": call.name,
                    "connections": connections,
                    "per_second": round(middle(lambda pair: pair[1][0])),
                    "hello_per_second": round(middle(lambda pair: pair[0][0])),
                    "ratio": round(middle(lambda pair: pair[1][0] / pair[0][0]), 3),
                    "at_least": call.at_least,
                    "p99_ms": round(middle(lambda pair: pair[1][1]), 2),
                    "p99_ratio": round(middle(lambda pair: pair[1][1] / pair[0][1]), 2),
                }
            )
            row = rows[-1]
            verdict = "" if row["ratio"] >= row["at_least"] and row["p99_ratio"] <= 3 else "   <-- short"
            print(
                f"{row['call']:<18}{connections:>4} conn {row['per_second']:>8}/s  {row['ratio']:.2f} of hello"
                f" (≥ {row['at_least']:.2f})  p99 {row['p99_ms']:.2f} ms = {row['p99_ratio']:.1f} × hello{verdict}",
                flush=True,
            )
    return rows
