"""Renders with Cycles on the GPU or CPU, and develops the scene-linear master into the finished picture."""

import os
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np
from PIL import Image, ImageEnhance, ImageFilter

from studio.paths import CACHE

DEVICES = ("OPTIX", "CUDA", "HIP", "ONEAPI", "METAL")


def use_best_device(scene) -> str:
    """Selects the GPU if Cycles finds one (or the device of STUDIO_DEVICE), otherwise the CPU."""
    wanted = os.environ.get("STUDIO_DEVICE", "")
    preferences = bpy.context.preferences.addons["cycles"].preferences
    for kind in (wanted,) if wanted and wanted != "CPU" else () if wanted == "CPU" else DEVICES:
        try:
            preferences.compute_device_type = kind
        except TypeError:
            continue
        preferences.refresh_devices()
        for device in preferences.devices:
            device.use = device.type == kind
        if any(device.use for device in preferences.devices):
            scene.cycles.device, scene.cycles.denoising_use_gpu = "GPU", True
            return kind
    # Cycles would fall back to the CPU without a message, although a GPU was requested.
    assert wanted in ("", "CPU"), f"no {wanted} device found"
    scene.cycles.device = "CPU"
    return "CPU"


def render(
    target: Path,
    width: int,
    height: int,
    *,
    samples: int,
    noise: float,
    exposure: float = 0.0,
    percent: int = 100,
    vignette: float = 0.16,
    quality: int = 84,
) -> None:
    """Render the current scene and write the developed picture."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    device = use_best_device(scene)
    c = scene.cycles
    c.samples, c.use_adaptive_sampling, c.adaptive_threshold, c.adaptive_min_samples = samples, True, noise, 16
    c.use_denoising, c.denoiser, c.denoising_input_passes = True, "OPENIMAGEDENOISE", "RGB_ALBEDO_NORMAL"
    c.denoising_prefilter, c.denoising_quality = "ACCURATE", "HIGH"
    c.use_light_tree, c.caustics_reflective, c.caustics_refractive = False, False, False
    c.max_bounces, c.diffuse_bounces, c.glossy_bounces, c.transmission_bounces = 6, 3, 3, 4
    c.transparent_max_bounces, c.sample_clamp_indirect, c.blur_glossy = 8, 6, 0.5
    r = scene.render
    r.resolution_x, r.resolution_y, r.resolution_percentage = width, height, percent
    r.image_settings.file_format, r.image_settings.color_depth, r.image_settings.color_mode = "OPEN_EXR", "16", "RGB"
    started = time.time()
    with tempfile.TemporaryDirectory() as scratch:
        master, display = Path(scratch) / "master.exr", Path(scratch) / "display.png"
        r.filepath = str(master)
        with _redirect_stdout_to_log():
            bpy.ops.render.render(write_still=True)
            _develop(master, display, exposure)
        _finish(display, target, vignette, quality)
    print(
        f"{target.name}: {width * percent // 100} x {height * percent // 100}, {samples} samples on {device}, {time.time() - started:.0f} s",
        flush=True,
    )


@contextmanager
def _redirect_stdout_to_log():
    """Redirects Blender's messages about samples and saved files from stdout to a log file."""
    sys.stdout.flush()
    kept, log = os.dup(1), os.open(CACHE / "blender.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(log)


def _develop(master: Path, display: Path, exposure: float) -> None:
    """Khronos PBR Neutral keeps the colours of a label; film-like transforms grey them."""
    scene = bpy.context.scene
    image = bpy.data.images.load(str(master))
    scene.view_settings.view_transform, scene.view_settings.look = "Khronos PBR Neutral", "None"
    scene.view_settings.exposure, scene.view_settings.gamma = exposure, 1.0
    settings = scene.render.image_settings
    settings.file_format, settings.color_depth, settings.color_mode = "PNG", "8", "RGB"
    image.save_render(str(display), scene=scene)


def _finish(display: Path, target: Path, vignette: float, quality: int) -> None:
    """A little sharpening, contrast and vignette; then WebP or JPEG by the target's name."""
    image = Image.open(display).convert("RGB")
    image = image.filter(ImageFilter.UnsharpMask(1.1, 45, 2))
    pixels = np.asarray(image).astype(np.float32) / 255
    rows, columns = np.mgrid[0 : image.height, 0 : image.width]
    away = ((columns / image.width - 0.5) ** 2 + (rows / image.height - 0.5) ** 2) / 0.5
    pixels = np.clip(pixels * (1 - vignette * np.clip(away, 0, 1) ** 1.3)[..., None], 0, 1)
    pixels = pixels + 0.12 * (pixels * pixels * (3 - 2 * pixels) - pixels)
    image = ImageEnhance.Color(Image.fromarray((np.clip(pixels, 0, 1) * 255 + 0.5).astype("uint8"))).enhance(1.03)
    target.parent.mkdir(parents=True, exist_ok=True)
    image.save(target, quality=quality, method=6)
