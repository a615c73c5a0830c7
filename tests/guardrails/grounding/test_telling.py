"""Which commits an item tells is read from what it refers to and names; what none tells is put to the reviewer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from guardrails.evidence.model import Bundle
from guardrails.grounding.envelopes import telling
from tests.guardrails.grounding.enveloped import RELATIONS, drafted, itemized, single
from tests.guardrails.grounding.pointing import changed, codes, hunk
from tests.guardrails.resolving.building import bundle, commit, oid

COMMITS = (
    ("Lower the pool size (#12)", "src/pool.ts"),
    ("Export reports as CSV", "src/export.ts"),
    ("Mend the login page", "src/login.ts"),
)


def three() -> Bundle:
    """Three commits, each of one file."""
    return bundle(
        *(
            replace(commit(number, message), files=(changed(path, hunk(number, 1, 1, "+x"), number=number),))
            for number, (message, path) in enumerate(COMMITS, start=1)
        )
    )


def item(**fields: Any) -> dict[str, Any]:
    """An item that says nothing of any commit, but for these fields."""
    said: dict[str, Any] = {
        "title": "Something",
        "short_md": "Something is different",
        "medium_md": "It is.",
        "detail_md": None,
        "refs": [],
    }
    return {**said, "relations": RELATIONS, **fields}


ITEMS: tuple[tuple[str, dict[str, Any], list[int]], ...] = (
    ("a commit in its refs", item(refs=[{"path": "src/pool.ts", "sha": oid(1)[:7]}], detail_md="x"), [1]),
    ("a commit in a text", item(short_md=f"Something of commit {oid(2)[:9]} is different"), [2]),
    ("a number", item(relations={**RELATIONS, "request": "#12"}), [1]),
    ("the words of a subject", item(title="Reports can be exported as CSV"), [2]),
    ("a path that it changed", item(refs=[{"path": "src/login.ts"}], detail_md="x"), [3]),
    ("a path at the head of the range", item(refs=[{"path": "src/pool.ts", "sha": oid(3)[:7]}], detail_md="x"), [1]),
    ("two commits", item(title="Export of CSV reports", short_md=f"And commit {oid(3)[:7]}"), [2, 3]),
    ("nothing", item(), []),
)


@pytest.mark.requirement("DC-18")
@pytest.mark.parametrize(("fields", "expected"), [row[1:] for row in ITEMS], ids=[row[0] for row in ITEMS])
def test_an_item_tells_the_commits_that_it_names(fields: dict[str, Any], expected: list[int]) -> None:
    draft, citable = drafted(itemized(fields), three())
    assert [one.oid for one in telling.told_by(draft, citable.bundle)["items[0]"]] == [oid(number) for number in expected]


def test_a_single_change_tells_all() -> None:
    draft, citable = drafted(single(), three())
    assert telling.told_by(draft, citable.bundle) == {"change": citable.bundle.commits}


def untold(evidence: Bundle, *items: dict[str, Any]) -> list[str]:
    draft, citable = drafted(itemized(*items), evidence)
    return codes(telling.check(draft, (), citable))


def test_a_commit_that_no_item_tells_is_put_to_the_reviewer() -> None:
    evidence = three()
    told = [item(refs=[{"path": path}], detail_md="x") for _, path in COMMITS]
    assert untold(evidence, *told) == []
    assert untold(evidence, *told[:2]) == ["commit-untold"]
    bare = replace(commit(4, "Merge it", parents=2), files=())
    assert untold(replace(evidence, commits=(*evidence.commits, bare)), *told) == []


def test_what_cancels_out_need_not_be_told() -> None:
    first, second, third = three().commits
    revert = replace(third, message=f'Revert "{second.subject}"\n\nThis reverts commit {second.oid}.')
    told = item(refs=[{"path": "src/pool.ts"}], detail_md="x")
    assert untold(replace(three(), commits=(first, second, revert)), told) == []


def test_our_own_items_tell_what_coverage_says() -> None:
    draft, citable = drafted(itemized(item(), item()), three())
    covered = replace(draft, coverage={"C1": "0", "C2": "0, 1", "C3": "changes nothing"})
    told = telling.told_by(covered, citable.bundle)
    assert {path: [one.id for one in commits] for path, commits in told.items()} == {
        "items[0]": ["C1", "C2"],
        "items[1]": ["C2"],
    }
