"""How each text of an envelope is written: its length, its markup, its words (Describe Changes: field rules).

Nothing here needs evidence. Lengths are code points of the composed form. Findings tell places and never quote the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from typing import Final

from guardrails.drafts import code_words, titles
from guardrails.drafts.sentences import sentences
from guardrails.findings import Code, Finding, Severity
from guardrails.markdown import MAX_LENGTH, Block, BlockKind, InlineKind, blocks, inlines
from guardrails.wording.placeholders import is_placeholder
from guardrails.wording.words import words

TITLE_MAX: Final = 79
SHORT_MAX: Final = 140
NOTE_MAX: Final = 120


def _rule(name: str, summary: str, cure: str, severity: Severity = Severity.ERROR) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Describe Changes: field rules", severity=severity)


TEXT_BLANK = _rule("text-blank", "A text says nothing.", "Write the text; where there was no diff, use null.")
TEXT_LINES = _rule(
    "text-not-one-line",
    "A text of one line has line ends in it, or blanks around it.",
    "Write it as one line without blanks at its ends.",
)
PLACEHOLDER_TEXT = _rule(
    "placeholder-text", "The text stands for words that are not there.", "Write the text, or leave the field open."
)
MARKUP = _rule(
    "markup-not-allowed",
    "A text holds markup that its field does not allow.",
    "Write plain words and inline code; put names of code and anything with angle brackets in back ticks.",
)
TITLE_LENGTH = _rule(
    "title-too-long", f"A title has more than {TITLE_MAX} characters.", "Name the change in fewer words; short_md can say more."
)
TITLE_CASE = _rule(
    "title-case",
    "A title is not in sentence case.",
    "Begin it with a capital, and write the words after it as in a sentence.",
)
TITLE_BRANCH = _rule("title-branch-name", "A title is the name of a branch.", "Say in words what is different.")
SHORT_LENGTH = _rule(
    "short-too-long",
    f"A short text has more than {SHORT_MAX} characters.",
    "Keep what a reader must know; medium_md can say more.",
)
MEDIUM_PARAGRAPH = _rule(
    "medium-not-one-paragraph", "A medium text is more, or something else, than one paragraph.", "Write one paragraph."
)
MEDIUM_CODE = _rule("medium-code", "A medium text holds code.", "Say in the words of those who use the product what it does.")
MEDIUM_PATH = _rule("medium-path", "A medium text names a file.", "Say what the file is for, as users know it.")
MEDIUM_SYMBOL = _rule(
    "medium-symbol",
    "A medium text names a function or another symbol of the code.",
    "Say in the words of those who use the product what it does.",
)
PAGE_UNREADABLE = _rule(
    "page-unreadable",
    "A text has a fence that nothing closes, or is longer, or nested deeper, than anyone reads.",
    "Close the fence; use fewer levels; say less.",
)
NOTE_CLAUSE = _rule(
    "note-not-one-clause",
    "A note says more than one clause.",
    "Say in a few words what is at that place; the page can say the rest.",
    Severity.WARNING,
)

_LINE_READ: Final = 2_000
"""Longer than this a text of one line is only told to be too long."""
_NOTHING: Final = words("none null nil na nothing undefined empty")
_BULLET: Final = re.compile(r"[-*+•‣◦·▪–—]\s")
_LINE_BREAK: Final = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CLAUSES: Final = re.compile(r";\s")
_HIDDEN: Final = {InlineKind.HTML, InlineKind.IMAGE}
_UNREADABLE: Final = {
    BlockKind.UNCLOSED: "a fence that nothing closes",
    BlockKind.TOO_DEEP: "more levels or brackets than are read",
}
_ONE_LINE: Final = frozenset({BlockKind.PARAGRAPH})
_PAGE: Final = frozenset(BlockKind) - {BlockKind.HTML} - _UNREADABLE.keys()


@dataclass(frozen=True, slots=True)
class _Allowed:
    """The markup that a field may have."""

    blocks: Collection[BlockKind]
    inlines: Collection[InlineKind]
    lists: bool = False


_LINE: Final = _Allowed(_ONE_LINE, frozenset(InlineKind) - _HIDDEN)
_SHORT: Final = _Allowed(_ONE_LINE, frozenset({InlineKind.TEXT, InlineKind.CODE, InlineKind.BREAK}))
_MEDIUM: Final = _Allowed(frozenset(BlockKind) - {BlockKind.HTML}, frozenset(InlineKind) - _HIDDEN, lists=True)
_DETAIL: Final = _Allowed(_PAGE | _UNREADABLE.keys(), frozenset(InlineKind) - _HIDDEN, lists=True)


def title(where: str, text: str) -> Iterator[Finding]:
    """Under 80 characters, in sentence case, no branch name, one line."""
    yield from _length(TITLE_LENGTH, where, text, TITLE_MAX)
    if len(text) > _LINE_READ:
        return
    yield from _line(where, text, blocks(text), _LINE)
    if titles.is_branch_name(text.strip()):
        yield TITLE_BRANCH.at(where, "got the name of a branch, expected words")
    elif (small := titles.begins_small(text)) is not False:
        yield TITLE_CASE.at(where, "got a small letter first, expected a capital", severity=_certain(small))
    elif (large := titles.is_title_case(text)) is not False:
        yield TITLE_CASE.at(where, "got Every Word in capitals, expected sentence case", severity=_certain(large))


def short(where: str, text: str) -> Iterator[Finding]:
    """At most 140 characters, one line, no markup but inline code."""
    yield from _length(SHORT_LENGTH, where, text, SHORT_MAX)
    if len(text) > _LINE_READ:
        return
    found = blocks(text)
    yield from _line(where, text, found, _SHORT)
    if _BULLET.match(text) and found and not found[0].within:
        yield MARKUP.at(where, "got a bullet first, expected words")


def medium(where: str, text: str) -> Iterator[Finding]:
    """One paragraph for those who use the product: no code, no path, no symbol."""
    found = yield from _read(where, text)
    yield from _said(where, text, found)
    yield from _markup(where, found, _MEDIUM)
    if found and ([block.kind for block in found] != [BlockKind.PARAGRAPH] or found[0].within):
        yield MEDIUM_PARAGRAPH.at(where, f"got {len(found)} blocks or a list, expected one paragraph")
    if any(piece.kind is InlineKind.CODE for piece in inlines(found)) or any(block.kind is BlockKind.CODE for block in found):
        yield MEDIUM_CODE.at(where, "got code, expected words that users know")
    plain = "\n".join(_without_code(block) for block in found)
    yield from _first(MEDIUM_PATH, where, "a path", code_words.path_places(plain))
    yield from _first(MEDIUM_SYMBOL, where, "a name of code", code_words.symbol_places(plain))


def detail(where: str, text: str) -> Iterator[Finding]:
    """A markdown page: headings, lists, fences, tables; no HTML, no image, nothing that stands for words."""
    found = yield from _read(where, text)
    yield from _said(where, text, found)
    yield from _markup(where, found, _DETAIL)
    for block in found:
        if block.kind in _UNREADABLE:
            yield PAGE_UNREADABLE.at(where, f"got {_UNREADABLE[block.kind]} at line {block.line}")


def note(where: str, text: str) -> Iterator[Finding]:
    """One line, at most one clause."""
    if len(text) <= _LINE_READ:
        yield from _line(where, text, blocks(text), _LINE)
    sentence_count = len(sentences(text[:_LINE_READ]))
    if sentence_count > 1:
        yield NOTE_CLAUSE.at(where, f"got {sentence_count} sentences, expected one clause", severity=Severity.ERROR)
    elif _CLAUSES.search(text):
        yield NOTE_CLAUSE.at(where, "got a semicolon, expected one clause")
    elif len(text) > NOTE_MAX:
        yield NOTE_CLAUSE.at(where, f"got {len(text)} characters, expected one clause of at most {NOTE_MAX}")


def length(text: str) -> int:
    """How many characters a text has: the code points of its composed form (NFC)."""
    return len(unicodedata.normalize("NFC", text))


def is_empty(text: str) -> bool:
    """Whether a text has no letter and no digit, or says that there is nothing: "", "-", "N/A"."""
    bare = "".join(filter(str.isalnum, text)).casefold()
    return not bare or bare in _NOTHING


def _read(where: str, text: str) -> Generator[Finding, None, tuple[Block, ...]]:
    """The blocks of a text of several lines; none of one that is too long."""
    if len(text) <= MAX_LENGTH:
        return blocks(text)
    yield PAGE_UNREADABLE.at(where, f"got {len(text)} characters, expected at most {MAX_LENGTH}")
    return ()


def _certain(certain: bool | None) -> Severity:
    return Severity.ERROR if certain else Severity.WARNING


def _length(code: Code, where: str, text: str, most: int) -> Iterator[Finding]:
    if (got := length(text)) > most:
        yield code.at(where, f"got {got} characters, expected at most {most}")


def _line(where: str, text: str, found: tuple[Block, ...], allowed: _Allowed) -> Iterator[Finding]:
    """What holds for every text of one line."""
    if _LINE_BREAK.search(text) or text != text.strip():
        yield TEXT_LINES.at(where, "got line ends or blanks around it, expected one line")
    yield from _said(where, text, found)
    yield from _markup(where, found, allowed)


def _said(where: str, text: str, found: tuple[Block, ...]) -> Iterator[Finding]:
    """A text says something, and none of its sentences only stands for others."""
    if is_empty(text):
        yield TEXT_BLANK.at(where, "got nothing, expected words")
    elif any(map(is_placeholder, dict.fromkeys((text, *_sentences(found))))):
        yield PLACEHOLDER_TEXT.at(where, "got a placeholder, expected text")


def _sentences(found: tuple[Block, ...]) -> Iterator[str]:
    """The sentences of paragraphs and items; a heading or a cell may be a single word such as "Description"."""
    for block in found:
        if block.kind is BlockKind.PARAGRAPH:
            yield from sentences(_without_code(block))


def _markup(where: str, found: tuple[Block, ...], allowed: _Allowed) -> Iterator[Finding]:
    kinds = {block.kind.value for block in found if block.kind not in allowed.blocks}
    kinds |= {piece.kind.value for piece in inlines(found) if piece.kind not in allowed.inlines}
    kinds |= {container.kind.value for block in found for container in block.within if not allowed.lists}
    for kind in sorted(kinds):
        yield MARKUP.at(where, f"got markup of kind {kind}, which this field may not have")


def _first(code: Code, where: str, what: str, places: Iterator[int]) -> Iterator[Finding]:
    place = next(places, None)
    if place is not None:
        yield code.at(where, f"got {what} at character {place + 1}, expected words that users know")


def _without_code(block: Block) -> str:
    """What a block says, with a mark in place of each code span."""
    return "".join("`code`" if piece.kind is InlineKind.CODE else piece.text for piece in block.inlines)
