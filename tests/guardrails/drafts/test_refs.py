"""A reference by itself: its path, range, sha and note can be what they are to be, or it is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts import refs
from guardrails.findings import Severity

PATHS = ["", "/a", "~/a", "C:/a", "a\\b", "./a", "a/../b", "a//b", "a/", ".", "a\nb", "..", "a/."]
RANGES = ["", "0", "0-4", "01", "4-", "-4", "4-3", "4 - 5", "4,5", "L4", "4-5-6", "4:5", "1.5", "٣", "9" * 10]
SHAS = ["", "9f2c1a", "9F2C1AB", "9f2c1ag", "a" * 65, "HEAD", "main", "9f2c1ab\n"]


def codes(
    path: str = "src/a.ts", range_: str | None = "4-5", sha: str | None = "9f2c1ab", note: str | None = None
) -> list[str]:
    return [finding.code for finding in refs.check("change.refs[0]", path, range_, sha, note)]


@pytest.mark.requirement("DC-09")
@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_no_tree_has_is_refused(path: str) -> None:
    assert codes(path=path) == ["ref-path"]


@pytest.mark.requirement("DC-09")
@pytest.mark.parametrize("path", ["a", ".gitignore", "a b/ü.md", "..a/b", "a..b", "ab:c", "src/[id]/page.tsx"])
def test_a_path_as_git_writes_it_is_let_through(path: str) -> None:
    assert codes(path=path) == []


@pytest.mark.requirement("DC-10")
@pytest.mark.parametrize("range_", RANGES)
def test_what_is_no_range_is_refused(range_: str) -> None:
    assert codes(range_=range_) == ["ref-range"]


@pytest.mark.requirement("DC-10")
@pytest.mark.parametrize("range_", ["1", "22", "41-78", "4-4", None])
def test_a_range_is_a_line_or_two_in_order(range_: str | None) -> None:
    assert codes(range_=range_) == []


@pytest.mark.requirement("DC-11")
@pytest.mark.parametrize("sha", SHAS)
def test_what_is_no_object_name_is_refused(sha: str) -> None:
    assert codes(sha=sha) == ["ref-sha"]


@pytest.mark.requirement("DC-11")
def test_a_range_without_a_sha_is_warned_of_and_a_path_alone_is_not() -> None:
    assert [(one.code, one.severity) for one in refs.check("", "a", "4", None, None)] == [("ref-without-sha", Severity.WARNING)]
    assert codes(range_=None, sha=None) == []


@given(path=st.text(max_size=20), range_=st.text(max_size=8) | st.none(), sha=st.text(max_size=8) | st.none())
def test_any_reference_is_judged(path: str, range_: str | None, sha: str | None) -> None:
    assert set(codes(path, range_, sha)) <= {"ref-path", "ref-range", "ref-sha", "ref-without-sha"}
