"""What hides becomes visible, what writing needs stays."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.redaction.neutralise import hidden, neutralise

pytestmark = pytest.mark.requirement("AI-8")

SHOWN = [
    ("if admin\u202e\u2066// ok\u2069", r"if admin\u{202e}\u{2066}// ok\u{2069}"),
    ("fix\U000e0061", r"fix\u{e0061}"),
    ("a\u200bb\u200cc\u200dd", r"a\u{200b}b\u{200c}c\u{200d}d"),
    ("\x1b]8;;http://evil\x07", r"\u{001b}]8;;http://evil\u{0007}"),
    ("a\rb\x0b\x0c\x85\u2028\u2029", r"a\u{000d}b\u{000b}\u{000c}\u{0085}\u{2028}\u{2029}"),
    ("\ufeffx\u00ad\u034f\u3164\u2800\ud800", r"\u{feff}x\u{00ad}\u{034f}\u{3164}\u{2800}\u{d800}"),
    ("\u2764\ufe0f\ufe0f", "\u2764" + r"\u{fe0f}\u{fe0f}"),
    ("\u200d\u200d", r"\u{200d}\u{200d}"),
]
KEPT = [
    "plain\n\ttext\r\n",
    "👩\u200d💻 ❤\ufe0f\u200d🔥 👍🏽\u200d♂\ufe0f",
    "نمی\u200cخواهم",
    "क्\u200dष",
    "caf\u00e9 cafe\u0301 日本",
    "",
]


@pytest.mark.parametrize(("raw", "shown"), SHOWN)
def test_what_hides_is_shown(raw: str, shown: str) -> None:
    assert neutralise(raw) == shown
    assert hidden(raw)


@pytest.mark.parametrize("text", KEPT)
def test_what_writing_needs_stays(text: str) -> None:
    assert neutralise(text) == text
    assert hidden(text) == []


@given(st.text())
def test_neutralising_is_idempotent_and_moves_no_line(text: str) -> None:
    once = neutralise(text)
    assert neutralise(once) == once
    assert hidden(once) == []
    assert once.count("\n") == text.count("\n")


VISIBLE_FORMATS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)}


def test_no_format_or_control_character_passes_between_letters() -> None:
    odd = (
        chr(point)
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point)) in {"Cf", "Cc", "Zl", "Zp", "Cs"} and point not in VISIBLE_FORMATS
    )
    assert [
        ascii(character) for character in odd if character not in "\n\t" and character in neutralise(f"a{character}b")
    ] == []
