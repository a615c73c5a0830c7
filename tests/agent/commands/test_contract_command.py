"""`evidraft contract verify` and `review` on the command line (Change Contracts)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from jsonschema import Draft202012Validator

from agent.cli import main
from guardrails.contracts import json_schemas
from tests.repositories import GitFolder

CONTRACT = """\
schema: '0.3'
change: { name: t }
scope: { allow: ['src/**'], companions: ['tests/**'], budget: { files: 2, lines: 4 } }
preserves: [{ id: kept, match: { kind: file, path: 'db/*.sql' } }]
claims: [{ id: done, text: t, files: ['src/a.py'], evidence: [{ kind: test, name: test_a }, { kind: manual, note: looked }] }]
"""
Files: TypeAlias = dict[str | bytes, str | bytes | None]
BEFORE: Files = {"src/a.py": "a = 1\n", "db/1.sql": "x\n", "tests/test_a.py": "def test_a(): pass\n"}
AFTER: Files = {**BEFORE, "src/a.py": "a = 2\n"}


class Laid:
    """Two folders and a contract."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.write("base", BEFORE)
        self.write("head", AFTER)
        self.contract = folder / "contract.yaml"
        self.contract.write_text(CONTRACT, "utf-8")

    def write(self, side: str, files: Files) -> None:
        GitFolder(self.folder / side).write(files)

    @property
    def folders(self) -> tuple[str, ...]:
        return ("--base-dir", str(self.folder / "base"), "--head-dir", str(self.folder / "head"))

    @property
    def contracts(self) -> tuple[str, ...]:
        return ("--contract", str(self.contract), "--approved-contract", str(self.contract))

    def run(self, *words: str) -> tuple[int, str, str]:
        code = main(["contract", *words])
        said = self.capsys.readouterr()
        return code, said.out, said.err

    def verify(self, *words: str) -> dict[str, Any]:
        code, out, _ = self.run("verify", *self.contracts, *(words or self.folders), "--json")
        said: dict[str, Any] = json.loads(out)
        assert said["exitCode"] == code
        return said


@pytest.fixture
def laid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Laid:
    return Laid(tmp_path, capsys)


def clauses(said: dict[str, Any]) -> dict[str, str]:
    return {result["id"]: result["status"] for result in said["results"]}


@pytest.mark.requirement("CC-11")
@pytest.mark.requirement("CC-16")
def test_a_change_that_keeps_to_its_contract_passes_obligation_by_obligation(laid: Laid) -> None:
    said = laid.verify()
    assert (said["schema"], said["status"], said["exitCode"], said["findings"]) == ("0.3", "PASS", 0, [])
    assert said["contractDigest"] == said["candidateContractDigest"]
    assert said["base"].startswith("sha256:")
    assert clauses(said) == dict.fromkeys(("$intent", "$scope", "$budget", "$dependencies", "kept", "done"), "PASS")
    assert list(clauses(said)) == ["$intent", "$scope", "$budget", "$dependencies", "kept", "done"]
    assert said["results"][-1]["details"][-1] == "manual: looked"
    assert [(file["path"], file["change"]) for file in said["files"]] == [("src/a.py", "changed")]


@pytest.mark.requirement("CC-16")
def test_each_finding_stands_with_its_result_and_once_more_at_the_top(laid: Laid) -> None:
    laid.write("head", {"out.md": "x\n", "db/1.sql": "y\n", "src/b.py": "b\n" * 9})
    said = laid.verify()
    assert (said["status"], said["exitCode"]) == ("DRIFT", 1)
    assert [finding["id"] for finding in said["findings"]] == [
        "$scope:out-of-scope",
        "$budget:over-budget",
        "kept:preserve-violated",
    ]
    assert said["findings"][0]["details"] == ["changed db/1.sql", "added out.md"]
    assert said["findings"][1]["details"] == ["files: 4 of 2", "lines: 14 of 4"]
    assert [result.get("finding") for result in said["results"][:3]] == [None, "out-of-scope", "over-budget"]


