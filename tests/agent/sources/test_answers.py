"""Answers: values as people type them, paths as the record has them, nothing settled silently."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import InputFailure, UsageFailure
from agent.sources import answers
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.drafts.sourced import FieldValue
from guardrails.evidence.model import Answer, AnswerValue

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
    "too many": [f"x[{number}].a=1" for number in range(20_000)] + ["y=1"],
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
    assert len(answers.read(["summary=a", "summary='a'"])) == 1


@pytest.fixture
def answers_file(tmp_path: Path) -> str:
    path = tmp_path / "answers.yaml"
    path.write_bytes(b"summary: a\ntargets[0].impact: patch\n")
    return str(path)


def test_a_flag_wins_over_the_file(answers_file: str) -> None:
    found = answers.read(["summary=b", "id=x"], answers_file)
    assert [(answer.id, answer.path, answer.value) for answer in found] == [
        ("A1", "summary", "b"),
        ("A2", "targets[0].impact", "patch"),
        ("A3", "id", "x"),
    ]


def test_a_missing_answers_file_is_an_input_failure() -> None:
    with pytest.raises(InputFailure, match="nowhere"):
        answers.read([], "nowhere/answers.yaml")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.yaml", b"targets[0].audiences: [operators]\nprovenance:\n  issues: [DEVELOP-219]\n"),
        ("a.json", b'{"targets[0].audiences": ["operators"], "provenance": {"issues": ["DEVELOP-219"]}}'),
        ("-", b' {"targets[0].audiences": ["operators"], "provenance": {"issues": ["DEVELOP-219"]}}'),
    ],
)
def test_an_answers_file_is_yaml_or_json(name: str, data: bytes) -> None:
    assert list(answers.parse_file(name, data)) == [
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
        list(answers.parse_file("a.yaml", data))


def question(field: str, *values: FieldValue) -> Unresolved:
    return Unresolved(field, Reason.NO_EVIDENCE, "?", suggestions=tuple(Suggestion(value, ("C1",)) for value in values))


@pytest.mark.requirement("AI-3")
def test_a_suggestion_becomes_an_answer_only_marked_as_accepted() -> None:
    asked = [question("id"), question("targets[0].audiences", ("operators",), ("users",)), question("summary", "A")]
    found = answers.accepted(asked, start=4)
    assert [(answer.id, answer.path, answer.value, answer.accepted) for answer in found] == [
        ("A4", "targets[0].audiences", ["operators"], True),
        ("A5", "summary", "A", True),
    ]


SPELLED = {
    "targets[0].audiences=[operators, security-teams]": ["operators", "security-teams"],
    "targets[0].migration=null": None,
    'id="42"': "42",
    'id="null"': "null",
    "summary=Fix: resume #12": "Fix: resume #12",
    'summary="[worker] resumes"': "[worker] resumes",
    'provenance.issues=["a, b", "true"]': ["a, b", "true"],
}


@pytest.mark.parametrize(("flag", "value"), SPELLED.items())
def test_an_answer_is_spelled_as_a_person_would_type_it(flag: str, value: AnswerValue) -> None:
    answer = answers.parse(flag, 1)
    assert answer.value == value
    assert answers.spell(answer) == flag


PRINTABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(st.one_of(PRINTABLE, st.lists(st.one_of(PRINTABLE, st.integers(), st.booleans(), st.none()), max_size=5)))
def test_what_is_spelled_is_read_back_as_the_same_value(value: AnswerValue) -> None:
    spelled = answers.spell(Answer("A1", "", "", "summary", value))
    assert answers.parse(spelled, 1).value == value


@given(st.text(max_size=80))
def test_any_typed_text_is_a_value_or_a_usage_failure(text: str) -> None:
    try:
        answer = answers.parse(f"summary={text}", 1)
    except UsageFailure:
        return
    assert answers.parse(answers.spell(answer), 1).value == answer.value


@pytest.mark.parametrize(
    "path", ["change.short_md", "change.relations.ticket", "items[9f2c1ab].detail_md", "items[9f2c1ab.2].title", "shape"]
)
def test_a_field_of_an_envelope_can_be_answered(path: str) -> None:
    assert answers.parse(f"{path}=Say it", 1).path == path
    assert list(answers.parse_file("a.json", f'{{"{path}": "Say it"}}'.encode())) == [(path, "Say it")]


@pytest.mark.parametrize(
    "path", ["", "change..title", "items[9f2c1].title", "items[9f2c1ab.].title", "items[#3].title", "-x", "a."]
)
def test_what_is_no_field_path_is_refused(path: str) -> None:
    assert not answers.is_field_path(path)


@given(st.binary(max_size=120), st.sampled_from(["a.json", "a.yaml"]))
def test_any_file_is_answers_or_an_input_failure(data: bytes, name: str) -> None:
    try:
        found = list(answers.parse_file(name, data))
    except InputFailure:
        return
    assert all(answers.is_field_path(path) for path, _ in found)
