"""What a fact is called and what its fingerprint tells: layout and comments are no part of it, what is said is."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.code_facts.model import THROUGH, Kind
from tests.facts import PYTHON, TYPESCRIPT, facts, read

Told = set[tuple[str, str]]
STATEMENTS = {
    "py": [
        "import a, b.c as d",
        "from . import e, f",
        "x: int = f(1, 'a', [2, 3])",
        "def g(a: int, *b: str, c: int = 1) -> None:\n    if a:\n        h(a)\n    return None",
        "class K(Base):\n    y = 1\n    def m(self) -> str:\n        return self.n(f'{x}')",
        "def test_t():\n    assert g(1)\n    assert g(1)",
    ],
    "ts": [
        "import a, { b as c } from './x.js'",
        "export * from './y'",
        "const v = f(1, 'a', [2, 3]), w = { a: 1, b }",
        "export function g(a: number, b?: string): void { if (a) { h(a) } return }",
        "export class K extends Base { y = 1; m(): string { return this.n(`${v}`) } }",
        "interface I { a: string; b(c: number): void }",
        "test('t', () => { expect(g(1)); expect(g(1)) })",
    ],
}


def told(ending: str, text: str) -> Told:
    return {(fact.id, fact.fingerprint) for fact in read({f"m.{ending}": text, "package.json": JEST}).facts}


JEST = '{"devDependencies": {"jest": "1"}}'


def spread_python(text: str, blanks: list[str]) -> str:
    """Other layout of the same tree: comments, blank lines and deeper indentation."""
    lines = text.split("\n")
    return "\n".join(f"{blanks[n % len(blanks)]}{line.replace('    ', '        ')}  # note {n}" for n, line in enumerate(lines))


def spread_typescript(text: str, blanks: list[str]) -> str:
    """Other layout of the same tree: comments and line ends between tokens that allow them."""
    parts = re.split(r"(?<=[{(,])(?![^`]*`)", text)
    return "".join(f"{part}{blanks[n % len(blanks)]}" for n, part in enumerate(parts)) if "`" not in text else f"// x\n{text}"


@given(
    st.lists(st.sampled_from(STATEMENTS["py"]), unique=True), st.lists(st.sampled_from(["", "\n", "# c\n", "\n\n"]), min_size=1)
)
def test_python_in_other_layout_tells_the_same(statements: list[str], blanks: list[str]) -> None:
    text = "\n".join(statements)
    assert told("py", spread_python(text, blanks)) == told("py", text)


@given(
    st.lists(st.sampled_from(STATEMENTS["ts"]), unique=True),
    st.lists(st.sampled_from(["", "\n", " /* c */ ", "// c\n", "\t"]), min_size=1),
)
def test_typescript_in_other_layout_tells_the_same(statements: list[str], blanks: list[str]) -> None:
    plain = "\n".join(statements)
    spread = ";\n\n".join(spread_typescript(one, blanks) for one in statements)
    assert told("ts", spread) == told("ts", plain)


@given(st.lists(st.sampled_from(STATEMENTS["py"]), unique=True))
def test_python_printed_anew_tells_the_same(statements: list[str]) -> None:
    text = "\n".join(statements)
    assert told("py", ast.unparse(ast.parse(text))) == told("py", text)


@given(st.permutations(STATEMENTS["ts"]))
def test_the_order_of_declarations_is_no_part_of_a_fact(statements: list[str]) -> None:
    assert told("ts", "\n".join(statements)) == told("ts", "\n".join(STATEMENTS["ts"]))


SAME = [
    ("ts", "const a = [1, 2];", "const a = [\n  1,\n  2,\n]"),
    ("ts", "interface I { a: string, b: number }", "interface I { a: string; b: number; }"),
    ("ts", "f(1, 2)", "f(\n  1, // one\n  2,\n)"),
    ("js", "function f() { return 1; }", "/** doc */ function f() {\n  return 1\n}"),
    ("py", "x = (1 +\n     2)", "x = 1 + 2"),
    ("py", "f(a, b,)", "f(a, b)"),
]


@pytest.mark.parametrize(("ending", "one", "other"), SAME)
def test_the_same_said_otherwise_is_the_same(ending: str, one: str, other: str) -> None:
    assert told(ending, one) == told(ending, other)


DIFFERENT = [
    (Kind.SYMBOL, "ts", "function f() { return 1 }", "function f() { return 2 }"),
    (Kind.SYMBOL, "ts", "const a = 1", "let a = 1"),
    (Kind.SYMBOL, "ts", "const a = [1, , 2]", "const a = [1, 2]"),
    (Kind.SYMBOL, "ts", "const a = 'x'", "const a = 'x '"),
    (Kind.SYMBOL, "ts", "const a = `x\n y`", "const a = `x\ny`"),
    (Kind.SYMBOL, "tsx", "const a = <p>a b</p>", "const a = <p>ab</p>"),
    (Kind.SYMBOL, "ts", "function f() { return\n1 }", "function f() { return 1 }"),
    (Kind.SYMBOL, "ts", "function f() { for (; a;) b() }", "function f() { for (a;;) b() }"),
    (Kind.SYMBOL, "ts", "@d(1) class A {}", "@d(2) class A {}"),
    (Kind.SYMBOL, "ts", "@d(1) export class A {}", "@d(2) export class A {}"),
    (Kind.SYMBOL, "py", "def f(): return 1", "def f(): return 2"),
    (Kind.SYMBOL, "py", "@d\ndef f(): ...", "def f(): ..."),
    (Kind.SYMBOL, "py", "def f(): return None", "def f(): return"),
    (Kind.SYMBOL, "py", "x = 1", "x = 1.0"),
    (Kind.SYMBOL, "py", "x = 'a'", "x = b'a'"),
    (Kind.API, "ts", 'export function f(): string { return "a" }', "export function f(): number { return 1 }"),
    (Kind.API, "ts", "export function f(a: string): void {}", "export function f(a?: string): void {}"),
    (Kind.API, "ts", "export interface I { a: string }", "export interface I { a?: string }"),
    (Kind.API, "py", "def f(a: int) -> None: ...", "def f(a: int = 1) -> None: ..."),
    (Kind.API, "py", "def f(a: int) -> None: ...", "def f(*, a: int) -> None: ..."),
    (Kind.API, "py", "def f(a: int, b: int) -> None: ...", "def f(a: int, /, b: int) -> None: ..."),
    (Kind.API, "py", "async def f() -> None: ...", "def f() -> None: ..."),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("kind", "ending", "one", "other"), DIFFERENT)
def test_what_is_said_otherwise_has_another_fingerprint(kind: Kind, ending: str, one: str, other: str) -> None:
    (first,), (second,) = (facts(kind, {f"m.{ending}": text}) for text in (one, other))
    assert first.id == second.id
    assert first.fingerprint != second.fingerprint


BODIES = [
    ("ts", "export function f(a: string): void { one() }", "export function f(a: string): void { two() }"),
    ("py", "def f(a: int = 1) -> None: one()", "def f(a: int = 2) -> None: two()"),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("ending", "one", "other"), BODIES)
def test_a_signature_does_not_change_with_what_stands_below_it(ending: str, one: str, other: str) -> None:
    before, after = (facts(Kind.API, {f"m.{ending}": text}) for text in (one, other))
    assert [fact.fingerprint for fact in before] == [fact.fingerprint for fact in after]


def test_an_id_is_the_kind_and_a_digest_and_no_line() -> None:
    (fact,) = facts(Kind.SYMBOL, {"m.py": "\n\nx = 1"})
    assert fact.line == 3
    assert re.fullmatch(r"symbol:[0-9a-f]{64}", fact.id)
    assert [one.id for one in facts(Kind.SYMBOL, {"m.py": "x = 1"})] == [fact.id]


def test_a_call_does_not_change_with_the_calls_and_functions_in_it() -> None:
    for ending, one, other in (
        ("py", "f(g(1), lambda: 1)", "f(g(2), lambda: 2)"),
        ("ts", "f(g(1), () => 1)", "f(g(2), () => 2)"),
    ):
        first, second = ({x.id for x in facts(Kind.CALL_SITE, {f"m.{ending}": text}) if x.name == "f"} for text in (one, other))
        assert first == second


@pytest.mark.parametrize("kind", list(Kind))
def test_what_is_asked_for_alone_is_told_as_among_all(kind: Kind) -> None:
    files = {
        "test_m.py": "\n".join(STATEMENTS["py"]),
        "m.ts": "\n".join(STATEMENTS["ts"]),
        "package.json": JEST,
        "n.py": "exec(x)",
        "x.ts": "",
    }
    for provider in (PYTHON, TYPESCRIPT):
        alone, among = provider.read(files, frozenset({kind})), provider.read(files)
        assert [one for one in alone.facts if one.kind is kind] == [one for one in among.facts if one.kind is kind] != []
        assert [one for one in alone.blind if kind in one.kinds] == [one for one in among.blind if kind in one.kinds]
        assert kind not in THROUGH or alone.links == among.links


GOLDEN = {
    "m.py": "def f(a: int, *b: str) -> None:\n    return g(f'{a:>{b}} {b!r:}', 0x10, None, ..., b'\\0')\n",
    "m.ts": "export function f(a: string, ...b: number[]): void { return g(`${a} b`, /x/u, [1, , 2], { a, ...b }) }\n",
}


EXPECTED = [
    ("api", "7c259c78", "25a88c5f"),
    ("call-site", "26bb8f:1", "32b6a913"),
    ("symbol", "7c259c78", "aba53100"),
    ("api", "a23320d0", "9ed8df5a"),
    ("call-site", "4c1c74:1", "244fa776"),
    ("symbol", "a23320d0", "5c396f51"),
]


def test_ids_and_fingerprints_stay_from_release_to_release() -> None:
    kept = [(fact.kind.value, fact.id[-8:], fact.fingerprint[-8:]) for fact in read(GOLDEN).facts]
    assert kept == EXPECTED
