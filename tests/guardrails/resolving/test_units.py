"""One release unit of a selection: what is its own, with which files, and where the rest went."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.questions import Reason
from guardrails.evidence.model import AnswerValue, Commit, Operation, OperationType
from guardrails.grounding.releases import unmapped
from guardrails.records.profile import Scope
from guardrails.resolving.envelopes.describing import describe
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from guardrails.resolving.units import OF_NO_UNIT
from tests.guardrails.resolving.building import NO_RULES, PROFILE, RULES, commit, evidence, oid, record
from tests.guardrails.resolving.changes import after, edited, merge

WORKER, GATEWAY = "apps/worker/job.py", "apps/gateway/route.py"
K1, K2, K3 = (oid(number)[:7] for number in (1, 2, 3))
OF_GATEWAY = "of another release unit: apps/gateway"
ITEMIZED: dict[str, AnswerValue] = {"shape": "itemized"}


def of(
    *commits: Commit,
    unit: str = "apps/worker",
    rules: Rules = RULES,
    answers: dict[str, AnswerValue] | None = None,
    **parts: Any,
) -> Resolved:
    """What is resolved of the unit's share."""
    operation = Operation(OperationType.RANGE, "v1..v2", "example/payments", unit=unit)
    return describe(evidence(*commits, answers=answers or ITEMIZED, operation=operation, **parts), PROFILE, rules)


def accounts(*commits: Commit, **parts: Any) -> list[str]:
    """Where each commit went."""
    return list(of(*commits, **parts).coverage.values())


def sources(resolved: Resolved, key: str) -> tuple[str, ...]:
    """What the page of an item may rest on; () where it is not asked for."""
    return next((one.sources for one in resolved.requests if one.field == f"items[{key}].detail_md"), ())


# Which commits are a unit's


@pytest.mark.requirement("IC-6.6a", "DC-15")
@pytest.mark.parametrize(
    ("message", "paths", "expected"),
    [
        ("fix: resume jobs", (WORKER,), K1),
        ("fix(apps/worker): resume jobs", ("lib/jobs.py",), K1),
        ("fix(apps/worker/jobs): resume jobs", ("lib/jobs.py",), K1),
        ("fix: resume jobs\n\nAffects: apps/worker", ("lib/jobs.py",), K1),
        ("fix: resume jobs\n\nTarget-Impact: apps/worker@stable=patch", ("lib/jobs.py",), K1),
        ("fix: resume jobs", (WORKER, GATEWAY), K1),
        ("fix: route calls", (GATEWAY,), OF_GATEWAY),
        ("fix(apps/gateway): route calls", ("lib/jobs.py",), OF_GATEWAY),
        ("fix: mend the library", ("lib/jobs.py",), OF_NO_UNIT),
        ("fix(lib): mend the library", ("lib/jobs.py",), OF_NO_UNIT),
    ],
)
def test_a_commit_is_of_the_units_that_it_names_or_changes(message: str, paths: tuple[str, ...], expected: str) -> None:
    assert accounts(commit(1, message, *paths)) == [expected]


def test_a_scope_of_the_profile_is_a_unit() -> None:
    profile = replace(PROFILE, scopes={"jobs": Scope("jobs", "apps/worker", requires_affects=False)})
    operation = Operation(OperationType.RANGE, "v1..v2", "example/payments", unit="apps/worker")
    shown = evidence(commit(1, "fix(jobs): resume", "lib/a.py"), answers=ITEMIZED, operation=operation)
    assert describe(shown, profile, NO_RULES).coverage == {"C1": K1}


def test_a_commit_of_several_units_is_told_for_each() -> None:
    both = commit(1, "fix: resume jobs", WORKER, GATEWAY)
    assert [accounts(both, unit=unit) for unit in ("apps/worker", "apps/gateway")] == [[K1], [K1]]


def test_a_stream_has_the_commits_of_its_unit() -> None:
    assert accounts(commit(1, "fix: route calls", GATEWAY), unit="apps/gateway@lts") == [K1]


# With which files


