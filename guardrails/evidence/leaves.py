"""The leaves of a value: what stands in an answer or an unknown field, however deep (Intent Changesets 11.6, 12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def leaves(value: object) -> Iterator[str]:
    """The texts and numbers that stand in a value of JSON types, and the names of its fields."""
    match value:
        case Mapping():
            for key, inner in value.items():
                yield str(key)
                yield from leaves(inner)
        case list() | tuple():
            for inner in value:
                yield from leaves(inner)
        case None | bool():
            return
        case _:
            yield str(value)
