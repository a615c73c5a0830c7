"""What Go declares and offers: names, and what their fingerprints are made of."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Fact, Kind
from guardrails.code_facts.providers import PROVIDERS
from tests.facts import facts, names, read

SYMBOLS = [
    ("func F() { x := 1; type T int; var v = func() {} }", ["F"]),
    ("func (s S) M() {}\nfunc (s *S) N() {}\nfunc (*S) O() {}\nfunc ((S)) P() {}", ["S.M", "S.N", "S.O", "S.P"]),
    ("func (l *List[K, V]) Push(k K, v V) {}\nfunc Map[T, U any](f func(T) U) {}", ["List.Push", "Map"]),
    ("type T int\ntype A = T\ntype (\n\tB []T\n\tC[K comparable] map[K]T\n)", ["A", "B", "C", "T"]),
    (
        "type S struct {\n\ta, B int\n\t*E\n\tpkg.Q\n\tG[int]\n\t_ struct{}\n}",
        ["S", "S.B", "S.E", "S.G", "S.Q", "S.a"],
    ),
    ("type I interface {\n\tM(x int) error\n\tio.Reader\n\t~int | string\n}", ["I", "I.M"]),
    ("const A = 1\nconst (\n\tB, C = iota, 2\n\tD, _\n)", ["A", "B", "C", "D"]),
    ("var a, b = f()\nvar (\n\tc int\n\td = 1\n)\nvar _ I = T{}", ["a", "b", "c", "d"]),
    ("func init() {}\nfunc init() {}\nfunc _() {}\nfunc main() {}", ["init", "main"]),
    ("// func f() {}\nvar s = `func g() {}`", ["s"]),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), SYMBOLS)
def test_symbols_are_what_a_package_declares(source: str, expected: list[str]) -> None:
    assert names(Kind.SYMBOL, {"m.go": f"package p\n{source}\n"}) == expected


SAME = [
    ("func F(a int) int { return a }", "// F does.\nfunc F(a int) int {\n\treturn a // here\n}"),
    ("var x = f(1, 2)", "var x = f(\n\t1,\n\t2,\n)"),
    ("var x = `a\nb`\n\nfunc F() {\n\ta()\n}", "var x = `a\r\nb`\r\n\r\nfunc F() {\r\n\ta()\r\n}"),
    ("const A = 1; const B = 2", "const (\n\tA = 1\n\tB = 2\n)"),
    ("type S struct { a int; b int }", "type S struct {\n\ta int\n\n\t// b\n\tb int\n}"),
    ("func F() { a(); b() }", "func F() {\n\ta()\n\tb();\n}"),
    ("//go:generate stringer\nfunc F() {}", "func F() {}"),
    ("const (\n\tA = iota\n\tB\n)", "const A = iota\nconst (\n\t_ = iota\n\tB\n)"),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_said_otherwise_is_the_same(one: str, other: str) -> None:
    first, second = ({(fact.id, fact.fingerprint) for fact in told("symbol", text)} for text in (one, other))
    assert first == second


def told(kind: str, text: str, name: str = "m.go", package: str = "p") -> list[Fact]:
    return facts(Kind(kind), {name: f"package {package}\n\n{text}\n"})


DIFFERENT = [
    ("symbol", "func F() { a() }", "func F() { b() }"),
    ("symbol", "func F() { for a; ; { } }", "func F() { for ; a; { } }"),
    ("symbol", "func F() { switch f(); { } }", "func F() { switch f() { } }"),
    ("symbol", "func (s S) M() {}", "func (s *S) M() {}"),
    ("symbol", "var x = 'a'", 'var x = "a"'),
    ("symbol", "var x = `a\nb`", "var x = `a b`"),
    ("symbol", "var x int", "var x = 1"),
    ("symbol", "//go:embed a.txt\nvar x string", "//go:embed b.txt\nvar x string"),
    ("symbol", "//go:noinline\nfunc F() {}", "func F() {}"),
    ("api", "func F(a int) error { return nil }", "func F(a, b int) error { return nil }"),
    ("api", "func F(a int)", "func F(a ...int)"),
    ("api", "func F() int", "func F() (int, error)"),
    ("api", "func F[T any](a T)", "func F[T comparable](a T)"),
    ("api", "type S struct { A int }", "type S struct { A string }"),
    ("api", 'type S struct { A int `json:"a"` }', 'type S struct { A int `json:"b"` }'),
    ("api", "type S struct { A int }", "type S = struct { A int }"),
    ("api", "type I interface { M() }", "type I interface { M(); n() }"),
    ("api", "const A = 1", "const A = 2"),
    ("api", "var A = T{}", "var A = &T{}"),
    ("api", 'var A = "x"', "var A = 1"),
    ("api", "var A = f()", "var A = g()"),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("kind", "one", "other"), DIFFERENT)
def test_what_is_said_otherwise_has_another_fingerprint(kind: str, one: str, other: str) -> None:
    (first,), (second,) = (
        [fact for fact in told(kind, text) if "." not in fact.name or "func (" in text] for text in (one, other)
    )
    assert first.id == second.id
    assert first.fingerprint != second.fingerprint


OFFERED_ALIKE = [
    ("func F(a int) { one() }", "func F(b int) { two() }"),
    ("func F(a, b int)", "func F(a int, b int)"),
    ("func (s *S) M(a int) {}", "func (t *S) M(_ int) {}"),
    ("type S struct { A int; b int }", "type S struct { A int; c string }"),
    ('var A = "x"', "var A = `y`"),
    ("var A = T{1}", "var A = T{2}"),
    ('var A = errors.New("a")', 'var A = errors.New("b")'),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("one", "other"), OFFERED_ALIKE)
def test_what_is_offered_does_not_change_with_what_it_hides(one: str, other: str) -> None:
    first, second = ([(fact.id, fact.fingerprint) for fact in told("api", text)] for text in (one, other))
    assert first == second


def test_a_constant_changes_with_the_one_that_is_put_before_it_where_it_counts() -> None:
    before = {one.name: one.fingerprint for one in told("symbol", "const (\n\tA = iota\n\tB\n\tC = 7\n\tD\n)")}
    after = {one.name: one.fingerprint for one in told("symbol", "const (\n\tX = iota\n\tA\n\tB\n\tC = 7\n\tD\n)")}
    assert [name for name in "ABCD" if before[name] != after[name]] == ["A", "B"]


WHOLE = """
func F() {}
func g() {}
type T struct{}
type u struct{}
func (T) M() {}
func (T) n() {}
func (u) M() {}
const C, d = 1, 2
var V int
var _ = 1
"""
OFFERED = [
    ("p.go", "p", ["C", "F", "T", "T.M", "V"]),
    ("a/b/p.go", "p", ["C", "F", "T", "T.M", "V"]),
    ("p.go", "main", []),
    ("p_test.go", "p", []),
    ("internal/p.go", "p", []),
    ("a/internal/b/p.go", "p", []),
    ("vendor/x.y/z/p.go", "z", []),
    ("testdata/p.go", "p", []),
    ("_old/p.go", "p", []),
    ("_p.go", "p", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("path", "package", "expected"), OFFERED)
def test_what_others_can_import_is_offered(path: str, package: str, expected: list[str]) -> None:
    assert sorted(one.name for one in told("api", WHOLE, path, package)) == expected
    assert len(told("symbol", WHOLE, path, package)) == 10


HIDDEN = [
    ("var A = f()", "A", True),
    ("var A = T{}", "A", False),
    ("var A, B = 1, f()", "B", True),
    ("type A struct { base }", "A.M", True),
    ("type A struct { base }", "B", False),
    ("type A = b", "A.M", True),
    ("type A b", "A.M", True),
    ("type A error", "A.Error", True),
    ("type A int", "A.M", False),
    ("type A struct { b int }", "A.M", False),
    ("type A []int", "A.M", False),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("source", "name", "is_open"), HIDDEN)
def test_what_an_offer_leaves_open_is_told_by_its_name(source: str, name: str, is_open: bool) -> None:
    blind = [one for one in read({"m.go": f"package p\n{source}\n"}).blind if Kind.API in one.kinds]
    assert any(one.name == name or (one.below and name.startswith(one.below)) for one in blind) is is_open
    assert not any(one.is_blocking for one in blind)


def test_a_provider_of_go_tells_its_grammar() -> None:
    assert {provider.name: provider.version for provider in PROVIDERS}["go"].startswith("1/")
