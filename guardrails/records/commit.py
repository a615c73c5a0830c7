"""Intent Commits messages: grammar, and what a message says about units, impact and migration (Intent Changesets 7).

A message says its own part of a decision; nothing here settles what the decision is. The rules of a message are in
`commit_rules`, the reader for messages of any other style in `plain_commit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from guardrails.findings import Code, Finding
from guardrails.records.profile import Profile

MALFORMED_MESSAGE = Code(
    name="malformed-message",
    summary="The commit message does not have the layout of an Intent Commits message.",
    cure="Write `type(scope): description`, then an empty line, then body and trailers.",
    section="Intent Commits 1.0.0",
)

TRAILERS: Final = ("Impact", "Migration", "Affects", "Reverts", "Changeset", "Target-Impact", "Target-Migration")
"""The trailers that Intent Commits defines, as they are written."""

_CANONICAL: Final = {name.lower(): name for name in TRAILERS}
_HEADER = re.compile(r"([a-z][a-z0-9-]*)(?:\(([a-z0-9][a-z0-9./-]*)\))?: (.*)")
_TRAILER = re.compile(r"([A-Za-z0-9-]+): (.*)")
_SELECTOR = re.compile(r"([a-z0-9][a-z0-9./-]*)(?:@([a-z0-9][a-z0-9./-]*))?")


@dataclass(frozen=True, slots=True)
class Trailer:
    """One trailer; continuation lines of the value stand after line feeds."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Message:
    """A commit message in its parts. `type` is "" and `scope` None where a message of another style has none."""

    type: str
    scope: str | None
    description: str
    body: str = field(default="", repr=False)
    trailers: tuple[Trailer, ...] = field(default=(), repr=False)

    @property
    def header(self) -> str:
        """The first line."""
        scope = f"({self.scope})" if self.scope is not None else ""
        return f"{self.type}{scope}: {self.description}" if self.type else self.description

    def values(self, name: str) -> tuple[str, ...]:
        """The values of every trailer called `name`, whatever its case, in order."""
        wanted = name.lower()
        return tuple([trailer.value for trailer in self.trailers if trailer.name.lower() == wanted])


@dataclass(frozen=True, slots=True)
class Selected:
    """What a `Target-Impact` or `Target-Migration` trailer says: `unit[@stream]=value`."""

    unit: str
    stream: str | None
    value: str

    @property
    def selector(self) -> str:
        """`unit` or `unit@stream`."""
        return self.unit if self.stream is None else f"{self.unit}@{self.stream}"


def read(message: str) -> Message | tuple[Finding, ...]:
    """Read a commit message by the grammar of Intent Commits; one finding of `malformed-message` when it does not fit."""
    header, feed, rest = message.replace("\r\n", "\n").rstrip("\n").partition("\n")
    parts = _HEADER.fullmatch(header)
    if parts is None or not parts[3].strip():
        return (MALFORMED_MESSAGE.at("header", "got another first line, expected `type(scope): description`", line=1),)
    if feed and not rest.startswith("\n"):
        return (MALFORMED_MESSAGE.at("body", "got text right below the first line, expected an empty line", line=2),)
    body, trailers = _split(rest[1:])
    return Message(parts[1], parts[2], parts[3], body, trailers)


def write(message: Message) -> str:
    """The message as text with a final line feed; the seven known trailers get their canonical spelling."""
    blocks = [message.header, message.body, "\n".join(_written(trailer) for trailer in message.trailers)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _split(content: str) -> tuple[str, tuple[Trailer, ...]]:
    """Body and trailers: the last paragraph is the trailer block only when every line of it fits."""
    *paragraphs, last = content.split("\n\n")
    trailers = _trailers(last)
    return ("\n\n".join(paragraphs), trailers) if trailers else (content, ())


def _trailers(paragraph: str) -> tuple[Trailer, ...]:
    """The trailers of a paragraph, none when one of its lines is neither trailer nor continuation."""
    found: list[tuple[str, list[str]]] = []
    for line in paragraph.split("\n"):
        if parts := _TRAILER.fullmatch(line):
            found.append((parts[1], [parts[2]]))
        elif found and line.startswith((" ", "\t")):
            found[-1][1].append(line.strip())
        else:
            return ()
    return tuple(Trailer(name, "\n".join(lines).strip()) for name, lines in found)


def _written(trailer: Trailer) -> str:
    name = _CANONICAL.get(trailer.name.lower(), trailer.name)
    return f"{name}: " + trailer.value.replace("\n", "\n  ")


def selected(message: Message, name: str) -> Iterator[Selected | None]:
    """The readable values of every `name` trailer (`Target-Impact` or `Target-Migration`), None for one that is not."""
    for value in message.values(name):
        selector, equals, said = value.partition("=")
        parts = _SELECTOR.fullmatch(selector.strip())
        yield Selected(parts[1], parts[2], said.strip()) if parts and equals and said.strip() else None


def words(message: Message) -> tuple[str, ...]:
    """What the message says it touches: header scope, then each `Affects`, each once."""
    scope = (message.scope,) if message.scope is not None else ()
    return tuple(dict.fromkeys(scope + message.values("Affects")))


def units(message: Message, profile: Profile | None) -> tuple[str, ...]:
    """The release units that the message's scope and `Affects` resolve to, each once; none without a profile."""
    if profile is None:
        return ()
    found = (profile.unit_for(word) for word in words(message))
    return tuple(dict.fromkeys(unit for unit in found if unit is not None))


def default_impact(message: Message, profile: Profile | None) -> str | None:
    """The impact that the profile gives to the message's type, None when it gives none."""
    kind = profile.types.get(message.type) if profile is not None else None
    return kind.default_impact if kind is not None else None


def effective_impact(message: Message, profile: Profile | None) -> str | None:
    """The overall impact: the `Impact` trailer, else the type's default, else None (unspecified)."""
    return next(iter(message.values("Impact")), None) or default_impact(message, profile)


def target_impact(message: Message, unit: str, stream: str | None) -> str | None:
    """What `Target-Impact` says for a target: `unit@stream` before `unit`; None when silent."""
    return _look_up(message, "Target-Impact", unit, stream)


def impact_for(message: Message, profile: Profile | None, unit: str, stream: str | None) -> str | None:
    """The effective impact for one target: `unit@stream`, then `unit`, then overall."""
    return target_impact(message, unit, stream) or effective_impact(message, profile)


def migration_for(message: Message, unit: str, stream: str | None) -> str | None:
    """The guidance for one target: `unit@stream`, then `unit`, then the first plain `Migration`; None when silent."""
    plain = next((value for value in message.values("Migration") if value), None)
    return _look_up(message, "Target-Migration", unit, stream) or plain


def _look_up(message: Message, name: str, unit: str, stream: str | None) -> str | None:
    said = {item.selector: item.value for item in reversed(tuple(selected(message, name))) if item is not None}
    return said.get(f"{unit}@{stream}") or said.get(unit)
