"""Migration guidance can be acted on; filler is no guidance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.grounding.guidance import is_actionable


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


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert is_actionable(text) in {True, False}
