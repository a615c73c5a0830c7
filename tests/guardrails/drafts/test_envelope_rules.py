"""Every rule of the contract that needs no evidence: one envelope that keeps it, one that breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from guardrails.drafts.envelope import read
from guardrails.drafts.envelope_rules import validate
from guardrails.findings import Severity, blocking
from tests.guardrails.drafts.envelopes import GONE, HONEST, SEED, changed, envelope, judged, places, single


@pytest.mark.parametrize("name", SEED)
def test_the_examples_of_the_contract_hold(name: str) -> None:
    assert judged(SEED[name]) == ()


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_an_honest_envelope_is_not_refused(path: Any) -> None:
    found = read(path.read_bytes())
    assert not isinstance(found, tuple)
    assert blocking(validate(found)) == ()


ITEMS = SEED["itemized"]["items"]
DEGRADED = {**SEED["single"]["change"], "detail_md": None, "refs": []}
A_CHANGE = "change"

BROKEN: list[tuple[Any, str, str, str]] = [
    ("DC-02", single("kind", new="Feature"), "kind-outside-seven", "change.kind"),
    ("DC-02", single("kind", new="bugfix"), "kind-outside-seven", "change.kind"),
    ("DC-02", single("kind", new="features"), "kind-outside-seven", "change.kind"),
    ("DC-02", single("kind", new="feature "), "kind-outside-seven", "change.kind"),
    ("DC-03", single("title", new="A" * 80), "title-too-long", "change.title"),
    ("DC-03", single("title", new="feature/watermark"), "title-branch-name", "change.title"),
    ("DC-03", single("title", new="add a watermark"), "title-case", "change.title"),
    ("DC-04", single("short_md", new="x" * 141), "short-too-long", "change.short_md"),
    ("DC-04", single("short_md", new="Shows *only* new entries"), "markup-not-allowed", "change.short_md"),
    ("DC-05", single("medium_md", new="One.\n\nTwo."), "medium-not-one-paragraph", "change.medium_md"),
    ("DC-05", single("medium_md", new="See src/server/release/query.ts first."), "medium-path", "change.medium_md"),
    ("DC-05", single("medium_md", new="It calls load_entries() less."), "medium-symbol", "change.medium_md"),
    ("DC-05", single("medium_md", new="It calls `load` less."), "medium-code", "change.medium_md"),
    ("DC-05", single("medium_md", new=None), "medium-missing", "change.medium_md"),
    ("DC-06", single("detail_md", new="## What changed\n\n<b>All</b>"), "markup-not-allowed", "change.detail_md"),
    ("DC-06", single("detail_md", new="   "), "text-blank", "change.detail_md"),
    ("DC-08", single("relations", "ticket", new=""), "relation-not-citable", "change.relations.ticket"),
    ("DC-08", single("relations", "ticket", new="none"), "relation-not-citable", "change.relations.ticket"),
    ("DC-08", single("relations", "request", new="N/A"), "relation-not-citable", "change.relations.request"),
    ("DC-08", single("relations", "reporter", new="Jared G"), "relation-not-citable", "change.relations.reporter"),
    ("DC-09", single("refs", 0, "path", new="/src/a.ts"), "ref-path", "change.refs[0].path"),
    ("DC-09", single("refs", 0, "path", new="src\\a.ts"), "ref-path", "change.refs[0].path"),
    ("DC-10", single("refs", 0, "range", new="78-41"), "ref-range", "change.refs[0].range"),
    ("DC-11", single("refs", 0, "sha", new="9F2C1AB"), "ref-sha", "change.refs[0].sha"),
    ("DC-11", single("refs", 0, "sha", new=GONE), "ref-without-sha", "change.refs[0]"),
    ("DC-12", single("refs", 0, "note", new="It reads. It closes."), "note-not-one-clause", "change.refs[0].note"),
    ("DC-14", changed(SEED["single"], ("operation", "type"), "merge"), "operation-type-unknown", "operation.type"),
    ("DC-14", changed(SEED["single"], ("operation", "id"), " "), "text-blank", "operation.id"),
    ("DC-14", changed(SEED["single"], ("operation", "repository"), ""), "text-blank", "operation.repository"),
    ("DC-15", changed(SEED["itemized"], ("summary", "medium_md"), None), "medium-missing", "summary.medium_md"),
    ("DC-15", changed(SEED["itemized"], ("items", 4, "kind"), "none"), "kind-outside-seven", "items[4].kind"),
    (
        "DC-16",
        changed(SEED["itemized"], ("summary", "short_md"), "CSV export, and better filters"),
        "danger-unsaid",
        "summary.short_md",
    ),
    (
        "DC-16",
        changed(SEED["itemized"], ("summary", "short_md"), "Ten changes, one of them breaking"),
        "count-differs",
        "summary.short_md",
    ),
    ("DC-17", changed(SEED["itemized"], ("items",), [*ITEMS[1:], ITEMS[0]]), "items-out-of-order", "items[8].kind"),
    (
        "DC-21",
        changed(SEED["single"], ("change",), {**DEGRADED, "refs": SEED["single"]["change"]["refs"]}),
        "refs-without-detail",
        "change.refs",
    ),
    ("DC-22", single("detail_md", new="See the diff"), "placeholder-text", "change.detail_md"),
    ("DC-22", single("title", new="<commit message>"), "placeholder-text", "change.title"),
    ("DC-22", single("refs", 0, "note", new="…"), "text-blank", "change.refs[0].note"),
    ("DC-24", single("kind", new="chore"), "kind-outside-seven", "change.kind"),
    ("DC-24", single("short_md", new="x" * 141), "short-too-long", "change.short_md"),
    ("DC-24", single("refs", new=[]), "detail-without-refs", "change.detail_md"),
    ("DC-24", single("relations", "ticket", new=GONE), "relations-incomplete", "change.relations.ticket"),
    ("DC-24", single("refs", 0, "path", new=GONE), "range-without-path", "change.refs[0].path"),
]


@pytest.mark.parametrize(
    ("value", "code", "place"),
    [pytest.param(*case, marks=pytest.mark.requirement(rule), id=f"{rule}-{case[1]}-{case[2]}") for rule, *case in BROKEN],
)
def test_a_broken_rule_is_found_at_its_place(value: object, code: str, place: str) -> None:
    assert (code, place) in places(value)


HELD: list[tuple[str, Any]] = [
    *(("DC-02", single("kind", new=kind)) for kind in ("bug_fix", "improvement", "security", "ops", "docs", "breaking")),
    ("DC-03", single("title", new="A" + "b" * 78)),
    ("DC-04", single("short_md", new="Shows `only` new entries, 2 * 3 of them")),
    ("DC-05", single("medium_md", new="Opening the app shows what is new on Node.js, and/or in CI/CD.")),
    ("DC-06", single("detail_md", new="## What changed\n\n- `a.ts:1` — new\n\n```ts\nrun()\n```\n\n| a |\n| - |\n| b |")),
    ("DC-07", changed(SEED["single"], ("change",), DEGRADED)),
    ("DC-08", changed(SEED["single"], ("change", "relations"), dict.fromkeys(("ticket", "request", "reporter")))),
    ("DC-08", single("relations", "ticket", new="acme/other#7")),
    ("DC-08", single("relations", "request", new="https://example.com/acme/widgets/pull/1482")),
    ("DC-09", single("refs", 0, "path", new="docs/Größe (alt).md")),
    ("DC-10", single("refs", 0, "range", new="22")),
    ("DC-10", single("refs", 0, new={"path": "logo.png", "sha": "9f2c1ab", "note": "binary"})),
    ("DC-11", single("refs", 0, "sha", new="9f2c1ab" + "0" * 57)),
    ("DC-12", single("refs", 0, "note", new=GONE)),
    ("DC-13", single("refs", 0, "note", new="removed")),
    ("DC-14", changed(SEED["single"], ("operation",), {"type": "commit", "id": "4d1e7c0", "repository": "widgets"})),
    ("DC-16", changed(SEED["itemized"], ("summary", "short_md"), "CSV export; the v1 report endpoint is removed")),
    ("DC-21", changed(SEED["single"], ("change",), {**DEGRADED, "medium_md": None})),
    ("DC-22", single("medium_md", new="The diff of two releases can be seen side by side.")),
]


@pytest.mark.parametrize(
    "value",
    [pytest.param(value, marks=pytest.mark.requirement(rule), id=f"{rule}-{n}") for n, (rule, value) in enumerate(HELD)],
)
def test_a_kept_rule_is_no_finding(value: object) -> None:
    assert judged(value) == ()


def test_a_degraded_summary_may_be_silent_where_every_item_is() -> None:
    value = changed(SEED["itemized"], ("summary", "medium_md"), None)
    for item in value["items"]:
        item.update(medium_md=None, detail_md=None, refs=[])
    assert judged(value) == ()


@pytest.mark.requirement("DC-17")
def test_items_of_one_rank_stand_in_any_order() -> None:
    items = [{**ITEMS[0], "kind": "security"}, *ITEMS[:0:-1]]
    value = changed(changed(SEED["itemized"], ("items",), items), ("summary", "short_md"), "One security fix, and more")
    assert judged(value) == ()


def test_findings_name_items_by_their_keys_where_they_have_some() -> None:
    value = envelope(changed(SEED["itemized"], ("items", 1, "title"), "add CSV export"))
    keys = [f"{number:07x}" for number in range(9)]
    assert [finding.where for finding in validate(value, keys)] == ["items[0000001].title"]


def test_one_fault_hides_no_other_and_all_stand_in_the_order_of_the_fields() -> None:
    value = single("kind", new="chore")
    value["change"].update(title="add it", short_md="x" * 141, refs=[], medium_md="- a")
    value["change"]["relations"]["reporter"] = "-"
    found = judged(value)
    assert [finding.where.removeprefix("change.") for finding in found] == [
        "kind",
        "title",
        "short_md",
        "medium_md",
        "detail_md",
        "relations.reporter",
    ]
    assert {finding.severity for finding in found} == {Severity.ERROR}
