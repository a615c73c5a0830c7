"""A policy is read strictly: what cannot be used as a whole is refused, and nothing of it is quoted."""

from __future__ import annotations

import pytest

from guardrails.digests import sha256
from guardrails.redaction.policy import Policy, read


def test_a_policy_is_read_with_the_digest_of_its_bytes() -> None:
    data = b"""\
terms: [Acme Bank, exact: AB]
patterns: ['PRJ-[0-9]+']
hosts: [corp.internal]
people: [Ada Lovelace]
keep-people: true
inside: {'http://localhost#small': [review]}
"""
    assert read(data) == Policy(
        terms=("Acme Bank",),
        exact=("AB",),
        patterns=("PRJ-[0-9]+",),
        hosts=("corp.internal",),
        people=("Ada Lovelace",),
        keep_people=True,
        inside={"http://localhost#small": ("review",)},
        digest=sha256(data),
    )


def test_a_policy_shows_none_of_its_terms() -> None:
    policy = read(b"terms: [Acme Bank]\nhosts: [corp.internal]")
    assert isinstance(policy, Policy)
    assert "Acme" not in repr(policy)
    assert "corp" not in repr(policy)


REFUSED = [
    (b"terms: [a]", "policy-term-too-short", "terms[0]"),
    (b"terms: ['--- -']", "policy-term-too-short", "terms[0]"),
    (b'terms: ["a\\u200bb"]', "policy-term-too-short", "terms[0]"),
    (b"hosts: [x, '.']", "policy-term-too-short", "hosts[0]"),
    (b"people: [Al]", "policy-term-too-short", "people[0]"),
    (b"terms: ['']", "policy-shape", "terms[0]"),
    (b"terms: [{inexact: AB}]", "policy-shape", "terms[0]"),
    (b"terms: Acme", "policy-shape", "terms"),
    (b"inside: {local: [1]}", "policy-shape", "inside[0]"),
    (b"keep-people: 'true'", "policy-shape", "keep-people"),
    (b"term: [Acme]", "policy-shape", ""),
    (b"[]", "policy-shape", ""),
    (b"patterns: ['(?=acme)']", "policy-pattern", "patterns[0]"),
    (b"patterns: ['(a)\\1']", "policy-pattern", "patterns[0]"),
    (b"patterns: [ok, '(acme']", "policy-pattern", "patterns[1]"),
    (b"patterns: ['a*']", "policy-pattern", "patterns[0]"),
    (b"terms: [Acme]\nterms: [Acme]", "yaml-duplicate-key", ""),
    (b"terms: &a [Acme]", "yaml-anchor", ""),
    (b"terms: [Acme]\n---\nx", "yaml-several-documents", ""),
]


@pytest.mark.parametrize(("data", "code", "where"), REFUSED)
def test_what_is_no_policy_is_refused_without_quoting_it(
    data: bytes, code: str, where: str, capfd: pytest.CaptureFixture[str]
) -> None:
    findings = read(data)
    assert not isinstance(findings, Policy)
    assert (findings[0].code, findings[0].where) == (code, where)
    assert not any("acme" in finding.message.lower() for finding in findings)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("data", [b"terms: [abc]", b"terms: [exact: a]", b"patterns: ['a+']", b"{}", b"terms: ['A.C|(M)*E']"])
def test_what_is_just_good_enough_is_read(data: bytes) -> None:
    assert isinstance(read(data), Policy)
