"""What it takes for shown items to carry a mention, kind by kind (Intent Changesets 6.7, 11.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from guardrails.evidence import quantities
from guardrails.evidence.identifiers import IdentifierKind, Mention, fold
from guardrails.grounding.items import Item, flat, stands_in
from guardrails.grounding.shown import Shown

_WORDS_WITH_SLASHES: Final = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)*")
_ELLIPSIS: Final = re.compile(r"\s*(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*")
_RANGE: Final = re.compile(r":\d{1,9}(?:-\d{1,9})?$")
_MULTIPLIES: Final = re.compile(r"(?i:(?:doubl|tripl|halv)(?:es|ed|ing))")
_CODE_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_OBJECT: Final = re.compile(r"[0-9a-f]{7,64}")
_STANDS_FOR_ANY: Final = re.compile(r"NAMES?|KEY|VALUE|TEXT|PATH|FILE|URL|NUMBER|VERSION|TYPE|ID|[NX]|XXX+")
"""What people write in a longer piece of code for the part that varies."""
_QUALIFIED_NUMBER: Final = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)(?P<number>[#!]\d+)")

Cited = tuple[Item, ...]


def supported(mention: Mention, cited: Cited, shown: Shown, repository: str) -> bool:
    """Whether `cited` carries `mention`. A proper word may stand in anything `shown`; `repository` is the project's address."""
    if mention.kind is IdentifierKind.NAME:
        return _caseless(mention, cited) or shown.says(_word(mention)) or shown.names(mention.kind, mention.value)
    if mention.kind is IdentifierKind.NUMBER:
        return _number(mention, cited, repository)
    return _RULES.get(mention.kind, _by_value)(mention, cited)


def _by_value(mention: Mention, cited: Cited) -> bool:
    return any((mention.kind, mention.value) in item.values for item in cited)


def _caseless(mention: Mention, cited: Cited) -> bool:
    word = _word(mention)
    return any(stands_in(word, item.caseless) for item in cited)


def _word(mention: Mention) -> str:
    return flat(mention.text).casefold()


def _written(mention: Mention, cited: Cited) -> bool:
    return any(stands_in(flat(mention.text), item.text) for item in cited)


def _number(mention: Mention, cited: Cited, repository: str) -> bool:
    """`#12` and `owner/repo#12` are one number where the repository is the project's own."""
    if _by_value(mention, cited):
        return True
    own = re.sub(r"\.git$", "", repository).casefold()
    qualified = _QUALIFIED_NUMBER.fullmatch(mention.value)
    known = {value for item in cited for kind, value in item.values if kind is IdentifierKind.NUMBER}
    if qualified:
        return own.endswith(f"/{qualified['repository']}") and qualified["number"] in known
    return any(own.endswith(f"/{match['repository']}") and match["number"] == mention.value for match in _qualified(known))


def _qualified(values: set[str]) -> list[re.Match[str]]:
    return [match for value in values if (match := _QUALIFIED_NUMBER.fullmatch(value))]


def _sha(mention: Mention, cited: Cited) -> bool:
    """A prefix of a commit that is cited, or a name that stands in what is cited; never more digits than were shown."""
    shown = (value for item in cited for kind, value in item.values if kind is IdentifierKind.SHA)
    return (
        any(item.oid.startswith(mention.value) for item in cited)
        or any(value.startswith(mention.value) for value in shown)
        or _written(mention, cited)
    )


def _quantity(mention: Mention, cited: Cited) -> bool:
    """A number that is shown; a verb may tell how many times the old value a new one is."""
    shown = (value for item in cited for kind, value in item.values if kind is IdentifierKind.QUANTITY)
    if any(quantities.supports(value, mention.value) for value in shown):
        return True
    pairs = (pair for item in cited for pair in item.pairs) if _MULTIPLIES.fullmatch(mention.text) else ()
    return any(quantities.times(old, new) == mention.value for old, new in pairs)


def _path(mention: Mention, cited: Cited) -> bool:
    """A path that is cited, its end, a folder above it; or words that happen to be joined by slashes."""
    path = mention.value.removeprefix("./")
    folder = path.rstrip("/") + "/"
    known = [known for item in cited for known in item.paths]
    if any(path == shown or shown.endswith(f"/{path}") or shown.startswith(folder) or f"/{folder}" in shown for shown in known):
        return True
    if _written(mention, cited):
        return True
    words = path.casefold().split("/") if _WORDS_WITH_SLASHES.fullmatch(path) else []
    return bool(words) and all(any(stands_in(word, item.caseless) for item in cited) for word in words)


def _host(mention: Mention, cited: Cited) -> bool:
    """A host that is named anywhere, also inside an address."""
    return _by_value(mention, cited) or any(stands_in(mention.value, item.caseless) for item in cited)


def _code(mention: Mention, cited: Cited) -> bool:
    """The text of a code span, a path with lines, a commit, or a command or qualified name of which every word is shown."""
    inner = flat(mention.value)
    path = _RANGE.sub("", inner)
    if any(stands_in(inner, item.text) or path in item.paths for item in cited):
        return True
    if _OBJECT.fullmatch(inner) and _sha(replace(mention, value=inner), cited):
        return True
    words = [word for word in _CODE_WORD.findall(inner) if not _STANDS_FOR_ANY.fullmatch(word) or " " not in inner]
    return bool(words) and all(any(stands_in(word, item.text) for item in cited) for word in words)


def _symbol(mention: Mention, cited: Cited) -> bool:
    """A name of code; `run()` may be cited where `run` stands."""
    name = flat(mention.value).removesuffix("()")
    return any(stands_in(name, item.text) for item in cited)


def _quote(mention: Mention, cited: Cited) -> bool:
    """Word for word in one item; an ellipsis joins pieces that stand in this order."""
    pieces = [flat(piece).casefold() for piece in _ELLIPSIS.split(mention.value) if piece.strip(" .,;:!?")]
    return any(_in_order(pieces, item.caseless) for item in cited)


def _in_order(pieces: list[str], text: str) -> bool:
    at = 0
    for piece in pieces:
        found = text.find(piece.rstrip(".,;:!?"), at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _handle(mention: Mention, cited: Cited) -> bool:
    login = fold(mention.text).casefold().removeprefix("@")
    return _by_value(mention, cited) or any(login == name.casefold().removeprefix("@") for item in cited for name in item.names)


def _url(mention: Mention, cited: Cited) -> bool:
    """The whole address; a trailing slash or a fragment makes another one."""
    return _by_value(mention, cited) or any(mention.value in item.names for item in cited)


_RULES: Final[Mapping[IdentifierKind, Callable[[Mention, Cited], bool]]] = {
    IdentifierKind.SHA: _sha,
    IdentifierKind.QUANTITY: _quantity,
    IdentifierKind.HOST: _host,
    IdentifierKind.PATH: _path,
    IdentifierKind.CODE: _code,
    IdentifierKind.SYMBOL: _symbol,
    IdentifierKind.QUOTE: _quote,
    IdentifierKind.HANDLE: _handle,
    IdentifierKind.URL: _url,
}
