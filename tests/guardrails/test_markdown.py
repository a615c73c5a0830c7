"""Markdown is told as its readers see it, and what no page shows is told too."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails import markdown
from guardrails.markdown import DEPTH, OPEN, BlockKind, ContainerKind, InlineKind

BLOCKS = [
    ("words", [BlockKind.PARAGRAPH]),
    ("## What changed", [BlockKind.HEADING]),
    ("What changed\n===", [BlockKind.HEADING]),
    ("---", [BlockKind.RULE]),
    ("| a | b |\n| --- | --- |\n| c | d |", [BlockKind.CELL] * 4),
    ("    indented", [BlockKind.CODE]),
    ("```py\nx\n```", [BlockKind.CODE]),
    ("```\n\n```", [BlockKind.CODE]),
    ("> ~~~\n> x\n> ~~~\n\nafter", [BlockKind.CODE, BlockKind.PARAGRAPH]),
    ("```\n\u2028\n```", [BlockKind.CODE]),
    ("```\nx", [BlockKind.UNCLOSED]),
    ("```", [BlockKind.UNCLOSED]),
    ("- ```\n  x\n\nafter", [BlockKind.UNCLOSED, BlockKind.PARAGRAPH]),
    ("<div>x</div>", [BlockKind.HTML]),
    ("<!-- hidden -->", [BlockKind.HTML]),
    ("[label]: https://example.com 'title'", [BlockKind.DEFINITION]),
    ("", []),
]


@pytest.mark.parametrize(("text", "kinds"), BLOCKS, ids=[repr(text) for text, _ in BLOCKS])
def test_a_block_is_told_by_its_kind(text: str, kinds: list[BlockKind]) -> None:
    assert [block.kind for block in markdown.blocks(text)] == kinds


INLINES = [
    ("a `b` c", [(InlineKind.TEXT, "a "), (InlineKind.CODE, "b"), (InlineKind.TEXT, " c")]),
    ("``a ` b``", [(InlineKind.CODE, "a ` b")]),
    (r"\`a\`", [(InlineKind.TEXT, "`a`")]),
    ("*a*", [(InlineKind.EMPHASIS, ""), (InlineKind.TEXT, "a")]),
    ("__a__", [(InlineKind.STRONG, ""), (InlineKind.TEXT, "a")]),
    ("~~a~~", [(InlineKind.STRIKE, ""), (InlineKind.TEXT, "a")]),
    ("a_b_c and 2 * 3 * 4", [(InlineKind.TEXT, "a_b_c and 2 * 3 * 4")]),
    ("a List<T> b", [(InlineKind.TEXT, "a List"), (InlineKind.HTML, "<T>"), (InlineKind.TEXT, " b")]),
    ("1 < 2 &amp; 3", [(InlineKind.TEXT, "1 < 2 & 3")]),
    ("a\nb", [(InlineKind.TEXT, "a"), (InlineKind.BREAK, "\n"), (InlineKind.TEXT, "b")]),
    ("a\\\nb", [(InlineKind.TEXT, "a"), (InlineKind.BREAK, "\n"), (InlineKind.TEXT, "b")]),
]


@pytest.mark.parametrize(("text", "pieces"), INLINES, ids=[repr(text) for text, _ in INLINES])
def test_a_piece_of_text_is_told_by_its_kind(text: str, pieces: list[tuple[InlineKind, str]]) -> None:
    assert [(piece.kind, piece.text) for piece in markdown.inlines(markdown.blocks(text))] == pieces


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("[a](b 'c')", InlineKind.LINK, "b"),
        ("[a]\n\n[a]: b", InlineKind.LINK, "b"),
        ("![a](b)", InlineKind.IMAGE, "b"),
        ("<https://example.com>", InlineKind.AUTOLINK, "https://example.com"),
    ],
)
def test_a_link_or_image_tells_where_it_leads(text: str, kind: InlineKind, target: str) -> None:
    first = next(markdown.inlines(markdown.blocks(text)))
    assert (first.kind, first.target) == (kind, target)


def test_a_block_tells_its_line_and_what_it_stands_in() -> None:
    found = markdown.blocks("# Title\n\n- one\n\n  still one\n  > said\n- two\n")
    assert [(block.line, [container.kind for container in block.within]) for block in found] == [
        (1, []),
        (3, [ContainerKind.ITEM]),
        (5, [ContainerKind.ITEM]),
        (6, [ContainerKind.ITEM, ContainerKind.QUOTE]),
        (7, [ContainerKind.ITEM]),
    ]
    assert found[1].within == found[2].within != found[4].within
    assert found[0].level == 1


def test_plain_text_has_no_marks() -> None:
    assert [block.plain for block in markdown.blocks("a `b` **c** [d](e) ![f](g)<i>\n\n```\nh\n```")] == ["a b c d ", "h\n"]


def nested(mark: Callable[[int], str]) -> list[str]:
    return ["".join(map(mark, range(levels))) + "text" for levels in (3, DEPTH, 20 * DEPTH)]


@pytest.mark.parametrize("mark", [lambda _: "> ", lambda _: "- ", lambda level: f"{' ' * 2 * level}- a\n"])
def test_what_is_nested_too_deep_is_told(mark: Callable[[int], str]) -> None:
    shallow, deep, deeper = (markdown.blocks(text)[-1].kind for text in nested(mark))
    assert (shallow, deep, deeper) == (BlockKind.PARAGRAPH, BlockKind.TOO_DEEP, BlockKind.TOO_DEEP)


@pytest.mark.parametrize("unit", ["[", "![", "`", "*a", "_", "<", "<a ", "<!--", "[a](", "|", "\\", "&#", "~~", "[a]: b\n"])
def test_hostile_repeats_are_read(unit: str) -> None:
    markdown.blocks(unit * 2000)


@given(st.text(alphabet="ab \n`*_~[]()<>!#-|:=\\&\t1.", max_size=200))
def test_any_text_is_markdown_and_its_letters_stand_in_its_blocks(text: str) -> None:
    found = markdown.blocks(text)
    assert all(block.line >= 1 for block in found)
    kinds = {block.kind for block in found}
    if kinds.isdisjoint({BlockKind.DEFINITION, BlockKind.TOO_DEEP, BlockKind.CELL}) and not re.search("```|~~~", text):
        shown = "".join(block.text for block in found)
        assert [shown.count(letter) for letter in "ab"] == [text.count(letter) for letter in "ab"]


@given(st.text(alphabet="ab \n`*_~[]()<>!#-|:=\\&\t1.", max_size=200))
def test_the_tree_of_a_text_leaves_its_blocks_as_they_were(text: str) -> None:
    found, root = markdown.blocks(text), markdown.tree(text)
    drawn = root.pretty(show_text=True)
    markdown.blocks.cache_clear()
    assert markdown.blocks(text) == found
    assert root.pretty(show_text=True) == drawn


@given(st.text(alphabet="ab \n`*_~[]()<>!#-|:=\\&\t1.", max_size=200))
def test_an_outline_has_the_blocks_of_the_whole_without_what_is_in_their_lines(text: str) -> None:
    found = markdown.blocks(text)
    if BlockKind.TOO_DEEP not in {block.kind for block in found}:
        assert markdown.outline(text) == tuple(replace(block, inlines=()) for block in found)


def test_an_outline_of_hostile_marks_is_as_quick_as_of_any_text() -> None:
    (block,) = markdown.outline("[[" * 500_000)
    assert len(block.text) == 1_000_000


TANGLES = {"brackets": "[", "labels": "[a][", "images": "![", "emphasis": "*["}


@pytest.mark.parametrize("tangle", TANGLES.values(), ids=TANGLES)
def test_a_tangle_of_brackets_is_told_and_hides_nothing(tangle: str) -> None:
    for count in (1, OPEN - 1, OPEN, OPEN + 1, 500):
        found = markdown.blocks(f"{tangle * count}![x](https://example.com)")
        is_seen = any(piece.kind is InlineKind.IMAGE for piece in markdown.inlines(found))
        assert is_seen != (found[-1].kind is BlockKind.TOO_DEEP)


def test_no_page_takes_long_for_its_brackets() -> None:
    words = [mark * (markdown.MAX_LENGTH // len(mark)) for mark in TANGLES.values()]
    blocks = [f"{'[' * OPEN}\n\n" * (markdown.MAX_LENGTH // (OPEN + 2))]
    for text in (*words, *blocks):
        assert markdown.blocks(text)[-1].kind is BlockKind.TOO_DEEP


def test_many_links_in_one_block_are_no_tangle() -> None:
    found = markdown.blocks("[a](https://example.com) " * 500)
    assert [block.kind for block in found] == [BlockKind.PARAGRAPH]


def test_what_is_longer_than_any_page_is_not_read() -> None:
    assert [block.kind for block in markdown.blocks("a" * markdown.MAX_LENGTH)] == [BlockKind.PARAGRAPH]
    assert [block.kind for block in markdown.blocks("a" * (markdown.MAX_LENGTH + 1))] == [BlockKind.TOO_DEEP]
