from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.findings import Finding
from guardrails.strict_yaml import Bounds, YamlFault, read, rewrite, write

CORPUS: Final = Path(__file__).parents[1] / "cases" / "intent"
PARSERS: Final = pytest.mark.parametrize("pure", [False, True], ids=["c", "pure"])


def _value(text: str | bytes, *, pure: bool = False) -> Any:
    return read(text if isinstance(text, bytes) else text.encode(), pure=pure).value


def _outcome(data: bytes, *, pure: bool = False) -> Any:
    """The value, or the finding that refuses it."""
    try:
        return read(data, pure=pure).value
    except YamlFault as fault:
        return fault.finding


def _fault(data: bytes, *, pure: bool = False, bounds: Bounds | None = None) -> tuple[str, int | None]:
    with pytest.raises(YamlFault) as caught:
        read(data, bounds or Bounds(), pure=pure)
    return caught.value.finding.code, caught.value.finding.line


CORE: Final[list[tuple[str, Any]]] = [
    ("~", None),
    ("null", None),
    ("Null", None),
    ("NULL", None),
    ("", None),
    ("nULL", "nULL"),
    ("true", True),
    ("True", True),
    ("TRUE", True),
    ("false", False),
    ("tRUE", "tRUE"),
    ("yes", "yes"),
    ("on", "on"),
    ("0", 0),
    ("012", 12),
    ("-7", -7),
    ("+7", 7),
    ("0o17", 15),
    ("0x1F", 31),
    ("0b11", "0b11"),
    ("1_000", "1_000"),
    ("1:30", "1:30"),
    ("2026-01-01", "2026-01-01"),
    ("1.0.0", "1.0.0"),
    ("1.", 1.0),
    (".5", 0.5),
    ("1e3", 1000.0),
    ("-1.5E-2", -0.015),
    (".", "."),
    ("e3", "e3"),
    (".inf", math.inf),
    ("-.INF", -math.inf),
    ("=", "="),
    ("'1'", "1"),
    ('"null"', "null"),
    ("! 1", "1"),
    ("!!str 1", "1"),
    ("!!int 1", 1),
    ("!!float 1", 1.0),
    (f"!!float {'9' * 400}", math.inf),
    ("!!float .5", 0.5),
    ("!!bool true", True),
    ("!!null ''", None),
    ("!<tag:yaml.org,2002:str> 1", "1"),
    ("!!seq [1]", [1]),
    ("!!map {a: 1}", {"a": 1}),
]


@PARSERS
@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize(("text", "value"), CORE)
def test_a_plain_scalar_means_what_the_core_schema_says(text: str, value: object, pure: bool) -> None:
    assert repr(_value(f"a: {text}\n", pure=pure)["a"]) == repr(value)


def test_not_a_number_is_read_and_found_again_as_key() -> None:
    assert math.isnan(_value("a: .nan\n")["a"])
    assert _fault(b"{.nan: 1, .NaN: 2}") == ("yaml-duplicate-key", 1)


