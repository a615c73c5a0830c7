"""Whether a change depends on more than was agreed (Change Contracts: schema 0.3, dependencies).

A dependency is new where the manifest at the same path did not name it before; its version does not count. What a name stands
for, where that is not what is usually called so, is told and left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from guardrails.contracts.inventory import Category, Change, Snapshot
from guardrails.contracts.package_manifests import Listed, Unreadable, folded, is_manifest, is_python, read
from guardrails.contracts.results import WARNING, Clause, Result, Status
from guardrails.contracts.schema import Contract
from guardrails.findings import Code
from guardrails.paths import matches

UNAPPROVED_DEPENDENCY: Final = Code(
    name="unapproved-dependency",
    summary="The change depends on something that it did not depend on before, and that the contract does not allow.",
    cure="Do without it, or have a contract approved that names it under dependencies.allow.",
    section="Change Contracts, schema 0.3",
)
MANIFEST_UNREADABLE: Final = Code(
    name="manifest-unreadable",
    summary="A package manifest that the change touches cannot be read, before or after, so nobody can tell what it adds.",
    cure="Mend the manifest, or look at it yourself.",
    section="Change Contracts, schema 0.3",
)
_SECRET: Final = re.compile(r"(?P<scheme>https?://)[^/@\s]+@|(?P<user>[a-z+]+://[^/@:\s]+):[^/@\s]+@", re.IGNORECASE)
"""An address may bear a password."""


def check(contract: Contract, changes: Sequence[Change], base: Snapshot, head: Snapshot) -> Result | None:
    """Hold the manifests that were added or changed against what may come newly; None where the schema has no such list."""
    if contract.dependencies is None:
        return None
    new: list[str] = []
    told: list[str] = []
    unreadable: list[str] = []
    manifests = [change.path for change in changes if change.after is not None and is_manifest(change.path)]
    for path in manifests:
        sides = (_listed(path, base), _listed(path, head))
        before, after = sides
        if isinstance(before, Listed) and isinstance(after, Listed):
            new += (f"{_shown(name)} ({path})" for name in _unapproved(contract.dependencies, before, after, path))
            told += (f"{WARNING}{_shown(name)} ({path}) stands for {_shown(what)}" for name, what in _stand_ins(before, after))
        unreadable += (
            f"{path} {side}: {listed}"
            for side, listed in zip(("before", "after"), sides, strict=True)
            if isinstance(listed, Unreadable)
        )
    return _result(len(manifests), new, told, unreadable)


def new_names(changes: Sequence[Change], base: Snapshot, head: Snapshot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Every name that manifests name newly, and the paths of those that cannot be read, or name what may bear a password."""
    names: set[str] = set()
    untold: list[str] = []
    for path in (change.path for change in changes if change.after is not None and is_manifest(change.path)):
        before, after = _listed(path, base), _listed(path, head)
        if isinstance(before, Listed) and isinstance(after, Listed):
            new = frozenset(_unapproved((), before, after, path))
            plain = {name for name in new if _shown(name) == name}
            names |= plain
            if len(plain) == len(new):
                continue
        untold.append(path)
    return tuple(sorted(names)), tuple(untold)


def _result(read_: int, new: list[str], told: list[str], unreadable: list[str]) -> Result:
    details = (*new, *unreadable, *told)
    if new:
        message = f"{len(new)} new that {'is' if len(new) == 1 else 'are'} not allowed"
        return Result("$dependencies", Clause.DEPENDENCIES, Status.DRIFT, message, UNAPPROVED_DEPENDENCY.name, details)
    if unreadable:
        message = "what a manifest names cannot be told"
        return Result("$dependencies", Clause.DEPENDENCIES, Status.UNKNOWN, message, MANIFEST_UNREADABLE.name, details)
    message = f"{read_} manifest{'' if read_ == 1 else 's'} changed, nothing new that is not allowed"
    return Result("$dependencies", Clause.DEPENDENCIES, Status.PASS, message, details=details)


def _listed(path: str, side: Snapshot) -> Listed | Unreadable:
    """What one side of a manifest names: nothing where it is not there."""
    entry = side.entries.get(path)
    if entry is None:
        return Listed(frozenset())
    if entry.category is Category.OPAQUE:
        return Unreadable("this is a link or a repository of its own")
    if path not in side.texts:
        return Unreadable("this is no text")
    try:
        return read(path, side.texts[path])
    except Unreadable as fault:
        return fault


def _unapproved(allowed: Sequence[str], before: Listed, after: Listed, path: str) -> Iterator[str]:
    entries = {*allowed, *(map(folded, allowed) if is_python(path) else ())}
    globs = [entry for entry in sorted(entries) if "*" in entry or "?" in entry]
    for name in sorted(after.names - before.names):
        if name not in entries and not any(matches(glob, name) for glob in globs):
            yield name


def _stand_ins(before: Listed, after: Listed) -> list[tuple[str, str]]:
    return sorted(after.stand_ins - before.stand_ins)


def _shown(text: str) -> str:
    """`text` without what may be a password."""
    return _SECRET.sub(lambda found: f"{found['scheme']}***@" if found["scheme"] else f"{found['user']}:***@", text)
