"""Images that are small to send and large to decode, sent by customers and by an admin. The shop takes or refuses each
with a clear answer, its memory stays below 200 MB, and other visitors notice nothing.

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
from soak.shop import ADMIN, Instance
from soak.web import NoAnswer, Visitor, once
from soak.world import World, free_port

MAX_PEAK_MB = 200
# The first look at the slow thread's work; a machine that does more than this at once is given the time.
MAX_RENDITION_CPU_S = 30
MAX_VISITOR_P99_S = 0.5
TICKS = os.sysconf("SC_CLK_TCK")


class Case:
    """One upload or several at once, and what everybody saw meanwhile."""

    def __init__(self, shop, name):
        self.shop, self.name = shop, name
        self.answers, self.waits, self.lost = [], [], []

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
                if (await once(self.shop.address + "/product/goda-masala", timeout=10)).ok:
                    self.waits.append(time.monotonic() - began)
                else:
                    self.lost.append("refused")
            except NoAnswer as error:
                self.lost.append(str(error))
            await asyncio.sleep(0.02)

    async def send(self, *calls):
        for answer in await asyncio.gather(*calls, return_exceptions=True):
            silent = isinstance(answer, BaseException)
            self.answers.append("no answer" if silent else f"{answer.status} {answer.json().get('error', '')}".strip())

    def figures(self):
        return {"case": self.name, "answers": self.answers, "seconds": round(self.seconds, 1), "cpu_s": round(self.cpu, 1),
                "peak_mb": round(self.peak), "after_mb": round(self.after), "visitors": len(self.waits), "visitors_lost": len(self.lost),
                "visitor_p50_ms": round(quantile(self.waits, 0.5) * 1000), "visitor_p99_ms": round(quantile(self.waits, 0.99) * 1000)}


def status_mb(shop, field):
    with open(f"/proc/{shop.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) * 1024 / 1e6


def cpu_seconds(shop):
    with open(f"/proc/{shop.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def profile(customer, kind, image):
    picture = f"data:image/{kind};base64,{base64.b64encode(image).decode()}"
    return customer.put("/api/user/profile-picture", {"profilePicture": picture}, timeout=120)


def upload(admin, name, image):
    head = f'--soak\r\nContent-Disposition: form-data; name="images"; filename="{name}"\r\n\r\n'
    return admin.ask("POST", "/api/admin/upload-images", raw=head.encode() + image + b"\r\n--soak--\r\n",
                     headers={"Content-Type": "multipart/form-data; boundary=soak"}, timeout=120)


async def rendition(shop, file, within=150):
    """Asks for the widest AVIF until the answer is the final one, whatever its format; None if that takes too long."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        answer = await once(f"{shop.address}/images/products/{file}?w=3200", headers={"Accept": "image/avif,image/webp"}, timeout=30)
        if "no-cache" not in answer.headers["cache-control"][0]:
            return answer.headers["content-type"][0]
        await asyncio.sleep(0.5)
    return None


async def run(shop) -> dict:
    """All cases on a running shop; their figures, and what was wrong."""
    people = [Visitor(shop.address) for _ in range(3)]
    for person, email in zip(people, (ADMIN, "one@soak.example", "two@soak.example")):
        if not await person.sign_in(email):
            raise SystemExit(f"{email} cannot sign in")
    admin, *customers = people
    admins = [admin, admin.twin()]
    await once(shop.address + "/product/goda-masala")
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
    found, wrong = [], []

    async def attempt(name, *calls):
        async with Case(shop, name) as case:
            await case.send(*calls)
        found.append(case.figures())
        return case

    await attempt("two profile pictures at once, 16-bit PNG of 49 MP", *(profile(one, "png", deep) for one in customers))
    await attempt("two profile pictures at once, 16-bit noise PNG of 12 MP", *(profile(one, "png", small_deep) for one in customers))
    await attempt("two admin uploads at once, 16-bit PNG of 49 MP", *(upload(one, f"deep{at}.png", deep) for at, one in enumerate(admins)))
    await attempt("admin upload, JPEG of 50 MP", upload(admin, "photo.jpg", photo))
    for name, file, image in others:
        await attempt(name, upload(admin, file, image))
    stored = []

    async def keep(call):
        answer = await call
        stored.extend(answer.json().get("files", []))
        return answer

    await attempt(f"admin upload, 16-bit noise PNG of 49 MP, {len(noise) // 1000} kB", keep(upload(admin, "noise.png", noise)))
    if stored:
        async with Case(shop, "its widest rendition") as case:
            case.answers.append(await rendition(shop, stored[0]) or "not within 150 s")
        found.append(case.figures())
        if case.cpu > MAX_RENDITION_CPU_S:
            wrong.append(f"the rendition of noise took {case.cpu:.0f} s of processor time")
    everything = [profile(customers[0], "png", small_deep[:-1] + b"x"), profile(customers[1], "jpeg", files.jpeg(4000, 2992)),
                  upload(admins[0], "photo-again.jpg", photo), upload(admins[1], "noise-again.png", noise)]
    await attempt("two profile pictures and two admin uploads at once", *everything)

    for case in found:
        if case["peak_mb"] > MAX_PEAK_MB:
            wrong.append(f"{case['case']}: {case['peak_mb']} MB")
        if case["visitors_lost"] or case["visitor_p99_ms"] > MAX_VISITOR_P99_S * 1000:
            wrong.append(f"{case['case']}: {case['visitors_lost']} visitors lost, the others waited {case['visitor_p99_ms']} ms (p99)")
        if any(answer.startswith(("no answer", "5")) for answer in case["answers"]):
            wrong.append(f"{case['case']}: {case['answers']}")
    return {"cases": found, "wrong": wrong}


def table(result):
    lines = [f"{'peak MB':>8} {'after':>6} {'s':>6} {'CPU s':>6} {'p50/p99 ms':>11} {'lost':>5}  case: answers"]
    for case in result["cases"]:
        waits = f"{case['visitor_p50_ms']}/{case['visitor_p99_ms']}"
        lines.append(f"{case['peak_mb']:>8} {case['after_mb']:>6} {case['seconds']:>6} {case['cpu_s']:>6} {waits:>11} {case['visitors_lost']:>5}  "
                     f"{case['case']}: {'; '.join(case['answers'])}")
    return "\n".join(lines + [f"WRONG {text}" for text in result["wrong"]])


async def alone(arguments, world):
    port = free_port()
    # As in deploy/: otherwise the allocator keeps for itself what was freed.
    settings = {"MIRASA_DATA": world.path("data"), "MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "131072"}
    shop = Instance(world, find_program(arguments.program), "images", port, f"http://127.0.0.1:{port}", settings)
    shop.environment.pop("LD_PRELOAD", None)
    try:
        await shop.command("seed", world.write_catalogue())
        await shop.start()
        if not await shop.ready():
            raise SystemExit("the shop does not start")
        return await run(shop)
    finally:
        if shop.process:
            await shop.stop()


def main():
    parser = argparse.ArgumentParser(prog="python3 -m soak.exhaustion_images", description=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--json", help="write the figures to this file, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mirasa-images.") as folder:
        result = asyncio.run(alone(arguments, World(folder, 1)))
    print(table(result))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(result, file, indent=1)
    return 1 if result["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
