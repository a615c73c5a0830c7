"""A test of Rust is of the file that its crate and its modules lead to."""

from __future__ import annotations

import pytest

from guardrails.contracts.test_reports import READERS, Outcome, Places
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


def nextest(*cases: tuple[str, str, str]) -> list[tuple[str, str, str, Outcome]]:
    """What is read of a report of nextest, which names every suite and class by the crate."""
    told = "".join(
        f'<testsuite name="{crate}" tests="1" disabled="0" errors="0" failures="0"><testcase name="{name}" classname="{crate}" '
        f'timestamp="2026-12-01T10:00:00.000+00:00" time="0.1">{inner}</testcase></testsuite>'
        for crate, name, inner in cases
    )
    whole = f'<testsuites name="nextest-run" tests="{len(cases)}" timestamp="2026-12-01T10:00:00.000+00:00">{told}</testsuites>'
    report = READERS["junit"](whole.encode(), Places("/home/dev/shop", frozenset(TEXTS), TEXTS))
    return [(run.file, run.scenario, run.title, run.outcome) for run in report.runs]


@pytest.mark.requirement("CC-14")
def test_a_report_of_nextest_names_files_by_crates_and_modules() -> None:
    told = nextest(("shop-core", "cart::tests::adds", ""), ("shop-core::it", "whole", "<flakyFailure/>"))
    assert told == [
        ("src/cart.rs", "cart::tests::adds", "adds", Outcome.PASSED),
        ("tests/it.rs", "whole", "whole", Outcome.INCONCLUSIVE),
    ]


@pytest.mark.requirement("CC-14")
def test_a_test_that_no_text_defines_shows_nothing() -> None:
    told = nextest(("shop-core", "cart::made_by_a_macro", ""), ("shop-core::it", "made", ""))
    assert told == [
        ("src/lib.rs", "cart::made_by_a_macro", "made_by_a_macro", Outcome.INCONCLUSIVE),
        ("tests/it.rs", "made", "made", Outcome.INCONCLUSIVE),
    ]
