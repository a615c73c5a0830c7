"""Which symbols Rust declares, and what their fingerprints tell."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import facts, gaps, names, read

SYMBOLS = [
    ("fn f() { fn g() {} struct S; let h = || 1; const K: u8 = 1; }", ["f", "f.K", "f.S", "f.g"]),
    ("struct A { a: u8 } struct B(u8); struct C; enum E { X, Y(u8) } union U { a: u8 }", ["A", "B", "C", "E", "U"]),
    ("trait T: X { type Y; const Z: u8; fn m(&self); fn n() {} }", ["T", "T.Y", "T.Z", "T.m", "T.n"]),
    ("struct A; impl A { const K: u8 = 1; fn new() -> Self { A } }", ["A", "A.K", "A.new"]),
    ("impl<T> Iterator for a::B<T> { type Item = T; fn next(&mut self) -> Option<T> { None } }", ["a::B.Item", "a::B.next"]),
    ("impl<'a> Read for &'a mut A<u8> { fn r() {} } impl Read for [u8] { fn r() {} }", ["&mut A.r", "[u8].r"]),
    ("mod a { mod b { pub fn f() {} } } mod c;", ["a", "a.b", "a.b.f", "c"]),
    ("type T = u8; const C: u8 = 1; static S: u8 = 1; const _: () = { impl A { fn k() {} } };", ["A.k", "C", "S", "T"]),
    ('extern "C" { fn f(a: i32, ...); static S: u8; type O; }', ["O", "S", "f"]),
    ("macro_rules! m { () => { fn made() {} }; }", ["m"]),
    ("fn r#async() {} struct r#T;", ["T", "async"]),
    ("thread_local! { static X: u8 = 1; } lazy_static! { static ref Y: u8 = 1; }", ["X", "Y"]),
    ("cfg_if! { if #[cfg(unix)] { fn a() {} } else { mod b; fn a() {} } }", ["a", "b"]),
    ("#[cfg(test)] mod tests { #[test] fn t() {} }", ["tests", "tests.t"]),
    ('async unsafe extern "C" fn f<const N: usize>() where [u8; N]: Sized {} pub(in crate::a) fn g() {}', ["f", "g"]),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), SYMBOLS)
def test_symbols_are_the_items_that_are_written(source: str, expected: list[str]) -> None:
    assert names(Kind.SYMBOL, {"src/lib.rs": source}) == expected
    assert gaps(Kind.SYMBOL, {"src/lib.rs": source}) == []


SAME = [
    ("fn f() -> u8 { g(1, 2) }", "/// doc\n/* c */ fn f()\n-> u8 {\n  g(\n    1, // one\n    2,\n  )\n}"),
    ("struct S { a: u8, b: u8 }", "struct S {\n a: u8,\n /// b\n b: u8,\n}"),
    ("fn f(x: E) -> u8 { match x { E::A => 1, E::B => 2 } }", "fn f(x: E) -> u8 { match x { E::A => 1, E::B => 2, } }"),
    ("fn f<T: A>() where T: B {}", "fn f<T: A,>() where T: B, {}"),
    ("#[derive(Debug)] struct S;", "#[derive(Debug)]\n\nstruct S;"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_layout_and_other_comments_tell_the_same(one: str, other: str) -> None:
    assert facts(Kind.SYMBOL, {"m.rs": one}) == facts(Kind.SYMBOL, {"m.rs": other})


DIFFERENT = [
    ("fn f() -> u8 { 1 }", "fn f() -> u8 { 2 }"),
    ("fn f() { g(); }", "fn f() { g() }"),
    ("fn f() -> (u8,) { (1,) }", "fn f() -> (u8,) { (1) }"),
    ("#[inline] fn f() {}", "fn f() {}"),
    ('const S: &str = "a b";', 'const S: &str = "a  b";'),
    ("struct S { a: u8 }", "struct S { pub a: u8 }"),
    ("enum E { A }", "enum E { A, B }"),
    ("fn f(a: u8) -> bool { matches!(a, 1) }", "fn f(a: u8) -> bool { matches!(a, 2) }"),
    ("macro_rules! m { () => { 1 }; }", "macro_rules! m { () => { 2 }; }"),
    ("fn f() { m!(a, b); }", "fn f() { m!(a, c); }"),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_is_said_otherwise_has_another_fingerprint(one: str, other: str) -> None:
    (first,), (second,) = (facts(Kind.SYMBOL, {"m.rs": text}) for text in (one, other))
    assert first.id == second.id
    assert first.fingerprint != second.fingerprint


def test_the_trait_that_a_function_is_written_for_counts() -> None:
    told = [facts(Kind.SYMBOL, {"m.rs": f"impl {trait} for A {{ fn fmt(&self) {{}} }}"}) for trait in ("Debug", "Display")]
    assert [one[0].name for one in told] == ["A.fmt", "A.fmt"]
    assert told[0][0].fingerprint != told[1][0].fingerprint


@pytest.mark.parametrize("source", ["struct S;", "#[derive(Debug, Clone)] #[must_use] struct S;", "#[rustfmt::skip] fn f() {}"])
def test_what_writes_no_items_is_not_told(source: str) -> None:
    assert read({"m.rs": source}).blind == ()


GOLDEN = {
    "src/lib.rs": "#[derive(Debug)]\npub struct S<T>(pub T);\n"
    'impl<T: Copy> S<T> { pub fn f(&self, a: &str) -> u8 { g(a, vec![h(1), 0x10]); r#"x"#.len() } }\n',
}
EXPECTED = [
    ("api", "S", "111f2822", "b9c99477"),
    ("api", "S.f", "87d4a476", "df172dc2"),
    ("call-site", "h", "b3d9ec:1", "56b3f69b"),
    ("call-site", "g", "d1d368:1", "0bf50902"),
    ("call-site", "(...).len", "3c2b65:1", "292640bb"),
    ("call-site", "vec!", "2d4bd8:1", "578fb9b6"),
    ("symbol", "S", "111f2822", "e6c62cbe"),
    ("symbol", "S.f", "87d4a476", "a1471f32"),
]


def test_ids_and_fingerprints_stay_from_release_to_release() -> None:
    kept = [(fact.kind.value, fact.name, fact.id[-8:], fact.fingerprint[-8:]) for fact in read(GOLDEN).facts]
    assert kept == EXPECTED
