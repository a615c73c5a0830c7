"""A relation is one identifier that can be cited, a login, or null."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts import relations

NOTHING = [
    "",
    " ",
    "-",
    "none",
    "None",
    "N/A",
    "n/a",
    "null",
    "#",
    "unknown",
    "see above",
    "the ticket 12",
    "TODO",
    "PROJ-412 ",
]


def codes(key: str, value: str | None) -> list[str]:
    return [finding.code for finding in relations.check("change.relations", key, value)]


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize("key", ["ticket", "request"])
@pytest.mark.parametrize("value", NOTHING)
def test_words_for_nothing_and_several_words_are_no_identifier(key: str, value: str) -> None:
    assert codes(key, value) == ["relation-not-citable"]


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize("key", ["ticket", "request"])
@pytest.mark.parametrize(
    "value", ["PROJ-412", "#12", "!7", "1482", "GH-12", "acme/widgets#1482", "group/sub/project!7", "T1234", "AB#12", None]
)
def test_an_identifier_as_people_cite_it_is_let_through(key: str, value: str | None) -> None:
    assert codes(key, value) == []


@pytest.mark.requirement("DC-08")
def test_an_address_is_an_identifier_without_a_digit_too() -> None:
    assert codes("ticket", "https://example.com/tickets/popup") == []


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(
    ("value", "held"),
    [
        ("octocat", True),
        ("@octocat", True),
        ("dependabot[bot]", True),
        ("j.doe_2", True),
        (None, True),
        ("Jared G", False),
        ("jared@example.com", False),
        ("-", False),
        ("none", False),
        ("", False),
    ],
)
def test_a_reporter_is_a_login(value: str | None, held: bool) -> None:
    assert (codes("reporter", value) == []) is held


@given(key=st.sampled_from(relations.KEYS), value=st.text(max_size=60))
def test_any_value_is_judged(key: str, value: str) -> None:
    assert codes(key, value) in ([], ["relation-not-citable"])
