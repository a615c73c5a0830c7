"""The entry that a target becomes, and whether one in a ledger means the same (Intent Changesets 7.1, 8).

Unknown fields of a changeset are not carried over: an entry is a record of another specification, in which they mean nothing,
and nobody decided that they may be published. They remain with the exact bytes that are archived.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from guardrails.records.changelog import Entry
from guardrails.records.changeset import Changeset, Target
from guardrails.strict_yaml import Path

CHANGESETS: Final = "changesets"
COMMITS: Final = "commits"
_IN_TARGET: Final = frozenset({"type", "impact", "audiences", "migration"})


def entry_of(changeset: Changeset, target: Target, commits: Iterable[str]) -> Entry:
    """The entry of one target; `commits` are the full object names of those that link the decision and hold."""
    provenance = dict(changeset.provenance)
    for kind, more in ((CHANGESETS, (changeset.id,)), (COMMITS, tuple(commits))):
        if more:
            provenance[kind] = tuple(dict.fromkeys((*provenance.get(kind, ()), *more)))
    return Entry(
        id=changeset.id,
        type=target.type,
        summary=changeset.summary,
        rationale=changeset.rationale,
        impact=target.impact,
        audiences=target.audiences,
        migration=target.migration,
        affects=(target.release_unit,),
        provenance=provenance,
        relations=changeset.relations,
        disclosure=changeset.disclosure,
        unknown={},
    )


def as_mapping(entry: Entry) -> dict[str, Any]:
    """The entry as its ledger says it; disclosure fields that do not apply are left out, as a ledger may."""
    return {
        "id": entry.id,
        "type": entry.type,
        "summary": entry.summary,
        "rationale": entry.rationale,
        "impact": entry.impact,
        "audiences": list(entry.audiences),
        "migration": entry.migration,
        "affects": list(entry.affects),
        "provenance": {kind: list(references) for kind, references in entry.provenance.items()},
        "relations": {"reverts": list(entry.relations.reverts), "supersedes": list(entry.relations.supersedes)},
        "disclosure": {key: value for key, value in entry.disclosure.as_mapping().items() if value is not None},
    }


def differences(entry: Entry, found: Entry) -> tuple[str, ...]:
    """The fields in which an entry that stands in a ledger does not mean what `entry` does.

    The order of a list means nothing. The derived list of commits may differ: more are verified later, and none is dropped. So
    may the entry's own id, since `provenance.changesets` is what connects it with its decision (7.1).
    """
    values = {
        "type": (entry.type, found.type),
        "summary": (entry.summary, found.summary),
        "rationale": (entry.rationale, found.rationale),
        "impact": (entry.impact, found.impact),
        "audiences": _sets(entry.audiences, found.audiences),
        "migration": (entry.migration, found.migration),
        "affects": _sets(entry.affects, found.affects),
        "provenance": (_references(entry), _references(found)),
        "relations.reverts": _sets(entry.relations.reverts, found.relations.reverts),
        "relations.supersedes": _sets(entry.relations.supersedes, found.relations.supersedes),
        "disclosure": (entry.disclosure, found.disclosure),
    }
    return tuple(name for name, (said, stands) in values.items() if said != stands)


def missing_commits(entry: Entry, found: Entry) -> tuple[str, ...]:
    """The commits of `entry` that one in a ledger does not name yet."""
    named = set(found.provenance.get(COMMITS, ()))
    return tuple(oid for oid in entry.provenance.get(COMMITS, ()) if oid not in named)


def source(field: str, target: int) -> Path:
    """Where the changeset says what the field of an entry tells of its target with this number."""
    if field == "affects":
        return ("targets", target, "release-unit")
    return ("targets", target, field) if field in _IN_TARGET else tuple(field.split("."))


def _sets(one: Sequence[str], other: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(one), frozenset(other)


def _references(entry: Entry) -> dict[str, frozenset[str]]:
    return {kind: frozenset(named) for kind, named in entry.provenance.items() if named and kind != COMMITS}
