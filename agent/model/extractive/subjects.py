"""Subjects: the statement in a commit subject or pull-request title, without what projects and forges put around it.

Trimming takes away whole marks and citations at both ends. The first letter is raised only where the word is an everyday one
that opens a sentence: `llm`, `iOS` or `npm` would be another word. Every word that is left stands as it stood.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import dropwhile
from typing import Final

from guardrails.records.citing import without_citations
from guardrails.wording.words import stems

_TYPES: Final = (
    "feat|feature|fix|bugfix|hotfix|perf|security|sec|docs?|style|refactor|tests?|chore|build|ci|deps|release|improvement|add|"
    "change|change[ds]|deprecate|remove|ops|i18n|l10n|a11y|ux|ui|api"
)
_LEADING: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r":[a-z0-9_+-]{1,40}:\s*",  # a gitmoji short code
        r"\[[^\[\]\n]{1,60}\]\s*:?\s*(?=\S)",  # [worker], [ABC-12]
        r"(?i:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?) (?:issue )?)?#\d{1,10}\s*[:|-]\s*",
        r"BREAKING[ -]CHANGES?:\s+",
        r"[A-Z][A-Z0-9]{1,15}-\d{1,10}\s*:\s+",  # a ticket, but not "UTF-8 paths"
        rf"(?i:{_TYPES})(?:\([^()\n]{{0,100}}\))?!?:\s+",
        r"[a-z][a-z0-9-]{0,30}(?:\([^()\n]{1,100}\)!?|!):\s+",  # another word counts as a type with a scope or a mark
    )
)
_TRAILING: Final = re.compile(r"\[(?:skip ci|ci skip|no ci|skip actions)\]\Z")
_KEPT: Final = re.compile(r"revert\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+(?![\w:./(`=-])")
_OPENING: Final = stems(
    "a abort accept accepted adapt add adjust align allow also always an apply ask assert assign assume attach avoid backport "
    "block break bring build bump cache call cancel catch change clarify clean clear close collect compare complete compute "
    "configure convert copy correct count create deal declare default define delay delete deny deprecate describe detect "
    "disable discard display do document don drop enable enforce ensure escape exclude expand expect explain export expose "
    "extend extract fail faster filter fix follow force forbid format generate get give guard handle hide honour honor ignore "
    "implement import improve include increase indicate inform initial inline insert integrate introduce keep let limit link "
    "list load lock log lower mark match mention merge migrate minor more move multiple name never new no normalize normalise "
    "notify now offer omit only open optimize optimise order override parse pass permit persist pin point prefer prepare "
    "preserve prevent print process promote propagate protect provide publish quiet quote raise read rebuild reduce refactor "
    "refresh refuse register reject release reload remember remove rename render reorder repair replace replay report require "
    "reset resolve respect restore restrict restructure resume retry return reuse revert rewrite rotate round run save send "
    "separate serve set show simplify simpler skip some speed start stop store support suppress switch tell the throw tidy "
    "track translate treat trim try turn unify unset update upgrade use validate verify wait warn when widen work wrap write "
    "ajouter corriger supprimer permettre éviter añadir corregir evitar permitir eliminar behebe ergänze entferne erlaube "
    "verhindere unpin"
)
"""Words that open a sentence and are no names: with a capital they are the same words. Names of commands are left out."""


def opens(word: str) -> bool:
    """Whether a word opens statements, as verbs do, and is no name."""
    return stems(word) <= _OPENING


def statement(subject: str) -> str:
    """What `subject` states, as the beginning of a sentence; "" when nothing is left. A revert keeps its mark."""
    text = subject.strip()
    if not _KEPT.match(text):
        text = _without_leading(text)
    text = _without_trailing(text)
    word = _WORD.match(text)
    is_opened = word is not None and word[0].islower() and opens(word[0])
    raised = text[:1].upper() + text[1:]
    return raised if is_opened and len(raised) == len(text) else text


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
        mark = _TRAILING.search(text)
        shorter = without_citations(text[: mark.start()].rstrip() if mark is not None else text)
        if shorter == text:
            break
        text = shorter
    return text[:-1] if text.endswith(".") and not text.endswith(("..", " .")) else text