@pytest.mark.requirement("CC-04")
def test_the_approved_contract_decides_and_a_changed_candidate_is_drift(laid: Laid) -> None:
    approved = laid.folder / "approved.yaml"
    approved.write_text(CONTRACT.replace("'src/**'", "'lib/**'"), "utf-8")
    code, out, _ = laid.run(
        "verify", "--contract", str(laid.contract), "--approved-contract", str(approved), *laid.folders, "--json"
    )
    said = json.loads(out)
    assert code == 1
    assert said["contractDigest"] != said["candidateContractDigest"]
    # A claim's own files are inside, so that the scope of the approved contract lets src/a.py through.
    assert [finding["id"] for finding in said["findings"]] == ["$intent:intent-changed"]
    code, out, _ = laid.run("verify", "--contract", str(laid.contract), *laid.folders, "--json")
    assert [finding["id"] for finding in json.loads(out)["findings"]] == ["$intent:intent-not-approved"]
    assert code == 2


@pytest.mark.requirement("CC-07")
def test_a_source_file_that_is_no_text_leaves_its_own_lines_open_and_no_more(laid: Laid) -> None:
    (laid.folder / "head" / "src" / "b.py").write_bytes(b"# \xe9\n")
    said = laid.verify()
    assert (said["status"], said["exitCode"]) == ("UNKNOWN", 2)
    assert [finding["id"] for finding in said["findings"]] == ["$budget:undecided"]
    assert said["findings"][0]["details"] == ["src/b.py"]
    assert said["coverage"]["undecodableFiles"] == {"base": [], "head": ["src/b.py"]}


def committed(laid: Laid) -> GitFolder:
    repository = GitFolder.init(laid.folder / "repository")
    repository.commit("base", BEFORE)
    repository.git("tag", "base")
    repository.branch("work")
    repository.commit("head", {"src/a.py": "a = 2\n"})
    repository.switch("main")
    repository.commit("meanwhile", {"other.md": "x\n"})
    return repository


@pytest.mark.requirement("CC-05")
@pytest.mark.parametrize(
    ("words", "status", "base"),
    [
        (("--base", "base", "--head", "work"), "PASS", "base"),
        (("--base", "main", "--head", "work", "--comparison", "exact"), "DRIFT", "main"),
        (("--base", "main", "--head", "work", "--comparison", "pr"), "PASS", "base"),
    ],
)
def test_commits_are_compared_exactly_or_with_where_both_parted(
    laid: Laid, words: tuple[str, ...], status: str, base: str
) -> None:
    repository = committed(laid)
    said = laid.verify("--repo", str(repository.path), *words)
    assert said["status"] == status
    mode = "pr" if "pr" in words else "exact"
    asked = repository.oid("base^{commit}" if "base" in words else "main")
    oids = {"requestedBase": asked, "base": repository.oid(f"{base}^{{commit}}"), "head": repository.oid("work")}
    assert said["comparison"] == {"mode": mode, **oids}
    assert said["base"].startswith(f"git:{oids['base']}:sha256:")
    assert said["head"].startswith(f"git:{oids['head']}:sha256:")


def test_what_lies_below_a_folder_of_a_repository_is_compared_as_a_whole(laid: Laid) -> None:
    repository = committed(laid)
    said = laid.verify("--repo", str(repository.path / "src"), "--base", "base", "--head", "work")
    assert [file["path"] for file in said["files"]] == ["src/a.py"]


def test_head_is_where_the_repository_stands(laid: Laid) -> None:
    repository = committed(laid)
    said = laid.verify("--repo", str(repository.path), "--base", "base")
    assert [file["path"] for file in said["files"]] == ["other.md"]


def test_commits_without_a_common_ancestor_are_told(laid: Laid) -> None:
    repository = committed(laid)
    repository.git("checkout", "-q", "--orphan", "alone")
    repository.commit("alone", {"z": "1"})
    words = ("--repo", str(repository.path), "--base", "main", "--comparison", "pr")
    code, _, err = laid.run("verify", *laid.contracts, *words)
    assert code == 2
    assert "no common ancestor" in err


