"""What a change may depend on newly (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.contracts import dependencies
from guardrails.contracts.inventory import Category, Entry, Snapshot, changes
from guardrails.contracts.results import Result, Status
from guardrails.contracts.schema import Contract, read
from guardrails.digests import sha256

pytestmark = pytest.mark.requirement("CC-08")


def contract(*allowed: str, schema: str = "0.3") -> Contract:
    text = f"schema: '0.3'\nchange: {{ name: t }}\nscope: {{ allow: ['**'] }}\ndependencies: {{ allow: {list(allowed)} }}\n"
    if schema != "0.3":
        text = f"schema: '{schema}'\nchange: {{ name: t }}\nscope: {{ allowed: ['**'] }}\n"
    written = read(text.encode())
    assert isinstance(written, Contract), written
    return written


def side(files: dict[str, str | bytes], category: Category = Category.CONFIGURATION) -> Snapshot:
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    entries = {path: Entry(path, sha256(held), len(held), "100644", category) for path, held in data.items()}
    return Snapshot(entries, {path: text for path, text in files.items() if isinstance(text, str)})


def check(base: Snapshot, head: Snapshot, *allowed: str) -> Result:
    result = dependencies.check(contract(*allowed), changes(base, head), base, head)
    assert result is not None
    return result


NAMES = st.frozensets(st.sampled_from("abcdefgh"))


@given(NAMES, NAMES, NAMES)
def test_what_is_new_and_not_allowed_is_told_and_nothing_else(
    before: frozenset[str], after: frozenset[str], allowed: frozenset[str]
) -> None:
    base, head = (side({"package.json": json.dumps({"dependencies": dict.fromkeys(names, "1")})}) for names in (before, after))
    result = check(base, head, *allowed)
    assert result.details == tuple(f"{name} (package.json)" for name in sorted(after - before - allowed))
    assert (result.status is Status.DRIFT) == bool(after - before - allowed)


@pytest.mark.parametrize("schema", ["0.1", "0.2"])
def test_an_older_schema_does_not_ask(schema: str) -> None:
    before, after = side({}), side({"package.json": '{"dependencies":{"a":"1"}}'})
    assert dependencies.check(contract(schema=schema), changes(before, after), before, after) is None


def test_without_a_manifest_it_passes_and_is_told() -> None:
    assert check(side({}), side({"a.py": ""})).status is Status.PASS


def test_new_names_are_told_with_their_manifest_in_order() -> None:
    head = side({"b/package.json": '{"dependencies":{"y":"1","x":"1"}}', "a/go.mod": "require e.com/z v1\n"})
    result = check(side({}), head)
    assert (result.status, result.finding) == (Status.DRIFT, "unapproved-dependency")
    assert result.details == ("e.com/z (a/go.mod)", "x (b/package.json)", "y (b/package.json)")


@pytest.mark.parametrize(
    ("path", "text", "allowed", "details"),
    [
        ("requirements.txt", "foo\nfoo-bar\n", ["foo-*"], ("foo (requirements.txt)",)),
        ("requirements.txt", "zope.interface\n", ["Zope_*"], ()),
        ("requirements.txt", "zope.interface\n", ["zope.interface"], ()),
        ("requirements.txt", "-e ./a\n", ["-e ./a"], ()),
        ("requirements.txt", "https://e.com/a.whl\n", ["https://e.com/*"], ()),
        ("requirements.txt", "https://e.com/x/a.whl\n", ["https://e.com/*"], ("https://e.com/x/a.whl (requirements.txt)",)),
        ("package.json", '{"dependencies":{"@types/a":"1","@types/a/b":"1"}}', ["@types/*"], ("@types/a/b (package.json)",)),
        ("package.json", '{"dependencies":{"a_b":"1"}}', ["a-b"], ("a_b (package.json)",)),
        ("package.json", '{"dependencies":{"A":"1"}}', ["a"], ("A (package.json)",)),
        ("package.json", '{"dependencies":{"a[1]":"1"}}', ["a[1]"], ()),
        ("Cargo.toml", '[dependencies]\nA = "1"', ["*"], ()),
        ("go.mod", "require e.com/a/v2 v2\n", ["e.com/a"], ("e.com/a/v2 (go.mod)",)),
    ],
)
def test_what_is_allowed_is_a_name_or_a_pattern_of_names(
    path: str, text: str, allowed: list[str], details: tuple[str, ...]
) -> None:
    result = check(side({}), side({path: text}), *allowed)
    assert (result.status, result.details) == (Status.DRIFT if details else Status.PASS, details)


@pytest.mark.parametrize(
    ("before", "after", "detail"),
    [
        ({"package.json": "{}"}, {"package.json": "{"}, "package.json after: "),
        ({"package.json": "{"}, {"package.json": "{}"}, "package.json before: "),
        ({}, {"package.json": b"\xff"}, "package.json after: this is no text"),
    ],
)
def test_an_unreadable_side_leaves_it_open(before: dict[str, str | bytes], after: dict[str, str | bytes], detail: str) -> None:
    result = check(side(before), side(after))
    assert (result.status, result.finding) == (Status.UNKNOWN, "manifest-unreadable")
    assert [told for told in result.details if told.startswith(detail)] == list(result.details)


def test_a_link_is_no_manifest() -> None:
    result = check(side({}), side({"package.json": '{"dependencies":{}}'}, Category.OPAQUE))
    assert (result.status, result.finding) == (Status.UNKNOWN, "manifest-unreadable")


def test_something_new_counts_more_than_something_unreadable_and_both_are_told() -> None:
    result = check(side({}), side({"a/package.json": "{", "b/package.json": '{"dependencies":{"x":"1"}}'}))
    assert result.status is Status.DRIFT
    assert result.details[0] == "x (b/package.json)"
    assert result.details[1].startswith("a/package.json after: ")


def test_what_an_allowed_name_stands_for_is_told() -> None:
    head = side({"package.json": '{"dependencies":{"react":"npm:other@1"}}'})
    result = check(side({}), head, "react")
    assert (result.status, result.details) == (Status.PASS, ("warning: react (package.json) stands for npm:other@1",))


def test_a_name_that_comes_to_stand_for_something_else_is_told_though_it_is_not_new() -> None:
    base = side({"package.json": '{"dependencies":{"react":"19","vue":"npm:v@1"}}'})
    head = side({"package.json": '{"dependencies":{"react":"npm:other@1","vue":"npm:v@1"}}'})
    result = check(base, head)
    assert (result.status, result.details) == (Status.PASS, ("warning: react (package.json) stands for npm:other@1",))


@pytest.mark.parametrize("scheme", ["https", "git+https", "ssh", "git+ssh"])
def test_a_password_in_an_address_is_not_told(scheme: str) -> None:
    address = f"{scheme}://user:hunter2@e.com/a.git"
    result = check(side({}), side({"requirements.txt": f"{address}\nb @ {address}\n"}))
    assert "hunter2" not in " ".join(result.details)
    assert " ".join(result.details).count("e.com/a.git") == 2
    assert check(side({}), side({"requirements.txt": f"{address}\n"}), address).status is Status.PASS


def test_new_names_are_told_without_any_contract() -> None:
    before = side({"package.json": '{"dependencies": {"a": "1"}}', "go.mod": "module m\n"})
    after = side({"package.json": '{"dependencies": {"a": "2", "b": "1"}}', "go.mod": "require (\n", "Cargo.toml": ""})
    assert dependencies.new_names(changes(before, after), before, after) == (("b",), ("go.mod",))
    assert dependencies.new_names((), before, after) == ((), ())


def test_a_name_that_may_bear_a_password_is_no_new_name() -> None:
    after = side({"requirements.txt": "rich\nhttps://ada:hunter2@example.org/pkg.tar.gz\n"})
    assert dependencies.new_names(changes(side({}), after), side({}), after) == (("rich",), ("requirements.txt",))
