"""Subjects: marks at both ends go, words stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.model.extractive.subjects import statement

SUBJECTS = {
    "conventional": ("feat: add CSV export", "Add CSV export"),
    "scope": ("fix(apps/worker): resume interrupted settlement jobs", "Resume interrupted settlement jobs"),
    "breaking": ("feat(api)!: drop the v1 endpoint", "Drop the v1 endpoint"),
    "breaking without scope": ("rework!: drop the v1 endpoint", "Drop the v1 endpoint"),
    "own type with a scope": ("reliability(worker): resume jobs", "Resume jobs"),
    "squash number": ("Add CSV export (#12)", "Add CSV export"),
    "squash of a squash": ("Add CSV export (#12) (#13)", "Add CSV export"),
    "merge request": ("Add CSV export (!12)", "Add CSV export"),
    "skip mark": ("Add CSV export [skip ci]", "Add CSV export"),
    "gitmoji": (":sparkles: add CSV export", "Add CSV export"),
    "emoji": ("✨ feat: add CSV export", "Add CSV export"),
    "emoji with a selector": ("♻️ Sort rows", "Sort rows"),
    "brackets": ("[worker] resume jobs", "Resume jobs"),
    "ticket in brackets": ("[DEVELOP-219] resume jobs", "Resume jobs"),
    "ticket": ("DEVELOP-219: resume jobs", "Resume jobs"),
    "number": ("#219: resume jobs", "Resume jobs"),
    "all at once": (":bug: [DEVELOP-219] fix(worker): resume jobs. (#12)", "Resume jobs"),
    "full stop": ("Resume jobs.", "Resume jobs"),
    "a dot that stops nothing": ("Run pip install .", "Run pip install ."),
    "ellipsis": ("Resume jobs...", "Resume jobs..."),
    "no ticket": ("UTF-8 paths are accepted", "UTF-8 paths are accepted"),
    "place": ("net/http: keep headers", "net/http: keep headers"),
    "unknown word": ("worker: resume jobs", "worker: resume jobs"),
    "a sentence with a colon": ("Two modes: fast and safe", "Two modes: fast and safe"),
    "identifier first": ("resume_jobs() returns early", "resume_jobs() returns early"),
    "flag first": ("--json prints one document", "--json prints one document"),
    "brand first": ("iOS users stay signed in", "iOS users stay signed in"),
    "revert": ('Revert "feat: add CSV export"', 'Revert "feat: add CSV export"'),
    "conventional revert": ("revert: feat: add CSV export", "revert: feat: add CSV export"),
    "prefix alone": ("feat: ", "feat:"),
    "number inside": ("Close (#12) twice is harmless", "Close (#12) twice is harmless"),
    "accent": ("fix: éviter les doublons", "Éviter les doublons"),
    "Chinese": ("feat: 支持导出表格", "支持导出表格"),
    "type with a capital": ("Docs: fix broken links", "Fix broken links"),
    "breaking in words": ("BREAKING CHANGE: make reports generic (#12)", "Make reports generic"),
    "closing words": ("Name the client in requests, closes #13", "Name the client in requests"),
    "closing words before a squash number": ("Sort rows - refs #12 (#13)", "Sort rows"),
    "a sentence that closes": ("Read colours always.  Closes #176.", "Read colours always"),
    "a sentence that says what it closes": ("Read colours always.  This fixes #176", "Read colours always"),
    "a sentence about itself": ("Read colours always. This commit reads more.", "Read colours always. This commit reads more"),
    "closing words first": ("Fix #339: provide a --version option", "Provide a --version option"),
    "command first": ("llm logs prints long output, refs #10", "llm logs prints long output"),
    "package first": ("fix: npm links are kept", "npm links are kept"),
    "product in another script": ("sku表修改", "sku表修改"),
    "nothing": ("", ""),
}


@pytest.mark.requirement("IC-6.4")
@pytest.mark.parametrize(("subject", "expected"), SUBJECTS.values(), ids=SUBJECTS.keys())
def test_a_statement_is_the_subject_without_its_marks(subject: str, expected: str) -> None:
    assert statement(subject) == expected


@pytest.mark.requirement("AI-3")
@given(st.text() | st.from_regex(r"(feat|fix)(\(a\))?!?: [a-z ]{1,20}( \(#1\))?", fullmatch=True))
def test_a_statement_is_a_run_of_the_subject(subject: str) -> None:
    text = statement(subject)
    assert text in subject or text[1:] in subject
