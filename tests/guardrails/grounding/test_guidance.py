"""Migration guidance can be acted on; filler and placeholders are no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.grounding.guidance import is_actionable, is_placeholder


@pytest.mark.requirement("IC-6.6e")
@pytest.mark.parametrize(
    "text",
    [
        "none",
        "None.",
        "N/A",
        "n/a",
        "-",
        "",
        "No migration needed",
        "No action is required.",
        "Not needed",
        "Not applicable.",
        "Migration needed",
        "Breaking change",
        "TODO",
        "TBD",
        "See the diff",
        "see docs",
        "Please refer to the changelog.",
        "The old format is gone.",
        "keine",
        "无",
    ],
)
def test_filler_and_mere_news_are_no_migration_guidance(text: str) -> None:
    assert not is_actionable(text)


@pytest.mark.requirement("IC-6.6e")
@pytest.mark.parametrize(
    "text",
    [
        "Name the type of the report.",
        "Give every job a queue of its own.",
        "Rename `timeout` to `deadline` in worker.toml.",
        "Run the schema upgrade before deploying.",
        "Callers of the v1 endpoint must move to v2.",
        "Use the v2 endpoint instead.",
        "You need to rebuild the index.",
        "Set the flag, see the docs for its values.",
        "`app migrate --all`",
        "Bitte Index neu aufbauen",
        "运行迁移脚本",
    ],
)
def test_a_step_to_take_is_migration_guidance(text: str) -> None:
    assert is_actionable(text)


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
        "<commit message>",
        "Adds <summary here>",
        "{{ summary }}",
        "[insert rationale]",
        "Your summary here",
        "(no commit message provided)",
        "No description provided.",
        "summary",
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
    ],
)
def test_a_text_about_placeholders_is_none(text: str) -> None:
    assert not is_placeholder(text)


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert {is_actionable(text), is_placeholder(text)} <= {True, False}
