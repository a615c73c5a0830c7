"""The items of an envelope equal its range, and what differs is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import EnvelopeForm
from guardrails.drafts.sourced import Basis, FieldValue, Sourced
from guardrails.grounding.releases.accounts import Accounts
from guardrails.grounding.releases.coverage import coverage
from tests.guardrails.grounding.enveloped import itemized, single
from tests.guardrails.resolving.building import oid

K1, K2 = oid(1)[:7], oid(2)[:7]
ONE, TWO = oid(1), oid(2)


def drafted(*keys: str, request: str | None = None, basis: Basis = Basis.EVIDENCE) -> Draft:
    """A draft with these items, or of one change; the first is tied to `request`, for which `basis` speaks."""
    paths = [f"items[{key}]" for key in keys] or ["change"]
    values: dict[str, Sourced[FieldValue]] = {f"{path}.kind": Sourced("bug_fix", Basis.EVIDENCE) for path in paths}
    values["operation.repository"] = Sourced("example/payments", Basis.RULE)
    values[f"{paths[0]}.relations.request"] = Sourced(request, basis)
    return Draft(EnvelopeForm(keys), values, {})


BOTH = itemized({"kind": "bug_fix"}, {})


def codes(
    commits: Mapping[str, str],
    requests: Mapping[str, str] | None = None,
    draft: Draft | None = None,
    record: dict[str, Any] = BOTH,
) -> set[str]:
    """The codes of what differs between two items and their range."""
    return {one.code for one in coverage(Accounts(commits, requests or {}), draft or drafted(K1, K2), record)}


def test_a_single_change_tells_its_commits_too() -> None:
    assert codes({ONE: "change"}, draft=drafted(), record=single()) == set()
    assert codes({ONE: K1}, draft=drafted(), record=single()) == {"account-unknown-item", "item-without-commit"}


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ({ONE: K1, TWO: K2}, set()),
        ({ONE: K1, TWO: ""}, {"release-unaccounted", "item-without-commit"}),
        ({ONE: K1, TWO: " "}, {"release-unaccounted", "item-without-commit"}),
        ({ONE: K1, TWO: "changes nothing"}, {"item-without-commit"}),
        ({ONE: f"{K1}, {K2}", TWO: "abcdef0"}, {"account-unknown-item"}),
        ({ONE: f"{K2}, {K1}", TWO: "changes nothing"}, set()),
    ],
    ids=["equal", "lost", "blank", "an item of nothing", "a foreign item", "a reason"],
)
def test_the_range_and_the_items_are_equal_or_it_is_said(commits: dict[str, str], expected: set[str]) -> None:
    assert codes(commits) == expected


def test_a_lost_request_is_said() -> None:
    assert codes({ONE: K1, TWO: K2}, {"#1": ""}) == {"release-unaccounted"}


@pytest.mark.parametrize(
    ("record", "expected"),
    [(itemized({}), {"item-unknown"}), ({**BOTH, "more": 1}, {"envelope-shape"})],
    ids=["another draft", "no envelope"],
)
def test_what_is_no_envelope_of_these_items_is_said(record: dict[str, Any], expected: set[str]) -> None:
    assert codes({ONE: K1, TWO: K2}, record=record) == expected


@pytest.mark.parametrize(
    ("request_", "basis", "expected"),
    [
        (None, Basis.EVIDENCE, set()),
        ("#1", Basis.EVIDENCE, set()),
        ("https://github.com/example/payments/pull/1", Basis.EVIDENCE, set()),
        ("#9", Basis.EVIDENCE, {"request-outside-range"}),
        ("acme/other#1", Basis.EVIDENCE, {"request-outside-range"}),
        ("#9", Basis.ANSWER, set()),
    ],
    ids=["none", "its own", "its own as an address", "foreign", "of another repository", "a person's"],
)
def test_a_request_of_another_range_is_no_request_of_an_item(request_: str | None, basis: Basis, expected: set[str]) -> None:
    assert codes({ONE: K1, TWO: K2}, {"#1": K1}, drafted(K1, K2, request=request_, basis=basis)) == expected
