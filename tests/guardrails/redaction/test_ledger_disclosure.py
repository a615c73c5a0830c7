"""What a changeset does not make public does not come back through the ledger that it was consumed into (6.9, 8, 12)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from guardrails.evidence.model import Bundle, ExistingRecord
from guardrails.redaction.disclosure import Withheld, disclose
from tests.guardrails.redaction.made_up import bundle, commit, file, oid, record, text_of
from tests.redacting import redacted

CANARY = "zugzwang"
LEDGER = "led/worker.yaml"
PUBLIC = commit(1, "Add a button", file("src/button.py", "+button"))


def entry(name: str, state: str = "public", number: int = 1, **more: str) -> ExistingRecord:
    """An entry of the ledger."""
    made = record(name, state, number, **more)
    return replace(made, where="ledger", path=LEDGER, locator=f"git:{oid(9)}:{LEDGER}#{name}")


HIDDEN = entry("hush-fix", "embargoed", summary=CANARY, issues="SEC-9")
LOUD = entry("loud-fix", number=2, summary="Heard by all")


def with_commits(hidden: ExistingRecord) -> ExistingRecord:
    """The entry with the commits that a consumer wrote down for it."""
    data = hidden.data.replace(b"provenance:\n", f"provenance:\n  changesets: [hush-fix]\n  commits: ['{oid(2)}']\n".encode())
    return replace(hidden, data=data)


WAYS: dict[str, Callable[[], Bundle]] = {
    "the entry": lambda: bundle(PUBLIC, records=[HIDDEN]),
    "its commits by trailer": lambda: bundle(
        PUBLIC, commit(2, f"Fix {CANARY}\n\nChangeset: hush-fix", file("a.py", f"+{CANARY}", number=2)), records=[HIDDEN]
    ),
    "its commits by name": lambda: bundle(
        PUBLIC, commit(2, f"Fix {CANARY}", file("a.py", f"+{CANARY}", number=2)), records=[with_commits(HIDDEN)]
    ),
    "the ledger in a commit": lambda: bundle(
        PUBLIC, commit(2, "Consume", file(LEDGER, f"+    summary: {CANARY}", number=2)), records=[HIDDEN, LOUD]
    ),
    "the ledger beside other files": lambda: bundle(
        PUBLIC,
        commit(2, "Consume", file(LEDGER, f"+    summary: {CANARY}", number=2), file("b.py", "+b", number=3)),
        records=[HIDDEN],
    ),
    "public records of the same id": lambda: bundle(
        PUBLIC, records=[HIDDEN, record("hush-fix", number=2, summary=CANARY), entry("hush-fix", number=3, summary=CANARY)]
    ),
    "a ledger that cannot be read": lambda: bundle(
        commit(1, f"Fix {CANARY}\n\nChangeset: hush-fix"),
        records=[replace(HIDDEN, data=f"- id: hush-fix\n  summary: {CANARY}\n\tx: [".encode())],
    ),
    "a ledger that no source declared": lambda: bundle(
        commit(
            1, "Plan", file("x.yaml", f"+intent-changelog: 1.0.0\n+  - id: hush-fix\n+summary: {CANARY}\n+  state: redacted")
        ),
        commit(2, f"{CANARY}\n\nChangeset: hush-fix"),
    ),
}


@pytest.mark.requirement("IC-6.9e", "IC-12.5", "AI-7")
@pytest.mark.parametrize("way", WAYS)
def test_an_embargoed_entry_leaks_by_no_way(way: str) -> None:
    evidence = WAYS[way]()
    assert CANARY in text_of(evidence)
    got = redacted(evidence)
    assert CANARY not in text_of(got)
    assert "hush-fix" not in text_of(got.bundle)
    assert got.withheld


def test_public_entries_of_the_same_ledger_stay() -> None:
    consumed = commit(2, "Consume", file(LEDGER, f"+    summary: {CANARY}", number=2))
    told = commit(3, "Fix it\n\nChangeset: loud-fix", file("c.py", "+c", number=3))
    got = redacted(bundle(PUBLIC, consumed, told, records=[HIDDEN, LOUD]))
    (kept,) = got.bundle.records
    assert (kept.path, kept.where) == (LEDGER, "ledger")
    assert b"Heard by all" in kept.data
    assert [one.subject for one in got.bundle.commits] == ["Add a button", "Consume", "Fix it"]
    assert got.bundle.commits[1].files == ()


def test_the_name_of_a_ledger_is_no_secret() -> None:
    guard = redacted(bundle(PUBLIC, records=[HIDDEN])).guard
    assert guard.leaks(f"See {LEDGER}.") == ()
    assert guard.leaks("See hush-fix.")


def test_a_redacted_entry_is_its_placeholder_alone() -> None:
    hidden = entry("hush-fix", "redacted", summary=CANARY, placeholder="A change")
    assert redacted(bundle(PUBLIC, records=[hidden])).withheld == (Withheld("record", "redacted", "A change"),)


def test_a_ledger_whose_entries_are_public_hides_nothing() -> None:
    evidence = bundle(PUBLIC, commit(2, "Consume", file(LEDGER, "+    summary: Heard", number=2)), records=[LOUD])
    assert redacted(evidence).bundle == evidence


def test_the_end_of_a_range_that_an_entry_names_is_withheld_and_can_still_be_asked_for() -> None:
    head = commit(2, f"Fix {CANARY}", file("a.py", f"+{CANARY}", number=2))
    got = redacted(bundle(PUBLIC, head, records=[with_commits(HIDDEN)], head=head.oid))
    assert CANARY not in text_of(got)
    assert got.bundle.selection.head == head.oid
    assert [one.oid for one in got.bundle.commits] == [PUBLIC.oid]


def test_disclosing_twice_withholds_nothing_more() -> None:
    for way in WAYS.values():
        first = disclose(way()).bundle
        assert disclose(first).bundle == first
