"""Instructions for each read, counted by callgrind: the same on a busy machine as on an idle one.

    python3 -m bench.instructions            needs valgrind; a few minutes

The program runs on one thread's worth of a processor under it, some fifty times slower: good for counting, not for time.
"""

import contextlib
import http.client
import re
import subprocess
import tempfile
from pathlib import Path

from bench.reads import calls
from bench.shop import ROOT, TARGET, Running, end, free_address, program_environment, seeded_folder, wait_for

ASKED = 500


@contextlib.contextmanager
def counted(*command):
    """The program under callgrind; gives a function that tells how many instructions it has used."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet", *command],
            cwd=ROOT, env=program_environment(None), stderr=subprocess.DEVNULL)

        def so_far() -> int:
            said = subprocess.run(["callgrind_control", "-e", "-b", str(process.pid)], capture_output=True, text=True, check=True).stdout
            return sum(int(number.replace(",", "")) for number in re.findall(r"Th \d+\s+([\d,]+)", said))

        try:
            yield process, so_far
        finally:
            end(process)


def per_call(address: str, path: str, headers: dict[str, str], so_far) -> float:
    host, port = address.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)

    def ask(times: int) -> None:
        for _ in range(times):
            connection.request("GET", path, headers=headers)
            connection.getresponse().read()

    ask(50)
    before = so_far()
    ask(ASKED)
    return (so_far() - before) / ASKED


def main() -> None:
    address = free_address()
    with counted(TARGET / "hello", address) as (process, so_far):
        wait_for(process, address, "/")
        hello = per_call(address, "/", {}, so_far)
    print(f"{'an empty handler':<18}{hello:>10.0f} instructions")
    with seeded_folder() as folder:
        address = free_address()
        with counted(TARGET / "mirasa", "serve", "--listen", address, "--data", folder) as (process, so_far):
            seconds = wait_for(process, address, "/api/products/api/productInfo")
            for call in calls(Running(address, process.pid, folder, seconds)):
                headers = dict(header.split(": ", 1) for header in call.headers)
                own = per_call(address, call.path, headers, so_far)
                print(f"{call.name:<18}{own:>10.0f} instructions  {own / hello:.1f} × hello", flush=True)


main()
