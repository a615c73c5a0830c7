"""What macros may make is a gap of the words that they are written in, or of all names where they are of elsewhere."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import gaps, read

OWN = """
macro_rules! made { ($n:ident) => { struct $n; impl $n { fn get() { inner!(); } } }; }
macro_rules! inner { () => { fn deep() {} }; }
"""
KNOWN = ["made!(Foo);", "mod m { made!(Foo); }", "crate::made!(Foo);"]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("source", KNOWN)
def test_a_macro_of_the_crate_may_make_what_its_words_make(source: str) -> None:
    found = [one.words or frozenset() for one in gaps(Kind.SYMBOL, {"src/lib.rs": OWN + source})]
    assert len(found) == 1
    assert found[0] >= {"Foo", "get", "deep"}
    assert "other" not in found[0]


ELSEWHERE = [
    ("bitflags! { struct A: u8 {} }", ()),
    ("use other::made; made!(Foo);", ()),
    ("mod m { other::made!(Foo); }", ("m.",)),
    ("impl A { other::made!(); }", ("A.",)),
    ("macro_rules! made { () => { other::more!(); }; } made!();", ()),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("source", "below"), ELSEWHERE)
def test_a_macro_of_elsewhere_may_make_anything_below_the_names_around_it(source: str, below: tuple[str, ...]) -> None:
    assert [(one.words, one.below) for one in gaps(Kind.SYMBOL, {"src/lib.rs": source})] == [(None, below)]


PLAIN = [
    'fn f() { println!("a"); vec![1]; log::info!("a"); assert!(true); }',
    'compile_error!("a");',
    "thread_local! { static X: u8 = 1; }",
    "const_assert!(1 == 1);",
    'fn f() { json!({ "a": 1 }); }',
]


@pytest.mark.parametrize("source", PLAIN)
def test_macros_that_make_no_items_leave_nothing_open(source: str) -> None:
    assert gaps(Kind.SYMBOL, {"src/lib.rs": source}) == []


def test_what_a_block_may_declare_is_at_least_written_in_what_is_given() -> None:
    (found,) = gaps(Kind.SYMBOL, {"src/lib.rs": "fn f() { other::made! { fn inner() {} } }"})
    assert found.words == frozenset({"fn", "inner"})


def test_derives_of_others_are_told_and_block_nothing() -> None:
    files = {"src/lib.rs": "#[derive(Builder)] struct S;"}
    assert [one.is_blocking for one in read(files).blind if Kind.SYMBOL in one.kinds] == [False]
