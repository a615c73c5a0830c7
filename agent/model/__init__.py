"""Drafters behind one Protocol."""
