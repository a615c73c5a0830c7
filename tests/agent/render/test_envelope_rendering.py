"""An envelope is rendered for a body, a release page and a terminal, and its page does nothing but be read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.render import envelope_markdown, envelope_text
from agent.render.fitting import REQUEST_BODY, size
from agent.render.forge_links import Links
from agent.render.plain_text import plain
from guardrails import markdown
from guardrails.drafts import envelope
from guardrails.markdown import BlockKind, InlineKind

CASES = Path(__file__).parents[2] / "cases"
RENDERED = {
    "revert": CASES / "envelopes/seed/revert.json",
    "release": CASES / "rendered/release.json",
    "hostile": CASES / "rendered/hostile.json",
}
GITHUB = Links.of("github.com", "acme/widgets", trackers={"PROJ": "https://tracker.example/browse/{key}"})
GITLAB = Links.of("gitlab.example.com", "acme/widgets")
Record = dict[str, object]


def record(name: str) -> Record:
    told: Record = json.loads(RENDERED[name].read_bytes())
    return told


@pytest.mark.requirement("DC-01")
@pytest.mark.parametrize("name", RENDERED)
@pytest.mark.parametrize(("links", "suffix"), [(GITHUB, "github.md"), (GITLAB, "gitlab.md"), (None, "md")])
def test_an_envelope_is_rendered_as_markdown(name: str, links: Links | None, suffix: str) -> None:
    assert envelope_markdown.render(record(name), links) == (CASES / f"rendered/{name}.{suffix}").read_text("utf-8")


@pytest.mark.requirement("DC-01")
@pytest.mark.parametrize("name", RENDERED)
def test_an_envelope_is_rendered_as_plain_text(name: str) -> None:
    assert envelope_text.render(record(name)) == (CASES / f"rendered/{name}.txt").read_text("utf-8")


@pytest.mark.requirement("DC-21")
def test_a_null_leaves_no_trace() -> None:
    told = record("revert")
    change = told["change"]
    assert isinstance(change, dict)
    told["change"] = {**change, "medium_md": None, "detail_md": None, "refs": []}
    assert envelope_markdown.render(told) == (
        "Reverts the pool-size change from #1471, which exhausted database connections under load\n\nKind: bug fix\n"
    )


@pytest.mark.parametrize(
    ("name", "kind", "level", "headings"),
    [
        ("revert", "commit", None, [(2, "What changed"), (2, "Why"), (2, "References")]),
        ("revert", "commit", 1, [(1, "Revert the connection-pool size increase"), (2, "What changed"), (2, "Why")]),
        ("revert", "commit", 3, [(3, "Revert the connection-pool size increase"), (4, "What changed"), (4, "Why")]),
        ("release", "range", None, [(1, "Release 2.4.0"), (2, "Breaking changes"), (2, "Security")]),
        ("release", "pull_request", None, [(2, "Breaking changes"), (2, "Security"), (2, "Features")]),
        ("release", "range", 0, [(2, "Breaking changes"), (2, "Security"), (2, "Features")]),
        ("release", "pull_request", 2, [(2, "Release 2.4.0"), (3, "Breaking changes"), (3, "Security")]),
    ],
)
def test_a_title_is_a_heading_where_none_stands_above_it(
    name: str, kind: str, level: int | None, headings: list[tuple[int, str]]
) -> None:
    told = {**record(name), "operation": {"type": kind, "id": "1", "repository": "acme/widgets"}}
    blocks = markdown.blocks(envelope_markdown.render(told, level=level))
    assert [(block.level, block.plain) for block in blocks if block.kind is BlockKind.HEADING][:3] == headings


@pytest.mark.parametrize(
    ("title", "short", "medium", "page"),
    [
        ("Keep names", "Names stay", "Names stay. They did not.", "Names stay. They did not."),
        ("Keep names", "Names stay", "Names stay", "Names stay"),
        ("Keep names", "Names stay after all", "Names stay", "Names stay after all"),
        ("Keep names", "Names stay", "They stay.", "Names stay\n\nThey stay."),
        ("Keep names", "!", "They stay.", "!\n\nThey stay."),
    ],
)
def test_what_is_said_already_is_not_said_again(title: str, short: str, medium: str, page: str) -> None:
    change = {"kind": "bug_fix", "title": title, "short_md": short, "medium_md": medium}
    assert envelope_markdown.render({"change": change}) == f"{page}\n\nKind: bug fix\n"


@pytest.mark.parametrize(
    ("title", "short", "medium", "line"),
    [
        ("Keep names", "Keep names", "Keep names.", "- **Keep names**"),
        ("Keep names", "Keep `names`", "Names stay.", "- **Keep names**\n\n  Names stay."),
        ("Keep names", "Names stay", "Names stay. They did not.", "- **Keep names**\n\n  Names stay. They did not."),
        ("Keep names", "Names stay", "They do.", "- **Keep names** — Names stay\n\n  They do."),
    ],
)
def test_a_change_in_a_list_says_nothing_twice(title: str, short: str, medium: str, line: str) -> None:
    change = {"kind": "bug_fix", "title": title, "short_md": short, "medium_md": medium}
    assert envelope_markdown.render({"items": [change]}, level=0) == f"## Bug fixes\n\n{line}\n"


def many(count: int) -> Record:
    release = record("release")
    items = release["items"]
    assert isinstance(items, list)
    return {**release, "items": [items[index % len(items)] for index in range(count)]}


def test_more_than_a_few_changes_tell_in_the_details_what_they_mean() -> None:
    few, more = (envelope_markdown.render(many(count)).partition("## Details") for count in (12, 13))
    words = "Every table can be saved as a file"
    assert (words in few[0], words in few[2]) == (True, False)
    assert (words in more[0], words in more[2]) == (False, True)


ALL = "all details, "
FITTING = [
    ("release", 10_000, "Range: ", None),
    ("release", 2_600, "### Escape names", "the details of the last 3 of 5 changes"),
    ("release", 1_300, "Exported names are shown", "all details, and the paragraphs of the last 3 of 5 changes"),
    ("release", 1_000, "**Escape names", f"{ALL}the paragraphs of the last 4 of 5 changes, and the last 3 of 5 changes"),
    ("release", 800, "Migration: `GET /v2/reports`", "all details, and the last 4 of 5 changes"),
    ("release", 700, "**Remove the v1 report endpoint**", "all details, all paragraphs, and the last 4 of 5 changes"),
    ("revert", 900, "## What changed", "the last 2 of 4 sections"),
    ("revert", 10, "Reverts the pool-size change", "the last 4 of 4 sections"),
]


@pytest.mark.parametrize(("name", "most", "kept", "left_out"), FITTING)
def test_a_page_too_long_leaves_out_whole_parts_from_its_end_and_says_so(
    name: str, most: int, kept: str, left_out: str | None
) -> None:
    told = envelope_markdown.render(record(name), GITHUB, most=most)
    assert size(told) <= most or most == 10
    assert kept in told
    assert re.findall(r"\*Left out to keep within the length that is allowed here: (.*)\.\*", told) == (
        [left_out] if left_out else []
    )


def test_a_page_that_is_cut_names_the_file_that_has_all_of_it() -> None:
    told = envelope_markdown.render(record("release"), most=700, whole="notes.md")
    assert "the last 4 of 5 changes. All of it is in `notes.md`.*" in told
    assert "notes.md" not in envelope_markdown.render(record("release"), whole="notes.md")


def test_breaking_changes_come_first_and_are_the_last_to_go() -> None:
    told = record("release")
    items = told["items"]
    assert isinstance(items, list)
    turned = {**told, "items": items[::-1]}
    page = envelope_markdown.render(turned, most=750)
    assert re.findall(r"\*\*(.*?)\*\*", page) == ["Remove the v1 report endpoint"]
    assert "Migration: `GET /v2/reports` takes the same parameters." in page


@pytest.mark.parametrize(
    ("detail", "below"),
    [
        ("## Migration\n\nCall v2.", "Migration: Call v2."),
        ("# How to `migrate`:\n\nCall v2.\n\n## Why not\n\nNo.\n\n# What changed\n\nMuch.", "Migration: Call v2."),
        ("## Migration\n\n1. Call v2.\n2. Wait.", "Migration:\n\n  1. Call v2.\n  2. Wait."),
        ("## Migration\n\n- Call v2.", "Migration:\n\n  - Call v2."),
        ("## Migration\n\n```sh\nv2\n```", "Migration:\n\n  ```sh\n  v2\n  ```"),
    ],
)
def test_what_to_do_stands_below_the_line_of_a_breaking_change(detail: str, below: str) -> None:
    change = {"kind": "breaking", "title": "Drop v1", "short_md": "Drop v1", "detail_md": detail}
    page = envelope_markdown.render({"items": [change]}, level=0)
    assert page.startswith(f"## Breaking changes\n\n- **Drop v1**\n\n  {below}\n")
    assert page.count("v2") == 1
    assert ("Much." in page) == ("Much." in detail)
    other = envelope_markdown.render({"items": [{**change, "kind": "feature"}]}, level=0)
    assert other.startswith("## Features\n\n- **Drop v1**\n\n## Details\n")


def test_four_hundred_changes_fit_into_the_body_of_a_request() -> None:
    whole = envelope_markdown.render(many(400), GITHUB)
    assert size(whole) > REQUEST_BODY
    told = envelope_markdown.render(many(400), GITHUB, most=REQUEST_BODY)
    assert REQUEST_BODY - 1_000 < size(told) <= REQUEST_BODY
    assert {block.kind for block in markdown.blocks(told)} <= {BlockKind.PARAGRAPH, BlockKind.HEADING}


def test_length_counts_as_the_strictest_forge_does() -> None:
    assert size("aé\U0001f600") == 4


@pytest.mark.parametrize("path", sorted((CASES / "envelopes/honest").glob("*-?.json")), ids=lambda path: path.stem)
def test_an_honest_envelope_keeps_every_word(path: Path) -> None:
    told = json.loads(path.read_bytes())
    change = told["change"]
    text = envelope_text.render(told).split()
    for name in ("title", "short_md", "medium_md", "detail_md"):
        words = " ".join(block.plain for block in markdown.blocks(change[name])).split()
        assert not set(words) - set(text)


TEXTS = st.text(max_size=20) | st.lists(
    st.sampled_from(
        [
            "@octocat ",
            "fixes #12 ",
            "<b>",
            "![a](b)",
            "[a](https://evil.example)",
            "`c`",
            "a_b ",
            "| ",
            "\n",
            "- ",
            "## x\n",
            "\n## Migration\n",
            "PROJ-1 ",
        ]
    )
    | st.sampled_from(
        [
            "www.evil.example ",
            "```\n",
            "a91b3f2 ",
            "<!-- evidraft:end -->",
            "&amp; ",
            "\\",
            "*d* ",
            "_",
            "word ",
            "![",
            "](",
            "> ",
        ]
    ),
    max_size=8,
).map("".join)
SHAS = st.from_regex(r"[0-9a-f]{7,40}", fullmatch=True)
REFS = st.fixed_dictionaries(
    {"path": TEXTS.filter(bool)}, optional={"range": st.sampled_from(["1", "2-30"]), "sha": SHAS, "note": TEXTS}
)
CHANGES = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(envelope.KINDS),
        "title": TEXTS,
        "short_md": TEXTS,
        "medium_md": st.none() | TEXTS,
        "detail_md": st.none() | TEXTS,
        "refs": st.lists(REFS, max_size=3),
        "relations": st.fixed_dictionaries(dict.fromkeys(("ticket", "request", "reporter"), st.none() | TEXTS)),
    }
)
OPERATIONS = st.fixed_dictionaries({"type": st.sampled_from(envelope.OPERATION_TYPES), "id": TEXTS, "repository": TEXTS})
ENVELOPES = st.fixed_dictionaries(
    {"shape": st.just("single"), "operation": OPERATIONS, "change": CHANGES}
) | st.fixed_dictionaries(
    {
        "shape": st.just("itemized"),
        "operation": OPERATIONS,
        "summary": st.fixed_dictionaries({"title": TEXTS, "short_md": TEXTS, "medium_md": st.none() | TEXTS}),
        "items": st.lists(CHANGES, max_size=4),
    }
)
CALLS = re.compile(r"(?<![0-9A-Za-z_])@[0-9A-Za-z]")
CLOSINGS = re.compile(r"(?i)\bfixes:? #\d+\b")
ACTIVE = {BlockKind.HTML, BlockKind.DEFINITION, BlockKind.UNCLOSED}


@settings(deadline=None)
@given(ENVELOPES, st.sampled_from([GITHUB, GITLAB, None]), st.none() | st.integers(0, 2_000), st.none() | st.integers(0, 3))
def test_no_page_does_anything(told: Record, links: Links | None, most: int | None, level: int | None) -> None:
    page = envelope_markdown.render(told, links, most=most, level=level)
    assert page == envelope_markdown.render(told, links, most=most, level=level)
    assert page.endswith("\n")
    blocks = markdown.blocks(page)
    assert not ACTIVE & {block.kind for block in blocks}
    for piece in markdown.inlines(blocks):
        assert piece.kind not in {InlineKind.HTML, InlineKind.IMAGE}
        assert not piece.target or (links and links.lead_to(piece.target))
        assert piece.kind is not InlineKind.TEXT or not (CALLS.search(piece.text) or CLOSINGS.search(piece.text))


@given(ENVELOPES)
def test_no_text_fails(told: Record) -> None:
    assert envelope_text.render(told).endswith("\n")


def sound(told: Mapping[str, object]) -> Record:
    """The envelope with titles, places and a range that say something, as those of every envelope that holds."""
    refs = [{"path": "a b.py", "range": "1", "note": None}, {"path": "c.py", "sha": "1234567", "note": "in `c`"}]

    def titled(change: Mapping[str, object]) -> Record:
        return {**change, "title": f"Keep {change['title']}.", "refs": refs, "relations": {"ticket": "PROJ-1"}}

    items = told.get("items", [])
    assert isinstance(items, list)
    changes = {name: titled(one) for name in ("change", "summary") if isinstance(one := told.get(name), dict)}
    operation = {"type": "range", "id": "v1..v2", "repository": "acme/widgets"}
    return {**told, **changes, "operation": operation, "items": [*map(titled, items)]}


@pytest.mark.requirement("DC-01")
@given(ENVELOPES.map(sound))
def test_the_text_says_what_the_page_says_word_for_word(told: Record) -> None:
    level = 1  # a text has its title, whatever it is of
    assert envelope_text.render(told).split() == plain(envelope_markdown.render(told, level=level)).split()


def test_lists_side_by_side_stay_lists_of_their_own_in_the_text() -> None:
    refs = [{"path": "a.py", "note": "one"}, {"path": "b.py", "note": "two"}]
    change = {"kind": "feature", "title": "Keep names", "detail_md": "Kept:\n\n- `a`\n- `b`", "refs": refs}
    told = envelope_text.render({"items": [change]}, level=0)
    assert told.endswith("~~~~~~~~~~\n\nKept:\n\n- a\n- b\n\n- a.py — one\n- b.py — two\n")
