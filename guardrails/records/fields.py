"""What the record kinds share: word grammars, and getters that gather every fault of a record (Intent Changesets 6).

A getter gives the value or, with a finding, an empty one of the same type, so that reading goes on to the next fault.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Self, TypeVar

from guardrails.findings import Code, Finding
from guardrails.strict_yaml import Document, Path, YamlFault, read

SUITE_VERSION: Final = "1.0.0"
OLDER_VERSIONS: Final = ("0.1.0", "0.2.0")
"""Drafts of the suite; what was written by them is told to be older, and not read as if it were not."""
IMPACTS: Final = ("none", "patch", "minor", "major")

NOT_A_MAPPING = Code(
    name="record-not-a-mapping",
    summary="The document is not a mapping.",
    cure="Write the record as one mapping of fields.",
    section="Intent Changesets 5",
)
MISSING_FIELD = Code(
    name="missing-field",
    summary="A required field is absent.",
    cure="Add the field; use null where the specification allows it and nothing applies.",
    section="Intent Changesets 6.1",
)
WRONG_TYPE = Code(
    name="wrong-type",
    summary="A field holds a value of another type than the specification asks for.",
    cure="Write the value in the expected type; quote a text that looks like a number, a boolean or null.",
    section="Intent Changesets 12",
)

MOST_FINDINGS: Final = 10_000
"""How many findings one record gets, at most: nobody reads more of them, and a hostile record would fill the memory."""
_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_UNIT: Final = re.compile(r"[a-z0-9][a-z0-9./-]*")
_TYPE: Final = re.compile(r"[a-z][a-z0-9-]*")
_OBJECT_NAME: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_URI: Final = re.compile(r"(?:(?:urn|tag):|[a-z][a-z0-9+.-]*://)[a-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+", re.IGNORECASE | re.ASCII)
"""Only `urn` and `tag` name without an authority; any other `word:rest` is more likely a host and a path."""


def other_version(version: str) -> str:
    """What is wrong with a record of this version, which is not the suite's."""
    got = f"is of an older suite version ({version})" if version in OLDER_VERSIONS else "got another version"
    return f"{got}, expected {SUITE_VERSION}"


def is_id(text: str) -> bool:
    """Lower-case ASCII letters, digits and hyphens, beginning and ending with a letter or digit (6.3)."""
    return _ID.fullmatch(text) is not None


def is_unit(text: str) -> bool:
    """A word for a release unit, scope or stream."""
    return _UNIT.fullmatch(text) is not None


def is_type(text: str) -> bool:
    """A word for a commit type or release type."""
    return _TYPE.fullmatch(text) is not None


def is_absolute_uri(text: str) -> bool:
    """A URI with a scheme and something after it; `urn:` is one, `host:path` of scp is read as none (6.6)."""
    return _URI.fullmatch(text) is not None


def is_object_name(text: str) -> bool:
    """The full name of a git object, of either length."""
    return _OBJECT_NAME.fullmatch(text) is not None


def is_blank(text: str) -> bool:
    """Nothing but white space."""
    return not text.strip()


def same_text(one: str, other: str) -> bool:
    """Equal but for case, white space and punctuation at the ends (6.5)."""
    return _folded(one) == _folded(other)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?…")


def vocabulary(words: Iterable[str]) -> Collection[str]:
    """The words in their order, for looking up many in many."""
    return dict.fromkeys(words)


def one_of(words: Collection[str]) -> str:
    """The allowed words as messages name them, cut where they are many or long."""
    shown = [word if len(word) <= _LONGEST else f"{word[:_LONGEST]}…" for word in islice(words, _SHOWN)]
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return f"one of {', '.join(shown)}{more}"


def where(path: Path) -> str:
    """`path` as written in findings and answers: `targets[0].release-unit`; an unknown key is cut where it gets long."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{str(step)[:80]}" for step in path)
    return text.removeprefix(".")


_SHOWN: Final = 40
_LONGEST: Final = 80
T = TypeVar("T")
_NAMES: Final[dict[type, str]] = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
_ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Faults:
    """The findings about one record, in the order in which they were met."""

    document: Document
    findings: list[Finding] = field(default_factory=list)

    def note(self, code: Code, path: Path, message: str) -> None:
        """Add a finding about the value at `path`, with its line, unless there are `MOST_FINDINGS` already."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(code.at(where(path), message, line=self.document.line(path)))


