"""Throughput of reads, measured in turn with an empty handler, so that noise affects both alike."""

import re
import statistics
import subprocess
from dataclasses import dataclass

from bench.shop import Running, sign_in

# Many short runs: the median is not affected by some disturbed runs.
RUNS = 7
SECONDS = 1


@dataclass
class Endpoint:
    name: str
    path: str
    min_ratio: float
    headers: tuple[str, ...] = ("Accept-Encoding: br",)


def endpoints(running: Running) -> list[Endpoint]:
    product = "/api/products/api/productInfo/goda-masala"
    return [
        Endpoint("product page", "/product/goda-masala", 0.5),
        Endpoint("home page", "/", 0.4),
        Endpoint("product list", "/api/products/api/productInfo", 0.5),
        Endpoint("one product", product, 0.6),
        Endpoint("search", "/api/api/products/search?q=masala", 0.3),
        Endpoint("304", product, 0.7, ("Accept-Encoding: br", f"If-None-Match: {etag(running, product)}")),
        Endpoint("cart, signed in", "/api/cart/cart", 0.15, (f"Cookie: {sign_in(running, 'reader@mirasa.example')}",)),
    ]


def etag(running: Running, path: str) -> str:
    connection = running.connect()
    connection.request("GET", path, headers={"Accept-Encoding": "br"})
    return connection.getresponse().headers["ETag"]


def wrk(address: str, path: str, connections: int, headers=()) -> tuple[float, float]:
    """Requests per second, and the 99th percentile of the latency in milliseconds."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency"]
    for header in headers:
        command += ["-H", header]
    output = subprocess.run([*command, f"http://{address}{path}"], capture_output=True, text=True, check=True).stdout
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    if errors:
        raise SystemExit(f"{path}: {errors[1]} responses were errors")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", output).groups()
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def cpu_us_per_request(baseline: Running) -> float:
    """CPU time of one empty response, measured now."""
    before = baseline.cpu_seconds()
    rate, _ = wrk(baseline.address, "/", 16)
    return (baseline.cpu_seconds() - before) / (rate * SECONDS) * 1e6


def measure(baseline: Running, running: Running) -> list[dict]:
    rows = []
    for endpoint in endpoints(running):
        for connections in (16, 256):
            pairs = []
            for _ in range(RUNS):
                reference = wrk(baseline.address, "/", connections)
                measured = wrk(running.address, endpoint.path, connections, endpoint.headers)
                pairs.append((reference, measured))
            median = lambda pick: statistics.median(map(pick, pairs))  # noqa: E731
            rows.append(
                {
                    "call": endpoint.name,
                    "connections": connections,
                    "per_second": round(median(lambda pair: pair[1][0])),
                    "hello_per_second": round(median(lambda pair: pair[0][0])),
                    "ratio": round(median(lambda pair: pair[1][0] / pair[0][0]), 3),
                    "at_least": endpoint.min_ratio,
                    "p99_ms": round(median(lambda pair: pair[1][1]), 2),
                    "p99_ratio": round(median(lambda pair: pair[1][1] / pair[0][1]), 2),
                }
            )
            row = rows[-1]
            mark = "" if row["ratio"] >= row["at_least"] and row["p99_ratio"] <= 3 else "   <-- below the target"
            print(
                f"{row['call']:<18}{connections:>4} conn {row['per_second']:>8}/s  {row['ratio']:.2f} of baseline"
                f" (≥ {row['at_least']:.2f})  p99 {row['p99_ms']:.2f} ms = {row['p99_ratio']:.1f} × baseline{mark}",
                flush=True,
            )
    return rows
