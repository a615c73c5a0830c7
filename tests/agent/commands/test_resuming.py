"""The resume line: what it holds is read back as it was said, whatever it was."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.commands.resuming import resume
from agent.sources import answers
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.evidence.model import Selection, SelectionKind

COMMAND = ("draft-changeset", "--repo", "/a b/it's", "main..HEAD", "--answer", "summary=One thing")


def asked(field: str, value: str | tuple[str, ...] | None = None) -> Unresolved:
    suggestions = () if value is None else (Suggestion(value, ("C1",)),)
    return Unresolved(field, Reason.NO_EVIDENCE, "What?", suggestions=suggestions)


@given(
    st.dictionaries(st.sampled_from(["summary", "rationale", "id", "provenance.issues"]), st.text(min_size=1).filter(str.strip))
)
def test_every_answer_is_read_back_as_it_was_said(said: dict[str, str]) -> None:
    given_ = [answers.accept(path, text.strip(), number) for number, (path, text) in enumerate(said.items(), 1)]
    encodable = [answer for answer in given_ if not any("\ud800" <= mark <= "\udfff" for mark in str(answer.value))]
    words = shlex.split(resume(("draft-changeset",), encodable, (), clean=str))
    flags = [words[place + 1] for place, word in enumerate(words) if word == "--answer"]
    assert {answer.path: answer.value for answer in answers.read(flags)} == {answer.path: answer.value for answer in encodable}


@pytest.mark.parametrize(
    ("command", "questions", "expected"),
    [
        (COMMAND, [asked("id")], COMMAND),
        (COMMAND, [asked("id", "x-y")], (*COMMAND, "--answer", "id=x-y")),
        (COMMAND, [asked("summary", "Another")], (*COMMAND[:-1], "summary=Another")),
        (("draft-changeset",), [asked("range", "main..HEAD")], ("draft-changeset", "main..HEAD")),
        (("evidraft", "--accept-suggestions", "--answer=id=x"), [], ("evidraft", "--answer", "id=x")),
        (("evidraft", "--answers", "-"), [], ("evidraft",)),
        (("evidraft", "--answers=-"), [], ("evidraft",)),
        (("evidraft", "--answers", "file.yaml"), [], ("evidraft", "--answers", "file.yaml")),
        (("evidraft", "--answer"), [], ("evidraft", "--answer", "")),
    ],
)
def test_a_line_is_the_same_command_with_each_answer_once(
    command: tuple[str, ...], questions: list[Unresolved], expected: tuple[str, ...]
) -> None:
    assert shlex.split(resume(command, (), questions, clean=str)) == [*expected]


def test_an_answer_that_may_not_be_shown_is_left_out() -> None:
    line = resume(COMMAND, (), [asked("rationale", "Kestrel needs it")], clean=lambda text: text.replace("Kestrel", "[term]"))
    assert shlex.split(line) == [*COMMAND]


SELECTED = {
    "a range": (Selection(SelectionKind.RANGE, "main..Kestrel", "a" * 40, "b" * 40), f"{'a' * 40}..{'b' * 40}"),
    "a commit": (Selection(SelectionKind.COMMIT, "Kestrel", "a" * 40, "b" * 40), "b" * 40),
    "what is cut off": (Selection(SelectionKind.RANGE, "v1..Kestrel", None, "b" * 40), "v1..[term]"),
    "what may be shown": (Selection(SelectionKind.RANGE, "v1..v2", "a" * 40, "b" * 40), "v1..v2"),
}


@pytest.mark.parametrize(("selection", "told"), SELECTED.values(), ids=SELECTED)
def test_a_range_that_may_not_be_shown_is_named_by_its_objects(selection: Selection, told: str) -> None:
    command = ("evidraft", "describe", selection.spec)
    line = resume(command, (), (), clean=lambda text: text.replace("Kestrel", "[term]"), selection=selection)
    assert shlex.split(line) == ["evidraft", "describe", told]


def test_what_a_drafter_suggests_is_taken_over_by_no_resume_line() -> None:
    hint = Suggestion("minor", ("C1",), "openai:x")
    alone = Unresolved("targets[0].impact", Reason.NO_EVIDENCE, "What?", suggestions=(hint,))
    led = Unresolved("targets[0].type", Reason.NO_EVIDENCE, "What?", suggestions=(Suggestion("feature", ("C1",)), hint))
    assert resume(("evidraft",), (), (alone, led)) == "evidraft --answer 'targets[0].type=feature'"
