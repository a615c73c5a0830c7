"""Commits to changes: what belongs together, and what is left out."""
