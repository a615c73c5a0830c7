"""What Go calls: by its text, and by what is meant where names and written types tell it."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import ends, facts, names, read

CALLED = [
    ("f(1)", ["f"]),
    ("a.b.c(x)", ["a.b.c"]),
    ("f()(x)", ["f", "f()"]),
    ("a.b(1).c()", ["a.b", "a.b(...).c"]),
    ("go f()", ["f"]),
    ("defer a.f()", ["a.f"]),
    ("f[int](x)", ["f"]),
    ("f[int, string](x, y)", ["f"]),
    ("f[pkg.T](x, y)", ["f"]),
    ("pkg.F[int](x)", ["pkg.F"]),
    ("h[0](x)", ["h[...]"]),
    ("h := g; h[i](x)", ["h[...]"]),
    ("(f)(x)", ["f"]),
    ("func() { g() }()", ["(...)", "g"]),
    ("x.(T).M()", ["(...).M"]),
    ("_ = T(x)", ["T"]),
    ("_ = string(x)", []),
    ("string := g; string(x)", ["string"]),
    ("_ = []byte(x)", []),
    ("_ = map[string]int(x)", []),
    ("_ = append(make([]int, 3), len(x))", ["append", "len", "make"]),
    ('"f()"', []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), CALLED)
def test_calls_are_told_as_they_are_written(source: str, expected: list[str]) -> None:
    assert names(Kind.CALL_SITE, {"m.go": f"package p\n\nfunc m() {{\n\t{source}\n}}\n"}) == expected


def test_a_call_is_owned_by_the_declaration_around_it() -> None:
    text = "package p\n\nvar v, w = f()\n\nfunc (t *T) M() { func() { g() }() }\n\ntype A [len(x)]int\n"
    assert ends(Kind.CALL_SITE, {"m.go": text}) == [
        *(("m.go", "len"), ("m.go#T.M", "(...)"), ("m.go#T.M", "g"), ("m.go#v", "f")),
    ]


def test_equal_calls_of_one_owner_are_numbered_and_layout_is_no_part() -> None:
    one = facts(Kind.CALL_SITE, {"m.go": "package p\nfunc m() { f(a, 1); f(a, 1) }"})
    other = facts(Kind.CALL_SITE, {"m.go": "package p\nfunc m() {\n\tf(\n\t\ta, // c\n\t\t1,\n\t)\n\tf(a, 1)\n}"})
    assert [fact.id[-2:] for fact in one] == [":1", ":2"]
    assert [fact.id for fact in one] == [fact.id for fact in other]


def test_a_call_does_not_change_with_how_lines_end() -> None:
    text = "package p\n\nvar x = f(`a\nb`,\n\t1)\n"
    one, other = (facts(Kind.CALL_SITE, {"m.go": text.replace("\n", end)})[0] for end in ("\n", "\r\n"))
    assert (one.id, one.fingerprint) == (other.id, other.fingerprint)


def test_a_call_does_not_change_with_the_calls_and_functions_in_it() -> None:
    first, second = (
        {fact.id for fact in facts(Kind.CALL_SITE, {"m.go": f"package p\nvar x = {text}\n"}) if fact.name == "f"}
        for text in ("f(g(1), func() int { return 1 })", "f(g(2), func() int { return 2 })")
    )
    assert first == second


HELPERS = """package p

func f() {}
func G[T any](x T) {}
type S struct{}
func (s *S) m() {}
func (s S) N() {}
type I interface{ m() }
"""
OWN = [
    ("f()", ["h.go#f"]),
    ("G[int](1)", ["h.go#G"]),
    ("G[S](1)", ["h.go#G"]),
    ("f := 1; f()", []),
    ("{ f := 1; _ = f }; f()", ["h.go#f"]),
    ("f := f; f()", []),
    ("_ = func(f int) { f() }", []),
    ("for f := range x { f() }; f()", ["h.go#f"]),
    ("if f := x; f() { } else { f() }; f()", ["h.go#f"]),
    ("switch f := x.(type) { case int: f() }; f()", ["h.go#f"]),
    ("switch f() { case 1: f := 1; f(); case 2: f() }", ["h.go#f", "h.go#f"]),
    ("select { case f := <-c: f() }; f()", ["h.go#f"]),
    ("var f = f(); f()", ["h.go#f"]),
    ("const f = 1; f()", []),
    ("type f int; f(1)", []),
    ("s.m()", ["h.go#S.m"]),
    ("s.N()", ["h.go#S.N"]),
    ("s.x()", []),
    ("s.f.m()", []),
    ("s, e := g(); s.m(); _ = e", ["h.go#S.m"]),
    ("if s, e := g(); e { s.m() }", []),
    ("{ s := g(); s.m() }", []),
    ("s = g(); s.m()", ["h.go#S.m"]),
    ("t := &S{}; t.m(); u := S{}; u.N()", ["h.go#S.N", "h.go#S.m"]),
    ("t := g(); t.m()", []),
    ("var t S; t.N()", ["h.go#S.N"]),
    ("type S struct{}; var t S; t.m()", []),
    ("var i I; i.m()", []),
    ("_ = func(s *I) { s.m() }", []),
    ("_ = func(t *S) { t.m() }", ["h.go#S.m"]),
    ("_ = func(t ...S) { t.m() }", []),
    ("_ = func(t []S) { t.m() }", []),
    ("other.f()", []),
    ("S.N(x)", []),
    ("len(x)", []),
    ("S(x)", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), OWN)
def test_calls_lead_to_what_their_names_mean_in_their_scope(source: str, expected: list[str]) -> None:
    files = {"h.go": HELPERS, "m.go": f"package p\n\nfunc m(s *S) {{\n\t{source}\n}}\n"}
    told = [str(fact.target) for fact in facts(Kind.RESOLVED_CALL, files)]
    assert sorted(told) == expected


def test_a_type_that_a_function_is_generic_in_tells_no_method() -> None:
    files = {"h.go": HELPERS, "m.go": "package p\n\nfunc m[S any](s S) { s.N() }\n\nfunc (r *R[S]) n(s S) { s.N() }\n"}
    assert facts(Kind.RESOLVED_CALL, files) == []


STORE = """package shop

