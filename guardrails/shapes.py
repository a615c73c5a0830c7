"""Pydantic bases for the edges: what text may come in as."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict

CLOSED: Final = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
"""Unknown fields and coerced types are refused; errors never quote the input."""

SAID: Final = {"extra_forbidden": "got an unknown key", "missing": "got nothing, expected a value"}
"""What is said of faults, by their type, where the words of pydantic are about Python."""


class StrictShape(BaseModel):
    """A closed shape, which nothing changes later."""

    model_config = ConfigDict(**CLOSED, frozen=True)
