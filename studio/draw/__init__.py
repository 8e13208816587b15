"""Everything drawn flat: fonts, brand marks, pouch labels, portraits."""
