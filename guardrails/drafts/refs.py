"""References by themselves: a path, a range that can be one, a sha, a note (Describe Changes: the reference object)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails import paths
from guardrails.drafts import register
from guardrails.findings import Code, Finding, Severity


def _rule(name: str, summary: str, cure: str, severity: Severity = Severity.ERROR) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Describe Changes: the reference object", severity=severity)


REF_PATH = _rule(
    "ref-path",
    "The path of a reference is not relative to the repository root, with forward slashes, as short as it can be.",
    "Write it as git does: src/db/pool.ts.",
)
REF_RANGE = _rule(
    "ref-range",
    "A range is no line number and no two of them in order.",
    "Write 41-78 or 22, counted from one; leave the range out rather than guess.",
)
REF_SHA = _rule(
    "ref-sha", "A sha is no object name.", "Write at least seven characters of the commit's object name, in small letters."
)
REF_WITHOUT_SHA = _rule(
    "ref-without-sha",
    "A range has no sha: it stops resolving after the next merge.",
    "Name the commit at which the range is valid.",
    Severity.WARNING,
)

PATH: Final = r"(?![/~])(?![A-Za-z]:)(?!(?:.*/)?\.{1,2}(?:/|$))(?!.*//)[^\x00-\x1f\x7f\\]*[^\x00-\x1f\x7f\\/]"
"""What a schema can say of a path."""
RANGE: Final = r"[1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?"
SHA: Final = r"[0-9a-f]{7,64}"
_RANGE: Final = re.compile(RANGE)
_SHA: Final = re.compile(SHA)


def check(where: str, path: str, range_: str | None, sha: str | None, note: str | None) -> Iterator[Finding]:
    """Every fault of one reference that is seen without evidence."""
    if paths.normal(path) != path:
        yield REF_PATH.at(f"{where}.path", "got no relative path in its shortest form, expected one such as src/db/pool.ts")
    if range_ is not None and not _is_range(range_):
        yield REF_RANGE.at(f"{where}.range", "got no range, expected a line number or two in order, such as 41-78")
    if sha is not None and not _SHA.fullmatch(sha):
        yield REF_SHA.at(f"{where}.sha", "got no object name, expected 7 to 64 hexadecimal digits in small letters")
    if range_ is not None and sha is None:
        yield REF_WITHOUT_SHA.at(where, "got a range without the commit at which it is valid")
    if note is not None:
        yield from register.note(f"{where}.note", note)


def _is_range(text: str) -> bool:
    first, _, last = text.partition("-")
    return _RANGE.fullmatch(text) is not None and int(first) <= int(last or first)
