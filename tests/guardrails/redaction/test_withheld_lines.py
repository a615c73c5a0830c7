"""The lines of a withheld change are masked wherever else they stand; public ones stay (Intent Changesets 6.9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.evidence.model import Bundle, FileChange
from guardrails.redaction.disclosure import disclose
from guardrails.redaction.redact import RedactedEvidence
from tests.guardrails.redaction.made_up import bundle, commit, document, file, record, text_of
from tests.redacting import redacted

LINE = "    reject_zugzwang(job)"
EMBARGOED = record("hush-fix", "embargoed", issues="SEC-9")
HUSHED = "Mend it\n\nChangeset: hush-fix"
PATH = "src/guard.py"


def withheld(text: str = f"+{LINE}", path: str = PATH, *, old_path: str | None = None) -> tuple[FileChange, ...]:
    return (file(path, text, number=90, old_path=old_path),)


def with_public(*public: FileChange, hushed: tuple[FileChange, ...] | None = None) -> Bundle:
    hushed = withheld() if hushed is None else hushed
    return bundle(commit(1, HUSHED, *hushed), commit(2, "Go on", *public), records=[EMBARGOED])


def hunks(shown: RedactedEvidence) -> list[str | None]:
    return [hunk.text for change in shown.bundle.files() for hunk in change.hunks]


PLACES: dict[str, Callable[[], Bundle]] = {
    "context": lambda: with_public(file(PATH, f" def f():\n{LINE}\n+    go()".replace(LINE, f" {LINE}"), number=2)),
    "a removed line": lambda: with_public(file(PATH, f"-{LINE}\n+    go()", number=2)),
    "an added line": lambda: with_public(file(PATH, f"+{LINE}", number=2)),
    "indented otherwise": lambda: with_public(file(PATH, f"-{LINE}\n+\t{LINE.strip()}\r", number=2)),
    "another file": lambda: with_public(file("lib/other.py", f" {LINE}", number=2)),
    "a file renamed later": lambda: with_public(file("src/new.py", f" {LINE}", number=2, old_path=PATH)),
    "beside the @@": lambda: with_public(file(PATH, "+    go()", number=2, section=LINE.strip())),
    "beside the @@, cut": lambda: with_public(
        file(PATH, "+    go()", number=2, section="def zugzwang("), hushed=withheld("+def zugzwang(job, ledger):")
    ),
    "what it removed, in an older commit": lambda: bundle(
        commit(1, "Start", file(PATH, f"+{LINE}", number=2)), commit(2, HUSHED, *withheld(f"-{LINE}")), records=[EMBARGOED]
    ),
    "a change that no commit holds yet": lambda: replace(
        with_public(), uncommitted=(file(PATH, f" {LINE}\n+    go()", number=3),)
    ),
    "a commit that is only referred to": lambda: replace(
        with_public(), referenced=(commit(3, "Before", file(PATH, f"-{LINE}", number=3)),)
    ),
    "a hunk that names the record": lambda: bundle(
        commit(1, "Go on", file(PATH, f"+# for SEC-9\n+{LINE}", number=1), file("b.py", f" {LINE}", number=2)),
        records=[EMBARGOED],
    ),
    "a document that it touched": lambda: replace(
        with_public(hushed=withheld(path="docs/adr/1.md")),
        documents=(replace(document(3, "A title", "reject_zugzwang"), locator="file:docs/adr/1.md"),),
    ),
}


@pytest.mark.requirement("IC-6.9", "AI-7")
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_line_of_a_withheld_change_stands_nowhere(place: Callable[[], Bundle]) -> None:
    assert "zugzwang" not in text_of(redacted(place()))


@pytest.mark.requirement("IC-6.9", "AI-7")
def test_short_lines_are_masked_only_where_renames_and_copies_lead() -> None:
    shown = redacted(
        with_public(
            file("a.py", " port=8443", number=2),
            file("b.py", " port=8443", number=3, old_path=PATH),
            file("c.py", " port=8443", number=4, old_path="b.py"),
            hushed=withheld("+port=8443"),
        )
    )
    assert hunks(shown) == [" port=8443", " [withheld]", " [withheld]"]


def test_lines_that_tell_nothing_stay_also_in_the_same_file() -> None:
    hushed = withheld("+def zugzwang():\n+    try:\n+        }\n+\n+    x=1")
    lines = " try:\n }\n \n+x=1\n public_line()"
    assert hunks(redacted(with_public(file(PATH, lines, number=2), hushed=hushed))) == [lines]


def test_context_of_a_withheld_change_is_not_withheld() -> None:
    hushed = withheld(f" def settle(jobs, ledger):\n+{LINE}")
    shown = redacted(with_public(file(PATH, " def settle(jobs, ledger):\n+    go()", number=2), hushed=hushed))
    assert hunks(shown) == [" def settle(jobs, ledger):\n+    go()"]


def test_what_every_record_looks_like_is_not_withheld_with_one() -> None:
    text = "+intent-changeset: 1.0.0\n+source-repository: https://github.com/example/payments\n+  - release-unit: apps/worker"
    own = file(EMBARGOED.path, text, number=90)
    public = file(".ack/changes/other.yaml", text, number=2)
    assert hunks(redacted(with_public(public, hushed=(own,)))) == [text]


def test_where_withheld_lines_were_not_read_the_text_of_their_file_is_not_shown() -> None:
    (change,) = withheld()
    unread = replace(change, hunks=(replace(change.hunks[0], text=None),))
    moved = file("src/new.py", f" {LINE}\n+    go()", number=2, old_path=PATH, section=LINE.strip())
    shown = redacted(with_public(moved, file("other.py", "+    go()", number=3), hushed=(unread,)))
    assert hunks(shown) == [None, "+    go()"]
    assert "zugzwang" not in text_of(shown)


def test_a_masked_hunk_keeps_its_lines_and_ranges_and_has_a_digest_of_its_own() -> None:
    change = file(PATH, f" def f():\n {LINE}\n+    go()", number=2)
    (hunk,) = redacted(with_public(change)).bundle.commits[0].files[0].hunks
    before = change.hunks[0]
    assert hunk.text == " def f():\n [withheld]\n+    go()"
    assert (hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines) == (
        before.old_start,
        before.old_lines,
        before.new_start,
        before.new_lines,
    )
    assert hunk.digest != before.digest


LINES = st.lists(st.sampled_from(["alpha beta", "gamma_delta(x)", "x=1", "}", "", "epsilon zeta eta"]), max_size=6)


@given(hidden=LINES, public=LINES, names=st.lists(st.sampled_from("abc"), min_size=2, max_size=2))
def test_masking_only_takes_away_line_by_line_and_twice_changes_nothing(
    hidden: list[str], public: list[str], names: list[str]
) -> None:
    change = file(names[0], "\n".join(f" {line}" for line in public), number=2)
    raw = with_public(change, hushed=withheld("\n".join(f"+{line}" for line in hidden), names[1]))
    once = disclose(raw)
    (text,) = [hunk.text for shown in once.bundle.files() for hunk in shown.hunks]
    shown = (text or "").split("\n")
    assert all(line in {f" {was}", " [withheld]"} for line, was in zip(shown, public, strict=bool(public)))
    if names[0] == names[1]:
        assert not {line[1:] for line in shown} & set(hidden) - {"x=1", "}", ""}
    assert disclose(replace(once.bundle, records=raw.records)).bundle.commits == once.bundle.commits
