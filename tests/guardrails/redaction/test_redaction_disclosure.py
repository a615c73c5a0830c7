"""What a record does not make public stays inside, with all that is tied to it (Intent Changesets 6.9, 11.7, 12)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from guardrails.evidence.model import Answer, Bundle, Evidence, Note
from guardrails.redaction.disclosure import Withheld, disclose
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import redact
from tests.guardrails.redaction.made_up import bundle, commit, document, file, oid, record, text_of
from tests.redacting import BlindEngine, redacted

CANARY = "zugzwang"
RECORD_PATH = ".ack/changes/hush-fix.yaml"
PUBLIC = commit(1, "Add a button", file("src/button.py", "+button"))
EMBARGOED = record("hush-fix", "embargoed", summary=CANARY, issues="SEC-9, https://github.com/example/payments/pull/12")


def with_record(*commits: object, **more: object) -> Bundle:
    return bundle(PUBLIC, *commits, records=[EMBARGOED], **more)  # type: ignore[arg-type]


def linked(trailer: str) -> Callable[[], Bundle]:
    return lambda: with_record(
        commit(2, f"Fix {CANARY}\n\nBody.\n\n{trailer}", file(f"src/{CANARY}.py", f"+{CANARY}", number=2))
    )


SIDEWAYS: dict[str, Callable[[], Bundle]] = {
    "36 the record": with_record,
    "37 Changeset trailer": linked("Changeset: hush-fix"),
    "37 trailer in another case": linked("changeset: Hush-Fix"),
    "37 trailer with a blank before it": linked("  CHANGESET : hush-fix."),
    "37 trailer in a list": linked("- Changesets: other, `hush-fix`"),
    "37 trailer with an underscore": linked("Changeset: hush_fix"),
    "37 trailer with a zero-width space": linked("Change\u200bset: hush-\u200bfix"),
    "37 issue key in a message": linked("Refs: SEC-9"),
    "37 issue key in other letters": linked("see sec-9"),
    "37 pull request in a message": linked("(#12)"),
    "37 pull request address": linked("https://github.com/example/payments/pull/12/files"),
    "37 issue": lambda: with_record(documents=[document(9, CANARY, CANARY, key="SEC-9")]),
    "37 pull request": lambda: with_record(
        documents=[document(12, CANARY, CANARY, url="https://github.com/example/payments/pull/12")]
    ),
    "37 document that names it": lambda: with_record(documents=[document(3, CANARY, "about hush-fix")]),
    "37 label that names it": lambda: with_record(documents=[document(3, CANARY, label="sec-9 x")]),
    "37 document named by a withheld document": lambda: with_record(
        commit(2, f"Fix {CANARY}\n\nCloses #44"), documents=[document(44, CANARY, "part of SEC-9", key="#44")]
    ),
    "37 revert of a withheld commit": lambda: with_record(
        commit(2, f"Fix {CANARY}\n\nChangeset: hush-fix"), commit(3, f"Revert {CANARY}\n\nThis reverts commit {oid(2)}.")
    ),
    "37 short name of a withheld commit": lambda: with_record(
        commit(2, f"Fix {CANARY}\n\nChangeset: hush-fix"), commit(3, f"Follow {oid(2)[:9]} {CANARY}")
    ),
    "37 own file in another commit": lambda: with_record(commit(2, "Tidy", file(RECORD_PATH, f"+summary: {CANARY}", number=2))),
    "37 own file renamed": lambda: with_record(
        commit(2, "Tidy", file("notes.txt", f"+summary: {CANARY}", number=2, old_path=RECORD_PATH))
    ),
    "37 hunk that names it": lambda: with_record(commit(2, "Note", file("LOG.md", f"+{CANARY} (hush-fix)", number=2))),
    "37 test name": lambda: with_record(commit(2, "Note", file("t.py", f"+def test_hush_fix():  # {CANARY}", number=2))),
    "37 path that names it": lambda: with_record(commit(2, "Note", file("t/hush_fix_test.py", f"+{CANARY}", number=2))),
    "37 public record that supersedes it": lambda: bundle(
        PUBLIC, records=[EMBARGOED, record("loud-fix", number=2, supersedes="hush-fix", summary=CANARY)]
    ),
    "37 answer": lambda: with_record(answers=[Answer("A1", "answer", "sha256:a", "rationale", [{"x": f"hush-fix {CANARY}"}])]),
    "37 note": lambda: with_record(notes=[Note("unread", RECORD_PATH, CANARY)]),
    "37 staged with its record": lambda: bundle(
        records=[EMBARGOED], uncommitted=[file(RECORD_PATH, f"+{CANARY}"), file("src/a.py", f"+{CANARY}", number=2)]
    ),
    "39 embargo that has passed": lambda: bundle(
        PUBLIC, records=[record("hush-fix", "embargoed", summary=CANARY, not_before="2020-01-01T00:00:00Z")]
    ),
    "unknown state": lambda: bundle(PUBLIC, records=[record("hush-fix", "secret", summary=CANARY)]),
    "unreadable record": lambda: bundle(PUBLIC, records=[replace(EMBARGOED, data=f"summary: {CANARY}\n\tx: [".encode())]),
    "unreadable record, its commits": lambda: bundle(
        commit(1, f"Fix {CANARY}\n\nChangeset: hush-fix"), records=[replace(EMBARGOED, data=EMBARGOED.data + b"\n\tx: [")]
    ),
    "46 two documents": lambda: bundle(PUBLIC, records=[replace(EMBARGOED, data=EMBARGOED.data + b"\n---\na: 1")]),
    "46 alias": lambda: bundle(PUBLIC, records=[replace(EMBARGOED, data=EMBARGOED.data + b"\na: &x 1\nb: *x")]),
    "record that no source declared": lambda: bundle(
        commit(
            1, "Plan", file("plans/p.yaml", f"+intent-changeset: 1.0.0\n+id: hush-fix\n+summary: {CANARY}\n+  state: embargoed")
        ),
        commit(2, f"{CANARY}\n\nChangeset: hush-fix"),
    ),
}


@pytest.mark.requirement("IC-6.9e")
@pytest.mark.requirement("IC-12.5")
@pytest.mark.requirement("AI-7")
@pytest.mark.parametrize("case", SIDEWAYS)
def test_an_embargo_leaks_by_no_way(case: str) -> None:
    evidence = SIDEWAYS[case]()
    assert CANARY in text_of(evidence)
    got = redacted(evidence)
    assert CANARY not in text_of(got)
    assert got.withheld
    for name in ("hush-fix", "hush_fix", "SEC-9"):
        assert name not in text_of(got.bundle)


@pytest.mark.requirement("IC-6.9d")
def test_elapsed_time_changes_nothing() -> None:
    past, future = (
        bundle(records=[record("hush-fix", "embargoed", not_before=f"{year}-01-01T00:00:00Z")]) for year in (1999, 2999)
    )
    assert redacted(past).withheld == redacted(future).withheld == (Withheld("record", "embargoed"),)


def test_any_version_that_is_not_public_withholds() -> None:
    earlier, later = record("hush-fix", "embargoed", summary=CANARY), record("hush-fix", "public", number=2, summary=CANARY)
    assert CANARY not in text_of(redacted(bundle(records=[earlier, later])))


def test_a_redacted_record_is_its_placeholder_alone() -> None:
    got = redacted(bundle(PUBLIC, records=[record("hush-fix", "redacted", summary=CANARY, placeholder="Security fix")]))
    assert got.withheld == (Withheld("record", "redacted", "Security fix"),)
    assert got.bundle.records == ()
    assert CANARY not in text_of(got)


def test_a_sensitive_placeholder_is_redacted_as_well() -> None:
    got = redacted(bundle(records=[record("hush-fix", "redacted", placeholder="Acme Bank fix")]), Policy(terms=("Acme Bank",)))
    assert got.withheld[0].placeholder == "[term:1] fix"


def test_a_client_inside_the_boundary_of_a_policy_sees_its_records() -> None:
    evidence = SIDEWAYS["37 Changeset trailer"]()
    inside = Policy(keep_people=True, inside={"http://localhost#small": ("review",)})
    assert redact(Evidence(evidence), inside, BlindEngine(), client="http://localhost#small").bundle == evidence
    assert CANARY not in text_of(redact(Evidence(evidence), inside, BlindEngine(), client="openai:large"))


@pytest.mark.requirement("IC-6.9e")
@pytest.mark.parametrize("policies", [(), ("another",), ("null",)])
def test_a_record_of_another_policy_or_of_none_is_open_to_nobody(policies: tuple[str, ...]) -> None:
    data = EMBARGOED.data.replace(b"policy: review", b"policy: null").replace(b"not-before: null", b"not-before: 2030-01-01")
    for closed in (EMBARGOED, replace(EMBARGOED, data=data)):
        own = file(RECORD_PATH, f"+intent-changeset: 1.0.0\n+summary: {CANARY}\n+  state: embargoed", number=2)
        evidence = bundle(PUBLIC, commit(2, "Plan", own), records=[closed])
        policy = Policy(keep_people=True, inside={"local": policies})
        assert CANARY not in text_of(redact(Evidence(evidence), policy, BlindEngine(), client="local"))


def test_what_is_public_passes_untouched() -> None:
    evidence = bundle(
        commit(1, "Resume jobs\n\nChangeset: resume-jobs\nRefs: DEVELOP-219", file("a.py", "+state: embargoed")),
        documents=[document(219, "Jobs", key="DEVELOP-219")],
        records=[record("resume-jobs")],
    )
    got = redacted(evidence)
    assert got.bundle == evidence
    assert got.withheld == ()


def test_what_has_no_tie_passes_beside_an_embargo() -> None:
    evidence = with_record(documents=[document(1, "Button", "SEC-99 and #120 are others; a hush is a fix")])
    got = redacted(evidence).bundle
    assert got.commits == (PUBLIC,)
    assert got.documents == evidence.documents


def test_no_number_tells_that_something_is_missing() -> None:
    hidden = commit(1, "Fix\n\nChangeset: hush-fix", file("a.py", "+a"))
    shown = [commit(2, "Add b", file("b.py", "+b", number=2)), commit(3, "Add c", file("c.py", "+c", number=3))]
    got = redacted(
        bundle(hidden, *shown, records=[EMBARGOED, record("loud-fix", number=2)], notes=[Note("x", "H1", "m")])
    ).bundle
    assert [one.id for one in got.commits] == ["C1", "C2"]
    assert [one.id for one in got.files()] == ["F1", "F2"]
    assert [hunk.id for one in got.files() for hunk in one.hunks] == ["H1", "H2"]
    assert [one.id for one in got.records] == ["S1"]
    assert got.commits[0].parents == ()
    assert got.notes == ()


def test_counts_of_lines_follow_the_hunks_that_are_left() -> None:
    change = file("LOG.md", "+hush-fix\n-old\n+more")
    got = redacted(with_record(commit(2, "Note", change))).bundle.commits[1].files[0]
    assert (got.hunks, got.added, got.deleted) == ((), 0, 0)


def test_marks_have_no_content() -> None:
    got = redacted(SIDEWAYS["37 Changeset trailer"]())
    assert got.withheld == (Withheld("record", "embargoed"), Withheld("commit", "embargoed"))


def test_the_guard_knows_what_was_withheld() -> None:
    guard = redacted(SIDEWAYS["37 Changeset trailer"]()).guard
    for said in ("hush-fix", "HUSH_FIX", "SEC-9", "#12", f"src/{CANARY}.py", oid(2), oid(2)[:7], RECORD_PATH[1:]):
        assert [leak.rule for leak in guard.leaks(f"This is {said}.")] == ["withheld"], said
        assert guard.clean(f"This is {said}.") == "This is [withheld]."
    assert guard.leaks("src/button.py, SEC-10, #13, a hush, the head") == ()


@pytest.mark.parametrize("kept", [True, False])
def test_the_selection_itself_may_be_named(kept: bool) -> None:
    head = commit(2, "Fix\n\nChangeset: hush-fix")
    evidence = bundle(PUBLIC, head, records=[EMBARGOED], head=head.oid if kept else oid(90))
    leaks = redacted(evidence).guard.leaks(f"at {head.oid}")
    assert (leaks == ()) is kept
    assert redacted(evidence).bundle.selection == evidence.selection


def test_a_selection_named_after_an_embargo_is_not_shown() -> None:
    assert redacted(bundle(records=[EMBARGOED], spec="main..hush-fix")).bundle.selection.spec == "main..[withheld]"


def test_disclosing_twice_withholds_nothing_more() -> None:
    for case in SIDEWAYS.values():
        first = disclose(case()).bundle
        assert disclose(first).bundle == first


@pytest.mark.requirement("IC-6.9")
def test_the_net_change_holds_lines_of_what_is_withheld_so_it_goes_too() -> None:
    hushed = commit(2, "Fix\n\nChangeset: hush-fix", file("src/lock.py", f"+{CANARY}", number=2))
    net = (file("src/button.py", "+button", number=3), file("src/lock.py", f"+{CANARY}", number=4))
    assert redacted(replace(with_record(hushed), net=net)).bundle.net is None


def test_the_net_change_is_redacted_like_any_other() -> None:
    shown = redacted(
        replace(bundle(PUBLIC), net=(file("src/lock.py", f"+{CANARY}", number=4),)), Policy(terms=(CANARY,))
    ).bundle.net
    assert shown is not None
    assert shown[0].hunks[0].text is not None
    assert CANARY not in shown[0].hunks[0].text
