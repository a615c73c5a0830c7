"""A document is written alike at once and piece by piece, and nothing in it is hidden from whoever reads it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from agent.render import json_text as texts
from agent.render.json_text import Listed, Named, json_pieces, json_text
from guardrails.redaction.neutralise import hidden

LONG = "x" * (3 * texts._PIECE)
HIDDEN = st.sampled_from(["\u202e", "\u200d", "\ufe0f", "☃", "\u007f", "a", '"', "\\", "\r", "\ue000"])
TEXTS = st.lists(HIDDEN, max_size=6).map("".join)
DOCUMENTS = st.recursive(
    TEXTS | st.none() | st.booleans() | st.integers() | st.just(LONG),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_a_document_comes_back_from_its_text_and_hides_nothing(document: object) -> None:
    text = json_text(document)
    assert json.loads(text) == document
    assert hidden(text) == []
    assert text.endswith("\n")


def test_a_long_document_comes_in_pieces_of_which_none_is_long() -> None:
    entry = {"id": "C1", "text": "said ☃\ufe0f, not hidden \u202e"}
    pieces = list(json_pieces({"entries": [entry] * 20_000}))
    assert len(pieces) > 20
    assert max(map(len, pieces)) < 2 * texts._PIECE
    assert "".join(pieces) == json_text({"entries": [entry] * 20_000})


def test_entries_that_are_made_while_they_are_written_are_written_as_others_are() -> None:
    told = [("a", 1), ("b", {"c": []})]
    assert json_text({"list": Listed(lambda: iter([one for _, one in told]))}) == json_text({"list": [one for _, one in told]})
    assert json_text({"named": Named(lambda: iter(told))}) == json_text({"named": dict(told)})
