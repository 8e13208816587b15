"""Tests of the server under load and faults, followed by an independent check of its data. See README.md.

    python3 -m soak --seconds 180 --seed 7        customers, admins and faults on SQLite
    python3 -m soak --seconds 60 --postgres URL   the same on PostgreSQL
    python3 -m soak.failover                      three instances, nginx, a standby that is promoted
    python3 -m soak.overload                      four times the server's write capacity
    python3 -m soak.exhaustion_images             images that are small to send and large to decode
    python3 -m soak.checker_self_test FOLDER      mutation test of the checker

Only Python's standard library is used. No code is shared with the server: it is driven over HTTP, the gateway and the
SMTP server are separate implementations, and the checker reads the database's tables as rows.
"""
