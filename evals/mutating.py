"""Mutants of an honest draft, one invented fact each: what the gate has to catch."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from typing import Any

_INVENTED = (
    ("number", " (#{n})"),
    ("issue-key", " for ZQX-{n}"),
    ("version", " since {m}.{k}.97"),
    ("sha", " after commit {sha}"),
    ("path", " in src/zq{k}/gadget.py"),
    ("code", " through `zqFrob{k}`"),
    ("symbol", " with zq_frobnicate_{k}()"),
    ("flag", " with --zq-frob-{k}"),
    ("url", " as in https://zq{k}.example.org/notes"),
    ("quantity", " by {q} percent"),
    ("advisory", " against CVE-2031-{n}"),
    ("handle", " thanks to @zqperson{k}"),
    ("person", ", reported by Zaqwina"),
    ("date", " on 2031-0{d}-17"),
    ("quote", ' known as "the zq frob number {k}"'),
)
_FROM_TO = re.compile(r"\bfrom (\S+) to (\S+)")
_NOT = re.compile(r" (?:do|does|did|is|are|was|were|can)? ?(?:not|never|no longer)\b")
_DIGITS = re.compile(r"(?<![\w#.])\d+(?![\w.])|(?<=#)\d+")


def mutants(record: dict[str, Any], printed: str, seed: str, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kind and record of up to `count` mutants: changed words first, then decisions and appended facts at random."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    changed = (*_swapped(record, printed, chance), *_turned(record), *_denied(record))
    others = [*_decided(record, chance), *_referenced(record, chance), *_appended(record, chance)]
    chance.shuffle(others)
    yield from (*changed, *others)[:count]


def _swapped(record: dict[str, Any], printed: str, chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    for field in ("summary", "rationale"):
        for match in _DIGITS.finditer(record[field]):
            other = str(chance.randrange(10 ** len(match[0]), 10 ** (len(match[0]) + 1)))
            if other not in printed:
                changed = f"{record[field][: match.start()]}{other}{record[field][match.end() :]}"
                yield "swapped-digits", {**record, field: changed}
                break


def _turned(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for field in ("summary", "rationale"):
        match = _FROM_TO.search(record[field])
        if match is not None and match[1] != match[2]:
            turned = f"{record[field][: match.start()]}from {match[2]} to {match[1]}{record[field][match.end() :]}"
            yield "turned", {**record, field: turned}


def _denied(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for field in ("summary", "rationale"):
        if _NOT.search(record[field]):
            yield "denied", {**record, field: _NOT.sub("", record[field], count=1)}


def _decided(record: dict[str, Any], chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Another word of the vocabulary in a decision, or another id."""
    name, words = chance.choice((("type", ("feature", "fix", "internal")), ("impact", ("none", "patch", "minor"))))
    mutant = copy.deepcopy(record)
    target = mutant["targets"][0]
    target[name] = chance.choice([word for word in words if word != target[name]])
    yield name, mutant
    yield "id", {**record, "id": f"zq-{chance.randrange(731, 999)}"}


def _referenced(record: dict[str, Any], chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    mutant = copy.deepcopy(record)
    mutant["provenance"].setdefault("issues", []).append(f"#{chance.randrange(700000, 900000)}")
    yield "reference", mutant


def _appended(record: dict[str, Any], chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind, form in _INVENTED:
        field = chance.choice(("summary", "rationale"))
        facts = {
            "n": chance.randrange(700000, 900000),
            "m": chance.randrange(71, 99),
            "k": chance.randrange(731, 999),
            "q": chance.randrange(101, 9999) / 10,
            "d": chance.randrange(1, 9),
            "sha": f"{chance.randrange(16**9, 16**10):x}a",
        }
        text = record[field].rstrip()
        stop = text[-1] if text[-1] in ".!?" else ""
        yield kind, {**record, field: f"{text.removesuffix(stop)}{form.format(**facts)}{stop}"}
