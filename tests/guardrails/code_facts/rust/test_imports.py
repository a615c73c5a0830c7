"""What Rust imports, and on which files it depends by imports, paths, modules and manifests."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import ends, facts, gaps, names

IMPORTS = [
    ("use std::fmt;", ["std::fmt"]),
    ("use a::{self, b as c, d::*, e::{f, g as _}};", ["a", "a::b", "a::d::*", "a::e::f", "a::e::g"]),
    ("pub use ::x::y; pub(crate) use self::z; use super::w;", ["::x::y", "self::z", "super::w"]),
    ("use {p::q, r};", ["p::q", "r"]),
    ("extern crate foo as bar;", ["foo"]),
    ("fn f() { use a::b; } mod m { use c::d; }", ["a::b", "c::d"]),
    ("use a::r#type;", ["a::type"]),
    ('// use a::b;\nconst S: &str = "use c::d;";', []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), IMPORTS)
def test_each_name_is_told_by_its_whole_path(source: str, expected: list[str]) -> None:
    assert names(Kind.IMPORT, {"m.rs": source}) == expected
    assert gaps(Kind.IMPORT, {"m.rs": source}) == []


CARGO = """
[package]
name = "own-name"
edition = "2021"
[dependencies]
serde = "1"
other = { path = "other" }
renamed = { package = "third-crate", path = "third" }
shared = { workspace = true }
[target.'cfg(unix)'.dev-dependencies]
libc = "1"
[workspace]
members = ["other", "third", "shared"]
[workspace.dependencies]
shared = { path = "shared" }
"""
TREE = {
    "Cargo.toml": CARGO,
    "src/lib.rs": "pub mod a;\nmod b;\npub mod inline { pub mod deep; }\n#[macro_use] mod made;\n",
    "src/a.rs": "pub mod c; mod probe;\npub fn f() {}",
    "src/a/c.rs": "pub struct T;",
    "src/b/mod.rs": "pub mod d; pub struct T; pub fn x() {}",
    "src/b/d.rs": "pub fn x() {}",
    "src/inline/deep.rs": "pub const X: u8 = 1;",
    "src/made.rs": "#[macro_export] macro_rules! made { () => { $crate::b::d::x() }; }",
    "src/main.rs": "use own_name::a::c::T;",
    "other/Cargo.toml": '[package]\nname = "other"\n[lib]\nname = "other_lib"\n',
    "other/src/lib.rs": "pub mod m;",
    "other/src/m.rs": "pub struct X;",
    "third/Cargo.toml": '[package]\nname = "third-crate"\n',
    "third/src/lib.rs": "",
    "shared/Cargo.toml": '[package]\nname = "shared"\n',
    "shared/src/lib.rs": "pub struct Y;",
}
PROBE = "src/a/probe.rs"
LED = [
    ("use crate::b::d;", ["src/b/d.rs"]),
    ("use super::f; use super::super::b;", ["src/a.rs", "src/b/mod.rs"]),
    ("mod m { use super::super::super::b; use super::super::probe; }", ["src/b/mod.rs"]),
    ("fn f() { crate::a::f(); crate::inline::deep::X }", ["src/a.rs", "src/inline/deep.rs"]),
    ("fn f(x: crate::b::T) {} #[cfg(test)] mod tests { use super::*; }", ["src/b/mod.rs"]),
    ("use super::c; use c::T; fn f() { c::T; }", ["src/a/c.rs"]),
    (
        "use serde::de; use std::fmt; fn f() { libc::getpid(); core::mem::drop(1) }",
        ["external:core", "external:libc", "external:serde", "external:std"],
    ),
    ("use undeclared::x; extern crate alloc;", ["external:alloc", "external:undeclared"]),
    ("use other_lib::m::X; use renamed as r; use shared::Y;", ["other/src/m.rs", "shared/src/lib.rs", "third/src/lib.rs"]),
    ('fn f() { println!("{}", crate::b::d::x()); info!(crate::a::f()); }', ["src/a.rs", "src/b/d.rs"]),
    ("fn f() { made!() }", ["src/made.rs"]),
    ("fn f() { crate::made!() }", ["src/made.rs"]),
    ("fn f() { quote! { crate::b::d }; }", []),
    ('const S: &str = include_str!("../x/words.txt");', ["src/x/words.txt"]),
    ("#[serde::flag] struct S;", ["external:serde"]),
    ("fn f() { use crate::b as here; here::x(); }", ["src/b/mod.rs"]),
    ("fn f(b: u8) { u8::max(b, 1); Self::x(); T::y() }", []),
    ("pub(in crate::b) fn f() {}", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), LED)
def test_paths_lead_to_the_files_of_modules_and_to_crates(source: str, expected: list[str]) -> None:
    files = {**TREE, PROBE: source}
    assert [end for start, end in ends(Kind.DEPENDENCY, files) if start == PROBE] == expected
    assert gaps(Kind.DEPENDENCY, files) == []


def test_modules_and_programs_depend_on_what_they_hold_and_name() -> None:
    told = ends(Kind.DEPENDENCY, {**TREE, PROBE: ""})
    assert told == [
        ("other/src/lib.rs", "other/src/m.rs"),
        ("src/a.rs", "src/a/c.rs"),
        ("src/a.rs", PROBE),
        ("src/b/mod.rs", "src/b/d.rs"),
        ("src/lib.rs", "src/a.rs"),
        ("src/lib.rs", "src/b/mod.rs"),
        ("src/lib.rs", "src/inline/deep.rs"),
        ("src/lib.rs", "src/made.rs"),
        ("src/made.rs", "src/b/d.rs"),
        ("src/main.rs", "src/a/c.rs"),
    ]


OPEN = [
    "use crate::nowhere::x;",
    "use super::super::super::super::x;",
    "fn f() { crate::nowhere::x() }",
    "mod nowhere;",
    'include!(concat!(env!("OUT_DIR"), "/made.rs"));',
    'include!("/abs.rs");',
    "fn f() { mod inner { use super::x; } }",
    '#[cfg_attr(unix, path = "c.rs")] mod c;',
    "other::made!();",
    "macro_rules! m { () => { use a::b; }; }",
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("source", OPEN)
def test_what_the_snapshot_does_not_decide_leaves_dependencies_open(source: str) -> None:
    found = gaps(Kind.DEPENDENCY, {**TREE, PROBE: source})
    assert {one.file for one in found} == {PROBE}


PLACES = [
    ({"src/lib.rs": '#[path = "x/y.rs"] mod a;', "src/x/y.rs": "mod b;", "src/x/b.rs": ""}, "src/x/y.rs", "src/x/b.rs"),
    ({"src/lib.rs": "mod a;", "src/a.rs": '#[path = "z.rs"] mod b;', "src/z.rs": ""}, "src/a.rs", "src/z.rs"),
    ({"src/lib.rs": "mod a;", "src/a.rs": 'mod i { #[path = "z.rs"] mod b; }', "src/a/i/z.rs": ""}, "src/a.rs", "src/a/i/z.rs"),
    ({"src/bin/x.rs": "mod y;", "src/bin/y.rs": ""}, "src/bin/x.rs", "src/bin/y.rs"),
    ({"tests/it/main.rs": "mod y;", "tests/it/y.rs": ""}, "tests/it/main.rs", "tests/it/y.rs"),
    ({"tests/t.rs": "mod common;", "tests/common/mod.rs": ""}, "tests/t.rs", "tests/common/mod.rs"),
    ({"lib/loose.rs": "mod y;", "lib/loose/y.rs": ""}, "lib/loose.rs", "lib/loose/y.rs"),
    ({"lib/loose.rs": "mod y;", "lib/y.rs": ""}, "lib/loose.rs", "lib/y.rs"),
]


@pytest.mark.parametrize(("files", "origin", "target"), PLACES)
def test_files_of_modules_lie_where_the_language_looks_for_them(files: dict[str, str], origin: str, target: str) -> None:
    told = {**files, "Cargo.toml": '[package]\nname = "n"\nedition = "2021"\n'}
    assert (origin, target) in ends(Kind.DEPENDENCY, told)
    assert gaps(Kind.DEPENDENCY, told) == []


def test_a_use_of_the_first_edition_begins_at_the_root_of_its_crate() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "n"\n',
        "src/lib.rs": "mod a; mod b;",
        "src/a.rs": "use b::x;",
        "src/b.rs": "fn x() {}",
    }
    assert ("src/a.rs", "src/b.rs") in ends(Kind.DEPENDENCY, files)
    newer = {**files, "Cargo.toml": '[package]\nname = "n"\nedition = "2018"\n'}
    assert ("src/a.rs", "external:b") in ends(Kind.DEPENDENCY, newer)


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("text", ["[", "[package]\n" + "a." * 300 + "b = 1", "a = " + "[" * 5_000])
def test_a_manifest_that_cannot_be_read_is_told_for_its_folder(text: str) -> None:
    for kind in (Kind.DEPENDENCY, Kind.RESOLVED_CALL, Kind.API):
        found = gaps(kind, {"x/Cargo.toml": text, "x/src/lib.rs": "", "y/src/lib.rs": ""})
        assert [(one.file, one.folder) for one in found] == [(None, "x")]


def test_files_that_include_each_other_end() -> None:
    files = {"src/lib.rs": '#[path = "a.rs"] mod a;', "src/a.rs": '#[path = "lib.rs"] mod b; #[path = "a.rs"] mod c;'}
    assert facts(Kind.DEPENDENCY, files)
