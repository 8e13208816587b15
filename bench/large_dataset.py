"""Latency of the same requests with the demo data and with 10,000 products, 100,000 users and 1,000,000 orders."""

import http.client
import os
import shutil
import sqlite3
import statistics
import subprocess
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from bench.shop import ROOT, Running, shop, sign_in

# Measured requests per endpoint, after the warm-up.
SAMPLES = 60
WARM_UP_REQUESTS = 5
INDIA = timezone(timedelta(hours=5, minutes=30))


def paths(order: str, user: str) -> dict[str, str]:
    admin = "/api/admin/orders?page=1&limit=10"
    today = datetime.now(INDIA).date()
    return {
        "home page": "/",
        "product page": "/product/goda-masala",
        "list page": "/sub-products",
        "product list, 24": "/api/products/api/productInfo?limit=24",
        "one product": "/api/products/api/productInfo/goda-masala",
        "search": "/api/api/products/search?q=goda",
        "cart": "/api/cart/cart",
        "my orders": "/api/user/orders",
        "admin: products": "/api/admin/products?page=1&limit=24",
        "admin: products, searched": "/api/admin/products?search=goda&page=1&limit=24",
        "admin: orders": admin,
        "admin: orders, delivered": f"{admin}&status=delivered",
        "admin: orders, one id": f"{admin}&orderId={order}",
        "admin: orders, one user": f"{admin}&userId={user}",
        "admin: users": "/api/admin/users?page=1&limit=10",
        "admin: users, common name": "/api/admin/users?search=asha&page=1&limit=10",
        "admin: users, one email address": "/api/admin/users?search=dmin@mirasa&page=1&limit=10",
        "admin: order issues": "/api/admin/concerns",
        "admin: overview, 30 days": "/api/admin/overview",
        "admin: overview, 90 days": f"/api/admin/overview?from={today - timedelta(days=89)}&to={today}",
        "admin: to do": "/api/admin/to-do",
        "admin: stock": "/api/admin/stock",
    }


def request_ms(connection: http.client.HTTPConnection, path: str, cookie: str) -> float:
    began = time.perf_counter()
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "br"})
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        raise SystemExit(f"{path} returned {response.status}")
    return (time.perf_counter() - began) * 1000


def compare(small: Running, large: Running) -> list[dict]:
    """Alternates between the two servers, so that noise affects both alike."""
    both = [(shop.connect(), sign_in(shop, "admin@mirasa.example")) for shop in (small, large)]
    rows = []
    for name, path in paths("0000beef", "0000beef").items():
        runs = [[request_ms(connection, path, cookie) for connection, cookie in both] for _ in range(WARM_UP_REQUESTS + SAMPLES)]
        small_ms, large_ms = (statistics.median(times) for times in zip(*runs[WARM_UP_REQUESTS:]))
        rows.append({"call": name, "small_ms": round(small_ms, 2), "large_ms": round(large_ms, 2)})
        mark = "" if large_ms <= 2 * small_ms else "   <-- grows"
        print(f"{name:<28}{small_ms:8.2f} ms → {large_ms:8.2f} ms  {large_ms / small_ms:6.1f} ×{mark}", flush=True)
    return rows


def wait_for_workers(database: Path) -> None:
    """Waits until the workers of the server have indexed the parts of all order ids and stored the sums of all days."""
    ids = "select count(*) from orders where rowid > (select up_to from id_parts_filled where name = 'orders')"
    # The sums of today are not stored: its orders are counted at each read.
    days = "select count(distinct day) from sales_changes where day < (unixepoch() + 19800) / 86400"
    began, connection = time.monotonic(), sqlite3.connect(database)
    while any(connection.execute(missing).fetchone()[0] for missing in (ids, days)):
        time.sleep(0.5)
    connection.close()
    print(f"order ids are indexed and daily sums stored after {time.monotonic() - began:.0f} s")


def measure(folder: Path) -> dict:
    """`folder` has the demo catalogue and no orders."""
    large_folder = folder.parent / f"{folder.name}-large"
    shutil.copytree(folder, large_folder)
    try:
        began = time.monotonic()
        subprocess.run([ROOT / "bench/large_dataset/fill.sh", large_folder / "mirasa.db"], check=True, env=os.environ)
        print(f"filled in {time.monotonic() - began:.0f} s")
        with shop(folder) as small, shop(large_folder) as large:
            wait_for_workers(large_folder / "mirasa.db")
            rows = compare(small, large)
            start_ms, resident = large.seconds_to_first_response * 1000, large.resident_mb()
    finally:
        shutil.rmtree(large_folder, ignore_errors=True)
    print(f"first response after {start_ms:.0f} ms, resident memory {resident:.0f} MB")
    return {"calls": rows, "start_ms": round(start_ms), "resident_mb": round(resident, 1)}
