"""The plain style gives what the parser gives, line by line, or leaves the text to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guardrails.records import changelog, changeset, profile
from guardrails.strict_yaml import Bounds, YamlFault, plain_style, read
from guardrails.strict_yaml.decoding import decode
from guardrails.strict_yaml.plain_style import UNKNOWN, compose
from guardrails.strict_yaml.walking import places

CASES = Path(__file__).parents[1] / "cases"
FILES = sorted(path for path in CASES.rglob("*.y*ml") if path.stat().st_size < 100_000)
PARSED = Bounds(items=99_999)
"""Bounds of their own keep a text from being read in any other way than by the parser."""


def by_parser(text: str) -> object:
    """What the parser gives: types and order included."""
    try:
        return repr(read(text.encode(), PARSED).value)
    except YamlFault as fault:
        return fault.finding.code


def assert_same(text: str) -> bool:
    """Hold a text that is taken against the parser; whether it is taken."""
    told = compose(text)
    if told is UNKNOWN:
        return False
    assert repr(told) == by_parser(text)
    at = places(text)
    lines = dict(plain_style.lines(text))
    assert {path: at[path].line for path in lines} == lines
    assert {path for path in at if path not in lines} <= {path for path in at if path and at.get(path[:-1], at[()]).is_flow}
    return True


@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CASES)))
def test_every_shared_record_is_read_alike(path: Path) -> None:
    try:
        text = decode(path.read_bytes(), Bounds())
    except YamlFault:
        return
    assert_same(text)


@pytest.mark.parametrize(
    "name", ["intent/changesets/minimal.yaml", "intent/changesets/two-units.yaml", "intent/changelogs/released.yaml"]
)
def test_an_ordinary_record_is_in_plain_style(name: str) -> None:
    text = (CASES / name).read_text("utf-8")
    assert assert_same(text)
    assert assert_same(text.replace("\n", "\r\n"))
    assert assert_same(f"# A remark.\n\n{text}\n  # The end.\n")


@pytest.mark.parametrize(
    "value",
    [
        *("null", "~", "", "True", "012", "0x1F", "1.5e3", ".inf", "+.inf", "yes", "2026-12-01", "1:30"),
        *("a#b", "a:b", 'it\'s "so" [and] {so}', "x, y", "(x)", "/p/q", "über", "日本", "a   b"),
        *("[]", "{}", "[a]", "[a, 1, null, x:y, https://x.example/a]", "'a # b: c'", '"a: b"', "''", '""'),
    ],
)
def test_these_values_are_taken(value: str) -> None:
    assert assert_same(f"a: {value}\nb:\n  - {value or 'x'}\n  - c: {value}\n    d: x\n")


@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", "# nothing\n", "--- \na: b\n", "---\na: b\n", "a: b\n...\n", "a: b\n---\n", "%YAML 1.2\n---\na: b\n"),
        *("a: &x b\n", "a: *x\n", "a: !t b\n", "<<: {}\n", "<<:\n  a: b\n", "? a\n: b\n", "a: |\n  b\n", "a: >\n  b\n"),
        *("a: b\na: c\n", "a:\n  b: c\n  b: d\n", "null: a\n", "True: a\n", "1: a\n", "'a': b\n", '"a": b\n', "[a]: b\n"),
        *("a: b\n  c\n", "a: b\n  - c\n", "a: b\n- c\n", "a:\n- b\n", "a: b\n  c: d\n", "a: b\n c: d\n", " a: b\n", "- a\n"),
        *(
            "a:\n  b\n",
            "a:\n    b: c\n  d: e\n",
            "a:\n  - b\n    c: d\n",
            "a:\n  - b:\n    - c\n",
            "a:\n  - - b\n",
            "a:\n  -\n",
        ),
        *("a: b: c\n", "a: b:\n", "a: b #c\n", "a: b \n", "a : b\n", "a: [b,c]\n", "a: [b, [c]]\n", "a: [b, ]\n", "a: [b\n"),
        *("a: {b: c}\n", 'a: "b\\n"\n', "a: 'b''c'\n", "a: 'b' c\n", "a: @b\n", "a: `b`\n", "a: - b\n", "a: ? b\n", "a: % b\n"),
        *("a:\tb\n", "\ta: b\n", "a: b\tc\n", "a: b\rc: d\n", "a: b\x85c: d\n", "a: b\u2028c: d\n", "a: b\ufeffc\n"),
        *("a: " + "x" * 20_000 + "\n", "a:\n" + "".join(f"{' ' * n}a:\n" for n in range(2, 80)), "a: b\n" * 30_000),
    ],
)
def test_these_texts_are_left_to_the_parser(text: str) -> None:
    assert compose(text) is UNKNOWN


PIECES = st.sampled_from(
    [
        *("a: ", "b:", "key-x: ", "c: d", "null: ", "<<: ", "- ", "- a: ", "-", "- - ", "? ", ": ", "# c", " #", "...", "---"),
        *("v", "null", "~", "1", "0x1f", "1.0", "[]", "{}", "[a, b]", "[a:1, b-]", "[a,b]", "[a", "{a: b}", "'s'", "'a''b'"),
        *('"d"', '"d\\n"', "a:", "x :y", "&a", "*a", "!t", "|", ">", "@", "%", "`", ",", "\u3000", "\xa0", "é", "\ue000", "\\"),
        *("\n", "\n  ", "\n    ", "\n  - ", "\n- ", "\n      ", "\n   ", "\r\n", "\t", "\u2028", " ", "  "),
    ]
)


@given(st.lists(PIECES, max_size=24).map("".join))
def test_whatever_is_taken_is_read_alike(text: str) -> None:
    assert_same(text)


RECORDS = [(CASES / "intent" / name).read_text("utf-8") for name in ("changesets/two-units.yaml", "changelogs/released.yaml")]


@given(
    st.sampled_from(RECORDS),
    st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 3), PIECES | st.characters(codec="utf-8")), max_size=3),
)
@example(RECORDS[0], [(0, 0, "\ufeff")])
def test_a_record_that_was_tampered_with_is_read_alike(text: str, edits: list[tuple[int, int, str]]) -> None:
    for place, taken, piece in edits:
        start = place % len(text)
        text = text[:start] + piece + text[start + taken :]
    try:
        decode(text.encode(), Bounds())
    except YamlFault:
        return
    assert_same(text)


def test_values_of_a_line_that_is_remembered_are_not_shared() -> None:
    one, other = (compose("a: []\nb: {}\nc: [x]\n") for _ in range(2))
    one["a"].append(1)
    one["b"]["x"] = 1
    one["c"].append(1)
    assert other == {"a": [], "b": {}, "c": ["x"]}


@pytest.mark.requirement("IC-12.2")
def test_the_bounds_hold_as_ever() -> None:
    for text in ("a: " + "x" * 65_537, "a:\n" + "".join(f"{' ' * n}a:\n" for n in range(1, 70)), "a:\n" + "  - x\n" * 100_001):
        with pytest.raises(YamlFault):
            read(text.encode())


def test_lines_are_told_from_the_top_on_and_for_what_is_not_there() -> None:
    text = "a: b\n# remark\nc:\n  - d: e\n    f: [g, h]\n  - i\nj:\n"
    document = read(text.encode())
    assert document.is_plain
    asked: list[tuple[tuple[str | int, ...], int]] = [
        (("c", 0, "f"), 5),
        (("c", 0), 4),
        (("a",), 1),
        (("j",), 7),
        (("c", 0, "f", 1), 5),
        (("c", 7, "x"), 3),
        (("k",), 1),
        ((), 1),
        (("c", 1), 6),
    ]
    assert [(path, document.line(path)) for path, _ in asked] == asked
    assert [(path, read(text.encode()).line(path)) for path, _ in asked] == asked


def test_all_kinds_of_records_are_written_in_plain_style() -> None:
    record = changeset.read(RECORDS[0].encode())
    ledger = changelog.read(RECORDS[1].encode())
    assert isinstance(record, changeset.Changeset)
    assert isinstance(ledger, changelog.Changelog)
    assert changeset.read(changeset.write(record.document.value)).document.is_plain  # type: ignore[union-attr]
    assert changelog.read(changelog.write(ledger.document.value)).document.is_plain  # type: ignore[union-attr]
    assert isinstance(profile.read((CASES / "intent/profiles/base.yaml").read_bytes()), profile.Profile)
