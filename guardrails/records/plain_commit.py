"""Commit messages of any style: what git and forges themselves write into them, no more (Intent Changesets 6.7, 6.8, 11).

A repository that never heard of Intent Commits still has conventional headers, git trailers, generated revert lines, closing
words and numbers that a forge appended. Reading never fails, and free prose is never taken for structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile
from typing import Final

from guardrails.records.citing import CLOSING, cited
from guardrails.records.commit import Message, Trailer


class CitationKind(StrEnum):
    """How a message cites a number structurally."""

    SUBJECT_NUMBER = "subject-number"
    """`(#12)` at the end of the subject: what it counts is for the project to say."""
    PULL_REQUEST = "pull-request"
    """GitHub's `Merge pull request #12 from owner/branch`, or `Merge PR #12` as people write it."""
    MERGE_REQUEST = "merge-request"
    """GitLab's `See merge request group/project!12`."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A number that a forge put into a message; `project` only where the text names one."""

    kind: CitationKind
    number: str
    project: str = ""


@dataclass(frozen=True, slots=True)
class AnyMessage:
    """A message of any style. `message.body` is without trailers; `closing` are citations such as `fixes #12`, in any line.

    `breaking` says whether the subject is marked, by `!` or `BREAKING CHANGE:`; `breaking_notes` are the texts after
    `BREAKING CHANGE:` in the body. `reverts` are object names (or beginnings of them) that the message says it reverts.
    """

    message: Message
    breaking: bool = False
    breaking_notes: tuple[str, ...] = field(default=(), repr=False)
    closing: tuple[Trailer, ...] = ()
    reverts: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()

    def request_title(self, parents: int) -> str:
        """The title of the request that a commit with so many parents merged; "" for any other commit.

        GitHub and GitLab write it into the first line of the body, GitHub on demand into the subject.
        """
        if not self.citations or (parents < 2 and all(said.kind is CitationKind.SUBJECT_NUMBER for said in self.citations)):
            return ""
        named = _PULL_REQUEST.fullmatch(self.message.description)
        first = named["title"] if named and named["title"] else self.message.body.partition("\n")[0].strip()
        title = first if self.message.description.startswith("Merge ") else self.message.description
        is_title = any(map(str.isalpha, title)) and not title.startswith("#") and not _MERGE_REQUEST.fullmatch(title)
        return title if is_title else ""


_ORNAMENT = re.compile(r"(?:[^\w\x00-\x7f]|\s){1,8}|:[a-z0-9_+-]{1,40}:\s*")
"""An emoji or its short code, as some projects put before the header."""
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*)(?:\(([^()\n]+)\))?(!?):[ \t]+(\S.*)")
_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:(?:[ \t]+(.*))?")
_BREAKING = re.compile(r"BREAKING[ -]CHANGE:[ \t]*(.*)")
_PICKED = re.compile(r"\(cherry picked from commit [0-9a-f]{7,64}\)")
_REVERTED = re.compile(r"This reverts commit ([0-9a-fA-F]{7,64})\b")
_REVERTING = re.compile(r"revert|reapply", re.IGNORECASE)
_BULLET = re.compile(r"[*+-] ")
_OBJECT = re.compile(r"[0-9a-fA-F]{7,64}")
_SUBJECT_NUMBER = re.compile(r"\(#([1-9][0-9]{0,9})\)$")
_PULL_REQUEST = re.compile(r"Merge (?:pull request #([1-9][0-9]{0,9}) from \S+|PR #([1-9][0-9]{0,9})(?:: (?P<title>\S.*))?)")
_MERGE_REQUEST = re.compile(r"See merge request ([A-Za-z0-9_.][A-Za-z0-9_./-]*)?!([1-9][0-9]{0,9})")
_REFERENCE = re.compile(
    r"[A-Za-z0-9_.][A-Za-z0-9_./-]*#[0-9]{1,10}|[#!][0-9]{1,10}|[A-Za-z][A-Za-z0-9_]*-[0-9]{1,10}|https?://\S+"
)
_CLOSING: Final = CLOSING | {"implement", "implements", "implemented"}
_GENERATED: Final = frozenset({"signed-off-by"})


