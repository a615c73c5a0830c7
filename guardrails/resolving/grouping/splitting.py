"""One commit that does two unrelated things: its parts, where it says so itself and its files divide by it (Describe Changes).

It says so by typed subjects in its body (`* fix(parser): …`), by bullets under a subject that says nothing, or by "and also" in
its subject. Its files divide where each file of the program shares words with exactly one of the statements, and each statement
has such a file; tests and documents go with what they are named for, and what is left with the first part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from guardrails.evidence.model import Commit, FileChange
from guardrails.evidence.roles import Role, role
from guardrails.records.plain_commit import AnyMessage
from guardrails.wording.activity import is_activity
from guardrails.wording.words import STOPWORDS, stems, words

_BULLET: Final = re.compile(r"[*•+-]\s+(\S.*)")
_TYPED: Final = re.compile(r"([A-Za-z]{2,20})(?:\([^()\n]{1,100}\))?!?:\s+\S.*")
_ALSO: Final = re.compile(r"[,;]?\s+and\s+also\s+|;\s+also\s+", re.IGNORECASE)
_RESULTS: Final = words("feat feature fix bugfix hotfix perf security improvement")
"""Types of what is a change by itself; other lines tell what went along."""
_MOST: Final = 8
"""More statements than this are a list of notes on one change."""
_PIECE: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_COMMON: Final = words(
    "src lib app index main init test tests spec py js ts rs go java py code file core utils util common mod"
)


@dataclass(frozen=True, slots=True)
class Part:
    """One of the changes of a commit: the words that tell it, and its files' ids."""

    statement: str
    files: tuple[str, ...]


def parts(commit: Commit, said: AnyMessage) -> tuple[Part, ...]:
    """The parts of a commit with its message; none where it is one change, or where its files do not divide."""
    statements = _statements(said) if len(commit.files) > 1 else ()
    if not 1 < len(statements) <= _MOST or len(commit.files) < len(statements):
        return ()
    owners = _owners(statements, commit.files)
    if owners is None:
        return ()
    found = [tuple(file.id for file in commit.files if owners[file.id] == number) for number in range(len(statements))]
    return tuple(map(Part, statements, found))


def _statements(said: AnyMessage) -> tuple[str, ...]:
    """What the commit says that it does, each once, where it says it does several things."""
    message = said.message
    lines = [line.strip() for line in message.body.split("\n")]
    bare = [bullet[1] if (bullet := _BULLET.fullmatch(line)) else line for line in lines]
    typed = [line for line in bare if (match := _TYPED.fullmatch(line)) and match[1].lower() in _RESULTS]
    bullets = [line for line in lines if _BULLET.fullmatch(line)]
    if typed and message.type in _RESULTS and not bullets:
        typed.insert(0, message.header)
    if len(typed) > 1:
        return tuple(dict.fromkeys(typed))
    halves = _ALSO.split(message.description)
    if len(halves) > 1 and not any(map(is_activity, halves)):
        return tuple(halves)
    is_listed = len(bullets) > 1 and is_activity(message.description)
    told = [line for line in bare if is_listed and line and not is_activity(line)]
    return tuple(dict.fromkeys(told)) if len(told) == len(bullets) else ()


def _owners(said: Sequence[str], files: Sequence[FileChange]) -> Mapping[str, int] | None:
    """The statement of each file; None where one of the program's files may belong to several or to none."""
    told = [_words_of(text) for text in said]
    shared = {word for word, count in Counter(word for one in told for word in one).items() if count > 1}
    everywhere = frozenset[str].intersection(*(_words_of_path(file.path) for file in files))
    telling = [one - shared - everywhere for one in told]
    owners: dict[str, int] = {}
    for file in files:
        fitting = [number for number, one in enumerate(telling) if one & _words_of_path(file.path)]
        if len(fitting) == 1:
            owners[file.id] = fitting[0]
        elif role(file.path) is Role.SOURCE:
            return None
    sources = {owners[file.id] for file in files if role(file.path) is Role.SOURCE}
    return {file.id: owners.get(file.id, 0) for file in files} if len(sources) == len(said) else None


@lru_cache(maxsize=4096)
def _words_of_path(path: str) -> frozenset[str]:
    """The words of a path, as stems; the name of a file in one letter is a word too."""
    name = path.rpartition("/")[2].partition(".")[0].casefold()
    pieces = " ".join(piece for piece in _pieces(path) if piece not in _COMMON)
    return (stems(pieces) | {name}) - {""}


def _words_of(text: str) -> frozenset[str]:
    pieces = list(_pieces(text))
    return stems(" ".join(pieces)) | (frozenset(pieces) & STOPWORDS) - {"and", "the"}


def _pieces(text: str) -> Iterator[str]:
    """The words that a path or a name of code is made of: `readPool_test.py` has four."""
    return (piece.casefold() for piece in _PIECE.findall(text))
