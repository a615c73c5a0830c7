"""Targets are matched by unit and stream, in any order, and a missing one is told."""

from __future__ import annotations

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.reply import FieldReply, ProseReply, SentenceReply
from guardrails.drafts.sourced import Basis, Sourced
from guardrails.grounding import asking
from guardrails.grounding.asking import ANSWERED_TWICE, OUTSIDE_SOURCES
from guardrails.grounding.changesets import matching
from guardrails.grounding.changesets.matching import TARGET_MISSING
from guardrails.resolving.resolved import ProseRequest, Resolved

PAIRS = (("a", "stable"), ("b", "stable"), ("b", "lts"))


def draft(*pairs: tuple[str, str | None]) -> Draft:
    values = {
        f"targets[{index}].{name}": Sourced(value, Basis.GIVEN)
        for index, pair in enumerate(pairs)
        for name, value in zip(("release-unit", "stream"), pair, strict=True)
    }
    return Draft(CHANGESET, values, {})


def resolved(*pairs: tuple[str, str | None]) -> Resolved:
    return Resolved(draft(*pairs).values, {}, (), (), (), {})


@pytest.mark.requirement("IC-6.6f")
@pytest.mark.parametrize(
    ("given", "known", "places"),
    [
        (PAIRS, PAIRS, {0: 0, 1: 1, 2: 2}),
        (PAIRS[::-1], PAIRS, {0: 2, 1: 1, 2: 0}),
        ((("b", None),), (("a", "stable"), ("b", "stable")), {0: 1}),
        ((("b", "other"),), (("a", "stable"), ("b", "stable")), {0: 1}),
        ((("c", "stable"), ("a", "stable")), (("a", "stable"), ("b", "stable")), {0: 2, 1: 0}),
        ((("a", "stable"), ("a", "stable")), (("a", "stable"),), {0: 0, 1: 1}),
        ((("c", "stable"),), (), {0: 0}),
        ((), PAIRS, {}),
    ],
)
def test_each_target_gets_the_place_of_its_like(
    given: tuple[tuple[str, str | None], ...], known: tuple[tuple[str, str | None], ...], places: dict[int, int]
) -> None:
    assert matching.places(draft(*given), resolved(*known)) == places


def test_findings_are_told_where_the_draft_has_its_targets() -> None:
    own, known = draft(("b", "stable"), ("a", "stable")), resolved(("a", "stable"), ("b", "stable"))
    places = matching.places(own, known)
    turned = matching.renumbered(own, places)
    assert turned.get("targets[0].release-unit") == "a"
    found = (TARGET_MISSING.at("targets[0].impact", "x"), TARGET_MISSING.at("summary", "x"))
    assert [finding.where for finding in matching.told(found, places)] == ["targets[1].impact", "summary"]


def test_a_target_that_only_the_evidence_has_is_missing() -> None:
    known = resolved(*PAIRS[:2])
    assert [found.code for found in matching.missing(draft(PAIRS[0]), known)] == ["target-missing"]
    assert matching.missing(draft(*PAIRS[:2]), known) == ()


REQUESTS = (ProseRequest("summary", ("C1", "F1"), "What?"), ProseRequest("rationale", ("C1",), "Why?"))


def reply(*fields: tuple[str, list[str]]) -> ProseReply:
    return ProseReply(
        fields=tuple(
            FieldReply(field=name, sentences=(SentenceReply(text="x", evidence=tuple(evidence)),)) for name, evidence in fields
        )
    )


@pytest.mark.requirement("AI-1")
@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ([("summary", ["C1", "F1"]), ("rationale", ["C1"])], []),
        ([("summary", ["H1"])], [(OUTSIDE_SOURCES.name, "summary")]),
        ([("rationale", ["C1", "F1"])], [(OUTSIDE_SOURCES.name, "rationale")]),
        ([("summary", ["H1"]), ("summary", ["H1"])], [(OUTSIDE_SOURCES.name, "summary"), (ANSWERED_TWICE.name, "summary")]),
        ([("id", ["H1"]), ("id", ["H1"])], []),
    ],
)
def test_a_reply_rests_on_what_it_was_given_for_each_field_once(
    fields: list[tuple[str, list[str]]], found: list[tuple[str, str]]
) -> None:
    assert [(finding.code, finding.where) for finding in asking.check(reply(*fields), REQUESTS)] == found
