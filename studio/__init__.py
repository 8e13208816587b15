"""The shop's picture studio: labels, brand marks and physically based renders, all by script."""
