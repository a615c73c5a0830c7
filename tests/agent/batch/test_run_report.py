"""A run ends in a report: what became of the releases, what that cost, and the command that goes on."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace

import pytest

from agent.batch.release import Finished, Status
from agent.batch.report import MOST, Report, again
from agent.errors import LimitReached
from tests.agent.batch.finishing import drafted, ends, plan

COMMAND = ("evidraft", "release-notes", "--tags", "v*", "-o", "out")


def report(**changes: object) -> Report:
    plain = Report(finished=[*ends(), *plan().failures], out="out/", command=COMMAND)
    return replace(plain, **changes)  # type: ignore[arg-type]


def test_a_report_names_what_failed_and_how_to_go_on() -> None:
    paid = {"input-tokens": 1_000, "output-tokens": 200, "dollars": "0.01"}
    told = report(
        finished=[replace(one, usage=paid) for one in ends()],
        undone=plan().releases[-1:],
        end=LimitReached("a dollar is spent", cure="allow more with --max-cost"),
        kept=("index.md.kept",),
    )
    assert list(told.lines()) == [
        "7 releases: 2 drafted, 2 in need of input, 1 rejected, 1 failed, 1 not done: see out/index.md",
        "failed: widgets/v2.9.0: openai: the key is not taken (set OPENAI_API_KEY)",
        "rejected: widgets/v2.8.0: unknown-path (evidraft explain CODE)",
        "spent for these releases: 6,000 tokens in, 1,200 out, $0.0600",
        "kept, for somebody had changed it: index.md.kept",
        "ended early: a dollar is spent (allow more with --max-cost)",
        f"5 open fields: answer in out/needs-input.yaml, then: {again(COMMAND, 'out/needs-input.yaml')}",
        "to go on: evidraft release-notes --tags 'v*' -o out --resume",
    ]


def test_a_run_in_which_all_was_drafted_has_one_line() -> None:
    told = report(finished=[drafted(plan().releases[0])])
    assert list(told.lines()) == ["1 release: 1 drafted: see out/index.md"]
    assert (told.exit_code, told.answer, told.resume) == (0, "", "")


@pytest.mark.parametrize(
    ("statuses", "is_undone", "code"),
    [
        ([], False, 0),
        ([Status.DRAFTED], False, 0),
        ([Status.DRAFTED, Status.NEEDS_INPUT], False, 3),
        ([Status.NEEDS_INPUT, Status.REJECTED], False, 1),
        ([Status.REJECTED, Status.FAILED], False, 2),
        ([Status.DRAFTED], True, 2),
    ],
)
def test_the_worst_end_is_the_exit_code(statuses: list[Status], is_undone: bool, code: int) -> None:
    finished = [Finished(f"a/v{number}", status) for number, status in enumerate(statuses)]
    told = report(finished=finished, undone=plan().releases[:1] if is_undone else ())
    assert told.exit_code == code == told.document()["exit-code"]


def test_many_failures_are_named_up_to_a_bound_and_counted() -> None:
    told = report(finished=[Finished(f"a/v{number}", Status.FAILED, failure="x") for number in range(MOST + 3)])
    lines = list(told.lines())
    assert sum(line.startswith("failed: ") for line in lines) == MOST
    assert "and 3 more failed" in lines


@pytest.mark.parametrize(
    ("paid", "line"),
    [
        ([{"input-tokens": 1, "output-tokens": 2, "dollars": None}], "1 tokens in, 2 out, at an unknown price"),
        ([{"input-tokens": 1, "output-tokens": 2, "dollars": "1"}, {}], "1 tokens in, 2 out, $1.0000"),
        ([{"input-tokens": None, "output-tokens": None, "dollars": "0"}], ""),
        ([{}], ""),
    ],
)
def test_what_was_spent_is_told_where_it_is_known(paid: list[dict[str, object]], line: str) -> None:
    told = report(finished=[replace(drafted(plan().releases[0]), usage=usage) for usage in paid])
    assert [one.partition(": ")[2] for one in told.lines() if one.startswith("spent")] == ([line] if line else [])


def test_the_report_is_one_json_document() -> None:
    told = json.loads(json.dumps(report(undone=plan().releases[-1:]).document()))
    assert (told["status"], told["counts"]["FAILED"], told["not-done"]) == ("FAILED", 2, ["widgets/v3.0.0"])
    assert told["open"] == {
        "widgets/v2.6.0": ["shape", "operation.repository", "items[0000001].kind"],
        "widgets/v2.7.0": ["shape", "operation.repository"],
    }
    assert set(told["failures"]) == {"widgets/v2.9.0", "gadgets"}


@pytest.mark.parametrize(
    ("words", "answers", "told"),
    [
        ("x --answers a.yaml -o out", "s.yaml", "x -o out --answers s.yaml --resume"),
        ("x --answers=a.yaml -o out", "s.yaml", "x -o out --answers s.yaml --resume"),
        ("x --answers a.yaml -o out", "", "x --answers a.yaml -o out --resume"),
        ("x --resume --fresh -o 'a b'", "", "x -o 'a b' --resume"),
        ("x --answers", "s.yaml", "x --answers s.yaml --resume"),
    ],
)
def test_the_command_that_goes_on_is_the_one_that_was_given(words: str, answers: str, told: str) -> None:
    assert again(shlex.split(words), answers) == told
