"""The state of one run: seed, folder, catalogue, counters, failures, and the record of requests and responses."""

import json
import os
import random
import socket
import time

CATALOGUE = [
    # name, rupees of 50 g and 100 g, grams, pouches of 50 g and 100 g. The last products sell out during a run.
    ("Goda Masala", (75, 140), (900_000, 9_000, 9_000)),
    ("Sambar Masala", (68, 125), (900_000, 9_000, 9_000)),
    ("Chai Masala", (90, 170), (600_000, 6_000, 6_000)),
    ("Biryani Masala", (95, 180), (400_000, 9_000, 4_000)),
    ("Rasam Powder", (60, 110), (4_000, 60, 30)),
    ("Thandai Mix", (120, 230), (1_500, 25, 10)),
    ("Falafel Mix", (85, 160), (600, 12, 6)),
    ("Kanda Lasun Masala", (72, 130), (250, 5, 3)),
]
# Only the visibility check in chaos.py hides and shows this product. If a simulated admin did so at the same time, the
# check would fail without a bug in the server.
VISIBILITY_PROBE_PRODUCT = "sambar-masala"

PRODUCT_TOML = """id = "{id}"
product_name = "{name}"
devanagari_name = ""
generic_name = "Blended spice powder"
diet = "veg"
country_of_origin = "India"
category = ["Veg"]
description = "For the soak test."
ingredients = ["Coriander seed"]
preservatives = "None."
fssai_reg_no = "10026022000417"
recipe = ["Stir."]
manufactured_marketed_by = "Soak Foods"
address = "Pune"
email = "care@soak.example"
customer_care_no = "+91 20 5550 0142"
mrp = [{small}, {large}]
net_wt = [{{ value = 50, unit = "g" }}, {{ value = 100, unit = "g" }}]
best_before = "12 months"
why_you_will_love_it = ["It is there."]
stock = {grams}
packaging_50gms = {p50}
packaging_100gms = {p100}
is_visible = true
hsn_code = "0910"
gst_rate_percent = 5.0
images = []

[nutrition_facts]
Energy = "300 kcal"
Fat = "9 g"
Protein = "12 g"
Carbohydrate = "40 g"
Sugar = "3 g"

[look]
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class RunContext:
    """Shared by all tasks of a run. Every random generator is derived from the seed and a name."""

    def __init__(self, folder, seed):
        self.folder, self.seed = folder, seed
        self.began = time.monotonic()
        os.makedirs(folder, exist_ok=True)
        self._record_file = open(os.path.join(folder, "client.jsonl"), "a", buffering=1)
        self.counts = {}
        self.failures = []
        self.stopping = False

    def rng(self, name):
        return random.Random(f"{self.seed}/{name}")

    def now(self):
        """Seconds since the start of the run, by the monotonic clock."""
        return round(time.monotonic() - self.began, 3)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def record(self, kind, **facts):
        """Appends an event to client.jsonl. The checker compares these events with the database."""
        self.count(kind)
        self._record_file.write(json.dumps({"t": self.now(), "at": time.time(), "kind": kind, **facts}) + "\n")

    def count(self, what, by=1):
        self.counts[what] = self.counts.get(what, 0) + by

    def fail(self, text):
        """Records a failure. A run with a failure exits with an error."""
        self.failures.append(f"{self.now():7.1f} s  {text}")
        self.log(f"FAILURE {text}")

    def log(self, text):
        print(f"{self.now():7.1f} s  {text}", flush=True)

    def write_catalogue(self):
        folder = self.path("catalogue")
        os.makedirs(os.path.join(folder, "products"), exist_ok=True)
        os.makedirs(os.path.join(folder, "pictures", "site"), exist_ok=True)
        opening = {}
        for name, (small, large), (grams, p50, p100) in CATALOGUE:
            product = name.lower().replace(" ", "-")
            opening[product] = {"stock": [grams, p50, p100], "mrp": [small * 100, large * 100]}
            text = PRODUCT_TOML.format(id=product, name=name, small=small, large=large, grams=grams, p50=p50, p100=p100)
            with open(os.path.join(folder, "products", f"{product}.toml"), "w") as file:
                file.write(text)
        with open(self.path("opening.json"), "w") as file:
            json.dump(opening, file, indent=1)
        return folder
