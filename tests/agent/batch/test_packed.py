"""A text that is packed comes back as it was, whatever its pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.batch.packed import Packed

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


@given(st.lists(TEXTS, max_size=8))
def test_a_text_comes_back_whole(pieces: list[str]) -> None:
    packed = Packed.of(pieces)
    assert packed.text == "".join(pieces)
    assert packed.encode() == packed.text.encode()
    assert bool(packed) == bool(packed.text)


@pytest.mark.parametrize("pieces", [[], [""], ["", ""]])
def test_no_text_is_the_same_however_it_is_told(pieces: list[str]) -> None:
    assert Packed.of(pieces) == Packed()


def test_a_text_of_many_likes_takes_little_room() -> None:
    assert len(Packed.of(["the same line\n"] * 10_000).data) < 2_000


def test_nothing_of_a_text_is_shown_by_accident() -> None:
    assert "secret" not in repr(Packed.of(["secret"]))
