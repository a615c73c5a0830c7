"""On which packages files of Go depend: go.mod, go.work, replacements, and what they leave open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.code_facts.model import Kind
from guardrails.code_facts.providers import PROVIDERS
from guardrails.contracts.clauses import Selector
from tests.facts import ends, facts, gaps, names, side

MODULE = {"go.mod": "module example.com/m\n\ngo 1.22\n"}
STORE = {"store/store.go": "package store\n", "store/more.go": "package store\n"}


def importing(*paths: str, package: str = "main") -> str:
    return f"package {package}\n\nimport (\n" + "".join(f"\t{path}\n" for path in paths) + ")\n"


def targets(files: dict[str, str], file: str = "main.go") -> list[str]:
    return [str(one.target) for one in facts(Kind.DEPENDENCY, files) if one.file == file]


IMPORTS = [
    ('import "fmt"', ["fmt"]),
    ('import (\n\t"fmt"\n\tx "a.b/c"\n\t. "d.e/f"; _ "g.h/i"\n)', ["a.b/c", "d.e/f", "fmt", "g.h/i"]),
    ("import `fmt`", ["fmt"]),
    ('import "C"', ["C"]),
    ('// import "x"\nvar s = `import "y"`', []),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("source", "expected"), IMPORTS)
def test_imports_are_told_as_they_are_written(source: str, expected: list[str]) -> None:
    assert names(Kind.IMPORT, {"m.go": f"package p\n\n{source}\n"}) == expected


def test_the_name_of_an_import_is_part_of_its_fingerprint_and_not_of_its_id() -> None:
    told = [facts(Kind.IMPORT, {"m.go": f'package p\nimport {name} "a.b/c"\n'})[0] for name in ("", "x", ".", "_")]
    assert len({one.id for one in told}) == 1
    assert len({one.fingerprint for one in told}) == 4


RESOLVED = [
    ({}, "example.com/m/store", "store/"),
    ({"root.go": "package m\n"}, "example.com/m", "./"),
    ({}, "fmt", "external:fmt"),
    ({}, "encoding/json", "external:encoding/json"),
    ({}, "example.com/other/store", "external:example.com/other/store"),
    ({}, "example.com/mm/store", "external:example.com/mm/store"),
    ({"go.mod": "module store\n"}, "store/store", "store/"),
    ({"go.mod": 'module "example.com/m" // here\n'}, "example.com/m/store", "store/"),
    ({"go.mod": "module example.com/m\nreplace a.b/c => ./store\n"}, "a.b/c", "store/"),
    ({"go.mod": "module example.com/m\nreplace (\n\ta.b/c v1.0.0 => ./store\n)\nrequire a.b/c v1.0.0\n"}, "a.b/c", "store/"),
    ({"go.mod": "module example.com/m\nreplace a.b/c v1.0.0 => ./store\nrequire a.b/c v1.0.1\n"}, "a.b/c", "external:a.b/c"),
    ({"go.mod": "module example.com/m\nreplace a.b/c => d.e/f v1.0.0\n"}, "a.b/c", "external:a.b/c"),
    (
        {
            "go.mod": "module example.com/m\nreplace a.b/c => ./lib\n",
            "lib/go.mod": "module x.y/z\n",
            "lib/in/l.go": "package in\n",
        },
        "a.b/c/in",
        "lib/in/",
    ),
    (
        {"go.work": "go 1.22\nuse (\n\t.\n\t./lib\n)\n", "lib/go.mod": "module a.b/lib\n", "lib/l.go": "package lib\n"},
        "a.b/lib",
        "lib/",
    ),
    (
        {"vendor/a.b/c/c.go": "package c\n", "vendor/modules.txt": "# a.b/c v1.0.0\n"},
        "a.b/c",
        "external:a.b/c",
    ),
]


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("more", "path", "expected"), RESOLVED)
def test_imports_lead_to_packages(more: dict[str, str], path: str, expected: str) -> None:
    files = {**MODULE, **STORE, **more, "main.go": importing(f'"{path}"', package="m")}
    assert targets(files) == [expected]
    assert gaps(Kind.DEPENDENCY, files) == []


OPEN = [
    ({}, "example.com/m/made", []),
    ({}, "./store", []),
    ({}, "a/" * 100 + "b", []),
    ({"store/go.mod": "module example.com/m/store\n"}, "example.com/m/store", ["external:example.com/m/store"]),
    ({"lib/go.mod": "module a.b/lib\n", "lib/l.go": "package lib\n"}, "a.b/lib", ["external:a.b/lib"]),
    (
        {"go.work": "use ./lib\n", "lib/go.mod": "module a.b/lib\n", "lib/l.go": "package lib\n"},
        "a.b/lib",
        ["external:a.b/lib"],
    ),
    ({"go.work": "use (\n", "lib/go.mod": "module a.b/lib\n", "lib/l.go": "package lib\n"}, "a.b/lib", ["external:a.b/lib"]),
    ({"go.mod": "module example.com/m\nreplace a.b/c => ../c\n"}, "a.b/c", ["external:a.b/c"]),
    ({"go.mod": "module example.com/m\nreplace a.b/c => /c\n"}, "a.b/c", ["external:a.b/c"]),
    ({"go.mod": "module example.com/m\nreplace a.b/c => ./nowhere\n"}, "a.b/c", []),
    ({"only/o_test.go": "package only\n"}, "example.com/m/only", []),
    ({"hidden/_h.go": "package hidden\n"}, "example.com/m/hidden", []),
    ({"never/n.go": "//go:build ignore\n\npackage never\n"}, "example.com/m/never", []),
    ({}, "C", ["external:C"]),
]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize(("more", "path", "expected"), OPEN)
def test_what_the_snapshot_leaves_open_is_told_of_the_file(more: dict[str, str], path: str, expected: list[str]) -> None:
    files = {**MODULE, **STORE, **more, "main.go": importing(f'"{path}"', package="m")}
    assert targets(files) == expected
    assert [one.file for one in gaps(Kind.DEPENDENCY, files)] == ["main.go"]


@pytest.mark.requirement("CC-13")
def test_without_a_module_only_the_standard_library_is_certain() -> None:
    assert gaps(Kind.DEPENDENCY, {"m.go": importing('"fmt"', '"encoding/json"')}) == []
    assert len(gaps(Kind.DEPENDENCY, {"m.go": importing('"mine/store"', '"a.b/c"')})) == 2


BROKEN = ["", "modul example.com/m\n", "module example.com/m\nreplace (\n", "module example.com/m\nreplace a b\n"]


@pytest.mark.requirement("CC-13")
@pytest.mark.parametrize("text", BROKEN)
def test_a_module_that_cannot_be_read_voids_what_it_governs(text: str) -> None:
    files = {**MODULE, "a/go.mod": text, "a/m.go": importing('"example.com/m/b"'), "b/m.go": importing('"fmt"', package="b")}
    whole = [one for one in gaps(Kind.DEPENDENCY, files) if one.file is None]
    assert [one.folder for one in whole] == ["a"]
    assert targets(files, "a/m.go") == []
    assert targets(files, "b/m.go") == ["external:fmt"]


TREE = {
    **MODULE,
    "main.go": importing('"example.com/m/api"'),
    "api/api.go": "package api\n",
    "api/more.go": importing('"example.com/m/store"', package="api"),
    "api/in_test.go": importing('"example.com/m/fake"', package="api"),
    "api/out_test.go": importing('"example.com/m/api"', package="api_test"),
    "store/store.go": "package store\n",
    "fake/fake.go": "package fake\n",
    "gen.go": "//go:build ignore\n\n" + importing('"example.com/m/fake"'),
}
REACHED = [
    ("main.go", "store/store.go", True),
    ("main.go", "store/", True),
    ("main.go", "fake/fake.go", False),
    ("api/api.go", "store/store.go", True),
    ("api/api.go", "api/more.go", True),
    ("api/api.go", "api/api.go", False),
    ("api/api.go", "api/in_test.go", False),
    ("store/store.go", "api/api.go", False),
    ("api/in_test.go", "api/api.go", True),
    ("api/in_test.go", "api/out_test.go", False),
    ("api/out_test.go", "api/in_test.go", True),
    ("api/out_test.go", "fake/fake.go", True),
    ("gen.go", "fake/fake.go", True),
    ("gen.go", "main.go", False),
    ("main.go", "gen.go", False),
]


def reached(texts: dict[str, str], **told: str) -> tuple[list[str | None], tuple[str, ...]]:
    selector = Selector.model_validate({"kind": "dependency", **told})
    head = side(texts)
    return [one.target for one in head.matching(selector)], head.gaps(selector)


@pytest.mark.requirement("CC-12")
@pytest.mark.parametrize(("origin", "target", "is_reached"), REACHED)
def test_files_reach_what_their_packages_import(origin: str, target: str, is_reached: bool) -> None:
    assert reached(TREE, file=origin, to=target) == ([target] if is_reached else [], ())


def test_a_package_is_no_origin_of_a_dependency() -> None:
    selector = Selector.model_validate({"kind": "dependency", "to": "store/store.go"})
    assert sorted({one.file for one in side(TREE).matching(selector)}) == [
        *("api/api.go", "api/in_test.go", "api/more.go", "api/out_test.go", "main.go"),
    ]


def test_a_way_leads_over_packages() -> None:
    head = side(TREE)
    (fact,) = head.matching(Selector.model_validate({"kind": "dependency", "file": "main.go", "to": "store/store.go"}))
    assert head.way(fact) == ("main.go", "api/", "api/more.go", "store/", "store/store.go")


@pytest.mark.requirement("CC-13")
def test_a_file_of_the_package_that_cannot_be_read_leaves_what_is_reached_open() -> None:
    files = {**TREE, "api/broken.go": "package api\nfunc {"}
    assert [gap.partition(":")[0] for gap in reached(files, file="main.go", to="fake/fake.go")[1]] == ["api/broken.go"]
    assert reached(files, file="store/store.go", to="fake/fake.go")[1] == ()


def test_many_files_that_import_a_large_package_tell_no_product() -> None:
    files = {**MODULE, **{f"big/b{n}.go": "package big\n" for n in range(200)}}
    files |= {f"c{n}/c.go": importing('"example.com/m/big"', package="c") for n in range(200)}
    assert len(facts(Kind.DEPENDENCY, files)) == 200
    assert len(ends(Kind.DEPENDENCY, files)) == 200


def test_the_reading_does_not_depend_on_the_order_of_files() -> None:
    turned = dict(reversed(TREE.items()))
    provider = next(one for one in PROVIDERS if one.name == "go")
    one, other = provider.read(TREE), provider.read(turned)
    assert (one.facts, replace(one, facts=()).links) == (other.facts, other.links)
