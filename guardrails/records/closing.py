"""The issues that GitHub itself ties to a request: its closing words right before a number or an address (Describe Changes:
relations).

Only what a reader of the page sees counts: what stands in code or in a comment of a template ties nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails import markdown
from guardrails.evidence.code_spans import code_spans
from guardrails.markdown import BlockKind

LONGEST: Final = 65_536
"""No body on GitHub has more characters."""
_SHOWN: Final = frozenset({BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CELL})
_WORD: Final = r"(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]{1,4}"
_PLACE: Final = r"(?P<place>[\w.-]{1,100}/[\w.-]{1,100})"
_ADDRESS: Final = rf"https?://[\w.-]{{1,253}}/{_PLACE.replace('place', 'path')}/issues/(?P<last>\d{{1,10}})"
_TIED: Final = re.compile(rf"{_WORD}(?:(?:{_PLACE}?#|GH-)(?P<number>\d{{1,10}})|{_ADDRESS})(?!\w)", re.IGNORECASE)


def tied(body: str, repository: str) -> tuple[str, ...]:
    """The keys of the issues that a request's body ties to it, each once: "#7" in `repository`, else "owner/name#7"."""
    shown = (block for block in markdown.outline(body[:LONGEST]) if block.kind in _SHOWN)
    return tuple(dict.fromkeys(key for block in shown for key in _keys(_seen(block.text), repository)))


def qualified(number: int | str, place: str, repository: str) -> str:
    """How an issue of `place` ("owner/name", "" for the same) is cited from `repository`."""
    elsewhere = place and place.casefold() != repository.casefold()
    return f"{place if elsewhere else ''}#{number}"


def _seen(text: str) -> str:
    """A block's text, with a mark in place of each code span and comment, so that no word meets a number across it."""
    kept, done = [], 0
    for span in code_spans(text):
        kept.append(text[done : span.start])
        done = span.end
    first, *rest = "\0".join((*kept, text[done:])).split("<!--")
    return "\0".join((first, *(piece.partition("-->")[2] for piece in rest)))


def _keys(text: str, repository: str) -> Iterator[str]:
    for match in _TIED.finditer(text):
        yield qualified(match["number"] or match["last"], match["place"] or match["path"] or "", repository)
