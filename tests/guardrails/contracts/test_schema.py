"""What a contract may say, and what its digest is made of (Change Contracts: schema 0.3)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from guardrails import strict_yaml
from guardrails.contracts import json_schemas
from guardrails.contracts.schema import Contract, read
from guardrails.digests import digest_in_order, sha256
from guardrails.strict_yaml import Bounds

SEED = """\
schema: '0.3'
change: { name: Member skills }
scope:
  allow: ['src/lib/members/**', 'migrations/*.sql']
  companions: ['test/**', '**/*.es.json']
  budget: { files: 25, lines: 1200 }
dependencies:
  allow: ['rrule', '@types/*']
preserves:
  - id: migrations-immutable
    match: { kind: file, path: 'migrations/**', change: [modify, delete] }
claims:
  - id: saves-in-order
    text: Two quick clicks cannot store the older set.
    files: ['src/components/ProfileEditor.astro']
    evidence:
      - { kind: test, file: test/account-profile.test.ts, name: saves in order }
      - { kind: manual, note: browser check }
"""
SMALLEST = "schema: '0.3'\nchange: { name: t }\nscope: { allow: ['**'] }\n"
OLDER = "schema: '0.2'\nchange: { name: t }\nscope: { allowed: ['**'] }\n"


def contract(text: str) -> Contract:
    read_ = read(text.encode())
    assert isinstance(read_, Contract), read_
    return read_


def faults(text: str) -> list[tuple[str, str]]:
    found = read(text.encode())
    return [] if isinstance(found, Contract) else [(fault.code, fault.where) for fault in found]


@pytest.mark.requirement("CC-17")
def test_the_example_of_the_seed_has_its_known_digest() -> None:
    assert contract(SEED).digest == "sha256:bdf4437d3d1c99ace34f34c2254a9dd9a46f0891cfa19cfe3c36e3ebf8aef8fa"


@pytest.mark.requirement("CC-17")
@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            SMALLEST,
            (
                '{"schema":"0.3","change":{"name":"t"},"scope":{"allow":["**"],"companions":[]},"dependencies":{"allow":[]},'
                '"requires":[],"forbids":[],"preserves":[],"evidence":[],"claims":[]}'
            ),
        ),
        (
            OLDER + "requires: [{ id: ü, match: { typeOnly: false, to: b, from: a, kind: dependency } }]\n",
            (
                '{"schema":"0.2","scope":{"allowed":["**"]},"change":{"name":"t"},'
                '"requires":[{"id":"ü","match":{"kind":"dependency","from":"a","to":"b","typeOnly":false}}],'
                '"forbids":[],"preserves":[],"evidence":[]}'
            ),
        ),
        (
            "schema: '0.1'\nchange: {name: t, intent: ''}\nevidence: [{ id: e, stage: test, method: definition, scenario: s}]",
            (
                '{"schema":"0.1","change":{"name":"t","intent":""},"requires":[],"forbids":[],"preserves":[],'
                '"evidence":[{"id":"e","stage":"test","method":"definition","scenario":"s"}]}'
            ),
        ),
        (
            SMALLEST + "preserves: [{ id: p, match: { path: a, kind: file } }]\n",
            (
                '{"schema":"0.3","change":{"name":"t"},"scope":{"allow":["**"],"companions":[]},"dependencies":{"allow":[]},'
                '"requires":[],"forbids":[],"preserves":[{"id":"p","match":{"kind":"file","path":"a","change":["modify","delete"]}}],'
                '"evidence":[],"claims":[]}'
            ),
        ),
    ],
)
def test_the_digest_is_that_of_json_with_defaults_in_the_order_of_the_schema(text: str, written: str) -> None:
    assert contract(text).digest == sha256(written.encode())


@pytest.mark.requirement("CC-17")
def test_layout_does_not_change_the_digest_and_the_order_of_lists_does() -> None:
    value: dict[str, Any] = {"schema": "0.3", "change": {"name": "t"}, "scope": {"allow": ["a", "b"]}}
    digests = {contract(json.dumps(value, indent=indent)).digest for indent in (None, 2, 7)}
    digests.add(
        contract(
            "# said\nscope:\n  allow: [a, &b b]\n  companions: []\nclaims: []\nchange: {name: 't'}\nschema: \"0.3\"\n"
        ).digest
    )
    assert len(digests) == 1
    value["scope"]["allow"].reverse()
    assert contract(json.dumps(value)).digest not in digests


@pytest.mark.requirement("CC-01")
def test_each_schema_is_read_into_one_form() -> None:
    first = contract("schema: '0.1'\nchange: { name: t, intent: why }\nforbids: [{ id: f, match: { kind: symbol } }]\n")
    assert (first.schema, first.scope, first.dependencies, first.intent, len(first.forbids)) == ("0.1", None, None, "why", 1)
    second = contract(OLDER)
    assert (second.scope, second.companions, second.budget, second.dependencies, second.claims) == (("**",), (), None, None, ())
    third = contract(SEED)
    assert third.scope == ("src/lib/members/**", "migrations/*.sql")
    assert third.companions == ("test/**", "**/*.es.json")
    assert third.budget is not None
    assert (third.budget.files, third.budget.lines) == (25, 1200)
    assert third.dependencies == ("rrule", "@types/*")
    assert [claim.id for claim in third.claims] == ["saves-in-order"]


BAD_PATHS = ("./a", "../a", "/a", "a//b", "a\\\\b", "a/", "a/../b", "")
REFUSED: list[tuple[str, str, str]] = [
    ("", "yaml-no-document", ""),
    ("# nothing\n", "yaml-no-document", ""),
    ("~\n", "contract-schema", "schema"),
    ("- a\n", "contract-schema", "schema"),
    ("schema: 0.3\nchange: { name: t }\nscope: { allow: ['**'] }\n", "contract-schema", "schema"),
    ("schema: '0.4'\nchange: { name: t }\nscope: { allow: ['**'] }\n", "contract-schema", "schema"),
    ("schema: ['0.3']\n", "contract-schema", "schema"),
    (SMALLEST + "change: { name: u }\n", "yaml-duplicate-key", ""),
    (SMALLEST + "1: x\n", "contract-shape", "[1]"),
    (SMALLEST + "<<: { claims: [] }\n", "yaml-merge-key", ""),
    (SMALLEST + "--- \na: b\n", "yaml-several-documents", ""),
    (SMALLEST + "waivers: []\n", "contract-shape", "waivers"),
    (SMALLEST + "claims: null\n", "contract-shape", "claims"),
    (SMALLEST.replace("name: t", "name: ''"), "contract-shape", "change.name"),
    (SMALLEST.replace("name: t", "name: 1"), "contract-shape", "change.name"),
    (SMALLEST.replace("name: t", "name: !!set t"), "yaml-tag", ""),
    (SMALLEST.replace("name: t", "name: t, intent: null"), "contract-shape", "change.intent"),
    (SMALLEST.replace("['**'] }", "['**'], budget: {} }"), "contract-shape", "scope.budget"),
    (SMALLEST.replace("['**'] }", "['**'], budget: { lines: 0 } }"), "contract-shape", "scope.budget.lines"),
    (SMALLEST.replace("['**'] }", "['**'], budget: { lines: -1 } }"), "contract-shape", "scope.budget.lines"),
    (SMALLEST.replace("['**'] }", "['**'], budget: { lines: 25.0 } }"), "contract-shape", "scope.budget.lines"),
    (SMALLEST.replace("['**'] }", "['**'], budget: { lines: true } }"), "contract-shape", "scope.budget.lines"),
    (SMALLEST.replace("['**'] }", "['**'], budget: { files: 9007199254740992 } }"), "contract-shape", "scope.budget.files"),
    (SMALLEST.replace("'**'", ""), "contract-empty", "scope.allow"),
    (OLDER.replace("'**'", ""), "contract-shape", "scope.allowed"),
    (OLDER + "claims: []\n", "contract-shape", "claims"),
    (OLDER + "dependencies: { allow: [] }\n", "contract-shape", "dependencies"),
    ("schema: '0.2'\nchange: { name: t }\n", "contract-shape", "scope"),
    ("schema: '0.1'\nchange: { name: t }\n", "contract-empty", ""),
    (OLDER + "preserves: [{ id: p, match: { kind: file, path: a } }]\n", "contract-shape", "preserves[0].match.kind"),
    (SMALLEST + "requires: [{ id: p, match: { kind: file, path: a } }]\n", "contract-shape", "requires[0].match.kind"),
    (
        SMALLEST + "preserves: [{ id: p, match: { kind: file, path: a, change: [] } }]\n",
        "contract-shape",
        "preserves[0].match.change",
    ),
    (SMALLEST + "preserves: [{ id: p, match: { kind: file, path: '/a' } }]\n", "contract-path", "preserves[0].match.path"),
    (SMALLEST + "preserves: [{ id: p, match: { kind: file } }]\n", "contract-shape", "preserves[0].match.path"),
    (SMALLEST + "claims: [{ id: c, text: t, description: d }]\n", "contract-shape", "claims[0].description"),
    (SMALLEST + "claims: [{ id: c, text: t, evidence: [{ kind: test }] }]\n", "contract-shape", "claims[0].evidence[0].name"),
    (SMALLEST + "claims: [{ id: c, text: t, evidence: [{ kind: log }] }]\n", "contract-shape", "claims[0].evidence[0]"),
    (SMALLEST + "claims: [{ id: $c, text: t }]\n", "contract-id", "claims[0].id"),
    (SMALLEST + "claims: [{ id: c, text: t }, { id: c, text: t }]\n", "contract-id", "claims[1].id"),
    (
        SMALLEST + "forbids: [{ id: c, match: { kind: symbol } }]\nclaims: [{ id: c, text: t }]\n",
        "contract-id",
        "claims[0].id",
    ),
    (
        SMALLEST
        + "preserves: [{ id: c, match: { kind: symbol } }]\nevidence: [{ id: c, stage: test, method: execution, scenario: s }]",
        "contract-id",
        "evidence[0].id",
    ),
    (
        SMALLEST + "evidence: [{ id: c, stage: review, method: execution, scenario: s }]\n",
        "contract-shape",
        "evidence[0].stage",
    ),
    *(
        (SMALLEST + f"requires: [{{ id: p, match: {{ kind: {kind}, {key}: a }} }}]\n", "contract-selector", "requires[0].match")
        for kind in ("symbol", "test-definition", "api")
        for key in ("from", "to")
    ),
    *(
        (
            SMALLEST + f"requires: [{{ id: p, match: {{ kind: {kind}, typeOnly: false }} }}]\n",
            "contract-selector",
            "requires[0].match",
        )
        for kind in ("import", "call-site", "resolved-call", "symbol")
    ),
    *((SMALLEST.replace("**", path), "contract-path" if path else "contract-shape", "scope.allow[0]") for path in BAD_PATHS),
    *((SMALLEST.replace("**", glob), "contract-path", "scope.allow[0]") for glob in ("a**", "**a", "***", "a/**b/c")),
]


@pytest.mark.requirement("CC-02")
@pytest.mark.requirement("CC-03")
@pytest.mark.parametrize(("text", "code", "where"), REFUSED)
def test_what_a_contract_may_not_say_is_refused_where_it_stands(text: str, code: str, where: str) -> None:
    assert (code, where) in faults(text)


@pytest.mark.requirement("CC-01")
def test_what_the_printed_schema_refuses_is_refused_and_what_is_read_fits_it() -> None:
    fits = Draft202012Validator(json_schemas.contract()).is_valid
    judged = {text: fits(strict_yaml.read(text.encode(), Bounds(aliases=99)).value) for text in (SEED, SMALLEST, OLDER)}
    assert set(judged.values()) == {True}
    across = {"contract-empty", "contract-id", "contract-path", "contract-selector", "scope.budget"}
    for text, code, where in REFUSED:
        is_across = code.startswith("yaml-") or code in across or where in across
        if not is_across and "25.0" not in text:  # to a JSON Schema that is a whole number
            assert not fits(strict_yaml.read(text.encode()).value), text


@pytest.mark.requirement("CC-01")
@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(
    "more",
    [
        "requires: [{ id: 'with a space: and more', description: '', match: { kind: symbol } }]\n",
        "requires: [{ id: p, match: { kind: dependency, from: a, to: b, typeOnly: false } }]\n",
        "forbids: [{ id: p, match: { kind: call-site, file: 'a*b', from: a } }]\n",
        "preserves: [{ id: p, match: { kind: file, path: '**/*.sql', change: [add, add] } }, { id: q, match: { kind: api } }]",
        "evidence: [{ id: p, stage: runtime, method: definition, scenario: s, file: a/b }]\n",
        "claims: [{ id: p, text: t, evidence: [{ kind: manual, note: n }, { kind: test, name: t }] }]\n",
        "dependencies: { allow: ['../any', '@types/*'] }\n",
    ],
)
def test_what_a_contract_may_say_is_read(more: str) -> None:
    assert faults(SMALLEST + more) == []


@pytest.mark.requirement("CC-02")
@pytest.mark.parametrize(("times", "found"), [(49, []), (50, [("yaml-alias", "")])])
def test_aliases_are_bounded(times: int, found: list[tuple[str, str]]) -> None:
    repeated = ", ".join(["*a"] * times)
    assert faults(f"schema: '0.3'\nchange: {{ name: &a t }}\nscope: {{ allow: [{repeated}] }}\n") == found


@pytest.mark.requirement("CC-02")
def test_aliases_within_what_is_repeated_count_as_often_as_it_is_there() -> None:
    ten = ", ".join(["*a"] * 10)
    first = SMALLEST + f"claims:\n- {{ id: x, text: t, files: &g [&a src, {ten}] }}\n"
    more = [f"- {{ id: c{number}, text: t, files: *g }}\n" for number in range(4)]
    assert faults(first + "".join(more[:3])) == []
    assert faults(first + "".join(more)) == [("yaml-alias", "")]


def test_an_alias_of_itself_or_of_nothing_is_refused() -> None:
    assert faults(SMALLEST + "claims: &c [*c]\n") == faults(SMALLEST + "claims: *c\n") == [("yaml-alias", "")]


def test_a_fault_names_its_line() -> None:
    found = read((SMALLEST + "claims:\n- id: c\n  text: t\n  why: x\n").encode())
    assert isinstance(found, tuple)
    assert [(fault.where, fault.line) for fault in found] == [("claims[0].why", 7)]


def test_the_digest_of_an_empty_list_is_known() -> None:
    assert digest_in_order([]) == sha256(b"[]")
