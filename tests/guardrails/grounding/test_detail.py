"""Claims on a page of detail stand beside a changed path; background, labels and denials need none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.evidence.references import place_of
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import detail
from guardrails.grounding.envelopes.pages import is_pointed, passages
from guardrails.grounding.envelopes.places import Places
from tests.guardrails.grounding.pointing import LOGO, POOL, codes, small, told
from tests.redacting import redacted

EVIDENCE = redacted(small())
PLACES = Places.of(EVIDENCE.bundle)
CITABLE = Citable.of(EVIDENCE, None)
PAGES: tuple[tuple[str, str, list[str]], ...] = (
    ("an item with its place", "## What changed\n\n- `src/db/pool.ts:22` — fewer connections.", []),
    ("a place behind the claim", "## What changed\n\n- Fewer connections (`src/db/pool.ts:22`).", []),
    ("a path without lines", "## What changed\n\n- `logo.png` — a new logo.", []),
    ("the end of a path", "## What changed\n\n- `pool.ts:22` — fewer connections.", []),
    ("as a forge links lines", "## What changed\n\n- `src/db/pool.ts#L22-L23` — fewer connections.", []),
    ("a paragraph with its place", "## What changed\n\nIt keeps 10 connections (`src/db/pool.ts:22`).", []),
    ("an item within an item", "## What changed\n\n- The pool is smaller\n  - `src/db/pool.ts:22` — it keeps 10.", []),
    ("a second paragraph of an item", "## What changed\n\n- `src/db/pool.ts:22` — it keeps 10.\n\n  Others wait.", []),
    ("reasons", "## Why\n\nThe pool was too large.\n\n- It was\n- It really was", []),
    ("what stays open", "## What stays open\n\n- Nobody knows the right size", []),
    ("a label", "## What changed\n\nThe pool:\n\n- `src/db/pool.ts:22` — fewer connections.\n- Pool:\n", []),
    ("a denial", "## What changed\n\n- `logo.png` — new.\n\n## Tests\n\nNo tests were added.", []),
    ("code", "## What changed\n\n- `logo.png` — new.\n\n## Usage\n\n```\nopen the pool now\n```", []),
    ("a path that the change only names", "## What changed\n\n- `logo.png` — new, as in `docs/logo.md`.", []),
    ("an item without a place", "## What changed\n\n- `logo.png` — new.\n- The pool is smaller.", ["claim-without-ref"]),
    ("a place that is none", "## What changed\n\n- `logo.png` — new.\n- `maxConnections` is 10.", ["claim-without-ref"]),
    ("a section without a place", "## What changed\n\nThe pool is smaller.", ["claim-without-ref"]),
    ("no heading and no place", "The pool is smaller.\n\nIt keeps less.", ["claim-without-ref"]),
    ("a paragraph beside others", "## A\n\n- `logo.png` — new.\n\nThe pool is smaller.", ["paragraph-without-ref"]),
    ("an introduction", "The pool is smaller.\n\n## A\n\n- `logo.png` — new.", ["paragraph-without-ref"]),
    ("a table", "## A\n\n| place | claim |\n| --- | --- |\n| `logo.png` | the new logo |", []),
    ("an unknown place", "## A\n\n- `logo.png` — new, see `src/gone.ts:3`.", ["ref-path-unchanged"]),
    ("lines that are not shown", "## A\n\n- `src/db/pool.ts:900` — new.", ["ref-range-outside"]),
    ("a removed file as if it were there", "## A\n\n- `src/old.ts:1` — adds numbers.", ["removal-unsaid"]),
)


@pytest.mark.requirement("DC-06")
@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in PAGES], ids=[row[0] for row in PAGES])
def test_claims_stand_beside_changed_paths(text: str, expected: list[str]) -> None:
    assert codes(detail.check("change.detail_md", text, PLACES, CITABLE)) == expected


def test_what_the_evidence_writes_like_a_place_is_none() -> None:
    text = "- `logo.png` — as `ghcr.io/acme/app:12` has it"
    assert codes(detail.check("d", text, PLACES, CITABLE)) == ["ref-path-unchanged"]
    shown = Citable.of(redacted(told(LOGO, message="Use ghcr.io/acme/app:12")), None)
    assert codes(detail.check("d", text, PLACES, shown)) == []


FORMS = (
    ("src/a.py:22", ("src/a.py", "22"), True),
    ("src/a.py:22-30", ("src/a.py", "22-30"), True),
    ("src/a.py#L22-L30", ("src/a.py", "22-30"), True),
    ("src/a b/c.txt:1", ("src/a b/c.txt", "1"), True),
    ("a.py", ("a.py", None), False),
    ("maxConnections", ("maxConnections", None), False),
    ("localhost:8080", ("localhost", "8080"), False),
    ("12:30", ("12", "30"), False),
    ("npm run test:1", ("npm run test", "1"), False),
    ("Dockerfile:2", ("Dockerfile", "2"), False),
)


@pytest.mark.parametrize(("span", "expected", "pointed"), FORMS, ids=[row[0] for row in FORMS])
def test_a_code_span_has_the_form_of_a_place_or_not(span: str, expected: tuple[str, str | None], pointed: bool) -> None:
    place = place_of(span)
    assert (place.path, place.range) == expected
    assert is_pointed(place) is pointed


BARE = (".travis.yml", "Dockerfile", "a file.txt")


@pytest.mark.parametrize("path", BARE)
def test_a_path_of_any_form_is_a_place_where_it_is_changed(path: str) -> None:
    evidence = redacted(told(replace(LOGO, path=path, content=POOL.content, hunks=POOL.hunks)))
    page = f"- `{path}:22` — the pool."
    assert codes(detail.check("d", page, Places.of(evidence.bundle), Citable.of(evidence, None))) == []
    assert codes(detail.check("d", page, PLACES, CITABLE)) == ["claim-without-ref"]


@settings(deadline=None)
@given(st.text(alphabet="-#`|> \n:aL1.9/*_", max_size=80))
def test_any_text_is_a_page(text: str) -> None:
    assert all(passage.text for passage in passages(text))
    assert {*codes(detail.check("d", text, PLACES, CITABLE))} <= {
        "claim-without-ref",
        "paragraph-without-ref",
        "ref-path-unchanged",
    }