@pytest.mark.requirement("CC-15")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--base-dir", "base"), "expected two"),
        (("--head-dir", "head"), "expected two"),
        (("--base-dir", "base", "--head-dir", "head", "--base", "HEAD"), "one or the other"),
        (("--base-dir", "base", "--head-dir", "head", "--comparison", "pr"), "one or the other"),
        (("--base-dir", "base", "--head-dir", "head", "--repo", "."), "one or the other"),
        ((), "got no base"),
        (("--base-dir", "base", "--head-dir", "absent"), "absent"),
        (("--base-dir", "base", "--head-dir", "contract.yaml"), "contract.yaml"),
        (("--base", "--upload-pack=x", "--repo", "repository"), "is no revision"),
        (("--base", "", "--repo", "repository"), "an empty name"),
        (("--base", "unknown", "--repo", "repository"), "no commit"),
        (("--base", "HEAD", "--repo", "base"), "base"),
        (("--nonsense",), "nonsense"),
    ],
)
def test_what_does_not_fit_together_is_an_error_in_one_document(
    laid: Laid, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed(laid)
    monkeypatch.chdir(laid.folder)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(laid.folder))
    for command, schema in (
        (("verify", "--contract", "contract.yaml"), json_schemas.verification()),
        (("review",), json_schemas.review()),
    ):
        code, out, err = laid.run(*command, *words, "--format", "json")
        told = json.loads(out)
        assert (code, told["status"], told["exitCode"]) == (2, "ERROR", 2)
        assert said in err
        assert said in " ".join(told["error"].values())
        Draft202012Validator(schema).validate(told)


@pytest.mark.requirement("CC-15")
def test_an_error_is_told_in_the_form_that_was_asked_for(laid: Laid) -> None:
    words = ("verify", "--contract", str(laid.folder / "absent,\n::x.yaml"), *laid.folders, "--format")
    code, out, err = laid.run(*words, "sarif")
    run = json.loads(out)["runs"][0]
    (ended,) = run["invocations"]
    assert (code, ended["exitCode"], ended["executionSuccessful"], run["results"]) == (2, 2, False, [])
    (notice,) = ended["toolExecutionNotifications"]
    assert (notice["level"], notice["message"]["text"]) == ("error", f"ERROR {err.removeprefix('evidraft: ').rstrip()}")
    code, out, err = laid.run(*words, "github")
    first, last = out.splitlines()
    assert (code, last) == (2, "change contract: ERROR")
    assert first.startswith("::error title=ERROR::")
    assert "absent" in first
    assert laid.run(*words, "text")[1] == ""


def test_what_ended_in_a_verdict_says_so_in_sarif(laid: Laid) -> None:
    laid.write("head", {"out.md": "x\n"})
    code, out, _ = laid.run("verify", *laid.contracts, *laid.folders, "--format", "sarif")
    assert json.loads(out)["runs"][0]["invocations"] == [{"executionSuccessful": True, "exitCode": code}]


@pytest.mark.requirement("CC-16")
def test_a_person_reads_what_no_verdict_settles(laid: Laid) -> None:
    out = laid.run("verify", *laid.contracts, *laid.folders)[1].splitlines()
    assert out[out.index("Left to a person:") :] == [
        "Left to a person:",
        "  done: is it true? t",
        "  done: a note says: looked",
        "  done: 'test_a' is defined in tests/test_a.py, which does not show that it was executed",
        "PASS: 6 of 6 obligations kept",
    ]
    told = laid.verify()["assessment"]
    assert [one["reason"] for one in told["manualReview"]] == ["claim-not-interpreted", "manual-note", "defined-not-executed"]
    assert [one["basis"] for one in told["checks"]] == ["policy"] * 5 + ["claim"]


