"""The patterns of a proposed contract: every path fits, few are exact, many are named by folder; budgets are rounded up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.contracts.globs import fits
from guardrails.paths import is_glob
from guardrails.resolving.proposals.scoping import globs, is_companion, rounded_files, rounded_lines

pytestmark = pytest.mark.requirement("CC-05")
SEGMENTS = st.text("abc*?:~\\ .", min_size=1, max_size=4).filter(lambda text: text.strip(". ") not in {"", ".."})
PATHS = st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join)


@given(st.lists(PATHS, max_size=40))
def test_every_path_fits_and_every_pattern_is_one(paths: list[str]) -> None:
    named = globs(paths)
    assert all(is_glob(one) for one in named)
    assert all(fits(named, path) for path in paths)
    assert named == globs(reversed(paths))


def test_few_paths_are_named_exactly() -> None:
    paths = [f"src/{name}.py" for name in "abcdefghijkl"]
    assert globs(paths) == tuple(paths)


@pytest.mark.parametrize(
    ("paths", "named"),
    [
        (
            [*(f"src/{n}.py" for n in range(12)), "lib/one.py", "lib/two.py", "setup.py"],
            ("lib/one.py", "lib/two.py", "setup.py", "src/*"),
        ),
        ([f"src/{folder}/{n}.py" for folder in range(13) for n in range(3)], ("src/**",)),
        ([f"src/a/{n}/x.py" for n in range(13)], ("src/a/**",)),
        ([f"src/{n}/{m}/x.py" for n in range(13) for m in range(2)], ("src/**",)),
    ],
)
def test_many_are_named_by_folder(paths: list[str], named: tuple[str, ...]) -> None:
    found = globs(paths)
    assert found == named
    assert all(fits(found, path) for path in paths)
    assert not fits(found, "other/x.py")


def test_files_beside_all_folders_stay_exact() -> None:
    found = globs([*(f"src/{n}/x.py" for n in range(20)), "README.md"])
    assert found == ("README.md", "src/**")


@pytest.mark.parametrize("path", ["tests/test_a.py", "docs/a.md", "CHANGELOG.md", "poetry.lock", "src/__tests__/a.test.ts"])
def test_tests_documents_and_what_is_generated_go_along(path: str) -> None:
    assert is_companion(path)


@pytest.mark.parametrize("path", ["src/a.py", "pyproject.toml", ".github/workflows/ci.yml", "Makefile"])
def test_what_users_meet_and_what_builds_it_does_not(path: str) -> None:
    assert not is_companion(path)


@pytest.mark.parametrize(("count", "budget"), [(0, 5), (1, 5), (5, 5), (6, 10), (23, 25)])
def test_files_are_rounded_up(count: int, budget: int) -> None:
    assert rounded_files(count) == budget


@pytest.mark.parametrize(
    ("count", "budget"), [(0, 50), (1, 50), (50, 50), (51, 100), (1_000, 1_000), (1_001, 1_500), (10_001, 15_000)]
)
def test_lines_are_rounded_up_in_steps_that_grow(count: int, budget: int) -> None:
    assert rounded_lines(count) == budget


@given(st.integers(0, 10**9))
def test_a_budget_is_never_less_than_what_is_there(count: int) -> None:
    assert rounded_files(count) >= max(1, count)
    assert rounded_lines(count) >= max(1, count)
