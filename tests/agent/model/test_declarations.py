"""Declarations: what one line declares in each language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.model.extractive.declarations import language

NAMES: dict[str, dict[str, str | None]] = {
    "a.py": {
        "def f(x):": "f",
        "    async def g():": "g",
        "class A(B):": "A",
        "LIMIT: int = 3": "LIMIT",
        "__all__ = [": "__all__",
        "    y: str": "y",
        "    else: x": None,
        "if a == b:": None,
        "f(a=1)": None,
        "@cache": None,
        '    "a": 1': None,
    },
    "a.ts": {
        "export async function f() {": "f",
        "export default class X extends Y {": "X",
        "export const f = () => {": "f",
        "  f(a: string): void {": "f",
        "  readonly name?: string;": "name",
        'it("says no", () => {': "says no",
        "  if (x) {": None,
        "  return x;": None,
        "  case x: y": None,
    },
    "a.go": {"func (s *S) F() {": "F", "type X struct {": "X", "\tName string": "Name", "\treturn x": None, "var X = 1": "X"},
    "a.rs": {
        "pub(crate) async fn f() {": "f",
        "impl<'a> From<&'a B<'a>> for C<'a> {": "C",
        "impl C {": "C",
        "    pub owner: String,": "owner",
        "macro_rules! say {": "say",
        "    let x = 1;": None,
    },
    "A.java": {
        "public class A {": "A",
        "    private String name;": "name",
        "    public Result create(@RequestBody List<X> l) {": "create",
        "    int create(X x);": "create",
        "        return f(x);": None,
        "        if (a) {": None,
        "    @Autowired": None,
    },
    "a.kt": {"fun f() {": "f", "data class A(val x: Int)": "A"},
    "a.c": {
        "static int f(struct x *y)": "f",
        "void *A::b(int x)": "A::b",
        "#define X 1": "X",
        "struct s {": "s",
        "else if (x) {": None,
        "f(x);": None,
    },
    "a.rb": {"  def self.f": "f", "class A::B < C": "A::B", "  LIMIT = 1": "LIMIT"},
    "a.ex": {"  defp f(x) do": "f", "defmodule A.B do": "A.B"},
    "a.lua": {"local function a.f(x)": "a.f"},
    "a.sh": {"f() {": "f", "export X=1": "X", "echo x": None},
    "a.sql": {"create table if not exists `t` (": "t", "DROP TABLE t": None},
    "a.scss": {".a, .b {": ".a, .b", "@media (x) {": "@media (x)", "  color: red;": None},
    "a.proto": {"message M {": "M", "  rpc F(A) returns (B);": "F"},
    "a.toml": {"[tool.x]": "tool.x", "[[a.b]]": "a.b", '"a-b" = 1': "a-b"},
    "a.yml": {"jobs:": "jobs", "  - uses: a/b@v1  # pinned": "uses: a/b@v1", '"a b": 1': "a b", "http://x": None},
    "a.json": {'  "a": 1,': "a", '"x"': None},
    "a.properties": {"a.b=c": "a.b"},
    "go.mod": {"\tgolang.org/x/net v0.1.0": "golang.org/x/net"},
    "pom.xml": {"  <version>1</version>": "version", "<a>": None},
    "Makefile": {"all: x": "all", "X := 1": "X"},
    "a.md": {"## Usage ##": "Usage", "#no": None, "# `x`": None},
    "a.adoc": {"== Usage": "Usage"},
    "a.unknown": {"def f(x):": None},
    "a": {"def f(x):": None},
}


@pytest.mark.parametrize(
    ("path", "line", "name"), [(path, line, name) for path, lines in NAMES.items() for line, name in lines.items()]
)
def test_a_line_declares_the_name_that_stands_in_it(path: str, line: str, name: str | None) -> None:
    declared = language(path).declared(line)
    assert (declared.name if declared else None) == name


def test_only_texts_for_people_are_prose() -> None:
    assert [path for path in NAMES if language(path).is_prose] == ["a.md", "a.adoc"]
    assert language("a.rst").is_prose


@given(st.sampled_from(sorted(NAMES)), st.text())
def test_a_declared_name_stands_in_its_line(path: str, line: str) -> None:
    declared = language(path).declared(line)
    assert declared is None or (declared.name in line and declared.name)


@pytest.mark.parametrize("path", sorted(NAMES))
@pytest.mark.parametrize("unit", ["a ", "* ", "*&", "(", "a:", "pub ", "static ", "<a", "[", "{", " \t", "a.", "export "])
def test_hostile_lines_are_read_as_fast_as_others(path: str, unit: str) -> None:
    language(path).declared(unit * 5_000)
