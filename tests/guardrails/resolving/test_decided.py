"""Reviewed decisions are used and not rewritten, and what disagrees with them is told with both sides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.tasks import RELEASE
from guardrails.drafts.envelope_form import EnvelopeForm
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, Commit, ExistingRecord, Operation, OperationType
from guardrails.findings import Severity
from guardrails.grounding.citable import Citable
from guardrails.resolving.decisions import decisions
from guardrails.resolving.envelopes.assembling import assemble
from guardrails.resolving.envelopes.describing import describe
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import INSIDE, OUTSIDE, PROFILE, RULES, bundle, evidence, oid, record, target
from tests.guardrails.resolving.changes import edited

ID = "resume-settlement-jobs"
SUMMARY = "Resume settlement jobs interrupted during shutdown"
RATIONALE = "Avoid manual recovery when deployments interrupt long jobs"
WORKER, GATEWAY = "apps/worker/job.py", "apps/gateway/route.py"
K1, K2, K3 = (oid(number)[:7] for number in (1, 2, 3))
ITEM = f"items[{K1}]"
ITEMIZED: dict[str, AnswerValue] = {"shape": "itemized"}
GATEWAY_TARGET = target(**{"release-unit": "apps/gateway"})
HEAD, BASE = oid(251), oid(250)
PUBLIC = {"state": "public", "not-before": None, "policy": None, "placeholder": None}
EMBARGOED = {**PUBLIC, "state": "embargoed", "policy": "coordinated"}


def linking(number: int, subject: str = "fix: mend it", *paths: str, more: str = "", id_: str = ID) -> Commit:
    """A commit that links the decision."""
    trailers = "\n".join(filter(None, (more, f"Changeset: {id_}")))
    return edited(number, f"{subject}\n\n{trailers}", dict.fromkeys(paths or (WORKER,), f"+line {number}"))


def at_head(one: ExistingRecord, where: str = "pending", revision: str = HEAD, path: str = "") -> ExistingRecord:
    """A record as it stands at a revision; a ledger entry where `where` says so."""
    return replace(one, where=where, locator=f"git:{revision}:{path or one.path}", path=path or one.path)


def of(
    *commits: Commit, unit: str = "", answers: dict[str, AnswerValue] | None = None, rules: Rules = RULES, **parts: Any
) -> Resolved:
    """What is resolved of commits and records."""
    operation = Operation(OperationType.RANGE, "v1..v2", "example/payments", unit=unit)
    return describe(evidence(*commits, answers={**ITEMIZED, **(answers or {})}, operation=operation, **parts), PROFILE, rules)


def said(resolved: Resolved, item: str = ITEM) -> dict[str, tuple[str, Basis, tuple[str, ...]]]:
    """The texts of an item that need no drafter."""
    found = {path: text for path, text in resolved.prose.items() if path.startswith(item)}
    return {path.rpartition(".")[2]: (text.text, text.basis, text.evidence) for path, text in found.items()}


def asked(resolved: Resolved, item: str = ITEM) -> list[str]:
    """What a drafter is asked for."""
    return [one.field.rpartition(".")[2] for one in resolved.requests if one.field.startswith(item)]


def warned(resolved: Resolved) -> list[tuple[str, tuple[str, ...]]]:
    """Code and sides of each warning."""
    assert all(one.severity is Severity.WARNING for one in resolved.warnings)
    return [(one.code, one.evidence) for one in resolved.warnings]


def keys(resolved: Resolved) -> tuple[str, ...]:
    assert isinstance(resolved.form, EnvelopeForm)
    return resolved.form.keys


# The wording


@pytest.mark.requirement("IC-7.4", "AI-4", "AI-3")
def test_the_words_of_a_decision_are_those_of_its_item() -> None:
    resolved = of(linking(1), records=(record(1),))
    assert said(resolved) == {
        "title": (SUMMARY, Basis.EVIDENCE, ("S1",)),
        "short_md": (SUMMARY, Basis.EVIDENCE, ("S1",)),
        "medium_md": (RATIONALE, Basis.EVIDENCE, ("S1",)),
    }
    assert asked(resolved) == ["detail_md"]
    assert resolved.values[f"{ITEM}.kind"].value == "bug_fix"


def test_its_words_pass_every_rule() -> None:
    shown = evidence(
        linking(1),
        answers=ITEMIZED,
        records=(record(1),),
        operation=Operation(OperationType.RANGE, "v1..v2", "example/payments"),
    )
    resolved = describe(shown, PROFILE, RULES)
    draft = assemble(shown, resolved, None)
    found = RELEASE.rules(draft, Citable.of(shown, PROFILE), resolved, shown.guard)
    assert [one for one in found if one.severity is Severity.ERROR] == []


@pytest.mark.requirement("DC-18")
def test_a_decision_that_several_commits_advance_is_one_item() -> None:
    resolved = of(linking(1), linking(2, "feat: more"), linking(3, "fix: last"), records=(record(1),))
    assert (keys(resolved), set(resolved.coverage.values())) == ((K1,), {K1})
    assert said(resolved)["title"][0] == SUMMARY


@pytest.mark.parametrize(
    ("changes", "asked_for"),
    [
        ({"summary": "Resume " + "every settlement job " * 5}, ["title", "detail_md"]),
        ({"summary": "Resume " + "every settlement job " * 10}, ["title", "short_md", "detail_md"]),
        ({"summary": "resume jobs after a stop"}, ["detail_md"]),
        ({"rationale": "Operators called `resume()` by hand"}, ["medium_md", "detail_md"]),
        ({"rationale": "See apps/worker/job.py for what went wrong"}, ["medium_md", "detail_md"]),
    ],
    ids=["long for a title", "long for both", "small", "code", "a path"],
)
def test_what_cannot_stand_in_an_envelope_is_asked_of_a_drafter_who_is_shown_the_decision(
    changes: dict[str, str], asked_for: list[str]
) -> None:
    resolved = of(linking(1), records=(record(1, **changes),))
    found = asked(resolved)
    assert set(asked_for) - {"title"} <= set(found)
    assert all("S1" in one.sources for one in resolved.requests)


def test_a_person_has_the_last_word() -> None:
    resolved = of(linking(1), records=(record(1),), answers={f"{ITEM}.title": "Go on with settlement jobs"})
    assert said(resolved)["title"] == ("Go on with settlement jobs", Basis.ANSWER, ("A2",))
    assert said(resolved)["short_md"][1] is Basis.EVIDENCE


def test_a_commit_that_links_nothing_is_drafted_as_ever() -> None:
    resolved = of(edited(1, "fix: mend it", {WORKER: "+a"}), records=(record(1),))
    assert said(resolved) == {}
    assert asked(resolved) == ["title", "short_md", "medium_md", "detail_md"]


@pytest.mark.requirement("IC-6.6e")
def test_what_its_targets_say_of_migration_stands_on_the_page() -> None:
    guided = target(impact="major", migration="Stop the worker first.  Then restart it.")
    resolved = of(linking(1), records=(record(1, targets=[guided]),))
    assert said(resolved)["migration"] == ("Stop the worker first. Then restart it.", Basis.EVIDENCE, ("S1",))
    assert resolved.values[f"{ITEM}.kind"].value == "breaking"


def test_two_decisions_of_one_commit_are_two_items() -> None:
    both = linking(1, "fix: mend both", WORKER, GATEWAY, more="Changeset: route-calls")
    records = (record(1), record(2, id="route-calls", summary="Route calls twice", rationale="Calls were lost"))
    resolved = of(both, linking(2, "fix: more", GATEWAY, id_="route-calls"), records=records)
    titles = {key: said(resolved, f"items[{key}]")["title"][0] for key in keys(resolved)}
    assert set(titles.values()) == {SUMMARY, "Route calls twice"}
    routing = next(key for key, title in titles.items() if title == "Route calls twice")
    assert set(keys(resolved)) == {K1, f"{K1}.2"}
    assert {item: set(account.split(", ")) for item, account in resolved.coverage.items()} == {
        "C1": {K1, f"{K1}.2"},
        "C2": {routing},
    }


NAMES = ("first-thing", "second-thing", "third-thing")


@given(st.lists(st.lists(st.sampled_from(NAMES), unique=True, max_size=3), min_size=1, max_size=6))
def test_each_decision_is_told_once_and_each_commit_where_its_decisions_are(links: list[list[str]]) -> None:
    records = [record(number, id=name, summary=f"Do the {name}") for number, name in enumerate(NAMES, 1)]
    commits = [
        edited(
            number,
            "\n".join((f"fix: mend {number}", "", *(f"Changeset: {name}" for name in names))),
            {f"src/{number}.py": "+a"},
        )
        for number, names in enumerate(links, 1)
    ]
    resolved = of(*commits, records=tuple(records))
    titles = {key: said(resolved, f"items[{key}]").get("title", ("",))[0] for key in keys(resolved)}
    told = {f"Do the {name}" for names in links for name in names}
    assert sorted(filter(None, titles.values())) == sorted(told)
    for commit, names in zip(commits, links, strict=True):
        own = {titles[key] for key in resolved.coverage[commit.id].split(", ")}
        assert own == ({f"Do the {name}" for name in names} or {""})


def test_files_go_with_the_decision_whose_commit_changed_them() -> None:
    both = linking(1, "fix: mend both", WORKER, more="Changeset: route-calls")
    route = linking(2, "fix: more", GATEWAY, id_="route-calls")
    records = (record(1), record(2, id="route-calls", summary="Route calls twice", rationale="Calls were lost"))
    net = tuple(replace(file, id=f"F{900 + place}") for place, file in enumerate((*both.files, *route.files)))
    resolved = of(both, route, records=records, net=net)
    pages = {one.field.partition(".detail")[0]: one.sources for one in resolved.requests if one.field.endswith("detail_md")}
    places = {said(resolved, item)["title"][0]: {"F900", "F901"} & set(sources) for item, sources in pages.items()}
    assert places == {SUMMARY: {"F900"}, "Route calls twice": {"F900", "F901"}}


def test_a_commit_that_says_it_does_two_things_for_one_decision_is_one_item() -> None:
    message = f"Update things\n\n* feat(job): resume jobs\n* fix(route): route calls\n\nChangeset: {ID}"
    resolved = of(edited(1, message, {WORKER: "+one", GATEWAY: "+two"}), records=(record(1),))
    assert keys(resolved) == (K1,)
    assert said(resolved)["title"][0] == SUMMARY


# Ledgers and versions


def ledger_entry(number: int, **changes: Any) -> ExistingRecord:
    return at_head(record(number, **changes), "ledger", path="led/ws.yaml")


def test_a_ledger_that_was_edited_under_review_has_the_later_word() -> None:
    resolved = of(linking(1), records=(record(1), ledger_entry(2, summary="Settlement jobs go on after a stop")))
    assert said(resolved)["title"] == ("Settlement jobs go on after a stop", Basis.EVIDENCE, ("S2",))
    assert warned(resolved) == []


def test_a_decision_that_stands_in_a_ledger_alone_is_used() -> None:
    resolved = of(linking(1), records=(ledger_entry(1),))
    assert said(resolved)["title"] == (SUMMARY, Basis.EVIDENCE, ("S1",))


def test_ledgers_of_two_units_that_say_it_differently_are_told_apart_by_the_unit() -> None:
    entries = (
        ledger_entry(1, summary="The worker goes on"),
        ledger_entry(2, summary="The gateway waits", targets=[GATEWAY_TARGET]),
    )
    one = linking(1, "fix: mend both", WORKER, GATEWAY)
    assert said(of(one, records=entries, unit="apps/gateway"))["title"][0] == "The gateway waits"
    assert said(of(one, records=entries, unit="apps/worker"))["title"][0] == "The worker goes on"
    assert said(of(one, records=(*entries, record(3))))["title"][0] == SUMMARY


def test_the_record_at_the_head_counts_before_older_ones() -> None:
    old = at_head(record(1, summary="Old words"), revision=BASE)
    middle = at_head(record(2, summary="Words between"), revision=oid(9))
    new = at_head(record(3, summary="New words"))
    found = decisions(bundle(records=(old, middle, new)))
    assert [source.item for source in found[ID].sources] == ["S3", "S2", "S1"]


def test_a_decision_for_another_unit_lends_no_words() -> None:
    resolved = of(linking(1), records=(record(1, targets=[GATEWAY_TARGET]),), unit="apps/worker")
    assert said(resolved) == {}
    assert ("release-unit-conflict", ("S1", "C1")) in warned(resolved)


def test_a_stream_has_its_own_targets() -> None:
    stable = target(**{"release-unit": "apps/gateway", "migration": "Do it."})
    lts = target(**{"release-unit": "apps/gateway", "stream": "lts", "migration": "Do it twice."})
    one = linking(1, "fix: mend it", GATEWAY)
    told = [of(one, records=(record(1, targets=[stable, lts]),), unit=unit) for unit in ("apps/gateway@lts", "apps/gateway")]
    assert [said(resolved)["migration"][0] for resolved in told] == ["Do it twice.", "Do it. Do it twice."]


# Disagreements


@pytest.mark.requirement("IC-7.2", "AI-5")
@pytest.mark.parametrize(
    ("one", "changes", "expected"),
    [
        (linking(1, "fix(apps/worker): mend it"), {}, []),
        (linking(1, "fix(apps/worker): mend it", more="Impact: minor"), {}, ["impact-conflict"]),
        (linking(1, "fix(apps/worker): mend it", more="Migration: Do it."), {}, ["migration-conflict"]),
        (linking(1, "fix(apps/gateway): mend it"), {}, ["release-unit-conflict"]),
        (linking(1, "fix: mend it", WORKER, GATEWAY), {}, ["release-unit-conflict"]),
        (linking(1, "fix!: mend it"), {}, ["impact-conflict"]),
        (linking(1, "revert: mend it"), {}, ["revert-undecided"]),
        (linking(1, "revert: mend it"), {"relations": {"reverts": ["an-other"], "supersedes": []}}, []),
        (linking(1, id_="un-known"), {}, ["changeset-unknown"]),
    ],
    ids=["none", "impact", "migration", "unit said", "unit changed", "breaking", "revert", "revert said", "unknown"],
)
def test_a_decision_and_its_commits_that_disagree_are_told_with_both_sides(
    one: Commit, changes: dict[str, object], expected: list[str]
) -> None:
    found = warned(of(one, records=(record(1, **changes),)))
    assert [code for code, _ in found] == expected
    assert all(sides == (("C1",) if code == "changeset-unknown" else ("S1", "C1")) for code, sides in found)


@pytest.mark.requirement("IC-7.2")
def test_a_commit_that_advances_two_decisions_disagrees_with_neither() -> None:
    more = "Affects: apps/gateway\nChangeset: route-calls"
    both = linking(1, "fix(apps/worker): mend both", WORKER, GATEWAY, more=more)
    other = record(2, id="route-calls", summary="Route calls twice", rationale="Calls were lost", targets=[GATEWAY_TARGET])
    assert warned(of(both, records=(record(1), other))) == []
    assert {code for code, _ in warned(of(both, records=(record(1),)))} == {"release-unit-conflict", "changeset-unknown"}


def test_a_decision_whose_commits_were_taken_back_is_told() -> None:
    one = edited(1, f"fix: mend it\n\nChangeset: {ID}", {WORKER: "+a"})
    back = edited(2, f'Revert "fix: mend it"\n\nThis reverts commit {oid(1)}.', {WORKER: "-a"})
    resolved = of(one, back, edited(3, "fix: go on", {WORKER: "+b"}), records=(record(1),))
    assert warned(resolved) == [("decision-undone", ("S1", "C1"))]


@pytest.mark.requirement("IC-8.2")
@pytest.mark.parametrize(
    ("changes", "named"),
    [({"impact": "minor"}, "impact"), ({"type": "feature"}, "type"), ({"migration": "Do it."}, "migration")],
)
def test_a_ledger_that_differs_from_its_changeset_is_told(changes: dict[str, object], named: str) -> None:
    resolved = of(linking(1), records=(record(1), ledger_entry(2, targets=[target(**changes)])))
    (found,) = [one for one in resolved.warnings if one.code == "records-differ"]
    assert named in found.message
    assert set(found.evidence) == {"S1", "S2"}


def test_an_older_version_of_a_record_is_no_disagreement() -> None:
    old = at_head(record(1, targets=[target(impact="minor")]), revision=BASE)
    assert warned(of(linking(1), records=(old, at_head(record(2))))) == []


# Disclosure


@pytest.mark.requirement("IC-6.9e", "IC-12.5", "AI-7")
@pytest.mark.parametrize("where", ["pending", "archive", "ledger"])
@pytest.mark.parametrize("state", [EMBARGOED, {**PUBLIC, "state": "redacted", "placeholder": "A change"}])
def test_a_decision_that_is_not_public_does_not_appear(where: str, state: dict[str, object]) -> None:
    hidden = at_head(record(1, disclosure=state, summary="The hidden words"), where, path="led/ws.yaml")
    resolved = of(linking(1), edited(2, "fix: go on", {WORKER: "+b"}), records=(hidden,))
    assert "hidden" not in str(resolved).casefold()
    assert keys(resolved) == (K2,)
    assert warned(resolved) == []


def test_a_drafter_inside_the_boundary_gets_the_words() -> None:
    hidden = at_head(record(1, disclosure=EMBARGOED))
    assert said(of(linking(1), records=(hidden,), policy=INSIDE))["title"][0] == SUMMARY
    assert OUTSIDE.inside == {}
