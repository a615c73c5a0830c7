"""The operation is told as it was selected, and a repository that nothing names is asked."""

from __future__ import annotations

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, Operation, OperationType, Selection, SelectionKind
from guardrails.records.profile import Profile
from guardrails.resolving.answers import by_path
from guardrails.resolving.envelopes.operating import owner_and_name, resolve_operation
from guardrails.resolving.sheet import Sheet
from tests.guardrails.resolving.building import PROFILE, bundle, oid

HEAD = oid(251)
RANGE = Selection(SelectionKind.RANGE, "v1..HEAD", oid(250), HEAD)
TOLD = Operation(OperationType.RANGE, "v1..HEAD", "acme/widgets")


def resolved(
    selection: Selection = RANGE,
    operation: Operation | None = TOLD,
    profile: Profile | None = None,
    answers: dict[str, AnswerValue] | None = None,
) -> Sheet:
    history, sheet = bundle(selection=selection, operation=operation, answers=answers), Sheet()
    resolve_operation(history, profile, by_path(history.answers), sheet)
    return sheet


@pytest.mark.requirement("DC-14")
@pytest.mark.parametrize(
    ("kind", "spec", "name"),
    [
        (SelectionKind.RANGE, "v2.3.0..v2.4.0", "v2.3.0..v2.4.0"),
        (SelectionKind.RANGE, "v2.3.0...v2.4.0", "v2.3.0...v2.4.0"),
        (SelectionKind.RANGE, "main..", "main..HEAD"),
        (SelectionKind.RANGE, "..topic", "HEAD..topic"),
        (SelectionKind.RANGE, "main...", "main...HEAD"),
        (SelectionKind.COMMIT, "HEAD~2", HEAD),
    ],
)
def test_a_range_is_told_as_written_and_a_commit_by_its_whole_name(kind: SelectionKind, spec: str, name: str) -> None:
    sheet = resolved(Selection(kind, spec, oid(250), HEAD), None)
    expected = "range" if kind is SelectionKind.RANGE else "commit"
    assert (sheet.values["operation.type"].value, sheet.values["operation.id"].value) == (expected, name)


@pytest.mark.requirement("DC-14")
def test_a_request_is_told_by_its_number() -> None:
    sheet = resolved(operation=Operation(OperationType.PULL_REQUEST, "1482", "acme/widgets"))
    assert [sheet.values[f"operation.{name}"].value for name in ("type", "id", "repository")] == [
        *("pull_request", "1482", "acme/widgets")
    ]


@pytest.mark.requirement("DC-14")
@pytest.mark.parametrize(
    ("profile", "answers", "expected"),
    [
        (None, None, ("acme/widgets", Basis.EVIDENCE)),
        (PROFILE, None, ("example/payments", Basis.PROFILE)),
        (PROFILE, {"operation.repository": "acme/gears"}, ("acme/gears", Basis.ANSWER)),
        (None, {"operation.repository": "https://host.example/a/b.git"}, ("a/b", Basis.ANSWER)),
    ],
)
def test_the_repository_is_the_strongest_that_names_one(
    profile: Profile | None, answers: dict[str, AnswerValue] | None, expected: tuple[str, Basis]
) -> None:
    found = resolved(profile=profile, answers=answers).values["operation.repository"]
    assert (found.value, found.basis) == expected


@pytest.mark.requirement("DC-14")
@pytest.mark.parametrize("operation", [None, Operation(OperationType.RANGE, "v1..HEAD", "")])
def test_a_repository_that_nothing_names_is_asked(operation: Operation | None) -> None:
    question = resolved(operation=operation).unresolved["operation.repository"]
    assert (question.reason, question.suggestions) == (Reason.NO_EVIDENCE, ())


def test_an_answer_that_is_no_name_is_refused() -> None:
    sheet = resolved(answers={"operation.repository": "two words"})
    assert [finding.code for finding in sheet.contradictions] == ["answer-not-accepted"]


@pytest.mark.parametrize("kind", [SelectionKind.STAGED, SelectionKind.WORK_TREE])
def test_what_is_not_committed_has_no_id_and_none_is_made_up(kind: SelectionKind) -> None:
    sheet = resolved(Selection(kind, f"--{kind}", HEAD, HEAD), None)
    assert sheet.unresolved["operation.id"].reason is Reason.NO_EVIDENCE


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://github.com/acme/widgets", "acme/widgets"),
        ("https://github.com/acme/widgets.git/", "acme/widgets"),
        ("ssh://git@host.example:22/group/sub/widgets.git", "group/sub/widgets"),
        ("acme/widgets", "acme/widgets"),
        ("widgets", "widgets"),
        ("https://host.example", ""),
        ("a b", ""),
        ("a\x00b", ""),
        ("", ""),
    ],
)
def test_an_address_gives_the_path_of_its_repository(address: str, name: str) -> None:
    assert owner_and_name(address) == name