@dataclass(frozen=True, slots=True)
class Fields:
    """One mapping of a record and where it stands; its parts share its faults."""

    values: Mapping[Any, Any]
    path: Path
    faults: Faults

    def note(self, code: Code, step: Path, message: str) -> None:
        """Add a finding about the value at `step` below this mapping."""
        self.faults.note(code, (*self.path, *step), message)

    def value(self, key: str, kind: type[T], *, required: bool = True) -> T | None:
        """The value of exactly this type, or None: absent, or of another type (noted)."""
        found = self.values.get(key, _ABSENT)
        if type(found) is kind:
            return found
        if found is _ABSENT:
            if required:
                self.note(MISSING_FIELD, (key,), f"got no {key}, expected {_NAMES[kind]}")
            return None
        return self.checked((key,), found, kind)

    def checked(self, step: Path, found: object, kind: type[T]) -> T | None:
        """`found` when it has exactly this type; None and a finding when not."""
        if type(found) is kind:
            return found
        self.note(WRONG_TYPE, step, f"got {_NAMES[type(found)]}, expected {_NAMES[kind]}")
        return None

    def text(self, key: str, *, required: bool = True) -> str:
        """A text; "" when there is none."""
        return self.value(key, str, required=required) or ""

    def text_or_null(self, key: str, *, required: bool = True) -> str | None:
        """A text or null."""
        if self.values.get(key, _ABSENT) is None:
            return None
        return self.value(key, str, required=required)

    def texts(self, key: str, *, required: bool = True) -> tuple[str, ...]:
        """A list of texts."""
        items = self.value(key, list, required=required) or ()
        if {str}.issuperset(map(type, items)):
            return tuple(items)
        return tuple(item for place, item in enumerate(items) if self.checked((key, place), item, str) is not None)

    def object_name(self, key: str) -> str:
        """A text; one of digits alone, which the Core Schema takes for a number, is told by its digits."""
        number = self.values.get(key)
        if type(number) is int and is_object_name(str(number)):
            return str(number)
        return self.text(key)

    def part(self, key: str, *, required: bool = True) -> Self:
        """The mapping under `key`."""
        return self.inner((key,), self.value(key, dict, required=required) or {})

    def parts(self, key: str) -> Iterator[Self]:
        """Each mapping of the list under `key`."""
        for place, item in enumerate(self.value(key, list) or ()):
            if self.checked((key, place), item, dict) is not None:
                yield self.inner((key, place), item)

    def named_parts(self, key: str, *, required: bool = True) -> Iterator[tuple[str, Self]]:
        """Each mapping of the mapping under `key`, with its name."""
        for name, item in self.part(key, required=required).items():
            if self.checked((key, name), item, dict) is not None:
                yield name, self.inner((key, name), item)

    def items(self) -> Iterator[tuple[str, Any]]:
        """Names and values, where the names are texts; other names are noted."""
        for name, item in self.values.items():
            if self.checked((name,), name, str) is not None:
                yield name, item

    def inner(self, step: Path, values: Mapping[Any, Any]) -> Self:
        """The same record, one mapping deeper."""
        return type(self)(values, (*self.path, *step), self.faults)

    def unknown(self, known: Collection[str]) -> dict[Any, Any]:
        """The fields that are not in `known`, in their order."""
        if not self.values.keys() - known:
            return {}
        return {key: item for key, item in self.values.items() if key not in known}


def ordered(mapping: Mapping[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    """The same fields for writing: those of `order` first and in that order, all others after them."""
    known = {key: mapping[key] for key in order if key in mapping}
    return known | {key: value for key, value in mapping.items() if key not in known}


def open_record(data: bytes) -> Fields | tuple[Finding, ...]:
    """The root mapping of a record; findings when the bytes are no strict YAML or no mapping."""
    try:
        document = read(data)
    except YamlFault as fault:
        return (fault.finding,)
    if not isinstance(document.value, dict):
        got = _NAMES[type(document.value)]
        return (NOT_A_MAPPING.at("", f"got {got}, expected a mapping", line=document.line(())),)
    return Fields(document.value, (), Faults(document))