@pytest.mark.requirement("CC-15")
def test_a_contract_that_is_none_is_told_fault_by_fault(laid: Laid) -> None:
    laid.contract.write_text(CONTRACT.replace("files: 2", "files: 0").replace("text: t,", "text: t, why: x,"), "utf-8")
    code, out, err = laid.run("verify", *laid.contracts, *laid.folders)
    assert (code, out) == (2, "")
    assert "contract.yaml:3: error contract-shape scope.budget.files" in err
    assert "contract.yaml:5: error contract-shape claims[0].why: got an unknown key" in err


def test_results_are_the_same_bytes_wherever_and_whenever_they_are_made(laid: Laid, tmp_path: Path) -> None:
    other = Laid(tmp_path / "elsewhere" / "deeper", laid.capsys)
    for fmt in ("text", "json", "sarif", "github"):
        first, second = (one.run("verify", *one.contracts, *one.folders, "--format", fmt) for one in (laid, other))
        assert first == second
        assert str(tmp_path) not in first[1]


def test_a_person_reads_each_obligation_how_it_stands_and_what_to_do(laid: Laid) -> None:
    laid.write("head", {"out.md": "x\n"})
    code, out, _ = laid.run("verify", *laid.contracts, *laid.folders)
    shown = out.splitlines()
    assert code == 1
    assert shown[0].split(maxsplit=2) == ["PASS", "$intent", "the contract is the approved one"]
    assert shown[1].split()[:2] == ["DRIFT", "$scope"]
    assert shown[2].strip() == "added out.md"
    assert shown[3].strip().startswith("what to do (out-of-scope): ")
    assert shown[-1] == "DRIFT: 5 of 6 obligations kept"


def test_a_person_may_ask_for_all_details(laid: Laid) -> None:
    laid.write("head", {f"out/{number:03}": "" for number in range(30)})
    assert "and 10 more; --verbose has them all" in laid.run("verify", *laid.contracts, *laid.folders)[1]
    verbose = laid.run("verify", *laid.contracts, *laid.folders, "--verbose")[1]
    assert sum(line.strip().startswith("added out/") for line in verbose.splitlines()) == 30


def test_only_what_did_not_stay_is_shown_in_the_change(laid: Laid) -> None:
    laid.write("base", {"a.py": "def kept(): ...\ndef changed(): 1\ndef removed(): ...\n"})
    laid.write("head", {"a.py": "import os\ndef kept(): ...\ndef added(): ...\ndef changed(): 2\n"})
    asking = "schema: '0.1'\nchange: { name: n }\npreserves: [{ id: all, match: { kind: symbol, file: a.py } }]\n"
    laid.contract.write_text(asking, "utf-8")
    said = laid.run("verify", *laid.contracts, *laid.folders, "--format", "github")[1].splitlines()
    assert sorted(line.partition(",title")[0] for line in said[:-1]) == ["::error file=a.py,line=3", "::error file=a.py,line=4"]
    assert all("%0Achanged a.py:4 changed" in line and "%0Aremoved a.py:3 removed" in line for line in said[:-1])


def test_a_person_reads_facts_in_the_order_of_the_text(laid: Laid) -> None:
    names = [f"f{number}" for number in range(30)]
    laid.write("head", {"b.py": "".join(f"def {name}(): ...\n" for name in names), "a.py": "def f(): ...\n"})
    asking = "schema: '0.1'\nchange: { name: n }\nrequires: [{ id: declared, match: { kind: symbol } }]\n"
    laid.contract.write_text(asking, "utf-8")
    said = laid.run("verify", *laid.contracts, *laid.folders, "--verbose")[1].splitlines()
    shown = [line.split()[2] for line in said if line.strip().startswith("fact: symbol")]
    assert shown[:31] == ["f", *names]