REFUSED: Final[list[tuple[bytes, str, int | None]]] = [
    (b"a: 1\nb: 2\na: 3\n", "yaml-duplicate-key", 3),
    (b"a: 1\n'a': 3\n", "yaml-duplicate-key", 2),
    (b"x:\n  1: a\n  0x1: b\n", "yaml-duplicate-key", 3),
    (b"x: {~: a, null: b}\n", "yaml-duplicate-key", 1),
    (b"a: &here 1\n", "yaml-anchor", 1),
    (b"a: &here {}\n", "yaml-anchor", 1),
    (b"&here a: 1\n", "yaml-anchor", 1),
    (b"a: 1\nb: *a\n", "yaml-alias", 2),
    (b"<<: {a: 1}\n", "yaml-merge-key", 1),
    (b"a: !mine 1\n", "yaml-tag", 1),
    (b"a: !<!mine> 1\n", "yaml-tag", 1),
    (b"a: !<tag:example.org,2026:x> 1\n", "yaml-syntax", 1),
    (b"%TAG !e! tag:example.org,2026:\n---\na: !e!x 1\n", "yaml-tag", 3),
    (b"%TAG !! tag:example.org,2026:\n---\na: !!str 1\n", "yaml-tag", 3),
    (b"a: !!binary aGk=\n", "yaml-tag", 1),
    (b"a: !!set {b}\n", "yaml-tag", 1),
    (b"a: !!int word\n", "yaml-tag", 1),
    (b"a: !!int true\n", "yaml-tag", 1),
    (b"a: !!int 1.0\n", "yaml-tag", 1),
    (b"a: !!float 0x10\n", "yaml-tag", 1),
    (b"a: !!null x\n", "yaml-tag", 1),
    (b"a: !!map [1]\n", "yaml-tag", 1),
    (b"a: !!seq {}\n", "yaml-tag", 1),
    (b"a: !!str {}\n", "yaml-tag", 1),
    (b"a: !!map b\n", "yaml-tag", 1),
    (b"? [a]\n: 1\n", "yaml-key", 1),
    (b"? {a: b}\n: 1\n", "yaml-key", 1),
    (b"a: 1\n---\nb: 1\n", "yaml-several-documents", 2),
    (b"a: 1\n---\n", "yaml-several-documents", 2),
    (b"", "yaml-no-document", None),
    (b"# nothing\n", "yaml-no-document", None),
    (b"a: 1\nb: [\n", "yaml-syntax", 3),
    (b"a: b: c\n", "yaml-syntax", 1),
    (b"a: @b\n", "yaml-syntax", 1),
    (b"%YAML 2.0\n---\na: 1\n", "yaml-syntax", 1),
    (b'a: "\\ud800"\n', "yaml-syntax", 1),
    (b"a: 1\nb: \xff\n", "yaml-encoding", 2),
    (b"a: \x07\n", "yaml-encoding", 1),
    (b"a: \x7f\n", "yaml-encoding", 1),
    (b"a: 1\x00\n", "yaml-encoding", 1),
    (b"a: \xed\xa0\x80\n", "yaml-encoding", 1),
    (b"a: \xef\xbf\xbe\n", "yaml-encoding", 1),
    (b"\xff\xfea\x00:\x00\x00\xd8\n\x00", "yaml-encoding", 1),
]


@PARSERS
@pytest.mark.requirement("IC-5.1")
@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize(("data", "code", "line"), REFUSED, ids=[repr(data) for data, _, _ in REFUSED])
def test_a_document_outside_the_subset_is_refused_with_its_line(data: bytes, code: str, line: int | None, pure: bool) -> None:
    got_code, got_line = _fault(data, pure=pure)
    assert got_code == code
    if code != "yaml-syntax":
        assert got_line == line


