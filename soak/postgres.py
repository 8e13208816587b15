"""A PostgreSQL with a synchronous standby, in a folder of its own, and the address under which the shop finds
whichever of the two is in charge: a relay that stands for a floating address."""

import asyncio
import glob
import os
import pwd
import shutil
import signal
import subprocess

from soak.world import free_port


def find_programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if found:
        return found[-1]
    server = shutil.which("initdb")
    return os.path.dirname(os.path.realpath(server)) if server else None


def owner():
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam("postgres")
        return ["runuser", "-u", "postgres", "--"]
    except KeyError:
        return ["runuser", "-u", "nobody", "--"]


class Server:
    def __init__(self, folder, name):
        self.programs = find_programs()
        self.folder, self.name, self.port = os.path.join(folder, name), name, free_port()
        self.sockets = folder

    def run(self, program, *arguments, check=True):
        command = [*owner(), os.path.join(self.programs, program), *arguments]
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

    def follow(self, primary):
        """A copy of the primary that keeps up with it."""
        self.run("pg_basebackup", "-D", self.folder, "-h", "127.0.0.1", "-p", str(primary.port), "-U", "mirasa", "-R", "-X", "stream", "-c", "fast")
        # Once it is in charge there is nobody left to wait for.
        self.configure(f"""
synchronous_standby_names = ''
primary_conninfo = 'host=127.0.0.1 port={primary.port} user=mirasa application_name=standby'
""")

    def configure(self, text):
        file = os.path.join(self.folder, "postgresql.conf")
        with open(file, "a") as settings:
            settings.write(text)
        # basebackup leaves its own connection line, which would win over ours.
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
        """The server and everything that it has started."""
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

    def die(self):
        """As a machine dies: everything at once, nothing tidied up."""
        self.signal_all(signal.SIGKILL)

    def sql(self, text, database="postgres", check=True):
        done = subprocess.run(["psql", f"postgres://mirasa@127.0.0.1:{self.port}/{database}", "-AtqX", "-c", text], capture_output=True, text=True)
        if check and done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout.strip()


class Relay:
    """Hands connections on to whoever is in charge. Switching cuts the connections to the one before, or, as a network
    does whose machine has lost its power, swallows them: nothing comes any more, not even an end."""

    def __init__(self, target):
        self.port, self.target = free_port(), target
        self.open, self.swallowed = set(), set()

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
            await asyncio.gather(self.pump(reader, other_writer, target), self.pump(other_reader, writer, target))
        finally:
            self.open.discard(pair)

    async def pump(self, reader, writer, target):
        try:
            while data := await reader.read(65536):
                if target in self.swallowed:
                    continue
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        if target not in self.swallowed:
            writer.close()

    def swallow(self, target):
        self.swallowed.add(target)

    def switch(self, target):
        was, self.target = self.target, target
        if was not in self.swallowed:
            for pair in list(self.open):
                for writer in pair:
                    writer.transport.abort()
