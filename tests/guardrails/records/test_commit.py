"""Intent Commits messages: the grammar and the rules, against the vectors and by property."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.findings import Finding, Severity
from guardrails.records import profile as profiles
from guardrails.records.commit import (
    Message,
    Trailer,
    effective_impact,
    impact_for,
    migration_for,
    read,
    units,
    write,
)
from guardrails.records.commit_rules import advise, validate
from guardrails.records.profile import Profile
from guardrails.strict_yaml import read as read_yaml

CASES = Path(__file__).parents[2] / "cases" / "intent"
INDEX: list[dict[str, Any]] = [
    case for case in read_yaml((CASES / "cases.yaml").read_bytes()).value["cases"] if case["kind"] == "commit"
]

ARGUED = {
    "cm-target-major-with-migration": (
        "invalid",
        "a target that is major needs a changeset under the profile as much as a commit that is major overall (section 7)",
    ),
}
"""Open cases in which we differ from the peer, and why."""


def load_profile(name: str) -> Profile:
    profile = profiles.read((CASES / name).read_bytes())
    assert isinstance(profile, Profile)
    return profile


BASE = load_profile("profiles/base.yaml")


def codes(text: str, profile: Profile | None = None) -> list[str]:
    message = read(text)
    findings = validate(message, profile) if isinstance(message, Message) else message
    return [finding.code for finding in findings]


def message_of(text: str) -> Message:
    message = read(text)
    assert isinstance(message, Message)
    return message


@pytest.mark.requirement("IC-7.1")
@pytest.mark.requirement("IC-7.3")
@pytest.mark.requirement("IC-4.2")
@pytest.mark.parametrize("case", INDEX, ids=lambda case: case["id"])
def test_every_vector_gets_the_verdict_of_the_specification(case: dict[str, Any]) -> None:
    profile = load_profile(case["profile"]) if case["profile"] else None
    decided = case["spec_verdict"] if case["certainty"] in {"explicit", "reading"} else case["peer_verdict"]
    expected = ARGUED[case["id"]][0] if case["id"] in ARGUED else decided
    found = codes((CASES / case["file"]).read_bytes().decode(), profile)
    assert ("invalid" if found else "valid") == expected, found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mend: stop\n", Message("mend", None, "stop")),
        ("mend(svc/intake): stop\r\n\r\nWhy.\r\n", Message("mend", "svc/intake", "stop", "Why.")),
        ("mend: stop\n\nImpact: patch", Message("mend", None, "stop", "", (Trailer("Impact", "patch"),))),
        (
            "mend: stop\n\nWhy.\n\nMore.\n\nIMPACT: major\nMigration: raise\n  the limit\n\tnow\n",
            Message(
                "mend",
                None,
                "stop",
                "Why.\n\nMore.",
                (Trailer("IMPACT", "major"), Trailer("Migration", "raise\nthe limit\nnow")),
            ),
        ),
        ("mend: stop\n\nImpact: patch\nprose\n", Message("mend", None, "stop", "Impact: patch\nprose")),
        ("mend: stop\n\nWhy.\n\n\nImpact: patch\n", Message("mend", None, "stop", "Why.\n\n\nImpact: patch")),
        ("mend: stop\n\nBREAKING CHANGE: all\n", Message("mend", None, "stop", "BREAKING CHANGE: all")),
    ],
)
def test_reading_follows_the_grammar(text: str, expected: Message) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "\nmend: stop",
        "mend!: stop",
        "Mend: stop",
        "mend:stop",
        "mend:  ",
        "mend(): stop",
        "mend(A): stop",
        "mend: stop\nbody",
    ],
)
def test_another_layout_is_malformed(text: str) -> None:
    findings = read(text)
    assert isinstance(findings, tuple)
    assert [finding.code for finding in findings] == ["malformed-message"]


RULES = [
    ("walk(svc/intake): a", ["unknown-type", "unspecified-impact"]),
    ("mend(svc/other): a", ["unknown-scope"]),
    ("mend(shared): a", ["missing-affected-unit"]),
    ("mend(shared): a\n\nAffects: svc/billing", []),
    ("mend(shared): a\n\nAffects: Bad Word", ["invalid-affects"]),
    ("mend(svc/intake): a\n\nAffects: svc/intake", ["primary-scope-in-affects"]),
    ("mend(svc/intake): a\n\nAffects: svc/billing\nAffects: svc/billing", ["duplicate-affects"]),
    ("mend(svc/intake): a\n\nAffects: svc/none", ["unknown-component"]),
    ("mend(svc/intake): a\n\nImpact: patch\nImpact: patch", ["duplicate-impact"]),
    ("mend(svc/intake): a\n\nImpact: huge", ["invalid-impact"]),
    ("revert(svc/intake): a\n\nReverts: abcdef1", ["unspecified-impact"]),
    ("mend(svc/intake): a\n\nImpact: major\nChangeset: x", ["missing-migration"]),
    ("mend(svc/intake): a\n\nImpact: major\nMigration:  \nChangeset: x", ["missing-migration"]),
    ("mend(svc/intake): a\n\nImpact: major\nMigration: b\nMigration: c\nChangeset: x", ["duplicate-migration"]),
    ("mend(svc/intake): a\n\nMigration: b\nMigration: c", []),
    ("revert(svc/intake): a\n\nImpact: patch", ["missing-reverts"]),
    ("mend(svc/intake): a\n\nReverts: abc", ["invalid-reverts"]),
    ("mend(svc/intake): a\n\nReverts: " + "a" * 65, ["invalid-reverts"]),
    ("mend(svc/intake): a\n\nReverts: ABCDEF1", []),
    ("mend(svc/intake): a\n\nChangeset: -x", ["invalid-changeset"]),
    ("mend(svc/intake): a\n\nChangeset: x\nChangeset: x", ["duplicate-changeset"]),
    ("add(svc/intake): a", ["missing-changeset"]),
    ("guard(svc/intake): a", ["missing-changeset"]),
    ("add(svc/intake): a\n\nChangeset: x\nChangeset: y", []),
    ("mend(svc/intake): a\n\nTarget-Impact: svc/intake", ["invalid-target-impact"]),
    ("mend(svc/intake): a\n\nTarget-Impact: svc/intake=huge", ["invalid-target-impact"]),
    ("mend(svc/intake): a\n\nTarget-Impact: lib/codec=none", ["unknown-target-impact"]),
    ("mend(svc/intake): a\n\nTarget-Impact: svc/intake@edge=none", ["unknown-target-stream"]),
    ("mend(svc/intake): a\n\nTarget-Impact: svc/intake=none\nTarget-Impact: svc/intake=patch", ["duplicate-target-impact"]),
    ("mend(svc/intake): a\n\nTarget-Migration: svc/intake=", ["invalid-target-migration"]),
    ("mend(svc/intake): a\n\nTarget-Migration: lib/codec=b", ["unknown-target-migration"]),
    ("mend(svc/intake): a\n\nTarget-Migration: svc/intake@edge=b", ["unknown-target-stream"]),
    ("mend(svc/intake): a\n\nTarget-Migration: svc/intake=b\nTarget-Migration: svc/intake=c", ["duplicate-target-migration"]),
    ("mend(svc/intake): a\n\nTarget-Impact: svc/intake=major\nChangeset: x", ["missing-target-migration"]),
    ("mend(svc/intake): a\n\nTarget-Impact: svc/intake@lts=major\nMigration: b\nChangeset: x", []),
    ("mend(svc/intake): " + "a" * 80, ["header-too-long"]),
    ("mend(svc/intake): a\n\n" + "b" * 81, ["body-line-too-long"]),
    ("mend(svc/intake): a\n\nRefs: " + "b" * 81, []),
]


@pytest.mark.parametrize(("text", "expected"), RULES)
def test_each_rule_has_its_code(text: str, expected: list[str]) -> None:
    assert codes(text, BASE) == expected


def test_a_long_body_line_is_found_at_its_line() -> None:
    findings = validate(message_of("mend(svc/intake): a\n\nfine\n" + "b" * 81), BASE)
    assert [finding.line for finding in findings] == [4]


@pytest.mark.requirement("IC-6.6c")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mend(svc/intake): a", ("svc/intake",)),
        ("mend(svc/intake/queue): a", ("svc/intake",)),
        ("mend(svc/intakes): a", ()),
        ("mend(shared): a\n\nAffects: lib/codec\nAffects: svc/billing", ("lib/codec", "svc/billing")),
        ("mend: a", ()),
    ],
)
def test_units_are_those_of_the_profile(text: str, expected: tuple[str, ...]) -> None:
    assert units(message_of(text), BASE) == expected
    assert units(message_of(text), None) == ()


def test_a_target_is_looked_up_before_its_unit_and_the_whole() -> None:
    message = message_of(
        "mend(svc/intake): a\n\nImpact: patch\nMigration: all\nTarget-Impact: svc/intake=minor\n"
        "Target-Impact: svc/intake@lts=none\nTarget-Migration: svc/intake@lts=only lts"
    )
    assert effective_impact(message, BASE) == "patch"
    assert [impact_for(message, BASE, "svc/intake", stream) for stream in ("stable", "lts")] == ["minor", "none"]
    assert impact_for(message, BASE, "svc/billing", "stable") == "patch"
    assert [migration_for(message, "svc/intake", stream) for stream in ("stable", "lts")] == ["all", "only lts"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("mend: a", "patch"), ("add: a", "minor"), ("revert: a", None), ("walk: a", None), ("mend: a\n\nimpact: major", "major")],
)
def test_the_effective_impact_is_the_trailer_or_the_default(text: str, expected: str | None) -> None:
    assert effective_impact(message_of(text), BASE) == expected


def test_a_large_diff_of_low_impact_is_a_warning_only() -> None:
    low, high = message_of("mend(svc/intake): a"), message_of("add(svc/intake): a")
    assert [(finding.code, finding.severity) for finding in advise(low, BASE, 400)] == [
        ("large-diff-low-impact", Severity.WARNING)
    ]
    assert advise(low, BASE, 399) == advise(high, BASE, 400) == advise(low, None, 9_999) == ()


@given(st.text())
def test_reading_any_text_gives_a_message_or_one_finding(text: str) -> None:
    message = read(text)
    if isinstance(message, Message):
        assert all(isinstance(finding, Finding) for finding in validate(message, BASE))
    else:
        assert len(message) == 1


LINES = st.lists(
    st.sampled_from(
        [
            "",
            " ",
            "Impact: patch",
            "impact:  x ",
            "Key: ",
            "  more",
            "\tmore",
            "prose",
            "A: b: c",
            "BREAKING CHANGE: x",
            "\x0b",
            "Ü: x",
        ]
    ),
    max_size=9,
)


@given(LINES)
def test_a_written_message_is_read_back_the_same(lines: list[str]) -> None:
    message = message_of("\n".join(["mend(svc/intake): stop", "", *lines]))
    assert read(write(message)) == Message(
        message.type,
        message.scope,
        message.description,
        message.body,
        tuple(Trailer("Impact" if trailer.name == "impact" else trailer.name, trailer.value) for trailer in message.trailers),
    )
