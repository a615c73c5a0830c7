"""What is read of Python: declarations, imports, calls, tests, signatures, and what is told not to be known."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import ends, facts, gaps, names

SYMBOLS = [
    ("def f(): ...", ["f"]),
    ("async def f():\n    def g(): ...", ["f", "f.g"]),
    ("class A:\n    x: int\n    y = 1\n    def m(self):\n        z = 1\n    class B: pass", ["A", "A.B", "A.m", "A.x", "A.y"]),
    ("a = b = 1\nc: int\n(d, [e, *g]) = h", ["a", "b", "c", "d", "e", "g"]),
    ("if x:\n    def f(): ...\nelse:\n    f = None", ["f"]),
    ("def f():\n    local = 1", ["f"]),
    ("class A:\n    @property\n    def p(self): ...\n    @p.setter\n    def p(self, v): ...", ["A", "A.p"]),
    ("x.y = 1\nz[0] = 2\nfor i in x: pass\nimport os", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), SYMBOLS)
def test_symbols_are_what_is_declared(source: str, expected: list[str]) -> None:
    assert names(Kind.SYMBOL, {"m.py": source}) == expected


IMPORTS = [
    ("import a.b as c, d", ["a.b", "d"]),
    ("from a import b as c", ["a", "a.b"]),
    ("from . import b", [".", ".b"]),
    ("from ..a import *", ["..a", "..a.*"]),
    ("def f():\n    import a", ["a"]),
    ("import importlib\nimportlib.import_module('a.b')\n__import__('c')", ["a.b", "c", "importlib"]),
    ("'import a'  # import b", []),
]


@pytest.mark.parametrize(("source", "expected"), IMPORTS)
def test_imports_are_told_as_they_are_written(source: str, expected: list[str]) -> None:
    assert names(Kind.IMPORT, {"m.py": source}) == expected


COMPUTED = ["import_module(name)", "importlib.import_module()", "__import__(f'{x}')", "exec(text)", "eval('1')"]


@pytest.mark.parametrize("source", COMPUTED)
def test_what_is_computed_is_told_and_not_passed_over(source: str) -> None:
    assert [one.file for one in gaps(Kind.IMPORT, {"m.py": source})] == ["m.py"]
    assert gaps(Kind.DEPENDENCY, {"m.py": source})
    assert gaps(Kind.SYMBOL, {"m.py": source}) == []


def test_a_method_called_exec_runs_no_text() -> None:
    assert gaps(Kind.IMPORT, {"m.py": "cursor.exec(text)\nmodel.eval()"}) == []


PACKAGE = {"p/__init__.py": "", "p/a.py": "", "p/sub/__init__.py": "", "p/sub/b.py": "x = 1"}
RESOLVED = [
    ("p/m.py", "from . import a", ["p/a.py"]),
    ("p/m.py", "from . import attribute", ["p/__init__.py"]),
    ("p/m.py", "from .sub.b import x", ["p/sub/__init__.py", "p/sub/b.py"]),
    ("p/sub/m.py", "from ..a import x", ["p/a.py"]),
    ("m.py", "import p.sub.b", ["p/__init__.py", "p/sub/__init__.py", "p/sub/b.py"]),
    ("m.py", "from p.sub import b", ["p/__init__.py", "p/sub/__init__.py", "p/sub/b.py"]),
    ("m.py", "from p import *", ["p/__init__.py"]),
    ("m.py", "import os.path", ["external:os.path"]),
    ("m.py", "from x import y", ["external:x"]),
    ("tests/t.py", "import p.a", ["p/__init__.py", "p/a.py"]),
]


@pytest.mark.parametrize(("file", "source", "expected"), RESOLVED)
def test_dependencies_lead_to_files(file: str, source: str, expected: list[str]) -> None:
    files = {**PACKAGE, file: source}
    assert sorted(str(one.target) for one in facts(Kind.DEPENDENCY, files)) == expected
    assert gaps(Kind.DEPENDENCY, files) == []


@pytest.mark.parametrize("root", ["", "src/", "lib/", "services/one/src/"])
def test_packages_are_found_wherever_they_are_rooted(root: str) -> None:
    files = {f"{root}p/__init__.py": "", f"{root}p/a.py": "", "tests/t.py": "from p.a import f"}
    assert f"{root}p/a.py" in [one.target for one in facts(Kind.DEPENDENCY, files)]


def test_a_folder_that_only_shares_a_name_is_not_taken_for_a_module() -> None:
    files = {"json/data.py": "", "m.py": "import json"}
    assert [one.target for one in facts(Kind.DEPENDENCY, files)] == ["external:json"]


def test_modules_of_a_folder_without_init_are_found() -> None:
    files = {"space/one.py": "", "m.py": "from space import one\nimport space.one"}
    assert [one.target for one in facts(Kind.DEPENDENCY, files)] == ["space/one.py"]


MISSING = [
    {"p/__init__.py": "from ._version import v"},
    {"p/__init__.py": "", "m.py": "import p.made.at.build"},
    {"one/p/__init__.py": "", "two/p/__init__.py": "", "m.py": "import p"},
    {"m.py": "from ... import far"},
]


@pytest.mark.parametrize("files", MISSING)
def test_an_import_that_leads_nowhere_certain_leaves_dependencies_open(files: dict[str, str]) -> None:
    assert len(gaps(Kind.DEPENDENCY, files)) == 1


def test_what_only_checkers_see_is_of_types_only() -> None:
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b"
    told = {one.target: one.type_only for one in facts(Kind.DEPENDENCY, {"m.py": source, "a.py": "", "b.py": ""})}
    assert told == {"external:typing": False, "a.py": True, "b.py": False}


CALLS = [
    ("f()", [("m.py", "f")]),
    ("def g():\n    a.b.c(1)", [("m.py#g", "a.b.c")]),
    ("class A:\n    x = f()\n    def m(self):\n        lambda: self.n()", [("m.py#A", "f"), ("m.py#A.m", "self.n")]),
    ("@d(1)\ndef g(x=h()): ...", [("m.py", "d"), ("m.py", "h")]),
    ("get(1).run[0]()", [("m.py", "get"), ("m.py", "get(...).run[...]")]),
    ("', '.join(x)", [("m.py", "', '.join")]),
    ("(a or b)()", [("m.py", "(...)")]),
]


@pytest.mark.parametrize(("source", "expected"), CALLS)
def test_calls_belong_to_whoever_makes_them(source: str, expected: list[tuple[str, str]]) -> None:
    assert ends(Kind.CALL_SITE, {"m.py": source}) == expected


def test_equal_calls_are_facts_of_their_own() -> None:
    assert len({one.id for one in facts(Kind.CALL_SITE, {"m.py": "f(1)\nf(1)\nf(2)"})}) == 3


LIBRARY = {
    "p/__init__.py": "from .a import f as g\nfrom .a import K",
    "p/a.py": "def f(): ...\nclass K: ...\nh = lambda: 1\nv = 1",
    "p/all.py": "from .a import *",
}
CALLED = [
    ("from p.a import f\nf()", ["p/a.py#f"]),
    ("import p.a\np.a.f()", ["p/a.py#f"]),
    ("import p.a as x\nx.h()", ["p/a.py#h"]),
    ("from p import g, K\ng()\nK()", ["p/a.py#K", "p/a.py#f"]),
    ("from p import a\na.f()", ["p/a.py#f"]),
    ("from p.all import f\nf()", ["p/a.py#f"]),
    ("def own(): ...\ndef g():\n    own()", ["m.py#own"]),
    ("def g():\n    from p.a import f\n    f()", ["p/a.py#f"]),
    ("from p.a import v\nv()", []),
    ("from p.a import f\ndef g(f):\n    f()", []),
    ("from p.a import f\nf = 1\nf()", []),
    ("from p.a import f\ndef g():\n    global f\n    f = 1\nf()", []),
    ("def f(): ...\nclass A:\n    def f(self): ...\n    def g(self):\n        f()", ["m.py#f"]),
    ("print()\nx.y()", []),
]


@pytest.mark.parametrize(("source", "expected"), CALLED)
def test_calls_are_resolved_where_names_alone_tell_it(source: str, expected: list[str]) -> None:
    assert names(Kind.RESOLVED_CALL, {**LIBRARY, "m.py": source}) == expected


def test_modules_that_import_each_other_end() -> None:
    files = {"a.py": "from b import f\nf()", "b.py": "from a import f"}
    assert names(Kind.RESOLVED_CALL, files) == []


TESTS = [
    ("t/test_a.py", "def test_x(): ...\ndef helper(): ...", ["test_x"]),
    ("t/a_test.py", "async def test_x(): ...", ["test_x"]),
    ("t/helpers.py", "def test_x(): ...", []),
    (
        "test_a.py",
        "class TestA:\n    def test_x(self): ...\n    class TestB:\n        def test_y(self): ...",
        ["test_x", "test_y"],
    ),
    ("test_a.py", "class TestA:\n    def __init__(self): ...\n    def test_x(self): ...", []),
    ("test_a.py", "class Other:\n    def test_x(self): ...", []),
    ("any.py", "import unittest\nclass A(unittest.TestCase):\n    def test_x(self): ...\n    def setUp(self): ...", ["test_x"]),
    ("any.py", "class Base(TestCase): ...\nclass A(Base):\n    def testX(self): ...", ["testX"]),
    ("test_a.py", "@pytest.mark.skip(reason='x')\ndef test_x(): ...\n@pytest.mark.skipif(y)\ndef test_y(): ...", ["test_y"]),
    ("test_a.py", "pytestmark = pytest.mark.skip\ndef test_x(): ...", []),
    ("test_a.py", "class TestA:\n    pytestmark = [pytest.mark.skip('x')]\n    def test_x(self): ...", []),
    ("test_a.py", "def outer():\n    def test_x(): ...", []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("file", "source", "expected"), TESTS)
def test_tests_are_those_that_would_be_collected(file: str, source: str, expected: list[str]) -> None:
    assert names(Kind.TEST_DEFINITION, {file: source}) == expected


CONFIGURED = [
    ("pytest.ini", "[pytest]\npython_files = check_*.py\npython_functions = check_*", ["check_x"]),
    ("pyproject.toml", "[tool.pytest.ini_options]\npython_files = ['check_*.py']\npython_functions = ['check']", ["check_x"]),
    ("tox.ini", "[pytest]\npython_files = check_*.py", ["test_y"]),
    ("setup.cfg", "[tool:pytest]\npython_files = check_*.py", ["test_y"]),
    ("setup.cfg", "[metadata]\nname = x", []),
]


@pytest.mark.parametrize(("name", "text", "expected"), CONFIGURED)
def test_collecting_is_what_the_configuration_says(name: str, text: str, expected: list[str]) -> None:
    files = {name: text, "check_a.py": "def check_x(): ...\ndef test_y(): ..."}
    assert names(Kind.TEST_DEFINITION, files) == expected


def test_a_configuration_that_cannot_be_read_is_told_for_the_whole_snapshot() -> None:
    (gap,) = gaps(Kind.TEST_DEFINITION, {"pyproject.toml": "[tool.pytest", "test_a.py": "def test_x(): ..."})
    assert gap.file is None


API = [
    ("def f(a: int, *, b: str = '') -> None: ...", ["f"]),
    ("def f(a) -> None: ...\ndef g(a: int): ...", []),
    ("def _f() -> None: ...", []),
    ("__all__ = ['_f']\ndef _f() -> None: ...\ndef g() -> None: ...", ["_f"]),
    ("class A:\n    x: int\n    def m(self) -> None: ...\n    def _n(self) -> None: ...", ["A", "A.m"]),
    ("from typing import TypeAlias\nX: TypeAlias = int\nY: int = 1", ["X"]),
    ("def f() -> None:\n    def g() -> None: ...", ["f"]),
]


@pytest.mark.parametrize(("source", "expected"), API)
def test_api_is_what_is_public_and_annotated(source: str, expected: list[str]) -> None:
    assert names(Kind.API, {"m.py": source}) == expected


def test_what_is_public_without_annotations_is_a_gap_of_its_name() -> None:
    files = {"m.py": "def f(a): ...\n__all__ = names()"}
    assert [one.reason for one in gaps(Kind.API, files)] == ["what the module exports is computed"]
