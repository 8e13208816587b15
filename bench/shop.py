"""Starts and stops the measured servers, with new folders and free ports."""

import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ["CARGO_TARGET_DIR"]) / "release"
METRICS_TOKEN = "bench"


@dataclass
class Running:
    address: str
    pid: int
    data: Path
    seconds_to_first_response: float

    def connect(self) -> http.client.HTTPConnection:
        host, port = self.address.split(":")
        return http.client.HTTPConnection(host, int(port), timeout=60)

    def cpu_seconds(self) -> float:
        used = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def resident_mb(self) -> float:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def wait_for(process: subprocess.Popen, address: str, path: str) -> float:
    began = time.monotonic()
    host, port = address.split(":")
    while time.monotonic() - began < 60:
        if process.poll() is not None:
            raise SystemExit(f"{process.args} ended with {process.returncode}")
        with contextlib.suppress(OSError):
            connection = http.client.HTTPConnection(host, int(port), timeout=10)
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return time.monotonic() - began
        time.sleep(0.002)
    raise SystemExit(f"{process.args} did not respond within 60 s")


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def baseline():
    """The empty handler that all figures are compared with."""
    address = free_address()
    process = subprocess.Popen([TARGET / "baseline", address])
    try:
        seconds = wait_for(process, address, "/")
        yield Running(address, process.pid, Path(), seconds)
    finally:
        stop(process)


def server_environment(database_url: str | None) -> dict[str, str]:
    environment = {
        **os.environ,
        "MIRASA_RATE_LIMIT": "off",
        "MIRASA_LOG": "warn",
        "MIRASA_METRICS_TOKEN": METRICS_TOKEN,
        # As in deploy/ and scripts/run.sh.
        "MALLOC_ARENA_MAX": "2",
        "MALLOC_MMAP_THRESHOLD_": "131072",
    }
    if database_url:
        environment["DATABASE_URL"] = database_url
    return environment


@contextlib.contextmanager
def seeded_folder(database_url: str | None = None):
    """A data folder with the demo catalogue. It is shared by the benchmarks, because importing the images is slow."""
    folder = Path(tempfile.mkdtemp(prefix="mirasa-bench-"))
    try:
        seed(folder, database_url)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def seed(folder: Path, database_url: str | None) -> None:
    subprocess.run(
        [TARGET / "mirasa", "seed", "catalogue", "--data", folder],
        cwd=ROOT,
        env=server_environment(database_url),
        check=True,
        stdout=subprocess.DEVNULL,
    )


@contextlib.contextmanager
def shop(folder: Path, database_url: str | None = None):
    address = free_address()
    process = subprocess.Popen(
        [TARGET / "mirasa", "serve", "--listen", address, "--data", folder],
        cwd=ROOT,
        env=server_environment(database_url),
    )
    try:
        seconds = wait_for(process, address, "/api/products/api/productInfo")
        yield Running(address, process.pid, folder, seconds)
    finally:
        stop(process)


def sign_in(running: Running, email: str) -> str:
    """Signs in through the sandbox's Google page. Returns the session cookie."""
    cookies: dict[str, str] = {}
    connection = running.connect()
    path = f"/api/auth/google/login?login_hint={email}"
    for _ in range(3):
        header = "; ".join(f"{name}={value}" for name, value in cookies.items())
        # Under callgrind, generating the sandbox's key takes longer than the request timeout.
        for _ in range(20):
            connection.request("GET", path, headers={"Cookie": header})
            response = connection.getresponse()
            response.read()
            if response.status < 500:
                break
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            cookies[name] = value
        path = response.headers["Location"].replace(f"http://{running.address}", "")
    return "; ".join(f"{name}={value}" for name, value in cookies.items() if "session" in name)
