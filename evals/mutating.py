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
_DIGITS = re.compile(r"(?<![\w#.])\d+(?![\w.])|(?<=#)\d+")


def mutants(record: dict[str, Any], printed: str, seed: int, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kind and record of up to `count` mutants: swapped digits, an invented reference, and appended facts."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    every = [*_swapped(record, printed, chance), *_referenced(record, chance), *_appended(record, chance)]
    yield from every[:count]


def _swapped(record: dict[str, Any], printed: str, chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    for field in ("summary", "rationale"):
        for match in _DIGITS.finditer(record[field]):
            other = str(chance.randrange(10 ** len(match[0]), 10 ** (len(match[0]) + 1)))
            if other not in printed:
                changed = f"{record[field][: match.start()]}{other}{record[field][match.end() :]}"
                yield "swapped-digits", {**record, field: changed}
                break


def _referenced(record: dict[str, Any], chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    mutant = copy.deepcopy(record)
    mutant["provenance"].setdefault("issues", []).append(f"#{chance.randrange(700000, 900000)}")
    yield "reference", mutant


def _appended(record: dict[str, Any], chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind, form in chance.sample(_INVENTED, len(_INVENTED)):
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
