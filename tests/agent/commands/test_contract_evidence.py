"""`evidraft contract evidence prepare` and `import` on the command line (Change Contracts: evidence)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from agent.cli import main
from agent.commands.schemas import SCHEMAS
from guardrails.contracts.evidence_envelope import Envelope, Preparation, read
from tests.repositories import GitFolder

pytestmark = pytest.mark.requirement("CC-14")
CONTRACT = """\
schema: '0.2'
change: { name: t }
scope: { allowed: ['**'] }
evidence: [{ id: ran, stage: test, method: execution, scenario: test_a, file: tests/test_a.py }]
"""


class Project:
    """A repository with a test, and a folder beside it for what is written."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.beside = folder / "beside"
        self.beside.mkdir()
        self.contract = self.beside / "contract.yaml"
        self.contract.write_text(CONTRACT, "utf-8")
        self.git = GitFolder.init(folder / "project")
        self.git.write({"tests/test_a.py": "def test_a(): pass\n"})
        self.git.git("add", "--all")
        self.git.commit("first")
        self.root = self.git.path

    def run(self, *words: str) -> tuple[int, str, str]:
        code = main(["contract", *words])
        said = self.capsys.readouterr()
        return code, said.out, said.err

    def prepare(self, out: Path | None = None, mode: str = "git", *more: str) -> tuple[int, str, str]:
        words = ("--contract", str(self.contract), "--runner", "junit", "--runner-version", "9", "--mode", mode)
        where = out or self.beside / "manifest.json"
        return self.run("evidence", "prepare", "--project", str(self.root), "--out", str(where), *words, *more)

    def take(self, *more: str, out: Path | None = None, tests: str = "") -> tuple[int, str, str]:
        report = self.beside / "report.xml"
        began = datetime.now(UTC).isoformat(timespec="microseconds")
        test = tests or '<testcase classname="tests.test_a" name="test_a"/>'
        report.write_text(f'<testsuite timestamp="{began}">{test}</testsuite>', "utf-8")
        files = ("--manifest", str(self.beside / "manifest.json"), "--report", str(report))
        return self.run("evidence", "import", *files, "--out", str(out or self.beside / "evidence.json"), *more)

    def verify(self, *sides: str) -> dict[str, Any]:
        contract = ("--contract", str(self.contract), "--approved-contract", str(self.contract))
        _, out, _ = self.run("verify", *contract, "--evidence", str(self.beside / "evidence.json"), "--json", *sides)
        said: dict[str, Any] = json.loads(out)
        return said

    @property
    def commits(self) -> tuple[str, ...]:
        return ("--repo", str(self.root), "--base", "HEAD", "--head", "HEAD")


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    return Project(tmp_path, capsys)


def test_a_run_that_was_prepared_and_passed_is_shown(project: Project) -> None:
    assert project.prepare()[0] == 0
    code, out, _ = project.take()
    assert (code, out.rpartition(": ")[2]) == (0, "1 tests, the run succeeded\n")
    said = project.verify(*project.commits)
    assert said["status"] == "PASS"
    (result,) = [one for one in said["results"] if one["id"] == "ran"]
    assert (result["evidence"]["file"], result["evidence"]["status"]) == ("tests/test_a.py", "passed")


def test_a_run_of_go_is_shown_by_the_file_that_defines_the_test_in_its_package(project: Project) -> None:
    scenario = "scenario: TestPut/one_apple, file: basket/put_test.go"
    project.contract.write_text(CONTRACT.replace("scenario: test_a, file: tests/test_a.py", scenario), "utf-8")
    test = 'package basket\n\nimport "testing"\n\nfunc TestPut(t *testing.T) { t.Run("one apple", put) }\n'
    project.git.write({"go.mod": "module example.com/shop\n", "basket/put_test.go": test})
    project.git.git("add", "--all")
    project.git.commit("second")
    project.prepare()
    names = ("TestPut", "TestPut/one_apple")
    cases = "".join(f'<testcase classname="example.com/shop/basket" name="{name}" time="0.0"/>' for name in names)
    assert project.take(tests=cases)[0] == 0
    said = project.verify(*project.commits)
    (result,) = [one for one in said["results"] if one["id"] == "ran"]
    assert (said["status"], result["evidence"]["file"]) == ("PASS", "basket/put_test.go")


