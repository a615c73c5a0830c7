"""When files of Go are built: what names and comments say, and what follows for names that several files declare."""

from __future__ import annotations

import pytest

from guardrails.code_facts.model import Kind
from tests.facts import ends, facts, names

NEVER = [
    ("m.go", "//go:build ignore", True),
    ("m.go", "// Copyright\n\n//go:build ignore\n", True),
    ("m.go", "//go:build ignore && linux", True),
    ("m.go", "//go:build linux && windows", True),
    ("m.go", "//go:build a && !a", True),
    ("m.go", "//go:build go1.20 && !go1.18", True),
    ("m.go", "//go:build (linux || darwin) && !unix", True),
    ("m_linux.go", "//go:build windows", True),
    ("m_linux_amd64.go", "//go:build !amd64", True),
    ("_m.go", "", True),
    (".m.go", "", True),
    ("m.go", "// +build ignore", True),
    ("m.go", "// +build linux\n// +build windows", True),
    ("m.go", "//go:build !ignore", False),
    ("m.go", "//go:build ignore || linux", False),
    ("m.go", "//go:build android && linux", False),
    ("m.go", "//go:build linux && !android", False),
    ("m.go", "//go:build tools", False),
    ("m.go", "//go:build go1.18 && !go1.20", False),
    ("m.go", "//go:build )(", False),
    ("m.go", "//go:build " + " && ".join(f"t{n}" for n in range(40)), False),
    ("m.go", "// go:build ignore", False),
    ("m.go", "//go:build linux\n// +build ignore", False),
    ("m.go", "// +build ignore linux", False),
    ("linux.go", "//go:build windows", False),
    ("m_linux.go", "//go:build amd64", False),
    ("m_unix.go", "//go:build windows", False),
    ("m.go", "", False),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("path", "comment", "is_never"), NEVER)
def test_what_no_build_holds_is_offered_to_nobody(path: str, comment: str, is_never: bool) -> None:
    files = {path: f"{comment}\n\npackage p\n\nfunc F() {{}}\n"}
    assert names(Kind.API, files) == ([] if is_never else ["F"])
    assert names(Kind.SYMBOL, files) == ["F"]


def test_the_old_form_says_nothing_to_a_module_of_today() -> None:
    files = {"m.go": "// +build ignore\n\npackage p\n\nfunc F() {}\n"}
    assert names(Kind.API, files) == names(Kind.API, {**files, "go.mod": "module m\ngo 1.17\n"}) == []
    assert names(Kind.API, {**files, "go.mod": "module m\ngo 1.18\n"}) == ["F"]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("kind", [Kind.SYMBOL, Kind.API])
def test_when_something_is_built_is_part_of_what_it_is(kind: Kind) -> None:
    texts = ["", "//go:build linux", "//go:build windows", "//go:build  linux ", "//go:build linux // why"]
    told = [facts(kind, {"m.go": f"{text}\n\npackage p\n\nfunc F() {{}}\n"})[0] for text in texts]
    assert len({one.id for one in told}) == 1
    assert len({one.fingerprint for one in told[:3]}) == 3
    assert len({told[1].fingerprint, told[3].fingerprint, told[4].fingerprint}) == 1


CALL = "package p\n\nfunc m() { f() }\n"
DECLARED = "package p\n\nfunc f() {}\n"
PARTED = [
    ({"a_linux.go": DECLARED, "a_windows.go": DECLARED, "m.go": CALL}, ["a_linux.go#f", "a_windows.go#f"]),
    ({"a_linux.go": DECLARED, "a_windows.go": DECLARED, "m_linux.go": CALL}, ["a_linux.go#f"]),
    ({"a_linux.go": DECLARED, "a_other.go": f"//go:build !linux\n\n{DECLARED}", "m_darwin.go": CALL}, ["a_other.go#f"]),
    ({"a.go": f"//go:build x\n\n{DECLARED}", "m.go": f"//go:build !x\n\n{CALL}"}, []),
    ({"a.go": DECLARED, "b.go": DECLARED, "m.go": CALL}, []),
    ({"a.go": DECLARED, "gen.go": f"//go:build ignore\n\n{DECLARED}", "m.go": CALL}, ["a.go#f"]),
    ({"a.go": DECLARED, "tools.go": "//go:build tools\n\npackage tools\n\nfunc f() {}\n", "m.go": CALL}, ["a.go#f"]),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("files", "expected"), PARTED)
def test_a_call_leads_to_every_file_that_a_build_may_hold_with_it(files: dict[str, str], expected: list[str]) -> None:
    assert [target for _, target in ends(Kind.RESOLVED_CALL, files)] == expected
