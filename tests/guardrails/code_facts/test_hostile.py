"""Whatever a text holds, reading it ends in facts or in a reason, within bounds, and runs nothing of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.code_facts.model import Kind
from guardrails.code_facts.python import syntax as python_syntax
from guardrails.code_facts.typescript import syntax as typescript_syntax
from tests.facts import facts, gaps, read

DEEP_PYTHON = {
    "unary": "-" * 50_000 + "1",
    "parentheses": "(" * 10_000 + ")" * 10_000,
    "sum": "1" + "+1" * 20_000,
    "attributes": "a" + ".b" * 20_000,
    "calls": "f" + "()" * 20_000,
    "lambdas": "lambda:" * 20_000 + "1",
    "branches": "if a:\n pass\n" + "elif a:\n pass\n" * 10_000,
    "number": "9" * 10_000,
}
DEEP_TYPESCRIPT = {
    "parentheses": "(" * 20_000 + ")" * 20_000,
    "open": "(" * 20_000,
    "brackets": "[" * 20_000,
    "templates": "`${" * 9_000,
    "objects": "{a:" * 9_000,
    "garbage": "@#%^&*(" * 5_000,
}
WIDE_TYPESCRIPT = {
    "sum": "1" + "+1" * 5_000,
    "attributes": "a" + ".b" * 5_000,
    "calls": "f" + "()" * 2_000,
    "unary": "!" * 5_000 + "a",
    "branches": "if(a);else " * 3_000 + ";",
}


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", DEEP_PYTHON.values(), ids=DEEP_PYTHON)
def test_python_that_nests_too_deeply_is_a_gap_of_every_kind(text: str) -> None:
    assert [one.kinds for one in gaps(Kind.SYMBOL, {"m.py": text})] == [frozenset(Kind)]


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", DEEP_TYPESCRIPT.values(), ids=DEEP_TYPESCRIPT)
def test_typescript_that_breaks_off_is_a_gap_of_every_kind(text: str) -> None:
    assert [one.kinds for one in gaps(Kind.SYMBOL, {"m.ts": text})] == [frozenset(Kind)]


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", WIDE_TYPESCRIPT.values(), ids=WIDE_TYPESCRIPT)
def test_typescript_that_nests_deeply_is_read_without_recursion(text: str) -> None:
    assert gaps(Kind.SYMBOL, {"m.ts": text}) == []


@pytest.mark.parametrize("name", ["m.py", "m.ts", "m.js", "m.tsx"])
@pytest.mark.parametrize("text", ["a\0b", "\0", "def f(:\n", "function f( {", "\ud800 = 1 ="])
def test_what_is_no_source_is_told_with_its_file(name: str, text: str) -> None:
    assert [(one.file, one.kinds) for one in gaps(Kind.SYMBOL, {name: text})] == [(name, frozenset(Kind))]


def test_what_is_larger_than_the_bounds_is_told() -> None:
    long = {"m.py": "#" * (python_syntax.MAX_CHARACTERS + 1), "m.ts": "/" * (typescript_syntax.MAX_CHARACTERS + 1)}
    assert len(gaps(Kind.SYMBOL, long)) == 2
    braces = {"m.ts": "{}" * (typescript_syntax.MAX_BRACES + 1)}
    assert len(gaps(Kind.SYMBOL, braces)) == 1


@pytest.mark.parametrize("name", ["m.py", "m.ts"])
def test_an_empty_file_is_read(name: str) -> None:
    assert read({name: ""}).facts == ()
    assert gaps(Kind.SYMBOL, {name: ""}) == []


def test_half_surrogates_in_names_can_be_printed() -> None:
    files = {"a.test.ts": "import { it } from 'vitest'; it('\\ud800', () => {})", "m.py": "__import__('\\udfff')"}
    told = [fact.name for fact in (*facts(Kind.TEST_DEFINITION, files), *facts(Kind.IMPORT, files))]
    assert json.dumps(told, ensure_ascii=False).encode()
    assert "\\ud800" in told


@pytest.mark.requirement("CC-18")
def test_nothing_that_is_read_is_imported_or_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    before = set(sys.modules)
    text = f"import pathlib, this_is_no_module\npathlib.Path({str(mark)!r}).write_text('x')\n"
    text += f"@exec(\"open({str(mark)!r}, 'w')\")\ndef test_x(): ..."
    read({"conftest.py": text, "test_m.py": text, "setup.py": text, "m.ts": f"require('fs').writeFileSync({str(mark)!r}, '')"})
    assert not mark.exists()
    assert not [name for name in set(sys.modules) - before if "this_is_no_module" in name]


@given(
    st.text(max_size=200), st.sampled_from(["m.py", "m.ts", "m.tsx", "m.js", "tsconfig.json", "package.json", "pyproject.toml"])
)
def test_any_text_is_read_and_read_alike_again(text: str, name: str) -> None:
    files = {name: text, "n.ts": "import './m.js'", "n.py": "import m", "test_n.py": "def test_x(): ..."}
    assert read(files) == read(files)


@given(
    st.lists(
        st.sampled_from(
            [
                "(",
                ")",
                "{",
                "}",
                "[",
                "]",
                "a",
                ".b",
                "=>",
                " ",
                "\n",
                "`",
                "${",
                "<",
                ">",
                "function ",
                "class ",
                "it(",
                "'x'",
                ",",
            ]
        )
    )
)
def test_any_row_of_tokens_is_read(tokens: list[str]) -> None:
    read({"m.tsx": "".join(tokens)})


NESTED = {
    "functions": "function f(){" * 300 + "}" * 300,
    "namespaces": "namespace n{" * 300 + "}" * 300,
    "arrows": "a=>" * 300 + "1",
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_declarations_that_nest_beyond_the_bound_are_a_gap(text: str) -> None:
    assert [one.reason for one in gaps(Kind.SYMBOL, {"m.ts": text})] == ["the file nests too deeply"]
