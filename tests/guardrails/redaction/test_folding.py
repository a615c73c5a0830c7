"""Folded text is what a reader sees, and every range of it leads back to the characters that were written."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.redaction.folding import CONTROLS, HIDDEN, LOOK_ALIKES, fold

TRICKY = "aZ0_ \t\n\r.-/ßéАВаеﬁİıſǅ中文\u200b\u00ad\u0301\u00a0\u2028\x00\x85\ud800½Ⅷ’—ΑΒℓK𝐀\U000e0041😀㎏ﷺ"
UNSEEN = re.compile(f"[{CONTROLS}{HIDDEN}\ud800-\udfff]")
texts = st.text(st.sampled_from(TRICKY) | st.characters(), max_size=40)


def seen(line: str, *, case: bool) -> tuple[str, list[int]]:
    """What a reader sees of a line, character by character, with the index of the one that was written."""
    places = [
        (piece, index)
        for index, character in enumerate(line)
        for piece in (character if character.isascii() else unicodedata.normalize("NFKD", character))
        if not (UNSEEN.match(piece) or unicodedata.combining(piece))
    ]
    shown = "".join(piece for piece, _ in places)
    for word in re.finditer(r"\w+", shown):
        if re.search("[A-Za-z0-9]", word[0]):
            shown = shown[: word.start()] + word[0].translate(LOOK_ALIKES) + shown[word.end() :]
    pairs = [
        (piece, index)
        for character, (_, index) in zip(shown, places, strict=True)
        for piece in (character.casefold() if case else character)
    ]
    return "".join(piece for piece, _ in pairs), [index for _, index in pairs]


@pytest.mark.parametrize("case", [False, True])
@given(texts)
def test_a_text_folds_as_each_line_of_it_read_character_by_character(case: bool, text: str) -> None:
    folded = fold(text, case=case)
    want = [seen(line, case=case) for line in text.split("\n")]
    assert folded.text == "\n".join(shown for shown, _ in want)
    start = at = 0
    for line, (_, origins) in zip(text.split("\n"), want, strict=True):
        for origin in origins:
            assert folded.raw(at, at + 1) == (start + origin, start + origin + 1)
            at += 1
        start, at = start + len(line) + 1, at + 1


@given(texts)
def test_odd_lines_are_those_that_fold_to_something_else_or_hold_what_is_odd(text: str) -> None:
    odd = [line for line in text.split("\n") if re.search(r"[^\t\r\x20-\x7e]", line)]
    folded = fold(text, odd_lines=True)
    assert [line for line in folded.text.split("\n") if line] == [shown for line in odd if (shown := seen(line, case=False)[0])]


@given(texts)
def test_a_line_of_odd_lines_leads_back_to_where_it_stands(text: str) -> None:
    whole, odd = fold(text), fold(text, odd_lines=True)
    for match in re.finditer(r"[^\n]+", odd.text):
        start, end = odd.raw(*match.span())
        again = fold(text[start:end])
        assert again.text == match[0]
        assert "\n" not in text[start:end]
    assert len(odd.text) <= len(whole.text)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("plain words\n", "plain words\n"),
        ("Ｓｅｃｒｅｔ", "Secret"),
        ("se\u200bcret", "secret"),
        ("раураl", "paypal"),
        ("рау", "рау"),
        ("café au lait", "cafe au lait"),
        ("ﬁle", "file"),
        ("鍵 и ключ", "鍵 и ключ"),
    ],
)
def test_what_a_reader_takes_for_latin_is_latin(text: str, want: str) -> None:
    assert fold(text).text == want


def test_a_letter_that_folds_to_several_is_whole_or_not_there() -> None:
    folded = fold("STRAẞE 1", case=True)
    assert folded.text == "strasse 1"
    assert folded.raw(4, 5) == folded.raw(5, 6) == folded.raw(4, 6) == (4, 5)
