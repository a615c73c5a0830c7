"""Batch: many releases drafted in one run that loses, repeats and invents nothing (evidraft design 6, 7)."""
