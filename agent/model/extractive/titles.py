"""Titles: what names a change in one line, out of its own words (Describe Changes: title, short_md).

The statement of what leads; of a revert, what it takes back; of updates, what is brought to which version. What does not fit is
cut at a mark that sets a whole clause off, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from agent.model.extractive.subjects import opens, statement
from guardrails.evidence.code_spans import code
from guardrails.findings import Finding, blocking
from guardrails.records.plain_commit import read_any

Rule = Callable[[str, str], Iterator[Finding]]

_CLAUSE_ENDS: Final = re.compile(
    r"\s[(\[]|;\s|:\s|\s[-–—]\s|[.!?]\s|,?\s(?:so that|because|in order to)\s|,\s(?:resulting in|leading to)\s"
)
_NEXT_STATEMENT: Final = re.compile(
    r"(?:,? and|,) (?!(?:the|an|also|always|more|no|not|now|new|only|some|when|never)\b)(?P<verb>[a-z]{3,20})\b"
)
_PAIR: Final = re.compile(r"\b(?:between|both|either|neither)\b")
_QUOTABLE: Final = re.compile(r"[^\"`]+")
_REVERT: Final = re.compile(r"Revert \"(?P<what>.+)\"(?:\s?\(#\d{1,10}\))?", re.DOTALL)
_TYPED_REVERT: Final = re.compile(r"revert(?:\([^()]{1,80}\))?!?:\s+(?P<what>\S.*)", re.IGNORECASE)
_REAPPLY: Final = re.compile(r"Reapply \"(?P<what>.+)\"(?:\s?\(#\d{1,10}\))?", re.DOTALL)
_REVERTS: Final = {1: "Revert", 2: "Revert the revert of"}
"""How a revert is named by its depth; beyond that nobody can tell what is in effect."""
_DEEPEST: Final = 8
_CODE_WORD: Final = re.compile(
    r"(?<![\w`/.-])(?:<[\w/][^<>\s`]{0,60}>|[\w.]*__\w+(?:\(\))?|_\w+(?:\(\))?|\w+_\w[\w.]*(?:\(\))?|[\w./-]*\*[\w./*-]+|@[\w/-]+"
    r"|[A-Za-z_][\w.]*\(\)(?:\.\w+(?:\(\))?)*)(?![\w`])"
)
"""What markdown could take for markup, or a forge for a person."""
_PLACE: Final = re.compile(r"([\w.-]+(?:/[\w.-]+){0,8}):\s+(?=\S+\s)")
"""What some projects put before a subject: the folder or module that it is about."""
_INFLECTED: Final = re.compile(r"[\w/]`[^`]*`|`[^`]*`[\w/]|``")
"""Code that is a part of a word."""
_CODE_NAME: Final = re.compile(r"`[^`]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])[^`]*`")
"""A name of code that would pass for a product's without its marks: `URLTypes`."""
_DOCUMENT: Final = re.compile(
    r"(?<![\w/.-])(readme|changelog|changes|history|news|contributing|licen[sc]e|security|authors)\.(?:md|rst|txt)(?![\w/.-])",
    re.IGNORECASE,
)
"""Documents that everybody knows without the ending of their file."""
_CALLS: Final = re.compile(r"(?<![\w`/.@])@\w")
"""What a forge takes for a person."""
_PLAIN: Final = re.compile(r"(?:(?:de|re|un)-)?[^\W\d_]+")
"""A word that is nobody's name: `rows`, `re-run`."""
_COMMANDS: Final = frozenset(
    (
        "npm",
        "npx",
        "git",
        "pip",
        "uv",
        "cargo",
        "go",
        "node",
        "docker",
        "make",
        "yarn",
        "pnpm",
        "brew",
        "curl",
        "bash",
        "zsh",
        "apt",
    )
)
"""Names that open a line and keep their small letter."""


def fitting(text: str, rule: Rule, names: frozenset[str] = frozenset()) -> str | None:
    """`text` in a form that `rule` finds nothing wrong with: as it is, with its code marked, or a clause of it; else None.

    `names` are words in small letters that keep them, for they are names. Where only warnings are left, those are taken.
    """
    forms = tuple(dict.fromkeys(form for clause in _clauses(text) for form in _forms(clause, names)))
    judged = [(form, tuple(rule("", form))) for form in forms]
    clean = next((form for form, found in judged if not found), None)
    return clean or next((form for form, found in judged if not blocking(found)), None)


def reverted(subject: str) -> str | None:
    """The title of a commit that takes another back, by what that one stated; None for any other subject."""
    depth, what = 0, subject.strip()
    while (match := _REVERT.fullmatch(what) or _TYPED_REVERT.fullmatch(what)) is not None and depth < _DEEPEST:
        depth, what = depth + 1, match["what"]
    again = _REAPPLY.fullmatch(what) if not depth else None
    named = statement(what if again is None else again["what"])
    opening = "Reapply" if again is not None else _REVERTS.get(depth)
    if opening is None or not named:
        return None
    return f'{opening} "{named}"' if _QUOTABLE.fullmatch(named) else f"{opening} {named}"


def request_number(subject: str) -> str:
    """The number of the request that a reverted subject carries inside of its quotation marks: "#12", or ""."""
    match = _REVERT.fullmatch(subject.strip())
    said = read_any(match["what"]).citations if match is not None else ()
    return f"#{said[0].number}" if said else ""


def _clauses(text: str) -> Iterator[str]:
    """The text, and from long to short the clauses that it begins with: what follows is set off, or states something else."""
    yield text
    ends = [match.start() for match in _CLAUSE_ENDS.finditer(text)]
    if not _PAIR.search(text):
        ends += [match.start() for match in _NEXT_STATEMENT.finditer(text) if opens(match["verb"])]
    clauses = (text[:end].rstrip(" ,") for end in sorted(ends, reverse=True))
    yield from (clause for clause in clauses if len(clause.split()) > 1 and not any(clause.count(mark) % 2 for mark in '`"'))


def _forms(text: str, names: frozenset[str]) -> Iterator[str]:
    """A clause without the folder that it is about, with its first letter raised, and with its code marked."""
    place = _PLACE.match(text)
    about = text[place.end() :] if place is not None and not names.isdisjoint(place[1].casefold().split("/")) else text
    opening = about.split(maxsplit=1)[0] if about.strip() else ""
    is_name = opening.casefold() in names or opening.casefold() in _COMMANDS or not _PLAIN.fullmatch(opening)
    raised = about if is_name else about[:1].upper() + about[1:]
    for form in (raised, text):
        if not _CALLS.search(form):
            yield form
        yield _marked(form)


def unmarked(text: str) -> str:
    """The text with its names of code as plain words, where that leaves all words as they are, and documents by their names."""
    is_kept = _INFLECTED.search(text) or _CODE_NAME.search(text)
    return _DOCUMENT.sub(r"\1", text if is_kept else text.replace("`", ""))


def _marked(text: str) -> str:
    """The text with its names of code in back ticks."""
    return text if "`" in text else _CODE_WORD.sub(lambda match: code(match[0]), text)
