"""What each kind of citable item says, and that it is read in the evidence itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.digests import sha256
from guardrails.evidence.model import Answer, DocumentKind, Hunk, Person
from guardrails.grounding import overlap
from guardrails.grounding.item_kinds import items
from guardrails.grounding.items import Item
from tests.guardrails.resolving.building import bundle, commit, document, file, oid, record

HUNK = Hunk("H1", "git:a", sha256(b"a"), 1, 1, 1, 2, "def settle", "-old\n+new")
UNREAD = replace(HUNK, id="H2", text=None)
FILE = replace(file(1, "src/jobs.py"), old_path="src/job.py", hunks=(HUNK, UNREAD))
COMMIT = replace(commit(1, "fix: resume jobs"), author=Person("renovate[bot]", ""), files=(FILE,))
TRACKERS = frozenset({"DEVELOP"})


def shown() -> dict[str, Item]:
    told = bundle(
        COMMIT,
        documents=(document(1, DocumentKind.ISSUE, title="Jobs stop", body="At night.", key="#7", labels=("bug",)),),
        records=(replace(record(1), path=".ack/a.yaml", data=b"id: a\n"),),
        uncommitted=(file(2, "README.md"),),
        net=(file(3, "src/jobs.py"),),
    )
    answers = (Answer("A1", "option", sha256(b""), "title", ["one", "two"]),)
    return {item.id: item for item in items(replace(told, answers=answers), TRACKERS)}


def test_every_item_is_shown_once_in_the_order_of_the_evidence() -> None:
    assert list(shown()) == ["C1", "F1", "H1", "H2", "F2", "F3", "I1", "S1", "A1"]
    assert {item.trackers for item in shown().values()} == {TRACKERS}


@pytest.mark.parametrize(
    ("item", "prose", "code", "paths", "oid_"),
    [
        ("C1", "fix: resume jobs", "", ("src/jobs.py", "src/job.py"), oid(1)),
        ("F1", "", "def settle\n-old\n+new\ndef settle", ("src/jobs.py", "src/job.py"), oid(1)),
        ("H1", "", "def settle\n-old\n+new", ("src/jobs.py", "src/job.py"), oid(1)),
        ("H2", "", "def settle", ("src/jobs.py", "src/job.py"), oid(1)),
        ("F2", "", "", ("README.md",), ""),
        ("I1", "Jobs stop\n\nAt night.", "", (), ""),
        ("S1", "id: a\n", "", (".ack/a.yaml",), ""),
        ("A1", "one\ntwo", "", (), ""),
    ],
)
def test_an_item_says_what_the_evidence_says(item: str, prose: str, code: str, paths: tuple[str, ...], oid_: str) -> None:
    one = shown()[item]
    assert (one.prose, one.code, one.paths, one.oid) == (prose, code, paths, oid_)
    assert one.raw == "\n".join((prose, code, *paths, *one.names, oid_))


def test_the_net_change_belongs_to_the_head_of_the_selection() -> None:
    assert shown()["F3"].oid == (bundle(COMMIT).selection.head or "")


def test_a_commit_names_its_dates_and_a_machine_that_wrote_it_but_no_person() -> None:
    assert shown()["C1"].names == (COMMIT.authored, COMMIT.committed, "renovate[bot]")
    human = next(items(bundle(replace(COMMIT, author=Person("Ada", "ada@example.org"))), TRACKERS))
    assert human.names == (COMMIT.authored, COMMIT.committed)


def test_a_hunk_is_part_of_its_file_and_is_described_as_it() -> None:
    told = shown()
    assert (told["H1"].whole, told["F1"].whole, told["C1"].whole) == ("F1", None, None)
    assert told["H1"].described == told["F1"].described != ""
    assert told["C1"].described == ""


@pytest.mark.parametrize(
    ("message", "gives"),
    [
        ("fix: resume jobs", False),
        ("fix: resume jobs\n\nRefs: DEVELOP-1", False),
        ("fix: resume jobs\n\nThey stopped at night.", True),
    ],
)
def test_a_message_gives_reasons_where_it_has_words_besides_its_subject(message: str, gives: bool) -> None:
    assert next(items(bundle(message), TRACKERS)).reasons is gives


def test_what_people_wrote_gives_reasons_and_a_change_gives_none() -> None:
    reasons = {item.id for item in shown().values() if item.reasons}
    assert reasons == {"I1", "S1", "A1"}


CODE = st.lists(
    st.sampled_from(["refund", "payOut", "12", "abc1234f", " ", "\n+", "\n-", "_", "\u0301", "é", "字", "ﬁx", "'"])
).map("".join)


@given(CODE, CODE)
def test_a_file_has_the_words_of_its_hunks(one: str, other: str) -> None:
    hunks = (replace(HUNK, text=one), replace(HUNK, id="H2", section="def pay", text=other))
    told = {item.id: item for item in items(bundle(replace(COMMIT, files=(replace(FILE, hunks=hunks),))), TRACKERS)}
    parts = (told["H1"], told["H2"])
    for part in parts:
        assert part.content <= told["F1"].content
        assert overlap.shared(part.content, (told["C1"], part)) == part.content
    assert overlap.shared(told["F1"].content, (*parts, told["F1"])) == told["F1"].content
