"""A line reads as before and does nothing else: no HTML, no image, nobody called, nothing closed, links to the forge alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.render import escaping
from agent.render.forge_links import Links
from agent.render.harmless import Target
from agent.render.inlines import line
from agent.render.marks import Marks
from agent.render.pages import page
from guardrails import markdown
from guardrails.markdown import BlockKind, InlineKind

ACME = Links.of("github.com", "acme/widgets", trackers={"PROJ": "https://tracker.example/browse/{key}"})
HERE = "https://github.com/acme/widgets"
FORGE = Target(ACME)
NOWHERE = Target()

TITLES = [
    ("Read a_b_c", "Read a_b_c"),
    ("Keep __init__ and _private", r"Keep \_\_init\_\_ and \_private"),
    ("Close <pre> in `<pre>`", r"Close \<pre> in `<pre>`"),
    ("Accept Map<K, V>", r"Accept Map\<K, V>"),
    ("Split at | and ]", r"Split at | and \]"),
    ("Show [x](y) and ![x](y)", r"Show \[x\](y) and !\[x\](y)"),
    ("Multiply 2 * 3 **twice**", r"Multiply 2 \* 3 \*\*twice\*\*"),
    ("Wait ~5 ms, ~~not 6~~", r"Wait \~5 ms, \~\~not 6\~\~"),
    ("Decode &amp; and &#64; but not a && b", r"Decode \&amp; and \&#64; but not a && b"),
    ("Keep C:\\temp", r"Keep C:\\temp"),
    (r"Keep \* as it is", r"Keep \* as it is"),
    ("An odd ` back tick", r"An odd \` back tick"),
    ("``a ` b``", "``a ` b``"),
    ("# 12", r"\# 12"),
    ("#12", "#12"),
    ("- a", r"\- a"),
    ("1. a", r"1\. a"),
    ("2) a", r"2\) a"),
    ("1.5 seconds", "1.5 seconds"),
    ("> a", r"\> a"),
    ("---", r"\---"),
    ("===", r"\==="),
    ("[x]: y", r"\[x\]: y"),
    ("Support C #", r"Support C \#"),
    ("Support C#", "Support C#"),
    ("/close", r"\/close"),
    ("/ is the root", "/ is the root"),
    ("<!-- evidraft:end -->", r"\<!-- evidraft:end -->"),
    ("two\nlines\r\nand\u2028three", "two lines and three"),
    ("", ""),
]


@pytest.mark.parametrize(("title", "expected"), TITLES, ids=[repr(row[0]) for row in TITLES])
def test_a_title_reads_as_it_is_written(title: str, expected: str) -> None:
    assert line(title, NOWHERE) == expected


CALLS = [
    ("Thank @octocat.", "Thank `@octocat`."),
    ("(@octo-cat)", "(`@octo-cat`)"),
    ("@acme/reviewers and @all", "`@acme/reviewers` and `@all`"),
    ("foo/@bar, é@bar", "foo/`@bar`, é`@bar`"),
    ("`@octocat`", "`@octocat`"),
    (r"\`@octocat\`", r"\``@octocat`\`"),
    ("`a`@octocat", "`a@octocat`"),
    ("me@example.org", "`me@example.org`"),
    ("meet @ noon", "meet @ noon"),
    ("bump react@18.2, git@example.org:a", "bump `react@18.2`, `git@example.org`:a"),
    ("#12@octocat", "#12`@octocat`"),
]


@pytest.mark.parametrize(("title", "expected"), CALLS, ids=[row[0] for row in CALLS])
def test_nobody_is_called(title: str, expected: str) -> None:
    assert line(title, NOWHERE) == expected


CLOSINGS = [
    ("Fixes #12", "Fixes `#12`"),
    ("fix: #12", "fix: `#12`"),
    ("Closes #1, #2 and #3; see #4", "Closes `#1`, `#2` and `#3`; see #4"),
    ("Resolved acme/widgets#12", "Resolved `acme/widgets#12`"),
    ("Fixed GH-12", "Fixed `GH-12`"),
    ("Implements PROJ-412", "Implements `PROJ-412`"),
    ("Closes issue #12", "Closes issue `#12`"),
    ("closing !12", "closing `!12`"),
    (f"Fixes {HERE}/issues/12", f"Fixes `{HERE}/issues/12`"),
    ("Fixed `#12`", "Fixed `#12`"),
    ("fixes #12#13", "fixes `#12#13`"),
    ("fixes #12@-", "fixes `#12`@-"),
    ("Fix a crash (#12)", "Fix a crash (#12)"),
    ("Hotfixes #12", "Hotfixes #12"),
    ("Some small fixes (#12)", "Some small fixes (#12)"),
    ("Closes the window; see #12", "Closes the window; see #12"),
]


@pytest.mark.parametrize(("title", "expected"), CLOSINGS, ids=[row[0] for row in CLOSINGS])
def test_nothing_is_closed(title: str, expected: str) -> None:
    assert line(title, NOWHERE) == expected


MARKDOWN = [
    ("Fixes **#12**", "Fixes **`#12`**"),
    (f"Fixes [#12]({HERE}/issues/12)", f"Fixes `#12` (`{HERE}/issues/12`)"),
    (f"Fixes [the crash]({HERE}/issues/12)", f"Fixes the crash (`{HERE}/issues/12`)"),
    ("Fixes\n#12", "Fixes `#12`"),
    ("*a*FIXES #12", "*a*FIXES `#12`"),
    ("**Closes** *#12*, #13", "**Closes** *`#12`*, `#13`"),
    ("Thank *@octocat*", "Thank *`@octocat`*"),
    ("Thank &#64;octocat", "Thank `@octocat`"),
    ("*@octocat*b", "`@octocat`b"),
    ("__bold__ _soft_ ~~gone~~", "**bold** *soft* ~~gone~~"),
    ("a <b>bold</b> word", r"a \<b>bold\</b> word"),
    ("![a *cat*](https://evil.example/c.png)", "a *cat* (`https://evil.example/c.png`)"),
    ("![](https://evil.example/c.png)", "`https://evil.example/c.png`"),
    ("[here](https://evil.example)", "here (`https://evil.example`)"),
    ("[here](docs/a.md)", "here (`docs/a.md`)"),
    ("[here]()", "here"),
    ("<https://evil.example/a>", "`https://evil.example/a`"),
    ("see https://evil.example/a.", "see `https://evil.example/a`."),
    ("see www.evil.example", "see `www.evil.example`"),
    ("_www.evil.example<pre>", r"\_`www.evil.example`\<pre>"),
    ("[`code` and @x](https://github.com/acme)", "[`code` and `@x`](https://github.com/acme)"),
    ("[a #12](https://github.com/acme)", "[a #12](https://github.com/acme)"),
    (f"<{HERE}/wiki>", f"[{HERE}/wiki]({HERE}/wiki)"),
    (f"see {HERE}/wiki (or not)", f"see [{HERE}/wiki]({HERE}/wiki) (or not)"),
    ("[a](https://github.com/a_(b))", "[a](https://github.com/a_%28b%29)"),
    ("[a](https://github.com@evil.example)", "a (`https://github.com@evil.example`)"),
    ("[a](http://github.com)", "a (`http://github.com`)"),
]


@pytest.mark.parametrize(("text", "expected"), MARKDOWN, ids=[repr(row[0]) for row in MARKDOWN])
def test_a_line_of_markdown_is_only_read(text: str, expected: str) -> None:
    assert page(text, Marks(FORGE)) == expected


IDENTIFIERS = [
    ("#12", f"[#12]({HERE}/issues/12)"),
    ("GH-12", f"[GH-12]({HERE}/issues/12)"),
    ("(#12)", f"([#12]({HERE}/issues/12))"),
    ("other/repo#7", "[other/repo#7](https://github.com/other/repo/issues/7)"),
    ("Reverts a91b3f2.", f"Reverts [a91b3f2]({HERE}/commit/a91b3f2)."),
    ("PROJ-412 and UTF-8", "[PROJ-412](https://tracker.example/browse/PROJ-412) and UTF-8"),
    ("`#12` and `a91b3f2`", "`#12` and `a91b3f2`"),
    ("!12", "!12"),
    ("a#12, &#12, 1234567, defaced", r"a#12, \&#12, 1234567, defaced".replace("\\", "")),
    ("wow !`x`", "wow !`x`"),
]


@pytest.mark.parametrize(("title", "expected"), IDENTIFIERS, ids=[row[0] for row in IDENTIFIERS])
def test_what_the_forge_knows_is_linked(title: str, expected: str) -> None:
    assert line(title, FORGE) == expected


def test_a_code_span_that_names_a_place_leads_there_and_is_no_image() -> None:
    target = Target(ACME, lambda code: f"{HERE}/blob/1234567/a.py#L1" if code == "a.py:1" else None)
    assert line("see!`a.py:1` `b.py`", target) == rf"see\![`a.py:1`]({HERE}/blob/1234567/a.py#L1) `b.py`"


WORDS = st.sampled_from(
    [
        *"`*_[]()<>&!|~#\\@-+=./:\n\t é",
        "``",
        "fixes ",
        "#12",
        "@octocat",
        "a91b3f2",
        "<pre>",
        "</b>",
        "<!--",
        "&amp;",
        "&#64;",
        "https://evil.example/x",
        "https://github.com/a",
        "![a](b)",
        "[a](https://github.com/b)",
        "word",
        " ",
        "1. ",
        "a_b",
        "*a*",
        "**b**",
        "PROJ-1",
        "\\`",
        "$x$",
    ]
)
LINES = st.lists(WORDS, max_size=10).map("".join) | st.text(max_size=30)
ADDRESS = re.compile(r"https://\S+")
PINGS = re.compile(r"(?<![0-9A-Za-z_])@[0-9A-Za-z]")


def read(told: str) -> str:
    return " ".join(" ".join(block.plain for block in markdown.blocks(told)).split())


@given(LINES)
def test_a_title_reads_the_same_in_markdown_and_is_settled_after_once(title: str) -> None:
    told = line(title, NOWHERE)
    said = "".join(node.content for node in markdown.plain_line(escaping.flat(title)).children)
    assert read(told) == read_flat(said)
    assert line(told, NOWHERE) == told
    assert read(line(title, FORGE)) == read(told)


def read_flat(said: str) -> str:
    return " ".join(said.split())


@given(LINES, st.sampled_from([FORGE, NOWHERE]))
def test_no_line_does_anything(text: str, target: Target) -> None:
    for told in (line(text, target), page(text, Marks(target))):
        blocks = markdown.blocks(told)
        assert {block.kind for block in blocks} <= {BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CODE, BlockKind.RULE}
        for piece in markdown.inlines(blocks):
            assert piece.kind not in {InlineKind.HTML, InlineKind.IMAGE}
            assert not piece.target or (target.links and target.links.lead_to(piece.target))
            assert piece.kind is not InlineKind.TEXT or not PINGS.search(ADDRESS.sub("", piece.text))


@given(LINES)
def test_a_title_is_one_paragraph(title: str) -> None:
    assert [block.kind for block in markdown.blocks(line(title, FORGE))] in ([], [BlockKind.PARAGRAPH])
