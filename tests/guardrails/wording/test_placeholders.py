"""Placeholders are seen, and texts about placeholders are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.wording.placeholders import is_placeholder


@pytest.mark.requirement("DC-22")
@pytest.mark.parametrize(
    "text",
    [
        "TODO",
        "todo: write this",
        "TBD.",
        "...",
        "…",
        "FIXME - later",
        "See the diff",
        "see the diff for details.",
        "For details, see the pull request.",
        "Please look at the commits",
        "The diff is not available.",
        "No details available",
        "To be written",
        "Same as the title",
        "…the change object…",
        "<commit message>",
        "Adds <summary here>",
        "{{ summary }}",
        "[insert rationale]",
        "Your summary here",
        "(no commit message provided)",
        "No description provided.",
        "summary",
        "A sentence.",
        "It is released on [insert_date].",
        "The [Bump Coverage] is now [Bump Coverage Date].",
        "[project_name] is new",
        "A file.",
        "The change",
        "a short description",
    ],
)
def test_a_placeholder_is_seen(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text",
    [
        "Show TODO comments in the sidebar",
        "Todo lists can be shared",
        "Summary pages load faster",
        "Fill `<title>` from the heading",
        "Accept generic `List<T>` types",
        "Render `{{ name }}` in templates",
        "See which jobs wait",
        "Show the diff before saving",
        "See the diff of two releases side by side",
        "The title is kept when the description is empty",
        "None of the workers stops",
        "... and counting",
        "A file is opened once",
        "The change of a sentence is kept",
        "Some items",
        "Read rows[column_name] once",
        "Take [the file name](a.md) for the title",
    ],
)
def test_a_text_about_placeholders_is_none(text: str) -> None:
    assert not is_placeholder(text)


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert is_placeholder(text) in {True, False}
