"""Generates the shop's images: labels, brand marks and physically based renders."""
