"""One sheet asks a person for all that a run does not know, and what they write there is what goes in again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.batch.answers import parse
from agent.batch.release import Finished, Status
from agent.batch.sheet import sheet
from agent.errors import InputFailure
from guardrails import strict_yaml
from guardrails.evidence.model import AnswerValue
from tests.agent.batch.finishing import KIND, REPOSITORY, SHAPE, asked, drafted, ends, plan, release

NAMES = tuple(one.name for one in plan().releases)


def written() -> str:
    return sheet(plan().releases, ends())


def value(text: str) -> Any:
    return strict_yaml.read(text.encode()).value


def filled(text: str, *answers: str) -> str:
    """The sheet with an answer in each open place, in order; "" leaves it as it is."""
    left = iter(answers)
    return re.sub(
        r"^( *)# answer:.*$",
        lambda match: f"{match[1]}answer: {answer}" if (answer := next(left, "")) else match[0],
        text,
        flags=re.MULTILINE,
    )


def test_nothing_open_and_nothing_answered_needs_no_sheet() -> None:
    one = release("widgets/v1", "v0..v1", 1)
    assert sheet([one], [drafted(one)]) == ""
    assert sheet([one], []) == ""


@pytest.mark.requirement("AI-6")
def test_what_is_open_stands_in_the_sheet_with_what_a_person_needs_to_answer() -> None:
    own = value(written())["releases"]["widgets/v2.6.0"]
    assert own == {
        "items[0000001].kind": {
            "about": "Remove the v1 report endpoint",
            "question": "Which kind of change is this?",
            "why": "contradiction",
            "accepts": ["feature", "bug_fix", "breaking"],
            "suggestions": [{"value": "breaking", "evidence": ["C1"], "by": "scripted"}],
            "evidence": [f"C1 git:0000001{'0' * 33}", f"C2 git:0000002{'0' * 33}", "H9"],
        }
    }


def test_what_one_answer_settles_for_many_stands_once() -> None:
    told = value(written())
    assert list(told["all"]) == ["shape", "operation.repository"]
    assert told["all"]["shape"]["releases"] == ["widgets/v2.6.0", "widgets/v2.7.0"]
    assert "widgets/v2.7.0" not in told["releases"]


def test_each_place_is_asked_for_its_own_repository() -> None:
    here, there = release("a/v1", "v0..v1", 1), release("b/v1", "v0..v1", 2)
    other = replace(there, place="/home/somebody/other")
    told = value(sheet([here, other], [asked(here, REPOSITORY, SHAPE), asked(other, REPOSITORY, SHAPE)]))
    assert list(told["all"]) == ["shape"]
    assert [list(own) for own in told["releases"].values()] == [["operation.repository"], ["operation.repository"]]


def test_a_change_that_several_releases_of_one_place_tell_is_asked_about_once() -> None:
    early, final, elsewhere = (release(name, "v0..v1", number) for number, name in enumerate(("a/v1a", "a/v1", "b/v1")))
    elsewhere = replace(elsewhere, place="/home/somebody/other")
    own = {**KIND, "field": "summary.title"}
    told = value(sheet([early, final, elsewhere], [asked(one, KIND, own) for one in (early, final, elsewhere)]))
    assert told["all"]["items[0000001].kind"]["releases"] == ["a/v1a", "a/v1"]
    assert {name: list(fields) for name, fields in told["releases"].items()} == {
        "a/v1a": ["summary.title"],
        "a/v1": ["summary.title"],
        "b/v1": ["items[0000001].kind", "summary.title"],
    }


def test_a_field_that_is_open_for_two_reasons_is_asked_once() -> None:
    one = release("a/v1", "v0..v1", 1)
    other = {**KIND, "reason": "ambiguous", "question": "Or is it two?", "suggestions": [], "evidence": ["C3"]}
    entry = value(sheet([one], [asked(one, KIND, other)]))["releases"]["a/v1"]["items[0000001].kind"]
    assert (entry["question"], entry["why"]) == ("Which kind of change is this? Or is it two?", "contradiction, ambiguous")
    assert len(entry["evidence"]) == 4


def test_a_question_names_a_few_pieces_of_evidence_and_counts_the_others() -> None:
    one = release("a/v1", "v0..v1", 1)
    many = {**KIND, "evidence": [f"H{number}" for number in range(1, 31)]}
    evidence = value(sheet([one], [asked(one, many)]))["releases"]["a/v1"]["items[0000001].kind"]["evidence"]
    assert evidence[-2:] == ["H8", "and 22 more"]


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("by", "line"), [("", "# answer: breaking"), ("scripted", "# answer:")])
def test_what_a_drafter_suggests_is_shown_but_not_laid_ready(by: str, line: str) -> None:
    one = release("a/v1", "v0..v1", 1)
    text = sheet([one], [asked(one, {**KIND, "suggestions": [{"value": "breaking", "evidence": ["C1"], "by": by}]})])
    assert [told.strip() for told in text.splitlines() if told.strip().startswith("# answer")] == [line]
    assert "- value: breaking" in text


def test_a_range_that_has_to_be_another_one_is_not_asked_for_here() -> None:
    one = release("a/v1", "v0..v1", 1)
    empty = {"field": "range", "reason": "nothing-to-describe", "question": "Which range?"}
    assert "# answer:" not in sheet([one], [asked(one, empty)])


@pytest.mark.requirement("AI-6")
def test_what_is_not_answered_stays_open() -> None:
    assert parse("sheet", written().encode()).by_release == {"widgets/v2.5.0": {"shape": "itemized"}}
    blank = written().replace("# answer:", "answer: #")
    assert parse("sheet", blank.encode()).by_release == {"widgets/v2.5.0": {"shape": "itemized"}}


def test_what_is_filled_in_goes_to_the_releases_that_it_is_for() -> None:
    text = filled(written(), "single", "null", "[feature]")
    assert parse("sheet", text.encode()).given(NAMES) == {
        "widgets/v2.5.0": {"shape": "itemized"},
        "widgets/v2.6.0": {"shape": "single", "operation.repository": None, "items[0000001].kind": ["feature"]},
        "widgets/v2.7.0": {"shape": "single", "operation.repository": None},
    }


def test_what_a_release_says_itself_wins_over_what_is_said_for_all() -> None:
    text = filled(written(), "single", "", "") + "    shape: itemized\n"
    assert parse("sheet", text.encode()).by_release["widgets/v2.6.0"] == {"shape": "itemized"}
    assert parse("sheet", text.encode()).by_release["widgets/v2.7.0"] == {"shape": "single"}


def test_answers_come_back_in_the_next_sheet_so_that_one_file_is_always_all() -> None:
    answers = parse("sheet", filled(written(), "single", "acme/widgets", "").encode()).given(NAMES)
    again = [one.answered(answers.get(one.name, {})) for one in plan().releases]
    left = [*ends()[:2], asked(again[2], KIND), drafted(again[3])]
    text = sheet(again, left)
    assert parse("sheet", text.encode()).given(NAMES) == answers
    assert len(re.findall("# answer:", text)) == 1
    done = sheet(again, [drafted(one) for one in again])
    assert done.startswith("# Nothing is open.")
    assert parse("sheet", done.encode()).given(NAMES) == answers


def test_an_answer_that_was_not_taken_is_asked_for_again_and_shown() -> None:
    one = release("a/v1", "v0..v1", 1, answers=(("items[0000001].kind", "odd"),))
    entry = value(sheet([one], [asked(one, KIND)]))["releases"]["a/v1"]["items[0000001].kind"]
    assert (entry["answer"], entry["question"]) == ("odd", "Which kind of change is this?")


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("answer: itemized", "anser: itemized", "line 20: got the key 'anser' (did you mean answer?)"),
        ("\nall:", "\nal:", "line 4: got the key 'al' (did you mean all?)"),
        ("1.0.0", "2.0.0", "line 3: got another version, expected 1.0.0"),
        ("    shape:\n", "    Shape!:\n", "line 19: got no field path"),
        ("  widgets/v2.5.0:\n", "  widgets/v2.5.0: 1\n  x:\n", "line 17: got no map of names"),
        ("releases: [widgets/v2.6.0, widgets/v2.7.0]", "releases: some", "line 6: got no list of the releases"),
        ("    releases: [widgets/v2.6.0, widgets/v2.7.0]\n", "", "line 5: got no list of the releases"),
        ("answer: itemized", "answer: .inf", "line 20: the value is no text, number, list, map or null"),
        ("answer: itemized", "answer: *a", "line 20: this YAML is refused"),
        ("answer: itemized", "answer: a\n      answer: b", "line 21: this YAML is refused"),
    ],
)
def test_a_fault_in_a_sheet_is_told_with_its_line(before: str, after: str, says: str) -> None:
    assert before in written()
    with pytest.raises(InputFailure) as caught:
        parse("sheet", written().replace(before, after, 1).encode())
    assert str(caught.value).startswith(f"sheet, {says}")


@pytest.mark.parametrize(
    ("name", "cure"), [("widgets/v2.5", "did you mean widgets/v2.5.0?"), ("x", "take it out, or draft it too")]
)
def test_answers_to_a_release_that_is_not_of_the_run_are_refused(name: str, cure: str) -> None:
    answers = parse("sheet", f"evidraft-answers: 1.0.0\nreleases: {{{name}: {{shape: single}}}}".encode())
    with pytest.raises(InputFailure) as caught:
        answers.given(NAMES)
    assert (caught.value.where, caught.value.cure) == (f"sheet: {name}", cure)


@pytest.mark.parametrize("data", [b"shape: single\nsummary.title: 'evidraft-answers'\n", b'{"shape": "single"}'])
def test_a_plain_file_answers_a_single_release(data: bytes) -> None:
    answers = parse("answers.yaml", data)
    assert answers.given(["a/v1"])["a/v1"]["shape"] == "single"
    with pytest.raises(InputFailure, match="answers that name no release, and there are several"):
        answers.given(["a/v1", "a/v2"])


def test_a_sheet_may_be_json() -> None:
    data = b'{"evidraft-answers": "1.0.0", "releases": {"a/v1": {"shape": {"answer": "single"}}}}'
    assert parse("sheet", data).by_release == {"a/v1": {"shape": "single"}}


@pytest.mark.parametrize("data", [b"", b"[]", b"1", b"\xff", b"a: b: c", b"Not A Path: 1"])
def test_what_is_no_file_of_answers_is_refused(data: bytes) -> None:
    with pytest.raises(InputFailure):
        parse("sheet", data)


FIELDS = st.sampled_from(["shape", "operation.repository", "summary.title", "items[0000001].kind", "items[0000001].refs"])
TEXTS = (
    st.text(max_size=30)
    | st.sampled_from(
        [
            "null",
            "~",
            "yes",
            "1e3",
            "0x1f",
            "- a",
            "a: b",
            " #",
            "'",
            '"',
            "{",
            "[",
            "*a",
            "&a",
            "!!str",
            "---",
            "...",
            "# answer: x",
        ]
    )
    | st.sampled_from(
        ["\ufeff", "\x85", "\u2028", "\x00", "\x1b[31m", "\u202e", "a\nb", "a\n\n  b\n", "\ta", "a ", "%TAG", "`", "?"]
    )
)
VALUES: st.SearchStrategy[AnswerValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
QUESTIONS = st.fixed_dictionaries(
    {
        "field": FIELDS,
        "reason": TEXTS,
        "question": TEXTS,
        "accepts": st.lists(TEXTS, max_size=3),
        "suggestions": st.lists(st.fixed_dictionaries({"value": VALUES, "by": st.just("") | TEXTS}), max_size=2),
        "evidence": st.lists(TEXTS, max_size=3),
    }
)
RELEASES = st.lists(st.tuples(st.dictionaries(FIELDS, VALUES, max_size=3), st.lists(QUESTIONS, max_size=3)), max_size=4)


def leading(questions: list[Mapping[str, Any]]) -> dict[str, AnswerValue]:
    """The first suggestion that the evidence makes for each field."""
    found: dict[str, AnswerValue] = {}
    for question in questions:
        for suggestion in (one for one in question["suggestions"] if not one["by"]):
            found.setdefault(question["field"], suggestion["value"])
    return found


@given(RELEASES, TEXTS)
def test_whatever_is_asked_and_answered_the_sheet_gives_answers_back_and_leaves_open_what_is_open(
    told: list[tuple[dict[str, AnswerValue], list[Mapping[str, Any]]]], title: str
) -> None:
    releases = [release(f"a/v{number}", title, number).answered(answers) for number, (answers, _) in enumerate(told)]
    finished = [
        Finished(
            one.name,
            Status.NEEDS_INPUT,
            titles={"0000001": title},
            places={title: title},
            unresolved=tuple(questions),
        )
        for one, (_, questions) in zip(releases, told, strict=True)
    ]
    text = sheet(releases, finished)
    given_ = {one.name: dict(one.answers) for one in releases if one.answers}
    assert (parse("sheet", text.encode()).by_release if text else {}) == given_
    accepted = {one.name: {**leading(questions), **answers} for one, (answers, questions) in zip(releases, told, strict=True)}
    uncommented = re.sub("(?m)^( +)# answer:", r"\1answer:", text)
    assert (parse("sheet", uncommented.encode()).by_release if text else {}) == {
        name: answers for name, answers in accepted.items() if answers
    }
