"""Results are printed without secrets, and with every name that is made of digits and letters alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import pytest

from guardrails.redaction import masking
from guardrails.redaction.secrets import Span

SECRET: Final = "hunter2-hunter2"  # noqa: S105 - made up
DIGEST: Final = f"sha256:{'ab' * 32}"
OTHER: Final = "1d3e5f7a9b" * 4
OBJECT: Final = "0f7cbb" * 6 + "0f7c"


class Finding:
    """Finds one word, and everything that looks like a digest, by a rule of that kind."""

    version = "made up"

    def __init__(self, rule: str = "some-token") -> None:
        self.rule = rule

    def find(self, data: bytes) -> list[Span]:
        return [Span(*one.span(), self.rule) for one in re.finditer(rb"hunter2-hunter2|[0-9a-f]{40,64}", data)]


class Word(StrEnum):
    """A word of ours."""

    OURS = "hunter2-hunter2"


@dataclass(frozen=True)
class Held:
    """A value with a text, a number and others like it."""

    text: str
    number: int = 1
    inner: tuple[Held, ...] = ()
    word: Word = Word.OURS
    lack: str | None = None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (SECRET, "[secret]"),
        (f"a {SECRET} b {SECRET}", "a [secret] b [secret]"),
        ([SECRET, 1, None, True], ["[secret]", 1, None, True]),
        ((SECRET, ("x", SECRET)), ("[secret]", ("x", "[secret]"))),
        ({"a": {"b": [SECRET]}}, {"a": {"b": ["[secret]"]}}),
        (frozenset({SECRET}), frozenset({"[secret]"})),
        (Held(SECRET, inner=(Held("x"), Held(SECRET))), Held("[secret]", inner=(Held("x"), Held("[secret]")))),
        (Word.OURS, Word.OURS),
    ],
)
def test_a_secret_is_masked_wherever_a_value_holds_it(value: object, shown: object) -> None:
    assert masking.masked(value, Finding()) == shown
    assert masking.masked(shown, Finding()) == shown


def test_a_value_without_a_secret_is_the_very_value() -> None:
    value = Held("x", inner=(Held("y"),))
    assert masking.masked(value, Finding()) is value


@pytest.mark.parametrize(
    "name",
    [
        DIGEST,
        DIGEST.removeprefix("sha256:"),
        OBJECT,
        f"git:{OBJECT}:{DIGEST}",
        f"call-site:{'0f' * 32}:{'1e' * 32}:2",
        f"symbol:{'0f' * 32}",
    ],
)
@pytest.mark.parametrize("rule", ["some-token", "assigned-secret"])
def test_digests_object_names_and_ids_of_facts_are_no_secrets(name: str, rule: str) -> None:
    assert masking.masked([name, SECRET], Finding(rule))[0] == name


def test_a_digest_within_a_text_stays_and_an_object_name_does_where_the_value_names_it() -> None:
    told = masking.masked({"commit": OBJECT, "text": f"got {DIGEST} at {OBJECT}, {OTHER} and {SECRET}"}, Finding())
    assert told["text"] == f"got {DIGEST} at {OBJECT}, [secret] and [secret]"
