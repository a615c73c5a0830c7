"""Text that is large and made to be slow is read in about the time of its size, or told as unread.

Each case is as large as what grows with its square, or faster, would never get through.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from guardrails.code_facts.model import ALL, Kind
from tests.facts import PYTHON, ends, gaps

PYTHON_READ = {
    "targets": "a=" * 60_000 + "1",
    "targets of a tuple": ",".join(f"a{number}" for number in range(40_000)) + "=b",
    "imports of a function": "def f():\n import x\n" + " import a\n a()\n" * 20_000,
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


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", PYTHON_READ.values(), ids=PYTHON_READ)
def test_large_python_is_read(text: str) -> None:
    assert not [one for one in PYTHON.read({"test_m.py": text}).blind if one.kinds == ALL]


@pytest.mark.requirement("CC-18")
@pytest.mark.parametrize("text", PYTHON_UNREAD.values(), ids=PYTHON_UNREAD)
def test_python_that_would_keep_its_parser_busy_is_a_gap_of_every_kind(text: str) -> None:
    assert [one.kinds for one in gaps(Kind.SYMBOL, {"m.py": text})] == [ALL]


def stars(ending: str, line: str, number: int) -> Mapping[str, str]:
    """Modules that take all names of each other."""
    return {f"m{one}.{ending}": "".join(line.format(other) for other in range(number) if other != one) for one in range(number)}


def test_python_modules_that_take_all_names_of_each_other_are_followed_once() -> None:
    files = {**stars("py", "from .m{} import *\n", 40), "n.py": "from .m0 import *\nf()\ng()"}
    files["m39.py"] += "def f() -> None: pass\n"
    assert ends(Kind.RESOLVED_CALL, files) == [("n.py", "m39.py#f")]


def test_modules_that_are_reached_in_many_ways_are_looked_at_once() -> None:
    line = "from .m{} import *\n"
    files = {f"m{one}.py": "".join(line.format(other) for other in range(one + 1, one + 3)) for one in range(60)}
    files |= {f"m{one}.py": f"from .m{one + 1} import f\n" for one in range(60, 90)} | {"m90.py": "def f() -> None: pass\n"}
    assert ends(Kind.RESOLVED_CALL, {**files, "n.py": "from .m0 import *\nf()"}) == [("n.py", "m90.py#f")]