def test_a_run_about_another_commit_shows_nothing(project: Project) -> None:
    project.prepare()
    project.take()
    project.git.commit("second")
    assert [finding["id"] for finding in project.verify(*project.commits)["findings"]] == ["ran:undecided"]


def test_a_run_of_a_folder_is_shown_for_folders_alone(project: Project) -> None:
    project.prepare(None, "directory")
    assert project.take()[0] == 0
    folders = ("--base-dir", str(project.root), "--head-dir", str(project.root))
    assert project.verify(*folders)["status"] == "PASS"
    assert project.verify(*project.commits)["status"] == "UNKNOWN"


def test_what_was_written_is_told_as_json(project: Project) -> None:
    prepared = json.loads(project.prepare(None, "git", "--format", "json")[1])
    assert prepared == json.loads((project.beside / "manifest.json").read_text("utf-8"))
    assert (prepared["mode"], prepared["projectRoot"], len(prepared["revision"])) == ("git", str(project.root.resolve()), 40)
    taken = json.loads(project.take("--format", "json")[1])
    assert taken == json.loads((project.beside / "evidence.json").read_text("utf-8"))
    assert (taken["subject"], taken["contractDigest"]) == (prepared["subject"], prepared["contractDigest"])


FILES: Final = {"contract-preparation": "manifest.json", "contract-evidence": "evidence.json"}
"""What is written of each schema."""


def is_read(name: str, value: object) -> bool:
    data = json.dumps(value).encode()
    told = read(data, Preparation) if name == "contract-preparation" else read(data, Envelope)
    return not isinstance(told, tuple)


@pytest.mark.parametrize("mode", ["git", "directory"])
def test_what_is_written_and_told_is_of_its_schema(project: Project, mode: str) -> None:
    told = (json.loads(project.prepare(None, mode, "--format", "json")[1]), json.loads(project.take("--format", "json")[1]))
    for (name, file), said in zip(FILES.items(), told, strict=True):
        validator = Draft202012Validator(SCHEMAS[name].document())
        for value in (said, json.loads((project.beside / file).read_text("utf-8"))):
            assert [error.message for error in validator.iter_errors(value)] == []
            assert is_read(name, value)


def changed(value: dict[str, Any], key: str, new: object) -> dict[str, Any]:
    return {**{name: held for name, held in value.items() if name != key}, **({} if new is None else {key: new})}


@pytest.mark.parametrize(
    ("key", "new"),
    [
        *(
            (key, None)
            for key in ("schema", "subject", "revision", "contractDigest", "preparedAt", "runner", "success", "tests")
        ),
        *((key, 1) for key in ("schema", "subject", "mode", "trust", "runner", "success", "artifactDigest", "startedAt")),
        ("subject", "sha256:x"),
        ("subject", f"sha256:{'0' * 64}\n"),
        ("preparedAt", "yesterday"),
        ("preparedAt", "2026-12-01T05:16:54Z\n"),
        ("tests", [{"file": "a", "scenario": "b", "status": "fine"}]),
        ("tests", [{"file": "a", "scenario": "b", "status": "passed", "more": 1}]),
        ("tests", [{"file": "a", "scenario": "", "status": "passed"}]),
        ("runner", {"name": "x"}),
        ("projectRoot", "relative"),
        ("mode", "other"),
        ("more", 1),
    ],
)
def test_the_schemas_agree_with_who_reads(project: Project, key: str, new: object) -> None:
    project.prepare()
    project.take()
    for name, file in FILES.items():
        value = changed(json.loads((project.beside / file).read_text("utf-8")), key, new)
        assert Draft202012Validator(SCHEMAS[name].document()).is_valid(value) is is_read(name, value)


