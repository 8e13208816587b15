"""python -m studio: draws the flat images, renders the images that are missing or changed.

python -m studio draw                 brand marks, labels, portraits, alt texts
python -m studio plan                 list what is missing or changed, with an estimate of the time
python -m studio render               render what is missing or changed
python -m studio share                the picture for shared links, cut from a hero
python -m studio contact              a contact sheet of all images
python -m studio render --all --only 'goda-masala*' --percent 25 --out drafts --workers 2
"""

import argparse
import fnmatch
import multiprocessing
import os
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from studio import jobs, worker
from studio.paths import LABELS, PICTURES, STUDIO
from studio.shop.catalogue import products


def draw() -> None:
    """Draws everything that needs no rendering."""
    from studio.draw import brand, fonts, portraits, sheet

    fonts.prepare()
    brand.draw_all()
    portraits.draw_all()
    sheet.write_alts()


def share() -> None:
    from studio.draw import fonts, sheet

    fonts.prepare()
    sheet.sharing_picture()


def prepare() -> None:
    """Makes the inputs of every render, which are cached: the labels' prints and the pouch's shapes."""
    from studio.draw import fonts, label

    fonts.prepare()
    LABELS.mkdir(parents=True, exist_ok=True)
    label.draw_cut()
    for product in products().values():
        label.draw(product)
    with _pool(1) as pool:
        pool.submit(worker.simulate_pouches).result()


def _pool(workers: int) -> ProcessPoolExecutor:
    # Blender does not work after a fork, so each worker is a new process. It is replaced after some jobs.
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=12)


def device() -> str:
    with _pool(1) as pool:
        return pool.submit(worker.device).result()


def estimate(todo: list[jobs.Job], kind: str) -> float:
    """Estimates the minutes for a list of jobs."""
    if kind != "CPU":
        return sum(2.0 * job.megapixels + 4 for job in todo) / 60
    return sum(jobs.CPU_COST[job.kind] * job.megapixels for job in todo) / (os.cpu_count() or 1) / 60


def render(todo: list[jobs.Job], folder: Path, percent: int, workers: int, minutes: Callable) -> int:
    """Renders jobs in parallel. A job that fails is printed and skipped. Each finished job is recorded immediately,

    so that a long run can be stopped and continued. Returns the number of failed jobs.
    """
    failed, waiting_jobs, started = 0, list(todo), time.time()
    with _pool(workers) as pool:
        waiting = {pool.submit(worker.shoot, job, str(folder), percent): job for job in todo}
        for future in as_completed(waiting):
            job = waiting[future]
            waiting_jobs.remove(job)
            try:
                future.result()
                if folder == PICTURES and percent == 100:
                    jobs.record([job])
            except Exception:
                failed += 1
                print(f"FAILED {job.file}\n{traceback.format_exc()}", flush=True)
            passed, left = (time.time() - started) / 60, minutes(waiting_jobs)
            print(f"[{len(todo) - len(waiting_jobs)}/{len(todo)}] {passed:.0f} minutes passed, about {left:.0f} to go", flush=True)
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(prog="studio", description="Pictures for the shop.")
    parser.add_argument("step", choices=("draw", "plan", "render", "share", "contact"))
    parser.add_argument("--all", action="store_true", help="also what is up to date")
    parser.add_argument("--only", action="append", default=[], help="file pattern, may be repeated")
    parser.add_argument("--percent", type=int, default=100, help="below 100 renders quick drafts")
    parser.add_argument("--out", type=Path, default=PICTURES)
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    if options.step == "draw":
        draw()
    elif options.step == "share":
        share()
    elif options.step == "contact":
        from studio.draw.contact import contact_sheet

        contact_sheet(STUDIO / "contact-sheet.webp")
    else:
        plan_or_render(options)


def plan_or_render(options: argparse.Namespace) -> None:
    todo = [job for job in jobs.all_jobs() if not options.only or any(fnmatch.fnmatch(job.file, p) for p in options.only)]
    if not options.all:
        todo = jobs.outstanding(todo, options.out)
    if not todo:
        print("No picture is missing or changed: nothing to render.")
        return
    kind = os.environ.get("STUDIO_DEVICE") or device()

    def minutes(some: list[jobs.Job]) -> float:
        return estimate(some, kind) * (options.percent / 100) ** 2

    idle = " if nothing else is running" if kind == "CPU" else ""
    print(f"{len(todo)} pictures to render on {kind}: about {max(1, minutes(todo)):.0f} minutes{idle}", flush=True)
    if options.step == "plan":
        for job in todo:
            print("  " + job.file)
        return
    prepare()
    todo.sort(key=lambda job: -job.megapixels * jobs.CPU_COST[job.kind])
    if failed := render(todo, options.out, options.percent, options.workers or (1 if kind == "CPU" else 5), minutes):
        raise SystemExit(f"{failed} pictures failed")


if __name__ == "__main__":
    main()
