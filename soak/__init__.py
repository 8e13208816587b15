"""Keeps the shop under traffic while everything around it goes wrong, and then counts.

    python3 -m soak --seconds 180 --seed 7        buyers, admins and faults on SQLite
    python3 -m soak --seconds 60 --postgres       the same on PostgreSQL, with outages of it
    python3 -m soak.failover                      three instances, nginx, a standby that takes over
    python3 -m soak.overload                      four times what the shop can serve
    python3 -m soak.exhaustion_images             images that are small to send and large to decode
    python3 -m soak.checker --self-test FOLDER    whether the checker finds what it should

Python's standard library only. Nothing here is shared with the shop: it is driven over HTTP, its gateway and
its post office are programs of our own, and the checker reads its tables as rows.
"""
