"""A page keeps its blocks: headings come to their level, HTML becomes text, and nothing that was read is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.render.marks import Marks
from agent.render.pages import page, sections
from agent.render.plain_text import plain
from guardrails import markdown
from guardrails.markdown import BlockKind

PAGES = [
    ("paragraphs", "one\ntwo\n\nthree", "one two\n\nthree"),
    ("headings", "# One\n\n### Three\n\nTwo\n---", "# One\n\n### Three\n\n## Two"),
    ("a heading that ends in a number sign", "# C \\#", r"# C \#"),
    ("an empty heading", "#", ""),
    ("bullets", "* a\n* b\n  * c", "- a\n- b\n  - c"),
    ("two lists", "- a\n\n* b\n\n- c", "- a\n\n* b\n\n- c"),
    ("two lists with nothing shown between", "- a\n\n[x]: y\n\n* b", "- a\n\n* b"),
    ("a loose list", "- a\n\n- b", "- a\n\n- b"),
    ("numbers", "3. a\n4. b\n\n   c", "3. a\n\n4. b\n\n   c"),
    ("a list below words", "1. a\n   - b\n2. c", "1. a\n   - b\n2. c"),
    ("a list that must not touch the words", "- a\n\n  2. b", "- a\n\n  2. b"),
    ("an empty item", "1. \n2. b\n\n- - -", "1. b\n\n___"),
    ("empty items", "- - - [x]: y", ""),
    ("a rule in a list", "- ***", "- ___"),
    ("quotation", "> a\n>\n> - b", "> a\n>\n> - b"),
    ("an empty quotation", ">", ""),
    ("fence", "~~~py\nx = '```'\n\n~~~", "````py\nx = '```'\n\n````"),
    ("an empty fence", "```\n```", "```\n```"),
    ("a fence with words that are no language", '```js onload="x"\ny\n```\n\n```<b>\n```', "```js\ny\n```\n\n```\n```"),
    ("indented code", "    <b>\n", "```\n<b>\n```"),
    ("a fence that nothing closes", "```\nx", "```\nx\n```"),
    ("rule", "a\n\n***", "a\n\n___"),
    ("HTML", "<div>\n<!-- evidraft:end -->\n</div>", r"\<div> \<!-- evidraft:end --> \</div>"),
    ("HTML in a list", "- <b>\n- a", "- \\<b>\n- a"),
    ("definition", "[x]: https://evil.example\n\n[x]", "x (`https://evil.example`)"),
    ("table", "a|b\n:-|-:\n`x\\|y`|\\|", "| a | b |\n| :--- | ---: |\n| `x\\|y` | \\| |"),
    ("a table without rows", "| a |\n|:-:|", "| a |\n| :---: |"),
    ("a command to the forge", "a\n\n/close", "a\n\n\\/close"),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in PAGES], ids=[row[0] for row in PAGES])
def test_a_page_is_written_block_by_block(text: str, expected: str) -> None:
    assert page(text, Marks()) == expected


@pytest.mark.parametrize(
    ("text", "top", "levels"),
    [
        ("## a\n\n### b\n\n## c", 2, [2, 3, 2]),
        ("## a\n\n### b", 4, [4, 5]),
        ("# a\n\n### b\n\n###### c", 3, [3, 5, 6]),
        ("#### a\n\n##### b", 2, [2, 3]),
    ],
)
def test_headings_come_to_their_level(text: str, top: int, levels: list[int]) -> None:
    told = page(text, Marks(), top=top)
    assert [block.level for block in markdown.blocks(told) if block.kind is BlockKind.HEADING] == levels


def test_a_page_is_cut_before_its_highest_headings() -> None:
    text = "before\n\n## a\n\nx\n\n### b\n\n## c"
    assert sections(text, Marks(), top=3) == ("before", "### a\n\nx\n\n#### b", "### c")
    assert sections("", Marks(), top=2) == ()


PIECES = st.sampled_from(
    [
        "\n",
        "\n\n",
        "- ",
        "* ",
        "1. ",
        "7) ",
        "> ",
        "  ",
        "    ",
        "# ",
        "### ",
        "```\n",
        "~~~ py\n",
        "a",
        "b c",
        "***\n",
        "---\n",
        "===\n",
        "| a | b |\n",
        "|---|:-:|\n",
        "|",
        "<div>",
        "</div>\n",
        "<!-- x -->",
        "`c`",
        "**d**",
        "[e](f)",
        "[x]: y\n",
        "\t",
        "\\",
        "#",
        "+",
        "-",
        "é\n",
    ]
)
MARKDOWN = st.lists(PIECES, max_size=16).map("".join)
SHOWN = {BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CODE, BlockKind.CELL, BlockKind.RULE}
SAME = {BlockKind.UNCLOSED: BlockKind.CODE, BlockKind.HTML: BlockKind.PARAGRAPH}


def shape(text: str) -> list[tuple[BlockKind, list[str]]]:
    """Every block that shows something: its kind and the kinds of what it stands in."""
    blocks = (
        (SAME.get(block.kind, block.kind), [one.kind.value for one in block.within], block.text)
        for block in markdown.blocks(text)
    )
    return [(kind, within) for kind, within, words in blocks if kind in SHOWN and (words or kind is not BlockKind.HEADING)]


@given(MARKDOWN)
def test_every_block_stays_what_and_where_it_is(text: str) -> None:
    told = page(text, Marks())
    assert shape(told) == shape(text)
    assert page(told, Marks()) == told


@given(MARKDOWN.filter(lambda text: not {"<", "[", "\\"} & set(text)))
def test_every_word_stays(text: str) -> None:
    told = page(text, Marks())
    assert [words for block in markdown.blocks(told) if (words := block.plain.split())] == [
        words for block in markdown.blocks(text) if (words := block.plain.split())
    ]
    assert words_of(plain(told)) == words_of(plain(text))


def words_of(text: str) -> list[str]:
    """The words of a plain text, without what underlines headings."""
    return [word for word in text.split() if set(word) - set("=->~")]
