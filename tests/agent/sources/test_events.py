"""The event of a CI run: found by the variables that the CI itself sets, or said what was looked for."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

import pytest

from agent.errors import InputFailure, UsageFailure
from agent.sources import events
from guardrails.evidence.model import OperationType

CASES = Path(__file__).parents[2] / "cases" / "payloads"
BASE, HEAD, OTHER = "b" * 40, "a" * 40, "c" * 40
REQUEST = {
    "GITLAB_CI": "true",
    "CI_COMMIT_SHA": HEAD,
    "CI_COMMIT_BEFORE_SHA": "0" * 40,
    "CI_PROJECT_PATH": "bob/widgets",
    "CI_MERGE_REQUEST_IID": "5",
    "CI_MERGE_REQUEST_TITLE": "Resume settlement jobs",
    "CI_MERGE_REQUEST_DESCRIPTION": "Long jobs are lost.",
    "CI_MERGE_REQUEST_LABELS": "bug,jobs",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA": BASE,
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
    "CI_MERGE_REQUEST_PROJECT_PATH": "acme/tools/widgets",
    "CI_MERGE_REQUEST_PROJECT_URL": "https://gitlab.example.com/acme/tools/widgets",
}


def github(name: str, case: str) -> dict[str, str]:
    return {"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(CASES / case)}


@pytest.mark.parametrize(
    ("environ", "kind", "operand"),
    [
        (github("pull_request", "github-pull-request.json"), OperationType.PULL_REQUEST, "..."),
        (github("pull_request_target", "github-pull-request.json"), OperationType.PULL_REQUEST, "..."),
        (github("issue_comment", "github-issue-comment.json"), OperationType.PULL_REQUEST, None),
        (github("push", "github-push.json"), OperationType.RANGE, ".."),
        (github("merge_group", "github-merge-group.json"), OperationType.RANGE, ".."),
        (github("", "github-push.json"), OperationType.RANGE, ".."),
        (REQUEST, OperationType.PULL_REQUEST, ".."),
    ],
)
@pytest.mark.requirement("DC-14")
def test_the_event_of_a_run_is_its_operation(environ: dict[str, str], kind: OperationType, operand: str | None) -> None:
    told = events.read(environ)
    assert told.operation.type is kind
    assert (told.operand is None) if operand is None else operand in str(told.operand)


def test_a_merge_request_is_told_by_the_variables_of_gitlab() -> None:
    told = events.read({**REQUEST, "CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED": "true"}, {"P": 4})
    assert told.operand == f"{BASE}..{HEAD}"
    assert (told.operation.id, told.operation.repository, told.target) == ("5", "acme/tools/widgets", "main")
    (request,) = told.documents
    assert (request.id, request.key, request.title) == ("P4", "!5", "Resume settlement jobs")
    assert request.url == "https://gitlab.example.com/acme/tools/widgets/-/merge_requests/5"
    assert (request.body, request.labels) == ("Long jobs are lost.", ("bug", "jobs"))
    assert [(note.code, note.where) for note in told.notes] == [("forge-left-out", "description")]


def test_the_commit_that_gitlab_made_for_a_merged_result_is_not_the_head() -> None:
    assert events.read({**REQUEST, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": OTHER}).head == OTHER


def test_a_request_from_a_fork_is_said_to_be_one() -> None:
    told = events.read({**REQUEST, "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "8", "CI_MERGE_REQUEST_PROJECT_ID": "4"})
    assert [note.code for note in told.notes] == ["from-fork"]


def test_a_push_is_told_by_its_ends_and_a_new_branch_has_no_base() -> None:
    push = {"CI_COMMIT_SHA": HEAD, "CI_COMMIT_BEFORE_SHA": BASE, "CI_PROJECT_PATH": "acme/widgets"}
    assert events.read(push).operand == f"{BASE}..{HEAD}"
    first = events.read({**push, "CI_COMMIT_BEFORE_SHA": "0" * 40})
    assert (first.base, first.head, first.operand) == (None, HEAD, None)


def test_where_there_is_no_event_it_is_said_what_was_looked_for() -> None:
    with pytest.raises(UsageFailure, match="looked for GITHUB_EVENT_PATH, CI_MERGE_REQUEST_IID and CI_COMMIT_SHA"):
        events.read({"CI": "true", "GITHUB_EVENT_PATH": ""})


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch", "issues"])
def test_an_event_without_a_change_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(UsageFailure, match=f"an event '{name}' describes no change"):
        events.read(github(name, "github-push.json"))


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": "/nowhere/event.json"}, "could not be read"),
        ({**REQUEST, "CI_MERGE_REQUEST_IID": "five"}, "got no number under 'iid'"),
        ({**REQUEST, "CI_MERGE_REQUEST_TITLE": ""}, "got no title"),
        ({**REQUEST, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "main"}, "got no full object name"),
    ],
)
def test_an_event_that_tells_nothing_readable_is_refused(environ: dict[str, str], message: str) -> None:
    with pytest.raises(InputFailure, match=message):
        events.read(environ)


@pytest.mark.requirement("AI-7")
def test_what_else_stands_in_the_environment_is_not_told() -> None:
    secret = {"GITHUB_TOKEN": "canary", "CI_JOB_TOKEN": "canary", "CI_COMMIT_MESSAGE": "canary"}
    for environ in (github("pull_request", "github-pull-request.json"), REQUEST):
        assert "canary" not in str(asdict(events.read({**secret, **environ})))


@pytest.mark.parametrize("name", ["TITLE", "DESCRIPTION", "LABELS", "TARGET_BRANCH_NAME", "SOURCE_BRANCH_NAME"])
def test_bytes_in_the_environment_that_are_no_text_are_marked(name: str) -> None:
    told = events.read({**REQUEST, f"CI_MERGE_REQUEST_{name}": os.fsdecode(b"caf\xe9 \xe2\x82\xac")})
    texts = (
        told.target,
        told.operation.branch,
        *(text for one in told.documents for text in (one.title, one.body, *one.labels)),
    )
    assert "caf\ufffd \u20ac" in texts
