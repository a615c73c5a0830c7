"""Collecting: what one run reads before redaction, each part where it may come from."""
