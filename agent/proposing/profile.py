"""The proposal as text: one strict YAML document that is a valid profile, with what was seen and what is asked as comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from agent.proposing.habits import Counted, Habits
from agent.proposing.units import Unit
from guardrails import strict_yaml
from guardrails.records.fields import IMPACTS

STREAM: Final = "stable"
CHANNEL: Final = "general"
_FEW: Final = 20
_MOST_SCOPES: Final = 20
_USUAL_IMPACTS: Final = {
    "minor": ("add", "feat", "feature"),
    "patch": ("bugfix", "fix", "hotfix", "perf", "security"),
    "none": ("build", "chore", "ci", "doc", "docs", "refactor", "style", "test", "tests"),
}
_IMPACT_OF: Final = {word: impact for impact, words in _USUAL_IMPACTS.items() for word in words}
_RELEASE_TYPES: Final = ("feature", "correction", "security")


@dataclass(frozen=True, slots=True)
class Sight:
    """What a repository shows. `uri` is None without a remote that others can reach; `unread` are manifests that are broken."""

    uri: str | None
    name: str
    units: tuple[Unit, ...]
    habits: Habits
    unread: tuple[str, ...] = ()


def profile_lines(sight: Sight) -> Iterator[str]:
    """The lines of the profile."""
    yield "# A proposal, made from what this repository shows. Every QUESTION marks a guess: settle it, then delete the remark."
    yield "# When done: evidraft profile validate FILE"
    yield "intent-profile: 1.0.0"
    yield from _repository(sight)
    yield "specifications:"
    yield from (f"  {name}: 1.0.0" for name in ("commits", "changesets", "changelog", "release-manifest"))
    yield from _types(sight.habits)
    yield from _scopes(sight)
    yield from _units(sight)
    yield "ledger-directory: .ack/ledger  # QUESTION: where should release ledgers live?"
    yield "release-manifest-directory: .ack/releases  # QUESTION: where should release manifests live?"
    yield from _releases(sight.habits)
    yield f"release-impacts: [{', '.join(IMPACTS)}]"
    yield "audiences: [users]  # QUESTION: who notices your changes? For example end-users, operators, integrators."
    yield "disclosures: [public, embargoed, redacted]"
    yield f"channels: [{CHANNEL}]  # QUESTION: through which channels do releases go out?"
    yield from _changesets()


def release_types(habits: Habits) -> tuple[str, ...]:
    """The words that classify a release entry: the changelog's headings, or three common ones."""
    return tuple(heading.word for heading in _often(habits.headings, 2))[:12] or _RELEASE_TYPES


def scope_units(sight: Sight) -> dict[str, str | None]:
    """Each scope word and the unit it seems to stand for: seen ones first, then the units of a repository with several."""
    seen = _often(sight.habits.scopes, _floor(sight.habits))[:_MOST_SCOPES]
    scopes: dict[str, str | None] = {scope.word: _unit_of(scope.word, sight.units) for scope in seen}
    if scopes or len(sight.units) > 1:
        scopes.update({unit.word: unit.word for unit in sight.units})
    return scopes


def commit_types(habits: Habits) -> tuple[Counted, ...]:
    """The types that are a habit and no slip of the pen: seen twice, unless there are few messages."""
    return _often(habits.types, _floor(habits))


def _floor(habits: Habits) -> int:
    return 2 if habits.messages > _FEW else 1


def shown(text: str) -> str:
    """Text of the repository, fit for a comment: one line, printable, short."""
    return "".join(character if character.isprintable() else "?" for character in text[:80])


def _yaml(word: str) -> str:
    """A word as YAML text: quoted where it would be a number, a boolean or null."""
    return strict_yaml.write({word: None}).decode().removesuffix(": null\n")


def _often(words: Iterable[Counted], times: int) -> tuple[Counted, ...]:
    return tuple(word for word in words if word.count >= times)


def _repository(sight: Sight) -> Iterator[str]:
    if sight.uri is not None:
        line = strict_yaml.write({"repository": sight.uri}).decode().rstrip("\n")
        yield f"{line}  # seen: the remote called origin"
    else:
        yield f"repository: https://example.org/{sight.name}  # QUESTION: what is the repository's public address?"


