"""Titles in sentence case pass with their names and code; branch names and Title Case do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.titles import begins_small, is_branch_name, is_title_case


@pytest.mark.requirement("DC-03")
@pytest.mark.parametrize(
    "title",
    [
        "feature/watermark",
        "fix-popup-order",
        "bugfix/PROJ-412",
        "Feature/add csv export",
        "PROJ-412-fix-the-popup",
        "dependabot/npm_and_yarn/lodash-4.17.21",
        "user_name_field",
        "main",
        "HEAD",
    ],
)
def test_a_branch_name_is_no_title(title: str) -> None:
    assert is_branch_name(title)


@pytest.mark.requirement("DC-03")
@pytest.mark.parametrize(
    "title",
    ["Auto-retry", "Fix popup order", "Read-only mode", "Release 2.4.0", "Docs/examples: fix a typo", "main menu opens", ""],
)
def test_words_are_no_branch_name(title: str) -> None:
    assert not is_branch_name(title)


@pytest.mark.requirement("DC-03")
@pytest.mark.parametrize(
    ("title", "small"),
    [
        ("add CSV export", True),
        ("fix: popup order", True),
        ("the popup shows less", True),
        ("compress the report", True),
        ("towncrier: the build exits with 1", None),
        ("towncrier exits with 1", None),
        ("don't show the popup", True),
        ("popup shows less", None),
        ("Add CSV export", False),
        ("iPhone photos keep their date", False),
        ("pre-commit hooks run once", False),
        ("`npm install` works offline", False),
        ("2.7.0 is prepared", False),
        ("修复登录", False),
        ("", False),
    ],
)
def test_a_title_begins_with_a_capital_or_a_name(title: str, small: bool | None) -> None:
    assert begins_small(title) is small


@pytest.mark.requirement("DC-03")
@pytest.mark.parametrize(
    ("title", "large"),
    [
        ("Show The Popup For New Users", True),
        ("Fix Crash When Opening Settings", True),
        ("Show the New Popup for Returning Users", None),
        ("Support Microsoft Entra and Google Workspace", None),
        ("Support Google Cloud Storage buckets", False),
        ("In progress", False),
        ("Test on CPython 3.10 and PyPy 3.8", False),
        ("Add CSV, JSON and XML export", False),
        ('Rename "Save And Close Now" button', False),
        ("Accept `Every Word Large Here`", False),
        ("Load the configuration from a remote URL", False),
        ("GitHub OAuth2 PKCE", False),
    ],
)
def test_names_and_code_make_no_title_case(title: str, large: bool | None) -> None:
    assert is_title_case(title) is large


@given(st.text(max_size=200))
def test_any_title_is_judged(title: str) -> None:
    assert {begins_small(title), is_title_case(title)} <= {True, False, None}
    assert is_branch_name(title) in {True, False}
