"""Names that only readers of the code know: file paths and symbols in a text for users (Describe Changes: medium_md).

What looks like them and is none is let through: `Node.js`, and/or, CI/CD, GitHub, OAuth2, `--flag`, `MAX_JOBS`, `.csv`, routes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.identifiers import IdentifierKind, Mention, mentions
from guardrails.wording.words import words

_QUOTES: Final = re.compile(r"[\"“”„«»]|(?<!\w)['‘’]|['‘’](?!\w)")
"""Marks of quotation, not the apostrophes inside a word: what is quoted is looked at like all else."""
_FOLDERS: Final = words(
    "app apps assets bin build cmd config components dist doc docs etc examples home include internal lib libs migrations",
    "node_modules opt packages pkg public scripts spec specs src test tests tmp tools usr utils var vendor venv",
)
"""Folders that begin a path where no file's name does."""
_INNER: Final = words("bin etc lib node_modules pkg src usr vendor")
"""Folders that no words between slashes are called."""
_BELOW_SOURCE: Final = re.compile(r"(?<![\w/.@-])(?:src|pkg|node_modules)/[\w.-]")
"""Two plain words with a slash are words, but for these."""
_FILE: Final = re.compile(r"[^/]*[\w~+-]\.[A-Za-z][A-Za-z0-9]{0,9}")
_PRODUCT: Final = re.compile(r"[A-Z][A-Za-z0-9]*\.(?:js|ts|rs|py|sh|so)|(?:[A-Za-z]\.){1,3}[A-Za-z]")
"""`Three.js`; also `a.m`, which only looks like a file of that ending."""
_EXTENSION: Final = re.compile(r"\.[a-z0-9]{1,5}")
_DOTFILE: Final = re.compile(r"(?:.*/)?\.[A-Za-z][\w.-]*(?:/.*)?|\.{1,2}/.*|~/.*")
_SETTING: Final = re.compile(r"_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_?")
_LOCALE: Final = re.compile(r"[a-z]{2,3}_[A-Z]{2}|x86_64|snake_case")
_CAMEL: Final = re.compile(r"[a-z]{2,}(?:[A-Z][a-z0-9]+)+(?:[A-Z]+)?")
_THROWN: Final = re.compile(r"(?:[A-Z][A-Za-z0-9]*)?[a-z0-9](?:Error|Exception)")
_OWN_SPELLING: Final = words("phpMyAdmin pfSense easyJet")
_SCOPED: Final = re.compile(
    r"(?<![\w:])\w{1,80}(?:::\w{1,80})+|(?<![\w.])[A-Za-z_]\w{0,80}(?:\.[A-Za-z]\w{0,80}){0,6}\.(?:\w{0,80}_\w{1,80})(?![\w/])"
)


_MEMBER: Final = re.compile(
    r"(?<![\w.])(?:[A-Z][a-z0-9]{1,40}){2,6}\.(?!(?:com|org|net|io|dev|info|app|ai)\b|js\b)[a-z]\w{1,80}(?![\w/])"
)
"""`ToolResult.exception`; a host such as GitHub.com has one of few endings."""
_SNAKE: Final = re.compile(r"(?:.*/)?[a-z0-9]+_[a-z0-9_]*[a-z0-9](?:/.*)?")


def path_places(text: str) -> Iterator[int]:
    """Where in `text` a file path begins, in order."""
    named = {one.start for one in _mentions(text) if one.kind is IdentifierKind.PATH and _is_path(one.text)}
    yield from sorted(named | {match.start() for match in _BELOW_SOURCE.finditer(text)})


def symbol_places(text: str) -> Iterator[int]:
    """Where in `text` the name of a function or another symbol begins, in order."""
    named = {mention.start for mention in _mentions(text) if _is_symbol(mention)}
    joined = {match.start() for pattern in (_SCOPED, _MEMBER) for match in pattern.finditer(text)}
    yield from sorted(named | joined)


def _mentions(text: str) -> tuple[Mention, ...]:
    return mentions(_QUOTES.sub(" ", text))


def _is_path(text: str) -> bool:
    """Whether a mention that has the form of a path is one, and no words between slashes, product, extension or route."""
    if _PRODUCT.fullmatch(text) or _EXTENSION.fullmatch(text):
        return False
    if "/" not in text:
        return True
    first, *rest = text.strip("/").split("/")
    is_rooted = first in _FOLDERS and (bool(rest) or text.endswith("/"))
    is_rooted = is_rooted or not _INNER.isdisjoint(rest[:-1])
    return is_rooted or any(map(_FILE.fullmatch, (first, *rest)[-1:])) or _DOTFILE.fullmatch(text) is not None


def _is_symbol(mention: Mention) -> bool:
    text = mention.text
    if mention.kind is IdentifierKind.PATH:
        return not _is_path(text) and _SNAKE.fullmatch(text) is not None and not _LOCALE.fullmatch(text)
    if mention.kind is IdentifierKind.SYMBOL:
        return text[0] not in "-@" and not _SETTING.fullmatch(text) and not _LOCALE.fullmatch(text)
    is_code = _CAMEL.fullmatch(text) is not None or _THROWN.fullmatch(text) is not None
    return mention.kind is IdentifierKind.NAME and is_code and text not in _OWN_SPELLING