ACCEPTED: Final[list[tuple[bytes, Any]]] = [
    (b"%YAML 1.2\n---\na: 1\n", {"a": 1}),
    (b"%YAML 1.1\n---\na: yes\n", {"a": "yes"}),
    (b"---\na: 1\n...\n", {"a": 1}),
    (b"---\n", None),
    (b"\xef\xbb\xbfa: \xc3\xa9\n", {"a": "é"}),
    ("a: é\n".encode("utf-16"), {"a": "é"}),
    (b"\xfe\xff" + "a: é\n".encode("utf-16-be"), {"a": "é"}),
    (b"a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
    (b"'<<': {a: 1}\n", {"<<": {"a": 1}}),
    (b"a: <<\n", {"a": "<<"}),
    (b"{1: a, '1': b}\n", {1: "a", "1": "b"}),
    (b"a: [https://example.org/x, b:c, d: e]\n", {"a": ["https://example.org/x", "b:c", {"d": "e"}]}),
    (b"a: {b: urn:isbn:1, c: 'd:e'}\n", {"a": {"b": "urn:isbn:1", "c": "d:e"}}),
    (b"a: [https://example.org/x?y=1, what?, a?:b]\n", {"a": ["https://example.org/x?y=1", "what?", "a?:b"]}),
    (b"? a\n: b?\n", {"a": "b?"}),
    (b"a: {? b: c, d? : e}\n", {"a": {"b": "c", "d?": "e"}}),
    ("a: x\u2028y\x85z\n".encode(), {"a": "x\u2028y\x85z"}),
    ("a: \ue000[x:y]\nb: [x:y]\n".encode(), {"a": "\ue000[x:y]", "b": ["x:y"]}),
    (b"a: |\n  x:y\n  z\n", {"a": "x:y\nz\n"}),
    (b"a: >-\n  x\n  y\n", {"a": "x y"}),
    (b"a: 'b:c' # d:e\n", {"a": "b:c"}),
    ('a: "\\U0001F34E🍎"\n'.encode(), {"a": "🍎🍎"}),
]


@PARSERS
@pytest.mark.requirement("IC-5.1")
@pytest.mark.parametrize(("data", "value"), ACCEPTED, ids=[repr(data) for data, _ in ACCEPTED])
def test_yaml_that_the_specification_allows_is_read(data: bytes, value: object, pure: bool) -> None:
    assert _value(data, pure=pure) == value


ONLY_ONE_PARSER: Final = {
    b"a:\tb\n": "the pure parser takes no tab beside plain text",
    b"a: b\tc\n": "the same",
    b'a: ["b":c]\n': "the pure parser wants a space after the colon in a list",
    b": b\n": "the C parser takes no key that is left out",
    b"%OTHER x\n---\na: b\n": "the C parser takes no directive that it does not know",
}
"""Well-formed documents that one of the parsers refuses. None is read in two different ways."""


@pytest.mark.parametrize("data", ONLY_ONE_PARSER, ids=repr)
def test_where_the_parsers_differ_one_of_them_refuses(data: bytes) -> None:
    outcomes = [_outcome(data, pure=pure) for pure in (False, True)]
    assert [isinstance(outcome, Finding) for outcome in outcomes].count(True) == 1


@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*.yaml")), ids=lambda path: path.stem)
def test_both_parsers_give_a_vector_the_same_verdict(path: Path) -> None:
    by_c, by_pure = (_outcome(path.read_bytes(), pure=pure) for pure in (False, True))
    assert getattr(by_c, "code", by_c) == getattr(by_pure, "code", by_pure)


def test_without_the_c_extension_the_pure_parser_reads() -> None:
    script = """
import sys
sys.modules["_ruamel_yaml"] = None
from guardrails.strict_yaml import read
print(read(b"a: [1, https://example.org/x]").value, read(b"a: 1").line(("a",)))
"""
    root = str(Path(__file__).parents[2])
    run = subprocess.run([sys.executable, "-c", script], cwd=root, check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "{'a': [1, 'https://example.org/x']} 1"


@pytest.mark.requirement("IC-12.2")
@pytest.mark.parametrize(
    ("data", "bounds"),
    [
        (b"a: 1 # long\n", Bounds(bytes=11)),
        (b"a: [[[1]]]\n", Bounds(depth=3)),
        (b"a: [1, 2, 3]\n", Bounds(nodes=5)),
        (b"a: [1, 2, 3]\n", Bounds(items=2)),
        (b"{a: 1, b: 2, c: 3}\n", Bounds(items=2)),
        (b"a: 12345\n", Bounds(scalar=4)),
        (b"12345: a\n", Bounds(scalar=4)),
    ],
)
def test_each_bound_holds_and_its_edge_is_allowed(data: bytes, bounds: Bounds) -> None:
    assert _fault(data, bounds=bounds)[0] == "yaml-bound"
    (name,) = (
        name for name in ("bytes", "depth", "nodes", "items", "scalar") if getattr(bounds, name) != getattr(Bounds(), name)
    )
    assert read(data, Bounds(**{name: getattr(bounds, name) + 1})).value


@PARSERS
@pytest.mark.requirement("IC-12.2")
@pytest.mark.parametrize("opening", [b"[", b"{a: ", b"- ", b"? "])
def test_deep_nesting_is_refused_before_it_is_built(opening: bytes, pure: bool) -> None:
    assert _fault(b"a:\n " + opening * 20_000, pure=pure)[0] in {"yaml-bound", "yaml-key"}


@pytest.mark.requirement("IC-12.2")
def test_too_many_bytes_are_refused_before_they_are_looked_at() -> None:
    assert _fault(b"\xff" * (Bounds().bytes + 1)) == ("yaml-bound", None)


def test_a_very_long_number_stays_text() -> None:
    assert _value(f"a: {'9' * 5_000}\n")["a"] == "9" * 5_000


def test_a_document_read_within_wider_bounds_knows_its_lines() -> None:
    data = b"# " + b"x" * Bounds().bytes + b"\na: 1\n"
    assert read(data, Bounds(bytes=len(data))).line(("a",)) == 2


def test_a_fault_never_quotes_a_value() -> None:
    for data in (b"a: [hidden", b"a: *hidden", b"a: !hidden x", b"a: hidden: x", b"a: 'hidden", b"a: !h!hidden x"):
        with pytest.raises(YamlFault) as caught:
            read(data, pure=True)
        assert "hidden" not in str(caught.value)


def test_a_line_is_that_of_the_value_or_of_what_is_around_it() -> None:
    document = read(b"# head\na: 1\nlist:\n  - b: 2\n    c: {d: 3}\n  - [4,\n     5]\n7: x\n'0x1': y\n")
    lines = {
        (): 2,
        ("a",): 2,
        ("list",): 3,
        ("list", 0): 4,
        ("list", 0, "c", "d"): 5,
        ("list", 1): 6,
        ("list", 1, 1): 7,
        ("list", 5, "z"): 3,
        (7,): 8,
        ("0x1",): 9,
        ("nowhere",): 2,
    }
    assert {path: document.line(path) for path in lines} == lines


TEXT: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    [
        "a: b",
        "- a",
        "a #b",
        "#a",
        "null",
        "0x1",
        "1e3",
        "x\ny\n",
        " x",
        "x ",
        "<<",
        "---",
        "...",
        "a:",
        "x\n\n",
        "\n",
        "?",
        "-",
        "-a",
        "{a}",
        "[",
        "a,b",
        "%a",
        "@a",
    ]
)
SCALARS: Final = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
VALUES: Final = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)


