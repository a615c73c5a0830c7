"""`evidraft contract draft`: a valid contract that its change keeps, marked as a proposal, with what is open as questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from agent.commands import schemas
from guardrails.contracts import schema
from guardrails.contracts.schema import Contract
from tests.agent.payments import RECORD, Ran, Road, payments
from tests.guardrails.redaction.made_up import TOKEN
from tests.repositories import GitFolder

GOLDEN: Final = Path(__file__).parents[2] / "cases" / "contracts" / "proposals"
RANGE: Final = "HEAD~1..HEAD"
pytestmark = pytest.mark.requirement("CC-06")


def started(place: Path) -> GitFolder:
    folder = GitFolder.init(place / "repository")
    laid: dict[str | bytes, str | bytes | None] = {
        "src/count.py": "START = 1\n",
        "tests/test_count.py": "def test_start():\n    assert True\n",
        "pyproject.toml": '[project]\nname = "count"\nversion = "1"\ndependencies = ["attrs"]\n',
        "README.md": "# Count\n",
    }
    folder.commit("Start", laid)
    return folder


def with_a_test(place: Path) -> tuple[str, ...]:
    folder = started(place)
    test = "def test_start():\n    assert True\n\n\ndef test_counts_from_two():\n    assert True\n"
    folder.commit(
        "Count from two (#7)", {"src/count.py": "START = 2\n", "tests/test_count.py": test, "CHANGELOG.md": "- Two\n"}
    )
    return ()


def with_a_dependency(place: Path) -> tuple[str, ...]:
    text = '[project]\nname = "count"\nversion = "1"\ndependencies = ["attrs>=2", "Rich_Text", "zope.event"]\n'
    started(place).commit("Print counts in colour", {"src/count.py": "START = 2\n", "pyproject.toml": text})
    return ()


def of_many_files(place: Path) -> tuple[str, ...]:
    files: dict[str | bytes, str | bytes | None] = {f"src/parts/{name}.py": "X = 1\n" * 40 for name in range(13)}
    folder = started(place)
    folder.commit("Split counting into parts", {**files, "src/count.py": None, "setup.cfg": "[a]\n"})
    return ()


def of_documents(place: Path) -> tuple[str, ...]:
    started(place).commit("Tell how to count from two", {"README.md": "# Count\n\nFrom two.\n", "docs/count.md": "Two.\n"})
    return ()


def of_a_request(place: Path) -> tuple[str, ...]:
    with_a_test(place)
    folder = GitFolder(place / "repository")
    folder.commit("wip", {"src/count.py": "START = 2  # two\n"})
    request = place / "request.md"
    request.write_text(
        "---\nkind: pull-request\nkey: '#7'\n---\n# Count from two\n\nCounting from one lost the first.\n", "utf-8"
    )
    return ("HEAD~2..HEAD", "--evidence", str(request))


def of_bytes(place: Path) -> tuple[str, ...]:
    started(place).commit("Count in another encoding", {"src/count.py": b"# \xe9\nSTART = 2\n", "pyproject.toml": "[project\n"})
    return ()


CASES: Final[dict[str, Callable[[Path], tuple[str, ...]]]] = {
    "with-a-test": with_a_test,
    "with-a-dependency": with_a_dependency,
    "of-many-files": of_many_files,
    "of-documents": of_documents,
    "of-a-request": of_a_request,
    "of-bytes": of_bytes,
}


def drafted(road: Road, place: Path, *words: str) -> Ran:
    return road.evidraft("contract", "draft", *(words or (RANGE,)), "--repo", str(place / "repository"))


def verified(road: Road, place: Path, contract: Path, span: str) -> dict[str, Any]:
    base, _, head = span.partition("..")
    sides = ("--repo", str(place / "repository"), "--base", base, "--head", head)
    both = ("--contract", str(contract), "--approved-contract", str(contract))
    said: dict[str, Any] = json.loads(road.evidraft("contract", "verify", *both, *sides, "--json").out)
    return said


def found(said: dict[str, Any]) -> Iterator[str]:
    yield from (one["id"] for one in said["findings"])


@pytest.mark.parametrize("name", CASES)
def test_a_proposal_is_what_the_golden_file_says_and_a_valid_contract(road: Road, tmp_path: Path, name: str) -> None:
    ran = drafted(road, tmp_path, *CASES[name](tmp_path))
    assert ran.code == 3
    assert ran.out == (GOLDEN / f"{name}.yaml").read_text("utf-8")
    assert isinstance(schema.read(ran.out.encode()), Contract)
    assert ran.out.startswith("# PROPOSAL: ")
    assert "open: approved-contract: " in ran.err


def test_every_golden_file_has_a_case() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CASES)


@pytest.mark.parametrize(
    ("name", "open_"),
    [
        ("with-a-test", set()),
        ("with-a-dependency", {"print-counts-in-colour:claim-without-evidence"}),
        ("of-many-files", {"split-counting-into-parts:claim-without-evidence"}),
        ("of-documents", set()),
        ("of-a-request", set()),
        ("of-bytes", {"$dependencies:manifest-unreadable", "count-in-another-encoding:claim-without-evidence"}),
    ],
)
def test_a_change_keeps_to_its_own_proposal_as_far_as_anybody_can_tell(
    road: Road, tmp_path: Path, name: str, open_: set[str]
) -> None:
    words = CASES[name](tmp_path)
    span, file = words[0] if words else RANGE, tmp_path / "proposal.yaml"
    assert drafted(road, tmp_path, *(words or (RANGE,)), "--output", str(file)).out == ""
    assert set(found(verified(road, tmp_path, file, span))) == open_


def test_another_change_does_not(road: Road, tmp_path: Path) -> None:
    with_a_test(tmp_path)
    file = tmp_path / "proposal.yaml"
    drafted(road, tmp_path, RANGE, "--output", str(file))
    GitFolder(tmp_path / "repository").commit("Print", {"src/print.py": "X = 1\n"})
    assert "$scope:out-of-scope" in set(found(verified(road, tmp_path, file, RANGE)))


def test_a_proposal_approves_nothing(road: Road, tmp_path: Path) -> None:
    with_a_test(tmp_path)
    file = tmp_path / "proposal.yaml"
    ran = drafted(road, tmp_path, RANGE, "--output", str(file), "--format", "json")
    assert "--approved-contract" not in ran.json["resume"]
    sides = ("--repo", str(tmp_path / "repository"), "--base", "HEAD~1")
    alone = road.evidraft("contract", "verify", "--contract", str(file), *sides, "--json")
    assert "$intent:intent-not-approved" in set(found(alone.json))


@pytest.mark.parametrize("name", CASES)
def test_the_document_is_that_of_open_questions(road: Road, tmp_path: Path, name: str) -> None:
    ran = drafted(road, tmp_path, *(CASES[name](tmp_path) or (RANGE,)), "--format", "json")
    assert (ran.code, ran.json["status"], ran.json["task"]) == (3, "NEEDS_INPUT", "contract")
    assert ran.fields[-1] == "approved-contract"
    Draft202012Validator(schemas.SCHEMAS["outcome"].make()).validate(ran.json)


def test_a_test_that_came_with_a_claim_is_proposed_and_asked_about(road: Road, tmp_path: Path) -> None:
    with_a_test(tmp_path)
    ran = drafted(road, tmp_path, RANGE, "--format", "json")
    (claim,) = ran.json["partial"]["claims"]
    assert claim["evidence"] == [{"kind": "test", "file": "tests/test_count.py", "name": "test_counts_from_two"}]
    asked = {one["field"]: one for one in ran.json["unresolved"]}["claims[0].evidence"]
    assert (asked["reason"], asked["evidence"]) == ("ambiguous", ["C1"])


def test_nothing_withheld_and_no_secret_is_proposed(road: Road, tmp_path: Path) -> None:
    folder = payments(tmp_path / "repository", None)
    hush = RECORD.replace("state: public", "state: embargoed").replace("not-before: null", "not-before: '2999-01-01'")
    folder.commit(
        "fix(apps/worker): close the settlement hole\n\nChangeset: resume-settlement-jobs\n",
        {"apps/worker/hush.py": "X = 1\n", ".ack/changes/resume-settlement-jobs.yaml": hush},
    )
    folder.commit(f"fix(apps/worker): rotate {TOKEN} nightly", {"apps/worker/open.py": "X = 1\n"})
    ran = road.evidraft("contract", "draft", "HEAD~2..HEAD", "--repo", str(folder.path), "--format", "json")
    assert ran.code == 3
    assert "hush" not in ran.out + ran.err
    assert "settlement hole" not in ran.out + ran.err
    assert TOKEN not in ran.out + ran.err
    assert [claim["text"].endswith(" nightly") for claim in ran.json["partial"]["claims"]] == [True]
    assert "apps/worker/open.py" in ran.json["partial"]["scope"]["allow"]
    assert ("scope.allow", "withheld") in {(one["field"], one["reason"]) for one in ran.json["unresolved"]}


def test_where_all_is_withheld_nothing_is_proposed(road: Road, tmp_path: Path) -> None:
    folder = payments(tmp_path / "repository", None)
    hush = RECORD.replace("state: public", "state: embargoed").replace("not-before: null", "not-before: '2999-01-01'")
    files: dict[str | bytes, str | bytes | None] = {
        "apps/worker/hush.py": "X\n",
        ".ack/changes/resume-settlement-jobs.yaml": hush,
    }
    folder.commit("fix(apps/worker): close it\n\nChangeset: resume-settlement-jobs\n", files)
    ran = road.evidraft("contract", "draft", RANGE, "--repo", str(folder.path), "--format", "json")
    assert (ran.code, ran.json["partial"]) == (3, {})
    assert "hush" not in ran.out + ran.err


@pytest.mark.parametrize("operand", ["HEAD~1", "HEAD"])
def test_one_commit_is_compared_with_its_parent(road: Road, tmp_path: Path, operand: str) -> None:
    with_a_test(tmp_path)
    ran = drafted(road, tmp_path, operand, "--format", "json")
    assert ran.code == (2 if operand == "HEAD~1" else 3), ran.out
    if ran.code == 2:
        assert "nothing before it" in ran.json["error"]["what"]


def test_several_commits_of_no_name_are_asked_for_one(road: Road, tmp_path: Path) -> None:
    with_a_test(tmp_path)
    GitFolder(tmp_path / "repository").commit("Print counts in colour", {"src/count.py": "START = 3\n"})
    ran = drafted(road, tmp_path, "HEAD~2..HEAD", "--format", "json")
    assert ran.fields[0] == "change.name"
    assert [claim["text"] for claim in ran.json["partial"]["claims"]] == ["Count from two (#7)", "Print counts in colour"]


def test_equal_input_gives_equal_bytes(road: Road, tmp_path: Path) -> None:
    with_a_dependency(tmp_path)
    assert drafted(road, tmp_path).out == drafted(road, tmp_path).out


def test_what_was_taken_back_is_not_claimed(road: Road, tmp_path: Path) -> None:
    with_a_test(tmp_path)
    folder = GitFolder(tmp_path / "repository")
    gone = folder.commit("Count from nine", {"src/count.py": "START = 9\n"})
    folder.commit(f'Revert "Count from nine"\n\nThis reverts commit {gone}.\n', {"src/count.py": "START = 2\n"})
    ran = drafted(road, tmp_path, "HEAD~3..HEAD", "--format", "json")
    assert [claim["text"] for claim in ran.json["partial"]["claims"]] == ["Count from two (#7)"]


def test_what_stands_in_no_text_is_not_claimed(road: Road, tmp_path: Path) -> None:
    started(tmp_path).commit("wip", {"src/count.py": "START = 2\n"})
    ran = drafted(road, tmp_path, RANGE, "--format", "json")
    assert "claims" not in ran.json["partial"]
    assert "claims" in ran.fields


def test_where_nothing_is_selected_the_question_is_put_in_the_form_that_was_asked_for(tmp_path: Path, road: Road) -> None:
    words = ("contract", "draft", "--repo", str(started(tmp_path).path))
    text, told = road.evidraft(*words), road.evidraft(*words, "--format", "json")
    assert (text.code, told.code) == (3, 3)
    assert text.out.startswith("status: NEEDS_INPUT\n")
    (question,) = told.json["unresolved"]
    assert (question["field"], question["accepts"]) == ("range", ["<A..B>", "<revision>"])


def test_what_to_say_next_names_no_secret(tmp_path: Path, road: Road) -> None:
    folder = started(tmp_path / TOKEN)
    folder.commit("Count from two", {"src/count.py": "START = 2\n"})
    ran = road.evidraft("contract", "draft", RANGE, "--repo", str(folder.path), "--format", "json")
    assert "[secret]" in ran.json["resume"]
    assert TOKEN not in ran.out + ran.err
