"""Uploads of images that are small to send and large to decode, by customers and an admin. The server must accept or reject
each without a 5xx, use less than 200 MB, and keep serving other visitors quickly.

    python3 -m soak.exhaustion_images --program target/release/mirasa [--json FILE]
"""

import argparse
import asyncio
import base64
import json
import os
import tempfile
import time

from soak import image_files as files
from soak.load import quantile
from soak.run import find_program
from soak.run_context import RunContext, free_port
from soak.shop import ADMIN, Instance
from soak.web import NoResponse, Visitor, fetch

MAX_PEAK_MB = 200
# CPU time for the renditions of the noise image.
MAX_RENDITION_CPU_S = 30
MAX_VISITOR_P99_S = 0.5
TICKS = os.sysconf("SC_CLK_TCK")


class Case:
    """One or several concurrent uploads; measures memory, CPU time and the latency of other visitors."""

    def __init__(self, shop, name):
        self.shop, self.name = shop, name
        self.responses, self.waits, self.lost = [], [], []

    async def __aenter__(self):
        with open(f"/proc/{self.shop.process.pid}/clear_refs", "w") as file:
            file.write("5")
        self.began, self.cpu = time.monotonic(), cpu_seconds(self.shop)
        self.visiting = asyncio.create_task(self.visit())
        return self

    async def __aexit__(self, *_):
        self.visiting.cancel()
        self.seconds = time.monotonic() - self.began
        self.cpu = cpu_seconds(self.shop) - self.cpu
        self.peak = status_mb(self.shop, "VmHWM")
        self.after = status_mb(self.shop, "VmRSS")

    async def visit(self):
        while True:
            began = time.monotonic()
            try:
                if (await fetch(self.shop.base_url + "/product/goda-masala", timeout=10)).ok:
                    self.waits.append(time.monotonic() - began)
                else:
                    self.lost.append("rejected")
            except NoResponse as error:
                self.lost.append(str(error))
            await asyncio.sleep(0.02)

    async def send(self, *uploads):
        for response in await asyncio.gather(*uploads, return_exceptions=True):
            failed = isinstance(response, BaseException)
            self.responses.append("no response" if failed else f"{response.status} {response.json().get('error', '')}".strip())

    def figures(self):
        return {"case": self.name, "responses": self.responses, "seconds": round(self.seconds, 1), "cpu_s": round(self.cpu, 1),
                "peak_mb": round(self.peak), "after_mb": round(self.after), "visitors": len(self.waits), "visitors_lost": len(self.lost),
                "visitor_p50_ms": round(quantile(self.waits, 0.5) * 1000), "visitor_p99_ms": round(quantile(self.waits, 0.99) * 1000)}


