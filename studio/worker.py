"""The functions that run in a worker process. Blender is imported inside them and never in the parent process:

it changes sys.path on import, and a child process that inherits the changed path cannot import it again.
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
