"""Contracts for changes of this project, held against its own history where that is there."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from agent.sources import snapshots
from agent.sources.git import Repository
from guardrails.contracts import schema
from guardrails.contracts.evaluate import Compared, Contracts, evaluate
from guardrails.contracts.inventory import Snapshot
from guardrails.contracts.results import Status

ROOT = Path(__file__).parents[3]
OWN = ROOT / "tests" / "cases" / "contracts" / "own"
KEPT = ("guardrails/contracts/", "guardrails/strict_yaml/", "guardrails/digests.py", "guardrails/code_facts/model.py")
"""What is read beside the files that a change touches: reading all that we have written takes its time."""
SUBJECTS = {
    "contracts": "Read contracts of three schemas, and hold a change against intent, scope, budget, file rules and claims",
    "grammars": "Read TypeScript with tree-sitter and the wheels of single grammars, which bundle theirs and fetch nothing",
    "manifests": (
        "Hold new dependencies of five families of manifests against a contract, read by packaging where they are Python's"
    ),
}
READER = "file: guardrails/strict_yaml/reader.py"
NARROWER = [
    ("contracts", "'tests/**'", "'tests/guardrails/**'", "$scope:out-of-scope"),
    ("contracts", "has_its_known_digest", "has_another_digest", "known-digest:evidence-missing"),
    (
        "contracts",
        f"kind: api, {READER}, name: read",
        f"kind: symbol, {READER}, name: _Composer",
        "bounds-of-yaml:preserve-violated",
    ),
    ("grammars", "lines: 100", "lines: 63", "$budget:over-budget"),
    ("grammars", "tree-sitter-typescript]", "tree-sitter-rust]", "$dependencies:unapproved-dependency"),
    ("grammars", "path: '*/**'", "path: '*'", "no-code:preserve-violated"),
    ("manifests", "name: tomllib", "name: tomli", "real-parsers:required-fact-missing"),
    ("manifests", "name: subprocess", "name: typing.Final", "nothing-runs:forbidden-fact-present"),
    ("manifests", "package_manifests/*.py", "package_manifests/*/*.py", "every-family:claim-not-implemented"),
    ("manifests", "path: 'guardrails/code_facts/**'", "path: 'guardrails/code-facts/**'", "facts:rule-matches-nothing"),
]


def commit(name: str) -> str:
    """The commit that a contract is for; the test is skipped where this is no repository with its history."""
    words = ["git", "log", "--format=%H %s", "--fixed-strings", f"--grep={SUBJECTS[name]}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=False, text=True)
    found = [line.partition(" ")[0] for line in done.stdout.splitlines() if line.partition(" ")[2] == SUBJECTS[name]]
    parents = ["git", "rev-parse", "--verify", "--quiet", f"{found[0] if found else ''}~1^{{commit}}"]
    if not found or subprocess.run(parents, cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip(f"the history of this project is not here: no commit {SUBJECTS[name]!r}")
    return found[0]


@cache
def compared(oid: str) -> Compared:
    whole = Compared.of(*snapshots.of_commits(Repository.open(ROOT), f"{oid}~1", oid))
    touched = {change.path for change in whole.changes}

    def cut(side: Snapshot) -> Snapshot:
        entries = {path: entry for path, entry in side.entries.items() if path in touched or path.startswith(KEPT)}
        return replace(side, entries=entries, texts={path: side.texts[path] for path in entries if path in side.texts})

    return Compared.of(cut(whole.base), cut(whole.head))


def verify(name: str, text: str) -> list[str]:
    contract = schema.read(text.encode())
    assert isinstance(contract, schema.Contract), contract
    results = evaluate(Contracts(contract, contract), compared(commit(name))).results
    return [f"{result.id}:{result.finding}" for result in results if result.status is not Status.PASS]


@pytest.mark.requirement("CC-04")
@pytest.mark.parametrize("name", SUBJECTS)
def test_a_change_of_this_project_kept_to_its_contract(name: str) -> None:
    assert verify(name, (OWN / f"{name}.yaml").read_text("utf-8")) == []


@pytest.mark.requirement("CC-04")
@pytest.mark.parametrize(("name", "said", "instead", "finding"), NARROWER)
def test_a_narrower_contract_is_broken_by_it(name: str, said: str, instead: str, finding: str) -> None:
    text = (OWN / f"{name}.yaml").read_text("utf-8")
    assert text.count(said) == 1
    assert verify(name, text.replace(said, instead)) == [finding]


def test_every_contract_of_ours_is_held_against_a_change() -> None:
    assert {path.stem for path in OWN.iterdir()} == set(SUBJECTS)
