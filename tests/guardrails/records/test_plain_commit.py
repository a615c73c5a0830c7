"""Commit messages of any style: only what git and forges write is structure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.records.commit import Message, Trailer, read
from guardrails.records.plain_commit import Citation, CitationKind, read_any


@pytest.mark.parametrize(
    ("subject", "kind", "scope", "description", "breaking"),
    [
        ("fix(worker): resume jobs", "fix", "worker", "resume jobs", False),
        ("BREAKING CHANGE: new frames", "", None, "BREAKING CHANGE: new frames", True),
        ("Document the BREAKING CHANGE: new frames", "", None, "Document the BREAKING CHANGE: new frames", False),
        ("Feat!: new frames", "feat", None, "new frames", True),
        ("fix(a, b)!:  x", "fix", "a, b", "x", True),
        ("Resume jobs on shutdown", "", None, "Resume jobs on shutdown", False),
        ("✨ feat(ui): new frames", "feat", "ui", "new frames", False),
        ("♻️ Fix(ui)!: new frames", "fix", "ui", "new frames", True),
        (":bug: fix: new frames", "fix", None, "new frames", False),
        ("✨ New frames", "", None, "✨ New frames", False),
        ("Merge branch: x", "", None, "Merge branch: x", False),
        ("fix:", "", None, "fix:", False),
        ("", "", None, "", False),
    ],
)
def test_a_conventional_header_is_read_and_any_other_subject_is_kept(
    subject: str, kind: str, scope: str | None, description: str, breaking: bool
) -> None:
    said = read_any(subject)
    assert (said.message.type, said.message.scope, said.message.description, said.breaking) == (
        kind,
        scope,
        description,
        breaking,
    )


@pytest.mark.parametrize(
    ("body", "text", "trailers"),
    [
        ("Why.\n\nImpact: patch\nCo-authored-by: Ada <a@x.example>", "Why.", ["Impact", "Co-authored-by"]),
        ("Why.\n \nImpact: patch\n  more\n\n", "Why.", ["Impact"]),
        ("Why.\n\n\nImpact: patch", "Why.", ["Impact"]),
        ("Note: this is prose\nand goes on.", "Note: this is prose\nand goes on.", []),
        ("Why.\n\none\ntwo\nSigned-off-by: Ada <a@x.example>", "Why.", ["Signed-off-by"]),
        (
            "Why.\n\none\ntwo\nthree\nfour\nSigned-off-by: Ada <a@x.example>",
            "Why.\n\none\ntwo\nthree\nfour\nSigned-off-by: Ada <a@x.example>",
            [],
        ),
        ("Why.\n\nFixes #12\nImpact: patch", "Why.", ["Impact"]),
        ("Why.\n\nImpact: patch\n\nSee merge request group/p!12", "Why.\n\nImpact: patch\n\nSee merge request group/p!12", []),
        ("Why.\n\nhttps://example.com", "Why.\n\nhttps://example.com", []),
    ],
)
def test_trailers_are_those_of_the_last_paragraph_as_git_sees_them(body: str, text: str, trailers: list[str]) -> None:
    message = read_any(f"fix: x\n\n{body}").message
    assert (message.body, [trailer.name for trailer in message.trailers]) == (text, trailers)


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        ("BREAKING CHANGE: frames\nare refused", ("frames are refused",)),
        ("Why.\n\nBREAKING-CHANGE: a\nImpact: major", ("a",)),
        ("breaking change but not for you", ()),
        ("this is no BREAKING CHANGE: at all", ()),
    ],
)
def test_only_the_marked_line_is_a_breaking_note(body: str, notes: tuple[str, ...]) -> None:
    assert read_any(f"fix: x\n\n{body}").breaking_notes == notes


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("fix: x (#12)", (Citation(CitationKind.SUBJECT_NUMBER, "12"),)),
        ("fix: x as in (#12) before", ()),
        ("fix: same idea as #56", ()),
        ("Merge pull request #12 from o/branch\n\nTitle", (Citation(CitationKind.PULL_REQUEST, "12"),)),
        ("Merge PR #12: Title", (Citation(CitationKind.PULL_REQUEST, "12"),)),
        ("Title\n\nMerge PR #12", (Citation(CitationKind.PULL_REQUEST, "12"),)),
        ("Title\n\nAs in Merge PR #12", ()),
        (
            "Merge branch 'x'\n\nTitle\n\nSee merge request group/sub/p!12",
            (Citation(CitationKind.MERGE_REQUEST, "12", "group/sub/p"),),
        ),
        ("fix: x\n\nas See merge request group/p!12 says", ()),
    ],
)
def test_a_number_is_cited_only_where_a_forge_writes_it(text: str, citations: tuple[Citation, ...]) -> None:
    assert read_any(text).citations == citations


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize(
    ("line", "closing"),
    [
        ("Fixes #12", (Trailer("Fixes", "#12"),)),
        ("closes: DEVELOP-219, o/r#7 and #8.", (Trailer("closes", "DEVELOP-219, o/r#7, #8"),)),
        ("Fixes the parser in #12", ()),
        ("Same idea as #12, see #13", ()),
        ("> it fixes #12", ()),
        ("It fixes #12", (Trailer("fixes", "#12"),)),
        ("Fixes", ()),
    ],
)
def test_a_closing_word_cites_a_number_anywhere_and_a_key_on_a_line_of_its_own(line: str, closing: tuple[Trailer, ...]) -> None:
    assert read_any(f"fix: x\n\nWhy.\n{line}\n").closing == closing


@pytest.mark.requirement("IC-6.7")
@pytest.mark.parametrize("subject", ["Sort rows, closes #12", "Sort rows (closes #12) (#13)", "feat: sort rows - closes #12"])
def test_a_closing_word_in_the_subject_cites(subject: str) -> None:
    assert read_any(subject).closing == (Trailer("closes", "#12"),)


@pytest.mark.requirement("IC-6.4")
@pytest.mark.parametrize(
    ("text", "parents", "title"),
    [
        ("Merge pull request #12 from o/branch\n\nSort rows\n\nThey were shuffled.", 2, "Sort rows"),
        ("Merge pull request #12 from o/branch\n\nSort rows", 1, "Sort rows"),
        ("Sort rows\n\nMerge pull request #12 from o/branch", 2, "Sort rows"),
        ("Sort rows\n\nMerge PR #12", 2, "Sort rows"),
        ("Merge PR #12: Sort rows\n\nThey were shuffled.", 2, "Sort rows"),
        ("Sort rows (#12)\n\nThey were shuffled.", 2, "Sort rows (#12)"),
        ("Merge branch 'x' into 'main'\n\nSort rows\n\nSee merge request group/p!12", 2, "Sort rows"),
        ("Merge branch 'x' into 'main'\n\nSee merge request group/p!12", 2, ""),
        ("Merge pull request #12 from o/branch\n\n# Conflicts:\n#\ta.py", 2, ""),
        ("Merge branch 'x'\n\nSort rows", 2, ""),
        ("Sort rows (#12)\n\nThey were shuffled.", 1, ""),
        ("Sort rows", 2, ""),
    ],
)
def test_the_title_of_a_request_stands_in_the_commit_that_merged_it(text: str, parents: int, title: str) -> None:
    assert read_any(text).request_title(parents) == title


@pytest.mark.requirement("IC-6.8")
@pytest.mark.parametrize(
    ("body", "reverts"),
    [
        ("This reverts commit ABCDEF1234.", ("abcdef1234",)),
        ("This reverts commit abcdef1, reversing\nchanges made to 1234567.", ("abcdef1",)),
        ("Reverts: abcdef1\nReverts: no", ("abcdef1",)),
        ("We think this reverts commit abcdef1", ()),
    ],
)
def test_a_revert_is_named_by_trailer_or_by_the_line_git_writes(body: str, reverts: tuple[str, ...]) -> None:
    assert read_any(f'Revert "fix: x"\n\n{body}').reverts == reverts


@pytest.mark.parametrize(
    ("subject", "body", "reverts"),
    [
        ("Lower the limit", "This reverts commit abcdef1.", ("abcdef1",)),
        ("Lower the limit", "It was too high.\n\nThis reverts commit abcdef1.", ("abcdef1",)),
        ("Sort reports (#7)", '* Sort\n\n* Revert "x"\n\nThis reverts commit abcdef1.', ()),
        ("Sort reports (#7)", "* Sort\n\nReverts: abcdef1", ("abcdef1",)),
        ('Revert "x" (#7)', "- too slow\n\nThis reverts commit abcdef1.", ("abcdef1",)),
        ("revert(pool): x", "- too slow\n\nThis reverts commit abcdef1.", ("abcdef1",)),
    ],
)
def test_a_commit_that_was_squashed_away_reverts_nothing_for_the_squash(
    subject: str, body: str, reverts: tuple[str, ...]
) -> None:
    assert read_any(f"{subject}\n\n{body}").reverts == reverts


@given(st.text())
def test_reading_any_text_never_fails(text: str) -> None:
    assert read_any(text) == read_any(text)


FRAGMENTS = st.lists(
    st.sampled_from(["", "Why.", "Impact: patch", "Key:  value ", "  more", "Fixes #1", "BREAKING CHANGE: x", "Changeset: a"]),
    max_size=8,
)


@given(FRAGMENTS)
def test_what_the_strict_reader_takes_for_trailers_is_taken_here_too(lines: list[str]) -> None:
    text = "\n".join(["mend(svc/intake): stop", "", *lines])
    strict = read(text)
    assert isinstance(strict, Message)
    plain = read_any(text).message
    assert (plain.type, plain.scope, plain.description) == (strict.type, strict.scope, strict.description)
    if strict.trailers:
        assert plain.trailers == strict.trailers
