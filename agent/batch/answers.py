"""Answers to a run: the sheet that it left, filled in by a person, or a plain file of answers to one release (Intent Changesets
11.1, 11.6).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from agent.batch.sheet import ALL, ANSWER, KEYS, MARK, RELEASES, VERSION
from agent.errors import InputFailure
from agent.sources import inputs
from agent.sources.answers import is_answer, is_field_path, parse_file
from guardrails import strict_yaml
from guardrails.evidence.model import AnswerValue
from guardrails.strict_yaml import Bounds, Path, YamlFault

_BOUNDS: Final = Bounds(bytes=inputs.MAX_BYTES, nodes=1_000_000, scalar=1_048_576)
_CURE: Final = "the sheet that a run leaves shows the form"


@dataclass(frozen=True, slots=True)
class Answers:
    """What a person answered, by release and field; `plain` are answers that name no release. `where` is their file."""

    where: str
    by_release: Mapping[str, Mapping[str, AnswerValue]] = field(default_factory=dict, repr=False)
    plain: Mapping[str, AnswerValue] = field(default_factory=dict, repr=False)

    def given(self, names: Sequence[str]) -> Mapping[str, Mapping[str, AnswerValue]]:
        """The answers to a run of releases with these names.

        Raises:
            InputFailure: a release is not of this run, or nothing tells which of several is meant.
        """
        for name in self.by_release:
            if name not in names:
                near = difflib.get_close_matches(name, names, n=1)
                raise InputFailure(
                    "got answers for a release that is not of this run",
                    where=f"{self.where}: {name[:100]}",
                    cure=f"did you mean {near[0]}?" if near else "take it out, or draft it too",
                )
        if not self.plain:
            return self.by_release
        if len(names) != 1:
            raise InputFailure(
                "got answers that name no release, and there are several", where=self.where, cure=f"answer in a sheet: {_CURE}"
            )
        return {names[0]: self.plain}


def read(name: str) -> Answers:
    """The answers in a file; `-` is standard input.

    Raises:
        InputFailure: it cannot be read, or holds something else than answers.
    """
    return parse(name, inputs.read(name))


def parse(name: str, data: bytes) -> Answers:
    """The answers that the bytes of a file say.

    Raises:
        InputFailure: they are no strict YAML or JSON, or say something else than answers.
    """
    document = _sheet(name, data) if MARK.encode() in data else None
    if document is None:
        return Answers(name, plain=dict(parse_file(name, data)))
    return Answers(name, by_release=_Reading(name, document).answers())


def _sheet(name: str, data: bytes) -> strict_yaml.Document | None:
    """The document, if it is a sheet."""
    try:
        document = strict_yaml.read(data, _BOUNDS)
    except YamlFault as fault:
        where = f"{name}, line {fault.finding.line}" if fault.finding.line else name
        raise InputFailure(f"this YAML is refused: {fault.finding.message}", where=where) from None
    return document if isinstance(document.value, dict) and MARK in document.value else None


@dataclass(slots=True)
class _Reading:
    """One sheet as it is read."""

    name: str
    document: strict_yaml.Document
    found: dict[str, dict[str, AnswerValue]] = field(default_factory=dict)

    def answers(self) -> Mapping[str, Mapping[str, AnswerValue]]:
        """All answers by release and field; what a release says itself wins over what is said for all."""
        root = self.document.value
        self.known(root, (MARK, ALL, RELEASES), ())
        if root[MARK] != VERSION:
            raise self.fault(f"got another version, expected {VERSION}", (MARK,))
        for name, entry in self.fields((ALL,)):
            names = entry.get(RELEASES) if isinstance(entry, dict) else None
            if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
                raise self.fault("got no list of the releases that this is for", (ALL, name, RELEASES))
            self.take(names, name, (ALL, name), entry)
        for release in self.mapping((RELEASES,)):
            for name, entry in self.fields((RELEASES, release)):
                self.take([release], name, (RELEASES, release, name), entry)
        return self.found

    def take(self, releases: Sequence[str], name: str, path: Path, entry: object) -> None:
        """The answer of the entry at a path, if there is one, for these releases. A bare value is an answer, too."""
        if isinstance(entry, dict):
            self.known(entry, KEYS, path)
            path, entry = (*path, ANSWER), entry.get(ANSWER)
        if entry is None and self.document.is_blank(path):
            return
        if not is_answer(entry):
            raise self.fault("the value is no text, number, list, map or null", path)
        for release in releases:
            self.found.setdefault(release, {})[name] = entry

    def fields(self, path: Path) -> Iterator[tuple[str, object]]:
        """The fields under a path, each with its entry."""
        for name, entry in self.mapping(path).items():
            if not is_field_path(name):
                raise self.fault("got no field path", (*path, name))
            yield name, entry

    def mapping(self, path: Path) -> dict[str, Any]:
        """The mapping at a path, whose keys are texts; an empty one where nothing stands there."""
        value: Any = self.document.value
        for step in path:
            value = value.get(step)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise self.fault("got no map of names", path)
        return value

    def known(self, mapping: Mapping[Any, Any], keys: Sequence[str], path: Path) -> None:
        """Refuse a key that has no meaning here."""
        for key in mapping:
            if key not in keys:
                near = difflib.get_close_matches(str(key), keys, n=1)
                raise self.fault(f"got the key {str(key)[:60]!r}", (*path, key), f"did you mean {near[0]}?" if near else _CURE)

    def fault(self, what: str, path: Path, cure: str = _CURE) -> InputFailure:
        """A failure at a place of the sheet."""
        return InputFailure(what, where=f"{self.name}, line {self.document.line(path)}", cure=cure)
