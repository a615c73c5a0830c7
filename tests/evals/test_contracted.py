"""What contracts of merged requests come to is told obligation by obligation, and any difference fails the run."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from evals.contracted import CONTRACTS, Case, cases, main
from guardrails.contracts.schema import Contract, read
from tests.repositories import GitFolder

CONTRACT = """schema: '0.3'
change: { name: a box }
scope: { allow: [box.py] }
requires: [{ id: a-box, match: { kind: symbol, file: box.py, name: Box } }]
"""
CASES = """repository: o/shop
language: Python
request: a box
base: {base}
head: {head}
cases:
  - contract: kept.yaml
    verdict: {verdict}
    expected:
      $intent: PASS, the same file is approved
      $scope: PASS, the one path is allowed
      $dependencies: PASS, no manifest changed
      a-box: {status}, it is declared
"""
RUNS = [
    ("o+shop/repo", ("PASS", "PASS"), 0, "as expected: 1 of 1"),
    ("o/shop", ("PASS", "PASS"), 0, "as expected: 1 of 1"),
    ("o/shop", ("DRIFT", "PASS"), 1, "o/shop kept: got PASS, expected DRIFT"),
    ("o/shop", ("PASS", "DRIFT"), 1, "o/shop kept: a-box: got PASS (1 found), expected DRIFT (it is declared)"),
    ("o/other", ("PASS", "PASS"), 1, "o/shop kept: o/shop is not in"),
]


@pytest.mark.parametrize(("place", "expected", "code", "line"), RUNS)
def test_whatever_is_not_as_expected_is_told_and_fails(
    tmp_path: Path, place: str, expected: tuple[str, str], code: int, line: str
) -> None:
    repository, (verdict, status) = GitFolder.init(tmp_path / "mirrors" / place), expected
    base, head = repository.commit("shop", {"shop.py": ""}), repository.commit("box", {"box.py": "class Box: ...\n"})
    (own := tmp_path / "contracts" / "o+shop").mkdir(parents=True)
    (own / "kept.yaml").write_text(CONTRACT, "utf-8")
    (own / "cases.yaml").write_text(CASES.format(base=base, head=head, verdict=verdict, status=status), "utf-8")
    with redirect_stdout(StringIO()) as out:
        assert main([str(tmp_path / "mirrors"), "--contracts", str(tmp_path / "contracts")]) == code
    assert any(told.startswith(line) for told in out.getvalue().splitlines())


def test_a_run_without_cases_is_none(tmp_path: Path) -> None:
    assert main([str(tmp_path), "--only", "nowhere"]) == 1


def obligations(contract: Contract) -> list[str]:
    """The ids of what has a result, in the order of results."""
    internal = {"$budget": contract.budget, "$dependencies": contract.dependencies}
    lists = (contract.requires, contract.forbids, contract.preserves, contract.evidence, contract.claims)
    told = (name for name, value in internal.items() if value is not None)
    return ["$intent", "$scope", *told, *(one.id for clauses in lists for one in clauses)]


@pytest.mark.parametrize("case", tuple(cases(CONTRACTS)), ids=lambda case: case.name)
def test_every_obligation_of_every_contract_has_its_expectation(case: Case) -> None:
    contract = read(case.approved.read_bytes())
    assert isinstance(contract, Contract)
    assert list(case.expected) == obligations(contract)
    assert all(said.partition(", ")[2] for said in case.expected.values())
    assert {*case.verdict.split(" + "), "PASS"} == {said.partition(",")[0] for said in case.expected.values()}


def test_every_repository_has_a_contract_that_is_kept_and_one_that_is_not() -> None:
    verdicts: dict[str, set[bool]] = {}
    for case in cases(CONTRACTS):
        verdicts.setdefault(case.repository, set()).add(case.verdict == "PASS")
    assert len(verdicts) >= 10
    assert all(met == {True, False} for met in verdicts.values())
    used = {path for case in cases(CONTRACTS) for path in (case.contract, case.approved)}
    assert used == {path for path in CONTRACTS.glob("*/*.yaml") if path.name != "cases.yaml"}