@pytest.mark.requirement("DC-07", "AI-3")
def test_hunks_of_another_unit_cannot_be_cited() -> None:
    both = edited(1, "fix: resume jobs", {WORKER: "+one", GATEWAY: "+two", "lib/a.py": "+three"})
    worker, gateway, shared = (file.id for file in both.files)
    hunks = [file.hunks[0].id for file in both.files]
    resolved = of(both)
    assert {worker, hunks[0], shared, hunks[2]} <= set(sources(resolved, K1))
    assert {gateway, hunks[1]}.isdisjoint(sources(resolved, K1))


def test_a_commit_that_names_a_unit_and_changes_none_of_its_files_is_told_without_a_page() -> None:
    resolved = of(commit(1, "fix: resume jobs\n\nAffects: apps/worker", GATEWAY))
    assert resolved.coverage == {"C1": K1}
    assert sources(resolved, K1) == ()
    assert resolved.values[f"items[{K1}].detail_md"].value is None


def test_the_net_change_is_narrowed_too() -> None:
    one = edited(1, "fix: resume jobs", {WORKER: "+one", GATEWAY: "+two"})
    net = tuple(replace(file, id=f"F{900 + place}", hunks=()) for place, file in enumerate(one.files))
    resolved = of(one, net=net)
    assert "F900" in sources(resolved, K1)
    assert "F901" not in sources(resolved, K1)


def test_one_digest_of_a_unit_has_its_commits_and_files_alone() -> None:
    worker, gateway = edited(1, "fix: resume jobs", {WORKER: "+one"}), edited(2, "fix: route calls", {GATEWAY: "+two"})
    resolved = of(worker, gateway, answers={"shape": "single"})
    asked = next(one.sources for one in resolved.requests if one.field == "change.detail_md")
    assert resolved.coverage == {"C1": "change", "C2": OF_GATEWAY}
    assert {"C1", worker.files[0].id} <= set(asked)
    assert {"C2", gateway.files[0].id}.isdisjoint(asked)


def test_the_part_of_a_split_commit_that_is_anothers_is_not_told() -> None:
    split = edited(
        1,
        "Update things\n\n* feat(job): resume jobs\n* fix(route): route calls",
        {"apps/worker/job.py": "+one", "apps/gateway/route.py": "+two"},
    )
    resolved = of(split)
    assert len(resolved.form.changes()) == 1  # type: ignore[attr-defined]
    assert resolved.coverage == {"C1": K1}


# What goes along with others


def test_what_is_reverted_is_not_told_as_if_it_were_in_effect() -> None:
    lines = 'Revert "fix(apps/worker): resume jobs"\n\nThis reverts commit ' + oid(1) + "."
    done = edited(1, "fix(apps/worker): resume jobs", {"lib/a.py": "+one"})
    undone = edited(2, lines, {"lib/a.py": "-one"})
    assert accounts(done, undone, commit(3, "fix: go on", WORKER)) == [
        f"reverted by {K2} of the same range",
        f"reverts {K1} of the same range",
        K3,
    ]


@pytest.mark.parametrize(
    "message",
    [
        'Revert "fix(apps/worker): resume jobs"',
        f"Take the jobs back\n\nThis reverts commit {oid(200)}.",
        'Reapply "Revert "fix(apps/worker): resume jobs""',
        "fixup! fix(apps/worker): resume jobs",
        "squash! fixup! fix(apps/worker): resume jobs",
    ],
)
def test_what_a_commit_is_about_tells_its_unit_where_it_says_nothing_itself(message: str) -> None:
    before = replace(commit(9, "fix(apps/worker): resume jobs", "lib/a.py"), oid=oid(200))
    assert accounts(commit(1, message, "lib/a.py"), referenced=(before,)) == [K1]


def test_a_merge_is_of_the_units_that_it_brought_in() -> None:
    one = after(commit(1, "Resume jobs", WORKER), 250)
    joined = merge(2, "Merge pull request #3 from x/y\n\nResume jobs", 250, 1)
    assert accounts(one, joined) == [K1, K1]
    assert accounts(one, joined, unit="apps/gateway") == ["of another release unit: apps/worker"] * 2


