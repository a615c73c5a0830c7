"""What was shown can be copied and cited word for word; nothing else can."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.sentences import sentences
from guardrails.evidence.identifiers import mentions
from guardrails.evidence.model import DocumentKind, Hunk, Person
from guardrails.grounding import claims, identifiers, polarity, statements
from guardrails.grounding.citable import Citable
from guardrails.grounding.statements import Statement
from tests.guardrails.resolving.building import PROFILE, RULES, commit, document, evidence, file, record

ODD = st.sampled_from(
    re.split(
        r"\|",
        "UTF-8|`--force`|#12|(#1482)|@octocat|@types/node|src/a/b.py|and/or|v1.2.3|10.0.0.1|30 s|50%|9f2c1ab|CVE-2026-12345|"
        "DEVELOP-9|https://x.example/a?b=c#d|'quoted words here'|not|never|because|e.g.|faster|Contoso|**bold**|<T>|a_b_c|"
        "[link](https://x.example)|don't|2026-11-30|from 1 to 2|->|→|must|tested|reviewed by Jane|apps/gateway|修复|Größe|$5|"
        "C#|1,000|twice|A -> B:|x=30_000|[person:1]",
    )
)
WORDS = st.lists(ODD | st.from_regex(r"[a-z]{1,9}", fullmatch=True), min_size=1, max_size=12).map(" ".join)
LINES = st.lists(WORDS | st.just("") | st.text(max_size=30), max_size=6).map("\n".join)


def findings(text: str, citable: Citable, *ids: str) -> list[str]:
    told = (Statement("summary", text, ids),)
    rules = (statements, identifiers, claims, polarity)
    return [f"{finding.code}: {finding.message}" for rule in rules for finding in rule.check(told, citable)]


@given(subject=WORDS, body=LINES)
def test_a_copied_sentence_has_no_finding(subject: str, body: str) -> None:
    citable = Citable.of(evidence(f"{subject}\n\n{body}"), PROFILE, RULES.trackers)
    for sentence in sentences(citable.items["C1"].prose):
        assert findings(sentence, citable, "C1") == []


SUBJECTS = [
    ("feat(api)!: Support `<T>` in names (#12)", "Support `<T>` in names"),
    ("fix: don't lose 3 of 10 jobs", "Don't lose 3 of 10 jobs"),
    (":bug: Stop the crash on empty files", "Stop the crash on empty files"),
    ("🐛 Stop the crash on empty files", "Stop the crash on empty files"),
    ("[core] Allow and/or in filters", "Allow and/or in filters"),
    ("DEVELOP-219: Make uploads faster", "Make uploads faster."),
    ("DEVELOP-219 Make uploads faster", "Make uploads faster"),
    ("#12 Never retry a refund", "Never retry a refund"),
    ("perf(db): 2-4x faster queries; see the notes", "2-4x faster queries"),
    ("BREAKING CHANGE: Never retry a slow refund (#12)", "Never retry a slow refund"),
    ("Never retry a refund [skip ci]", "Never retry a refund"),
    ("Never retry a fast refund, closes #12 (#13)", "Never retry a fast refund"),
    ("Never retry a fast refund - refs #12", "Never retry a fast refund"),
    ("fix(ui): show a_b_c — thanks @octocat!", "Show a_b_c — thanks @octocat!"),
]


@pytest.mark.parametrize(("subject", "told"), SUBJECTS)
def test_a_subject_without_its_prefix_and_suffix_is_a_copy(subject: str, told: str) -> None:
    assert findings(told, Citable.of(evidence(subject), PROFILE, RULES.trackers), "C1") == []


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Do not retry refunds after a failure", "retry refunds after a failure"),
        ("Never do this: retry refunds", "retry refunds"),
        ("Retry refunds unless they failed", "Retry refunds"),
        ("It works on Linux, not on Windows", "It works on Linux, on Windows"),
        ("Retry\n\nrefunds", "Retry refunds"),
        ("Retry refunds, closes #12 only on Mondays", "Retry refunds"),
    ],
)
def test_a_cut_that_could_turn_the_meaning_is_no_copy(message: str, told: str) -> None:
    assert not Citable.of(evidence(message), PROFILE).copies(told, ("C1",))


def test_what_was_not_cited_does_not_carry_a_mention() -> None:
    citable = Citable.of(evidence("Fix #12", "Fix #13"), PROFILE)
    (mention,) = mentions("see #13")
    assert citable.supports(mention, ("C2",))
    assert not citable.supports(mention, ("C1",))
    assert not citable.supports(mention, ("C9",))


@pytest.mark.parametrize(
    ("told", "carried"),
    [
        ("#12", True),
        ("https://github.com/example/payments/pull/12", True),
        ("example/payments#12", True),
        ("other/payments#12", False),
        ("https://github.com/example/payments/pull/13", False),
        ("@octocat", True),
        ("@octodog", False),
        ("resume-settlement-jobs.yaml", False),
        (".ack/changes/1.yaml", True),
        ("changes/1.yaml", True),
        (".ack/", True),
        ("anges/1.yaml", False),
        ("apps/worker", True),
    ],
)
def test_fields_of_documents_and_records_carry_a_mention(told: str, carried: bool) -> None:
    pull = document(
        1, DocumentKind.PULL_REQUEST, key="#12", url="https://github.com/example/payments/pull/12", body="Thanks @octocat"
    )
    citable = Citable.of(evidence("Fix it", documents=(pull,), records=(record(1),)), PROFILE)
    assert all(citable.supports(mention, ("P1", "S1")) for mention in mentions(told)) is carried


def test_answers_and_the_words_of_the_profile_are_always_citable() -> None:
    citable = Citable.of(
        evidence(commit(1, "Fix it"), answers={"rationale": "Asked for in DEVELOP-9"}), PROFILE, RULES.trackers
    )
    told = mentions(f"DEVELOP-9 {PROFILE.repository}", trackers=RULES.trackers)
    assert len(told) == 2
    assert all(citable.supports(mention, ("C1",)) for mention in told)


def test_a_given_text_leans_on_whole_files_which_hold_what_their_hunks_hold() -> None:
    hunk = Hunk("H1", "git:a", "", 1, 1, 1, 1, "", "+max_retries = 3")
    changed = replace(commit(1, "Fix it"), files=(replace(file(1, "worker.py"), hunks=(hunk,)),))
    citable = Citable.of(evidence(changed), PROFILE)
    (mention,) = mentions("Set max_retries")
    assert citable.whole == ("C1", "F1")
    assert citable.supports(mention, citable.whole)
    assert citable.has("H1")


def test_trailers_are_found_in_any_case() -> None:
    citable = Citable.of(evidence("Fix\n\nimpact: patch\n  IMPACT:  minor \nimpact patch"), PROFILE)
    assert list(citable.trailers("Impact")) == [("C1", "patch"), ("C1", "minor")]


def test_what_the_selection_changes_as_a_whole_can_be_cited() -> None:
    net = replace(file(7, "src/whole.py"), hunks=(Hunk("H7", "git:src/whole.py:1", "sha256:7", 0, 0, 1, 1, "", "+whole()\n"),))
    citable = Citable.of(evidence("One", net=(net,)), PROFILE)
    assert "F7" in citable.whole
    assert findings("`whole()` comes new in src/whole.py", citable, "H7") == []


def test_a_bot_can_be_named_and_a_person_cannot() -> None:
    bumped, by_ada = (replace(commit(1, "Bump it"), author=Person(name, "")) for name in ("dependabot[bot]", "Ada Lovelace"))
    text = "It was bumped by Dependabot"
    assert not any("person" in found for found in findings(text, Citable.of(evidence(bumped), PROFILE), "C1"))
    assert any("person" in found for found in findings(text, Citable.of(evidence(by_ada), PROFILE), "C1"))