def test_nothing_is_written_over_or_into_the_project(project: Project) -> None:
    code, _, err = project.prepare(project.root / "manifest.json")
    assert (code, "lies in the project" in err) == (2, True)
    (project.beside / "link").symlink_to(project.root)
    assert project.prepare(project.beside / "link" / "manifest.json")[0] == 2
    assert project.prepare()[0] == 0
    before = (project.beside / "manifest.json").read_bytes()
    assert project.prepare()[0] == 2
    assert (project.beside / "manifest.json").read_bytes() == before
    assert project.take(out=project.root / "evidence.json")[0] == 2
    assert project.git.git("status", "--porcelain") in {"", b""}


def test_a_work_tree_that_is_not_what_is_committed_is_refused_at_both_steps(project: Project) -> None:
    new = project.root / "new.py"
    new.write_text("", "utf-8")
    code, _, err = project.prepare()
    assert (code, "files that are not as HEAD has them: 1" in err) == (2, True)
    new.unlink()
    project.prepare()
    new.write_text("", "utf-8")
    assert project.take()[0] == 2


def test_a_project_that_changed_since_is_refused(project: Project) -> None:
    project.prepare()
    project.git.commit("second")
    code, _, err = project.take()
    assert (code, "not what it was" in err) == (2, True)


@pytest.mark.parametrize("tests", ["<testcase/>", '<testcase name="x" file="/elsewhere"/>', "<!-- -->"])
def test_a_report_that_is_refused_leaves_nothing(project: Project, tests: str) -> None:
    project.prepare()
    code, _, err = project.take(tests=tests)
    assert (code, "this report is refused" in err) == (2, True)
    assert not (project.beside / "evidence.json").exists()


def test_what_is_no_evidence_is_a_failure_of_verifying(project: Project) -> None:
    (project.beside / "evidence.json").write_text("{}", "utf-8")
    assert project.verify(*project.commits)["status"] == "ERROR"


def test_a_claim_with_stale_evidence_keeps_its_definition_and_warns(project: Project) -> None:
    project.contract.write_text(
        "schema: '0.3'\nchange: { name: t }\nscope: { allow: ['**'] }\n"
        "claims: [{ id: c, text: t, evidence: [{ kind: test, name: test_a }] }]\n",
        "utf-8",
    )
    project.prepare()
    project.take()
    project.git.commit("second")
    (result,) = [one for one in project.verify(*project.commits)["results"] if one["id"] == "c"]
    assert result["status"] == "PASS"
    assert [told.split(":")[:2] for told in result["details"][1:]] == [["warning", " the evidence is stale"]]
    contract = ("--contract", str(project.contract), "--approved-contract", str(project.contract))
    _, out, _ = project.run("verify", *contract, "--evidence", str(project.beside / "evidence.json"), *project.commits)
    assert "warning: the evidence is stale: revision: " in out


def test_a_place_that_cannot_be_written_is_told_whole_and_before_anything_else(project: Project) -> None:
    (project.root / "new.py").write_text("", "utf-8")
    nowhere = project.beside / "no" / "manifest.json"
    code, _, err = project.prepare(nowhere)
    assert (code, f"{nowhere.parent}: there is no such folder" in err) == (2, True)
    there = project.beside / "contract.yaml"
    code, _, err = project.prepare(there)
    assert (code, f"{there}: something stands there already" in err) == (2, True)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("verify", "--contract", "c.yaml", "--base", "HEAD", "--evidence", "x.json"), "no evidence of a test run"),
        (
            ("evidence", "import", "--manifest", "x.json", "--report", "x.json", "--out", "y.json"),
            "no preparation of a test run",
        ),
    ],
)
def test_what_is_none_is_told_by_its_name_and_fault_by_fault(
    project: Project, command: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.beside)
    (project.beside / "c.yaml").write_text(CONTRACT, "utf-8")
    (project.beside / "x.json").write_text('{"schema": "0.1", "more": 1}', "utf-8")
    code, out, err = project.run(*command)
    assert (code, out) == (2, "")
    assert f"x.json: this is {said}: subject: got nothing, expected a value" in err
    assert "x.json: error evidence-shape more: got an unknown key" in err


def test_standard_input_is_one_file(project: Project) -> None:
    code, _, err = project.run("evidence", "import", "--manifest", "-", "--report", "-", "--out", str(project.beside / "x"))
    assert (code, "standard input twice" in err) == (2, True)
