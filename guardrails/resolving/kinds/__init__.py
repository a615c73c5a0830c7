"""The kind of a change: one of seven, by rule."""
