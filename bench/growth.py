"""The same calls in a small shop and in one with 10,000 products, 100,000 people and 1,000,000 orders."""

import os
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from bench.shop import ROOT, Running, shop, sign_in

ASKED = 60
"""A person does not notice less than this, whatever it was before."""
UNNOTICED_MS = 10


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
        "admin: users": "/api/admin/users?search=asha&page=1&limit=10",
        "admin: concerns": "/api/admin/concerns",
    }


def median_ms(running: Running, path: str, cookie: str) -> float:
    connection = running.connect()
    times = []
    for turn in range(ASKED + 5):
        began = time.perf_counter()
        connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "br"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}")
        if turn >= 5:
            times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def measure_all(running: Running) -> dict[str, float]:
    cookie = sign_in(running, "admin@mirasa.example")
    return {name: median_ms(running, path, cookie) for name, path in calls("0000beef", "0000beef").items()}


def measure(folder: Path) -> dict:
    with shop(folder) as running:
        small = measure_all(running)
    large_folder = folder.parent / f"{folder.name}-large"
    shutil.copytree(folder, large_folder)
    try:
        began = time.monotonic()
        subprocess.run([ROOT / "bench/fill/fill.sh", large_folder / "mirasa.db"], check=True, env=os.environ)
        print(f"filled in {time.monotonic() - began:.0f} s")
        with shop(large_folder) as running:
            start_ms = running.seconds_to_first_answer * 1000
            large = measure_all(running)
            resident = running.resident_mb()
    finally:
        shutil.rmtree(large_folder, ignore_errors=True)
    rows = []
    for name, before in small.items():
        row = {"call": name, "small_ms": round(before, 2), "large_ms": round(large[name], 2)}
        rows.append(row)
        holds = large[name] <= max(2 * before, UNNOTICED_MS)
        print(f"{name:<28}{before:8.2f} ms → {large[name]:8.2f} ms{'' if holds else '   <-- grows'}", flush=True)
    print(f"start to first answer {start_ms:.0f} ms, resident {resident:.0f} MB")
    return {"calls": rows, "start_ms": round(start_ms), "resident_mb": round(resident, 1)}
