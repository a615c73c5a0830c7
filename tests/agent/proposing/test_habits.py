"""Habits are counted, never judged; and nothing that a message says can break the counting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.proposing.habits import Counted, observe

MESSAGES = [
    "fix(apps/worker): resume jobs (#12)\n\nWhy.\n\nRefs: DEVELOP-219\n",
    "fix(api)!: drop v1\n\nBREAKING CHANGE: gone\n",
    "feat: export as UTF-8 (#13)\n\nCloses DEVELOP-220\n",
    "Tidy up DEVELOP-3 without a header",
    "Bad_Type: no word of a profile",
]


def test_types_scopes_trackers_and_markers_are_counted() -> None:
    habits = observe(MESSAGES, [], [], "")
    assert habits.messages == 5
    assert habits.types == (Counted("fix", 2), Counted("feat", 1))
    assert habits.scopes == (Counted("api", 1), Counted("apps/worker", 1))
    assert habits.trackers == (Counted("DEVELOP", 3),)
    assert (habits.subject_numbers, habits.breaking) == (2, 1)


@pytest.mark.parametrize(
    ("tags", "pattern", "count", "line"),
    [
        (["v1.2.0", "v10.0.0-rc.1", "v9.9.9", "nightly"], "^v", 3, "10"),
        (["0.1.0", "0.2.0"], "^[0-9]", 2, "0"),
        (["web@2.0.0", "api@3.1.0", "api/v1.0.0"], "^[0-9]", 3, "3"),
        (["2024.05"], "^v?", 1, "2024"),
    ],
)
def test_the_commonest_style_of_tags_is_told_with_its_highest_line(
    tags: list[str], pattern: str, count: int, line: str
) -> None:
    releases = observe([], tags, [], "").releases
    assert releases is not None
    assert releases.pattern.startswith(pattern)
    assert (releases.count, releases.line) == (count, line)
    assert releases.example in tags


def test_tags_that_name_no_release_say_nothing() -> None:
    assert observe([], ["nightly", "before-move"], [], "").releases is None


def test_headings_of_a_changelog_are_counted_without_versions_and_frames() -> None:
    changelog = "# Changelog\n## [1.2.0] - 2025-01-01\n### Added\n- x\n### 🐛 Bug Fixes\n## Unreleased\n### Added\n"
    assert observe([], [], [], changelog).headings == (Counted("added", 2), Counted("bug-fixes", 1))


def test_folders_of_decisions_are_told_as_patterns() -> None:
    assert observe([], [], ["docs/adr/0001-x.md", "docs/adr/0002-y.md", "adr.md"], "").decisions == ("docs/adr/*.md",)


@given(
    messages=st.lists(st.text(max_size=120), max_size=5),
    tags=st.lists(st.text(max_size=40), max_size=5),
    log=st.text(max_size=200),
)
def test_any_text_can_be_observed(messages: list[str], tags: list[str], log: str) -> None:
    assert observe(messages, tags, tags, log).messages == len(messages)
