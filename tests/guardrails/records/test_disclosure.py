from __future__ import annotations

import pytest

from guardrails.records.disclosure import Disclosure, is_timestamp, validate_disclosure
from guardrails.records.fields import Faults
from guardrails.strict_yaml import read


def _codes(disclosure: Disclosure) -> list[str]:
    faults = Faults(read(b"disclosure: {}"))
    validate_disclosure(disclosure, faults)
    return [finding.code for finding in faults.findings]


@pytest.mark.requirement("IC-6.9a")
@pytest.mark.parametrize(
    "disclosure",
    [
        Disclosure("public"),
        Disclosure("embargoed", not_before="2026-12-01"),
        Disclosure("embargoed", policy="coordinated"),
        Disclosure("embargoed", not_before="2026-12-01T09:30:00Z", policy="coordinated"),
        Disclosure("redacted", placeholder="A security fix"),
    ],
)
def test_a_disclosure_by_the_book_passes(disclosure: Disclosure) -> None:
    assert _codes(disclosure) == []


@pytest.mark.requirement("IC-6.9a")
@pytest.mark.requirement("IC-6.9b")
@pytest.mark.requirement("IC-6.9c")
@pytest.mark.parametrize(
    ("disclosure", "codes"),
    [
        (Disclosure("secret"), ["unknown-disclosure-state"]),
        (Disclosure("Public"), ["unknown-disclosure-state"]),
        (Disclosure("public", not_before="2026-12-01", policy="p", placeholder="x"), ["disclosure-field-not-null"] * 3),
        (Disclosure("embargoed", policy="p", placeholder="x"), ["disclosure-field-not-null"]),
        (Disclosure("redacted", policy="p", placeholder="x"), ["disclosure-field-not-null"]),
        (Disclosure("redacted", not_before="2026-12-01", placeholder="x"), ["disclosure-field-not-null"]),
        (Disclosure("embargoed"), ["embargo-without-terms"]),
        (Disclosure("embargoed", policy=" "), ["embargo-without-terms"]),
        (Disclosure("embargoed", not_before="soon"), ["invalid-not-before"]),
        (Disclosure("redacted"), ["redacted-without-placeholder"]),
        (Disclosure("redacted", placeholder="\t"), ["redacted-without-placeholder"]),
    ],
)
def test_each_breach_has_its_code(disclosure: Disclosure, codes: list[str]) -> None:
    assert _codes(disclosure) == codes


@pytest.mark.requirement("IC-6.9b")
@pytest.mark.parametrize(
    "text",
    [
        "2026-12-01",
        "20261201",
        "2024-02-29",
        "2026-12-01T09:30",
        "2026-12-01T09:30:00",
        "2026-12-01T09:30:00Z",
        "2026-12-01T09:30:00.250+02:00",
        "2026-12-01T09:30:00-0330",
        "20261201T093000Z",
    ],
)
def test_a_date_or_time_of_iso_8601_is_a_timestamp(text: str) -> None:
    assert is_timestamp(text)


@pytest.mark.requirement("IC-6.9b")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "next spring",
        "2026-12",
        "2026-02-29",
        "2026-13-01",
        "2026-12-01 09:30",
        "2026-12-01T",
        "2026-12-01T25:00",
        "2026-12-01T09:30:61Z",
        "2026-12-01T09:30:00+99:00",
        "2026-12-01X09:30",
        "2026-12-01\n",
        "01.12.2026",
        "٢٠٢٦-١٢-٠١",
        "2026-1-1",
        "1767225600",
    ],
)
def test_any_other_text_is_no_timestamp(text: str) -> None:
    assert not is_timestamp(text)


@pytest.mark.requirement("IC-6.9d")
def test_a_passed_embargo_is_still_an_embargo() -> None:
    assert not Disclosure("embargoed", not_before="1999-01-01").is_public
