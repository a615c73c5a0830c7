"""The Intent Changesets record: read, validate, write (Intent Changesets 5, 6, 13.1 and 13.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from guardrails.findings import Code, Finding
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.records.disclosure import Disclosure, read_disclosure, validate_disclosure
from guardrails.records.fields import (
    SUITE_VERSION,
    Faults,
    Fields,
    is_absolute_uri,
    is_blank,
    is_id,
    one_of,
    open_record,
    ordered,
    other_version,
    same_text,
    vocabulary,
)
from guardrails.records.profile import Profile
from guardrails.strict_yaml import Document, Path
from guardrails.strict_yaml import write as write_yaml


def _code(name: str, summary: str, cure: str, section: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section=f"Intent Changesets {section}")


UNSUPPORTED_CHANGESET_VERSION = _code(
    "unsupported-changeset-version", "The record is of another version.", "Write `intent-changeset: 1.0.0`.", "6.2"
)
INVALID_CHANGESET_ID = _code(
    "invalid-changeset-id",
    "The identifier has another form than the specification or the profile asks for.",
    "Use lower-case letters, digits and inner hyphens, in the form that the profile's id-pattern wants.",
    "6.3",
)
ID_IN_USE = _code(
    "id-in-use",
    "The identifier belongs to another changeset: pending, archived, consumed, or deleted earlier.",
    "Choose an identifier that the project has never used.",
    "6.3",
)
INVALID_SOURCE_REPOSITORY = _code(
    "invalid-source-repository",
    "The source repository is no absolute URI, or not that of the profile.",
    "Copy `repository` from the project profile.",
    "6.6",
)
BLANK_TEXT = _code("blank-text", "A text that must say something is blank.", "Write the text.", "6")
RATIONALE_REPEATS_SUMMARY = _code(
    "rationale-repeats-summary",
    "The rationale says the same as the summary.",
    "Say why the change was made or why its audience should care.",
    "6.5",
)
NO_TARGETS = _code("no-targets", "The record names no target.", "Add a target for each affected release unit.", "6.6")
DUPLICATE_TARGET = _code(
    "duplicate-target", "Two targets name the same release unit and stream.", "Join the two targets.", "6.6"
)
NO_AUDIENCES = _code("no-audiences", "A target names no audience.", "Name at least one audience of the profile.", "6.6")
MAJOR_WITHOUT_MIGRATION = _code(
    "major-without-migration", "A target of major impact has no migration guidance.", "Say what its users have to do.", "6.6"
)
NOT_IN_PROFILE = _code(
    "not-in-profile", "A value is not declared in the project profile.", "Use a value that the profile declares.", "6.6"
)
NO_PROVENANCE = _code(
    "no-provenance",
    "The record has no stable reference.",
    "Cite an issue, pull request, decision, incident or advisory.",
    "6.7",
)
INVALID_RELATION = _code(
    "invalid-relation",
    "A relation names no changeset identifier, names the record itself, or names another one twice.",
    "Name each reverted or superseded changeset once by its id.",
    "6.8",
)

FIELDS: Final = (
    "intent-changeset",
    "id",
    "source-repository",
    "summary",
    "rationale",
    "targets",
    "provenance",
    "relations",
    "disclosure",
)
TARGET_FIELDS: Final = ("release-unit", "stream", "type", "impact", "audiences", "migration")
RELATION_FIELDS: Final = ("reverts", "supersedes")


@dataclass(frozen=True, slots=True)
class Target:
    """What one release unit (in one stream) gets of the decision."""

    release_unit: str
    stream: str | None
    type: str
    impact: str
    audiences: tuple[str, ...]
    migration: str | None
    unknown: Mapping[Any, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Relations:
    """The earlier decisions that this one takes back or replaces, by id."""

    reverts: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changeset:
    """One release decision as its file says it: a view, the exact bytes (`document.data`), and the unknown root fields.

    Every field has its type; whether its value is allowed is for `validate` to say.
    """

    version: str
    id: str
    source_repository: str
    summary: str = field(repr=False)
    rationale: str = field(repr=False)
    targets: tuple[Target, ...] = field(repr=False)
    provenance: Mapping[str, tuple[str, ...]] = field(repr=False)
    relations: Relations = field(repr=False)
    disclosure: Disclosure = field(repr=False)
    unknown: Mapping[Any, Any] = field(repr=False)
    document: Document = field(repr=False)


def read(data: bytes) -> Changeset | tuple[Finding, ...]:
    """The Reader: one changeset out of exact bytes, or a finding for each fault of form, with its line."""
    fields = open_record(data)
    if isinstance(fields, tuple):
        return fields
    changeset = Changeset(
        version=fields.text("intent-changeset"),
        id=fields.text("id"),
        source_repository=fields.text("source-repository"),
        summary=fields.text("summary"),
        rationale=fields.text("rationale"),
        targets=tuple(_read_target(part) for part in fields.parts("targets")),
        provenance=read_provenance(fields.part("provenance")),
        relations=read_relations(fields.part("relations")),
        disclosure=read_disclosure(fields.part("disclosure")),
        unknown=fields.unknown(FIELDS),
        document=fields.faults.document,
    )
    return tuple(fields.faults.findings) or changeset


def _read_target(fields: Fields) -> Target:
    return Target(
        release_unit=fields.text("release-unit"),
        stream=fields.value("stream", str, required=False),
        type=fields.text("type"),
        impact=fields.text("impact"),
        audiences=fields.texts("audiences"),
        migration=fields.text_or_null("migration"),
        unknown=fields.unknown(TARGET_FIELDS),
    )


def read_relations(fields: Fields) -> Relations:
    """The earlier decisions, out of the mapping that changesets and ledger entries have."""
    return Relations(fields.texts("reverts"), fields.texts("supersedes"))


def read_provenance(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    """References by their kind, out of the mapping that changesets and ledger entries have."""
    return {kind: fields.texts(kind) for kind, _ in fields.items()}


def validate(changeset: Changeset, profile: Profile | None = None) -> tuple[Finding, ...]:
    """The Validator: sections 4 to 6 by the record alone and, with a profile, the project's policy.

    Wording that takes judgement (an activity instead of a result) is for `guardrails.grounding.changesets.prose`.
    """
    faults = Faults(changeset.document)
    _validate_head(changeset, faults)
    _validate_targets(changeset, faults)
    _validate_references(changeset, faults)
    validate_disclosure(changeset.disclosure, faults)
    if profile is not None:
        _validate_policy(changeset, profile, faults)
    return tuple(faults.findings)


def _validate_head(changeset: Changeset, faults: Faults) -> None:
    if changeset.version != SUITE_VERSION:
        faults.note(UNSUPPORTED_CHANGESET_VERSION, ("intent-changeset",), other_version(changeset.version))
    if not is_id(changeset.id):
        faults.note(INVALID_CHANGESET_ID, ("id",), "got another text, expected lower-case letters, digits and inner hyphens")
    if not is_absolute_uri(changeset.source_repository):
        faults.note(INVALID_SOURCE_REPOSITORY, ("source-repository",), "got another text, expected an absolute URI")
    for key, text in (("summary", changeset.summary), ("rationale", changeset.rationale)):
        if is_blank(text):
            faults.note(BLANK_TEXT, (key,), f"got nothing, expected a {key}")
    if not is_blank(changeset.rationale) and same_text(changeset.summary, changeset.rationale):
        faults.note(RATIONALE_REPEATS_SUMMARY, ("rationale",), "got the summary again, expected the reason")


def _validate_targets(changeset: Changeset, faults: Faults) -> None:
    if not changeset.targets:
        faults.note(NO_TARGETS, ("targets",), "got no target, expected at least one")
    seen: set[tuple[str, str | None]] = set()
    for place, target in enumerate(changeset.targets):
        if (target.release_unit, target.stream) in seen:
            faults.note(DUPLICATE_TARGET, ("targets", place), "got this release unit and stream again, expected each pair once")
        seen.add((target.release_unit, target.stream))
        _validate_target(target, ("targets", place), faults)


def _validate_target(target: Target, path: Path, faults: Faults) -> None:
    texts: list[tuple[Path, str | None]] = [
        (("release-unit",), target.release_unit),
        (("stream",), target.stream),
        (("type",), target.type),
        (("impact",), target.impact),
        (("migration",), target.migration),
        *((("audiences", place), audience) for place, audience in enumerate(target.audiences)),
    ]
    for step, text in texts:
        if text is not None and is_blank(text):
            faults.note(BLANK_TEXT, (*path, *step), "got a blank text")
    if not target.audiences:
        faults.note(NO_AUDIENCES, (*path, "audiences"), "got no audience, expected at least one")
    if target.migration is None and target.impact == "major":
        faults.note(MAJOR_WITHOUT_MIGRATION, (*path, "migration"), "got null, expected guidance for a major impact")


def _validate_references(changeset: Changeset, faults: Faults) -> None:
    if not any(changeset.provenance.values()):
        faults.note(NO_PROVENANCE, ("provenance",), "got no reference, expected at least one")
    for kind, references in changeset.provenance.items():
        for place, reference in enumerate(references):
            if is_blank(reference):
                faults.note(BLANK_TEXT, ("provenance", kind, place), "got nothing, expected a reference")
    for key, ids in zip(RELATION_FIELDS, (changeset.relations.reverts, changeset.relations.supersedes), strict=True):
        seen = {changeset.id}
        for place, other in enumerate(ids):
            if not is_id(other) or other in seen:
                faults.note(INVALID_RELATION, ("relations", key, place), "expected the id of another changeset, once")
            seen.add(other)


def _validate_policy(changeset: Changeset, profile: Profile, faults: Faults) -> None:
    if changeset.source_repository != profile.repository:
        faults.note(INVALID_SOURCE_REPOSITORY, ("source-repository",), "got another repository than the profile's")
    if not profile.accepts_id(changeset.id):
        faults.note(INVALID_CHANGESET_ID, ("id",), "got an id that the profile's id-pattern does not match")
    types, audiences = vocabulary(profile.release_types), vocabulary(profile.audiences)
    for place, target in enumerate(changeset.targets):
        declared: list[tuple[Path, str | None, Collection[str]]] = [
            (("release-unit",), target.release_unit, profile.release_units),
            (("stream",), target.stream, profile.streams_of(target.release_unit)),
            (("type",), target.type, types),
            (("impact",), target.impact, profile.release_impacts),
            *((("audiences", index), audience, audiences) for index, audience in enumerate(target.audiences)),
        ]
        for step, word, allowed in declared:
            if allowed and word not in allowed:
                faults.note(NOT_IN_PROFILE, ("targets", place, *step), f"expected {one_of(allowed)}")


def write(record: Mapping[str, Any]) -> bytes:
    """A new changeset file out of a record's fields: those of the specification in its order, unknown ones after them."""
    fields = ordered(record, FIELDS)
    nested = {"relations": RELATION_FIELDS, "disclosure": DISCLOSURE_FIELDS}
    for key, order in nested.items():
        if isinstance(fields.get(key), Mapping):
            fields[key] = ordered(fields[key], order)
    if isinstance(fields.get("targets"), list | tuple):
        fields["targets"] = [ordered(target, TARGET_FIELDS) for target in fields["targets"]]
    return write_yaml(fields)