@lru_cache(maxsize=256)
def read_any(text: str) -> AnyMessage:
    """Read any text as a commit message. Never fails: what has no known structure is subject and body."""
    lines = text.replace("\r\n", "\n").strip("\n").split("\n")
    subject, rest = lines[0].strip(), lines[1:]
    body_lines, trailers = _split(rest)
    body = "\n".join(body_lines).strip()
    ornament = _ORNAMENT.match(subject)
    header = _HEADER.fullmatch(subject[ornament.end() :] if ornament is not None else subject)
    message = (
        Message(header[1].lower(), header[2], header[4], body, trailers)
        if header
        else Message("", None, subject, body, trailers)
    )
    return AnyMessage(
        message=message,
        breaking=bool(header and header[3]) or _BREAKING.fullmatch(subject) is not None,
        breaking_notes=tuple(_breaking_notes(rest)),
        closing=tuple(_closing(lines)),
        reverts=tuple(dict.fromkeys(_reverts(message, body_lines))),
        citations=tuple(_citations(subject, rest)),
    )


def _split(lines: list[str]) -> tuple[list[str], tuple[Trailer, ...]]:
    """Body and trailers as git sees them: the last paragraph after an empty line.

    Every line is a trailer, or the paragraph holds a line that git itself generates and trailers are a quarter of it.
    """
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    start = end
    while start and lines[start - 1].strip():
        start -= 1
    found = _trailers(lines[start:end]) if start else ()
    return (lines[:start], found) if found else (lines, ())


def _trailers(paragraph: list[str]) -> tuple[Trailer, ...]:
    found: list[tuple[str, list[str]]] = []
    generated, strangers = False, 0
    for line in paragraph:
        parts = _TRAILER.fullmatch(line)
        if found and line.startswith((" ", "\t")):
            found[-1][1].append(line.strip())
        elif parts:
            found.append((parts[1], [parts[2] or ""]))
            generated = generated or parts[1].lower() in _GENERATED
        elif _PICKED.fullmatch(line):
            generated = True
        elif not _is_structured(line):
            strangers += 1
    if strangers and not (generated and len(found) * 3 >= strangers):
        return ()
    return tuple(Trailer(name, "\n".join(said).strip()) for name, said in found)


def _is_structured(line: str) -> bool:
    """A line that forges and conventions put among trailers, though git does not count it as one."""
    return bool(_BREAKING.fullmatch(line) or _MERGE_REQUEST.fullmatch(line)) or _closing_line(line) is not None


def _breaking_notes(lines: list[str]) -> Iterator[str]:
    """The text after each `BREAKING CHANGE:` that opens a line, with the lines that go on below it."""
    note: list[str] | None = None
    for line in [*lines, ""]:
        parts = _BREAKING.fullmatch(line)
        ends = parts is not None or not line.strip() or _TRAILER.fullmatch(line) is not None
        if note is not None and ends:
            yield " ".join(note).strip()
            note = None
        if parts:
            note = [parts[1]]
        elif note is not None:
            note.append(line.strip())


def _closing_line(line: str) -> Trailer | None:
    """`Fixes #12, DEVELOP-219`: a closing word and references, and nothing else on the line."""
    word, _, rest = line.strip().partition(" ")
    references = [part for part in rest.replace(",", " ").split() if part.lower() != "and"]
    if word.rstrip(":").lower() not in _CLOSING or not references:
        return None
    if not all(_REFERENCE.fullmatch(reference.rstrip(".")) for reference in references):
        return None
    return Trailer(word.rstrip(":"), ", ".join(reference.rstrip(".") for reference in references))


def _closing(lines: list[str]) -> Iterator[Trailer]:
    """Closing lines, and closing words before a number or address in any other line that is no quotation."""
    for line in lines:
        if (closing := _closing_line(line)) is not None:
            yield closing
        elif not line.startswith(">"):
            yield from cited(line)


def _reverts(message: Message, body_lines: list[str]) -> Iterator[str]:
    """What trailers and git's own lines name; below a bullet such a line tells of a commit that was squashed into this one."""
    yield from (value for value in message.values("Reverts") if _OBJECT.fullmatch(value))
    is_revert = _REVERTING.match(message.header) is not None
    own = body_lines if is_revert else takewhile(lambda line: not _BULLET.match(line), body_lines)
    yield from (parts[1].lower() for line in own if (parts := _REVERTED.match(line)))


def _citations(subject: str, lines: list[str]) -> Iterator[Citation]:
    if parts := _PULL_REQUEST.fullmatch(subject):
        yield Citation(CitationKind.PULL_REQUEST, parts[1] or parts[2])
    elif parts := _SUBJECT_NUMBER.search(subject):
        yield Citation(CitationKind.SUBJECT_NUMBER, parts[1])
    for line in lines:
        if parts := _PULL_REQUEST.fullmatch(line.strip()):
            yield Citation(CitationKind.PULL_REQUEST, parts[1] or parts[2])
        elif parts := _MERGE_REQUEST.fullmatch(line.strip()):
            yield Citation(CitationKind.MERGE_REQUEST, parts[2], parts[1] or "")
