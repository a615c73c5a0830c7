"""The texts of a release: all of it, what a forge takes, and a section of a changelog."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.batch.pages import BODY, CHANGELOG, MOST_OF_A_BODY, NOTES, TEXT, pages
from agent.render.fitting import RELEASE_BODY, size
from guardrails import markdown
from tests.agent.batch.finishing import CASES, LINKS, envelope, guard, release

RELEASE = release("widgets/v2.4.0", "v2.3.0..v2.4.0", 1, tags=("v2.4.0", "2.4.0"), date="2026-01-02T03:04:05+01:00")


def read(name: str) -> str:
    return (CASES / "rendered" / name).read_text("utf-8")


def test_a_release_has_its_notes_as_markdown_and_as_text() -> None:
    told = pages(envelope(), RELEASE, None, guard())
    assert (told[NOTES], told[TEXT]) == (read("release.md"), read("release.txt"))


def test_the_body_for_a_release_page_has_no_title_of_its_own() -> None:
    told = pages(envelope(), RELEASE, None, guard())
    assert told[BODY] == read("release.md").removeprefix("# Release 2.4.0\n\n")


def many(count: int) -> dict[str, Any]:
    """A release of so many long changes, the breaking one last."""
    told = envelope()
    breaking, *others = told["items"]
    long = {"detail_md": "## What changed\n\n" + "A word or two. " * 60}
    return {**told, "items": [*({**others[one % len(others)], **long} for one in range(count - 1)), breaking]}


@pytest.mark.parametrize("count", [400, 2_000])
def test_a_body_that_would_be_too_long_has_what_breaks_and_counts_what_is_left_out(count: int) -> None:
    told = pages(many(count), RELEASE, LINKS, guard())
    assert size(told[NOTES]) > RELEASE_BODY
    assert MOST_OF_A_BODY - 1_500 < size(told[BODY]) <= MOST_OF_A_BODY
    breaking, _, _ = told[BODY].partition("## Security")
    assert "**Remove the v1 report endpoint**" in breaking
    assert "Migration: `GET /v2/reports` takes the same parameters." in breaking
    assert f"of {count} changes. All of it is in `notes.md`.*" in told[BODY]
    assert "notes.md" not in told[NOTES]


def test_every_change_of_a_long_release_is_in_its_notes() -> None:
    told = pages(many(400), RELEASE, LINKS, guard())
    assert told[NOTES].count("- **") == 400


@pytest.mark.parametrize(
    ("tags", "date", "heading"),
    [
        (("v2.4.0", "2.4.0"), "2026-01-02T03:04:05+01:00", "[2.4.0] - 2026-01-02"),
        (("2.4.0",), "2026-01-02", "[2.4.0] - 2026-01-02"),
        (("release-2.4.0",), "2026-01-02", "[2.4.0] - 2026-01-02"),
        (("cli/v2.4.0",), "", "[cli/v2.4.0]"),
        (("@acme/cli@2.4.0",), "", "[@acme/cli@2.4.0]"),
        (("vienna",), "", "[vienna]"),
        ((), "2026-01-02", "[Unreleased]"),
    ],
)
def test_the_section_of_a_changelog_is_named_by_version_and_day(tags: tuple[str, ...], date: str, heading: str) -> None:
    one = release("widgets/x", "v2.3.0..x", 1, tags=tags, date=date)
    section = pages(envelope(), one, None, guard())[CHANGELOG]
    assert markdown.blocks(section)[0].plain == heading


def test_the_section_of_a_changelog_is_that_of_the_envelope() -> None:
    assert pages(envelope(), RELEASE, None, guard())[CHANGELOG] == read("release.changelog.md")


@pytest.mark.requirement("AI-7")
def test_pages_lead_nowhere_where_an_address_would_tell_what_must_not_leave() -> None:
    secret = guard("compare")
    assert all("https://" not in page for page in pages(envelope(), RELEASE, LINKS, secret).values())
    assert "https://github.com/acme/widgets/compare" in pages(envelope(), RELEASE, LINKS, guard())[NOTES]


@pytest.mark.requirement("AI-7")
def test_a_tag_that_must_not_leave_does_not() -> None:
    section = pages(envelope(), replace(RELEASE, tags=("v1-codename",)), LINKS, guard("codename"))[CHANGELOG]
    assert "codename" not in section
