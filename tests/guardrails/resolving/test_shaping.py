"""The shape is asked once with true counts, unless a caller says it; a range of several changes is itemized, and it is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from guardrails.drafts.questions import Reason, Unresolved
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, Commit, Operation, OperationType, Selection, SelectionKind
from guardrails.resolving.answers import by_path
from guardrails.resolving.envelopes.reading import Reading
from guardrails.resolving.envelopes.shaping import resolve_shape
from guardrails.resolving.grouping.grouping import Group
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import Sheet
from tests.guardrails.resolving.building import NO_RULES, bundle, commit, oid

COMMIT = Selection(SelectionKind.COMMIT, "HEAD", oid(250), oid(251))
REQUEST = Operation(OperationType.PULL_REQUEST, "7", "acme/widgets")
ASK = " Do you want one digest for the whole range, or an itemized array of changes with a summary on top?"


def shape(*commits: Commit, answer: AnswerValue = None, rules: Rules = NO_RULES, **parts: Any) -> tuple[str | None, Sheet]:
    """What comes of a bundle in which each commit is a change."""
    history, sheet = bundle(*commits, answers={"shape": answer} if answer is not None else None, **parts), Sheet()
    groups = [Group(one.oid[:7], (one.id,), tuple(file.id for file in one.files)) for one in commits]
    return resolve_shape(Reading.of(history), groups, rules, by_path(history.answers).get("shape"), sheet), sheet


def asked(*commits: Commit, answer: AnswerValue = "ask", rules: Rules = NO_RULES, **parts: Any) -> Unresolved:
    found, sheet = shape(*commits, answer=answer, rules=rules, **parts)
    assert found is None
    assert "shape" not in sheet.values
    return sheet.unresolved["shape"]


def pulled(number: int) -> Commit:
    """A squashed request that changes one of two folders."""
    return commit(number, f"Change {number} (#{number + 100})", f"{('apps', 'lib')[number % 2]}/{number}.py")


@pytest.mark.requirement("DC-19")
def test_the_question_is_the_contracts_own_with_true_counts() -> None:
    question = asked(*map(pulled, range(1, 10)))
    assert question.question == "This covers 9 merged pull requests across two subsystems." + ASK
    assert (question.accepts, question.reason) == (("single", "itemized"), Reason.AMBIGUOUS)


@pytest.mark.requirement("DC-19")
@pytest.mark.parametrize(
    ("commits", "parts", "covered"),
    [
        ((pulled(1),), {}, "one merged pull request in one subsystem."),
        ((commit(1, "A", "a.py"), commit(2, "B", "b.py")), {}, "two changes in two commits."),
        ((commit(1, "A", "src/a.py"), commit(2, "B", "docs/b.md")), {}, "two changes in two commits in one subsystem."),
        ((commit(1, "A", "docs/a.md"), commit(2, "B", ".github/b.yml")), {}, "two changes in two commits in one subsystem."),
        (
            (pulled(1), pulled(3), commit(2, "B", "apps/b.py")),
            {},
            "three changes in three commits, 2 merged pull requests among them, across two subsystems.",
        ),
        ((commit(1, "A", "src/a.py"),), {"selection": COMMIT}, "one commit in one subsystem."),
        ((pulled(1), pulled(2)), {"operation": REQUEST}, "one pull request with two changes across two subsystems."),
        (tuple(commit(n, "A", f"{n}/a.py") for n in range(1, 12)), {}, "11 changes in 11 commits across 11 subsystems."),
    ],
)
def test_what_is_counted_is_there(commits: tuple[Commit, ...], parts: dict[str, Any], covered: str) -> None:
    assert asked(*commits, **parts).question.startswith(f"This covers {covered} Do you want one digest for the whole ")


def test_release_units_are_the_subsystems_where_rules_name_them() -> None:
    rules = Rules(units={"apps/**": "platform", "lib/**": "platform"})
    assert "in one subsystem" in asked(*map(pulled, range(1, 4)), rules=rules).question


@pytest.mark.requirement("DC-19")
@pytest.mark.parametrize("said", ["single", "itemized"])
@pytest.mark.parametrize("parts", [{}, {"selection": COMMIT}, {"operation": REQUEST}])
def test_a_callers_word_decides(said: str, parts: dict[str, Any]) -> None:
    found, sheet = shape(pulled(1), pulled(2), answer=said, **parts)
    assert found == sheet.values["shape"].value == said
    assert sheet.values["shape"].basis is Basis.ANSWER


@pytest.mark.requirement("DC-20")
def test_a_range_of_several_changes_is_itemized_without_asking_and_that_is_told_by_its_basis() -> None:
    found, sheet = shape(pulled(1), pulled(2))
    assert (found, sheet.values["shape"].basis, sheet.unresolved) == ("itemized", Basis.RULE, {})


@pytest.mark.requirement("DC-20")
@pytest.mark.parametrize(
    ("commits", "parts"),
    [
        ((pulled(1),), {}),
        ((pulled(1), pulled(2)), {"selection": COMMIT}),
        ((pulled(1), pulled(2)), {"operation": REQUEST}),
        ((), {"operation": REQUEST}),
    ],
)
def test_anything_else_is_asked(commits: tuple[Commit, ...], parts: dict[str, Any]) -> None:
    question = asked(*commits, answer=None, **parts)
    assert [one.value for one in question.suggestions] == (["single"] if len(commits) == 1 else [])


def test_another_word_is_refused_and_asked_again() -> None:
    found, sheet = shape(pulled(1), pulled(2), answer="both")
    assert found is None
    assert [finding.code for finding in sheet.contradictions] == ["answer-not-accepted"]
    assert sheet.unresolved["shape"].accepts == ("single", "itemized", "ask")


def test_without_a_diff_no_subsystem_is_counted() -> None:
    silent = tuple(replace(commit(number, "A"), diff_known=False) for number in (1, 2))
    assert asked(*silent).question.startswith("This covers two changes in two commits. Do you want")
