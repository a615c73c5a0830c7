"""The independent check of form: what the contract says of kinds, texts, order and null, by patterns of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from evals.placing import changes
from evals.shown import Envelope, Shown

KINDS = ("feature", "bug_fix", "improvement", "security", "ops", "docs", "breaking")
_RELATIONS = ["reporter", "request", "ticket"]
_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1")
_TAG = r"<(?:/?[a-zA-Z][\w-]*(?:\s+[\w:][^<>]*)?\s*/?>|!--)"
_MARKUP = re.compile(rf"\*\*\S.*\*\*|^\s*[-*#>] |\]\(|{_TAG}|^\s|\n")
_MEDIUM = re.compile(
    r"(`+)[^`]+\1|\b[a-z]\w*\.(?:py|js|ts|rs|go|java|md|toml|json|yml|yaml|sql|xml)\b|\w\(\)|\b[a-z]+_[a-z]+\b|\b\w+::\w+"
)
_SLASHED = re.compile(r"[\w.-]+(?:/[\w.-]+){2,}")
_FOLDERS = frozenset({"bin", "lib", "src", "etc", "usr", "test", "tests", "docs", "node_modules", "vendor"})
_PAGE = re.compile(r"<[a-zA-Z/!][^>`]*>|see the diff|\bTODO\b|\.\.\.$|…$", re.IGNORECASE)
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PERSON = re.compile(r"\[?(?:redacted|person-\d)", re.IGNORECASE)


def broken(envelope: Envelope, shown: Shown) -> tuple[str, ...]:
    """Rules that an envelope breaks, each with the text. Of a partial one only what is there is judged."""
    faults = [fault for change in changes(envelope) for rule in (_case, _paths) for fault in rule(change, shown)]
    faults += [fault for change in changes(envelope) for fault in _change(change)]
    if shown.repository is None:
        degraded = ("detail_md is not null", "refs are not empty")
        values = [(change.get("detail_md"), change.get("refs")) for change in changes(envelope)]
        faults += [words for pair in values for words, value in zip(degraded, pair, strict=True) if value]
    return (*faults, *_order(envelope), *_summary(envelope))


def _change(change: dict[str, Any]) -> Iterator[str]:
    title, short, medium, page = (change.get(name) or "" for name in ("title", "short_md", "medium_md", "detail_md"))
    if change.get("kind", KINDS[0]) not in KINDS:
        yield f"kind {change['kind']}"
    if len(title) >= 80 or _MARKUP.search(_CODE.sub("", title)):
        yield f"title {title}"
    if len(short) > 140 or _MARKUP.search(_CODE.sub("", short)):
        yield f"short {short}"
    if _MEDIUM.search(medium) or "\n" in medium:
        yield f"medium {medium}"
    yield from (f"page {line}" for line in page.split("\n") if _PAGE.search(_CODE.sub("", line)))
    yield from (f"redacted {text}" for text in (title, short, medium, page) if _PERSON.search(text))
    if page and not change.get("refs", True):
        yield "a page without refs"
    if "relations" in change and sorted(change["relations"]) != _RELATIONS:
        yield f"relations {change['relations']}"


def _case(change: dict[str, Any], shown: Shown) -> Iterator[str]:
    """A title begins with a small letter only where its first word is a name: one of a path or of code."""
    first = change.get("title", "").split(" ")[0].rstrip(",:")
    if re.fullmatch(r"(?:re-?|un-?)?[a-z]+", first) and not re.search(rf"[/.`_-]{first}\b|\b{first}[/.`_-]", shown.printed):
        yield f"title {change['title']}"


def _paths(change: dict[str, Any], shown: Shown) -> Iterator[str]:
    """A medium text names no path that git shows, and none with a folder of the usual names; words may have slashes."""
    for told in _SLASHED.findall(change.get("medium_md") or ""):
        if not _FOLDERS.isdisjoint(told.split("/")[:-1]) or f" b/{told.rstrip('.')}" in shown.printed:
            yield f"medium {change['medium_md']}"


def _order(envelope: Envelope) -> Iterator[str]:
    ranks = [{"breaking": 0, "security": 1}.get(item["kind"], 2) for item in envelope.get("items", ()) if "kind" in item]
    if ranks != sorted(ranks):
        yield "items out of order"


def _summary(envelope: Envelope) -> Iterator[str]:
    summary = envelope.get("summary", {})
    if len(summary.get("title", "")) >= 80 or len(summary.get("short_md", "")) > 140:
        yield f"summary {summary}"
    if not set(summary) <= {"title", "short_md", "medium_md"}:
        yield f"summary has {sorted(summary)}"
    counts = [_number(word) for word in re.findall(r"(?:^|[:,] )(\w+) ", summary.get("short_md", ""))]
    if counts and (counts[0] != len(envelope.get("items", ())) or counts[0] != sum(counts[1:])):
        yield f"counts {summary['short_md']}"


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _COUNTS.index(word.lower())
