"""What says nothing, breaks off, or knows of a release that nobody told of is asked again; plain honest sentences are not."""

from __future__ import annotations

import pytest

from guardrails.drafts.sourced import Basis
from guardrails.grounding import saying
from tests.guardrails.grounding.grounded import judged, prose

COMMITS = [
    {
        "message": "fix(apps/worker): resume interrupted settlement jobs\n\n"
        "Jobs of the latest release were lost at a restart.\nNow it is released to operators.\n\nImpact: patch\n",
        "files": {"apps/worker/settlement.py": "@@ def settle\n+resume(ledger)\n"},
    },
    {"message": "docs: mention retries\n", "files": {"README.md": "@@\n+Retries wait a minute.\n"}},
]


def codes(text: str, *evidence: str, basis: Basis = Basis.SYNTHESIS) -> list[str]:
    case = judged({"commits": COMMITS}).told({"summary": prose([{"text": text, "evidence": list(evidence)}], basis)})
    return [finding.code for finding in saying.check(case.draft, case.citable)]


REFUSED = {
    "A change is made to the code, and it is a new change": "says-nothing",
    "The new feature is an improvement": "says-nothing",
    "Interrupted settlement jobs are resumed by the": "unfinished-sentence",
    "Interrupted settlement jobs are resumed, and": "unfinished-sentence",
    "Interrupted settlement jobs go to the ledger, which is ": "unfinished-sentence",
    "Interrupted settlement jobs are resumed,": "unfinished-sentence",
    "Retries are in the newest version": "release-state-unsupported",
    "Retries have been released": "release-state-unsupported",
    "Retries are available for download": "release-state-unsupported",
    "Retries are coming soon": "release-state-unsupported",
}
HELD = [
    "Interrupted settlement jobs are resumed",
    "Interrupted settlement jobs are resumed after a restart.",
    "The README tells what retries are waiting for",
    "Retries now wait a minute, which is what the README tells",
    "Change `settle`",
    "Jobs are available again",
]


@pytest.mark.parametrize(("text", "code"), REFUSED.items(), ids=REFUSED)
def test_such_a_sentence_is_refused_whoever_it_is_said_of(text: str, code: str) -> None:
    assert codes(text, "C2") == [code]


@pytest.mark.parametrize("text", HELD)
def test_an_honest_sentence_is_held(text: str) -> None:
    assert codes(text, "C1", "C2", "H1") == []


def test_a_release_of_which_the_evidence_tells_may_be_told() -> None:
    assert codes("Jobs that the latest release lost are resumed", "C1") == []
    assert codes("The worker has been released to operators", "C1") == []
    assert codes("Jobs that the latest release lost are resumed", "C2") == ["release-state-unsupported"]


def test_what_is_copied_or_handed_in_is_as_its_writer_left_it() -> None:
    assert codes("Jobs of the latest release were lost at a restart.", "C1") == []
    assert codes("Interrupted settlement jobs are resumed by the", "C1", basis=Basis.GIVEN) == []
