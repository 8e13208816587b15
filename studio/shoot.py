"""Builds the scene of one job and renders it. Runs in its own process, because it imports Blender."""

import os
import random
import time
from pathlib import Path

import numpy as np

from studio.jobs import Job
from studio.scene import base, closeup, heroes, lifestyle, packshot, tiles
from studio.scene.render import render, use_best_device
from studio.scene.stage import Stage
from studio.shop.casting import cast
from studio.shop.catalogue import products

# samples and noise threshold by device, and for drafts
QUALITY = {"gpu": (144, 0.01), "cpu": (32, 0.02), "draft": (24, 0.06)}


def build(job: Job) -> float:
    """Builds the scene of a job. Returns its exposure."""
    catalogue = products()
    base.reset()
    random.seed(job.file)
    np.random.seed(1)
    if job.kind == "tile":
        return tiles.build(job.subject, catalogue)
    if job.kind in ("hero", "phone"):
        return heroes.build(job.subject, catalogue, phone=job.kind == "phone")
    product = catalogue[job.subject]
    stage = Stage(product, cast(product))
    compose = {
        "pouch": packshot.packshot,
        "lifestyle": lifestyle.COMPOSITIONS[stage.casting.composition],
        "closeup": closeup.CLOSEUPS[stage.casting.closeup],
    }[job.kind]
    dark = 0.2 if job.kind == "lifestyle" and stage.casting.light == "moody" else 0.0
    return compose(stage) + dark


def device() -> str:
    """The device on which Cycles renders."""
    import bpy

    base.reset()
    return use_best_device(bpy.context.scene)


def shoot(job: Job, folder: str, percent: int = 100) -> str:
    """Renders a job into the folder. Returns the file's name."""
    started = time.time()
    exposure = build(job)
    print(f"{job.file}: built in {time.time() - started:.0f} s", flush=True)
    import bpy

    quality = "draft" if percent < 100 else "cpu" if use_best_device(bpy.context.scene) == "CPU" else "gpu"
    samples, noise = QUALITY[quality]
    render(
        Path(folder) / job.file,
        *job.size,
        samples=int(os.environ.get("STUDIO_SAMPLES", samples)),
        noise=noise,
        exposure=exposure,
        percent=percent,
        vignette=0.05 if job.kind == "tile" else 0.14,
        quality=int(os.environ.get("STUDIO_WEBP_QUALITY", "82")),
    )
    return job.file
