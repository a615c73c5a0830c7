"""The scenarios of change contracts: two sides, contracts, evidence, and what verifying them is to say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent.sources.snapshots import of_folder
from guardrails.contracts.schema import Contract, read
from guardrails.digests import sha256
from tests.repositories import GitFolder

CASES: Final = Path(__file__).parent / "cases" / "contracts"
NOTHING: Final = sha256(b"")
EXECUTABLE: Final = "100755"


@dataclass(frozen=True)
class Scenario:
    """One of them, as it is written."""

    written: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.written["id"])

    def lay(self, folder: Path) -> list[str]:
        """Lay everything below `folder`; the command line that verifies it."""
        words = ["contract", "verify", "--format", "json"]
        for option, name in (("--contract", "contract"), ("--approved-contract", "approved")):
            if self.written[name] is not None:
                file = folder / f"{name}.yaml"
                file.write_text(self.written[name], "utf-8")
                words += [option, str(file)]
        if self.written["mode"] == "git":
            repository = GitFolder.init(folder / "repository")
            for side in ("base", "head"):
                repository.git("rm", "-rqf", "--ignore-unmatch", ".")
                lay(repository.path, self.written[side])
                repository.git("add", "--all", "--force")
                repository.commit(side)
            return [*words, "--repo", str(repository.path), "--base", "HEAD~1", "--head", "HEAD"]
        for side in ("base", "head"):
            lay(folder / side, self.written[side])
            words += [f"--{side}-dir", str(folder / side)]
        return [*words, *self._evidence(folder)]

    def _evidence(self, folder: Path) -> list[str]:
        """The envelope of a run, where there is one; unbound is one that is about other files."""
        evidence = self.written["evidence"]
        if evidence is None:
            return []
        contract = read((self.written["approved"] or self.written["contract"]).encode())
        subject = of_folder(folder / "head").digest if evidence["bound"] else NOTHING
        envelope = {
            "schema": "0.1",
            "subject": subject,
            "contractDigest": contract.digest if isinstance(contract, Contract) else NOTHING,
            "runner": {"name": "vitest", "version": "4.1.12"},
            **dict.fromkeys(("preparedAt", "startedAt", "capturedAt"), "2026-12-01T05:16:54.777Z"),
            "artifactDigest": NOTHING,
            "trust": "self-attested",
            "success": evidence["success"],
            "tests": [{key: told for key, told in test.items() if told is not None} for test in evidence["tests"]],
        }
        file = folder / "evidence.json"
        file.write_text(json.dumps(envelope), "utf-8")
        return ["--evidence", str(file)]


def lay(folder: Path, files: Mapping[str, Mapping[str, str]]) -> None:
    """Lay one side of a scenario."""
    folder.mkdir(exist_ok=True)
    for name, file in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file["text"].encode())
        if file.get("mode") == EXECUTABLE:
            target.chmod(0o755)


def scenarios(*files: str) -> list[Scenario]:
    """Those of some files of cases, in order."""
    return [Scenario(written) for file in files for written in json.loads((CASES / file).read_text("utf-8"))]