def test_a_contract_comes_from_standard_input_once(laid: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = laid.run("verify", "--contract", "-", "--approved-contract", "-", *laid.folders)
    assert (code, "standard input twice" in err) == (2, True)


def test_sarif_names_rule_level_and_place(laid: Laid) -> None:
    laid.write("head", {"out of scope.md": "x\n"})
    (laid.folder / "head" / "src" / "b.py").write_bytes(b"\xff")
    code, out, _ = laid.run("verify", *laid.contracts, *laid.folders, "--format", "sarif")
    run = json.loads(out)["runs"][0]
    assert code == 1 + ("undecided" in out)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    first = run["results"][0]
    assert (first["ruleId"], rules[first["ruleIndex"]], first["level"]) == ("out-of-scope", "out-of-scope", "error")
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "out%20of%20scope.md"
    assert {result["ruleId"] for result in run["results"]} == set(rules)


def test_annotations_cannot_be_broken_out_of(laid: Laid) -> None:
    laid.write("head", {"a,b:c%\n::error::x": "x\n"})
    _, out, _ = laid.run("verify", *laid.contracts, *laid.folders, "--format", "github")
    lines = out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("::error file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ax,title=DRIFT $scope (out-of-scope)::")
    assert lines[1] == "change contract: DRIFT"


def test_what_nobody_sees_is_made_visible(laid: Laid) -> None:
    laid.write("head", {"bidi\u202e": "x\n", "esc\x1b[2J": "x\n"})
    for fmt in ("text", "json", "sarif", "github"):
        out = laid.run("verify", *laid.contracts, *laid.folders, "--format", fmt)[1]
        assert "\u202e" not in out
        assert "\x1b" not in out


def test_a_review_tells_what_changed_without_a_contract(laid: Laid) -> None:
    laid.write("head", {"src/new.py": "def f(): pass\n"})
    code, out, _ = laid.run("review", *laid.folders)
    assert code == 0
    assert "changed src/a.py (2 lines)" in out
    assert "added   symbol f (src/new.py:1)" in out
    code, out, _ = laid.run("review", *laid.folders, "--json")
    said = json.loads(out)
    Draft202012Validator(json_schemas.review()).validate(said)
    assert (said["schema"], [one["kind"] for one in said["observations"] if one["change"] == "added"]) == ("0.2", ["symbol"])
    assert laid.run("review", *laid.folders, "--format", "sarif")[0] == 2


def test_a_review_ends_with_two_where_something_was_not_read(laid: Laid) -> None:
    laid.write("head", {"src/broken.py": "def f(:\n"})
    code, out, _ = laid.run("review", *laid.folders)
    assert code == 2
    assert "not read after: src/broken.py" in out


def test_what_was_not_read_of_both_sides_is_told_once_with_its_line(laid: Laid) -> None:
    laid.write("base", {"src/was.py": "def f(:\n", "src/same.py": "\ndef f(:\n"})
    laid.write("head", {"src/new.py": "def f(:\n", "src/same.py": "\ndef f(:\n"})
    shown = [line.rpartition(": ")[0] for line in laid.run("review", *laid.folders)[1].splitlines() if "not read" in line]
    assert shown == [
        "not read before and after: src/same.py:2",
        "not read before: src/was.py:1",
        "not read after: src/new.py:1",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing command. (see evidraft contract --help)"),
        (("evidence",), "Missing command. (see evidraft contract evidence --help)"),
        (("verify",), "Missing option '--contract'. (see evidraft contract verify --help)"),
        (
            ("review", "--format", "sarif"),
            "'--format': 'sarif' is not one of 'text', 'json'. (see evidraft contract review --help)",
        ),
    ],
)
def test_what_makes_no_sense_is_one_line_that_names_the_help_to_read(laid: Laid, words: tuple[str, ...], said: str) -> None:
    code, _, err = laid.run(*words)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


def test_a_contract_with_one_fault_is_told_once(laid: Laid) -> None:
    laid.contract.write_text("", "utf-8")
    code, _, err = laid.run("verify", *laid.contracts, *laid.folders)
    assert (code, err.count("\n")) == (2, 1)
    assert "contract.yaml: this is no contract: got no document" in err
