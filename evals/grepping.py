"""The independent check: every identifier of a draft stands, as characters, in what git prints. It uses no code of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHECKED = ("id", "summary", "rationale", "targets", "provenance", "relations", "disclosure")
_NAMED = re.compile(
    r"https?://\S+|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|[#!]\d+|[A-Z]{2,}-\d+|\b[0-9a-f]{7,64}\b|\bv?\d+(?:\.\d+)+\b|\b\d+\b|[\w.-]+/[\w./-]+|@\w[\w-]*"
    r"|\w+\.\w+\(?\)?|\w+_\w+|--\w[\w-]*|\b\w*[a-z][A-Z]\w*\b"
)
_PAGE = re.compile(r"https://github\.com/example/project/(?:pull|issues)/(\d+)")
_EDGES = "`.,;:!?)('\"* "


def not_found(record: dict[str, Any], printed: str, given: tuple[Path, ...]) -> tuple[str, ...]:
    """Identifiers of a record that stand neither in what git printed nor in the files a person gave (profile, rules, answers).

    An address of the profile's own repository stands for the number in it: `#12`.
    """
    known = "\n".join((printed, *(path.read_text("utf-8") for path in given if path.exists())))
    texts = (text for name in CHECKED for text in _texts(record.get(name)))
    return tuple(dict.fromkeys(name for text in texts for name in names(text) if name not in known))


def new_words(record: dict[str, Any], printed: str) -> tuple[str, ...]:
    """Words of summary and rationale that git does not print in any case: a draft by selection adds no word."""
    words = re.findall(r"\w+", " ".join(_texts([record.get("summary"), record.get("rationale")])))
    known = printed.casefold()
    return tuple(word for word in dict.fromkeys(words) if word.casefold() not in known)


def names(text: str) -> Iterator[str]:
    """The identifiers that a text names."""
    for found in _NAMED.finditer(text):
        name = found[0].strip(_EDGES)
        page = _PAGE.fullmatch(name)
        if name:
            yield f"#{page[1]}" if page else name


def _texts(value: object) -> Iterator[str]:
    """Every text leaf of a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def as_text(record: dict[str, Any]) -> str:
    """A record as JSON, which YAML 1.2 reads as it is."""
    return json.dumps(record, ensure_ascii=False, indent=1)
