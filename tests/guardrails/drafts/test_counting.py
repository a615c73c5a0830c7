"""What a summary counts agrees with its items; words that count something else are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts import counting, summing
from guardrails.drafts.counting import without_counts
from guardrails.drafts.envelope import KINDS
from guardrails.drafts.sourced import Sentence
from guardrails.findings import Severity

NINE = ["breaking", "feature", *["improvement"] * 4, *["bug_fix"] * 3]
SEED = "Nine changes: three fixes, four improvements, one new export format, one breaking API change"


def found(text: str, kinds: list[str]) -> list[tuple[str, Severity]]:
    return [(finding.code, finding.severity) for finding in counting.check("summary.short_md", text, kinds)]


@pytest.mark.requirement("DC-16")
@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (SEED, NINE),
        ("9 changes: 3 fixes, 4 improvements, a new export format and a breaking API change", NINE),
        ("This release has nine changes, among them one breaking API change", NINE),
        ("Nine changes: three fixes and more, one of them breaking", NINE),
        ("Three changes: two fixes and a docs update", ["bug_fix", "bug_fix", "docs"]),
        ("Three changes: three fixes", ["security", "bug_fix", "bug_fix"]),
        ("Three changes: one security fix, two fixes", ["security", "bug_fix", "bug_fix"]),
        ("Two changes: one new security scanner, one fix", ["feature", "bug_fix"]),
        ("Two changes: two migrations", ["ops", "ops"]),
        ("No breaking changes; two fixes, one improvement", ["bug_fix", "bug_fix", "improvement"]),
        ("Adds three features to the export", ["feature"]),
        ("Retries after 30 seconds", ["improvement"]),
        ("", ["docs"]),
    ],
)
def test_counts_that_fit_are_let_through(text: str, kinds: list[str]) -> None:
    assert found(text, kinds) == []


@pytest.mark.requirement("DC-16")
@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (SEED.replace("Nine", "Eight"), NINE),
        (SEED.replace("three fixes", "four fixes"), NINE),
        (SEED.replace("three fixes, four improvements", "four fixes, three improvements"), NINE),
        (SEED.replace("one breaking", "two breaking"), NINE),
        ("10 changes, one of them breaking", NINE),
        ("Two changes: one security fix, one fix", ["bug_fix", "bug_fix"]),
        ("Two changes: one breaking change, one fix", ["bug_fix", "bug_fix"]),
    ],
)
def test_counts_that_do_not_fit_are_refused(text: str, kinds: list[str]) -> None:
    assert ("count-differs", Severity.ERROR) in found(text, kinds)


def test_without_a_number_of_all_changes_a_wrong_count_only_warns() -> None:
    assert found("Four fixes and one improvement", ["bug_fix", "improvement"]) == [("count-differs", Severity.WARNING)]


@pytest.mark.requirement("DC-16")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CSV export and better filters", False),
        ("CSV export; the v1 endpoint is removed", True),
        ("CSV export, one breaking change", True),
        ("v1 callers must move to v2", True),
    ],
)
def test_danger_is_said_where_an_item_is_breaking(text: str, said: bool) -> None:
    assert found(text, ["breaking", "feature"]) == ([] if said else [("danger-unsaid", Severity.WARNING)])


@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=40))
def test_what_we_count_ourselves_fits(kinds: list[str]) -> None:
    items = [summing.Item(kind, Sentence("Title", ("C1",)), None) for kind in kinds]
    assert found(summing.short(items).text, kinds) == []


@given(text=st.text(alphabet="two three fixes changes: breaking, new 9", max_size=200), kinds=st.lists(st.sampled_from(KINDS)))
def test_any_text_is_counted(text: str, kinds: list[str]) -> None:
    assert {code for code, _ in found(text, kinds)} <= {"count-differs", "danger-unsaid"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("14 changes: 11 fixes, 3 new features", "changes: fixes, new features"),
        ("Nine changes: three fixes, one breaking change", "changes: fixes, one breaking change"),
        ("Includes 12 further changes", "Includes further changes"),
        ("Two further changes are listed.", ""),
        ("Two changes in this range", ""),
        ("Six changes in all.", ""),
        ("Two callers change", "Two callers change"),
        ("Further changes are listed.", "Further changes are listed."),
        ("15 changes in 3 files take 20 ms", "15 changes in 3 files take 20 ms"),
        ("Limits uploads to 10 MB", "Limits uploads to 10 MB"),
    ],
)
def test_numbers_that_count_changes_are_told_from_others(text: str, left: str) -> None:
    assert without_counts(text, 14) == left
