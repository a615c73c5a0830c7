"""A policy term is found in every spelling that a reader would understand, and in no other word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.redaction.policy import Policy
from guardrails.redaction.terms import Lexicon, conflicts, policy_terms

POLICY = Policy(
    terms=("Acme Bank", "Zeppelin", "A.C|(M)*E", "Straße", "顧客名"),
    exact=("AB",),
    hosts=("corp.internal", "*.vault.test"),
    people=("Grace Hopper", "grace@navy.test"),
    patterns=("PRJ-[0-9]+", "(a+)+$"),
)
LEXICON = Lexicon(policy_terms(POLICY), POLICY.patterns)


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in LEXICON.find(text)]


FOUND = [
    ("for Acme Bank.", "Acme Bank"),
    ("ACME_BANK_TIMEOUT", "ACME_BANK"),
    ("acmeBankClient", "acmeBank"),
    ("AcmeBankClient", "AcmeBank"),
    ("new-acme-bank-flow", "acme-bank"),
    ("com.acme.bank.api", "acme.bank"),
    ("https://acmebank.test/x", "acmebank"),
    ("Acme & Bank", "Acme & Bank"),
    ("Acme\u00a0Bank", "Acme\u00a0Bank"),
    ("Acme\n+    Bank", "Acme\n+    Bank"),
    ("Acme\n# Bank", "Acme\n# Bank"),
    ("Ac\u200bme Bank", "Ac\u200bme Bank"),
    ("Ａｃｍｅ Bank", "Ａｃｍｅ Bank"),
    ("𝐀𝐜𝐦𝐞 Bank", "𝐀𝐜𝐦𝐞 Bank"),
    ("Аcme Bank", "Аcme Bank"),
    ("Ac\u034fme Bank", "Ac\u034fme Bank"),
    ("Ac\u3164me Bank", "Ac\u3164me Bank"),
    ("Ac\0me Ba\bnk", "Ac\0me Ba\bnk"),
    ("Ac\u2028me Bank", "Ac\u2028me Bank"),
    ("Ac\ufe0fme Ba\u2800nk", "Ac\ufe0fme Ba\u2800nk"),
    ("A\u0301cme Bank", "A\u0301cme Bank"),
    ("😀 e\u0301 Acme Bank", "Acme Bank"),
    ("zeppelin2", "zeppelin"),
    ("getZeppelin", "Zeppelin"),
    ("HTTPZeppelin", "Zeppelin"),
    ("ZEPPELINBase", "ZEPPELIN"),
    ("a A.C|(M)*E b", "A.C|(M)*E"),
    ("STRASSE 1", "STRASSE"),
    ("新顧客名簿", "顧客名"),
    ("x AB y", "AB"),
    ("corp-internal", "corp-internal"),
    ("db1.corp.internal:80", "db1.corp.internal"),
    ("a.b.vault.test", "a.b.vault.test"),
    ("thanks GRACE  HOPPER!", "GRACE  HOPPER"),
    ("<Grace@Navy.test>", "Grace@Navy.test"),
    ("see PRJ-12", "PRJ-12"),
]


@pytest.mark.parametrize(("text", "mention"), FOUND)
def test_a_term_is_found_in_every_spelling(text: str, mention: str) -> None:
    assert mention in found(text)


KEPT = [
    "grace hopperx",
    "acmeology bank",
    "the bank of acme",
    "zeppelins",
    "АСМЕ",
    "a A\\C|M*E",
    "ACME",
    "ab",
    "ABC",
    "PRJ-x",
    "aab",
    "",
]


@pytest.mark.parametrize("text", KEPT)
def test_other_words_are_not_taken(text: str) -> None:
    assert found(text) == []


def test_spellings_of_a_term_count_as_one_value() -> None:
    assert len({mention.value for mention in LEXICON.find("Acme Bank ACME_BANK acmeBank acmebank")}) == 1


def test_a_term_that_drafts_need_is_a_conflict_named_by_place_alone() -> None:
    findings = conflicts(POLICY, {"release-units[0]": "apps/acme-bank", "release-units[1]": "apps/worker"})
    assert [(finding.code, finding.where) for finding in findings] == [("policy-conflict", "release-units[0]")]
    assert "acme" not in findings[0].message.lower()


def test_a_pattern_that_makes_others_backtrack_forever_is_linear() -> None:
    assert found("a" * 200_000 + "!") == []


HIDDEN = st.sampled_from(["\u200b", "\u200d", "\u034f", "\u00ad", "\ufeff", "\u3164", "\0"])


@given(before=st.text(max_size=10), holes=st.lists(HIDDEN, max_size=7), after=st.sampled_from(["", " ", "😀", "."]))
def test_offsets_are_right_whatever_stands_before(before: str, holes: list[str], after: str) -> None:
    word = "".join(letter + hole for letter, hole in zip("Zeppelin", [*holes, *[""] * 8], strict=False))
    text = f"{before} {word}{after}"
    spans = [(mention.start, mention.end) for mention in LEXICON.find(text) if mention.value == "zeppelin"]
    start = len(before) + 1
    assert (start, start + len(word.rstrip("".join(holes) or " "))) in spans
