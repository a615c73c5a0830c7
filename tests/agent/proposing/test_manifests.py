"""Package manifests tell the packages of a repository, as each ecosystem declares its workspaces."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.proposing.manifests import Manifest, is_manifest, packages, read


def folders(files: dict[str, str]) -> list[str]:
    read_ = [manifest for path, text in files.items() if (manifest := read(path, text.encode()))]
    return [manifest.folder for manifest in packages(tuple(read_))]


def npm(**fields: object) -> str:
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"package.json": npm(name="one")}, [""], id="one package at the root stands for the whole"),
        pytest.param(
            {"package.json": npm(name="one"), "site/package.json": npm(name="site")}, [""], id="no workspace, so no member"
        ),
        pytest.param(
            {
                "package.json": npm(name="frame", private=True, workspaces=["packages/*", "!packages/old"]),
                "packages/a/package.json": npm(name="a"),
                "packages/old/package.json": npm(name="old"),
                "site/package.json": npm(name="site"),
            },
            ["packages/a"],
            id="npm members but for the excluded; a private root is a frame",
        ),
        pytest.param(
            {
                "package.json": npm(name="root", workspaces={"packages": ["./apps/**"]}),
                "apps/x/y/package.json": npm(name="y"),
            },
            ["", "apps/x/y"],
            id="yarn's long form, and a root that is published",
        ),
        pytest.param(
            {"pnpm-workspace.yaml": "packages:\n  - apps/*\n", "apps/web/package.json": npm(name="web")},
            ["apps/web"],
            id="pnpm",
        ),
        pytest.param(
            {
                "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/lab"]\n',
                "crates/core/Cargo.toml": '[package]\nname = "core"\n',
                "crates/lab/Cargo.toml": '[package]\nname = "lab"\n',
            },
            ["crates/core"],
            id="cargo",
        ),
        pytest.param(
            {
                "pyproject.toml": '[project]\nname = "all"\n[tool.uv.workspace]\nmembers = ["libs/*"]\n',
                "libs/a/pyproject.toml": '[tool.poetry]\nname = "a"\n',
                "libs/tools/pyproject.toml": "[tool.ruff]\n",
            },
            ["", "libs/a"],
            id="uv, and a pyproject that declares no package",
        ),
        pytest.param(
            {"go.mod": "module example.org/a\n", "cmd/go.mod": "module example.org/a/cmd\n"}, [""], id="one go module"
        ),
        pytest.param(
            {
                "go.work": "go 1.22\nuse (\n\t./api\n\t./cli // the tool\n)\n",
                "api/go.mod": "module example.org/api\n",
                "cli/go.mod": "module example.org/cli\n",
                "lab/go.mod": "module example.org/lab\n",
            },
            ["api", "cli"],
            id="a go workspace",
        ),
        pytest.param(
            {"a/package.json": npm(name="a"), "a/pyproject.toml": '[project]\nname = "a"\n'},
            ["a"],
            id="one folder is one package, whatever it holds",
        ),
        pytest.param({"package.json": npm(scripts={})}, [], id="a manifest without a name declares nothing"),
    ],
)
def test_the_packages_of_a_repository_are_those_that_its_manifests_declare(files: dict[str, str], expected: list[str]) -> None:
    assert folders(files) == expected


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("package.json", True),
        ("apps/web/package.json", True),
        ("apps/web/node_modules/x/package.json", False),
        ("vendor/lib/go.mod", False),
        ("tests/data/Cargo.toml", False),
        ("package.json.bak", False),
    ],
)
def test_manifests_of_other_people_and_of_tests_are_not_looked_at(path: str, verdict: bool) -> None:
    assert is_manifest(path) is verdict


NAMES = ("package.json", "pnpm-workspace.yaml", "Cargo.toml", "pyproject.toml", "go.mod", "go.work")


@given(name=st.sampled_from(NAMES), data=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_never_fail(name: str, data: bytes) -> None:
    assert isinstance(read(f"x/{name}", data), Manifest | None)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, '{"workspaces": 7, "name": ["x"]}', "null", " " * 2_000_000 + "{}"]
)
def test_a_hostile_or_strange_manifest_declares_nothing(text: str) -> None:
    found = read("package.json", text.encode())
    assert found is None or (found.package is None and found.members == ())


def test_members_that_lead_out_of_the_repository_are_dropped() -> None:
    found = read("a/package.json", npm(name="a", workspaces=["../../x", "/etc", "b"]).encode())
    assert found is not None
    assert found.members == ("a/b",)
