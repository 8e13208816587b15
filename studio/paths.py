"""Where the studio reads and writes. Everything it installs or caches is outside the repository."""

import os
from pathlib import Path

STUDIO = Path(__file__).resolve().parent
REPO = STUDIO.parent
PRODUCTS = REPO / "catalogue" / "products"
PICTURES = REPO / "catalogue" / "pictures"
SITE = PICTURES / "site"
BRAND = REPO / "web" / "public" / "brand"
PUBLIC = REPO / "web" / "public"

CACHE = Path(os.environ.get("STUDIO_CACHE", Path.home() / ".cache" / "mirasa" / "studio"))
FONTS = CACHE / "fonts"
LABELS = CACHE / "labels"
POUCHES = CACHE / "pouches"