def _types(habits: Habits) -> Iterator[str]:
    types = commit_types(habits)
    if not types:
        yield "types: {}  # seen: no habit of `type: description` headers. QUESTION: which commit types do you use? Empty: any."
        return
    yield "types:"
    for kind in types:
        impact = _IMPACT_OF.get(kind.word)
        rule = f"{{default-impact: {impact}}}" if impact else "{}"
        asked = f"is {impact} the impact of an ordinary one?" if impact else "which impact has an ordinary one?"
        yield f"  {_yaml(kind.word)}: {rule}  # seen: {_of(kind.count, habits)}. QUESTION: {asked}"


def _scopes(sight: Sight) -> Iterator[str]:
    counts = {scope.word: scope.count for scope in sight.habits.scopes}
    scopes = scope_units(sight)
    if not scopes:
        yield "scopes: {}  # seen: no scopes in commit headers. QUESTION: which scopes do you use? Empty: any."
        return
    yield "scopes:"
    for word, unit in scopes.items():
        seen = f"seen: {_of(counts[word], sight.habits)}. " if word in counts else ""
        if unit is None:
            yield f"  {_yaml(word)}: {{requires-affects: true}}  # {seen}QUESTION: which release unit is this, if it is one?"
        elif word == unit:
            yield f"  {_yaml(word)}: {{release-unit: {_yaml(unit)}}}" + (f"  # {seen.strip()}" if seen else "")
        else:
            yield f"  {_yaml(word)}: {{release-unit: {_yaml(unit)}}}  # {seen}QUESTION: is this the unit it stands for?"


def _unit_of(scope: str, units: tuple[Unit, ...]) -> str | None:
    """The one unit whose word, last segment or package is called like the scope; the only unit there is stands for all."""
    if len(units) == 1:
        return units[0].word
    fitting = {
        unit.word for unit in units if scope in {unit.word, unit.word.rpartition("/")[2], unit.package.rpartition("/")[2]}
    }
    return fitting.pop() if len(fitting) == 1 else None


def _units(sight: Sight) -> Iterator[str]:
    yield "release-units:  # QUESTION: is each of these released by itself, and is none missing?"
    for path in sight.unread:
        yield f"  # seen: {shown(path)} could not be read"
    line = sight.habits.releases.line if sight.habits.releases else "1"
    other, now = "are there other streams, such as lts?", "is this the line that is released now?"
    for unit in sight.units:
        seen = f"seen: {shown(unit.package)} in {shown(unit.origin)}" if unit.origin else "QUESTION: what is it called?"
        yield f"  {_yaml(unit.word)}:  # {seen}"
        yield "    streams:"
        yield f"      {STREAM}:  # QUESTION: {other}"
        yield f'        release-line: "{line}"  # QUESTION: {now}'
        yield f"        channel: {CHANNEL}"
        yield f"        changelog: .ack/ledger/{unit.word}/{STREAM}.yaml"
        yield f"        manifests: .ack/releases/{unit.word}/{STREAM}"
        other = now = "as above"


def _releases(habits: Habits) -> Iterator[str]:
    found = habits.releases
    if found:
        seen = f"seen: {found.count} tags such as {shown(found.example)}. QUESTION: are all releases named so?"
        yield f"release-pattern: '{found.pattern}'  # {seen}"
    else:
        yield r"release-pattern: '^[0-9]+\.[0-9]+\.[0-9]+$'  # seen: no release tags. QUESTION: how are releases named?"
    origin = "seen: headings of the changelog. " if release_types(habits) != _RELEASE_TYPES else ""
    words = ", ".join(map(_yaml, release_types(habits)))
    yield f"release-types: [{words}]  # {origin}QUESTION: which words classify a change for its readers?"


def _changesets() -> Iterator[str]:
    yield "changesets:"
    yield "  directory: .ack/changes  # QUESTION: where should pending changesets live?"
    yield "  archive-directory: .ack/archive  # QUESTION: and consumed ones?"
    yield "  after-consumption: archive"
    yield "  conflict-policy: preserve"
    yield "  required-impacts: [minor, major]  # QUESTION: which changes does an audience have to hear of?"
    yield "  required-commit-types: []  # QUESTION: and commits of which types, whatever their impact?"


def _of(count: int, habits: Habits) -> str:
    return f"{count} of {habits.messages} commits"