@PARSERS
@pytest.mark.requirement("IC-5.1")
@settings(max_examples=150, deadline=None)
@given(value=st.dictionaries(TEXT, VALUES, max_size=5))
def test_what_is_written_is_read_again(value: dict[str, Any], pure: bool) -> None:
    assert repr(_value(write(value), pure=pure)) == repr(value)


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=60) | st.text(st.sampled_from("ab: -[]{},\n'\"|>#&*!%?~<0x1é\t\\"), max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    outcome = _outcome(data)
    assert not isinstance(outcome, Finding) or outcome.code.startswith("yaml-")
    assert repr(outcome) == repr(_outcome(data))


@settings(max_examples=200, deadline=None)
@given(body=st.lists(st.sampled_from([*"ab:-?[]{},'\"|>#!~ \n", ": ", "- ", "\n  ", "1", "é", "\x85"]), max_size=12))
def test_the_two_parsers_never_read_one_document_in_two_ways(body: list[str]) -> None:
    data = f"root:\n  {''.join(body)}".encode()
    outcomes = [_outcome(data, pure=pure) for pure in (False, True)]
    assert len({repr(outcome) for outcome in outcomes if not isinstance(outcome, Finding)}) < 2


@pytest.mark.requirement("IC-5.1")
@pytest.mark.parametrize("name", ["section-5", "section-15"])
def test_the_examples_of_the_specification_are_written_byte_for_byte(name: str) -> None:
    example = (CORPUS / "examples" / f"{name}.yaml").read_bytes()
    assert write(read(example).value) == example


WRITTEN: Final = """\
plain: Drain jobs - "now" isn't later(#1)
colon: "a: b"
number: "1"
null-word: "null"
switch: yes
dash: -f
address: https://example.org/a:b
empty: ""
nothing: null
edge: " a"
break: "a\\u2028b\\tc"
lines: |-
  first

    second
list: [a, 1, null, true]
addresses:
  - https://example.org/1
quoted:
  - "1"
  - a
deep:
  inner:
    -
      - a: {}
    - b: []
      c: 1.5
"""


def test_a_new_document_has_the_style_of_the_examples() -> None:
    value = {
        "plain": 'Drain jobs - "now" isn\'t later(#1)',
        "colon": "a: b",
        "number": "1",
        "null-word": "null",
        "switch": "yes",
        "dash": "-f",
        "address": "https://example.org/a:b",
        "empty": "",
        "nothing": None,
        "edge": " a",
        "break": "a\u2028b\tc",
        "lines": "first\n\n  second",
        "list": ("a", 1, None, True),
        "addresses": ["https://example.org/1"],
        "quoted": ["1", "a"],
        "deep": {"inner": [[{"a": {}}], {"b": [], "c": 1.5}]},
    }
    assert write(value).decode() == WRITTEN


def test_long_text_is_never_folded_and_a_long_list_is_broken() -> None:
    words = ["word"] * 40
    lines = write({"text": " ".join(words), "list": words}).decode().splitlines()
    assert lines[0] == f"text: {' '.join(words)}"
    assert lines[1:] == ["list:", *["  - word"] * 40]


def test_a_value_outside_the_core_schema_is_not_written() -> None:
    with pytest.raises(TypeError):
        write({"a": object()})


EDITED: Final = """\
# head
id:   one  # kept
targets:
    - release-unit: a
      impact: patch   # why
      x-note: '07'

    # next
    - {release-unit: b, audiences: [x, y]}
relations: {reverts: [], supersedes: []}
entries: []   # none yet
x-text: >
  folded
  text
x-last: ~
"""

EDITS: Final[list[tuple[tuple[str | int, ...], Any, str, str]]] = [
    (("id",), "two", "id:   one  #", "id:   two  #"),
    (("id",), ["a: b"], "id:   one  # kept", 'id:  # kept\n  - "a: b"'),
    (("targets", 0, "impact"), "minor", "patch   # why", "minor   # why"),
    (("targets", 0, "impact"), None, "patch   # why", "null   # why"),
    (("targets", 0, "migration"), "Do: it", "'07'\n", "'07'\n      migration: \"Do: it\"\n"),
    (("targets", 1, "audiences"), ["z"], "[x, y]", "[z]"),
    (("targets", 1, "audiences", 2), "z: 1", "[x, y]", '[x, y, "z: 1"]'),
    (("targets", 1, "migration"), None, "[x, y]}", "[x, y], migration: null}"),
    (("targets", 2), {"release-unit": "c", "audiences": ["x"]}, "y]}\n", "y]}\n    - release-unit: c\n      audiences: [x]\n"),
    (("relations", "reverts", 0), "a", "reverts: []", "reverts: [a]"),
    (("relations",), {"reverts": ["a"]}, "relations: {reverts: [], supersedes: []}", "relations:\n  reverts: [a]"),
    (("entries", 0), {"id": "one"}, "entries: []   # none yet", "entries:   # none yet\n  - id: one"),
    (("x-text",), "new", ">\n  folded\n  text", "new"),
    (("x-last",), "x\ny\n", "~", "|\n  x\n  y"),
    (("x-new",), [], "~\n", "~\nx-new: []\n"),
]


@pytest.mark.requirement("IC-5.2")
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(("path", "value", "old", "new"), EDITS, ids=[".".join(map(str, path)) for path, *_ in EDITS])
def test_an_edit_changes_only_the_text_of_its_value(
    path: tuple[str | int, ...], value: object, old: str, new: str, newline: str
) -> None:
    assert EDITED.count(old) == 1
    expected = EDITED.replace(old, new).replace("\n", newline)
    assert rewrite(EDITED.replace("\n", newline).encode(), {path: value}).decode() == expected


@pytest.mark.requirement("IC-5.2")
def test_edits_follow_one_another_and_keep_the_encoding() -> None:
    before = "a: é # 🍎\nb: 1\n".encode("utf-16")
    after = rewrite(before, {("a",): "🍎é", ("b",): (1,), ("b", 1): 2})
    assert after.decode("utf-16") == "a: 🍎é # 🍎\nb: [1, 2]\n"


@pytest.mark.requirement("IC-5.2")
@pytest.mark.parametrize("name", ["section-5", "section-15"])
def test_an_edit_touches_nothing_else(name: str) -> None:
    example = (CORPUS / "examples" / f"{name}.yaml").read_bytes()
    edited = rewrite(example, {("summary",): "Another result"})
    before, after = example.splitlines(), edited.splitlines()
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [b"summary: Another result"]


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a value that can be edited, the ones after its last entries included."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in entries:
        yield (*path, step)
        yield from _paths(item, (*path, step))
    if isinstance(value, dict | list):
        yield (*path, "a new key" if isinstance(value, dict) else len(value))


@pytest.mark.requirement("IC-5.2")
@settings(max_examples=150, deadline=None)
@given(data=st.data(), value=st.dictionaries(TEXT, VALUES, max_size=4), new=VALUES)
def test_any_value_of_any_document_can_be_edited(data: st.DataObject, value: dict[str, Any], new: object) -> None:
    path = data.draw(st.sampled_from(sorted(_paths(value), key=repr)))
    assert rewrite(write(value), {path: new})


@pytest.mark.requirement("IC-5.2")
@settings(max_examples=150, deadline=None)
@given(data=st.data(), value=st.dictionaries(TEXT, VALUES, max_size=4), ends=st.booleans())
def test_many_edits_at_once_say_what_they_say_one_after_the_other(
    data: st.DataObject, value: dict[str, Any], ends: bool
) -> None:
    before = write(value) if ends else write(value).removesuffix(b"\n")
    paths = data.draw(st.lists(st.sampled_from(sorted(_paths(value), key=repr)), min_size=1, max_size=4, unique=True))
    edits = {path: data.draw(VALUES) for path in paths}
    one_by_one = before
    try:
        for path, new in edits.items():
            one_by_one = rewrite(one_by_one, {path: new})
    except YamlFault:
        with pytest.raises(YamlFault):
            rewrite(before, edits)
    else:
        assert rewrite(before, edits) == one_by_one


@pytest.mark.requirement("IC-5.2")
def test_very_many_values_are_added_and_nothing_else_changes() -> None:
    many: dict[tuple[str | int, ...], Any] = {("entries", number): {"id": f"e-{number}"} for number in range(1_000)}
    after = rewrite(EDITED.encode(), {("targets", 0, "migration"): None, **many}).decode()
    assert after.count("  - id: e-") == len(read(after.encode()).value["entries"]) == 1_000
    lines = [line for line in after.splitlines() if not line.startswith("  - id: e-")]
    assert lines == EDITED.replace("'07'\n", "'07'\n      migration: null\n").replace("entries: []", "entries:").splitlines()


@pytest.mark.parametrize("path", [("nowhere", "deeper"), ("id", "deeper"), ("targets", 9)])
def test_an_edit_that_leads_nowhere_is_refused(path: tuple[str | int, ...]) -> None:
    with pytest.raises(YamlFault) as caught:
        rewrite(EDITED.encode(), {path: 1})
    assert caught.value.finding.code == "yaml-rewrite"
