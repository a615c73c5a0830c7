"""What several pages of one run tell is said, and is a fault only where no release units share it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.findings import Severity
from guardrails.grounding.releases.twice import Page, Twice, twice
from tests.guardrails.resolving.building import oid

KEY = oid(9)[:7]


def page(name: str, *commits: int, unit: str = "", repository: str = "acme/widgets", requests: tuple[str, ...] = ()) -> Page:
    """A page that tells some commits."""
    return Page(name, repository, unit, {oid(one): KEY for one in commits}, dict.fromkeys(requests, KEY))


def test_pages_that_have_nothing_in_common_say_nothing() -> None:
    assert twice([page("v1", 1, 2), page("v2", 3)]) == ()


def test_a_commit_of_two_units_is_said_and_is_no_fault() -> None:
    (found,) = twice([page("a", 1, 2, unit="apps/a"), page("b", 2, 3, unit="apps/b")])
    assert found == Twice(("a", "b"), (oid(2),), (), (), shared=True)
    assert found.finding() is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (page("v1", 1), page("v2", 1)),
        (page("v1", 1, unit="apps/a"), page("v2", 1, unit="apps/a")),
        (page("v1", 1, unit="apps/a"), page("v2", 1)),
        (page("v1", 1, unit="apps/a"), page("fork", 1, unit="apps/b", repository="else/widgets")),
    ],
    ids=["no units", "one unit", "a unit and the whole", "two repositories"],
)
def test_a_change_that_no_units_share_is_a_warning_that_names_both_pages(one: Page, other: Page) -> None:
    (found,) = twice([one, other])
    warning = found.finding()
    assert warning is not None
    assert (warning.code, warning.severity) == ("told-twice", Severity.WARNING)
    assert one.name in warning.message
    assert other.name in warning.message
    assert oid(1)[:12] in warning.message


def test_what_a_page_leaves_out_is_not_told_there() -> None:
    left_out = Page("v2", "acme/widgets", "", {oid(1): "of another release unit: apps/a"}, {"#1": "changes nothing"})
    assert twice([page("v1", 1, requests=("#1",)), left_out]) == ()


def test_a_request_that_was_picked_to_another_line_is_told_twice() -> None:
    (found,) = twice([page("v1.1", 1, requests=("#7",)), page("v2.0", 2, requests=("#7",))])
    assert (found.commits, found.requests) == ((), ("#7",))


def test_the_same_number_in_two_repositories_is_two_requests() -> None:
    assert twice([page("a", 1, requests=("#7",)), page("b", 2, repository="acme/other", requests=("#7",))]) == ()


def test_a_decision_told_in_two_pages_is_named_by_its_id() -> None:
    pages = [Page(name, "acme/widgets", changesets=frozenset({"resume-jobs"})) for name in ("v1", "v2")]
    (found,) = twice(pages)
    warning = found.finding()
    assert found.changesets == ("resume-jobs",)
    assert warning is not None
    assert "resume-jobs" in warning.message


def test_much_that_is_told_twice_is_one_warning_of_bounded_length() -> None:
    (found,) = twice([page("v1", *range(1, 60)), page("v2", *range(1, 60))])
    warning = found.finding()
    assert warning is not None
    assert "and 54 more" in warning.message


@given(st.lists(st.frozensets(st.integers(1, 6)), max_size=5))
def test_exactly_what_several_pages_tell_is_found_once(told: list[frozenset[int]]) -> None:
    found = twice([page(f"v{place}", *sorted(commits)) for place, commits in enumerate(told)])
    expected = {oid(one) for one in range(1, 7) if sum(one in commits for commits in told) > 1}
    named = [oid_ for one in found for oid_ in one.commits]
    assert set(named) == expected
    assert len(named) == len(set(named))
    for one in found:
        assert all(
            oid_ in page_oids
            for name in one.pages
            for page_oids in [{oid(n) for n in told[int(name[1:])]}]
            for oid_ in one.commits
        )
