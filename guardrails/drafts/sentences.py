r"""Sentences: the small markdown-aware splitter that drafts are cut and judged by (Describe Changes, one claim beside its ref).

Linear in the length of the text. Nothing is lost but white space and the marks of lists, headings, quotes and rules.
Limits: after an unknown abbreviation with a capital behind it a sentence is cut too early; before a small letter it is not cut.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter

from guardrails.evidence.code_spans import code_spans


class BlockKind(StrEnum):
    """What a block of text is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    TASK = "task"
    """A list item with a check box."""
    QUOTE = "quote"
    CODE = "code"
    TABLE = "table"
    COMMENT = "comment"
    """An HTML comment, as templates have them."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its text has no opening mark, and hard wraps are joined unless it is code, a table or a comment."""

    kind: BlockKind
    text: str


_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_RULE = re.compile(r"\s{0,3}(?:[-=*_] ?){3,}\s*")
_INDENTED = re.compile(r"(?: {4}|\t)")
_MARKS = (
    (BlockKind.HEADING, re.compile(r"\s{0,3}#{1,6}\s+")),
    (BlockKind.TASK, re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+\[[ xX]\](?=\s)")),
    (BlockKind.ITEM, re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+")),
    (BlockKind.QUOTE, re.compile(r"\s{0,3}>+\s?")),
    (BlockKind.TABLE, re.compile(r"\s{0,3}(?=\|)")),
)
_RUNS_ON = frozenset({BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.TASK, BlockKind.QUOTE})
_ALWAYS_NEW = frozenset({BlockKind.HEADING, BlockKind.ITEM, BlockKind.TASK})
_VERBATIM = frozenset({BlockKind.CODE, BlockKind.TABLE, BlockKind.COMMENT})

_STOP = re.compile("[.!?…。！？．｡]+[\"'’”»)\\]}」』）*_]*")
_WIDE_STOPS = frozenset("。！？．｡")
_ABBREVIATIONS = frozenset(
    word
    for line in (
        "e.g i.e eg ie cf vs viz al approx resp incl excl esp max min nr nos fig sec ch p pp vol ref refs",
        "dr mr mrs ms prof st jr sr jan feb mar apr jun jul aug sep sept oct nov dec",
        "z.b d.h u.a u.ä bzw ca evtl ggf inkl s.o s.u vgl sog usf p.ej p.ex ej sra núm pág c.-à-d",
    )
    for word in line.split()
)


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a markdown or plain text, in order; empty ones are dropped."""
    return tuple(Block(kind, joined) for kind, lines in _gathered(text) if (joined := _joined(kind, lines)))


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, in order. Headings, list items, code blocks, tables and comments never share one."""
    return tuple(sentence for block in blocks(text) for sentence in sentences_of(block))


def sentences_of(block: Block) -> tuple[str, ...]:
    """The sentences of one block; code, tables and comments are one unit each."""
    return (block.text,) if block.kind in _VERBATIM else tuple(_cut(block.text))


def word_count(text: str) -> int:
    """How many words with letters `text` has; in a script that writes no spaces two characters make one."""
    return sum(max(1, sum(map(_is_wide, word)) // 2) for word in text.split() if any(map(str.isalpha, word)))


def _gathered(text: str) -> Iterator[tuple[BlockKind, list[str]]]:
    kind, lines = BlockKind.PARAGRAPH, list[str]()
    for opened, new, line in _labelled(text):
        if new or opened is not kind:
            yield kind, lines
            kind, lines = opened, []
        lines.append(line)
    yield kind, lines


def _labelled(text: str) -> Iterator[tuple[BlockKind, bool, str]]:
    """Each line without its mark, its kind, and whether it opens a block."""
    before: BlockKind | None = None  # the kind that this line may continue; None after a blank line
    last = BlockKind.PARAGRAPH
    fence = ""
    for line, is_comment in _lines(text):
        stripped = line.strip()
        if fence:
            yield BlockKind.CODE, False, line
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                fence, before = "", None
        elif is_comment:
            yield BlockKind.COMMENT, stripped.startswith("<!--"), line
            before = None
        elif not stripped or _RULE.fullmatch(line):
            before = None
        elif (opening := _FENCE.match(line)) is not None:
            fence = opening[1]
            yield BlockKind.CODE, True, line
        else:
            last, marked, rest = _opened(line, before, last)
            yield last, before is None or (marked and last in _ALWAYS_NEW), rest
            before = last


def _opened(line: str, before: BlockKind | None, last: BlockKind) -> tuple[BlockKind, bool, str]:
    """The kind of a line, whether it has a mark of its own, and the line without it; a plain line continues what may run on."""
    for kind, pattern in _MARKS:
        if (mark := pattern.match(line)) is not None and mark.end() < len(line):
            return kind, True, line[mark.end() :]
    may_be_code = before is BlockKind.CODE or (before is None and last not in _ALWAYS_NEW)
    if may_be_code and _INDENTED.match(line):
        return BlockKind.CODE, False, line
    return (before if before in _RUNS_ON else BlockKind.PARAGRAPH), False, line


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """The lines of `text`, and whether they stand in an HTML comment, which may open and close inside a line."""
    at, code = 0, tuple(_code_with_comments(text))
    while at < len(text):
        opened = text.find("<!--", at)
        while opened >= 0 and (end := _end_of_code(opened, code)):
            opened = text.find("<!--", end)
        opened = len(text) if opened < 0 else opened
        yield from ((line, False) for line in text[at:opened].splitlines())
        closed = text.find("-->", opened)
        at = len(text) if closed < 0 else closed + len("-->")
        yield from ((line, True) for line in text[opened:at].splitlines())


def _code_with_comments(text: str) -> Iterator[tuple[int, int]]:
    """Where the code spans stand in lines that have something like a comment in them."""
    start = 0
    for line in text.splitlines(keepends=True) if "<!--" in text and "`" in text else ():
        if "<!--" in line:
            yield from ((start + span.start, start + span.end) for span in code_spans(line))
        start += len(line)


def _end_of_code(at: int, code: tuple[tuple[int, int], ...]) -> int:
    """Where the code span ends that `at` stands in; 0 where it stands in none."""
    place = bisect_right(code, at, key=itemgetter(0)) - 1
    return code[place][1] if place >= 0 and at < code[place][1] else 0


def _joined(kind: BlockKind, lines: list[str]) -> str:
    """Verbatim kinds keep their lines; in the others a hard wrap is a space, or nothing between scripts without spaces."""
    if kind in _VERBATIM:
        return "\n".join(line.rstrip() for line in lines).strip("\n")
    parts: list[str] = []
    for line in filter(None, (" ".join(line.split()) for line in lines)):
        if parts and not (_is_unspaced(parts[-1][-1]) and _is_unspaced(line[0])):
            parts.append(" ")
        parts.append(line)
    return "".join(parts)


def _is_unspaced(character: str) -> bool:
    """Whether the script of `character` writes no spaces between words (Hangul does)."""
    return _is_wide(character) and not "\uac00" <= character <= "\ud7a3"


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _cut(text: str) -> Iterator[str]:
    spans = code_spans(text)
    span = next(spans, None)
    start = 0
    for stop in _STOP.finditer(text):
        while span is not None and span.end <= stop.start():
            span = next(spans, None)
        in_code = span is not None and span.start <= stop.start()
        if not in_code and _ends(text, start, stop):
            yield text[start : stop.end()].strip()
            start = stop.end()
    if rest := text[start:].strip():
        yield rest


def _ends(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a run of stops ends a sentence that began at `start`."""
    if stop[0][0] in _WIDE_STOPS:
        return True
    following = text[stop.end() : stop.end() + 2]
    if not following.strip():
        return True
    if not following[0].isspace() or following[1].islower():
        return False
    if not stop[0].startswith(".") or stop[0].startswith(".."):
        return True
    begin = max(start, text.rfind(" ", start, stop.start()) + 1)
    token = text[begin : stop.start()].lstrip("(\"'[*_")
    is_initial = len(token) == 1 and token.isupper()
    opens_a_list = token.isdecimal() and begin <= start + 1
    return not (is_initial or opens_a_list or token.casefold() in _ABBREVIATIONS)
