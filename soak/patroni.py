"""A database cluster in a temporary folder: three PostgreSQL servers that are managed by Patroni, and three etcd servers.
Each Patroni reaches etcd through its own relay, so that one node can be cut off."""

import glob
import os
import secrets
import shutil
import signal
import subprocess
import sys

from soak import processes
from soak.run import ROOT, wait_until
from soak.web import NoResponse, fetch

NODES = 3
# Room for the database and its write-ahead log. The leader is changed when less than MIN_FREE_MB is left.
DISK_MB, MIN_FREE_MB = 768, 64
# Each member allocates files of 64 MB.
ETCD_DISK_MB = 1024
DEPLOY = os.path.join(ROOT, "deploy/patroni")


def find_binaries():
    """The folder of the newest PostgreSQL server."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if found:
        return found[-1]
    server = shutil.which("initdb")
    return os.path.dirname(os.path.realpath(server)) if server else None


def missing_programs():
    missing = [name for name in ("etcd", "patroni", "psql", "curl") if not shutil.which(name)]
    return missing + ([] if find_binaries() else ["postgres"])


class Etcd:
    def __init__(self, folder):
        self.folder = folder
        self.client_ports = [processes.fixed_port() for _ in range(NODES)]
        self.members, self.is_mounted = [], False

    def start(self):
        # In memory: a busy disk of the test machine delays every write to etcd.
        self.is_mounted = processes.mount_tmpfs(self.folder, ETCD_DISK_MB)
        peers = [f"http://127.0.0.1:{processes.fixed_port()}" for _ in range(NODES)]
        cluster = ",".join(f"etcd{number}={url}" for number, url in enumerate(peers))
        for number, (peer, port) in enumerate(zip(peers, self.client_ports)):
            client = f"http://127.0.0.1:{port}"
            # Debian's Patroni needs version 2 of the API; see docs/decisions/0032.
            command = ["etcd", "--name", f"etcd{number}", "--data-dir", os.path.join(self.folder, f"etcd{number}"), "--enable-v2=true",
                       "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                       "--initial-advertise-peer-urls", peer, "--initial-cluster", cluster, "--initial-cluster-state", "new"]
            self.members.append(processes.spawn(command, f"{self.folder}{number}.log", self.folder))

    def stop(self):
        processes.send([member.pid for member in self.members], signal.SIGKILL)
        for member in self.members:
            member.wait()
        if self.is_mounted:
            processes.unmount(self.folder)


class Node:
    """One PostgreSQL server, its Patroni, and the relay between Patroni and etcd."""

    def __init__(self, folder, name, etcd, passwords, is_synchronous):
        self.name, self.folder = name, os.path.join(folder, name)
        self.data = os.path.join(self.folder, "data")
        self.port, self.api_port = processes.fixed_port(), processes.fixed_port()
        self.api_url = f"http://127.0.0.1:{self.api_port}"
        self.relay_ports = {port: processes.fixed_port() for port in etcd.client_ports}
        self.patroni = self.relay = self.disk_guard = None
        self.frozen = []
        self.is_mounted = processes.mount_tmpfs(self.folder, DISK_MB)
        self.configuration = self.folder + ".yml"
        with open(self.configuration, "w") as file:
            file.write(self.settings(passwords, is_synchronous))
        processes.make_private(self.configuration, 0o600)

    def settings(self, passwords, is_synchronous):
        """The configuration of deploy/patroni with other addresses and folders."""
        with open(os.path.join(DEPLOY, "patroni.yml")) as file:
            text = file.read()
        # As proxies: otherwise Patroni would ask etcd for the addresses of its members and not use the relays.
        relays = ",".join(f"127.0.0.1:{port}" for port in self.relay_ports.values()) + "\n  use_proxies: true"
        replacements = {
            "name: pg1": f"name: {self.name}", "10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379": relays,
            "10.0.0.11:8008": f"127.0.0.1:{self.api_port}", "10.0.0.11:5432": f"127.0.0.1:{self.port}", "10.0.0.0/24": "127.0.0.1/32",
            "/usr/lib/postgresql/15/bin": find_binaries(), "/var/lib/postgresql/15/shop": self.data,
            "/var/lib/postgresql/.pgpass-patroni": os.path.join(self.folder, "pgpass"), "/var/run/postgresql": self.folder,
            "SUPERUSER-PASSWORD": passwords["postgres"], "REPLICATOR-PASSWORD": passwords["replicator"], "REWINDER-PASSWORD": passwords["rewinder"],
            "synchronous_mode: true": f"synchronous_mode: {str(is_synchronous).lower()}",
        }
        for name, value in replacements.items():
            if name not in text:
                raise SystemExit(f"deploy/patroni/patroni.yml has no {name!r}")
            text = text.replace(name, value)
        return text

    def start(self):
        if self.relay is None:
            guard = [os.path.join(DEPLOY, "switch-over-when-full.sh"), self.name, self.folder, self.api_url, str(MIN_FREE_MB), "5"]
            self.disk_guard = processes.spawn(guard, self.folder + ".disk.log", self.folder, unprivileged=False)
            pairs = [f"{port}:{target}" for target, port in self.relay_ports.items()]
            self.relay = processes.spawn([sys.executable, "-m", "soak.tcp_relay", *pairs], self.folder + ".relay.log", ROOT, unprivileged=False)
        self.patroni = processes.spawn(["patroni", self.configuration], self.folder + ".log", self.folder)

    def postmaster(self):
        """Its process id in a list, which is empty if PostgreSQL is not running. The file of a killed server remains, and the id
        may belong to another process by now."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as file:
                process = int(file.readline())
            with open(f"/proc/{process}/cmdline") as file:
                return [process] if self.data in file.read() else []
        except (OSError, ValueError):
            return []

    def kill(self):
        processes.kill([self.patroni.pid, *self.postmaster()])
        self.patroni.wait()

    def freeze(self):
        self.frozen = processes.freeze([self.patroni.pid, *self.postmaster()])

    def freeze_patroni(self):
        # Without its children: PostgreSQL may be one of them.
        self.frozen = [self.patroni.pid]
        processes.send(self.frozen, signal.SIGSTOP)

    def freeze_postgres(self):
        self.frozen = processes.freeze(self.postmaster())

    def thaw(self):
        processes.thaw(self.frozen)
        self.frozen = []

    def freeze_replication(self):
        """Nothing is sent to the standbys any more, as on a network that is too slow."""
        senders = []
        for process in processes.children_of(self.postmaster()):
            with open(f"/proc/{process}/cmdline") as file:
                senders += [process] if "walsender" in file.read() else []
        processes.freeze(senders)

    def cut_off_etcd(self):
        self.relay.send_signal(signal.SIGSTOP)

    def reconnect_etcd(self):
        self.relay.send_signal(signal.SIGCONT)

    def fill_disk(self):
        with open(os.path.join(self.folder, "ballast"), "wb", buffering=0) as file:
            for size in (1 << 20, 4096):
                try:
                    while True:
                        file.write(b"\0" * size)
                except OSError:
                    pass

    def free_disk(self):
        os.remove(os.path.join(self.folder, "ballast"))

    def destroy(self):
        for process in filter(None, (self.patroni, self.relay, self.disk_guard)):
            processes.kill([process.pid])
            process.wait()
        processes.kill(self.postmaster())
        if self.is_mounted:
            processes.unmount(self.folder)


