"""Processes of the database cluster: they run without root privileges and can be frozen or killed with all their
descendants."""

import os
import pwd
import random
import signal
import socket
import subprocess


def unprivileged_user():
    """PostgreSQL does not run as root. None if this process is not root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def spawn(command, log_file, folder, unprivileged=True):
    """Starts a process in its own session, so that an interrupt of the terminal does not reach it before the cleanup."""
    user = unprivileged_user() if unprivileged else None
    identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    with open(log_file, "ab") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, start_new_session=True,
                                env={**os.environ, "HOME": folder}, **identity)


def make_private(path, mode):
    """Makes the unprivileged user the only one with access."""
    if user := unprivileged_user():
        os.chown(path, user.pw_uid, user.pw_gid)
    os.chmod(path, mode)


def mount_tmpfs(folder, megabytes):
    """Mounts a small disk that can be filled without affecting the machine. False if this is not permitted."""
    os.makedirs(folder, exist_ok=True)
    make_private(folder, 0o700)
    if os.geteuid() != 0:
        return False
    user = unprivileged_user()
    options = f"size={megabytes}m,mode=0700,uid={user.pw_uid},gid={user.pw_gid}"
    return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True).returncode == 0


def unmount(folder):
    subprocess.run(["umount", "-l", folder], check=False, capture_output=True)


def children_of(parents):
    """The children of these processes that exist now. Reads /proc: pgrep for each process would block the customers."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                # The name before the last bracket may contain spaces and brackets. Then: state, parent.
                parent = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent in parents:
            found.append(int(entry))
    return found


def send(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def freeze(roots):
    """Stops the processes and all their descendants. Returns them. A stopped process has no new children, so each is
    stopped before its children are listed."""
    stopped, pending = [], list(roots)
    while pending:
        send(pending, signal.SIGSTOP)
        stopped += pending
        pending = [child for child in children_of(pending) if child not in stopped]
    return stopped


def thaw(processes):
    # Children first, so that a parent does not act before its children.
    send(reversed(processes), signal.SIGCONT)


def kill(roots):
    """Kills the processes and all their descendants at once, as a power failure does."""
    send(freeze(roots), signal.SIGKILL)


def fixed_port():
    """A free port below the ephemeral range: it stays free for its server while the server is down."""
    while True:
        port = random.randint(20000, 31999)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
