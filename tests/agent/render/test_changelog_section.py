"""An envelope becomes the section of a changelog, breaking changes first."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from agent.render.changelog_section import UNRELEASED, changelog_section
from agent.render.forge_links import Links
from guardrails import markdown
from guardrails.markdown import BlockKind, InlineKind
from tests.agent.render.test_envelope_rendering import ENVELOPES, TEXTS, Record

CASES = Path(__file__).parents[2] / "cases"
GITHUB = Links.of("github.com", "acme/widgets")


def release() -> Record:
    told: Record = json.loads((CASES / "rendered/release.json").read_bytes())
    return told


def headings(page: str) -> list[str]:
    return [block.plain for block in markdown.blocks(page) if block.kind is BlockKind.HEADING]


def test_a_release_becomes_a_section_of_a_changelog() -> None:
    assert changelog_section(release(), "2.4.0", "2026-01-02") == (CASES / "rendered/release.changelog.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("version", "date", "links", "heading"),
    [
        ("2.4.0", "2026-01-02", None, "## [2.4.0] - 2026-01-02\n"),
        (UNRELEASED, "", None, "## [Unreleased]\n"),
        (
            "2.4.0",
            "2026-01-02",
            GITHUB,
            "## [2.4.0](https://github.com/acme/widgets/compare/v2.3.0...v2.4.0) - 2026-01-02\n",
        ),
        ("pkg@2", "", None, "## [`pkg@2`]\n"),
        ("a](https://evil.example)\n# b", "", None, "## [a\\](`https://evil.example`) # b]\n"),
    ],
)
def test_the_heading_says_version_and_day_and_leads_to_the_comparison(
    version: str, date: str, links: Links | None, heading: str
) -> None:
    assert changelog_section(release(), version, date, links).startswith(heading)


def change(kind: str, title: str) -> Record:
    return {"kind": kind, "title": title, "short_md": title}


@pytest.mark.parametrize(
    ("kind", "title", "section"),
    [
        ("feature", "Export tables", "Added"),
        ("feature", "Deprecate the old export", "Deprecated"),
        ("improvement", "Deprecates v1", "Deprecated"),
        ("improvement", "Remove a click", "Changed"),
        ("bug_fix", "Remove a stray line", "Fixed"),
        ("bug_fix", "Deprecate nothing", "Fixed"),
        ("security", "Drop weak ciphers", "Security"),
        ("breaking", "Drop weak ciphers", "Removed"),
        ("breaking", "Removed v1", "Removed"),
        ("breaking", "Droplets are counted anew", "Changed"),
        ("breaking", "Deprecate v1", "Changed"),
        ("ops", "Build on two machines", "Changed"),
        ("docs", "Explain exports", "Changed"),
    ],
)
def test_each_kind_has_its_section(kind: str, title: str, section: str) -> None:
    assert headings(changelog_section({"items": [change(kind, title)]}, "1", "")) == ["[1]", section]


def test_breaking_changes_come_before_all_others() -> None:
    items = [
        change("feature", "Add a"),
        change("improvement", "Change b"),
        change("breaking", "Remove c"),
        change("breaking", "Rename d"),
    ]
    page = changelog_section({"items": items}, "1", "")
    assert headings(page) == ["[1]", "Removed", "Changed", "Added"]
    assert re.findall(r"\*\*(.*?)\*\*", page) == ["Breaking: Remove c", "Breaking: Rename d", "Change b", "Add a"]


def test_without_breaking_changes_the_sections_have_their_usual_order() -> None:
    kinds = ("security", "bug_fix", "improvement", "feature")
    told = [*(change(kind, f"Do {kind}") for kind in kinds), change("feature", "Deprecate x")]
    page = changelog_section({"items": told}, "1", "")
    assert headings(page)[1:] == ["Added", "Changed", "Deprecated", "Fixed", "Security"]


@settings(deadline=None)
@given(ENVELOPES.filter(lambda told: told.get("items") != []), TEXTS)
def test_no_section_does_anything(told: Record, version: str) -> None:
    for links in (GITHUB, None):
        page = changelog_section(told, version, "2026-01-02", links)
        assert page.endswith("\n")
        blocks = markdown.blocks(page)
        assert {block.kind for block in blocks} <= {BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CODE, BlockKind.RULE}
        for piece in markdown.inlines(blocks):
            assert piece.kind not in {InlineKind.HTML, InlineKind.IMAGE}
            assert not piece.target or (links and links.lead_to(piece.target))
