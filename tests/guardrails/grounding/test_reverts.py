"""A revert names what it takes back, says that it does, and tells what holds now."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.grounding.envelopes import reverts
from guardrails.grounding.envelopes.reverts import TakenBack, taken_back
from tests.guardrails.grounding.pointing import codes
from tests.guardrails.resolving.building import commit, oid

SUBJECT = "Increase the connection-pool size to 40 (#1471)"
REFERENCED = {oid(9): replace(commit(9, SUBJECT), oid=oid(9))}
GIT = f'Revert "{SUBJECT}"\n\nThis reverts commit {oid(9)}.\n\nIt exhausted database connections under load.'
SEED = {
    "title": "Revert the connection-pool size increase",
    "short_md": "Reverts the pool-size change from #1471, which exhausted database connections under load",
    "medium_md": "A change to how many database connections the service keeps open was rolled back after it caused errors.",
    "detail_md": (
        f"## What changed\n\nThis reverts commit `{oid(9)[:7]}` (#1471), restoring the pool size to its previous value.\n\n"
        "- `src/db/pool.ts:22` — `maxConnections` returns to 10 from 40.\n\n"
        "## Why\n\nThe increased connection-pool size of 40 exhausted the database under load."
    ),
}
TOLD: tuple[tuple[str, dict[str, str], list[str]], ...] = (
    ("the seed's example", {}, []),
    ("the request alone", {"detail_md": "- `a:1` — rolled back"}, []),
    ("the commit alone", {"short_md": f"Reverts {oid(9)[:10]}", "detail_md": ""}, []),
    ("its words alone", {"short_md": "The larger connection-pool size of 40 is undone", "detail_md": ""}, []),
    ("as if it were a change", {"title": "Lower the pool size", "short_md": "The pool is smaller"}, ["revert-unsaid"]),
    ("without a name", {"title": "Revert it", "short_md": "Reverts a change", "detail_md": ""}, ["revert-unnamed"]),
    ("in effect, in a text", {"medium_md": "The connection-pool size increases to 40."}, ["reverted-in-effect"]),
    (
        "in effect, on a page",
        {"detail_md": f"## What changed\n\n- `a:1` — the connection-pool size increases to 40 ({oid(9)[:7]})."},
        ["reverted-in-effect"],
    ),
    ("told as past", {"medium_md": "The increase of the connection-pool size to 40 was too much."}, []),
)


@pytest.mark.requirement("DC-23")
@pytest.mark.parametrize(("changed", "expected"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_a_revert_is_told_as_one(changed: dict[str, str], expected: list[str]) -> None:
    undone = taken_back(GIT, REFERENCED)
    assert undone is not None
    assert codes(reverts.check("change", {**SEED, **changed}, (undone,))) == expected


NONE: frozenset[str] = frozenset()
MESSAGES: tuple[tuple[str, str, TakenBack | None], ...] = (
    ("git", GIT, TakenBack(SUBJECT, again=False, objects=(oid(9),), numbers=frozenset({"#1471"}))),
    ("a subject alone", 'Revert "Add it" (#9)', TakenBack("Add it", again=False, objects=(), numbers=NONE)),
    ("a header inside", 'Revert "feat(db): add it"', TakenBack("add it", again=False, objects=(), numbers=NONE)),
    ("a type", "revert(db): add it", TakenBack("add it", again=False, objects=(), numbers=NONE)),
    ("a revert of a revert", 'Revert "Revert "Add it""', TakenBack("Add it", again=True, objects=(), numbers=NONE)),
    ("reapplied", 'Reapply "Add it"', TakenBack("Add it", again=True, objects=(), numbers=NONE)),
    ("three times", 'Revert "Reapply "Add it""', TakenBack("Add it", again=False, objects=(), numbers=NONE)),
    (
        "words of its own",
        f"Use the old pool again\n\nThis reverts commit {oid(9)[:8]}.",
        TakenBack(SUBJECT, again=False, objects=(oid(9)[:8],), numbers=frozenset({"#1471"})),
    ),
    (
        "a commit that nobody knows",
        "Go back\n\nThis reverts commit 1234567.",
        TakenBack("", again=False, objects=("1234567",), numbers=NONE),
    ),
    ("a way back that is no revert", "Revert to the old pool size", None),
    ("another change", "Add it", None),
)


@pytest.mark.parametrize(("message", "expected"), [row[1:] for row in MESSAGES], ids=[row[0] for row in MESSAGES])
def test_what_is_taken_back_is_read_from_the_message(message: str, expected: TakenBack | None) -> None:
    assert taken_back(message, REFERENCED) == expected


AGAIN: tuple[tuple[str, str, list[str]], ...] = (
    ("said", "Adds the export of reports again", []),
    ("not said", "Adds the export of reports", ["revert-unsaid"]),
)


@pytest.mark.requirement("DC-23")
@pytest.mark.parametrize(("short", "expected"), [row[1:] for row in AGAIN], ids=[row[0] for row in AGAIN])
def test_what_is_in_effect_once_more_is_told_so(short: str, expected: list[str]) -> None:
    undone = taken_back('Revert "Revert "Add the export of reports""', {})
    assert undone is not None
    texts = {"title": "Add the export of reports", "short_md": short}
    assert codes(reverts.check("change", texts, (undone,))) == expected


@given(st.text(alphabet='Rrevert"“Apply:() \n#1', max_size=60))
def test_any_message_is_read(message: str) -> None:
    taken_back(message, REFERENCED)
