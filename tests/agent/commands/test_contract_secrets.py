"""What a contract command prints holds no secret, in whatever form it is printed and wherever the secret stands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from agent.cli import main
from agent.commands.schemas import SCHEMAS
from agent.sources.snapshots import of_folder
from guardrails.contracts import verified
from guardrails.contracts.schema import Contract, read
from tests.agent.commands.test_contract_evidence import Project
from tests.repositories import GitFolder

pytestmark = pytest.mark.requirement("AI-7", "IC-12.5")
BODY: Final = "q7Rk2Xw9Lm4Tz8Vb3Nc6Hd1Js5Pf0Gy7Ka2Ue"
NAMES: Final = {
    "github": "gh" + "p_" + BODY[:36],
    "aws": "AK" + "IAQ7RK2XW5LM4TZ3VB",
    "npm": "np" + "m_" + BODY[:36],
    "stripe": "sk" + "_live_" + BODY[:24],
}
"""Tokens that may be the name of a file, of a function and of a clause."""
TEXTS: Final = {
    **NAMES,
    "slack": "xo" + "xb-2345678901-2345678901-" + BODY[:24],
    "gitlab": "gl" + "pat-" + BODY[:20],
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiJzZXR0bGUifQ." + BODY[:36],
    "address": "postgres" + f"://svc:{BODY[:18]}@db:5432/x",
}
"""Tokens that may stand in a text."""
FORMS: Final = ("text", "json", "sarif", "github")


def bare(token: str) -> str:
    """The part of a token that must not be seen."""
    return BODY[:18] if "://" in token else token


def lay(folder: Path, name: str, text: str) -> tuple[str, ...]:
    """A change that breaks its contract in every way, with `name` in every name and `text` in every text."""
    told = json.dumps(text)
    contract = f"""\
schema: '0.3'
change: {{ name: {told}, intent: {told} }}
scope: {{ allow: ['src/{name}/a.py'] }}
requires: [{{ id: 'needs-{name}', description: {told}, match: {{ kind: symbol, name: {told} }} }}]
forbids: [{{ id: 'bans-{name}', match: {{ kind: symbol, name: {name} }} }}]
preserves: [{{ id: 'keeps-{name}', match: {{ kind: file, path: 'db/{name}*' }} }}]
evidence:
  - {{ id: 'ran-{name}', stage: test, method: execution, scenario: {told}, file: tests/{name}.py }}
  - {{ id: 'late-{name}', stage: runtime, method: execution, scenario: {told} }}
claims:
  - {{ id: 'says-{name}', text: {told}, files: ['none/{name}'], evidence: [{{ kind: manual, note: {told} }}] }}
  - {{ id: 'shown-{name}', text: {told}, evidence: [{{ kind: test, name: {told} }}, {{ kind: test, name: test_{name} }}] }}
