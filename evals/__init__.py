"""Measures: what the product does to real histories, told in tables."""
