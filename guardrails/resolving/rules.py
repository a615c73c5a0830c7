"""The project's reviewed rules: how its own habits become profile vocabulary (evidraft design 1; Intent Changesets 6, 11.3).

Rules add no words of their own. They come from the tool's configuration at the base revision, never from the change under
review, and every value that rests on one says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import Field, ValidationError

from guardrails.drafts.envelope import KINDS
from guardrails.findings import Code, Finding
from guardrails.paths import is_glob, matches
from guardrails.records.profile import Profile
from guardrails.shapes import StrictShape

RULE_SHAPE = Code(
    name="rule-shape",
    summary="The rules table does not have the shape that rules have.",
    cure="Correct the key that the finding names; unknown keys are not taken.",
    section="evidraft",
)
RULE_OUTSIDE_PROFILE = Code(
    name="rule-outside-profile",
    summary="A rule names a word that the project profile does not have.",
    cure="Use a word of the profile, or add it to the profile first.",
    section="Intent Changesets 6.6",
)
RULE_GLOB = Code(
    name="rule-glob",
    summary="A rule's path pattern is not one.",
    cure="Write a relative path with `*`, `?` or a whole `**` segment.",
    section="evidraft",
)


class SubjectNumber(StrEnum):
    """What `(#12)` at the end of a subject cites in this project."""

    PULL_REQUEST = "pull-request"
    ISSUE = "issue"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Rules:
    """Reviewed habits. Tables map a word of the project's own (type, label, path pattern, unit) to profile words.

    `subject_number` is None where the project does not say. `audiences` has units and release types as keys. No table
    outranks another: where two of them, or a rule for a unit and one for a type, give different answers for one field, the
    field is asked.
    """

    trackers: frozenset[str] = frozenset()
    disclosure: str | None = None
    subject_number: SubjectNumber | None = None
    breaking_marker: str | None = None
    decisions: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    impacts: Mapping[str, str] = field(default_factory=dict)
    type_labels: Mapping[str, str] = field(default_factory=dict)
    audience_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    audiences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Commit types, labels and release types, each to one of the seven kinds of an envelope."""

    def unit_of(self, path: str) -> str | None:
        """The release unit of a path: the first matching pattern decides; None when none matches."""
        return next((unit for pattern, unit in self.units.items() if matches(pattern, path)), None)


_Word = Annotated[str, Field(min_length=1, max_length=200)]
_Words = Annotated[tuple[_Word, ...], Field(min_length=1, max_length=64, strict=False)]
_Table = Annotated[dict[_Word, _Word], Field(default_factory=dict, max_length=1000)]
_Lists = Annotated[dict[_Word, _Words], Field(default_factory=dict, max_length=1000)]
_Kind = Annotated[str, Field(pattern=f"^(?:{'|'.join(KINDS)})$")]
_Kinds = Annotated[dict[_Word, _Kind], Field(default_factory=dict, max_length=1000)]
_Tracker = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")]


def _dashed(name: str) -> str:
    return name.replace("_", "-")


class _RulesShape(StrictShape, alias_generator=_dashed):
    trackers: Annotated[tuple[_Tracker, ...], Field(max_length=256, strict=False)] = ()
    disclosure: _Word | None = None
    subject_number: Annotated[SubjectNumber, Field(strict=False)] | None = None
    breaking_marker: _Word | None = None
    decisions: Annotated[tuple[_Word, ...], Field(max_length=256, strict=False)] = ()
    types: _Table
    impacts: _Table
    type_labels: _Table
    audience_labels: _Lists
    units: _Table
    streams: _Table
    audiences: _Lists
    kinds: _Kinds


def read(table: Mapping[str, object]) -> Rules | tuple[Finding, ...]:
    """Read the `[rules]` table; findings of `rule-shape` and `rule-glob` name the key and never quote a value."""
    try:
        shape = _RulesShape.model_validate(dict(table))
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        return tuple(RULE_SHAPE.at(".".join(("rules", *map(str, fault["loc"]))), fault["type"]) for fault in faults)
    patterns = [("rules.decisions", shape.decisions), ("rules.units", shape.units)]
    if bad := tuple(
        RULE_GLOB.at(where, "got a text that is no path pattern")
        for where, globs in patterns
        for glob in globs
        if not is_glob(glob)
    ):
        return bad
    fields = {name: getattr(shape, name) for name in _RulesShape.model_fields}
    return Rules(**{**fields, "trackers": frozenset(shape.trackers)})


def check(rules: Rules, profile: Profile) -> tuple[Finding, ...]:
    """Every word of the rules that the profile does not have: a finding of `rule-outside-profile` each."""
    return tuple(
        RULE_OUTSIDE_PROFILE.at(where, f"got {word}, expected a {kind} of the profile: {', '.join(known)}")
        for where, word, kind, known in _uses(rules, profile)
        if word not in known
    )


def _uses(rules: Rules, profile: Profile) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Where a rule uses a word, the word, what it should be, and the words there are."""
    units, types = tuple(profile.release_units), profile.release_types
    impacts = profile.release_impacts
    if rules.disclosure is not None:
        yield "rules.disclosure", rules.disclosure, "disclosure state", profile.disclosures
    if rules.breaking_marker is not None:
        yield "rules.breaking-marker", rules.breaking_marker, "release impact", impacts
    tables = (
        ("rules.types", rules.types, "release type", types),
        ("rules.type-labels", rules.type_labels, "release type", types),
        ("rules.impacts", rules.impacts, "release impact", impacts),
        ("rules.units", rules.units, "release unit", units),
    )
    for where, table, kind, known in tables:
        yield from ((f"{where}.{key}", word, kind, known) for key, word in table.items())
    for unit, stream in rules.streams.items():
        yield f"rules.streams.{unit}", unit, "release unit", units
        yield f"rules.streams.{unit}", stream, f"stream of {unit}", profile.streams_of(unit)
    for key in rules.audiences:
        yield f"rules.audiences.{key}", key, "release unit or release type", (*units, *types)
    for where, groups in (("rules.audience-labels", rules.audience_labels), ("rules.audiences", rules.audiences)):
        yield from ((f"{where}.{key}", word, "audience", profile.audiences) for key, group in groups.items() for word in group)
