"""What a library of Rust offers from its root, and what is not known of that."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import facts, gaps, names, read

MANIFEST = {"Cargo.toml": '[package]\nname = "n"\nedition = "2021"\n'}
OFFERED = [
    (
        "pub fn f() {} fn g() {} pub(crate) fn h() {} pub struct S; pub const C: u8 = 1; pub static D: u8 = 1;",
        ["C", "D", "S", "f"],
    ),
    (
        "pub struct S; impl S { pub fn a() {} fn b() {} pub const K: u8 = 1; } impl Clone for S { fn clone(&self) -> S { S } }",
        ["S", "S.K", "S.a"],
    ),
    ("pub trait T { fn m(&self); type Y; } pub enum E { A } pub type X = u8; pub union U { a: u8 }", ["E", "T", "U", "X"]),
    ("pub mod a { pub fn f() {} fn g() {} } mod b { pub fn h() {} } pub(crate) mod c { pub fn i() {} }", ["a.f"]),
    ("mod b { pub fn h() {} pub struct S; impl S { pub fn m() {} } } pub use b::{h, S as R};", ["R", "R.m", "h"]),
    ("mod b { pub fn h() {} fn hidden() {} } pub use b::*; pub use self::b as c;", ["c.h", "h"]),
    ("mod b { pub mod c { pub fn f() {} } } pub use b::c;", ["c.f"]),
    ("pub use serde::Serialize; pub use std::fmt::{self as format};", ["Serialize", "format"]),
    ("#[macro_export] macro_rules! m { () => {}; } macro_rules! n { () => {}; }", ["m"]),
    ("#[cfg(test)] pub mod tests { pub fn f() {} }", []),
    ("pub mod a { pub use super::b; } pub mod b { pub use super::a; pub fn f() {} }", ["a.b.f", "b.f"]),
    ("mod b { pub struct S; } pub use b::S; mod c { impl crate::b::S { pub fn m() {} } }", ["S", "S.m"]),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), OFFERED)
def test_what_is_public_on_a_way_from_the_root_is_offered(source: str, expected: list[str]) -> None:
    assert names(Kind.API, {**MANIFEST, "src/lib.rs": source}) == expected
    assert gaps(Kind.API, {**MANIFEST, "src/lib.rs": source}) == []


def test_members_are_told_where_they_are_written() -> None:
    files = {
        **MANIFEST,
        "src/lib.rs": "mod a; mod b; pub use a::S;",
        "src/a.rs": "pub struct S;",
        "src/b.rs": "use crate::a::S; impl S { pub fn m() {} }",
    }
    assert [(one.file, one.name) for one in facts(Kind.API, files)] == [("src/a.rs", "S"), ("src/b.rs", "S.m")]


@pytest.mark.parametrize("file", ["src/main.rs", "src/other.rs", "tests/t.rs"])
def test_only_libraries_offer_something(file: str) -> None:
    assert names(Kind.API, {**MANIFEST, file: "pub fn f() {}"}) == []


def test_a_library_without_a_manifest_is_told_by_its_name() -> None:
    assert names(Kind.API, {"x/lib.rs": "pub fn f() {}", "x/other.rs": "pub fn g() {}"}) == ["f"]


OPEN = [
    ("pub use std::io::*;", [None]),
    ("pub use crate::nowhere::X;", ["X"]),
    ("pub mod a;", [None]),
    ("elsewhere::made!();", [None]),
    ("pub struct S; impl S { elsewhere::made!(); }", [None]),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("source", "expected"), OPEN)
def test_what_comes_from_where_nobody_reads_leaves_the_api_open(source: str, expected: list[str | None]) -> None:
    assert [one.name for one in gaps(Kind.API, {**MANIFEST, "src/lib.rs": source})] == expected


SAME = [
    ("pub fn f(a: u8) -> u8 { 1 }", "pub fn f(b: u8) -> u8 { 2 }"),
    ("pub struct S { pub a: u8, b: u8 }", "pub struct S { pub a: u8, c: u16 }"),
    ("pub const C: u8 = 1;", "pub const C: u8 = 2;"),
    ("pub trait T { fn m() { 1 } }", "pub trait T { fn m() { 2 } }"),
    ("#[inline] pub fn f() {}", "#[allow(dead_code)] pub fn f() {}"),
    ("#[macro_export] macro_rules! m { ($a:expr) => { 1 }; }", "#[macro_export] macro_rules! m { ($a:expr) => { 2 }; }"),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_signature_does_not_change_with_what_stands_below_it(one: str, other: str) -> None:
    told = [[fact.fingerprint for fact in facts(Kind.API, {**MANIFEST, "src/lib.rs": text})] for text in (one, other)]
    assert told[0] == told[1] != []


DIFFERENT = [
    ("pub fn f(a: u8) {}", "pub fn f(a: u16) {}"),
    ("pub fn f() {}", "pub const fn f() {}"),
    ("pub fn f<T: A>() {}", "pub fn f<T: B>() {}"),
    ("pub struct S { pub a: u8 }", "pub struct S { pub a: u8, b: u8 }"),
    ("pub struct S(pub u8);", "pub struct S(u8);"),
    ("pub enum E { A }", "pub enum E { A, B }"),
    ("pub enum E { A }", "#[non_exhaustive] pub enum E { A }"),
    ("pub struct S;", "#[derive(Clone)] pub struct S;"),
    ("pub trait T { fn m(); }", "pub trait T { fn m() {} }"),
    ("pub trait T { fn m(); }", "pub trait T { fn m(&self); }"),
    ("#[macro_export] macro_rules! m { ($a:expr) => {}; }", "#[macro_export] macro_rules! m { ($a:ident) => {}; }"),
    ("pub struct S; impl S { pub fn m(&self) {} }", "pub struct S; impl S { pub fn m(self) {} }"),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_others_rely_on_has_another_fingerprint(one: str, other: str) -> None:
    told = [
        [(fact.id, fact.fingerprint) for fact in facts(Kind.API, {**MANIFEST, "src/lib.rs": text})] for text in (one, other)
    ]
    assert [name for name, _ in told[0]] == [name for name, _ in told[1]]
    assert told[0] != told[1]


def test_members_of_one_of_several_types_are_a_gap_of_their_names() -> None:
    source = "#[cfg(a)] mod u; #[cfg(b)] mod w; #[cfg(a)] use u::S; #[cfg(b)] use w::S; impl S { pub fn m() {} fn n() {} }"
    files = {**MANIFEST, "src/lib.rs": source, "src/u.rs": "pub struct S;", "src/w.rs": "pub struct S;"}
    assert [one.words for one in gaps(Kind.API, files)] == [frozenset({"m"})]


def test_modules_that_are_offered_under_ever_more_names_end() -> None:
    files = {**MANIFEST, "src/lib.rs": "pub mod m { pub fn f() {} }" + "".join(f"pub use m as m{n};" for n in range(12))}
    assert [one.reason for one in read(files).blind] == ["a module is offered under more than 8 names"]
    assert len(names(Kind.API, files)) == 8
