"""Pages out of sentences: golden texts, and no text that could stand for a heading, a list or a code block of ours."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails import markdown
from guardrails.drafts.page import Heading, Line, page
from guardrails.drafts.reply import ProseReply, parse
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence.code_spans import code
from guardrails.markdown import BlockKind, ContainerKind, InlineKind

REVERT = (
    Sentence("This reverts commit `a91b3f2` (#1471), restoring the pool size to its previous value.", ("C1",), Heading.CHANGED),
    Sentence("`maxConnections` returns to 10 from 40.", ("H1",), Heading.CHANGED, ("src/db/pool.ts:22",)),
    Sentence("The increased pool exhausted the database's own connection limit.", ("C1",), Heading.WHY),
    Sentence("The underlying capacity question is unaddressed.", ("C1",), Heading.WHY),
)
REVERT_PAGE = """## What changed

This reverts commit `a91b3f2` (#1471), restoring the pool size to its previous value.

- `src/db/pool.ts:22` — `maxConnections` returns to 10 from 40.

## Why

The increased pool exhausted the database's own connection limit. The underlying capacity question is unaddressed."""
PAGES: dict[str, tuple[tuple[Sentence, ...], str]] = {
    "revert": (REVERT, REVERT_PAGE),
    "several places": (
        (
            Sentence("one", ("H1", "H2"), Heading.CHANGED, ("a.py:1", "b.py:2-3")),
            Sentence("two", ("H3",), Heading.CHANGED, ("a", "b", "c")),
        ),
        "## What changed\n\n- `a.py:1` and `b.py:2-3` — one\n- `a`, `b` and `c` — two",
    ),
    "headings come in one order, whatever the reply's": (
        (
            Sentence("Tested.", ("H2",), Heading.TESTS, ("test_a.py:1",)),
            Sentence("It broke.", ("C1",), Heading.WHY),
            Sentence("mends it", ("H1",), Heading.CHANGED, ("a.py:1",)),
        ),
        "## What changed\n\n- `a.py:1` — mends it\n\n## Why\n\nIt broke.\n\n## Tests\n\n- `test_a.py:1` — Tested.",
    ),
    "a sentence without a heading tells what changed": (
        (Sentence("Because.", ("C1",), Heading.WHY), Sentence("It works.", ("C1",))),
        "## What changed\n\nIt works.\n\n## Why\n\nBecause.",
    ),
    "a sentence does not run into the next one": (
        (Sentence("it lost `a`", ("C1",), Heading.WHY), Sentence("it hung", ("C1",), Heading.WHY)),
        "## Why\n\nit lost `a`. it hung",
    ),
    "no headings": ((Sentence("It works.", ("C1",)), Sentence("Try it.", ("C2",))), "It works. Try it."),
    "a given page stays as it is": ((Sentence("## Mine\n\n- one\n", ("A1",)),), "## Mine\n\n- one\n"),
    "nothing": ((), ""),
}


@pytest.mark.requirement("DC-06")
@pytest.mark.parametrize("name", PAGES)
def test_the_text_of_sentences_with_headings_is_a_page(name: str) -> None:
    sentences, text = PAGES[name]
    assert Prose(sentences, Basis.SYNTHESIS).text == text


@pytest.mark.parametrize(
    ("text", "span"), [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a``", "``` a`` ```"), ("a\nb", "`a b`")]
)
def test_inline_code_holds_whatever_back_ticks_its_text_has(text: str, span: str) -> None:
    assert code(text) == span


TEXTS = st.text(st.sampled_from("ab 1.)#-+*>=_~`|<\n\t:[]\\"), min_size=1).filter(lambda text: bool(text.strip()))
LINES = st.lists(st.builds(Line, st.sampled_from(Heading), TEXTS, st.lists(TEXTS, max_size=3).map(tuple)))


def headings(lines: Iterable[Line]) -> list[str]:
    used = {line.heading for line in lines}
    return [heading.value for heading in Heading if heading in used]


@given(LINES)
def test_no_text_makes_a_heading_a_list_or_a_code_block_of_its_own(lines: list[Line]) -> None:
    blocks = markdown.blocks(page(lines))
    assert [block.plain for block in blocks if block.kind is BlockKind.HEADING] == headings(lines)
    assert {block.kind for block in blocks} <= {BlockKind.HEADING, BlockKind.PARAGRAPH}
    items = {container for block in blocks for container in block.within}
    assert all(container.kind is ContainerKind.ITEM for container in items)
    assert len(items) == sum(bool(line.places) for line in lines)


@given(TEXTS)
def test_inline_code_is_read_back_as_its_text(text: str) -> None:
    (block,) = markdown.blocks(f"x {code(text)} y")
    assert [piece.text for piece in block.inlines if piece.kind is InlineKind.CODE] == [" ".join(text.split())]


@pytest.mark.parametrize("heading", [*Heading, None])
def test_a_reply_names_a_heading_of_ours_or_none(heading: Heading | None) -> None:
    sentence = {"text": "It is.", "evidence": ["C1"], "heading": heading}
    reply = parse(json.dumps({"fields": [{"field": "change.detail_md", "sentences": [sentence]}]}))
    assert isinstance(reply, ProseReply)
    assert reply.fields[0].sentences is not None
    assert reply.fields[0].sentences[0].heading is heading


@pytest.mark.parametrize("more", [{"heading": "Summary"}, {"heading": ""}, {"places": ["a.py:1"]}, {"heading": 1}])
def test_a_reply_with_another_heading_or_with_places_is_refused(more: dict[str, object]) -> None:
    sentence = {"text": "It is.", "evidence": ["C1"], **more}
    faults = parse(json.dumps({"fields": [{"field": "change.detail_md", "sentences": [sentence]}]}))
    assert isinstance(faults, tuple)
    assert {fault.code for fault in faults} == {"reply-shape"}
