"""Clauses about facts: what is there, what is not, and when nobody can tell."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from guardrails.code_facts.model import ALL, Blind, Kind, Reading
from guardrails.code_facts.providers import PROVIDERS
from guardrails.contracts import coverage, facts
from guardrails.contracts.clauses import FactRule, Selector
from guardrails.contracts.coverage import Side
from guardrails.contracts.inventory import Category, Entry, Snapshot, is_excluded
from guardrails.contracts.results import Result, Status


def snapshot(texts: dict[str, str], opaque: dict[str, str] | None = None, unread: tuple[str, ...] = ()) -> Snapshot:
    """A snapshot of texts; `opaque` are links by their targets, or other repositories where that is empty."""
    entries = {path: Entry(path, "", 0, "100644", Category.SOURCE) for path in (*texts, *unread)}
    for path, target in (opaque or {}).items():
        entries[path] = Entry(path, "", 0, "120000" if target else "160000", Category.OPAQUE)
    links = {path: target for path, target in (opaque or {}).items() if target}
    return Snapshot({path: entries[path] for path in sorted(entries)}, texts, undecodable=frozenset(unread), links=links)


def side(texts: dict[str, str], opaque: dict[str, str] | None = None, unread: tuple[str, ...] = ()) -> Side:
    return coverage.read(snapshot(texts, opaque, unread), PROVIDERS)


def rule(**match: object) -> FactRule:
    return FactRule.model_validate({"id": "k", "match": match})


def absent(head: Side, **match: object) -> Status:
    """What forbidding something comes to that is not there."""
    return facts.forbids(rule(**match), head).status


SYMBOL = {"kind": "symbol", "name": "g"}
A = {"a.ts": "function f() {}"}
NOT_NAMED = [
    (side(A), Status.PASS),
    (side(A, unread=("b.ts",)), Status.UNKNOWN),
    (side(A, unread=("b.bin",)), Status.PASS),
    (side(A, unread=("node_modules/b.ts",)), Status.PASS),
    (side(A, {"vendor": ""}), Status.UNKNOWN),
    (side(A, {"b.ts": "a.ts"}), Status.PASS),
    (side({"src/a.ts": ""}, {"lib/src": "../src/"}), Status.PASS),
    (side(A, {"b.ts": "../outside.ts"}), Status.UNKNOWN),
    (side(A, {"lib": "/usr/lib"}), Status.UNKNOWN),
    (side(A, {"b.ts": "nowhere.ts"}), Status.UNKNOWN),
    (side(A, {"b.md": "../README.md"}), Status.PASS),
    (side({**A, "b.vue": ""}), Status.UNKNOWN),
    (side({**A, "x.unknown": "", "Makefile": ""}), Status.PASS),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("head", "expected"), NOT_NAMED)
def test_absence_anywhere_is_known_only_where_all_was_read(head: Side, expected: Status) -> None:
    assert absent(head, **SYMBOL) is expected


NAMED = [
    ("a.ts", side(A), Status.PASS),
    ("a.ts", side(A, {"vendor": ""}, ("b.ts",)), Status.PASS),
    ("a.ts", side({}), Status.PASS),
    ("a.java", side(A), Status.UNKNOWN),
    ("a.java", side({"a.java": ""}), Status.UNKNOWN),
    ("dist/a.ts", side(A), Status.UNKNOWN),
    ("b.ts", side(A, unread=("b.ts",)), Status.UNKNOWN),
    ("b.ts", side(A, {"b.ts": "a.ts"}), Status.UNKNOWN),
    ("lib/b.ts", side(A, {"lib": "."}), Status.UNKNOWN),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("file", "head", "expected"), NAMED)
def test_absence_in_one_file_is_known_where_that_was_read(file: str, head: Side, expected: Status) -> None:
    assert absent(head, **SYMBOL, file=file) is expected


@pytest.mark.requirement("CC-13")
def test_what_is_unread_is_told_by_file_and_kind() -> None:
    head = side({"a.ts": "function (", "b.java": ""}, {"sub": ""}, ("c.py",))
    assert facts.forbids(rule(**SYMBOL), head).details == (
        "a.ts:1: the file is not source that its grammar knows",
        "b.java: nobody reads symbol facts of Java",
        "c.py: the file is not text in UTF-8",
        "sub: what lies behind a link or in another repository is not read",
    )


class Lame:
    """A provider that reads imports alone, and fails at the configuration of the snapshot."""

    name, version, suffixes, kinds = "lame", "1", (".lame",), frozenset({Kind.IMPORT})

    def read(self, files: Mapping[str, str], wanted: frozenset[Kind] = ALL) -> Reading:
        return Reading(blind=(Blind(frozenset({Kind.IMPORT}), None, "its configuration failed"),))


@pytest.mark.requirement("CC-13")
def test_a_kind_that_a_provider_does_not_read_is_a_gap() -> None:
    head = coverage.read(snapshot({"a.lame": ""}), [Lame()])
    assert absent(head, kind="symbol", name="g", file="a.lame") is Status.UNKNOWN
    assert absent(head, kind="symbol", name="g") is Status.UNKNOWN


@pytest.mark.requirement("CC-13")
def test_a_failure_of_configuration_voids_what_is_there() -> None:
    broken = side({"tsconfig.json": "{", "a.ts": "import './b'", "b.ts": ""})
    wanted = rule(kind="dependency", file="a.ts", to="b.ts")
    for told in (facts.requires(wanted, broken), facts.forbids(wanted, broken)):
        assert (told.status, told.finding, len(told.facts)) == (Status.UNKNOWN, "undecided", 1)
    assert facts.preserves(wanted, broken, broken).status is Status.UNKNOWN


GENERATED = {"shop/tsconfig.json": '{"extends": "./.nuxt/tsconfig.json"}', "shop/a.ts": "import '../lib/b'"}
GOVERNED = [
    ({"file": "lib/a.ts", "to": "lib/b.ts"}, Status.PASS),
    ({"from": "lib/a.ts", "to": "lib/b.ts"}, Status.PASS),
    ({"file": "shopping/a.ts", "to": "lib/b.ts"}, Status.PASS),
    ({"file": "shop/a.ts", "to": "lib/b.ts"}, Status.UNKNOWN),
    ({"file": "lib/c.ts", "to": "lib/b.ts"}, Status.UNKNOWN),
    ({"to": "lib/b.ts"}, Status.UNKNOWN),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("match", "expected"), GOVERNED)
def test_a_configuration_of_a_folder_fails_for_what_it_governs_and_what_leads_there(
    match: dict[str, str], expected: Status
) -> None:
    own = {"lib/a.ts": "import './b'", "lib/b.ts": "", "lib/c.ts": "import '../shop/a'", "shopping/a.ts": "import '../lib/b'"}
    assert facts.requires(rule(kind="dependency", **match), side({**GENERATED, **own})).status is expected


TEXT = "import { x } from './b.js';\nexport function f(a: string): void { g(1) }\nfunction g() {}"
HEAD = side({"a.ts": TEXT, "b.ts": "import './c.js'; export const x = 1", "c.ts": ""})
MATCHING = [
    ({"kind": "symbol"}, 3),
    ({"kind": "symbol", "file": "a.ts"}, 2),
    ({"kind": "symbol", "file": "a.ts", "name": "f"}, 1),
    ({"kind": "symbol", "file": "b.ts", "name": "f"}, 0),
    ({"kind": "symbol", "name": "F"}, 0),
    ({"kind": "symbol", "name": "f*"}, 0),
    ({"kind": "symbol", "file": "*.ts"}, 0),
    ({"kind": "import", "to": "./b.js"}, 1),
    ({"kind": "call-site", "from": "a.ts#f", "to": "g"}, 1),
    ({"kind": "call-site", "from": "a.ts", "to": "g"}, 0),
    ({"kind": "resolved-call", "to": "a.ts#g"}, 1),
    ({"kind": "api", "name": "f"}, 1),
    ({"kind": "dependency"}, 3),
    ({"kind": "dependency", "from": "a.ts"}, 2),
    ({"kind": "dependency", "to": "c.ts"}, 2),
    ({"kind": "dependency", "name": "c.ts", "file": "a.ts"}, 1),
    ({"kind": "dependency", "to": "c.ts", "typeOnly": True}, 0),
    ({"kind": "dependency", "to": "c.ts", "typeOnly": False}, 2),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("match", "count"), MATCHING)
def test_a_selector_means_facts_that_are_equal_in_all_it_gives(match: dict[str, object], count: int) -> None:
    found = HEAD.matching(Selector.model_validate(match))
    assert len(found) == count
    assert [fact.id for fact in found] == sorted(fact.id for fact in found)


@pytest.mark.requirement("CC-13")
def test_a_required_fact_may_be_old_and_is_told() -> None:
    told = facts.requires(rule(kind="symbol", name="f"), HEAD)
    assert (told.status, [fact.name for fact in told.facts]) == (Status.PASS, ["f"])
    missing = facts.requires(rule(kind="symbol", name="nowhere"), HEAD)
    assert (missing.status, missing.finding) == (Status.INCOMPLETE, "required-fact-missing")


@pytest.mark.requirement("CC-13")
def test_a_forbidden_fact_is_told_with_its_places() -> None:
    told = facts.forbids(rule(kind="call-site", to="g"), HEAD)
    assert (told.status, told.finding) == (Status.DRIFT, "forbidden-fact-present")
    assert told.details == ("a.ts:2 a.ts#f -> g",)


@pytest.mark.requirement("CC-13")
def test_a_forbidden_dependency_is_told_with_its_whole_way() -> None:
    told = facts.forbids(rule(kind="dependency", file="a.ts", to="c.ts"), HEAD)
    assert told.details == ("a.ts -> b.ts -> c.ts",)
    outside = facts.forbids(rule(kind="dependency", to="external:x"), side({"a.py": "import x"}))
    assert outside.details == ("a.py:1 -> external:x",)


PRESERVED: list[tuple[dict[str, str], dict[str, str], Status, str]] = [
    ({"a.ts": "function f() {}"}, {"a.ts": "/* c */ function f() {\n};"}, Status.PASS, ""),
    ({"a.ts": "function f() {}"}, {"a.ts": "function f() {} function h() {}"}, Status.PASS, ""),
    ({"a.ts": "function f() {}"}, {"a.ts": "function f() { 1 }"}, Status.DRIFT, "preserve-violated"),
    ({"a.ts": "function f() {}"}, {"a.ts": "function h() {}"}, Status.DRIFT, "preserve-violated"),
    ({"a.ts": "function f() {}"}, {"b.ts": "function f() {}"}, Status.DRIFT, "preserve-violated"),
    ({"a.ts": ""}, {"a.ts": "function f() {}"}, Status.UNKNOWN, "undecided"),
    ({"a.ts": "function ("}, {"a.ts": "function f() {}"}, Status.UNKNOWN, "undecided"),
    ({"a.ts": "function f() {}"}, {"a.ts": "function ("}, Status.UNKNOWN, "undecided"),
    ({"a.ts": "function f() {}", "x.java": ""}, {"a.ts": "function f() {}"}, Status.UNKNOWN, "undecided"),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("base", "head", "status", "finding"), PRESERVED)
def test_what_is_preserved_stays_in_id_and_fingerprint(
    base: dict[str, str], head: dict[str, str], status: Status, finding: str
) -> None:
    told = facts.preserves(rule(kind="symbol"), side(base), side(head))
    assert (told.status, told.finding) == (status, finding)


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(
    ("base", "message"),
    [({"a.ts": ""}, "no symbol called f was there before"), ({"a.rb": ""}, "none found before, and not everything was read")],
)
def test_nothing_is_said_to_be_missing_before_where_it_was_not_read(base: dict[str, str], message: str) -> None:
    assert facts.preserves(rule(kind="symbol", name="f"), side(base), side(base)).message == message


def test_what_changed_is_told_even_where_not_all_was_read() -> None:
    base, head = side({"a.ts": "function f() {}"}), side({"a.ts": "function f() { 1 }", "b.java": ""})
    told: Result = facts.preserves(rule(kind="symbol"), base, head)
    assert told.details == ("changed a.ts:1 f", "after: b.java: nobody reads symbol facts of Java")


def test_long_lists_are_cut_and_counted() -> None:
    head = side({"a.ts": "\n".join(f"f({n})" for n in range(30))})
    details = facts.forbids(rule(kind="call-site", to="f"), head).details
    assert (len(details), details[-1]) == (21, "and 10 more")


def test_more_dependencies_than_the_limit_are_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "MAX_DEPENDENCIES", 2)
    ring = side({f"{n}.ts": f"import './{(n + 1) % 4}.js'" for n in range(4)})
    assert absent(ring, kind="dependency", to="elsewhere.ts") is Status.PASS
    assert facts.preserves(rule(kind="dependency"), ring, ring).status is Status.UNKNOWN


DEFINED = [
    ({"a.test.ts": "import { it } from 'vitest'; it('a', () => {})"}, "a.test.ts", Status.PASS),
    ({"a.test.ts": "import { it } from 'vitest'; it('a', () => {})"}, None, Status.PASS),
    ({"a.test.ts": "import { it } from 'vitest'; it('b', () => {})"}, None, Status.INCOMPLETE),
    ({"a.test.ts": "import { it } from 'vitest'; it(a, () => {})"}, None, Status.UNKNOWN),
    ({"pytest.ini": "[", "test_a.py": "def a(): ..."}, None, Status.UNKNOWN),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("texts", "file", "status"), DEFINED)
def test_a_definition_is_there_missing_or_not_known(texts: dict[str, str], file: str | None, status: Status) -> None:
    told = facts.defined("a", file, side(texts))
    assert told.status is status
    assert "'a'" in told.message


def test_what_is_made_or_fetched_is_known_by_any_part_of_its_path() -> None:
    assert all(map(is_excluded, ("dist/a", "a/node_modules/b", "build", ".git/x")))
    assert not any(map(is_excluded, ("distribution/a", "a.build", "src/dist.ts")))
