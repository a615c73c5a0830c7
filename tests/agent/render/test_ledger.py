"""A rendered ledger: what it shows, in which order, and that its texts do nothing and withheld ones are nowhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.render import ledger as pages
from agent.render.plain_text import plain
from guardrails import markdown
from guardrails.records import changelog
from guardrails.records.changelog import Changelog
from guardrails.strict_yaml import write
from tests.guardrails.records.test_changelog import PUBLIC, amendment, entry, ledger

HIDDEN = "Kaputte Sperre"
EMBARGO = {**PUBLIC, "state": "embargoed", "policy": f"{HIDDEN} policy", "not-before": "2099-01-01"}
REDACTION = {**PUBLIC, "state": "redacted", "placeholder": "A correction was shipped"}
PAGE = """\
# apps/worker 2.1.0

Released 2026-11-30 · stream stable, release line 2, channel general

## Security

- **Breaking: Rotate keys** — Old keys leak

  Impact: major. Audiences: operators, end-users.

  Migration: First stop it.

  1\\. Then start it.

## Reliability

- **Resume settlement jobs interrupted during shutdown** — Avoid manual recovery when deployments interrupt long jobs

  Impact: patch. Audiences: operators.

## Redacted

- A correction was shipped

## Amendments

- **2026-12-01** — Another audience
"""


def shown(*entries: dict[str, Any], **changes: object) -> dict[str, Any]:
    found = changelog.read(write(ledger(*entries, **changes)))
    assert isinstance(found, Changelog), found
    return pages.document(found, str)


def forms(told: dict[str, Any]) -> tuple[str, str, str]:
    page = pages.markdown(told)
    return page, plain(page), json.dumps(told, ensure_ascii=False)


def withheld(state: Mapping[str, object], name: str = "secret-fix") -> dict[str, Any]:
    return entry(
        id=name,
        type=f"{HIDDEN} type",
        summary=f"{HIDDEN} summary",
        rationale=f"{HIDDEN} rationale",
        migration=f"{HIDDEN} migration",
        audiences=[f"{HIDDEN} audience"],
        provenance={"changesets": ["secret-decision"], "issues": ["SECRET-1"]},
        disclosure=state,
    )


def test_a_page_has_a_section_for_each_type_and_major_changes_first() -> None:
    major = entry(
        id="rotate",
        type="security",
        summary="Rotate keys",
        rationale="Old keys leak",
        impact="major",
        audiences=["operators", "end-users"],
        migration="First stop it.\n\n1. Then start it.\n",
    )
    told = shown(entry(), withheld(REDACTION), major, amendments=[amendment()])
    assert pages.markdown(told) == PAGE


def test_a_ledger_that_is_not_released_or_has_no_entries_says_so() -> None:
    told = pages.markdown(shown(date=None, entries=[]))
    assert told.splitlines()[2:] == ["Not released · stream stable, release line 2, channel general", "", "No entries."]


@pytest.mark.requirement("IC-6.9", "IC-12.5")
@pytest.mark.parametrize("state", [EMBARGO, REDACTION], ids=["embargoed", "redacted"])
def test_what_is_withheld_is_in_no_form(state: dict[str, object]) -> None:
    linked = entry(
        relations={"reverts": ["secret-decision"], "supersedes": ["secret-fix", "older"]},
        provenance={"issues": ["A-1"], "changesets": ["open"], "decisions": ["secret-fix"]},
    )
    corrected = amendment(provenance={"changesets": ["secret-decision"], "issues": ["A-2"]})
    told = shown(withheld(state), linked, amendments=[corrected], note=HIDDEN)
    for form in forms(told):
        assert not any(word in form for word in (HIDDEN, "secret-", "SECRET-1", "2099"))
        assert ("A correction was shipped" in form) == (state is REDACTION)
    (public,) = (one for one in told["entries"] if "placeholder" not in one)
    assert public["relations"] == {"reverts": [], "supersedes": ["older"]}
    assert public["provenance"] == {"issues": ["A-1"], "changesets": ["open"]}
    assert told["amendments"][0]["provenance"] == {"issues": ["A-2"]}


@pytest.mark.requirement("IC-6.9", "IC-12.5")
@pytest.mark.parametrize("names", [{"id": "open"}, {"id": "renamed"}], ids=["as it was consumed", "renamed by an editor"])
@pytest.mark.parametrize("state", [EMBARGO, REDACTION], ids=["embargoed", "redacted"])
@pytest.mark.parametrize("named", ["secret-fix", "secret-decision"])
def test_a_public_entry_whose_changeset_cites_what_is_withheld_does_not_name_it(
    names: dict[str, str], state: dict[str, object], named: str
) -> None:
    citing = {"issues": ["A-1", named], "changesets": [named, "open"]}
    told = shown(withheld(state), entry(**names, relations={"reverts": [named], "supersedes": []}, provenance=citing))
    (public,) = (one for one in told["entries"] if "placeholder" not in one)
    assert public["provenance"] == {"issues": ["A-1"], "changesets": ["open"]}
    assert not any("secret-" in form for form in forms(told))


@pytest.mark.requirement("IC-6.9")
def test_elapsed_time_alone_makes_nothing_public() -> None:
    past = {**EMBARGO, "not-before": "2001-01-01", "policy": None}
    assert shown(withheld(past))["entries"] == []


def test_an_id_that_a_public_entry_tells_as_well_stays() -> None:
    told = shown(withheld(EMBARGO, "x"), entry(id="y", provenance={"changesets": ["secret-decision"]}))
    assert told["entries"][0]["provenance"] == {"changesets": ["secret-decision"]}


@pytest.mark.requirement("IC-12.5")
@pytest.mark.parametrize(
    "text",
    [
        "# A heading",
        "- an item\n- another",
        "<script>alert(1)</script>",
        "<!-- hidden -->",
        "![image](https://track.example/x.png)",
        "[words](https://elsewhere.example)",
        "https://elsewhere.example/path",
        "**bold** _it_ ~~gone~~",
        "| a | b |\n| - | - |",
        "```\ncode\n```",
        "> quoted",
        "closes #12, @somebody",
        "/close",
        "&lt;b&gt; &amp; 2 * 3 * 4",
        "a\n\n---\n\nb",
    ],
)
def test_marks_in_a_text_are_shown_and_do_nothing(text: str) -> None:
    told = shown(
        entry(summary=text, rationale=text, migration=text, type=text, audiences=[text]),
        withheld({**REDACTION, "placeholder": text}),
        amendments=[amendment(summary=text)],
        release=text,
        channel=text,
    )
    page = pages.markdown(told)
    kinds = [node.type for node in markdown.tree(page).walk()]
    assert kinds.count("heading") == 4
    assert {"link", "image", "html_block", "html_inline", "fence", "code_block", "hr", "table", "blockquote", "em"}.isdisjoint(
        kinds
    )
    assert "ordered_list" not in kinds
    assert kinds.count("bullet_list") == 3
    flat = [word for word in text.split() if word.isalnum()]
    assert all(word in plain(page) for word in flat)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1, max_size=60).filter(str.strip))
def test_no_text_becomes_another_block(text: str) -> None:
    told = shown(entry(summary=text, rationale=text, migration=text, audiences=[text]))
    root = markdown.tree(pages.markdown(told))
    assert [node.type for node in root.children] == ["heading", "paragraph", "heading", "bullet_list"]
    assert len(root.children[3].children) == 1
    assert {node.type for node in root.children[3].children[0].children} == {"paragraph"}


def test_every_text_is_cleaned_before_it_is_shown() -> None:
    found = changelog.read(write(ledger(entry(), withheld(REDACTION), amendments=[amendment()])))
    assert isinstance(found, Changelog)
    told = pages.document(found, lambda text: f"clean {text}")

    def texts(value: object) -> set[object]:
        if isinstance(value, dict):
            return set().union(*(texts(item) for item in value.values()))
        return set().union(*map(texts, value)) if isinstance(value, list) else {value}

    assert {str(text)[:6] for text in texts(told)} == {"clean ", "None"}
