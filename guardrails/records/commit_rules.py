"""The rules of an Intent Commits message, alone and under a profile (Intent Changesets 4, 7).

A message that silently leaves a required decision out is refused; nothing here fills it in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from guardrails.findings import Code, Finding, Severity
from guardrails.records.commit import (
    Message,
    default_impact,
    effective_impact,
    selected,
    units,
)
from guardrails.records.fields import IMPACTS, is_id, is_unit
from guardrails.records.profile import Profile

_SECTION: Final = "Intent Commits 1.0.0"


def _code(name: str, summary: str, cure: str, *, section: str = _SECTION, severity: Severity = Severity.ERROR) -> Code:
    return Code(name=name, summary=summary, cure=cure, section=section, severity=severity)


UNKNOWN_TYPE = _code("unknown-type", "The profile does not list this commit type.", "Use a type of the profile.")
UNKNOWN_SCOPE = _code("unknown-scope", "The profile does not list this scope.", "Use a scope of the profile.")
MISSING_AFFECTED_UNIT = _code(
    "missing-affected-unit",
    "The scope stands for no unit of its own, and no Affects names one.",
    "Add an Affects trailer per unit.",
)
INVALID_AFFECTS = _code("invalid-affects", "An Affects trailer is no unit word.", "Name one unit per Affects trailer.")
PRIMARY_SCOPE_IN_AFFECTS = _code(
    "primary-scope-in-affects", "An Affects trailer repeats the header's scope.", "Drop that Affects trailer."
)
DUPLICATE_AFFECTS = _code("duplicate-affects", "Two Affects trailers name the same unit.", "Keep one of them.")
UNKNOWN_COMPONENT = _code("unknown-component", "The profile does not list this Affects word.", "Use a scope of the profile.")
DUPLICATE_IMPACT = _code("duplicate-impact", "There is more than one Impact trailer.", "Keep one of them.")
INVALID_IMPACT = _code("invalid-impact", "An Impact is none of the four words.", "Write none, patch, minor or major.")
UNSPECIFIED_IMPACT = _code(
    "unspecified-impact", "The profile wants release-ready commits, and no impact is known.", "Add an Impact trailer."
)
MISSING_MIGRATION = _code("missing-migration", "A major commit gives no guidance.", "Add a Migration trailer.")
DUPLICATE_MIGRATION = _code(
    "duplicate-migration", "A major commit gives more than one plain Migration.", "Keep one, or use Target-Migration."
)
MISSING_REVERTS = _code("missing-reverts", "A revert does not say what it reverts.", "Add a Reverts trailer with the commit.")
INVALID_REVERTS = _code("invalid-reverts", "A Reverts trailer is no commit object name.", "Write 7 to 64 hexadecimal digits.")
INVALID_CHANGESET = _code(
    "invalid-changeset",
    "A Changeset trailer is no changeset id.",
    "Write the id of the changeset.",
    section="Intent Changesets 7",
)
DUPLICATE_CHANGESET = _code("duplicate-changeset", "Two Changeset trailers name the same id.", "Keep one of them.")
MISSING_CHANGESET = _code(
    "missing-changeset",
    "The profile requires a changeset for this commit, and it links none.",
    "Create the changeset and link it with a Changeset trailer.",
    section="Intent Changesets 7",
)
INVALID_TARGET_IMPACT = _code("invalid-target-impact", "A Target-Impact is not `unit[@stream]=impact`.", "Write it so.")
UNKNOWN_TARGET_IMPACT = _code(
    "unknown-target-impact", "A Target-Impact names a unit that the commit does not touch.", "Name a touched unit."
)
DUPLICATE_TARGET_IMPACT = _code("duplicate-target-impact", "Two Target-Impact trailers have one selector.", "Keep one of them.")
UNKNOWN_TARGET_STREAM = _code("unknown-target-stream", "The unit does not declare this stream.", "Use a stream of the profile.")
INVALID_TARGET_MIGRATION = _code(
    "invalid-target-migration", "A Target-Migration is not `unit[@stream]=guidance`.", "Write it so."
)
UNKNOWN_TARGET_MIGRATION = _code(
    "unknown-target-migration", "A Target-Migration names a unit that the commit does not touch.", "Name a touched unit."
)
DUPLICATE_TARGET_MIGRATION = _code(
    "duplicate-target-migration", "Two Target-Migration trailers have one selector.", "Keep one of them."
)
MISSING_TARGET_MIGRATION = _code(
    "missing-target-migration", "A target is major and gets no guidance.", "Add Target-Migration or Migration."
)
HEADER_TOO_LONG = _code("header-too-long", "The first line is longer than the profile allows.", "Shorten it.")
BODY_LINE_TOO_LONG = _code("body-line-too-long", "A line of the body is longer than the profile allows.", "Wrap it.")
LARGE_DIFF_LOW_IMPACT = _code(
    "large-diff-low-impact",
    "A large diff asks for no or a patch impact.",
    "Look again at the impact.",
    severity=Severity.WARNING,
)


def validate(message: Message, profile: Profile | None) -> tuple[Finding, ...]:
    """Every fault of a message, in the order of header, trailers, layout."""
    rules = (_header, _affects, _impact, _migration, _reverts, _changesets, _target_impacts, _target_migrations, _lengths)
    return tuple(finding for rule in rules for finding in rule(message, profile))


def advise(message: Message, profile: Profile | None, changed_lines: int) -> tuple[Finding, ...]:
    """A warning when `changed_lines` (added and deleted) reach the profile's threshold and the impact is none or patch."""
    threshold = profile.large_diff_threshold if profile is not None else 0
    impact = effective_impact(message, profile)
    if threshold and changed_lines >= threshold and impact in {"none", "patch"}:
        return (LARGE_DIFF_LOW_IMPACT.at("Impact", f"got {impact} for {changed_lines} changed lines"),)
    return ()


