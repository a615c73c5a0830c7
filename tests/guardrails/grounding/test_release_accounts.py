"""Accounts: where each commit and each request of a range went, out of redacted evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.evidence.model import Operation, OperationType
from guardrails.grounding.releases.accounts import Accounts, accounts, keys
from guardrails.resolving.grouping.grouping import group
from tests.guardrails.resolving.building import NO_RULES, bundle, commit, evidence, oid, record
from tests.guardrails.resolving.changes import NUMBERED, merge
from tests.guardrails.resolving.describing_case import issue, request

K1, K2, K3 = (oid(number)[:7] for number in (1, 2, 3))


def of(*messages: str, **coverage: str) -> Accounts:
    """The accounts of commits; `coverage` by their ids."""
    operation = Operation(OperationType.RANGE, "v1..v2", "acme/widgets")
    return accounts(bundle(*messages, repository="", operation=operation), coverage, NO_RULES)


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        (K1, (K1,)),
        (f"{K1}, {K2}.2", (K1, f"{K2}.2")),
        ("change", ("change",)),
        ("changes nothing", ()),
        ("merge: changes nothing by itself", ()),
        ("reverted by C3 of the same selection", ()),
        (f"{K1}, and more", ()),
        ("", ()),
    ],
)
def test_an_account_is_keys_or_a_reason(account: str, expected: tuple[str, ...]) -> None:
    assert keys(account) == expected


def test_commits_are_told_by_their_full_names_in_order() -> None:
    found = of("Add a", "Add b", C1=K1, C2="changes nothing")
    assert list(found.commits.items()) == [(oid(1), K1), (oid(2), "changes nothing")]
    assert found.requests == {}


def test_a_commit_that_nobody_speaks_of_has_no_account() -> None:
    assert of("Add a").commits == {oid(1): ""}


@pytest.mark.parametrize(
    ("messages", "coverage", "expected"),
    [
        (("Add a (#1)", "Add b (#2)"), {"C1": K1, "C2": K2}, {"#1": K1, "#2": K2}),
        (("Add a (#1)", "Add tests for a (#1)"), {"C1": K1, "C2": K1}, {"#1": K1}),
        (("Add a (#1)", "Add b (#1)"), {"C1": f"{K1}, {K1}.2", "C2": K2}, {"#1": f"{K1}, {K1}.2, {K2}"}),
        (("Add a (#1)", "Add b (#1)"), {"C1": "changes nothing", "C2": K2}, {"#1": K2}),
        (("Add a (#1)", "Undo it (#1)"), {"C1": "undone", "C2": "undone"}, {"#1": "undone"}),
        (("Add a (#1)", "Undo it (#1)"), {"C1": "undone", "C2": "changes nothing"}, {"#1": "undone; changes nothing"}),
        (("Add a\n\nPR-URL: https://github.com/acme/widgets/pull/7", "Add b (#7)"), {"C1": K1, "C2": K2}, None),
        (("Add a\n\nFixes #4", "Like in #5"), {"C1": K1, "C2": K2}, {}),
    ],
    ids=["one each", "once", "all items", "told in part", "one reason", "all reasons", "two ways to write it", "no request"],
)
def test_a_request_goes_where_its_commits_go(
    messages: tuple[str, ...], coverage: dict[str, str], expected: dict[str, str] | None
) -> None:
    url = "https://github.com/acme/widgets/pull/7"
    assert of(*messages, **coverage).requests == ({url: f"{K1}, {K2}"} if expected is None else expected)


def test_a_merge_that_changes_nothing_still_brings_its_request() -> None:
    history = bundle(commit(1, "Add a", "a.py"), merge(2, "Merge pull request #3 from x/y\n\nAdd a", 250, 1))
    grouping = group(history, NUMBERED)
    assert accounts(history, grouping.coverage, NUMBERED).requests == {"#3": grouping.groups[0].key}


def test_a_request_that_was_only_handed_over_is_no_part_of_the_range() -> None:
    history = bundle("Add a (#7)", documents=(request("Add a", number=1), request("Add b", number=2), issue("Broken")))
    assert accounts(history, {"C1": K1}, NO_RULES).requests == {"#7": K1, "#8": "given as evidence, cited by no commit"}


@pytest.mark.requirement("IC-6.9e", "IC-12.5", "AI-7")
def test_what_disclosure_withholds_is_in_no_account() -> None:
    hidden = record(
        1, id="secret-one", disclosure={"state": "embargoed", "not-before": None, "policy": "p", "placeholder": None}
    )
    seen = evidence("Add a (#1)", "fix: Hide (#2)\n\nChangeset: secret-one", records=(hidden,))
    found = accounts(seen.bundle, {"C1": K1}, NO_RULES)
    assert found == Accounts({oid(1): K1}, {"#1": K1})


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from([K1, K2, f"{K1}, {K3}", "changes nothing"])), max_size=12))
def test_every_commit_is_accounted_once_and_no_request_is_lost(history: list[tuple[int, str]]) -> None:
    found = of(*(f"Do it (#{number})" for number, _ in history), **{f"C{n}": told for n, (_, told) in enumerate(history, 1)})
    assert list(found.commits.values()) == [told for _, told in history]
    assert set(found.requests) == {f"#{number}" for number, _ in history}
    for name, account in found.requests.items():
        own = {key for number, told in history if f"#{number}" == name for key in keys(told)}
        assert set(keys(account)) == own
