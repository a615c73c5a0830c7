"""Answers: values as people type them, paths as the record has them, nothing settled silently."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import InputFailure, UsageFailure
from agent.sources import answers
from guardrails.evidence.model import AnswerValue

VALUES = {
    "patch": "patch",
    " patch ": "patch",
    "null": None,
    "~": None,
    "true": True,
    "no": "no",
    "42": 42,
    "-1.5": -1.5,
    "'42'": "42",
    '"a\\nb"': "a\nb",
    "[]": [],
    "[operators, 'end users']": ["operators", "end users"],
    "https://github.com/example/payments/pull/12": "https://github.com/example/payments/pull/12",
    "Fix: resume #12 after a restart": "Fix: resume #12 after a restart",
    "*not an alias": "*not an alias",
    "!not-a-tag": "!not-a-tag",
    "{not: a map": "{not: a map",
    "two\nlines": "two\nlines",
    "a=b": "a=b",
    "größer": "größer",
}


@pytest.mark.parametrize(("text", "value"), VALUES.items())
@pytest.mark.requirement("AI-1")
def test_a_value_is_a_yaml_word_or_list_and_prose_stays_as_it_stands(text: str, value: AnswerValue) -> None:
    (answer,) = answers.read([f"summary={text}"])
    assert answer.value == value
    assert type(answer.value) is type(value)


REFUSED = {
    "no equals sign": ["summary"],
    "no field": ["=x"],
    "empty value": ["summary= "],
    "field in capitals": ["Summary=x"],
    "empty step": ["targets..impact=x"],
    "position without number": ["targets[].impact=x"],
    "negative position": ["targets[-1].impact=x"],
    "long field": ["a" * 300 + "=x"],
    "open list": ["summary=[a"],
    "open quote": ["summary='a"],
    "text after a quote": ["summary='a' b"],
    "alias in a list": ["summary=[*a]"],
    "not a number": ["summary=.nan"],
    "infinite": ["summary=[.inf]"],
    "not UTF-8": ["summary=a \udcff"],
    "two answers": ["summary=a", "summary=b"],
    "two types": ["summary=1", "summary=true"],
    "too many": [f"x[{number}].a=1" for number in range(1000)] + ["y=1"],
}


@pytest.mark.parametrize("flags", REFUSED.values(), ids=REFUSED)
def test_a_malformed_flag_is_a_usage_failure(flags: list[str]) -> None:
    with pytest.raises(UsageFailure):
        answers.read(flags)


def test_answers_are_numbered_named_and_digested_by_content() -> None:
    one, two = answers.read(["targets[0].impact=patch", "provenance.issues=[DEVELOP-219]"])
    assert (one.id, one.path, one.locator) == ("A1", "targets[0].impact", "answer:targets[0].impact")
    assert (two.id, two.path) == ("A2", "provenance.issues")
    assert one.digest == answers.read(["summary=x", "targets[0].impact='patch'"])[1].digest
    assert one.digest != answers.read(["targets[1].impact=patch"])[0].digest
    assert not one.accepted
    assert "patch" not in repr(one)


def test_the_same_answer_twice_is_one_answer() -> None:
    assert len(answers.read(["summary=a", "summary='a'"], [("a.json", b'{"summary": "a"}')])) == 1


def test_a_flag_wins_over_a_file() -> None:
    (answer,) = answers.read(["summary=b"], [("a.yaml", b"summary: a\n")])
    assert answer.value == "b"


def test_two_files_that_disagree_are_refused() -> None:
    with pytest.raises(UsageFailure, match="two different answers"):
        answers.read([], [("a.yaml", b"summary: a\n"), ("b.yaml", b"summary: b\n")])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.yaml", b"targets[0].audiences: [operators]\nprovenance:\n  issues: [DEVELOP-219]\n"),
        ("a.json", b'{"targets[0].audiences": ["operators"], "provenance": {"issues": ["DEVELOP-219"]}}'),
        ("-", b' {"targets[0].audiences": ["operators"], "provenance": {"issues": ["DEVELOP-219"]}}'),
    ],
)
def test_an_answers_file_is_yaml_or_json(name: str, data: bytes) -> None:
    found = answers.read([], [(name, data)])
    assert [(answer.path, answer.value) for answer in found] == [
        ("targets[0].audiences", ["operators"]),
        ("provenance", {"issues": ["DEVELOP-219"]}),
    ]


REFUSED_FILES = {
    "list": b"- a\n",
    "number as key": b"1: a\n",
    "no field path": b"Not a path: a\n",
    "number as inner key": b"provenance: {1: a}\n",
    "infinite": b"summary: .inf\n",
    "key twice": b"summary: a\nsummary: b\n",
    "no YAML": b"summary: [\n",
    "empty": b"",
}


@pytest.mark.parametrize("data", REFUSED_FILES.values(), ids=REFUSED_FILES)
def test_a_malformed_answers_file_is_an_input_failure_that_names_it(data: bytes) -> None:
    with pytest.raises(InputFailure, match=r"a\.yaml"):
        answers.read([], [("a.yaml", data)])


@given(st.text(max_size=80))
def test_any_typed_text_is_a_value_or_a_usage_failure(text: str) -> None:
    try:
        (answer,) = answers.read([f"summary={text}"])
    except UsageFailure:
        return
    assert not isinstance(answer.value, str) or answer.value.encode()


@given(st.binary(max_size=120), st.sampled_from(["a.json", "a.yaml"]))
def test_any_file_is_answers_or_an_input_failure(data: bytes, name: str) -> None:
    try:
        found = answers.read([], [(name, data)])
    except InputFailure:
        return
    assert all(answers.is_field_path(answer.path) for answer in found)