def _header(message: Message, profile: Profile | None) -> Iterator[Finding]:
    if profile is None:
        return
    if profile.types and message.type not in profile.types:
        yield UNKNOWN_TYPE.at("header", f"got {message.type}, expected one of {_listed(profile.types)}", line=1)
    if message.scope is None or not profile.scopes:
        return
    scope = profile.scopes.get(message.scope)
    if scope is None:
        yield UNKNOWN_SCOPE.at("header", f"got {message.scope}, expected one of {_listed(profile.scopes)}", line=1)
    elif scope.requires_affects and not message.values("Affects"):
        yield MISSING_AFFECTED_UNIT.at("Affects", f"scope {message.scope} needs at least one Affects trailer")


def _affects(message: Message, profile: Profile | None) -> Iterator[Finding]:
    known = profile.scopes if profile is not None else {}
    seen: set[str] = set()
    for word in message.values("Affects"):
        if not is_unit(word):
            yield INVALID_AFFECTS.at("Affects", "got another text, expected a unit word")
        elif word == message.scope:
            yield PRIMARY_SCOPE_IN_AFFECTS.at("Affects", f"{word} is the header's scope already")
        elif word in seen:
            yield DUPLICATE_AFFECTS.at("Affects", f"{word} is named before")
        elif known and word not in known:
            yield UNKNOWN_COMPONENT.at("Affects", f"got {word}, expected one of {_listed(known)}")
        seen.add(word)


def _impact(message: Message, profile: Profile | None) -> Iterator[Finding]:
    given = message.values("Impact")
    if len(given) > 1:
        yield DUPLICATE_IMPACT.at("Impact", f"got {len(given)} Impact trailers, expected one")
    for _ in (value for value in given if value not in IMPACTS):
        yield INVALID_IMPACT.at("Impact", f"got another word, expected one of {_listed(IMPACTS)}")
    if profile is not None and profile.require_release_ready and not given and default_impact(message, profile) is None:
        yield UNSPECIFIED_IMPACT.at("Impact", f"type {message.type} has no default impact, expected an Impact trailer")


