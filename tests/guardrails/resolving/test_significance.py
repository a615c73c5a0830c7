"""Items stand by significance: breaking, security, then the size of what users notice; never in the order of commits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.evidence.model import Commit
from guardrails.resolving.grouping.grouping import group
from guardrails.resolving.grouping.significance import ordered
from tests.guardrails.resolving.building import bundle, commit
from tests.guardrails.resolving.changes import NUMBERED


def sized(number: int, name: str, lines: int, path: str = "") -> Commit:
    plain = commit(number, f"{name} does what it did not do before", path or f"src/{name}.py")
    return replace(plain, files=tuple(replace(file, added=lines) for file in plain.files))


def order(kinds: dict[str, str | None], *commits: Commit) -> list[str]:
    history = bundle(*commits)
    groups = group(history, NUMBERED).groups
    subjects = {one.id: one.subject.split(" ")[0] for one in commits}
    names = {one.key: subjects[one.commits[0]] for one in groups}
    return [names[key] for key in ordered(groups, {key: kinds.get(name) for key, name in names.items()}, history)]


CASES: dict[str, tuple[dict[str, str | None], list[Commit], list[str]]] = {
    "breaking, then security, whatever their size": (
        {"big": "feature", "safe": "security", "gone": "breaking"},
        [sized(1, "big", 5000), sized(2, "safe", 2), sized(3, "gone", 1)],
        ["gone", "safe", "big"],
    ),
    "what changes more of the program": (
        {"small": "feature", "large": "bug_fix"},
        [sized(1, "small", 3), sized(2, "large", 300)],
        ["large", "small"],
    ),
    "a few lines more are not noticed": (
        {"fix": "bug_fix", "new": "feature"},
        [sized(1, "fix", 38), sized(2, "new", 33)],
        ["new", "fix"],
    ),
    "tests do not count": (
        {"tested": "feature", "plain": "feature"},
        [sized(1, "tested", 900, "tests/test_x.py"), sized(2, "plain", 4)],
        ["plain", "tested"],
    ),
    "operations and documentation come last": (
        {"ops": "ops", "docs": "docs", "fix": "bug_fix"},
        [sized(1, "docs", 900, "docs/x.md"), sized(2, "ops", 900), sized(3, "fix", 1)],
        ["fix", "ops", "docs"],
    ),
    "an unknown kind counts as noticed": (
        {"ops": "ops", "new": None},
        [sized(1, "ops", 900), sized(2, "new", 2)],
        ["new", "ops"],
    ),
    "where all is equal, what began earlier": (
        {"one": "feature", "two": "feature"},
        [sized(1, "one", 8), sized(2, "two", 8)],
        ["one", "two"],
    ),
}


@pytest.mark.requirement("DC-17")
@pytest.mark.parametrize(("kinds", "commits", "expected"), CASES.values(), ids=CASES)
def test_items_stand_by_significance(kinds: dict[str, str | None], commits: list[Commit], expected: list[str]) -> None:
    assert order(kinds, *commits) == expected


KINDS = st.sampled_from(("breaking", "security", "feature", "improvement", "bug_fix", "ops", "docs", None))


@given(st.lists(st.tuples(KINDS, st.integers(0, 5000)), max_size=12))
def test_every_item_stands_once_and_breaking_and_security_lead(drawn: list[tuple[str | None, int]]) -> None:
    names = [f"n{place}" for place in range(len(drawn))]
    kinds = {name: kind for name, (kind, _) in zip(names, drawn, strict=True)}
    commits = [sized(place, name, lines) for place, (name, (_, lines)) in enumerate(zip(names, drawn, strict=True), 1)]
    found = order(kinds, *commits)
    assert sorted(found) == sorted(names)
    ranks = [{"breaking": 0, "security": 1}.get(kinds[name] or "", 2) for name in found]
    assert ranks == sorted(ranks)
