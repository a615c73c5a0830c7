"""Plain text says what the markdown says, without the marks it says it with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.render.plain_text import plain

TEXTS = [
    ("nothing", "", ""),
    ("headings", "# One\n\n## Two words\n\n### Three\n\n#### Four", "One\n===\n\nTwo words\n---------\n\nThree\n~~~~~\n\nFour"),
    ("escapes", r"\<pre> a\_b \| \#12 &amp; 1 \< 2", "<pre> a_b | #12 & 1 < 2"),
    ("code", "`a_b` and ``c ` d``", "a_b and c ` d"),
    ("marks", "**a** *b* ~~c~~", "a b c"),
    ("one line", "a\nb  \nc", "a b c"),
    ("links", "[a](https://x.example) <https://x.example>", "a (https://x.example) https://x.example"),
    ("image", "![a *b*](c.png)", "a b (c.png)"),
    ("HTML", "<b>a</b>\n\n<!-- b -->", "<b>a</b>\n\n<!-- b -->"),
    ("bullets", "* a\n* b\n  1. c\n\n     d", "- a\n\n- b\n  1. c\n\n     d"),
    ("loose bullets", "- a\n\n- b", "- a\n\n- b"),
    ("numbers", "9. a\n10. b\n    - c", "9. a\n10. b\n    - c"),
    ("quotation", "> a\n>\n> b", "> a\n>\n> b"),
    ("fence", "```py\nx = 1\n\ny = 2\n```", "    x = 1\n\n    y = 2"),
    ("table", "| a | b |\n|--|--|\n| `c\\|d` | |", "a | b\n-----\nc|d |"),
    ("rule", "a\n\n***", "a\n\n---"),
]


@pytest.mark.requirement("DC-01")
@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_plain_text_says_what_the_markdown_says(text: str, expected: str) -> None:
    assert plain(text) == f"{expected}\n"


BLOCKS = st.sampled_from(
    (
        "# A",
        "### B",
        "words",
        "- a\n- b",
        "- a\n\n  ## c",
        "> q",
        "```\nx = 1",
        "```",
        "````\n```",
        "~~~",
        "- ```",
        "    code",
        "## `c`",
        "a\nb\n===",
    )
)


@given(
    st.lists(st.tuples(BLOCKS, st.sampled_from(("\n", "\n\n", "\n\n\n"))), max_size=9).map(
        lambda told: "".join(map("".join, told))
    )
)
def test_a_page_reads_alike_as_a_whole_and_part_by_part(text: str) -> None:
    # Where a link leads is not shown, and reaches over all headings: such a page is read as a whole.
    assert plain(text) == plain(f"[link]: https://example.org\n\n{text}")
