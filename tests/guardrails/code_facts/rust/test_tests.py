"""Which tests Rust defines, and of which it cannot be told."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import gaps, names, read

TESTS = [
    ("#[test] fn a() {} #[cfg(test)] mod tests { #[test] fn b() {} }", ["a", "b"]),
    ('#[tokio::test(flavor = "x")] async fn a() {} #[async_std::test] async fn b() {}', ["a", "b"]),
    ("#[test] #[should_panic] fn a() {} #[test] #[cfg_attr(miri, ignore)] fn b() {}", ["a", "b"]),
    ('#[test]\n#[ignore] fn a() {} #[test] #[ignore = "slow"] fn b() {}', []),
    ("#[rstest] fn a(x: u8) {} #[quickcheck] fn b(x: u8) -> bool { true }", ["a", "b"]),
    ("fn test_a() {} #[bench] fn b(x: &mut B) {} #[inline] fn c() {}", []),
    ("fn f() { #[test] fn inner() {} }", []),
    ('const S: &str = "#[test] fn a() {}";', []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), TESTS)
def test_tests_are_the_functions_that_an_attribute_makes_so(source: str, expected: list[str]) -> None:
    assert names(Kind.TEST_DEFINITION, {"src/lib.rs": source}) == expected
    assert gaps(Kind.TEST_DEFINITION, {"src/lib.rs": source}) == []


TABLES = [
    "#[rstest] #[case(1)] fn a(#[case] x: u8) {}",
    "#[rstest] fn a(#[values(1, 2)] x: u8) {}",
    "#[test_case(1)] fn a(x: u8) {}",
]


@pytest.mark.parametrize("source", TABLES)
def test_names_that_a_table_makes_leave_the_tests_of_a_file_open(source: str) -> None:
    assert names(Kind.TEST_DEFINITION, {"src/lib.rs": source}) == ["a"]
    assert [one.name for one in gaps(Kind.TEST_DEFINITION, {"src/lib.rs": source})] == [None]


MAYBE = ["#[wasm_bindgen_test] fn a() {}", "#[cfg_attr(not(miri), test)] fn a() {}"]


@pytest.mark.parametrize("source", MAYBE)
def test_what_may_be_a_test_is_a_gap_of_its_name(source: str) -> None:
    assert [one.name for one in read({"src/lib.rs": source}).blind if Kind.TEST_DEFINITION in one.kinds] == ["a"]


MANIFEST = '[package]\nname = "n"\nedition = "2021"\n'
RUN = [
    (MANIFEST, "src/lib.rs", ["t"]),
    (MANIFEST, "src/bin/x.rs", ["t"]),
    (MANIFEST, "tests/x.rs", ["t"]),
    (MANIFEST, "tests/x/main.rs", ["t"]),
    (MANIFEST, "src/unreached.rs", []),
    (MANIFEST, "examples/x.rs", []),
    (MANIFEST, "build.rs", []),
    (MANIFEST + "[lib]\ntest = false\n", "src/lib.rs", []),
    (MANIFEST + '[[test]]\nname = "x"\nharness = false\n', "tests/x.rs", []),
    (MANIFEST + "autotests = false\n", "tests/x.rs", []),
    (MANIFEST + 'autotests = false\n[[test]]\nname = "x"\npath = "more/y.rs"\n', "more/y.rs", ["t"]),
    (MANIFEST + '[[example]]\nname = "x"\ntest = true\n', "examples/x.rs", ["t"]),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("manifest", "file", "expected"), RUN)
def test_tests_count_in_crates_that_are_run_as_tests(manifest: str, file: str, expected: list[str]) -> None:
    files = {"Cargo.toml": manifest, file: "#[test] fn t() {}"}
    assert names(Kind.TEST_DEFINITION, files) == expected
    assert [one.name for one in read(files).blind if Kind.TEST_DEFINITION in one.kinds] == [
        name for name in ["t"] if not expected
    ]


def test_examples_in_comments_are_told_as_not_read_and_block_nothing() -> None:
    files = {"src/lib.rs": "//! ```\n//! f();\n//! ```\nfn f() {}"}
    assert [one.reason for one in read(files).blind if Kind.TEST_DEFINITION in one.kinds] == [
        "examples in comments are tests that nobody reads"
    ]
    assert gaps(Kind.TEST_DEFINITION, files) == []
