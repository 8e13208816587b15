"""The same calls in a small shop and in one with 10,000 products, 100,000 people and 1,000,000 orders."""

import http.client
import os
import shutil
import sqlite3
import statistics
import subprocess
import time
from pathlib import Path

from bench.shop import ROOT, Running, shop, sign_in

ASKED = 60


def calls(order: str, person: str) -> dict[str, str]:
    admin = "/api/admin/orders?page=1&limit=10"
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
        "admin: orders, one person": f"{admin}&userId={person}",
        "admin: users": "/api/admin/users?page=1&limit=10",
        "admin: users, many of a name": "/api/admin/users?search=asha&page=1&limit=10",
        "admin: users, one address": "/api/admin/users?search=dmin@mirasa&page=1&limit=10",
        "admin: concerns": "/api/admin/concerns",
    }


def ask_ms(connection: http.client.HTTPConnection, path: str, cookie: str) -> float:
    began = time.perf_counter()
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "br"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise SystemExit(f"{path} answered {answer.status}")
    return (time.perf_counter() - began) * 1000


def compare(small: Running, large: Running) -> list[dict]:
    """Both shops in turn, so that a noisy moment disturbs both alike."""
    both = [(shop.connect(), sign_in(shop, "admin@mirasa.example")) for shop in (small, large)]
    rows = []
    for name, path in calls("0000beef", "0000beef").items():
        turns = [[ask_ms(connection, path, cookie) for connection, cookie in both] for _ in range(ASKED + 5)]
        before, after = (statistics.median(times) for times in zip(*turns[5:]))
        rows.append({"call": name, "small_ms": round(before, 2), "large_ms": round(after, 2)})
        verdict = "" if after <= 2 * before else "   <-- grows"
        print(f"{name:<28}{before:8.2f} ms → {after:8.2f} ms  {after / before:6.1f} ×{verdict}", flush=True)
    return rows


def wait_for_parts(database: Path) -> None:
    """The shop enters what it finds new into the index of ids' parts, a little at a time."""
    missing = "select count(*) from orders where rowid > (select up_to from id_parts_filled where name = 'orders')"
    began, connection = time.monotonic(), sqlite3.connect(database)
    while connection.execute(missing).fetchone()[0]:
        time.sleep(0.5)
    connection.close()
    print(f"ids found by their parts after {time.monotonic() - began:.0f} s")


def measure(folder: Path) -> dict:
    """The folder's shop has the demo catalogue and no orders."""
    large_folder = folder.parent / f"{folder.name}-large"
    shutil.copytree(folder, large_folder)
    try:
        began = time.monotonic()
        subprocess.run([ROOT / "bench/fill/fill.sh", large_folder / "mirasa.db"], check=True, env=os.environ)
        print(f"filled in {time.monotonic() - began:.0f} s")
        with shop(folder) as small, shop(large_folder) as large:
            wait_for_parts(large_folder / "mirasa.db")
            rows = compare(small, large)
            start_ms, resident = large.seconds_to_first_answer * 1000, large.resident_mb()
    finally:
        shutil.rmtree(large_folder, ignore_errors=True)
    print(f"start to first answer {start_ms:.0f} ms, resident {resident:.0f} MB")
    return {"calls": rows, "start_ms": round(start_ms), "resident_mb": round(resident, 1)}
