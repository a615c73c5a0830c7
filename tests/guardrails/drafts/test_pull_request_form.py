"""The form of a drafted request: a record is given and written back as it was, and its fields have an order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.draft import Draft
from guardrails.drafts.pull_request import PULL_REQUEST, listed_field
from guardrails.drafts.pull_request import given as as_given
from guardrails.drafts.sourced import Basis, Prose, Sentence, Sourced
from guardrails.records import pull_request
from tests.guardrails.records.test_pull_request import claim, read, request, target

TEXT = st.text("abcdefgh ", min_size=1, max_size=20).map(lambda text: f"Word {text}".strip())
RECORDS = st.builds(
    request,
    state=st.sampled_from(pull_request.STATES),
    summary=TEXT,
    trade_offs=st.one_of(st.just(""), TEXT),
    risks=st.lists(TEXT, max_size=3),
    rollout=st.one_of(st.none(), TEXT),
    rollback=st.one_of(st.none(), TEXT),
    targets=st.lists(st.builds(target, migration=st.one_of(st.none(), TEXT)), max_size=3),
    verification=st.lists(st.builds(claim, command=st.one_of(st.none(), TEXT)), max_size=2),
)


@given(RECORDS)
def test_a_given_record_is_written_back_as_it_was(value: dict[str, Any]) -> None:
    record = read(value)
    draft = as_given(record, ("C1",))
    assert replace(read(draft.record()), document=record.document) == record
    assert {one.basis for one in draft.values.values()} | {one.basis for one in draft.prose.values()} == {Basis.GIVEN}


def test_what_is_unknown_is_kept() -> None:
    draft = as_given(read({**request(), "x-team": "settlement"}), ("C1",))
    assert draft.record()["x-team"] == "settlement"


def test_the_fields_stand_in_the_order_of_the_record() -> None:
    paths = [
        "id",
        "title",
        "title.type",
        "title.scope",
        "title.description",
        "state",
        "summary",
        "targets[0].release-unit",
        "targets[0].migration",
        "targets[1].stream",
        "targets[10].stream",
        "risks",
        "verification[0].name",
        "verification[0].evidence",
        "provenance.changesets",
        "provenance.other",
        "disclosure.state",
        "base-revision",
        "evidence-revision",
        "unknown",
    ]
    assert sorted({*paths}, key=PULL_REQUEST.order) == paths


def test_a_draft_holds_only_what_is_known_and_each_risk_by_itself() -> None:
    said = Prose((Sentence("One is lost.", ("C1",)), Sentence("One is slow.", ("C1",))), Basis.SYNTHESIS)
    draft = Draft(PULL_REQUEST, {"title.type": Sourced("fix", Basis.EVIDENCE, ("C1",))}, {"risks": said})
    assert draft.record() == {"intent-pull-request": "1.0.0", "risks": ["One is lost.", "One is slow."]}


@pytest.mark.parametrize(("scope", "title"), [("settlement", "fix(settlement): book once"), (None, "fix: book once")])
def test_a_title_is_put_together_as_a_header(scope: str | None, title: str) -> None:
    values = {"title.type": Sourced("fix", Basis.RULE), "title.scope": Sourced(scope, Basis.RULE)}
    draft = Draft(PULL_REQUEST, values, {"title.description": Prose((Sentence("book once", ("C1",)),), Basis.ANSWER)})
    assert draft.record()["title"] == title


def test_places_in_lists_are_told() -> None:
    assert listed_field("verification[3].status") == ("verification", 3, "status")
    for path in ("verification", "risks[0].text", "targets[01].impact", "targets[0]"):
        assert listed_field(path) is None
