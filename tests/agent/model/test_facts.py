"""Facts and phrases: what is said of an edit, in words that its lines bear out."""

from __future__ import annotations

import pytest

from agent.model.extractive.declarations import language
from agent.model.extractive.edits import read
from agent.model.extractive.facts import Fact, Verb, facts, is_quotable, merged
from agent.model.extractive.phrases import told
from agent.model.extractive.replacing import replacement
from guardrails.evidence.model import Hunk


def _said(path: str, *lines: str, section: str = "") -> str:
    how = language(path)
    return told(facts(read(Hunk("H1", "", "", 1, 1, 1, 1, section, "\n".join(lines) + "\n"), how), how))


SAID: dict[str, tuple[tuple[str, ...], str]] = {
    "names that came": (("a.py", "+def f():", "+    pass", "+def g():", "+    pass"), "adds `f` and `g`"),
    "to what": (("a.py", " class A:", "+    x: int", "+    y: int"), "adds `x` and `y` to `A`"),
    "names that went": (("a.py", " class A:", "-    x: int"), "removes `x` from `A`"),
    "a value": (("a.toml", " [a]", "-b = 1", "+b = 2"), "in `a`, `b` goes from `1` to `2`"),
    "values that became the same": (
        ("a.json", '-  "a": "1.0",', '-  "b": "1.0",', '+  "a": "1.1",', '+  "b": "1.1",'),
        "`a` and `b` go from `1.0` to `1.1`",
    ),
    "a pinned requirement": (("requirements.txt", "-a[x]==1.0", "+a[x]==1.1"), "`a[x]` goes from `1.0` to `1.1`"),
    "pinned requirements": (
        ("requirements.txt", "-a==1.0", "-b==2.0", "+a==1.1", "+b==2.1"),
        "`a` goes from `1.0` to `1.1`; `b` goes from `2.0` to `2.1`",
    ),
    "a range of versions": (
        ("setup.py", '-        "a==0.12.*",', '+        "a>=0.13.0, <0.14.0",'),
        "`a` goes from `==0.12.*` to `>=0.13.0,<0.14.0`",
    ),
    "a requirement that only got a comma": (
        ("setup.py", '-        "a==1.*"', '+        "a==1.*",'),
        "changes lines",
    ),
    "a requirement beside one that only got a comma": (
        ("setup.py", '-        "a==1.*",', '-        "b==1.*"', '+        "a==2.*",', '+        "b==1.*",'),
        "`a` goes from `1.*` to `2.*`",
    ),
    "other requirements": (("requirements.txt", "-a==1.0", "+b==1.0"), "changes the lines around `b==1.0`"),
    "an entry of a list": (("a.yml", "-  - uses: a@v1", "+  - uses: a@v2"), "`uses` goes from `a@v1` to `a@v2`"),
    "a line of a list": (("a.yml", "-  - run: a b", "+  - run: a c"), "`run: a c` replaces `run: a b`"),
    "case alone is no new value": (("a.toml", "-b = Yes", "+b = yes"), "in `b`, `yes` replaces `Yes`"),
    "words in a line": (("a.py", " def f():", "-    except A:", "+    except B:"), "in `f`, `B` replaces `A`"),
    "a line for a line": (("a.py", " def f():", "-    g(a)", "+    g(a, b)"), "in `f`, `g(a, b)` replaces `g(a)`"),
    "a word more": (("a.md", "-You may read.", "+You may always read."), "adds `always`"),
    "the numbers of a list": (("a.md", "-2. Read.", "+3. Read."), "changes the text"),
    "a rename": (("a.py", "-def f(x):", "+def g(x):"), "renames `f` to `g`"),
    "a section": (("a.md", "+## Usage", "+", "+Say it."), "adds the section `Usage`"),
    "more sections": (("a.md", "+## A", "+## B"), "adds the sections `A` and `B`"),
    "a section that changed": (("a.md", " ## A", "-x", "-y", "+z", "+w", "+v"), "changes the section `A`"),
    "new calls": (
        ("a.py", " def f():", "-    get()", "-    put()", "+    self.post(1)", "+    wait()", "+    get()"),
        "changes `f`, with new calls of `self.post` and `wait`",
    ),
    "no calls that were there": (("a.py", " def f():", "     get()", "+    x = 1", "+    get()"), "changes `f`"),
    "one line": (("a.txt", "+- Said once."), "adds `Said once.`"),
    "more lines": (("a.txt", "+Said once.", "+Said twice."), "adds `Said once.` and more lines"),
    "options": (
        ("a.py", "+@click.option(", '+    "-x", "--extract", is_flag=True', "+)", " def f():"),
        "adds the option `--extract`",
    ),
    "imports": (("a.py", "-import os", "+import sys", "+from a import b"), "changes imports"),
    "comments": (("a.py", "+# said", "+# again"), "changes comments"),
    "layout": (("a.py", "-x=1", "+x = 1"), "changes layout"),
    "nothing that can be shown": (("a.txt", "+" + "x" * 101), "changes the text"),
    "no piece of what was taken out": (
        ("a.yml", "-  run: x [secret:url-credentials:1]", "+  run: x [secret:url-credentials:2]"),
        "changes lines",
    ),
    "no name of what was taken out": (("a.toml", "+[secret:url-credentials:1]"), "changes lines"),
    "nothing that may be shown": (("a.py", "+f([secret:token:1])"), "changes lines"),
    "what may be shown beside what may not": (
        ("a.py", "+import f", " ", "+f([secret:token:1])"),
        "changes imports and other lines",
    ),
}


@pytest.mark.requirement("DC-06")
@pytest.mark.parametrize(("given", "expected"), SAID.values(), ids=SAID.keys())
def test_an_edit_is_told_in_few_words(given: tuple[str, ...], expected: str) -> None:
    assert _said(*given) == expected


def test_what_went_here_and_came_there_has_moved() -> None:
    parts = (Fact(Verb.REMOVES, "`f`", "`A`"), Fact(Verb.ADDS, "`f`", "`A`"), Fact(Verb.ADDS, "`g`"))
    assert told(merged(parts)) == "adds `g`; moves `f` in `A`"


def test_what_is_too_much_to_name_is_said_to_be_left() -> None:
    assert told([Fact(Verb.ADDS, f"`f{place}`") for place in range(9)]) == (
        "adds `f0`, `f1`, `f2`, `f3`, `f4` and `f5`; others change too"
    )


@pytest.mark.parametrize(
    ("text", "quotable"),
    [("f(x)", True), ("x" * 101, False), ("…", False), ("a\tb", False), ("`a", False), ("`a`", True), ("[secret:a:1]", False)],
)
def test_only_short_and_visible_text_is_quoted(text: str, *, quotable: bool) -> None:
    assert is_quotable(text) is quotable


REPLACED: dict[str, tuple[str, str, tuple[str, str] | None]] = {
    "a word": ("    except A:", "    except B:", ("A", "B")),
    "a version with its sign": ('"a": "^0.40.1"', '"a": "^0.41.0"', ("^0.40.1", "^0.41.0")),
    "a word more": ("f(a)", "f(a, b)", ("", "b")),
    "another line": ("x", "y", None),
    "blanks": ("x =  1", "x = 1", None),
    "too much": ("a " * 100, "b " * 100, None),
}


@pytest.mark.parametrize(("old", "new", "expected"), REPLACED.values(), ids=REPLACED.keys())
def test_two_lines_differ_in_few_words(old: str, new: str, expected: tuple[str, str] | None) -> None:
    assert replacement(old, new) == expected
