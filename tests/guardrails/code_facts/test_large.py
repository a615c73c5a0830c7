"""Text that is large and made to be slow is read in about the time of its size, or told as unread.

Each case is as large as what grows with its square, or faster, would never get through.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from guardrails.code_facts.model import ALL, Kind
from tests.facts import PYTHON, TYPESCRIPT, ends, gaps

PYTHON_READ = {
    "targets": "a=" * 60_000 + "1",
    "targets of a tuple": ",".join(f"a{number}" for number in range(40_000)) + "=b",
    "imports of a function": "def f():\n import x\n" + " import a\n a()\n" * 10_000,
    "imports of a function by name": "def f():\n" + "".join(f" import a{number}\n a{number}()\n" for number in range(10_000)),
    "methods of tests": "class TestC:\n" + " def test_a(self) -> None: pass\n" * 10_000,
    "names that are exported": "__all__ = []\n" + "".join(f"__all__ += ['a{number}']\n" for number in range(20_000)),
    "bases": "class A: pass\nclass B("
    + "A," * 20_000
    + "): pass\nclass C("
    + "B," * 20_000
    + "):\n def test_a(self) -> None: pass",
    "bases of bases": "class C0: pass\n" + "".join(f"class C{n + 1}(C{n}, C{n}):\n def test_a(self): 1\n" for n in range(40)),
    "calls": ("f" + "()" * 90 + "\n") * 300,
    "calls in calls": ("f(" * 90 + ")" * 90 + "\n") * 300,
    "sums": ("1" + "+1" * 500 + "\n") * 100,
    "hexadecimal digits": "a = 0x" + "f" * 300_000,
    "a string": "a = '" + "x" * 3_000_000 + "'",
    "attributes that are called": ("a" + ".b" * 400 + "()\n") * 100,
}
PYTHON_UNREAD = {
    "a dotted import": "import a" + ".b" * 500_000,
    "a dotted import over lines": "from a" + " . \\\n b" * 100_000 + " import c",
    "parts of a formatted text": "f'" + "{a}" * 300_000 + "'",
    "long parts of a formatted text": "f'" + ("{a}" + "x" * 180) * 19_000 + "'",
}
TYPESCRIPT_READ = {
    "calls": "f" + "()" * 30_000,
    "calls in calls": "f(" * 15_000 + "1" + ")" * 15_000,
    "calls of methods": "a" + ".b()" * 15_000,
    "calls of what is not null": "a" + "!" * 100_000 + "()" + "!()" * 5_000,
    "awaited calls": "async function g() {" + "await " * 60_000 + "f() }",
    "sums of calls": "f()" + "+f()" * 10_000,
    "conditions": "a?b:" * 30_000 + "c",
    "assignments": "a=" * 60_000 + "1",
    "variables": "export let " + "a:A," * 30_000 + "b:B",
    "names of a pattern": "export const [" + ",".join(f"a{number}" for number in range(30_000)) + "]: T = b",
    "comparisons": "a<b;" * 100_000,
    "comparisons in comments": "a;" + "/* < ' */" * 10_000 + "\n// <<" * 10_000,
    "types in types": "type T = " + "A<" * 30_000 + "B" + ">" * 30_000,
    "one thing by many names": "export function a(): void;" * 2_000
    + "export {"
    + "".join(f"a as b{n}," for n in range(9_000))
    + "}",
    "names in names": ("namespace " + "n" * 4 + "{") * 190 + "f();" * 10_000 + "}" * 190,
    "calls of tests": "it('a', " * 20_000 + "1" + ")" * 20_000,
    "a string": "a = '" + "x" * 900_000 + "'",
}
TYPESCRIPT_UNREAD = {
    "new": "new " * 30_000 + "f" + "()" * 30_000,
    "long names in names": ("namespace " + "n" * 4_000 + "{") * 190 + "f();" * 10_000 + "}" * 190,
    "more than is read": "f()" + "()" * 500_000,
    "what is mended over and over": "<in T>" * 100_000,
    "comparisons that may be types": "a<b," * 200_000,
    "comparisons with texts that may be types": "a<b,'>',()=>c," * 60_000,
}
SLOW_JSON = {
    "quotes": '\\"' * 400_000,
    "comments": "/*" * 400_000,
    "commas": ", " * 400_000,
    "nesting": "[" * 400_000,
    "blanks": "," + " " * 900_000,
    "too much of it": " " * 2_000_000,
}


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", PYTHON_READ.values(), ids=PYTHON_READ)
def test_large_python_is_read(text: str) -> None:
    assert not [one for one in PYTHON.read({"test_m.py": text}).blind if one.kinds == ALL]


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", PYTHON_UNREAD.values(), ids=PYTHON_UNREAD)
def test_python_that_would_keep_its_parser_busy_is_a_gap_of_every_kind(text: str) -> None:
    assert [one.kinds for one in gaps(Kind.SYMBOL, {"m.py": text})] == [ALL]


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", TYPESCRIPT_READ.values(), ids=TYPESCRIPT_READ)
def test_large_typescript_is_read(text: str) -> None:
    assert not [one for one in TYPESCRIPT.read({"m.ts": text}).blind if one.kinds == ALL]


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", TYPESCRIPT_UNREAD.values(), ids=TYPESCRIPT_UNREAD)
def test_typescript_beyond_the_bounds_is_a_gap_of_every_kind(text: str) -> None:
    assert [one.kinds for one in gaps(Kind.SYMBOL, {"m.ts": text})] == [ALL]


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", SLOW_JSON.values(), ids=SLOW_JSON)
def test_configuration_that_is_no_json_is_told_however_long_it_is(text: str) -> None:
    told = gaps(Kind.DEPENDENCY, {"tsconfig.json": text, "m.ts": "import 'a'"})
    assert any("tsconfig.json cannot be read" in one.reason for one in told)


def test_things_beyond_the_bound_that_a_file_exports_are_a_gap() -> None:
    text = "export function a(): void;" * 3_000 + "export {" + "".join(f"a as b{number}," for number in range(60)) + "}"
    assert [one.kinds for one in gaps(Kind.API, {"m.ts": text})] == [frozenset({Kind.API})]


def test_configurations_that_extend_each_other_in_many_ways_are_read_once() -> None:
    files = {f"c{one}.json": f'{{"extends": ["./c{one + 1}", "./c{one + 1}.json"]}}' for one in range(40)}
    files |= {"c40.json": '{"compilerOptions": {"baseUrl": "src"}}', "tsconfig.json": '{"extends": "./c0"}'}
    assert ends(Kind.DEPENDENCY, {**files, "m.ts": "import 'a'", "src/a.ts": ""}) == [("m.ts", "src/a.ts")]


def test_projects_that_refer_to_each_other_are_read_once_and_too_many_are_told() -> None:
    def told(number: int) -> list[str]:
        references = ",".join(f'{{"path": "../p{one}"}}' for one in range(number))
        files = {f"p{one}/tsconfig.json": f'{{"references": [{references}]}}' for one in range(number)}
        return [one.reason for one in gaps(Kind.DEPENDENCY, {**files, "p0/m.ts": "import 'a'"})]

    assert told(12) == []
    assert any("more projects than are followed" in one for one in told(40))


def test_aliases_beyond_the_bound_are_told() -> None:
    paths = ",".join(f'"a{number}/*": ["b/*"]' for number in range(1_001))
    files = {"tsconfig.json": f'{{"compilerOptions": {{"paths": {{{paths}}}}}}}', "m.ts": "import 'a'"}
    assert ["more than 1000 paths" in one.reason for one in gaps(Kind.DEPENDENCY, files)] == [True]


def stars(ending: str, line: str, number: int) -> Mapping[str, str]:
    """Modules that take all names of each other."""
    return {f"m{one}.{ending}": "".join(line.format(other) for other in range(number) if other != one) for one in range(number)}


def test_python_modules_that_take_all_names_of_each_other_are_followed_once() -> None:
    files = {**stars("py", "from .m{} import *\n", 40), "n.py": "from .m0 import *\nf()\ng()"}
    files["m39.py"] += "def f() -> None: pass\n"
    assert ends(Kind.RESOLVED_CALL, files) == [("n.py", "m39.py#f")]


def test_typescript_modules_that_pass_all_names_of_each_other_are_followed_once() -> None:
    files = {**stars("ts", "export * from './m{}'\n", 40), "n.ts": "import { f, g } from './m0'\nf(); g()"}
    files["m39.ts"] += "export function f() {}\n"
    assert ends(Kind.RESOLVED_CALL, files) == [("n.ts", "m39.ts#f")]


def test_modules_that_are_reached_in_many_ways_are_looked_at_once() -> None:
    line = "from .m{} import *\n"
    files = {f"m{one}.py": "".join(line.format(other) for other in range(one + 1, one + 3)) for one in range(60)}
    files |= {f"m{one}.py": f"from .m{one + 1} import f\n" for one in range(60, 90)} | {"m90.py": "def f() -> None: pass\n"}
    assert ends(Kind.RESOLVED_CALL, {**files, "n.py": "from .m0 import *\nf()"}) == [("n.py", "m90.py#f")]
