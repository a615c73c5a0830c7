"""Whatever a text of Rust holds, reading it ends in facts or in a reason, within bounds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.code_facts.model import Kind
from guardrails.code_facts.rust import syntax
from guardrails.code_facts.rust.provider import Rust
from tests.facts import gaps, names, read

MANY = 5_000
WIDE = {
    "parentheses": "fn f() {" + "(" * MANY + ")" * MANY + "}",
    "unary": "fn f() {" + "!" * MANY + "a}",
    "calls": "fn f() {f" + "()" * MANY + "}",
    "methods": "fn f() {f" + ".a()" * MANY + "}",
    "nested calls": "fn f() {" + "f(" * MANY + ")" * MANY + "}",
    "types": "type A = " + "A<" * MANY + "A" + ">" * MANY + ";",
    "borrowed": "impl " + "&" * MANY + "A {}",
    "sum": "const A: u8 = 1" + "+1" * MANY + ";",
    "branches": "fn f() {" + "if a {} else " * MANY + "{}}",
    "patterns": "fn f() {match a {" + "A(B)|" * MANY + "C => 1}}",
    "macros": "fn f() {" + "vec![" * MANY + "]" * MANY + "}",
    "globs": "".join(f"use a{n}::*;" for n in range(200)) + "fn f() {" + "g();" * 200 + "}",
    "imports": "".join(f"use crate::a{n + 1} as a{n};" for n in range(500)),
    "macros that invoke": "".join(f"macro_rules! m{n} {{ () => {{ m{n + 1}!{{}} }}; }} m{n}!{{}}" for n in range(1_000)),
    "bounds": "fn f<T>() where " + "T: A," * MANY + "{}",
}


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", WIDE.values(), ids=WIDE)
def test_what_nests_or_repeats_is_read_without_recursion(text: str) -> None:
    files = {"src/lib.rs": text, "Cargo.toml": '[package]\nname = "n"\nedition = "2021"\n'}
    assert not [one for one in gaps(Kind.CALL_SITE, files) if one.kinds == frozenset(Kind)]


BROKEN = {
    "open": "fn f() {" + "(" * MANY,
    "garbage": "@#%^&*(" * MANY,
    "functions": "fn f(){" * 300 + "}" * 300,
    "modules": "mod m{" * 300 + "}" * 300,
    "closures": "fn f(){" + "|a|" * 300 + "1}",
    "a long name": f"mod {'a' * 3_000} {{ fn f() {{}} }}",
    "a NUL": "fn f() {}\0",
    "too many braces": "fn f(){}" * (syntax.MAX_BRACES + 1),
    "too long": "/" * (syntax.MAX_CHARACTERS + 1),
}


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_has_no_tree_or_is_beyond_the_bounds_is_a_gap_of_every_kind(text: str) -> None:
    assert [one.kinds for one in gaps(Kind.SYMBOL, {"src/lib.rs": text})] == [frozenset(Kind)]


def test_a_path_that_nobody_reads_is_told() -> None:
    for text in ("use a" + "::a" * 100 + ";", "fn f() { a" + "::a" * 100 + " }", "use " + "a::{" * 100 + "b" + "}" * 100 + ";"):
        assert [one.reason for one in gaps(Kind.DEPENDENCY, {"src/lib.rs": text})] == ["a path is longer than anybody reads"]


@pytest.mark.parametrize(
    "source", ["use *;", "use ::*;", "use {*};", "use {};", "use ::{};", "use a::{};", "pub use *; fn f() { g(); }"]
)
def test_an_import_of_everything_or_nothing_is_read(source: str) -> None:
    assert names(Kind.API, {"lib.rs": source}) == []
    assert bool(gaps(Kind.DEPENDENCY, {"lib.rs": source})) is ("*" in source)


SOURCE = """
//! ```
#![allow(x)]
use crate::a::{self, b as c, *}; pub(crate) use super::d; extern crate e as f;
#[macro_export] macro_rules! m { ($a:ident, $($x:expr),*) => { fn $a() { $crate::f($($x),*) } }; }
#[derive(Debug)] pub struct S<'a, T: X = u8>(pub &'a T, u8) where T: Y;
pub enum E { A(u8), B { c: u8 }, #[x] C = 1 }
impl<T> Trait for a::B<T> where T: X { const K: u8 = 1; type Y = T;
pub async fn m(&self, (a, b): (u8, u8)) -> Z { self.n()?.o.await; m!(a, 1) } }
pub trait T: U { fn n(&self) where Self: Sized; fn o() {} }
extern "C" { fn p(a: i32, ...); static Q: u8; }
mod a { pub mod b; #[path = "x.rs"] mod y;
#[cfg(test)] mod tests { use super::*; #[tokio::test] async fn t() { assert_eq!(f(1), vec![2; g()]); } } }
const _: () = { thread_local! { static X: u8 = r#"a"#.len(); } };
pub fn z<const N: usize>() { let x @ Some(y) = |q: u8| q else { return }; z();
match x { E::A(k) | E::B { c: k } if w(k) => 1, _ => { fn inner() {} 2 } }; <T as X>::h(); include!("x.rs"); }
cfg_if! { if #[cfg(a)] { mod u; } else { pub use v::*; } }
"""
MANIFEST = """[package]
name = "n"
edition = "2018"
[lib]
path = "src/lib.rs"
[dependencies]
a = { path = "../a" }
"""


@given(st.integers(min_value=0), st.integers(min_value=1, max_value=12))
def test_any_change_of_a_source_is_read_and_read_alike_again(seed: int, many: int) -> None:
    change = random.Random(seed)  # noqa: S311 - the changes of a text, nothing to be kept
    parts = SOURCE.split(" ")
    for _ in range(many):
        place = change.randrange(len(parts))
        parts[place : place + change.randrange(3)] = change.sample(parts, change.randrange(3))
    files = {
        "src/lib.rs": " ".join(parts),
        "src/a/b.rs": SOURCE,
        "src/a/x.rs": "use super::*; fn f() { b::z() }",
        "Cargo.toml": MANIFEST,
    }
    assert read(files) == read(files)


@pytest.mark.parametrize("kind", list(Kind))
def test_what_is_asked_for_alone_is_told_as_among_all(kind: Kind) -> None:
    files = {"src/lib.rs": SOURCE, "src/a/b.rs": SOURCE, "src/a/x.rs": "pub fn f() { super::b::z() }", "Cargo.toml": MANIFEST}
    alone, told = Rust().read(files, frozenset({kind})), read(files)
    assert [one for one in alone.facts if one.kind is kind] == [one for one in told.facts if one.kind is kind] != []
    assert {one for one in alone.blind if kind in one.kinds} == {one for one in told.blind if kind in one.kinds}


@given(st.text(max_size=200), st.sampled_from(["src/lib.rs", "src/a.rs", "Cargo.toml"]))
def test_any_text_is_read(text: str, name: str) -> None:
    read({"src/lib.rs": "mod a; use a::*;", "src/a.rs": "fn f() { g() }", "Cargo.toml": MANIFEST, name: text})


@given(
    st.lists(
        st.sampled_from(
            ["fn ", "a", "!", "{", "}", "(", ")", "::", "<", ">", ";", "use ", "mod ", "impl ", "#[", "]", "'", '"', "$", ","]
        )
    )
)
def test_any_row_of_tokens_is_read(tokens: list[str]) -> None:
    read({"src/lib.rs": "".join(tokens)})