def status_mb(shop, field):
    with open(f"/proc/{shop.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) * 1024 / 1e6


def cpu_seconds(shop):
    with open(f"/proc/{shop.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def upload_profile_picture(customer, kind, image):
    # On a new connection: the server closes one that was idle for 20 s, and the cases before may have taken longer.
    customer.close()
    data_url = f"data:image/{kind};base64,{base64.b64encode(image).decode()}"
    return customer.put("/api/user/profile-picture", {"profilePicture": data_url}, timeout=120)


def upload_product_image(admin, name, image):
    admin.close()
    head = f'--soak\r\nContent-Disposition: form-data; name="images"; filename="{name}"\r\n\r\n'
    return admin.request("POST", "/api/admin/upload-images", raw=head.encode() + image + b"\r\n--soak--\r\n",
                         headers={"Content-Type": "multipart/form-data; boundary=soak"}, timeout=120)


async def fetch_rendition(shop, file, timeout_s=150):
    """Requests the widest AVIF until the response is the final one. Returns its content type, or None after the timeout."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        response = await fetch(f"{shop.base_url}/images/products/{file}?w=3200", headers={"Accept": "image/avif,image/webp"}, timeout=30)
        if "no-cache" not in response.headers["cache-control"][0]:
            return response.headers["content-type"][0]
        await asyncio.sleep(0.5)
    return None


async def run(shop) -> dict:
    """Runs all cases against a running server. Returns their figures and the problems."""
    clients = [Visitor(shop.base_url) for _ in range(3)]
    for client, email in zip(clients, (ADMIN, "one@soak.example", "two@soak.example")):
        if not await client.sign_in(email):
            raise SystemExit(f"{email} cannot sign in")
    admin, *customers = clients
    admins = [admin, admin.new_tab()]
    await fetch(shop.base_url + "/product/goda-masala")
    deep = files.png(7000, 7000, 16, files.RGBA)
    small_deep = files.png(4000, 3000, 16, files.RGBA, noise=True)
    noise = files.png(7000, 7000, 16, files.RGBA, noise=True)
    photo = files.jpeg(8000, 6240)
    others = [
        ("interlaced PNG of 49 MP", "woven.png", files.png(7000, 7000, 8, files.RGB, interlaced=True)),
        ("progressive JPEG of 11 MP", "web.jpg", files.jpeg(4000, 2800, progressive=True)),
        ("progressive JPEG of 50 MP", "large-web.jpg", files.jpeg(8000, 6240, progressive=True)),
        ("GIF of 49 MP", "large.gif", files.gif(7000, 7000)),
        ("animated GIF of 6 MP", "moving.gif", files.gif(3000, 2000, frames=20)),
        ("WebP of 49 MP", "large.webp", files.webp(7000, 7000)),
        ("animated WebP of 6 MP", "moving.webp", files.webp(3000, 2000, frames=20)),
    ]
    cases, problems = [], []

    async def attempt(name, *uploads):
        async with Case(shop, name) as case:
            await case.send(*uploads)
        cases.append(case.figures())

    await attempt("two profile pictures at once, 16-bit PNG of 49 MP", *(upload_profile_picture(one, "png", deep) for one in customers))
    await attempt("two profile pictures at once, 16-bit noise PNG of 12 MP", *(upload_profile_picture(one, "png", small_deep) for one in customers))
    await attempt("two admin uploads at once, 16-bit PNG of 49 MP", *(upload_product_image(one, f"deep{at}.png", deep) for at, one in enumerate(admins)))
    await attempt("admin upload, JPEG of 50 MP", upload_product_image(admin, "photo.jpg", photo))
    for name, file, image in others:
        await attempt(name, upload_product_image(admin, file, image))
    stored = []

    async def collect_files(upload):
        response = await upload
        stored.extend(response.json().get("files", []))
        return response

    await attempt(f"admin upload, 16-bit noise PNG of 49 MP, {len(noise) // 1000} kB", collect_files(upload_product_image(admin, "noise.png", noise)))
    if stored:
        async with Case(shop, "its widest rendition") as case:
            case.responses.append(await fetch_rendition(shop, stored[0]) or "not within 150 s")
        cases.append(case.figures())
        if case.cpu > MAX_RENDITION_CPU_S:
            problems.append(f"the rendition of the noise image took {case.cpu:.0f} s of CPU time")
    everything = [upload_profile_picture(customers[0], "png", small_deep[:-1] + b"x"), upload_profile_picture(customers[1], "jpeg", files.jpeg(4000, 2992)),
                  upload_product_image(admins[0], "photo-again.jpg", photo), upload_product_image(admins[1], "noise-again.png", noise)]
    await attempt("two profile pictures and two admin uploads at once", *everything)

    for case in cases:
        if case["peak_mb"] > MAX_PEAK_MB:
            problems.append(f"{case['case']}: {case['peak_mb']} MB")
        if case["visitors_lost"] or case["visitor_p99_ms"] > MAX_VISITOR_P99_S * 1000:
            problems.append(f"{case['case']}: {case['visitors_lost']} requests of visitors failed, the others took {case['visitor_p99_ms']} ms (p99)")
        if any(response.startswith(("no response", "5")) for response in case["responses"]):
            problems.append(f"{case['case']}: {case['responses']}")
    return {"cases": cases, "wrong": problems}


def table(result):
    lines = [f"{'peak MB':>8} {'after':>6} {'s':>6} {'CPU s':>6} {'p50/p99 ms':>11} {'lost':>5}  case: responses"]
    for case in result["cases"]:
        waits = f"{case['visitor_p50_ms']}/{case['visitor_p99_ms']}"
        lines.append(f"{case['peak_mb']:>8} {case['after_mb']:>6} {case['seconds']:>6} {case['cpu_s']:>6} {waits:>11} {case['visitors_lost']:>5}  "
                     f"{case['case']}: {'; '.join(case['responses'])}")
    return "\n".join(lines + [f"WRONG {text}" for text in result["wrong"]])


async def run_standalone(arguments, context):
    port = free_port()
    # As in deploy/: otherwise the allocator does not return freed memory.
    settings = {"MIRASA_DATA": context.path("data"), "MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "131072"}
    shop = Instance(context, find_program(arguments.program), "images", port, f"http://127.0.0.1:{port}", settings)
    shop.environment.pop("LD_PRELOAD", None)
    try:
        await shop.command("seed", context.write_catalogue())
        await shop.start()
        if not await shop.wait_until_ready():
            raise SystemExit("the server does not start")
        return await run(shop)
    finally:
        if shop.process:
            await shop.stop()


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.exhaustion_images", description=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--json", help="also write the figures to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mirasa-images.") as folder:
        result = asyncio.run(run_standalone(arguments, RunContext(folder, 1)))
    print(table(result))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(result, file, indent=1)
    return 1 if result["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