"""
    code = f"import {name}\n\n\ndef {name}() -> None:\n    {name}.call()\n"
    before: dict[str | bytes, str | bytes | None] = {
        f"db/{name}.sql": "x\n",
        "requirements.txt": "a\n",
        f"tests/{name}.py": f"def test_{name}(): pass\n",
    }
    GitFolder(folder / "base").write(before)
    after: dict[str | bytes, str | bytes | None] = {
        **before,
        f"db/{name}.sql": "y\n",
        f"src/{name}/a.py": code,
        f"src/{name}/broken.py": f"def {name}(:\n",
        f"tests/{name}.py": f"def test_{name}(): {name}()\n",
        "requirements.txt": f"a\n{name}\ngit+{text if '://' in text else 'https://x.invalid/' + name}#egg=b\n",
    }
    GitFolder(folder / "head").write(after)
    (folder / f"{name}.yaml").write_text(contract, "utf-8")
    (folder / "evidence.json").write_text(json.dumps(envelope(folder, contract, name, text)), "utf-8")
    return ("--base-dir", str(folder / "base"), "--head-dir", str(folder / "head"))


def envelope(folder: Path, contract: str, name: str, text: str) -> dict[str, Any]:
    agreed = read(contract.encode())
    assert isinstance(agreed, Contract), agreed
    test = {"file": f"tests/{name}.py", "scenario": text, "title": text, "status": "failed"}
    return {
        "schema": "0.1",
        "subject": of_folder(folder / "head").digest,
        "contractDigest": agreed.digest,
        "runner": {"name": "vitest", "version": "4"},
        **dict.fromkeys(("preparedAt", "startedAt", "capturedAt"), "2026-12-01T05:16:54.777Z"),
        "artifactDigest": f"sha256:{'0' * 64}",
        "trust": "self-attested",
        "success": False,
        "tests": [test],
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", TEXTS)
def test_no_verdict_tells_a_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, name: str, text: str) -> None:
    sides = lay(tmp_path, NAMES[name], TEXTS[text])
    contract = str(tmp_path / f"{NAMES[name]}.yaml")
    words = ("--contract", contract, "--approved-contract", contract, "--evidence", str(tmp_path / "evidence.json"))
    code = main(["contract", "verify", *words, *sides, "--format", form, "--verbose"])
    told = capsys.readouterr()
    assert code == 2
    assert "[secret]" in told.out.replace("%5Bsecret%5D", "[secret]")
    for token in (NAMES[name], bare(TEXTS[text])):
        assert token not in told.out + told.err
    if form == "json":
        holds(json.loads(told.out), tmp_path, contract)


def holds(said: dict[str, Any], folder: Path, contract: str) -> None:
    """What is masked is of the promised form, says the same, and has its digests and ids."""
    assert [
        error.message for error in Draft202012Validator(SCHEMAS["contract-verification"].document()).iter_errors(said)
    ] == []
    agreed = read(Path(contract).read_bytes())
    assert isinstance(agreed, Contract)
    assert (said["contractDigest"], said["candidateContractDigest"]) == (agreed.digest, agreed.digest)
    assert (said["base"], said["head"]) == tuple(of_folder(folder / side).digest for side in ("base", "head"))
    assert verified.read(said).status == "INCOMPLETE + DRIFT + UNKNOWN"
    facts = [fact for result in said["results"] for fact in result["facts"]]
    assert facts
    assert all(re.fullmatch(r"[a-z-]+:[0-9a-f]{64}(:[0-9a-f]{64}:\d+)?", fact["id"]) for fact in facts)
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", fact["fingerprint"]) for fact in facts)
    entries = [file[side] for file in said["files"] for side in ("before", "after") if side in file]
    assert all(re.fullmatch(r"(sha256:)?[0-9a-f]{64}", entry["digest"]) for entry in entries)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_review_tells_a_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, name: str) -> None:
    sides = lay(tmp_path, name, name)
    assert main(["contract", "review", *sides, "--format", form]) == 2
    told = capsys.readouterr()
    assert "[secret]" in told.out
    assert name not in told.out + told.err
    if form == "json":
        assert Draft202012Validator(SCHEMAS["contract-review"].document()).is_valid(json.loads(told.out))


def absent(folder: Path, token: str) -> tuple[str, ...]:
    return ("--contract", str(folder / f"{token}.yaml"), "--base", "HEAD", "--repo", str(folder))


def faulty(folder: Path, token: str) -> tuple[str, ...]:
    file = folder / "contract.yaml"
    clause = f"{{ id: '{token}', match: {{ kind: symbol }} }}"
    file.write_text(f"schema: '0.1'\nchange: {{ name: t }}\nrequires: [{clause}, {clause}]\n", "utf-8")
    return ("--contract", str(file), "--base", "HEAD", "--repo", str(folder))


def elsewhere(folder: Path, token: str) -> tuple[str, ...]:
    file = folder / "contract.yaml"
    file.write_text("schema: '0.3'\nchange: { name: t }\nscope: { allow: ['**'] }\n", "utf-8")
    return ("--contract", str(file), "--base", token, "--repo", str(GitFolder.init(folder / "repository").path))


def unlike(folder: Path, token: str) -> tuple[str, ...]:
    return (*elsewhere(folder, "HEAD")[:2], "--base-dir", str(folder), "--head-dir", str(folder / token))


def misspelt(_: Path, token: str) -> tuple[str, ...]:
    return (f"--{token}",)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", [absent, faulty, elsewhere, unlike, misspelt])
@pytest.mark.parametrize("token", TEXTS.values(), ids=TEXTS)
def test_no_failure_tells_a_secret(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    form: str,
    words: Callable[[Path, str], tuple[str, ...]],
    token: str,
) -> None:
    assert main(["contract", "verify", *words(tmp_path, token), "--format", form]) == 2
    told = capsys.readouterr()
    assert bare(token) not in told.out + told.err


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    return Project(tmp_path, capsys)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("token", TEXTS.values(), ids=TEXTS)
def test_what_a_test_run_said_is_told_without_secrets_and_kept_as_it_is(project: Project, form: str, token: str) -> None:
    name = NAMES["npm"]
    beside = project.beside / name
    beside.mkdir()
    prepared = project.prepare(beside / "manifest.json", "git", "--format", form)
    assert prepared[0] == 0
    assert name not in "".join(prepared[1:])
    (project.beside / "manifest.json").write_bytes((beside / "manifest.json").read_bytes())
    test = f'<testcase classname="tests.test_a" name="{token}"/>'
    code, out, err = project.take("--format", form, out=beside / "evidence.json", tests=test)
    assert code == 0
    assert bare(token) not in out + err
    assert name not in out + err
    assert json.loads((beside / "evidence.json").read_text("utf-8"))["tests"][0]["title"] == token


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_proposal_tells_a_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, name: str, text: str
) -> None:
    folder = GitFolder.init(tmp_path / name)
    folder.commit("Start", {"src/a.py": "a = 1\n", "requirements.txt": "a\n"})
    test = f"def test_{name}(): pass\n\n\ndef {name}(): pass\n"
    folder.commit(
        f"Count from two {text}\n\nUse {name} for it: {text}\n",
        {"src/a.py": "a = 2\n", f"src/{name}/b.py": test, f"tests/test_{name}.py": test, "requirements.txt": f"a\n{name}\n"},
    )
    assert main(["contract", "draft", "HEAD~1..HEAD", "--repo", str(folder.path), "--format", form]) == 3
    told = capsys.readouterr()
    assert "schema" in told.out
    assert name not in told.out + told.err
    assert bare(text) not in told.out + told.err
