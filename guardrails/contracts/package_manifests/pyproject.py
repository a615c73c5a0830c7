"""`pyproject.toml`: PEP 621, PEP 735, uv and Poetry (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from guardrails.contracts.package_manifests import tables
from guardrails.contracts.package_manifests.listed import Listed, Unreadable, folded


def read(text: str) -> Listed:
    """What a `pyproject.toml` names, with folded names.

    Raises:
        Unreadable: it is no TOML, a section has another shape, or a requirement is none (PEP 508).
    """
    document = tables.read(text)
    return Listed.of((*_standard(document), *_poetry(tables.inner(document, "tool", "poetry"))), _elsewhere(document))


def required(text: str) -> tuple[str, str]:
    """The folded name of a requirement (PEP 508), and the address that it is taken from, "" where it has none.

    Raises:
        Unreadable: it is no requirement.
    """
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        raise Unreadable("got something that is no requirement (PEP 508)") from None
    return folded(requirement.name), requirement.url or ""


def _standard(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    project = tables.inner(document, "project")
    extras = tables.inner(project, "optional-dependencies")
    groups = tables.inner(document, "dependency-groups")
    lists = (
        ("project.dependencies", project.get("dependencies", [])),
        *((f"project.optional-dependencies.{name}", held) for name, held in extras.items()),
        *((f"dependency-groups.{name}", _without_groups(held)) for name, held in groups.items()),
        ("tool.uv.dev-dependencies", tables.inner(document, "tool", "uv").get("dev-dependencies", [])),
    )
    for place, held in lists:
        if not isinstance(held, list) or not all(isinstance(one, str) for one in held):
            raise Unreadable(f"{place[:100]}: got no list of texts")
        for position, one in enumerate(held):
            try:
                yield required(one)
            except Unreadable as fault:
                raise Unreadable(f"{place[:100]}[{position}]: {fault}") from None


def _elsewhere(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Lists that are left to whoever builds the package; nobody can read them here."""
    left = tables.inner(document, "project").get("dynamic", [])
    for name in ("dependencies", "optional-dependencies"):
        if isinstance(left, list) and name in left:
            yield f"project.{name}", "what the build adds (dynamic)"


def _without_groups(held: object) -> object:
    """A group without the groups that it includes, whose packages stand there."""
    if not isinstance(held, list):
        return held
    return [one for one in held if not (isinstance(one, dict) and one.keys() == {"include-group"})]


def _poetry(poetry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    groups = tables.inner(poetry, "group")
    places = (
        tables.inner(poetry, "dependencies"),
        tables.inner(poetry, "dev-dependencies"),
        *(tables.inner(groups, name, "dependencies") for name in groups),
    )
    for place in places:
        for name, wanted in place.items():
            if name.lower() != "python":
                yield folded(name), tables.stands_for(wanted)
