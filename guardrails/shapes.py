"""Pydantic bases for the edges: what text may come in as."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class StrictShape(BaseModel):
    """A closed shape: unknown fields, coerced types and later changes are refused; errors never quote the input."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)
