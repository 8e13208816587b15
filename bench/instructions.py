"""CPU instructions per read, counted by callgrind. Unlike times, they are the same on a busy and on an idle machine.

    python3 -m bench.instructions            needs valgrind; takes minutes

callgrind runs one thread at a time and is about fifty times slower, so it measures instructions, not latency.
"""

import contextlib
import http.client
import re
import subprocess
import tempfile
from pathlib import Path

from bench.reads import endpoints
from bench.shop import ROOT, TARGET, Running, free_address, seeded_folder, server_environment, stop, wait_for

SAMPLES = 500
WARM_UP_REQUESTS = 50


@contextlib.contextmanager
def run_under_callgrind(*command):
    """Yields the process and a function that returns the number of instructions executed so far."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet", *command],
            cwd=ROOT, env=server_environment(None), stderr=subprocess.DEVNULL)

        def count_instructions() -> int:
            output = subprocess.run(["callgrind_control", "-e", "-b", str(process.pid)], capture_output=True, text=True, check=True).stdout
            return sum(int(number.replace(",", "")) for number in re.findall(r"Th \d+\s+([\d,]+)", output))

        try:
            yield process, count_instructions
        finally:
            stop(process)


def per_request(address: str, path: str, headers: dict[str, str], count_instructions) -> float:
    host, port = address.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)

    def send(times: int) -> None:
        for _ in range(times):
            connection.request("GET", path, headers=headers)
            connection.getresponse().read()

    send(WARM_UP_REQUESTS)
    before = count_instructions()
    send(SAMPLES)
    return (count_instructions() - before) / SAMPLES


def main() -> None:
    address = free_address()
    with run_under_callgrind(TARGET / "baseline", address) as (process, count_instructions):
        wait_for(process, address, "/")
        baseline = per_request(address, "/", {}, count_instructions)
    print(f"{'an empty handler':<18}{baseline:>10.0f} instructions")
    with seeded_folder() as folder:
        address = free_address()
        with run_under_callgrind(TARGET / "mirasa", "serve", "--listen", address, "--data", folder) as (process, count_instructions):
            seconds = wait_for(process, address, "/api/products/api/productInfo")
            for endpoint in endpoints(Running(address, process.pid, folder, seconds)):
                headers = dict(header.split(": ", 1) for header in endpoint.headers)
                instructions = per_request(address, endpoint.path, headers, count_instructions)
                print(f"{endpoint.name:<18}{instructions:>10.0f} instructions  {instructions / baseline:.1f} × baseline", flush=True)


main()
