"""Only what stands between our markers changes; nobody else's byte does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.render.own_section import BEGIN, END, SectionFault, replace, without

OURS = "## What changed\n\n- `a.py:1` — more retries."
MARK = "\ufeff"
SECTION = f"{BEGIN}\n\n{OURS}\n\n{END}"

REPLACED = [
    ("empty", "", f"{SECTION}\n"),
    ("words", "By hand.\n", f"By hand.\n\n{SECTION}\n"),
    ("a blank line is there", "By hand.\n\n", f"By hand.\n\n{SECTION}\n"),
    ("no last line break", "By hand.", f"By hand.\n\n{SECTION}"),
    ("blanks", "  ", f"  \n{SECTION}"),
    ("byte order mark", "\ufeff", f"\ufeff{SECTION}"),
    ("an old section", f"Before\n{BEGIN}\nold\n{END}\nafter", f"Before\n{SECTION}\nafter"),
    ("an empty section", f"{BEGIN}\n{END}", SECTION),
    ("markers with blanks", f"  {BEGIN} \nold\n{END}\t\n", f"  {BEGIN} \n\n{OURS}\n\n{END}\t\n"),
    ("marker after a byte order mark", f"\ufeff{BEGIN}\nold\n{END}\n", f"\ufeff{SECTION}\n"),
    ("a quoted marker", f"Keep `{BEGIN}`.\n\nand {END}\n", f"Keep `{BEGIN}`.\n\nand {END}\n\n{SECTION}\n"),
    ("a marker in a fence", f"```\n{BEGIN}\n{END}\n```\n", f"```\n{BEGIN}\n{END}\n```\n\n{SECTION}\n"),
    ("a marker in indented code", f"    {BEGIN}\n", f"    {BEGIN}\n\n{SECTION}\n"),
    ("a marker in a quoted fence", f"> ```\n> {BEGIN}\n", f"> ```\n> {BEGIN}\n\n{SECTION}\n"),
    ("a fence in a list", "- ```\n  x\n  ```\n", f"- ```\n  x\n  ```\n\n{SECTION}\n"),
    ("a fence in the old section", f"{BEGIN}\n```\n{END}\n```\n{END}\n", f"{SECTION}\n"),
]


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in REPLACED], ids=[row[0] for row in REPLACED])
def test_ours_takes_the_place_of_ours_and_of_nothing_else(body: str, expected: str) -> None:
    assert replace(body.encode(), OURS).decode() == expected


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("body", [row[1] for row in REPLACED], ids=[row[0] for row in REPLACED])
def test_line_breaks_are_those_of_the_body(body: str, newline: str) -> None:
    text = f"First\n\n{body.removeprefix(MARK)}"
    told = replace(text.replace("\n", newline).encode(), OURS).decode()
    assert told == replace(text.encode(), OURS).decode().replace("\n", newline)


FAULTS = [
    ("no end", f"a\n{BEGIN}\nb", 2, "our section has no end"),
    ("no begin", f"a\n\n{END}\nb", 3, "our section ends before it has begun"),
    ("turned round", f"{END}\n{BEGIN}\n", 1, "our section ends before it has begun"),
    ("nested", f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n", 2, "our section begins again before it has ended"),
    ("ended twice", f"{BEGIN}\n{END}\n{END}\n", 3, "our section ends before it has begun"),
    ("two sections", f"{BEGIN}\n{END}\n\n{BEGIN}\n{END}\n", 4, "there is a second section of ours"),
    ("the end is quoted as code", f"{BEGIN}\n```\n{END}\n", 1, "our section has no end"),
    ("the body ends in a fence", "a\n\n```\nb\n", 0, "the body ends inside code that nothing closes"),
    ("the body is no text", "a\0", 0, "got a NUL, expected text"),
]


@pytest.mark.parametrize(("body", "line", "what"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_body_whose_section_cannot_be_told_is_left_alone(body: str, line: int, what: str) -> None:
    with pytest.raises(SectionFault) as raised:
        replace(body.encode(), OURS)
    assert (raised.value.line, raised.value.what) == (line, what)
    assert str(raised.value) == (f"line {line}: {what}" if line else what)
    assert raised.value.cure


def test_a_section_that_would_hold_a_marker_is_refused() -> None:
    with pytest.raises(SectionFault):
        replace(b"", f"a\n\n{END}\n\nb")
    assert replace(b"", "") == f"{BEGIN}\n{END}\n".encode()


WITHOUT = [
    ("nothing of ours", "By hand.\r\n", "By hand.\r\n"),
    ("one section", f"a\r\n{BEGIN}\r\nold\r\n{END}\r\nb", "a\r\nb"),
    ("two sections", f"a\n{BEGIN}\nold\n{END}\nb\n{BEGIN}\n{END}\nc", "a\nb\nc"),
    ("no end", f"a\n{BEGIN}\nb", "a\n"),
    ("no begin", f"a\n{END}\nb", "a\n"),
    ("nonsense after a good one", f"a\n{BEGIN}\n{END}\nb\n{END}", "a\n"),
    ("quoted as code", f"```\n{BEGIN}\n```\n", f"```\n{BEGIN}\n```\n"),
]


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in WITHOUT], ids=[row[0] for row in WITHOUT])
def test_what_is_ours_is_no_evidence(body: str, expected: str) -> None:
    assert without(body) == expected


PIECES = st.sampled_from(
    [
        BEGIN,
        END,
        "```",
        "~~~",
        "    ",
        "- ",
        "> ",
        "\n",
        "\r\n",
        "\r",
        "text",
        "\ufeff",
        "\udc80",
        "<!--",
        "-->",
        "é",
        "[a](\udc80)",
    ]
)
BODIES = st.lists(PIECES, max_size=14).map("".join)


@given(BODIES)
def test_every_other_byte_is_kept(body: str) -> None:
    data = body.encode("utf-8", "surrogateescape")
    try:
        told = replace(data, OURS)
    except SectionFault:
        return
    start = told.index(b"## What changed")
    before = told[:start].rstrip(b"\r\n").removesuffix(BEGIN.encode()).rstrip(b"\r\n\t ")
    after = told[told.index(END.encode(), start) :]
    assert data.startswith(before)
    assert data.endswith(after) or after.strip() == END.encode()
    assert replace(told, OURS) == told
    assert replace(replace(data, "Other words."), OURS) == told


@given(st.text(st.characters(), max_size=60) | BODIES)
def test_leaving_ours_out_never_fails_and_adds_nothing(body: str) -> None:
    assert len(without(body)) <= len(body)


@given(BODIES)
def test_what_was_put_in_is_left_out_again(body: str) -> None:
    try:
        told = replace(body.encode("utf-8", "surrogateescape"), OURS).decode("utf-8", "surrogateescape")
    except SectionFault:
        return
    assert "more retries" not in without(told)
