"""A change keeps to the contract that is proposed out of it, whatever it holds, and the proposal is a valid contract."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.contracts import budget, schema, scope
from guardrails.contracts.evaluate import Compared
from guardrails.contracts.inventory import Entry, Snapshot, category
from guardrails.contracts.results import Status
from guardrails.contracts.schema import Contract
from guardrails.resolving.proposals.proposing import propose
from tests.guardrails.resolving.building import commit, evidence

pytestmark = pytest.mark.requirement("CC-06")
NAMES = st.sampled_from(("a.py", "b.ts", "c.md", "test_d.py", "e-é.txt", "package.json", "f", "*.x"))
FOLDERS = st.sampled_from(("", "src/", "src/a/", "src/b/c/", "tests/", "docs/", "x y/"))
FILES = st.dictionaries(st.builds(str.__add__, FOLDERS, NAMES), st.text("ab{}\n\"':", max_size=30), max_size=16)
MESSAGES = st.text("ab XYZ é#()!:'\"-\n", min_size=1, max_size=60)


def side(files: Mapping[str, str]) -> Snapshot:
    entries = {
        path: Entry(path, hashlib.sha256(text.encode()).hexdigest(), len(text), "100644", category(path, "100644"))
        for path, text in sorted(files.items())
    }
    return Snapshot(entries, dict(files))


@settings(max_examples=12)
@given(FILES, FILES, st.lists(MESSAGES, min_size=1, max_size=4))
def test_a_change_keeps_to_its_own_proposal(before: dict[str, str], after: dict[str, str], messages: list[str]) -> None:
    compared = Compared.of(side(before), side(after))
    changed = [change.path for change in compared.changes]
    commits = (commit(number, message, *changed) for number, message in enumerate(messages, 1))
    proposal = propose(evidence(*commits), compared)
    assert proposal.questions[-1].field == "approved-contract"
    if not changed:
        assert proposal.contract == {}
        return
    contract = schema.read(proposal.text.encode())
    assert isinstance(contract, Contract), contract
    held = scope.check(contract, compared.changes)
    assert held is not None
    assert held.status is Status.PASS
    counted = budget.check(contract, compared.changes, compared.base, compared.head)
    assert counted is not None
    assert counted.status is Status.PASS
    assert all(claim.text in {" ".join(message.split("\n")[0].split()) for message in messages} for claim in contract.claims)
