"""Subjects: the statement in a commit subject or pull-request title, without what projects and forges put around it.

Trimming takes away whole marks at both ends and raises the first letter; every word that is left stands as it stood.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import dropwhile
from typing import Final

_TYPES: Final = (
    "feat|feature|fix|bugfix|hotfix|perf|security|sec|docs?|style|refactor|tests?|chore|build|ci|deps|release|improvement|add|"
    "change|change[ds]|deprecate|remove|ops|i18n|l10n|a11y|ux|ui|api"
)
_LEADING: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r":[a-z0-9_+-]{1,40}:\s*",  # a gitmoji short code
        r"\[[^\[\]\n]{1,60}\]\s*:?\s*(?=\S)",  # [worker], [ABC-12]
        r"#\d{1,10}\s*[:|-]\s*",
        r"[A-Z][A-Z0-9]{1,15}-\d{1,10}\s*:\s+",  # a ticket, but not "UTF-8 paths"
        rf"(?:{_TYPES})(?:\([^()\n]{{0,100}}\))?!?:\s+",
        r"[a-z][a-z0-9-]{0,30}(?:\([^()\n]{1,100}\)!?|!):\s+",  # another word counts as a type with a scope or a mark
    )
)
_TRAILING: Final = re.compile(r"(?:\((?:[#!]|GH-)\d{1,10}\)|\[(?:skip ci|ci skip|no ci|skip actions)\])\Z")
_KEPT: Final = re.compile(r"revert\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+(?![\w:./(`=-])")


def statement(subject: str) -> str:
    """What `subject` states, as the beginning of a sentence; "" when nothing is left. A revert keeps its mark."""
    text = subject.strip()
    if not _KEPT.match(text):
        text = _without_leading(text)
    text = _without_trailing(text)
    word = _WORD.match(text)
    raised = text[:1].upper() + text[1:]
    return raised if word is not None and word[0].islower() and len(raised) == len(text) else text


def _without_leading(text: str) -> str:
    for _ in range(6):
        shorter = "".join(dropwhile(_is_ornament, text))
        mark = next((found for pattern in _LEADING if (found := pattern.match(shorter)) is not None), None)
        shorter = shorter[mark.end() :] if mark is not None and mark.end() < len(shorter) else shorter
        if shorter == text or _KEPT.match(shorter):
            return shorter
        text = shorter
    return text


def _is_ornament(character: str) -> bool:
    """Whether a character is (part of) an emoji, or white space around one."""
    return character.isspace() or unicodedata.category(character) in {"So", "Sk", "Mn", "Cf"}


def _without_trailing(text: str) -> str:
    for _ in range(6):
        if (mark := _TRAILING.search(text)) is None:
            break
        text = text[: mark.start()].rstrip()
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text
