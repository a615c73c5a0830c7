"""`Cargo.toml`: dependencies of a package, of its targets, of a workspace (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from guardrails.contracts.package_manifests import tables
from guardrails.contracts.package_manifests.listed import Listed

_SECTIONS: Final = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")
"""Older editions know the last two as well."""


def read(text: str) -> Listed:
    """What a `Cargo.toml` names. A renamed crate counts by the name that it has here, and stands for its `package`.

    Raises:
        Unreadable: it is no TOML, or a section is no table.
    """
    document = tables.read(text)
    patched = ((name, tables.stands_for(wanted)) for name, wanted in _patches(document))
    return Listed.of(_named(document), patched)


def _named(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    targets = tables.inner(document, "target")
    places = (document, tables.inner(document, "workspace"), *(tables.inner(targets, name) for name in targets))
    for place in places:
        for key in _SECTIONS:
            yield from ((name, tables.stands_for(wanted)) for name, wanted in tables.inner(place, key).items())


def _patches(document: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """What stands for a crate wherever it is needed, whoever needs it."""
    patches = tables.inner(document, "patch")
    for place in patches:
        yield from tables.inner(patches, place).items()
    yield from tables.inner(document, "replace").items()
