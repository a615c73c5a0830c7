"""What a proposed contract allows to be touched, and how much (Change Contracts: intent and scope, schema 0.3).

Few paths are named exactly. Of more than twelve, each folder in which three or more files change is named as `folder/*`; if
that leaves too many, whole folders are: first two levels deep, then one. Files beside all folders stay as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from guardrails.evidence.roles import Role, role
from guardrails.paths import is_glob

_FEW: Final = 12
_MANY_IN_FOLDER: Final = 3
_STEP_OF_FILES: Final = 5
_STEPS_OF_LINES: Final = ((1_000, 50), (10_000, 500))
_LARGE_STEP: Final = 5_000
_COMPANIONS: Final = frozenset({Role.TESTS, Role.DOCUMENTATION, Role.GENERATED})
_UNNAMED: Final = re.compile(r"[\x00-\x1f\x7f\\*:~]")


def is_companion(path: str) -> bool:
    """Whether a path goes along with a change: a test, a document or a changelog, or what is generated."""
    return role(path) in _COMPANIONS


def globs(paths: Iterable[str]) -> tuple[str, ...]:
    """Patterns that all of these paths fit, in order."""
    all_ = sorted(set(paths))
    named = tuple(dict.fromkeys(filter(is_glob, map(_literal, all_))))
    if len(named) <= _FEW:
        return named
    by_folder = _by_folder(all_)
    if len(by_folder) <= _FEW:
        return by_folder
    two_deep = _by_depth(all_, 2)
    return two_deep if len(two_deep) <= _FEW else _by_depth(all_, 1)


def rounded_files(count: int) -> int:
    """A budget of files: the next multiple of five."""
    return _up(count, _STEP_OF_FILES)


def rounded_lines(count: int) -> int:
    """A budget of lines: the next multiple of fifty, above a thousand of five hundred, above ten thousand of five thousand."""
    return _up(count, next((step for limit, step in _STEPS_OF_LINES if count <= limit), _LARGE_STEP))


def _up(count: int, step: int) -> int:
    return max(1, -(-count // step)) * step


def _by_folder(paths: Sequence[str]) -> tuple[str, ...]:
    counted = Counter(path.rpartition("/")[0] for path in paths)
    named = (
        _literal(path) if not folder or counted[folder] < _MANY_IN_FOLDER else f"{_literal(folder)}/*"
        for path in paths
        for folder in (path.rpartition("/")[0],)
    )
    return tuple(dict.fromkeys(filter(is_glob, named)))


def _by_depth(paths: Sequence[str], depth: int) -> tuple[str, ...]:
    named = []
    for path in paths:
        folders = path.split("/")[:-1]
        named.append(f"{_literal('/'.join(folders[:depth]))}/**" if folders else _literal(path))
    return tuple(dict.fromkeys(filter(is_glob, named)))


def _literal(path: str) -> str:
    """A path as a pattern; what a pattern cannot hold as it is stands as any one character."""
    return _UNNAMED.sub("?", path)
