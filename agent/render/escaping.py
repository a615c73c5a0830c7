"""Text as markdown that reads as exactly this text where it stands: in a line, a code span, an address, a table's cell.

More is escaped than one parser needs: forges know marks that CommonMark does not.
"""

from __future__ import annotations

import re
from typing import Final

_BREAKS: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_MARKS: Final = re.compile(
    r"(?a)[\\`*\[\]<~]"
    r"|&(?=#?[0-9A-Za-z]{1,40};)"  # an entity
    r"|(?<![^\W_])_|_(?![^\W_])"  # between two letters it marks nothing
)
_OPENINGS: Final = re.compile(r"(?a)(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-[-\s]*$|=+\s*$|>|/[A-Za-z])|[0-9]{1,9}(?=[.)](?:\s|$))")
"""What stands before a mark that would begin a heading, a list, a rule or a quotation, or a command to the forge."""
_CLOSING_HASHES: Final = re.compile(r"(?:^|(?<=\s))(?=#+\s*$)")
_RUNS: Final = re.compile(r"`+")


def flat(text: str) -> str:
    """`text` on one line."""
    return _BREAKS.sub(" ", text)


def escaped(text: str) -> str:
    """`text` within a line."""
    return _MARKS.sub(_after_a_slash, flat(text))


def at_start(line: str) -> str:
    """A line of markdown as a paragraph of its own, whatever it begins with."""
    mark = _OPENINGS.match(line)
    return f"{mark[0]}\\{line[mark.end() :]}" if mark else line


def at_end(line: str) -> str:
    """A line of markdown so that a heading keeps the number signs at its end."""
    return _CLOSING_HASHES.sub(_after_a_slash, line, count=1)


def _after_a_slash(mark: re.Match[str]) -> str:
    return f"\\{mark[0]}"


def code(text: str) -> str:
    """`text` as inline code, whatever back ticks it holds."""
    text = flat(text)
    lengths = {len(run) for run in _RUNS.findall(text)}
    marks = "`" * next(length for length in range(1, len(lengths) + 2) if length not in lengths)
    edges = text[:1] + text[-1:]
    space = " " if "`" in edges or (edges == "  " and text.strip(" ")) else ""
    return f"{marks}{space}{text}{space}{marks}"


def address(text: str) -> str:
    """An address as where a link leads."""
    return re.sub(r"[\s<>()\\]", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text)


def linked(told: str, address_: str | None) -> str:
    """Markdown that leads to an address, where there is one."""
    return f"[{told}]({address(address_)})" if address_ else told


def cell(line: str) -> str:
    """A line of markdown within a table."""
    return line.replace("|", r"\|")
