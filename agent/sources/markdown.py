"""Markdown as evidence: optional front matter, the first heading as title, a key it already carries (Intent Changesets 6.7)."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any, Final

from agent.errors import InputFailure
from agent.sources import inputs

_KEY: Final = re.compile(r"(?:CVE-[0-9]{4}|[A-Z][A-Z0-9]{1,9})-[0-9]{1,7}(?![0-9A-Z])")
_NOT_KEYS: Final = frozenset({"AES", "ISO", "MD", "RSA", "SHA", "TLS", "UCS", "UTC", "UTF"})
"""Words that stand before a number without being anybody's tracker."""

_HEADING: Final = re.compile(r"#{1,6}[ \t]+(.*)")
_UNDERLINE: Final = re.compile(r"=+[ \t]*|-{2,}[ \t]*")
_FENCES: Final = ("```", "~~~")


def read(data: bytes, name: str) -> dict[str, Any]:
    r"""A decision (or what `kind` in the front matter says) in our own words; bytes that are no UTF-8 are shown as `\xNN`.

    Front matter may give `kind`, `key` or `id`, `url`, `title`, `labels` or `tags`, and `author`; other keys are not ours.

    Raises:
        InputFailure: the file is binary or its front matter is malformed.
    """
    if b"\0" in data:
        raise InputFailure("this is no text", where=name, cure="hand over UTF-8 text")
    lines = data.decode("utf-8-sig", "backslashreplace").splitlines()
    front, start = _front_matter(lines, name)
    title, body = _title_and_body(lines[start:])
    title = _first(front, name, "title") or title or PurePosixPath(name).stem
    return {
        "kind": _first(front, name, "kind") or "decision",
        "key": _first(front, name, "key", "id") or _key(PurePosixPath(name).stem.upper(), title),
        "url": _first(front, name, "url"),
        "title": title,
        "body": body,
        "labels": _labels(front),
        "author": front.get("author"),
    }


def _front_matter(lines: list[str], name: str) -> tuple[dict[str, Any], int]:
    """The mapping between the first line `---` and the next, and the index of the line after it."""
    if not lines or lines[0].rstrip() != "---":
        return {}, 0
    end = next((index for index, line in enumerate(lines[1:], 1) if line.rstrip() in {"---", "..."}), None)
    if end is None:
        raise InputFailure("the front matter has no end", where=f"{name}, line 1", cure="close it with a line `---`")
    text = "\n".join(lines[1:end])
    front = inputs.parse_yaml(text.encode(), name, first_line=2) if text.strip() else {}
    if not isinstance(front, dict):
        raise InputFailure("the front matter is no mapping", where=f"{name}, line 2")
    return front, end + 1


def _title_and_body(lines: list[str]) -> tuple[str, str]:
    """The first heading outside a code block, and the text without its line; no title when there is none."""
    fence = ""
    for index, line in enumerate(lines):
        mark = line.lstrip()[:3]
        if mark in _FENCES:
            fence = "" if fence == mark else fence or mark
        elif not fence and (title := _heading(line, lines[index + 1 : index + 2])):
            height = 1 if _HEADING.fullmatch(line) else 2
            return title, "\n".join(lines[:index] + lines[index + height :]).strip()
    return "", "\n".join(lines).strip()


def _heading(line: str, following: list[str]) -> str:
    if match := _HEADING.fullmatch(line):
        return match[1].strip().rstrip("#").rstrip()
    is_underlined = bool(following) and bool(_UNDERLINE.fullmatch(following[0]))
    return line.strip() if is_underlined else ""


def _key(*texts: str) -> str:
    """A key like `ADR-0042` with which one of the texts begins; a bare number gets no word put before it."""
    matches = (_KEY.match(text) for text in texts)
    return next((match[0] for match in matches if match and match[0].split("-")[0] not in _NOT_KEYS), "")


def _first(front: dict[str, Any], name: str, *keys: str) -> str:
    """The text under the first of `keys` that is there. A number is refused: `0042` has lost its zeros by now."""
    for key in keys:
        value = front.get(key)
        if isinstance(value, str):
            return value
        if value is not None:
            raise InputFailure(f"got {type(value).__name__} under {key!r}, expected text", where=name, cure="put it in quotes")
    return ""


def _labels(front: dict[str, Any]) -> object:
    """Labels as a list; tags are often written as one text with commas."""
    labels = front.get("labels") or front.get("tags")
    return [label.strip() for label in labels.split(",")] if isinstance(labels, str) else labels