def test_commits_of_one_decision_are_one_item_in_each_unit() -> None:
    trailer = "\n\nChangeset: resume-settlement-jobs"
    history = (commit(1, f"fix: route{trailer}", GATEWAY), commit(2, f"fix: resume{trailer}", WORKER))
    assert accounts(*history) == [OF_GATEWAY, K1]
    assert accounts(*history, unit="apps/gateway") == [K1, "of another release unit: apps/worker"]


def test_what_changes_nothing_needs_no_unit() -> None:
    assert accounts(commit(1, "fix: resume jobs", WORKER), commit(2, "Nothing")) == [K1, "changes nothing"]


# What is asked


def test_a_unit_that_nothing_touches_is_asked_about_and_not_made_up() -> None:
    resolved = of(commit(1, "fix: route calls", GATEWAY))
    (question,) = resolved.unresolved
    assert (question.field, question.reason) == ("range", Reason.NOTHING_TO_DESCRIBE)
    assert "apps/worker" in question.question


@pytest.mark.requirement("AI-6")
def test_a_unit_that_neither_scopes_nor_rules_know_is_asked_and_not_guessed() -> None:
    resolved = of(commit(1, "fix(apps/worker): resume", "lib/a.py"), commit(2, "fix: mend", "lib/b.py"), rules=NO_RULES)
    (question,) = resolved.unresolved
    assert (question.field, question.reason, question.evidence) == ("range", Reason.NO_EVIDENCE, ("C2",))
    assert resolved.names_no_decision


def test_a_unit_that_every_commit_names_is_clear_without_scopes_and_rules() -> None:
    assert accounts(commit(1, "fix(apps/worker): resume", "lib/a.py"), rules=NO_RULES) == [K1]


def test_commits_of_no_unit_are_told_to_the_reviewer() -> None:
    resolved = of(commit(1, "fix: resume jobs", WORKER), commit(2, "fix: mend the library", "lib/a.py"))
    (warning,) = unmapped.check(resolved.drafted(None))
    assert (warning.code, warning.evidence) == ("commit-of-no-unit", ("C2",))
    assert list(unmapped.check(of(commit(1, "fix: resume jobs", WORKER)).drafted(None))) == []


def test_a_unit_needs_a_profile() -> None:
    operation = Operation(OperationType.RANGE, "v1..v2", "example/payments", unit="apps/worker")
    with pytest.raises(ValueError, match="Project Profile"):
        describe(evidence(commit(1, "fix: resume", WORKER), answers=ITEMIZED, operation=operation), None, NO_RULES)


@pytest.mark.requirement("IC-6.9e", "AI-7")
def test_what_is_withheld_is_of_no_unit_and_not_counted() -> None:
    hidden = record(
        1, id="secret-one", disclosure={"state": "embargoed", "not-before": None, "policy": "p", "placeholder": None}
    )
    resolved = of(
        commit(1, "fix: resume jobs", WORKER), commit(2, "fix: hide\n\nChangeset: secret-one", WORKER), records=(hidden,)
    )
    assert resolved.coverage == {"C1": K1}


_PATHS = st.sampled_from([WORKER, GATEWAY, "lib/a.py", "apps/worker/b.py"])
_SCOPES = st.sampled_from(["", "(apps/worker)", "(apps/gateway)", "(lib)"])


@given(st.lists(st.tuples(_SCOPES, st.lists(_PATHS, unique=True, max_size=3)), min_size=1, max_size=6))
def test_every_commit_goes_to_its_units_or_is_said_to_go_to_none(history: list[tuple[str, list[str]]]) -> None:
    commits = [commit(place, f"fix{scope}: mend {place}", *paths) for place, (scope, paths) in enumerate(history, 1)]
    told = {unit: accounts(*commits, unit=unit) for unit in ("apps/worker", "apps/gateway")}
    for place, (scope, paths) in enumerate(history):
        units = {unit for unit in told if unit in scope or any(path.startswith(unit) for path in paths)}
        for unit, found in told.items():
            is_item = found[place].startswith(oid(place + 1)[:7])
            assert is_item == (unit in units and bool(paths))
            if unit not in units:
                assert found[place] in {f"of another release unit: {', '.join(units)}", OF_NO_UNIT, "changes nothing"}
