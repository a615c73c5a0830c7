"""The kind and the relations that somebody gives are ones that the evidence of that change leaves open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.grounding.envelopes import allowing
from guardrails.resolving.rules import Rules, SubjectNumber
from tests.guardrails.grounding.enveloped import CHANGE, RELATIONS, drafted, itemized, single
from tests.guardrails.grounding.pointing import POOL, codes, told
from tests.guardrails.resolving.building import bundle, commit

MESSAGE = "Fix the size of the pool (#12)\n\nSame idea as in #56, and SHA-256 stays.\n\nFixes #7\nReported-by: @octocat"
RULES = Rules(subject_number=SubjectNumber.PULL_REQUEST)

RELATED: tuple[tuple[str, dict[str, str], list[str]], ...] = (
    ("nothing", {}, []),
    ("what is fixed, as ticket", {"ticket": "#7"}, []),
    ("the request of the subject", {"request": "#12"}, []),
    ("who is credited", {"reporter": "octocat"}, []),
    ("a number in prose, as ticket", {"ticket": "#56"}, ["relation-uncited"]),
    ("a word that looks like a key", {"ticket": "SHA-256"}, ["relation-uncited"]),
    ("the request, as ticket", {"ticket": "#12"}, ["relation-uncited"]),
    ("the ticket, as request", {"request": "#7"}, ["relation-uncited"]),
    ("another form", {"ticket": "acme/widgets#7"}, ["relation-uncited"]),
    ("an invention", {"ticket": "PROJ-412"}, ["relation-uncited"]),
    ("somebody else", {"reporter": "hubot"}, ["relation-uncited"]),
    ("two at once", {"request": "#13", "reporter": "ada"}, ["relation-uncited", "relation-uncited"]),
)


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize(("fields", "expected"), [row[1:] for row in RELATED], ids=[row[0] for row in RELATED])
def test_a_relation_is_cited_as_such(fields: dict[str, str], expected: list[str]) -> None:
    draft, citable = drafted(single(kind="bug_fix", relations={**RELATIONS, **fields}), told(POOL, message=MESSAGE))
    assert codes(allowing.check(draft, citable.bundle, RULES)) == expected


KINDS: tuple[tuple[str, str, list[str]], ...] = (
    ("fix(db): lower the pool size", "bug_fix", []),
    ("fix(db): lower the pool size", "feature", ["kind-unsupported"]),
    ("fix(db): lower the pool size", "docs", ["kind-unsupported"]),
    ("feat(db): lower the pool size", "security", ["kind-unsupported"]),
    ("feat(db)!: lower the pool size", "breaking", []),
    ("feat(db): lower the pool size", "breaking", ["kind-unsupported"]),
)


@pytest.mark.requirement("DC-02")
@pytest.mark.parametrize(("message", "kind", "expected"), KINDS, ids=[f"{row[0]}: {row[1]}" for row in KINDS])
def test_a_kind_is_one_that_the_evidence_leaves_open(message: str, kind: str, expected: list[str]) -> None:
    draft, citable = drafted(single(kind=kind), told(POOL, message=message))
    assert codes(allowing.check(draft, citable.bundle, Rules())) == expected


def test_an_item_is_held_against_its_own_commits() -> None:
    fix = replace(commit(1, "fix: mend the pool"), files=(POOL,))
    docs = replace(commit(2, "docs: tell of reports"), files=(replace(POOL, id="F2", path="docs/reports.md", hunks=()),))
    pool = {"kind": "bug_fix", "title": "Mend the pool", "refs": [{"path": "src/db/pool.ts", "sha": fix.oid[:8]}]}
    page = {"kind": "docs", "title": "Tell of reports", "refs": [{"path": "docs/reports.md", "sha": docs.oid[:8]}]}
    draft, citable = drafted(itemized(pool, page), bundle(fix, docs))
    assert codes(allowing.check(draft, citable.bundle, Rules())) == []
    swapped, _ = drafted(itemized({**pool, "kind": "docs"}, {**page, "kind": "bug_fix"}), bundle(fix, docs))
    found = tuple(allowing.check(swapped, citable.bundle, Rules()))
    assert {(one.code, one.where) for one in found} == {
        ("kind-unsupported", "items[0].kind"),
        ("kind-unsupported", "items[1].kind"),
    }


def test_an_item_whose_words_sound_like_another_commit_too_is_held_against_the_one_that_it_names() -> None:
    fix = replace(commit(1, "fix: mend the pool of reports"), files=(POOL,))
    docs = replace(
        commit(2, "docs: tell of the pool of reports"), files=(replace(POOL, id="F2", path="docs/pool.md", hunks=()),)
    )
    page = {"kind": "docs", "title": "Tell of the pool of reports", "refs": [{"path": "docs/pool.md", "sha": docs.oid[:8]}]}
    draft, citable = drafted(itemized(page), bundle(fix, docs))
    assert codes(allowing.check(draft, citable.bundle, Rules())) == []


def test_a_relation_may_be_cited_by_one_of_the_commits_that_an_item_sounds_like() -> None:
    one = replace(commit(1, "fix: mend the pool of reports\n\nFixes #7"), files=(POOL,))
    other = replace(
        commit(2, "fix: mend the pool of reports again (#7)"), files=(replace(POOL, id="F2", path="b.ts", hunks=()),)
    )
    item = {"kind": "bug_fix", "title": "Mend the pool of reports", "refs": [{"path": "src/db/pool.ts", "sha": one.oid[:8]}]}
    for relations, expected in (({"ticket": "#7"}, []), ({"ticket": "#8"}, ["relation-uncited"])):
        draft, citable = drafted(itemized({**item, "relations": {**RELATIONS, **relations}}), bundle(one, other))
        assert codes(allowing.check(draft, citable.bundle, RULES)) == expected


def test_an_unknown_word_is_another_rule_s_matter() -> None:
    draft, citable = drafted(single(kind="fix", relations=CHANGE["relations"]), told(POOL))
    assert codes(allowing.check(draft, citable.bundle, Rules())) == []
