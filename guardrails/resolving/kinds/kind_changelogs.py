"""What a changelog says of a change's kind: the section that its new entries stand in (Describe Changes: kind).

`### Fixed`, `### Bug fixes`, or the same underlined. A section that names no kind, or no section in sight, says nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.model import FileChange
from guardrails.resolving.kinds import kind_words

_CHANGELOG: Final = re.compile(r"(?:[^/]{1,200}/){0,20}(?:changelog|changes|history|news)(?:\.(?:md|rst|txt))?", re.IGNORECASE)
_MARKED: Final = re.compile(r" {0,3}#{1,6}\s+([^#\n]{1,100})#*\s*")
_UNDERLINE: Final = re.compile(r"[=~^\"'+-]{3,200}\s*")
_MARK: Final = re.compile(r":\w{1,40}:")
_ENTRY: Final = re.compile(r"\s{0,3}[-*+•]\s+\S")


def of_changelog(file: FileChange) -> frozenset[str]:
    """The kinds that the sections of all new entries name; none where one of them stands in a section that names no kind."""
    if _CHANGELOG.fullmatch(file.path) is None:
        return frozenset()
    found = [kinds for hunk in file.hunks if hunk.text is not None for kinds in _sections(hunk.text)]
    return frozenset().union(*found) if all(found) else frozenset()


def _sections(text: str) -> Iterator[frozenset[str]]:
    """What the section of each new entry of a hunk names."""
    kinds, before = frozenset[str](), ""
    for line in text.split("\n"):
        if line[:1] not in {" ", "+"}:
            continue
        marked = _MARKED.fullmatch(line[1:])
        if marked is not None or (_UNDERLINE.fullmatch(line[1:]) and before.strip()):
            kinds = _named(marked[1] if marked is not None else before)
        elif line[0] == "+" and _ENTRY.match(line[1:]):
            yield kinds
        before = line[1:]


def _named(heading: str) -> frozenset[str]:
    return kind_words.of_release_type("-".join(re.findall(r"[a-z]+", _MARK.sub("", heading.casefold()))))
