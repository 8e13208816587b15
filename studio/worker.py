"""What runs in a worker process. Blender is imported here, inside the calls, and never in the parent:

it bends sys.path as it loads, and a child that inherits the bent path cannot load it any more.
"""

from studio.jobs import Job


def device() -> str:
    from studio.shoot import device as find

    return find()


def shoot(job: Job, folder: str, percent: int) -> str:
    from studio.shoot import shoot as run

    return run(job, folder, percent)


def simulate_pouches() -> None:
    from studio.scene.pouch_sim import simulate, variant_path

    for variant in (1, 2, 3):
        if not variant_path(variant).exists():
            print(f"Simulating the cloth of pouch shape {variant} of 3 (once, one to three minutes)", flush=True)
            simulate(variant)
