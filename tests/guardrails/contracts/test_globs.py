"""Patterns of paths in contracts (Change Contracts: intent and scope)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wcmatch import glob as peer

from guardrails.contracts.globs import fits, matches
from guardrails.paths import is_glob

FLAGS = peer.GLOBSTAR | peer.DOTGLOB | peer.CASE | peer.FORCEUNIX
TABLE = [
    ("src/**", "src/a", True),
    ("src/**", "src/a/b", True),
    ("src/**", "src", False),
    ("**/src/**", "a/src", False),
    ("**/src/**", "a/src/b", True),
    ("**/*.ts", "a.ts", True),
    ("**/*.ts", "x/y/a.ts", True),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**/b", "a/x/y/b/c", False),
    ("**", "any/thing", True),
    ("**/**", "a", True),
    ("src/*.ts", "src/n/a.ts", False),
    ("a/*", "a/b/c", False),
    ("*", ".env", True),
    ("*", "a/b", False),
    ("src/**", "src/.hidden/.x", True),
    ("file[1].ts", "file[1].ts", True),
    ("file[1].ts", "file1.ts", False),
    ("{a,b}.ts", "{a,b}.ts", True),
    ("{a,b}.ts", "a.ts", False),
    ("!x", "!x", True),
    ("!x", "y", False),
    ("a+b", "aab", False),
    ("src/**", "SRC/a", False),
    ("?.ts", "😀.ts", True),
    ("?.ts", "ab.ts", False),
    ("src/?", "src/", False),
    ("src/**", "src/a\nb", True),
    ("src/*", "src/a\nb", True),
    ("a*b*c", "a-b-b-c", True),
    ("a*b*c", "abd", False),
]


@pytest.mark.requirement("CC-05")
@pytest.mark.parametrize(("pattern", "path", "is_match"), TABLE)
def test_patterns_match_whole_paths_segment_by_segment(pattern: str, path: str, is_match: bool) -> None:
    assert matches(pattern, path) is is_match


@pytest.mark.requirement("CC-05")
def test_one_of_several_patterns_is_enough_and_none_is_not() -> None:
    assert fits(("a", "b/*"), "b/c")
    assert not fits(("a", "b/*"), "c")
    assert not fits((), "a")


_SEGMENTS = st.lists(st.text("ab*?", min_size=1, max_size=4), min_size=1, max_size=4)
_PATHS = st.lists(st.text("ab.", min_size=1, max_size=4), min_size=1, max_size=5).map("/".join)
_GLOBS = st.lists(st.one_of(st.just("**"), st.text("ab.*?", min_size=1, max_size=4)), min_size=1, max_size=4).map("/".join)


@pytest.mark.requirement("CC-05")
@given(_GLOBS.filter(is_glob), _PATHS)
@example("a/**/**", "a/b")
@example("**/a", "a")
def test_another_matcher_says_the_same(pattern: str, path: str) -> None:
    if any(segment in {".", ".."} for segment in path.split("/")):
        return
    assert matches(pattern, path) is peer.globmatch(path, pattern, flags=FLAGS)


def test_many_stars_take_no_time_that_grows_without_end() -> None:
    assert not matches("*a" * 200, "a" * 200 + "b" * 200)
    assert not matches("/".join(["**", "a"] * 60), "/".join(["a"] * 200 + ["b"]))
