#!/usr/bin/env python3
"""Runs a command under the system call filter of a systemd unit, without systemd.

    under_filter.py UNIT COMMAND [ARGUMENT…]

The lists of system calls are those of the installed systemd (`systemd-analyze syscall-filter`), the filter is made
with libseccomp as systemd makes it. Of the unit's other settings it knows SystemCallErrorNumber and
MemoryDenyWriteExecute.
"""

import ctypes
import errno
import os
import subprocess
import sys

KILL_PROCESS = 0x80000000
ALLOW = 0x7FFF0000
MASKED_EQUAL = 7
PROT_WRITE, PROT_EXEC, SHM_EXEC = 2, 4, 0o100000

seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
seccomp.seccomp_init.restype = ctypes.c_void_p
seccomp.seccomp_init.argtypes = [ctypes.c_uint32]
seccomp.seccomp_load.argtypes = [ctypes.c_void_p]


class Comparison(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("mask", ctypes.c_uint64), ("value", ctypes.c_uint64)]


seccomp.seccomp_rule_add_array.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Comparison)
]


def error(number: int) -> int:
    return 0x00050000 | number


def settings(unit: str) -> list[tuple[str, str]]:
    with open(unit, encoding="utf-8") as lines:
        pairs = [line.strip().split("=", 1) for line in lines if "=" in line and not line.startswith("#")]
    return [(name, value) for name, value in pairs]


def calls(name: str) -> set[str]:
    """The calls of a set, those of the sets inside it too."""
    if not name.startswith("@"):
        return {name}
    printed = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    inside = [line.strip() for line in printed.stdout.splitlines()[1:]]
    return set().union(*(calls(one) for one in inside if one and not one.startswith("#")))


def allowed(lines: list[str]) -> set[str]:
    found = calls("@default")
    for line in lines:
        named = set().union(*(calls(name) for name in line.removeprefix("~").split()))
        found = found - named if line.startswith("~") else found | named
    return found


def load(default: int, rules: list[tuple[int, str, list[Comparison]]]) -> None:
    context = seccomp.seccomp_init(default)
    for action, name, comparisons in rules:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            continue  # not on this processor
        array = (Comparison * max(len(comparisons), 1))(*comparisons)
        if seccomp.seccomp_rule_add_array(context, action, number, len(comparisons), array) != 0:
            sys.exit(f"no rule for {name}")
    if seccomp.seccomp_load(context) != 0:
        sys.exit("the filter cannot be loaded")


def main() -> None:
    unit, *command = sys.argv[1:]
    found = settings(unit)
    numbers = [value for name, value in found if name == "SystemCallErrorNumber"]
    denied = error(getattr(errno, numbers[-1])) if numbers else KILL_PROCESS
    names = allowed([value for name, value in found if name == "SystemCallFilter"])
    if ("MemoryDenyWriteExecute", "yes") in found:
        both = PROT_WRITE | PROT_EXEC
        refused = error(errno.EPERM)
        load(ALLOW, [
            (refused, "mmap", [Comparison(2, MASKED_EQUAL, both, both)]),
            (refused, "mprotect", [Comparison(2, MASKED_EQUAL, PROT_EXEC, PROT_EXEC)]),
            (refused, "pkey_mprotect", [Comparison(2, MASKED_EQUAL, PROT_EXEC, PROT_EXEC)]),
            (refused, "shmat", [Comparison(2, MASKED_EQUAL, SHM_EXEC, SHM_EXEC)]),
        ])
    load(denied, [(ALLOW, name, []) for name in sorted(names)])
    os.execvp(command[0], command)


main()
