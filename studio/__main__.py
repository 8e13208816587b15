"""python -m studio: draw what is drawn, render what is missing or changed.

python -m studio draw                 brand marks, labels, portraits, alt texts
python -m studio plan                 what is missing or changed, and how long it will take
python -m studio render               render that
python -m studio share                the picture for shared links, cut from a hero
python -m studio contact              a contact sheet of everything
python -m studio render --all --only 'goda-masala*' --percent 25 --out drafts --workers 2
"""

import argparse
import fnmatch
import multiprocessing
import os
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from studio import jobs, worker
from studio.paths import LABELS, PICTURES, STUDIO
from studio.shop.catalogue import products


def draw() -> None:
    """Everything that needs no rendering."""
    from studio.draw import brand, fonts, label, portraits, sheet

    fonts.prepare()
    brand.draw_all()
    portraits.draw_all()
    sheet.write_alts()
    LABELS.mkdir(parents=True, exist_ok=True)
    label.draw_cut()
    for product in products().values():
        label.draw(product)


def _pool(workers: int) -> ProcessPoolExecutor:
    # Blender does not survive a fork, so every worker starts from nothing; a few jobs later it is replaced.
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=12)


def device() -> str:
    with _pool(1) as pool:
        return pool.submit(worker.device).result()


def estimate(todo: list[jobs.Job], kind: str) -> float:
    """Minutes for a list of jobs."""
    if kind != "CPU":
        return sum(2.0 * job.megapixels + 4 for job in todo) / 60
    return sum(jobs.CPU_COST[job.kind] * job.megapixels for job in todo) / (os.cpu_count() or 1) / 60


def render(todo: list[jobs.Job], folder: Path, percent: int, workers: int) -> list[jobs.Job]:
    """Render jobs side by side; one that fails is told and left out."""
    done, started = [], time.time()
    with _pool(workers) as pool:
        waiting = {pool.submit(worker.shoot, job, str(folder), percent): job for job in todo}
        for future in as_completed(waiting):
            try:
                future.result()
                done.append(waiting[future])
            except Exception:
                print(f"FAILED {waiting[future].file}\n{traceback.format_exc()}", flush=True)
            print(f"[{len(done)}/{len(todo)}] {time.time() - started:.0f} s", flush=True)
    return done


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
        return
    if options.step == "share":
        from studio.draw import sheet

        sheet.sharing_picture()
        return
    if options.step == "contact":
        from studio.draw.contact import contact_sheet

        contact_sheet(STUDIO / "contact-sheet.webp")
        return
    todo = [job for job in jobs.all_jobs() if not options.only or any(fnmatch.fnmatch(job.file, p) for p in options.only)]
    if not options.all:
        todo = jobs.outstanding(todo, options.out)
    kind = os.environ.get("STUDIO_DEVICE") or device()
    print(f"{len(todo)} pictures to render on {kind}: about {estimate(todo, kind) * (options.percent / 100) ** 2:.0f} minutes", flush=True)
    if options.step == "plan":
        for job in todo:
            print("  " + job.file)
        return
    with _pool(1) as pool:
        pool.submit(worker.simulate_pouches).result()
    todo.sort(key=lambda job: -job.megapixels * jobs.CPU_COST[job.kind])
    done = render(todo, options.out, options.percent, options.workers or (1 if kind == "CPU" else 5))
    if options.out == PICTURES and options.percent == 100:
        jobs.record(done)
    if len(done) < len(todo):
        raise SystemExit(f"{len(todo) - len(done)} pictures failed")


if __name__ == "__main__":
    main()
