"""What is decided of a request without a drafter: linked decisions are taken as they stand or asked, and nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.drafts.pull_request import PULL_REQUEST
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, Document, DocumentKind, ExistingRecord, Note
from guardrails.records.fields import IMPACTS
from guardrails.records.pull_request import STATES
from guardrails.resolving.pull_requests import resolve as resolving
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules
from tests.guardrails.resolving.building import (
    NO_RULES,
    PROFILE,
    PROFILE_TEXT,
    RULES,
    WHOLE,
    asked,
    commit,
    document,
    evidence,
    oid,
    profile_of,
    record,
    target,
    value,
)

LOOSE = "feat(apps/gateway): keep connections\n\nThey were dropped because of idle time.\n"
KEPT = WHOLE.replace("deployment shutdowns", "shutdowns")
STRANGE = "fix: x\n\nChangeset: never-made\n"
MESSAGES = st.sampled_from([WHOLE, LOOSE, WHOLE + "Impact: major\n", "tidy", STRANGE, "chore: y", ""])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=9), st.sampled_from(["ready", "patch", "a-b"]))
PATHS = st.sampled_from(
    [
        *resolving.ANSWERABLE,
        "verification[0].name",
        "verification[0].status",
        "verification[2].evidence",
        "targets[0].impact",
        "targets[0].migration",
        "targets[1].release-unit",
        "provenance.changesets",
        "relations.reverts",
        "nonsense",
    ]
)
ANSWERS = st.dictionaries(PATHS, st.one_of(SCALARS, st.lists(SCALARS, max_size=3)), max_size=5)
DRAFTS = profile_of(PROFILE_TEXT.replace("require-ready: true", "require-ready: false"))
RECORD = st.builds(
    lambda impact, stream, unit: record(1, targets=[target(impact=impact, stream=stream, **{"release-unit": unit})]),
    st.sampled_from(["patch", "minor", "none"]),
    st.sampled_from(["stable", "lts"]),
    st.sampled_from(sorted(PROFILE.release_units)),
)


def resolve(
    *messages: str,
    records: tuple[ExistingRecord, ...] = (),
    answers: dict[str, AnswerValue] | None = None,
    rules: Rules = RULES,
    documents: tuple[Document, ...] = (),
    notes: tuple[Note, ...] = (),
) -> Resolved:
    """Resolve a request of commits with these messages, each of which changes a file of the worker."""
    commits = [commit(number, text, "apps/worker/jobs.py") for number, text in enumerate(messages, start=1)]
    return resolving.resolve(
        evidence(*commits, answers=answers, records=records, documents=documents, notes=notes), DRAFTS, rules
    )


@settings(max_examples=60)
@given(st.lists(MESSAGES, min_size=1, max_size=4), st.lists(RECORD, max_size=1), ANSWERS, st.sampled_from([RULES, NO_RULES]))
def test_a_field_is_settled_written_requested_or_asked_and_never_two_of_them(
    messages: list[str], records: list[ExistingRecord], answers: dict[str, AnswerValue], rules: Rules
) -> None:
    resolved = resolve(*messages, records=tuple(records), answers=answers, rules=rules)
    places = [*resolved.values, *resolved.prose, *(item.field for item in resolved.requests), *asked(resolved)]
    assert len(places) == len(set(places))
    assert {finding.where for finding in resolved.contradictions} <= asked(resolved).keys()
    assert [*resolved.values] == sorted(resolved.values, key=PULL_REQUEST.order)
    assert resolve(*messages, records=tuple(records), answers=answers, rules=rules) == resolved
    words = {"state": STATES, "title.type": tuple(PROFILE.types)}
    for path, sourced in resolved.values.items():
        allowed = IMPACTS if path.endswith("].impact") else words.get(path)
        assert allowed is None or sourced.value in allowed
        assert sourced.basis in {Basis.PROFILE, Basis.RULE} or sourced.evidence, path


@settings(max_examples=80)
@given(st.lists(MESSAGES, max_size=3), RECORD)
def test_what_a_linked_decision_says_of_a_target_is_taken_or_asked(messages: list[str], told: ExistingRecord) -> None:
    resolved = resolve(WHOLE, *messages, records=(told,))
    text = told.data.decode()
    (decided,) = (one for one in PROFILE.release_units if f"release-unit: {one}" in text)
    places = [
        path.partition(".")[0] for path, one in resolved.values.items() if one.value == decided and path.startswith("tar")
    ]
    for place in places:
        impact = resolved.values.get(f"{place}.impact")
        assert f"{place}.impact" in asked(resolved) or (impact and f"impact: {impact.value}" in text)
    assert places or "targets" in asked(resolved)


@pytest.mark.requirement("AI-3", "IC-7.4")
def test_reviewed_words_are_evidence_and_no_drafter_is_asked_for_them() -> None:
    resolved = resolve(KEPT, records=(record(1),))
    assert [one.field for one in resolved.requests] == ["title.description", "approach"]
    assert resolved.prose["summary"].basis is Basis.EVIDENCE
    assert resolved.prose["summary"].evidence == ("S1",)
    assert value(resolved, "provenance.changesets") == ("resume-settlement-jobs",)
    assert value(resolved, "base-revision") == oid(250)


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize("name", ["trade-offs", "risks", "rollout", "rollback"])
def test_a_text_that_only_mentions_a_field_may_be_told_and_one_that_has_it_must_be(name: str) -> None:
    words = {
        "trade-offs": "An alternative was slow.",
        "risks": "It is a risk.",
        "rollout": "It is deployed today.",
        "rollback": "It can be rolled back.",
    }
    near = resolve(KEPT, documents=(document(1, DocumentKind.PULL_REQUEST, body=words[name]),))
    request = next(one for one in near.requests if one.field == name)
    assert (request.sources, request.otherwise is not None) == (("P1",), True)
    under = resolve(KEPT, documents=(document(1, DocumentKind.PULL_REQUEST, body=f"## {name}\n\n{words[name]}"),))
    assert next(one for one in under.requests if one.field == name).otherwise is None
    silent = resolve(KEPT, documents=(document(1, DocumentKind.PULL_REQUEST, body="It works now."),))
    assert not silent.values[name].value


def test_records_of_the_project_are_no_approach() -> None:
    paths = ("led/ws.yaml", ".ack/changes/resume-settlement-jobs.yaml", ".ack/pulls/x.yaml", "apps/worker/jobs.py")
    resolved = resolving.resolve(evidence(commit(1, WHOLE, *paths)), DRAFTS, RULES)
    (approach,) = (one for one in resolved.requests if one.field == "approach")
    assert [item for item in approach.sources if item.startswith("F")] == ["F103"]


@pytest.mark.parametrize(("note", "is_known"), [("base-not-ancestor", False), ("merge-selected", True)])
def test_a_base_that_the_head_does_not_descend_from_is_not_where_the_request_began(note: str, *, is_known: bool) -> None:

    resolved = resolve(WHOLE, notes=(Note(note, "git:x", "said"),))
    assert ("base-revision" in resolved.values) is is_known
    assert ("base-revision" in asked(resolved)) is not is_known
