"""Edits: what the lines of a hunk declare, give up and change, and inside of what."""

from __future__ import annotations

import pytest

from agent.model.extractive.declarations import language
from agent.model.extractive.edits import Edits, read
from guardrails.evidence.model import Hunk


def _read(path: str, *lines: str, section: str = "") -> Edits:
    hunk = Hunk("H1", "", "", 1, 1, 1, 1, section, "\n".join(lines) + "\n")
    return read(hunk, language(path))


def _named(edits: Edits) -> dict[str, list[tuple[str, str]]]:
    return {
        "come": [(one.name, one.scope) for one in edits.come],
        "gone": [(one.name, one.scope) for one in edits.gone],
        "renamed": [(one.old.name, one.new.name) for one in edits.renamed],
        "lines": [(one.scope, "|".join(map(str.strip, (*one.removed, "→", *one.added)))) for one in edits.lines],
    }


CASES: dict[str, tuple[tuple[str, ...], dict[str, list[tuple[str, str]]]]] = {
    "what stands in something new is not told": (
        ("a.py", "+class A:", "+    x: int", "+    def f(self):", "+        return 1"),
        {"come": [("A", "")]},
    ),
    "a member of something known": (("a.py", " class A:", "     x: int", "+    y: int"), {"come": [("y", "A")]}),
    "a variable is no member": (("a.py", " def f():", "+    y = 1"), {"lines": [("f", "→|y = 1")]}),
    "a decorator belongs to what follows": (
        ("a.py", "+@cache", "+# said", "+def f():", "+    return 1"),
        {"come": [("f", "")]},
    ),
    "a decorator alone is a line": (("a.py", "+@cache", " def f():", "     return 1"), {"lines": [("", "→|@cache")]}),
    "lines behind a function are not its own": (
        ("a.py", " def f():", "     return 1", " x()", "-y()", "+z()"),
        {"lines": [("", "y()|→|z()")]},
    ),
    "a name in another line is a rename": (("a.py", "-def f(x):", "+def g(x):", "     return x"), {"renamed": [("f", "g")]}),
    "two names for one are no rename": (
        ("a.py", "-def f(x):", "+def g(x):", "+    return 1", "+def h(x):", "     return x"),
        {"come": [("g", ""), ("h", "")], "gone": [("f", "")]},
    ),
    "a name that came elsewhere is no rename": (
        ("a.py", "-def f():", "+def g():", "     return 1", "+def f():", "     return 2"),
        {"come": [("f", ""), ("g", "")], "gone": [("f", "")]},
    ),
    "a declaration in other words has changed": (
        ("a.py", "-def f(x):", "+def f(x, y):"),
        {"lines": [("f", "def f(x):|→|def f(x, y):")]},
    ),
    "also at another place of the hunk": (
        ("a.py", "-def f(x):", " a()", " b()", "+def f(x, y):"),
        {"lines": [("f", "def f(x):|→|def f(x, y):")]},
    ),
    "a heading holds until the next": (
        ("a.md", " ## Usage", " ", "-Old.", "+New.", "+### More", "+Said."),
        {"come": [("More", "Usage")], "lines": [("Usage", "Old.|→|New.")]},
    ),
    "a comment in a fenced block is no heading": (("a.md", " ```sh", "+# get it", " ```"), {"lines": [("", "→|# get it")]}),
    "nor where the fence began before": (
        ("a.md", " a", "+# get it", " ```", " ", " ```py", " b"),
        {"lines": [("", "→|# get it")]},
    ),
    "a table holds its keys": (
        ("a.toml", " [a]", "-b = 1", "+b = 2", "+c = 3"),
        {"come": [("c", "a")], "lines": [("b", "b = 1|→|b = 2")]},
    ),
    "brackets and blanks are no lines": (("a.ts", " function f() {", "+", "+}", "-}"), {}),
}


@pytest.mark.requirement("DC-06")
@pytest.mark.parametrize(("given", "expected"), CASES.values(), ids=CASES.keys())
def test_a_hunk_is_read_by_what_it_declares(given: tuple[str, ...], expected: dict[str, list[tuple[str, str]]]) -> None:
    found = {name: parts for name, parts in _named(_read(*given)).items() if parts}
    assert found == expected


@pytest.mark.parametrize(
    ("path", "section", "scope"),
    [("a.py", "class A:", "A"), ("a.yml", "jobs:", "jobs"), ("a.md", "Text of a paragraph", ""), ("a.py", "if x:", "")],
)
def test_what_git_says_a_hunk_stands_in_counts_where_it_declares_something(path: str, section: str, scope: str) -> None:
    assert [one.scope for one in _read(path, "     a()", "+    b()", section=section).lines] == [scope]


def test_a_hunk_without_text_has_no_edits() -> None:
    assert read(Hunk("H1", "", "", 1, 1, 1, 1, "def f():", None), language("a.py")) == Edits()
