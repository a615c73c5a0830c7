"""Whatever a text of Go holds, reading it ends in facts or in a reason, within bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.code_facts.go import syntax
from guardrails.code_facts.go.provider import Go
from guardrails.code_facts.model import Kind, Reading
from tests.facts import facts, gaps, names

GO = Go()
DEEP = {
    "parentheses": "var x = " + "(" * 50_000 + "1" + ")" * 50_000,
    "sum": "var x = 1" + "+1" * 50_000,
    "attributes": "var x = a" + ".b" * 50_000,
    "calls": "var x = f" + "()" * 10_000,
    "arguments": "var x = " + "f(" * 10_000 + ")" * 10_000,
    "functions": "var x = " + "func() { " * 10_000 + "}" * 10_000,
    "branches": "func m() { " + "if a { b() } else " * 10_000 + "{} }",
    "blocks": "func m() { " + "{" * 20_000 + "}" * 20_000 + " }",
    "shadows": "func m(a int) { " + "{ a := a; a(); " * 10_000 + "}" * 10_000 + " }",
    "literals": "var x = a" + "{" * 20_000 + "}" * 20_000,
    "bindings": "func m() { " + "a, b := 1, 2; " * 5_000 + " }",
    "table": "var x = []int{" + "1," * 20_000 + "}",
    "text": "var x = `" + "a" * 900_000 + "`",
    "repeated": "const (\n\ta = " + "1+" * 3_000 + "iota\n" + "\tb\n" * 3_000 + ")",
    "fields": "type T struct { " + ", ".join(f"a{n}" for n in range(3_000)) + " [" + "1+" * 3_000 + "1]int }",
    "all names": 'import . "m/a"\n' * 1_000 + "func m() { " + "G(); " * 1_000 + "}",
    "examples": "".join(f"func ExampleA{n}() {{\n// Output: a\n}}\n" for n in range(2_000)),
    "constants": "const (\n\ta = iota\n" + "\tb\n" * 5_000 + ")",
}
CUT_OFF = {
    "parentheses": "var x = " + "(" * 100_000,
    "braces": "func m() " + "{" * 90_000,
    "structs": "type T " + "struct { a " * 20_000,
    "garbage": "@#%^&*(" * 20_000,
    "no package": "",
}


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_what_nests_deeply_is_read_without_recursion(text: str) -> None:
    assert gaps(Kind.SYMBOL, {"m.go": f"package p\n\n{text}\n"}) == []


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", CUT_OFF.values(), ids=CUT_OFF)
def test_what_breaks_off_is_a_gap_of_every_kind(text: str) -> None:
    whole = f"package p\n\n{text}\n" if text else ""
    assert [one.kinds for one in gaps(Kind.SYMBOL, {"m.go": whole})] == [frozenset(Kind)]


def test_what_is_larger_than_the_bounds_is_told() -> None:
    long = {"a.go": "/" * (syntax.MAX_CHARACTERS + 1), "b.go": "{" * (syntax.MAX_BRACES + 1), "c.go": "package p\0"}
    assert [one.file for one in gaps(Kind.SYMBOL, long)] == ["a.go", "b.go", "c.go"]


def test_what_is_cut_short_tells_nothing_but_a_gap() -> None:
    assert facts(Kind.SYMBOL, {"m.go": "package p\n\nfunc F() {}\nfunc {\n"}) == []


NAMES = ["m.go", "m_test.go", "go.mod", "go.work", "vendor/a.b/c/m.go", "m_linux.go", "internal/m.go", "_m.go"]


def read(files: dict[str, str]) -> Reading:
    return GO.read({"n.go": 'package p\nimport "m/internal"\nfunc f() { g() }\n', **files})


@pytest.mark.requirement("CC-18")
@given(st.binary(max_size=200), st.sampled_from(NAMES))
def test_any_bytes_are_read_and_read_alike_again(data: bytes, name: str) -> None:
    text = data.decode("utf-8", "surrogateescape")
    assert read({name: text}) == read({name: text})


PIECES = [
    *(
        "package p\n",
        "import ",
        "func ",
        "type ",
        "const ",
        "var ",
        "struct ",
        "interface ",
        "map[",
        "chan ",
        "func(",
        "go ",
        "defer ",
    ),
    *(
        "if ",
        "else ",
        "for ",
        "range ",
        "switch ",
        "select ",
        "case ",
        "default:",
        "return ",
        "iota",
        "nil",
        "T",
        "a",
        "b",
        "f",
        "_",
    ),
    *(
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ".",
        ",",
        ";",
        ":=",
        "=",
        ":",
        "*",
        "&",
        "<-",
        "...",
        "~",
        "|",
        "1",
        '"s"',
        "`r`",
        "'c'",
        "\n",
        " ",
    ),
    *(
        "t *testing.T",
        't.Run("x", ',
        "//go:build a\n",
        "// Output:\n",
        "/* c */",
        "a.b/c",
        "=>",
        "module m\n",
        "replace ",
        "use ",
    ),
]


@pytest.mark.requirement("CC-18")
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.sampled_from(NAMES))
def test_any_row_of_tokens_is_read(tokens: list[str], name: str) -> None:
    read({name: "".join(tokens)})


SOURCE = """package p

import (
	"testing"

	s "m/internal"
)

// Box holds.
type Box[T any] struct {
	held, more []T
	*s.Other
}

func (b *Box[T]) Put(x T, more ...T) (n int, err error) {
	switch y := any(x).(type) {
	case int, string:
		for i, v := range b.held {
			n += s.Count[T](v, i)
		}
	default:
		_ = func() { y, z := b.Put(x); _ = z; y.f() }
	}
	return
}

const (
	A, B = iota, "b"
	C, D
)

func TestBox(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { check(t, c) })
	}
	t.Run("one", func(t *testing.T) { (&Box[int]{}).Put(1) })
}
"""


@pytest.mark.requirement("CC-18")
@given(st.integers(0, len(SOURCE)), st.integers(0, 30), st.sampled_from(PIECES), st.sampled_from(NAMES))
def test_source_with_a_piece_put_into_it_is_read(at: int, gone: int, piece: str, name: str) -> None:
    read({name: SOURCE[:at] + piece + SOURCE[at + gone :], "internal/s.go": "package s\nfunc Count() {}\n"})


@given(st.lists(st.sampled_from(["", "\n", " ", "\t", " /* c */ ", "// c\n"]), min_size=1))
def test_source_in_other_layout_tells_the_same(blanks: list[str]) -> None:
    words = SOURCE.split("{\n")
    spread = "".join(f"{word}{{\n{blanks[index % len(blanks)]}\n" for index, word in enumerate(words[:-1])) + words[-1]
    plain, other = ({(one.id, one.fingerprint) for one in read({"m_test.go": text}).facts} for text in (SOURCE, spread))
    assert plain == other


def test_half_surrogates_in_names_can_be_printed() -> None:
    text = 'package p\nimport "testing"\nfunc TestA(t *testing.T) { t.Run("\\xff\\ud800\\n", f) }\n'
    assert all(name.encode() for name in names(Kind.TEST_DEFINITION, {"m_test.go": text}))
