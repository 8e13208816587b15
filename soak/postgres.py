"""A PostgreSQL primary with a synchronous standby in a temporary folder, and a TCP relay that takes the place of a
floating IP: the server always connects to the current primary."""

import asyncio
import glob
import os
import pwd
import shutil
import signal
import subprocess

from soak.run_context import free_port


def find_binaries():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if found:
        return found[-1]
    server = shutil.which("initdb")
    return os.path.dirname(os.path.realpath(server)) if server else None


def run_as_user():
    """A command prefix that changes the user, because PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam("postgres")
        return ["runuser", "-u", "postgres", "--"]
    except KeyError:
        return ["runuser", "-u", "nobody", "--"]


class Server:
    def __init__(self, folder, name):
        self.binaries = find_binaries()
        self.folder, self.name, self.port = os.path.join(folder, name), name, free_port()
        self.sockets = folder

    def run(self, program, *arguments, check=True):
        command = [*run_as_user(), os.path.join(self.binaries, program), *arguments]
        done = subprocess.run(command, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        if check and done.returncode:
            raise SystemExit(f"{program} failed: {done.stdout}")
        return done.stdout

    def create(self):
        self.run("initdb", "-D", self.folder, "-U", "mirasa", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8")
        self.configure(f"""
listen_addresses = '127.0.0.1'
unix_socket_directories = '{self.sockets}'
max_connections = 120
wal_level = replica
max_wal_senders = 5
hot_standby = on
synchronous_commit = on
synchronous_standby_names = 'ANY 1 (standby)'
""")

    def replicate_from(self, primary):
        """Creates the folder as a streaming replica of the primary."""
        self.run("pg_basebackup", "-D", self.folder, "-h", "127.0.0.1", "-p", str(primary.port), "-U", "mirasa", "-R", "-X", "stream", "-c", "fast")
        # After its promotion there is no standby to wait for.
        self.configure(f"""
synchronous_standby_names = ''
primary_conninfo = 'host=127.0.0.1 port={primary.port} user=mirasa application_name=standby'
""")

    def configure(self, text):
        file = os.path.join(self.folder, "postgresql.conf")
        with open(file, "a") as settings:
            settings.write(text)
        # pg_basebackup writes its own primary_conninfo, which would take precedence over ours.
        auto = os.path.join(self.folder, "postgresql.auto.conf")
        if "primary_conninfo" in text and os.path.exists(auto):
            with open(auto) as settings:
                kept = [line for line in settings if not line.startswith("primary_conninfo")]
            with open(auto, "w") as settings:
                settings.writelines(kept)

    def start(self):
        self.run("pg_ctl", "start", "-D", self.folder, "-l", self.folder + ".log", "-o", f"-p {self.port}", "-w", "-s")

    def promote(self):
        self.run("pg_ctl", "promote", "-D", self.folder, "-w", "-s")

    def stop(self):
        self.run("pg_ctl", "stop", "-D", self.folder, "-m", "immediate", "-s", check=False)

    def processes(self):
        """The postmaster and its children."""
        with open(os.path.join(self.folder, "postmaster.pid")) as file:
            first = int(file.readline())
        children = subprocess.run(["pgrep", "-P", str(first)], capture_output=True, text=True).stdout.split()
        return [first, *map(int, children)]

    def signal_all(self, number):
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """Kills all processes at once, as a power failure does."""
        self.signal_all(signal.SIGKILL)

    def sql(self, text, database="postgres", check=True):
        done = subprocess.run(["psql", f"postgres://mirasa@127.0.0.1:{self.port}/{database}", "-AtqX", "-c", text], capture_output=True, text=True)
        if check and done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout.strip()


class Relay:
    """Forwards connections to the current primary. `switch` aborts the connections to the previous one, unless it was passed
    to `drop_silently`: then they hang, as after a power failure, without a FIN or RST."""

    def __init__(self, target):
        self.port, self.target = free_port(), target
        self.open, self.silent_targets = set(), set()

    async def start(self):
        self.server = await asyncio.start_server(self.connection, "127.0.0.1", self.port)

    async def connection(self, reader, writer):
        target = self.target
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        pair = (writer, other_writer)
        self.open.add(pair)
        try:
            await asyncio.gather(self.forward(reader, other_writer, target), self.forward(other_reader, writer, target))
        finally:
            self.open.discard(pair)

    async def forward(self, reader, writer, target):
        try:
            while data := await reader.read(65536):
                if target in self.silent_targets:
                    continue
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        if target not in self.silent_targets:
            writer.close()

    def drop_silently(self, target):
        self.silent_targets.add(target)

    def switch(self, target):
        previous, self.target = self.target, target
        if previous not in self.silent_targets:
            for pair in list(self.open):
                for writer in pair:
                    writer.transport.abort()
