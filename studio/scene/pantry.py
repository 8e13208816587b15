"""The pantry: the model of each ingredient name, its size and its pose."""

from dataclasses import dataclass
from typing import Callable

from studio.scene import spices_dry as dry
from studio.scene import spices_fresh as fresh


@dataclass(frozen=True)
class Item:
    make: Callable
    size: str  # "big": a few, set down by hand; "small": scattered; "dust": strewn in dozens
    pose: str = "rest"  # "rest": any stable pose; "upright": stands on its foot; "any": round, any rotation
    fill: str = "#5a4020"  # colour between the pieces when a bowl is full of them
    radius: float = 0.03  # for packing a bowl


ITEMS = {
    "red chilli": Item(dry.chilli, "big"),
    "kashmiri chilli": Item(lambda s=0: dry.chilli(s, 0.72, 0.075, "#7d0f0c", 0.30), "big"),
    "green chilli": Item(lambda s=0: dry.chilli(s, 0.75, 0.045, "#3f6f1c", 0.06, True), "big"),
    "star anise": Item(dry.star_anise, "big", "upright"),
    "green cardamom": Item(dry.cardamom, "small", fill="#6b6538", radius=0.06),
    "black cardamom": Item(dry.black_cardamom, "big"),
    "cinnamon quill": Item(dry.cinnamon, "big"),
    "cassia": Item(dry.cassia, "big"),
    "clove": Item(dry.clove, "small", fill="#2a150b", radius=0.045),
    "bay leaf": Item(fresh.leaf, "big", "upright"),
    "turmeric": Item(dry.turmeric, "big"),
    "ginger": Item(dry.ginger, "big"),
    "nutmeg": Item(dry.nutmeg, "big"),
    "mace": Item(dry.mace, "big", "upright"),
    "dagad phool": Item(dry.stone_flower, "big", "upright"),
    "tamarind": Item(dry.tamarind, "big"),
    "dry coconut": Item(dry.coconut_chip, "big"),
    "black pepper": Item(dry.peppercorn, "small", "any", "#120d0a", 0.024),
    "white pepper": Item(lambda s=0: dry.ball(s, 0.024, "#b9a37e", "#dccaa8"), "small", "any", "#8a7858", 0.023),
    "coriander seed": Item(dry.coriander_seed, "small", "any", "#6b5026", 0.023),
    "cumin seed": Item(dry.ridged_seed, "dust", fill="#4a3218", radius=0.020),
    "fennel seed": Item(lambda s=0: dry.ridged_seed(s, 0.075, 0.0125, "#6b6548", "#968b66"), "dust", fill="#4a4630", radius=0.024),
    "caraway": Item(lambda s=0: dry.ridged_seed(s, 0.055, 0.008, "#2e2013", "#5a432a"), "dust", fill="#1e140b", radius=0.018),
    "ajwain": Item(lambda s=0: dry.ridged_seed(s, 0.03, 0.008, "#6f5a34", "#a08a5a"), "dust", fill="#4a3a1e", radius=0.012),
    "mustard seed": Item(dry.ball, "dust", "any", "#1d120c", 0.0115),
    "nigella seed": Item(lambda s=0: dry.shard(s, 0.014, "#0b0a0a", "#211d1b", 0.7, 0.6), "dust", fill="#0a0909", radius=0.013),
    "fenugreek seed": Item(lambda s=0: dry.ball(s, 0.016, "#a8782c", "#cfa24c", 0.6, 0.75), "dust", "any", "#7a5620", 0.016),
    "sesame seed": Item(lambda s=0: dry.ball(s, 0.013, "#d8c7a2", "#efe4c8", 0.5, 0.45), "dust", "rest", "#b5a27a", 0.0115),
    "poppy seed": Item(lambda s=0: dry.ball(s, 0.007, "#c9bea6", "#e6dcc6", 0.7), "dust", "any", "#a89a7c", 0.0065),
    "melon seed": Item(lambda s=0: dry.ball(s, 0.026, "#e0d2ae", "#f2e8cc", 0.5, 0.35), "dust", fill="#c0b088", radius=0.022),
    "lentil": Item(lambda s=0: dry.ball(s, 0.021, "#c98a1e", "#e6b04a", 0.5, 0.45), "dust", "rest", "#9a6a18", 0.019),
    "chickpea": Item(lambda s=0: dry.ball(s, 0.042, "#b98e54", "#d9b57c", 0.6), "small", "any", "#8a6838", 0.040),
    "pea": Item(lambda s=0: dry.ball(s, 0.036, "#4f7f22", "#7fae40", 0.35), "small", "any", "#35561a", 0.034),
    "rock salt": Item(lambda s=0: dry.shard(s, 0.030, "#d9b3a6", "#f3e2da", 0.8, 0.25), "small", fill="#c9a89c", radius=0.030),
    "salt": Item(lambda s=0: dry.shard(s, 0.012, "#e9e4dc", "#fbf9f4", 0.8, 0.3), "dust", fill="#d9d4cc", radius=0.011),
    "sugar": Item(lambda s=0: dry.shard(s, 0.028, "#f0ead8", "#fdfaf0", 0.9, 0.2), "small", fill="#e0d8c4", radius=0.026),
    "jaggery": Item(lambda s=0: dry.shard(s, 0.07, "#8a5218", "#b97a2c", 0.8, 0.5), "small", fill="#6a3e10", radius=0.06),
    "tea": Item(lambda s=0: dry.shard(s, 0.013, "#150c08", "#33201a", 0.6), "dust", fill="#120a06", radius=0.012),
    "dried herb": Item(lambda s=0: dry.shard(s, 0.016, "#3a4022", "#5f6438", 0.3, 0.9), "dust", fill="#3f4a20", radius=0.014),
    "kasuri methi": Item(lambda s=0: fresh.leaf(s, 0.11, 0.055, "#3f4a22", "#6f7840", 0.8), "dust", fill="#3a4220", radius=0.035),
    "fried onion": Item(lambda s=0: dry.thread(s, 0.20, 0.010, "#5a2a10", "#9a5a26"), "small", fill="#4a2410", radius=0.05),
    "saffron": Item(dry.thread, "dust", fill="#6a0f08", radius=0.03),
    "almond": Item(lambda s=0: dry.nut(s, "almond"), "small", fill="#5a341a", radius=0.075),
    "cashew": Item(lambda s=0: dry.nut(s, "cashew"), "small", fill="#c0a070", radius=0.07),
    "pistachio": Item(lambda s=0: dry.nut(s, "pistachio"), "small", fill="#5a5a26", radius=0.045),
    "rose petal": Item(fresh.petal, "small", "upright", "#7a2038", 0.07),
    "curry leaf": Item(lambda s=0: fresh.sprig(s), "big", "upright"),
    "mint leaf": Item(lambda s=0: fresh.sprig(s, 2, 0.24, 0.15, 0.14, "#2f5a2b", "#557f46", 0.12, 0.6), "big", "upright"),
    "basil": Item(lambda s=0: fresh.sprig(s, 2, 0.26, 0.18, 0.13, "#2a5522", "#4c7634", 0.0, 0.45), "big", "upright"),
    "coriander leaf": Item(fresh.herb, "big", "upright"),
    "parsley leaf": Item(lambda s=0: fresh.herb(s, 1.1, "#234a1e", "#41682e"), "big", "upright"),
    "garlic": Item(fresh.garlic, "big", "upright"),
    "garlic clove": Item(fresh.garlic_clove, "small", radius=0.09),
    "onion": Item(fresh.onion, "big", "upright"),
    "spring onion": Item(lambda s=0: fresh.ring(s), "small", "rest", radius=0.03),
    "tomato": Item(fresh.tomato, "big", "upright"),
    "lemon": Item(fresh.lemon, "big"),
    "lime": Item(fresh.lime, "big"),
    "lemon peel": Item(fresh.peel, "big", "upright"),
    "raw mango": Item(fresh.mango, "big"),
    "lemongrass": Item(fresh.stick, "big"),
}
# Words in a label's ingredient name -> item, the first match is used, so specific words come first.
WORDS = [
    ("kashmiri", "kashmiri chilli"),
    ("byadgi", "kashmiri chilli"),
    ("guajillo", "kashmiri chilli"),
    ("ancho", "kashmiri chilli"),
    ("paprika", "kashmiri chilli"),
    ("green chilli", "green chilli"),
    ("chilli", "red chilli"),
    ("chili", "red chilli"),
    ("anise", "star anise"),
    ("black cardamom", "black cardamom"),
    ("cardamom", "green cardamom"),
    ("cassia", "cassia"),
    ("cinnamon", "cinnamon quill"),
    ("bay", "bay leaf"),
    ("clove of garlic", "garlic clove"),
    ("garlic", "garlic"),
    ("clove", "clove"),
    ("turmeric", "turmeric"),
    ("galangal", "ginger"),
    ("ginger", "ginger"),
    ("nutmeg", "nutmeg"),
    ("mace", "mace"),
    ("javitri", "mace"),
    ("dagad", "dagad phool"),
    ("stone flower", "dagad phool"),
    ("tamarind", "tamarind"),
    ("kokum", "tamarind"),
    ("coconut", "dry coconut"),
    ("white pepper", "white pepper"),
    ("pepper", "black pepper"),
    ("coriander leaf", "coriander leaf"),
    ("coriander", "coriander seed"),
    ("shah", "caraway"),
    ("caraway", "caraway"),
    ("black cumin", "caraway"),
    ("cumin", "cumin seed"),
    ("fennel", "fennel seed"),
    ("ajwain", "ajwain"),
    ("mustard", "mustard seed"),
    ("nigella", "nigella seed"),
    ("kalonji", "nigella seed"),
    ("methi", "kasuri methi"),
    ("fenugreek lea", "kasuri methi"),
    ("fenugreek", "fenugreek seed"),
    ("sesame", "sesame seed"),
    ("poppy", "poppy seed"),
    ("melon", "melon seed"),
    ("chickpea", "chickpea"),
    ("chana", "lentil"),
    ("dal", "lentil"),
    ("gram", "lentil"),
    ("lentil", "lentil"),
    ("black salt", "rock salt"),
    ("rock salt", "rock salt"),
    ("salt", "salt"),
    ("jaggery", "jaggery"),
    ("sugar", "sugar"),
    ("tea", "tea"),
    ("oregano", "dried herb"),
    ("thyme", "dried herb"),
    ("rosemary", "dried herb"),
    ("sumac", "dried herb"),
    ("mixed herb", "dried herb"),
    ("fried onion", "fried onion"),
    ("saffron", "saffron"),
    ("almond", "almond"),
    ("cashew", "cashew"),
    ("pistachio", "pistachio"),
    ("rose", "rose petal"),
    ("curry lea", "curry leaf"),
    ("mint", "mint leaf"),
    ("basil", "basil"),
    ("parsley", "parsley leaf"),
    ("onion flower", "fried onion"),
    ("spring onion", "spring onion"),
    ("onion", "onion"),
    ("tomato", "tomato"),
    ("lime", "lime"),
    ("lemongrass", "lemongrass"),
    ("lemon peel", "lemon peel"),
    ("zest", "lemon peel"),
    ("lemon", "lemon"),
    ("mango", "raw mango"),
    ("triphal", "coriander seed"),
    ("tirphal", "coriander seed"),
    ("asafoetida", "jaggery"),
]


def item_name(ingredient: str) -> str | None:
    """The pantry item for an ingredient's name, or None where the studio has no model for it."""
    text = ingredient.lower()
    if text in ITEMS:
        return text
    return next((item for word, item in WORDS if word in text), None)


def items_for(ingredients: list[str]) -> list[str]:
    """Pantry items in the given order, without doubles."""
    return list(dict.fromkeys(name for name in map(item_name, ingredients) if name))
