"""The splitter: what shares a sentence and what does not, and that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.drafts.sentences import BlockKind, blocks, sentences, word_count

SENTENCES = {
    "two": ("Jobs resume. Nothing is lost.", ("Jobs resume.", "Nothing is lost.")),
    "question and shout": ("Why? Because! Done.", ("Why?", "Because!", "Done.")),
    "abbreviation": (
        "Some formats, e.g. CSV, i.e. Tables vs. Trees, work.",
        ("Some formats, e.g. CSV, i.e. Tables vs. Trees, work.",),
    ),
    "title": ("Ask Dr. Who. He knows.", ("Ask Dr. Who.", "He knows.")),
    "initial": ("By J. Doe. Next.", ("By J. Doe.", "Next.")),
    "small letters are no initials": ("It needs x. Then y. Done.", ("It needs x.", "Then y.", "Done.")),
    "etc ends": ("Files, folders etc. Then it stops.", ("Files, folders etc.", "Then it stops.")),
    "version": ("Python 3.12.1 is needed. Use it.", ("Python 3.12.1 is needed.", "Use it.")),
    "version at the end": ("Needs v2.0. Older ones fail.", ("Needs v2.0.", "Older ones fail.")),
    "file name": ("See README.md and conf.d/x.toml. Both count.", ("See README.md and conf.d/x.toml.", "Both count.")),
    "small letter goes on": ("The .env file vs. the npm. config stays.", ("The .env file vs. the npm. config stays.",)),
    "ellipsis inside": ("It waits... and waits… then stops.", ("It waits... and waits… then stops.",)),
    "ellipsis at the end": ("It waits... Then it stops.", ("It waits...", "Then it stops.")),
    "code span": ("Call `a. B()` now. Done.", ("Call `a. B()` now.", "Done.")),
    "longer code span": ("Use ``x. `Y` `` here. Done.", ("Use ``x. `Y` `` here.", "Done.")),
    "lone back tick": ("A ` stays. So does this.", ("A ` stays.", "So does this.")),
    "quotation": ('He said "stop." Then he left.', ('He said "stop."', "Then he left.")),
    "brackets": ("It fails (always.) Then it heals.", ("It fails (always.)", "Then it heals.")),
    "url": ("See https://example.com/a.b?c=d. It helps.", ("See https://example.com/a.b?c=d.", "It helps.")),
    "hard wrap": ("Jobs that were\ninterrupted\nresume. New\nline.", ("Jobs that were interrupted resume.", "New line.")),
    "list": ("- first. Second\n- third\n  goes on", ("first.", "Second", "third goes on")),
    "numbers": ("1. one\n2) two", ("one", "two")),
    "tasks": ("- [x] tested\n- [ ] documented", ("tested", "documented")),
    "heading": ("# Why\nIt broke. Badly.", ("Why", "It broke.", "Badly.")),
    "rule": ("One\n---\nTwo", ("One", "Two")),
    "table": ("| a. B | c |\n| - | - |", ("| a. B | c |\n| - | - |",)),
    "fenced code": ("See:\n```py\na. B\n\nc\n```\nEnd.", ("See:", "```py\na. B\n\nc\n```", "End.")),
    "open fence": ("~~~\na. B", ("~~~\na. B",)),
    "indented code": ("Text.\n\n    a. B\n    c", ("Text.", "    a. B\n    c")),
    "comment in a line": ("A <!-- b. C\nd --> e.", ("A", "<!-- b. C\nd -->", "e.")),
    "comment in code": ("Adds `<!-- made` to `a`. <!-- b -->C.", ("Adds `<!-- made` to `a`.", "<!-- b -->", "C.")),
    "comment behind code": ("A `b`. <!-- c `d` <!-- e -->f.", ("A `b`.", "<!-- c `d` <!-- e -->", "f.")),
    "open comment": ("A.\n<!-- b. C", ("A.", "<!-- b. C")),
    "Chinese": ("修复了崩溃。现在可以重试！好", ("修复了崩溃。", "现在可以重试！", "好")),
    "wrapped Japanese": ("設定が\n壊れた。\n直した。", ("設定が壊れた。", "直した。")),
    "wrapped Korean": ("작업이\n다시 시작된다. 끝.", ("작업이 다시 시작된다.", "끝.")),
    "German": ("Das gilt z.B. Für alle. Danach nicht.", ("Das gilt z.B. Für alle.", "Danach nicht.")),
    "Spanish": ("Falla al inicio. Ahora no.", ("Falla al inicio.", "Ahora no.")),
    "nothing": (" \n\t\n", ()),
}


@pytest.mark.parametrize(("text", "expected"), SENTENCES.values(), ids=SENTENCES.keys())
def test_a_text_is_cut_into_its_sentences(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


def test_blocks_say_what_they_are() -> None:
    text = "# A\nb\n- c\n- [ ] d\n\n> e\n> f\n\n| g |\n<!-- h -->\n\n```\ni\n```\nj"
    assert [(block.kind, block.text) for block in blocks(text)] == [
        (BlockKind.HEADING, "A"),
        (BlockKind.PARAGRAPH, "b"),
        (BlockKind.ITEM, "c"),
        (BlockKind.TASK, "d"),
        (BlockKind.QUOTE, "e f"),
        (BlockKind.TABLE, "| g |"),
        (BlockKind.COMMENT, "<!-- h -->"),
        (BlockKind.CODE, "```\ni\n```"),
        (BlockKind.PARAGRAPH, "j"),
    ]


@pytest.mark.parametrize("mark", [">", "- >", "1. >", "a\n>"])
@pytest.mark.parametrize("blanks", ["", " ", "  ", " \t ", "\u00a0\u00a0"])
def test_a_marked_line_of_blanks_says_nothing(mark: str, blanks: str) -> None:
    assert sentences(f"{mark}{blanks}\n> b")[-1].endswith("b")


def test_paragraphs_keep_their_sentences_together() -> None:
    assert [block.text for block in blocks("One. Two\nthree.\n\nFour.")] == ["One. Two three.", "Four."]


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "a",
            "B",
            "é",
            "字",
            ".",
            "…",
            "。",
            "!",
            "?",
            " ",
            "\n",
            "\n\n",
            "`",
            "```",
            "- ",
            "1. ",
            "# ",
            "> ",
            "\n>  \n",
            "|",
            "<!--",
            "-->",
        ]
    )
).map("".join)


@given(MARKDOWN | st.text())
def test_no_letter_is_lost_added_or_moved(text: str) -> None:
    assert [c for c in "".join(sentences(text)) if c.isalpha()] == [c for c in text if c.isalpha()]


@given(st.text(alphabet="aB é字.…。!?,;\"')\n"))
def test_without_marks_only_white_space_is_lost(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(MARKDOWN)
def test_the_sentences_of_a_block_are_its_text(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join("".join(block.text for block in blocks(text)).split())


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("quiet", 1), ("Add 3.12", 1), ("Keep jobs", 2), ("- * -", 0), ("修复", 1), ("修复错误", 2), ("v2 再开", 2)],
)
def test_words_with_letters_are_counted_in_every_script(text: str, count: int) -> None:
    assert word_count(text) == count