def _migration(message: Message, profile: Profile | None) -> Iterator[Finding]:
    if effective_impact(message, profile) != "major":
        return
    given = message.values("Migration")
    if not any(given):
        yield MISSING_MIGRATION.at("Migration", "the impact is major, expected guidance")
    if len(given) > 1:
        yield DUPLICATE_MIGRATION.at("Migration", f"got {len(given)} Migration trailers, expected one")


def _reverts(message: Message, _: Profile | None) -> Iterator[Finding]:
    given = message.values("Reverts")
    if message.type == "revert" and not given:
        yield MISSING_REVERTS.at("Reverts", "the type is revert, expected a Reverts trailer")
    for value in given:
        if not (7 <= len(value) <= 64 and set(value) <= set("0123456789abcdefABCDEF")):
            yield INVALID_REVERTS.at("Reverts", "got another text, expected 7 to 64 hexadecimal digits")


def _changesets(message: Message, profile: Profile | None) -> Iterator[Finding]:
    given = message.values("Changeset")
    seen: set[str] = set()
    for value in given:
        if not is_id(value):
            yield INVALID_CHANGESET.at("Changeset", "got another text, expected lower-case letters, digits and hyphens")
        elif value in seen:
            yield DUPLICATE_CHANGESET.at("Changeset", f"{value} is linked before")
        seen.add(value)
    if profile is None or given:
        return
    impacts = [effective_impact(message, profile), *(said.value for said in selected(message, "Target-Impact") if said)]
    if any(profile.requires_changeset(impact, message.type) for impact in impacts):
        yield MISSING_CHANGESET.at("Changeset", "the profile requires a changeset for this type or impact")


def _target_impacts(message: Message, profile: Profile | None) -> Iterator[Finding]:
    codes = (INVALID_TARGET_IMPACT, UNKNOWN_TARGET_IMPACT, DUPLICATE_TARGET_IMPACT)
    yield from _selectors(message, profile, "Target-Impact", codes)


def _target_migrations(message: Message, profile: Profile | None) -> Iterator[Finding]:
    codes = (INVALID_TARGET_MIGRATION, UNKNOWN_TARGET_MIGRATION, DUPLICATE_TARGET_MIGRATION)
    yield from _selectors(message, profile, "Target-Migration", codes)
    if any(message.values("Migration")):
        return
    guided = {said.selector for said in selected(message, "Target-Migration") if said}
    for said in selected(message, "Target-Impact"):
        if said and said.value == "major" and not guided & {said.selector, said.unit}:
            yield MISSING_TARGET_MIGRATION.at("Target-Migration", f"{said.selector} is major, expected guidance")


def _selectors(message: Message, profile: Profile | None, name: str, codes: tuple[Code, Code, Code]) -> Iterator[Finding]:
    """Faults of one kind of selector trailer; `codes` are those of an unreadable, a strange and a repeated one."""
    invalid, unknown, duplicate = codes
    if not message.values(name):
        return
    touched = units(message, profile)
    seen: set[str] = set()
    for said in selected(message, name):
        streams = profile.streams_of(said.unit) if said and profile else ()
        if said is None or (name == "Target-Impact" and said.value not in IMPACTS):
            yield invalid.at(name, "got another text, expected `unit=value` or `unit@stream=value`")
        elif said.unit not in touched:
            yield unknown.at(name, f"got {said.unit}, expected {_listed(touched)}")
        elif said.stream is not None and said.stream not in streams:
            yield UNKNOWN_TARGET_STREAM.at(name, f"got {said.stream}, {said.unit} has {_listed(streams)}")
        elif said.selector in seen:
            yield duplicate.at(name, f"{said.selector} is given before")
        else:
            seen.add(said.selector)


def _lengths(message: Message, profile: Profile | None) -> Iterator[Finding]:
    if profile is None:
        return
    header, line_limit = profile.max_header_length, profile.max_body_line_length
    if header and len(message.header) > header:
        yield HEADER_TOO_LONG.at("header", f"got {len(message.header)} characters, expected at most {header}", line=1)
    for number, line in enumerate(message.body.split("\n"), start=3):
        if line_limit and len(line) > line_limit:
            yield BODY_LINE_TOO_LONG.at("body", f"got {len(line)} characters, expected at most {line_limit}", line=number)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
