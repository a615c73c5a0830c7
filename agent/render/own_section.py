"""The section of a body that is ours, between two marker lines; every other byte is its author's (evidraft).

A marker counts as a whole line outside code. Who quotes one in a code block has written about us, not for us.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from guardrails import markdown

BEGIN: Final = "<!-- evidraft:begin -->"
END: Final = "<!-- evidraft:end -->"

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BREAK: Final = re.compile(r"\r\n|\r|\n")
_MARK: Final = "\ufeff"
_ONE_PAIR: Final = "leave one pair of marker lines, or none"


class SectionFault(ValueError):
    """Why our section cannot be told from the rest: `what`, in which line (0: none), and what to do about it."""

    def __init__(self, what: str, line: int, cure: str = _ONE_PAIR) -> None:
        """Keep the three apart, for whoever knows what the body is called."""
        super().__init__(f"line {line}: {what}" if line else what)
        self.what = what
        self.line = line
        self.cure = cure


@dataclass(frozen=True, slots=True)
class _Section:
    """The indices of the two marker lines."""

    begin: int
    end: int


def replace(body: bytes, ours: str) -> bytes:
    """`body` with `ours` between our markers: in the place of what stood there, or in a new section at the end.

    Line breaks of ours become those of the body. All other bytes are kept. Doing it twice changes nothing more.

    Raises:
        SectionFault: markers are missing, turned round, nested or repeated; the body ends inside code; it is no text.
    """
    if b"\0" in body:
        raise SectionFault("got a NUL, expected text", 0, "hand over a body in UTF-8")
    text = body.decode("utf-8", "surrogateescape")
    lines = _LINE.findall(text)
    found = _only(lines)
    newline = _newline(lines[found.begin] if found else text)
    told = _BREAK.sub(newline, f"\n{ours.strip()}\n\n" if ours.strip() else "")
    if found:
        new = "".join((*lines[: found.begin + 1], told, *lines[found.end :]))
    else:
        new = f"{text}{_gap(text, newline)}{BEGIN}{newline}{told}{END}{newline if _is_whole(text) else ''}"
    _require_ours(new, told)
    return new.encode("utf-8", "surrogateescape")


def without(body: str) -> str:
    """`body` without our sections: what we wrote is no evidence for what we write.

    Where the markers make no sense, nothing from the first of them on counts. It never fails: anybody can write a marker.
    """
    lines = _LINE.findall(body)
    kept, done = [], 0
    try:
        for section in _sections(lines):
            kept += lines[done : section.begin]
            done = section.end + 1
    except SectionFault:
        first = next(index for index, _ in _markers(lines))
        return "".join(lines[:first])
    return "".join((*kept, *lines[done:]))


def _sections(lines: list[str]) -> Iterator[_Section]:
    """Each pair of markers, in order."""
    begin: int | None = None
    for index, marker in _markers(lines):
        if marker == BEGIN and begin is not None:
            raise SectionFault("our section begins again before it has ended", index + 1)
        if marker == END and begin is None:
            raise SectionFault("our section ends before it has begun", index + 1)
        if begin is not None:
            yield _Section(begin, index)
        begin = index if marker == BEGIN else None
    if begin is not None:
        raise SectionFault("our section has no end", begin + 1)


def _markers(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines that are a marker and nothing else, outside code."""
    told = [(index, line.strip(" \t\r\n")) for index, line in enumerate(lines)]
    marked = [(index, text.removeprefix(_MARK if index == 0 else "")) for index, text in told if END in text or BEGIN in text]
    if marked:
        code = _code(lines)
        yield from ((index, text) for index, text in marked if text in {BEGIN, END} and index not in code)


def _code(lines: list[str]) -> set[int]:
    """The lines of fenced and indented code, wherever it stands. Bytes that are no text count as any character."""
    tree = markdown.skeleton("".join(lines).encode("utf-8", "replace").decode())
    found = (node for node in tree.walk() if node.type in {"fence", "code_block"})
    return {line for node in found if node.map for line in range(*node.map)}


def _only(lines: list[str]) -> _Section | None:
    first, *more = (*_sections(lines), None)
    if first and more[0]:
        raise SectionFault("there is a second section of ours", more[0].begin + 1)
    return first


def _newline(text: str) -> str:
    found = _BREAK.search(text)
    return found[0] if found else "\n"


def _is_whole(text: str) -> bool:
    """Whether the last line has its end."""
    return not text or text[-1] in "\r\n"


def _gap(text: str, newline: str) -> str:
    """What makes a blank line between the end of `text` and what follows; nothing where it says nothing."""
    if not text.strip(f"{_MARK} \t\r\n"):
        return "" if _is_whole(text) or text == _MARK else newline
    ends = _BREAK.findall(text[len(text.rstrip("\r\n")) :])
    return newline * max(0, 2 - len(ends))


def _require_ours(new: str, told: str) -> None:
    """What was written is read as our section again: code that nothing closes would hide the markers of ours."""
    lines = _LINE.findall(new)
    found = _only(lines)
    if found is None or "".join(lines[found.begin + 1 : found.end]) != told:
        raise SectionFault("the body ends inside code that nothing closes", 0, "close the code block")