func Open() {}
func hide() {}
type Box struct{}
func (b *Box) Put() {}
func (b *Box) get() {}
"""
MODULE = {"go.mod": "module example.com/m\n", "store/s.go": STORE}
IMPORTED = [
    ('"example.com/m/store"', "shop.Open()", ["store/s.go#Open"]),
    ('"example.com/m/store"', "store.Open()", []),
    ('s "example.com/m/store"', "s.Open()", ["store/s.go#Open"]),
    ('s "example.com/m/store"', "shop.Open()", []),
    ('s "example.com/m/store"', "s := 1; s.Open()", []),
    ('s "example.com/m/store"', "s.hide()", []),
    ('s "example.com/m/store"', "s.Box(x)", []),
    ('. "example.com/m/store"', "Open()", ["store/s.go#Open"]),
    ('. "example.com/m/store"', "hide()", []),
    ('_ "example.com/m/store"', "shop.Open()", []),
    ('s "example.com/m/store"', "var b s.Box; b.Put(); b.get()", ["store/s.go#Box.Put"]),
    ('s "example.com/m/store"', "b := &s.Box{}; b.Put()", ["store/s.go#Box.Put"]),
    ('s "example.com/other/store"', "s.Open()", []),
    ('"fmt"', "fmt.Println()", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("imported", "source", "expected"), IMPORTED)
def test_calls_lead_into_other_packages_of_the_module(imported: str, source: str, expected: list[str]) -> None:
    files = {**MODULE, "m.go": f"package m\n\nimport {imported}\n\nfunc m() {{\n\t{source}\n}}\n"}
    assert [fact.target for fact in facts(Kind.RESOLVED_CALL, files) if fact.file == "m.go"] == expected


SEEN = [
    ("p/other.go", "package p", True),
    ("p/in_test.go", "package p", True),
    ("p/out_test.go", "package p_test", False),
    ("p/gen.go", "//go:build ignore\n\npackage main", False),
    ("q/q.go", "package p", False),
]


@pytest.mark.parametrize(("path", "clause", "is_seen"), SEEN)
def test_the_names_of_a_package_are_seen_by_its_files(path: str, clause: str, is_seen: bool) -> None:
    files = {"p/p.go": "package p\n\nfunc f() {}\n", path: f"{clause}\n\nfunc m() {{ f() }}\n"}
    assert bool(facts(Kind.RESOLVED_CALL, files)) is is_seen


def test_what_tests_declare_is_seen_by_tests_alone() -> None:
    files = {
        "go.mod": "module example.com/m\n",
        "p/p.go": "package p\n\nfunc m() { helper() }\n",
        "p/in_test.go": "package p\n\nfunc helper() {}\nfunc Shown() {}\n",
        "p/out_test.go": 'package p_test\n\nimport "example.com/m/p"\n\nfunc n() { p.Shown(); helper() }\n',
        "q/q.go": 'package q\n\nimport "example.com/m/p"\n\nfunc n() { p.Shown() }\n',
    }
    assert ends(Kind.RESOLVED_CALL, files) == [("p/out_test.go#n", "p/in_test.go#Shown")]


def test_what_is_not_resolved_is_told_as_a_number() -> None:
    (blind,) = [one for one in read({"m.go": "package p\nfunc m() { a.b(); c() }"}).blind if Kind.RESOLVED_CALL in one.kinds]
    assert blind.reason.startswith("2 calls")
    assert not blind.is_blocking
