"""The Intent suite: one file per record kind, each with `read`, `validate` and `write`."""
