"""The post-validator over whole drafts: honest ones pass, and every mutant is caught with the right code."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.sourced import Basis
from guardrails.findings import blocking
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected
from tests.guardrails.grounding.grounded import Judged, cases, judged, prose

DRAFTS = {case["name"]: case for case in cases("drafts.yaml")}
MUTANTS = [(name, mutant) for name, case in DRAFTS.items() for mutant in case["mutants"]]
TRAPS = cases("traps.yaml")
SETTLEMENT = judged(DRAFTS["settlement"])


def mutated(name: str, mutant: dict[str, Any]) -> Judged:
    case = DRAFTS[name]
    sentences = [dict(one) for one in case["texts"][mutant["in"]]]
    place = next(place for place, one in enumerate(sentences) if mutant["find"] in one["text"])
    sentences[place]["text"] = sentences[place]["text"].replace(mutant["find"], mutant["put"])
    sentences[place]["evidence"] = mutant.get("evidence", sentences[place]["evidence"])
    return judged(case).told({mutant["in"]: prose(sentences)})


@pytest.mark.requirement("UC-05")
@pytest.mark.parametrize("name", DRAFTS)
def test_an_honest_draft_is_accepted(name: str) -> None:
    case = judged(DRAFTS[name])
    assert blocking(case.findings) == ()
    assert isinstance(case.verdict, Accepted)


@pytest.mark.requirement("UC-05")
@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("name", "mutant"), MUTANTS, ids=[f"{name}-{one['code']}-{i}" for i, (name, one) in enumerate(MUTANTS)]
)
def test_a_draft_with_one_invention_is_caught_with_the_right_code(name: str, mutant: dict[str, Any]) -> None:
    case = mutated(name, mutant)
    assert (mutant["code"], mutant["in"]) in {(finding.code, finding.where) for finding in blocking(case.findings)}
    assert isinstance(case.verdict, NeedsInput | Rejected)


@pytest.mark.parametrize("trap", TRAPS, ids=[trap["told"][:40] for trap in TRAPS])
def test_an_honest_sentence_full_of_look_alikes_passes(trap: dict[str, Any]) -> None:
    message = f"fix(apps/worker): settle\n\n{trap['evidence']}\n\nImpact: patch\nChangeset: a-b\nRefs: DEVELOP-1"
    case = judged({"commits": [{"message": message}], "texts": {"rationale": [{"text": trap["told"], "evidence": ["C1"]}]}})
    assert [finding for finding in blocking(case.findings) if finding.where == "rationale"] == []


def test_findings_come_in_field_order_and_are_the_same_each_time() -> None:
    case = mutated("settlement", MUTANTS[0][1])
    assert case.findings == case.findings
    wheres = [finding.where for finding in case.findings]
    assert wheres == sorted(wheres, key=("summary", "rationale").index)


@given(
    st.text(max_size=200),
    st.text(alphabet="aZ0 `'\"#@/.-_:()[]<>!\n\u202e", max_size=200),
    st.lists(st.sampled_from(["C1", "H1", "C9"])),
)
def test_whatever_a_draft_says_it_is_judged_and_never_accepted_with_a_fault(first: str, second: str, ids: list[str]) -> None:
    sentences = [{"text": text, "evidence": ids} for text in (first, second) if text]
    case = SETTLEMENT.told({"summary": prose(sentences), "rationale": prose(sentences, Basis.GIVEN)})
    findings = case.findings
    assert findings == case.findings
    assert isinstance(case.verdict, Accepted) is (not blocking(findings) and not case.resolved.unresolved)
