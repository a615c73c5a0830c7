"""A test of Rust is of the file that its crate and its modules lead to."""

from __future__ import annotations

import pytest

from guardrails.contracts.test_reports.rust_tests import RustTests

TEXTS = {
    "Cargo.toml": '[package]\nname = "shop-core"\nedition = "2021"\n[[bin]]\nname = "cli"\npath = "src/cli.rs"\n',
    "src/lib.rs": "mod cart; #[cfg(test)] mod tests { #[test] fn adds() {} }",
    "src/cart.rs": "mod tests { #[test] fn adds() {} #[rstest] #[case(1)] fn many(#[case] n: u8) {} }",
    "src/cli.rs": "#[test] fn runs() {}",
    "src/bin/other.rs": "#[test] fn runs() {}",
    "tests/it.rs": "mod common; #[test] fn whole() {}",
    "tests/common/mod.rs": "#[test] fn inner() {}",
    "tests/deep/main.rs": "#[test] fn below() {}",
}
FILES = [
    ("shop-core", "tests::adds", ("src/lib.rs",)),
    ("shop-core", "cart::tests::adds", ("src/cart.rs",)),
    ("shop-core", "cart::tests::many::case_1", ("src/cart.rs",)),
    ("shop-core::bin/cli", "runs", ("src/cli.rs",)),
    ("shop-core::bin/other", "runs", ("src/bin/other.rs",)),
    ("shop-core::it", "whole", ("tests/it.rs",)),
    ("shop-core::it", "common::inner", ("tests/common/mod.rs",)),
    ("shop-core::deep", "below", ("tests/deep/main.rs",)),
    ("shop-core", "cart::tests::other", ()),
    ("shop-core::nowhere", "whole", None),
    ("another", "tests::adds", None),
    ("", "", None),
]


@pytest.mark.requirement("CC-14")
@pytest.mark.parametrize(("crate", "name", "expected"), FILES)
def test_a_test_is_of_the_file_of_its_module(crate: str, name: str, expected: tuple[str, ...] | None) -> None:
    assert RustTests(TEXTS).files(crate, name) == expected
