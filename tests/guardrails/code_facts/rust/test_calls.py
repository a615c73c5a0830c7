"""What Rust calls, by its text and by what is meant."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import ends, facts, names, read

CALLS = [
    ("fn g() { f(); a::b::<u8>(1); }", [("m.rs#g", "a::b"), ("m.rs#g", "f")]),
    (
        "fn g() { x.a::<u8>()?.b[0].c().await.d(); }",
        [("m.rs#g", "x.a"), ("m.rs#g", "x.a().b[...].c"), ("m.rs#g", "x.a().b[...].c().d")],
    ),
    ("impl A { fn m(&self) { self.n(); Self::k(); } }", [("m.rs#A.m", "Self::k"), ("m.rs#A.m", "self.n")]),
    ("const X: u8 = f(1); mod a { fn g() { f() } }", [("m.rs#X", "f"), ("m.rs#a.g", "f")]),
    ('fn g() { "a".len(); (|| 1)(); <T as X>::h(); }', [("m.rs#g", '"a".len'), ("m.rs#g", "(...)"), ("m.rs#g", "<T as X>::h")]),
    ("fn g() { Some(1); }", [("m.rs#g", "Some")]),
    ('fn g() { println!("{}", f(1)); log::info!("a"); }', [("m.rs#g", "f"), ("m.rs#g", "log::info!"), ("m.rs#g", "println!")]),
    ("fn g() { assert!(matches!(f(1), Some(x) if p(x))); }", [("m.rs#g", "assert!"), ("m.rs#g", "f"), ("m.rs#g", "matches!")]),
    ("fn g() { vec![f(); n()].len(); }", [("m.rs#g", "f"), ("m.rs#g", "n"), ("m.rs#g", "vec!"), ("m.rs#g", "vec!(...).len")]),
    ("fn g() { r#fn(); x.r#type(); }", [("m.rs#g", "fn"), ("m.rs#g", "x.type")]),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), CALLS)
def test_calls_belong_to_whoever_makes_them(source: str, expected: list[tuple[str, str]]) -> None:
    assert ends(Kind.CALL_SITE, {"m.rs": source}) == expected


UNREAD = [
    ("fn g() { info!(f(1)) }", {"f", "1"}),
    ("macro_rules! m { () => { f($x) }; }", {"f", "x"}),
    ("macro_rules! println { () => {}; } fn g() { println!(f(1)) }", {"f", "1"}),
]


@pytest.mark.parametrize(("source", "words"), UNREAD)
def test_what_may_be_a_call_in_a_macro_is_a_gap_of_its_words(source: str, words: set[str]) -> None:
    assert [one.words for one in read({"m.rs": source}).blind if Kind.CALL_SITE in one.kinds] == [frozenset(words)]


def test_a_call_does_not_change_with_the_calls_and_closures_in_it() -> None:
    told = [
        {one.id for one in facts(Kind.CALL_SITE, {"m.rs": f"fn g() {{ f({inner}) }}"}) if one.name == "f"}
        for inner in ("h(1), |a| 1", "h(2), |a| 2")
    ]
    assert told[0] == told[1]


LIBRARY = {
    "Cargo.toml": '[package]\nname = "own"\nedition = "2021"\n[dependencies]\nother = { path = "other" }\n',
    "other/Cargo.toml": '[package]\nname = "other"\nedition = "2021"\n',
    "other/src/lib.rs": "pub fn o() {}",
    "src/lib.rs": "mod a; mod m; pub use a::f as g; pub mod p { pub use crate::a::*; }",
    "src/a.rs": """
        pub fn f() {} fn hidden() {} pub const C: fn() = f;
        pub struct T(pub u8); pub struct R { pub a: u8 } pub enum E { V(u8) }
        impl T { pub fn new() -> T { T(1) } fn own(&self) {} fn both(&self) {} }
        impl E { pub fn make() {} }
        pub trait X { fn x(); fn both(&self) {} } impl X for T { fn x() {} }
    """,
}
CALLED = [
    ("use crate::a::f; fn t() { f() }", ["src/a.rs#f"]),
    ("use crate::a::f as x; fn t() { x() }", ["src/a.rs#f"]),
    ("fn t() { crate::a::f(); super::g(); super::p::f() }", ["src/a.rs#f"] * 3),
    (
        "use crate::a; fn t() { a::f(); a::T(1); a::T::new(); a::E::make() }",
        ["src/a.rs#E.make", "src/a.rs#T", "src/a.rs#T.new", "src/a.rs#f"],
    ),
    ("use super::p::*; fn t() { f() }", ["src/a.rs#f"]),
    ("fn f() {} mod n { use super::*; fn t() { f() } }", ["src/m.rs#f"]),
    ("mod n { pub fn k() {} } fn t() { n::k(); self::n::k() }", ["src/m.rs#n.k"] * 2),
    ("fn t() { fn k() {} k(); use crate::a::f; f() }", ["src/a.rs#f", "src/m.rs#t.k"]),
    ("struct S; impl S { fn a(&self) { self.b(); Self::b(self) } fn b(&self) {} }", ["src/m.rs#S.b"] * 2),
    ("use other::o; fn t() { o(); other::o() }", ["other/src/lib.rs#o"] * 2),
    ("fn f() {} fn t() { assert_eq!(f(), 1) }", ["src/m.rs#f"]),
    ("fn f() {} fn t(f: fn()) { f() }", []),
    ("fn f() {} fn t() { let f = || 1; f(); if let Some(f) = x { f() } }", []),
    ("use crate::a::*; use std::io::*; fn t() { hidden(); read() }", []),
    ("use crate::a::{E, R, C, T, X}; fn t() { E::V(1); C(); T::x(); X::x(); T(1).own() }", ["src/a.rs#T"]),
    ("struct S; impl S { fn a(&self) { self.both() } fn both(&self) {} }", []),
    ("fn t<T>() { T::new() } struct T; impl T { fn new() {} }", []),
    ("#[cfg(a)] use crate::a::f; #[cfg(b)] use other::o as f; fn t() { f() }", []),
    ("made!(); use crate::a::*; fn t() { f() } macro_rules! made { () => { fn f() {} }; }", []),
    ("elsewhere::made!(); use crate::a::*; fn t() { f() }", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), CALLED)
def test_calls_are_resolved_where_names_alone_tell_it(source: str, expected: list[str]) -> None:
    found = facts(Kind.RESOLVED_CALL, {**LIBRARY, "src/m.rs": source})
    assert sorted(one.name for one in found if one.file == "src/m.rs") == expected


def test_modules_that_pass_on_each_other_end() -> None:
    files = {"src/lib.rs": "pub mod a { pub use super::b::*; } pub mod b { pub use super::a::*; } fn t() { a::f() }"}
    assert names(Kind.RESOLVED_CALL, files) == []
