"""The items of an envelope equal its range, and what differs is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from guardrails.grounding.releases.coverage import Row, coverage, item_keys
from tests.guardrails.grounding.enveloped import RELATIONS, itemized, single
from tests.guardrails.resolving.building import oid

K1, K2 = oid(1)[:7], oid(2)[:7]
ONE, TWO = oid(1), oid(2)
SUMMARY = {"title": "Release 2", "short_md": "Two changes: one fix, one improvement", "medium_md": "The pool is lower."}


def fields(*keys: str, **bases: str) -> dict[str, object]:
    """The fields of a draft record with these items; `bases` tell what a request rests on, by `k` and the key."""
    found: dict[str, object] = {"shape": {"basis": "answer"}, "summary.title": {"basis": "rule"}}
    for key in keys:
        found[f"items[{key}].kind"] = {"basis": "evidence"}
        found[f"items[{key}].relations.request"] = {"basis": bases.get(f"k{key}", "evidence")}
    return found


def envelope(*items: Mapping[str, Any], **summary: str) -> dict[str, Any]:
    """An envelope of these changes."""
    return {**itemized(*items), "summary": {**SUMMARY, **summary}}


FIX: dict[str, Any] = {"kind": "bug_fix"}
BOTH = envelope(FIX, {})


def codes(
    commits: Mapping[str, str], told: dict[str, Any] = BOTH, requests: Mapping[str, str] | None = None, **bases: str
) -> set[str]:
    """The codes of what differs between two items and their range."""
    return {one.code for one in coverage(commits, requests or {}, told, fields(K1, K2, **bases)).findings}


@pytest.mark.requirement("DC-15", "DC-18")
def test_every_commit_and_request_has_a_row_with_its_items_or_its_reason() -> None:
    found = coverage({ONE: f"{K2}, {K1}", TWO: "changes nothing"}, {"#1": K1, "#2": "changes nothing"}, BOTH, fields(K1, K2))
    assert found.commits == (Row(ONE, (1, 0)), Row(TWO, (), "changes nothing"))
    assert found.requests == (Row("#1", (0,)), Row("#2", (), "changes nothing"))
    assert (found.told, found.findings) == (1, ())


def test_the_items_are_named_in_the_order_of_the_record() -> None:
    assert item_keys(fields(K2, K1)) == (K2, K1)
    assert item_keys({"change.kind": {}, "change.title": {}}) == ("change",)
    assert item_keys({}) == ()


def test_a_single_change_tells_its_commits_too() -> None:
    found = coverage({ONE: "change"}, {}, single(), {"change.kind": {}})
    assert (found.commits, found.findings) == ((Row(ONE, (0,)),), ())


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ({ONE: K1, TWO: K2}, set()),
        ({ONE: K1, TWO: ""}, {"release-unaccounted", "item-without-commit"}),
        ({ONE: K1, TWO: " "}, {"release-unaccounted", "item-without-commit"}),
        ({ONE: K1, TWO: "changes nothing"}, {"item-without-commit"}),
        ({ONE: f"{K1}, {K2}", TWO: "abcdef0"}, {"account-unknown-item"}),
    ],
    ids=["equal", "lost", "blank", "an item of nothing", "a foreign item"],
)
def test_the_range_and_the_items_are_equal_or_it_is_said(commits: dict[str, str], expected: set[str]) -> None:
    assert codes(commits) == expected


def test_a_lost_request_is_said() -> None:
    assert codes({ONE: K1, TWO: K2}, requests={"#1": ""}) == {"release-unaccounted"}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (envelope(FIX, {}, short_md="Three changes"), {"count-differs"}),
        (envelope(FIX, {}, short_md="Two changes: two fixes"), {"count-differs"}),
        (envelope({}, {"kind": "breaking"}, short_md="Two changes, one of them breaking"), {"items-out-of-order"}),
        (envelope({"kind": "breaking"}, {}, short_md="Two changes, one of them breaking"), set()),
        (envelope(FIX), {"item-unknown"}),
        ({**BOTH, "more": 1}, {"envelope-shape"}),
    ],
    ids=["another total", "another kind", "breaking last", "breaking first", "another draft", "no envelope"],
)
@pytest.mark.requirement("DC-17")
def test_the_envelope_counts_and_orders_its_own_items(told: dict[str, Any], expected: set[str]) -> None:
    assert codes({ONE: K1, TWO: K2}, told) == expected


@pytest.mark.parametrize(
    ("request_", "requests", "bases", "expected"),
    [
        ("#1", {"#1": K1}, {}, set()),
        ("https://github.com/example/payments/pull/1", {"#1": K1}, {}, set()),
        ("#9", {"#1": K1}, {}, {"request-outside-range"}),
        ("acme/other#1", {"#1": K1}, {}, {"request-outside-range"}),
        ("#9", {"#1": K1}, {f"k{K1}": "answer"}, set()),
    ],
    ids=["its own", "its own as an address", "foreign", "of another repository", "a person's"],
)
def test_a_request_of_another_range_is_no_request_of_an_item(
    request_: str, requests: dict[str, str], bases: dict[str, str], expected: set[str]
) -> None:
    told = envelope({**FIX, "relations": {**RELATIONS, "request": request_}}, {})
    assert codes({ONE: K1, TWO: K2}, told, requests, **bases) == expected


def test_what_is_not_drafted_has_rows_and_claims_nothing() -> None:
    found = coverage({ONE: K1, TWO: ""}, {}, None, {})
    assert (found.commits, found.findings) == ((Row(ONE), Row(TWO)), ())
