"""What obligations come to, one by one and together (Change Contracts: results)."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.code_facts.model import Fact, Kind
from guardrails.contracts import budget, claims, clauses, file_rules, scope
from guardrails.contracts.clauses import FileRule
from guardrails.contracts.evaluate import CODES, Compared, Contracts, evaluate
from guardrails.contracts.inventory import Entry, Snapshot, Touch, category
from guardrails.contracts.observations import observe
from guardrails.contracts.results import Clause, Result, Shown, Status, exit_code, verdict
from guardrails.contracts.schema import Contract, read
from guardrails.digests import sha256
from tests.contract_scenarios import scenarios


def side(files: dict[str, str], **modes: str) -> Snapshot:
    """A snapshot of texts; the mode of a file without a dot in its name may be given."""
    entries = {
        path: Entry(path, sha256(text.encode()), len(text), modes.get(path, "100644"), category(path, "100644"))
        for path, text in sorted(files.items())
    }
    return Snapshot(entries, dict(files))


def contract(more: str) -> Contract:
    found = read(f"schema: '0.3'\nchange: {{ name: t }}\n{more}".encode())
    assert isinstance(found, Contract), found
    return found


def of(status: Status) -> Result:
    return Result("r", Clause.CLAIM, status, "")


@pytest.mark.requirement("CC-15")
@pytest.mark.parametrize(
    ("met", "said", "code"),
    [
        ((), "PASS", 0),
        ((Status.PASS,), "PASS", 0),
        ((Status.INCOMPLETE,), "INCOMPLETE", 1),
        ((Status.DRIFT,), "DRIFT", 1),
        ((Status.UNKNOWN,), "UNKNOWN", 2),
        ((Status.INCOMPLETE, Status.DRIFT), "INCOMPLETE + DRIFT", 1),
        ((Status.DRIFT, Status.UNKNOWN), "DRIFT + UNKNOWN", 2),
        ((Status.INCOMPLETE, Status.UNKNOWN), "INCOMPLETE + UNKNOWN", 2),
        ((Status.INCOMPLETE, Status.DRIFT, Status.UNKNOWN), "INCOMPLETE + DRIFT + UNKNOWN", 2),
    ],
)
def test_what_is_met_is_told_in_one_order_and_unknown_wins(met: tuple[Status, ...], said: str, code: int) -> None:
    for order in permutations((*met, Status.PASS)):
        results = [of(status) for status in order]
        assert (verdict(results), exit_code(results)) == (said, code)


@pytest.mark.requirement("CC-16")
def test_every_finding_can_be_explained() -> None:
    named = {name.rpartition(":")[2] for one in scenarios("scenarios.json") for name in one.written["expect"]["findings"]}
    assert named <= set(CODES)
    assert [name for name, code in CODES.items() if name != code.name] == []


TESTED = "evidence: [{ kind: test, name: a }, { kind: manual, note: n }, { kind: test, name: b }]"


@pytest.mark.requirement("CC-10")
@pytest.mark.parametrize(
    ("claim", "stands", "status", "finding"),
    [
        ("files: [x], evidence: []", {}, Status.INCOMPLETE, "claim-not-implemented"),
        ("files: [done]", {}, Status.INCOMPLETE, "claim-without-evidence"),
        (TESTED, {"a": Status.INCOMPLETE, "b": Status.UNKNOWN}, Status.INCOMPLETE, "evidence-missing"),
        (TESTED, {"a": Status.PASS, "b": Status.UNKNOWN}, Status.UNKNOWN, "undecided"),
        (TESTED, {"a": Status.PASS, "b": Status.PASS}, Status.PASS, ""),
        (f"files: [x], {TESTED}", {"a": Status.PASS, "b": Status.PASS}, Status.INCOMPLETE, "claim-not-implemented"),
        (f"files: ['d*'], {TESTED}", {"a": Status.PASS, "b": Status.PASS}, Status.PASS, ""),
        ("evidence: [{ kind: manual, note: n }]", {}, Status.UNKNOWN, "manual-evidence-only"),
    ],
)
def test_of_a_claim_the_first_that_is_wrong_counts(claim: str, stands: dict[str, Status], status: Status, finding: str) -> None:
    def show(item: clauses.TestItem) -> Shown:
        return Shown(stands[item.name], item.name)

    (one,) = contract(f"scope: {{ allow: ['**'] }}\nclaims: [{{ id: c, text: t, {claim} }}]").claims
    compared = Compared.of(side({}), side({"done": "x"}))
    result = claims.check(one, compared.changes, show)
    assert (result.id, result.status, result.finding) == ("c", status, finding)
    told = [f"{stands[name].value.lower()}: {name}" for name in stands]
    assert [detail for detail in result.details if not detail.startswith(("manual: ", "no changed"))] == told
    assert ("manual: n" in result.details) == ("manual" in claim)


BASE, HEAD = side({"db/1": "a", "db/2": "a", "run": "a"}), side({"db/1": "b", "db/3": "a", "run": "a"}, run="100755")


@pytest.mark.requirement("CC-09")
@pytest.mark.parametrize(
    ("match", "details"),
    [
        ("path: 'db/*'", ("changed db/1", "removed db/2")),
        ("path: 'db/*', change: [add]", ("added db/3",)),
        ("path: 'db/*', change: [add, delete]", ("removed db/2", "added db/3")),
        ("path: run", ("changed run",)),
        ("path: run, change: [add, delete]", ()),
        ("path: db/3", ()),
    ],
)
def test_a_rule_about_files_names_what_it_forbids(match: str, details: tuple[str, ...]) -> None:
    (rule,) = contract(f"scope: {{ allow: ['**'] }}\npreserves: [{{ id: p, match: {{ kind: file, {match} }} }}]").preserves
    assert isinstance(rule, FileRule)
    result = file_rules.check(rule, Compared.of(BASE, HEAD).changes, BASE, HEAD)
    assert result.details == details
    assert (result.status, result.finding) == ((Status.DRIFT, "preserve-violated") if details else (Status.PASS, ""))


@pytest.mark.requirement("CC-09")
def test_a_rule_that_fits_nothing_passes_nothing() -> None:
    (rule,) = contract("scope: { allow: ['**'] }\npreserves: [{ id: p, match: { kind: file, path: 'bd/*' } }]").preserves
    assert isinstance(rule, FileRule)
    assert file_rules.check(rule, Compared.of(BASE, HEAD).changes, BASE, HEAD).finding == "rule-matches-nothing"


@pytest.mark.requirement("CC-06")
def test_companions_are_inside_and_count_in_the_budget() -> None:
    one = contract("scope: { allow: [a], companions: [b], budget: { files: 1 } }")
    compared = Compared.of(side({}), side({"a": "", "b": "", "c": ""}))
    inside = scope.check(one, compared.changes)
    assert inside is not None
    assert (inside.status, inside.details, inside.paths) == (Status.DRIFT, ("added c",), ("c",))
    size = budget.check(one, compared.changes, compared.base, compared.head)
    assert size is not None
    assert (size.status, size.details) == (Status.DRIFT, ("files: 3 of 1",))


@pytest.mark.requirement("CC-01")
def test_older_schemas_are_evaluated_by_what_they_know() -> None:
    first = read(b"schema: '0.1'\nchange: { name: t }\nscope: { allowed: [a] }\n")
    assert isinstance(first, Contract)
    manifest = {"requirements.txt": "new\n"}
    results = evaluate(Contracts(first, None), Compared.of(side({}), side(manifest))).results
    assert [(result.id, result.details) for result in results] == [("$scope", ("requirements.txt",))]


SCOPES = st.fixed_dictionaries(
    {"allow": st.lists(st.sampled_from(["a", "b/**", "*.py", "ü"]), min_size=1)},
    optional={"companions": st.lists(st.sampled_from(["c", "d/*"])), "budget": st.just({"lines": 3})},
)


@pytest.mark.requirement("CC-17")
@given(SCOPES, st.integers(0, 4), st.randoms(use_true_random=False))
def test_layout_never_changes_a_digest_and_another_list_always_does(scoped: dict[str, Any], indent: int, chance: Any) -> None:
    pairs: list[tuple[str, Any]] = [("schema", "0.3"), ("change", {"name": "t"}), ("scope", scoped), ("claims", [])]
    digest = contract("scope: " + json.dumps(scoped)).digest
    chance.shuffle(pairs)
    found = read(json.dumps(dict(pairs), indent=indent or None, ensure_ascii=bool(indent % 2)).encode())
    assert isinstance(found, Contract)
    assert found.digest == digest
    turned = {**scoped, "allow": scoped["allow"][::-1]}
    assert (contract("scope: " + json.dumps(turned)).digest == digest) == (turned == scoped)


def call(name: str, line: int, fingerprint: str = "f") -> Fact:
    return Fact(f"call-site:{name}{line}", Kind.CALL_SITE, "a.py", name, fingerprint, "a.py#f", name, line=line)


def test_calls_that_went_and_came_are_one_that_changed_in_order_of_lines() -> None:
    before = [call("f", 1), call("f", 5), call("g", 2)]
    after = [call("f", 3), call("h", 4)]
    assert [(one.touch, one.before and one.before.line, one.after and one.after.line) for one in observe(before, after)] == [
        (Touch.CHANGED, 1, 3),
        (Touch.REMOVED, 5, None),
        (Touch.REMOVED, 2, None),
        (Touch.ADDED, None, 4),
    ]


def test_what_says_something_else_changed_and_what_stayed_is_not_told() -> None:
    kept, old, new = (Fact(name, Kind.SYMBOL, "a.py", name, print_) for name, print_ in (("k", "1"), ("s", "1"), ("s", "2")))
    assert [one.touch for one in observe([kept, old], [kept, new])] == [Touch.CHANGED]
    assert observe([kept], [kept]) == ()