class PatroniCluster:
    def __init__(self, context, is_synchronous=True):
        self.context = context
        self.passwords = {name: secrets.token_hex(12) for name in ("postgres", "replicator", "rewinder", "mirasa")}
        self.is_synchronous = is_synchronous
        self.etcd = Etcd(context.path("etcd"))
        self.nodes = [Node(context.folder, f"pg{number}", self.etcd, self.passwords, is_synchronous) for number in range(1, NODES + 1)]

    async def start(self):
        self.etcd.start()
        for node in self.nodes:
            node.start()
        await self.wait_until_healthy(90)
        leader = await self.leader()
        self.sql(leader, f"create role mirasa login password '{self.passwords['mirasa']}'")
        self.sql(leader, "create database shop owner mirasa")

    def url_for_shop(self):
        """All nodes: the driver connects to the one that accepts writes. In random order, because the driver's timeout does
        not cover a frozen server, which accepts the connection and does not respond."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return (f"postgres://mirasa:{self.passwords['mirasa']}@{hosts}/shop"
                "?target_session_attrs=read-write&connect_timeout=2&load_balance_hosts=random")

    def url_of(self, node, user="mirasa", database="shop"):
        return f"postgres://{user}:{self.passwords[user]}@127.0.0.1:{node.port}/{database}?connect_timeout=2"

    def sql(self, node, text, user="postgres", database="postgres", check=True, timeout_s=20):
        """Runs a statement on one node. None if it failed or was not acknowledged in time."""
        command = ["psql", self.url_of(node, user, database), "-AtqX", "-v", "ON_ERROR_STOP=1", "-c", text]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s)
        except subprocess.TimeoutExpired:
            done = None
        if done and done.returncode == 0:
            return done.stdout.strip()
        if check:
            raise SystemExit(f"{text}: {done.stderr if done else 'no response'}")
        return None

    async def members(self):
        """The members as Patroni reports them. Asks the nodes in turn until one responds."""
        for node in self.nodes:
            try:
                response = await fetch(node.api_url + "/cluster", timeout=1)
            except NoResponse:
                continue
            if response.ok:
                return response.json().get("members", [])
        return []

    async def leader(self):
        """The node that holds the leader key and is writable, or None."""
        for node in self.nodes:
            if await self.is_primary(node):
                return node
        return None

    async def is_primary(self, node):
        try:
            return (await fetch(node.api_url + "/primary", timeout=1)).ok
        except NoResponse:
            return False

    async def synchronous_standby(self):
        return next((self.node(member["name"]) for member in await self.members() if member["role"] == "sync_standby"), None)

    def node(self, name):
        return next(node for node in self.nodes if node.name == name)

    async def is_healthy(self):
        """One leader, one synchronous standby, and all members on the same timeline without lag."""
        members = await self.members()
        roles = [member["role"] for member in members]
        replicas = [member for member in members if member["role"] != "leader"]
        return (len(members) == NODES and roles.count("leader") == 1
                and (roles.count("sync_standby") == 1 or not self.is_synchronous)
                and all(member["state"] in ("running", "streaming") for member in members)
                and len({member.get("timeline") for member in members}) == 1
                and all(isinstance(member.get("lag"), int) and member["lag"] < 1 << 20 for member in replicas))

    async def wait_until_healthy(self, seconds=60):
        await wait_until(self.is_healthy, seconds, f"the database cluster is not healthy after {seconds} s; see {self.context.folder}/pg*.log")

    async def timeline(self):
        return max((member.get("timeline") or 0 for member in await self.members()), default=0)

    async def switch_over(self, leader):
        """A planned change of the leader, as `patronictl switchover` requests it."""
        response = await fetch(leader.api_url + "/switchover", "POST", body={"leader": leader.name}, timeout=30)
        if not response.ok:
            self.context.fail(f"the switchover is rejected: {response}")

    def stop(self):
        for node in self.nodes:
            node.destroy()
        self.etcd.stop()
