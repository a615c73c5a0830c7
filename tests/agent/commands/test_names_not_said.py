"""What must not be said is in the names of tags, branches, units and entries: a whole run tells it nowhere."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.agent.payments import program
from tests.guardrails.redaction.made_up import BODY, checked
from tests.repositories import GitFolder

FIRST, SECOND, THIRD, FOURTH, FIFTH = (checked("gh" + "p", BODY[turn:] + BODY[:turn]) for turn in range(5))
UNSAID: Final = (FIRST, SECOND, THIRD, FOURTH, FIFTH, "acme", "ann@")
MESSAGE = "feat: list the ledger of client {0}\n\nAccountants read each ledger in one list.\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with such names, a policy beside it, and a manifest that holds more of them."""
    place = tmp_path_factory.mktemp("names")
    folder = GitFolder.init(place / "payments")
    folder.git("remote", "add", "origin", "https://github.com/example/payments.git")
    folder.commit("chore: begin", {"README.md": "# Payments\n"})
    tags = ("v1.0", f"v1.1-{FIRST}", f"v1.1-{SECOND}", "v1.2-acme.bank", "acme-bank/v3.0", "ann@example.org/v4.0")
    for number, tag in enumerate((*tags, f"v1.3-{THIRD}", f"1.3-{THIRD}", "v2.0")):
        changed: dict[str | bytes, str | bytes | None] = {
            f"src/ledger{number}.py": f"def ledger{number}(book):\n    return sorted(book.ledgers())\n"
        }
        folder.commit(MESSAGE.format(number), changed)
        folder.git("tag", tag)
    folder.git("tag", f"nightly-{FOURTH}")
    folder.git("branch", f"feature/{FIFTH}")
    (place / "policy.yaml").write_text("terms: [Acme Bank]\n")
    (place / "batch.yaml").write_text(
        "evidraft-manifest: 1.0.0\noptions: {policy: policy.yaml}\nentries:\n"
        f"  - {{repository: payments, name: acme-bank/{FIRST}, tags: ['v2.*', 'w-{FOURTH}'], ranges: ['v1.0..{FIFTH}']}}\n"
        f"  - {{repository: payments, name: acme-bank/{SECOND}, units: [{THIRD}], tags: ['v2.*']}}\n"
        f"  - {{repository: 'gone/{SECOND}', tags: ['*']}}\n"
        "  - {repository: gone, name: gone-acme-bank, tags: ['*']}\n"
    )
    return place


def evidraft(place: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"XDG_STATE_HOME": str(place / "state"), "EVIDRAFT_POLICY": ""}
    return program(["evidraft", "release-notes", *words], cwd=place, environment=environment)


def everything(place: Path, *ran: subprocess.CompletedProcess[bytes]) -> Iterator[bytes]:
    """All that was said and written, with the names of files and folders."""
    for one in ran:
        yield from (one.stdout, one.stderr)
    for file in place.rglob("*"):
        if "payments" not in file.parts and file not in {place / "policy.yaml", place / "batch.yaml"}:
            yield str(file.relative_to(place)).encode()
            yield file.read_bytes() if file.is_file() else b""


def leaks(place: Path, *ran: subprocess.CompletedProcess[bytes]) -> list[tuple[str, bytes]]:
    told = [text.lower() for text in everything(place, *ran)]
    return [(word, text[-300:]) for word in UNSAID for text in told if word.lower().encode() in text]


RUNS = (
    *("--repo", "payments", "--policy", "policy.yaml", "--tags", "*", f"v1.0..feature/{FIFTH}", f"v1.0..gone-{FOURTH}"),
    *(f"v1.0...v1.1-{FIRST}", f"v1.0...v1.1-{SECOND}", "v1.2-acme.bank..gone-acme-bank"),
)


@pytest.mark.requirement("UC-03", "AI-7")
def test_a_run_over_such_names_tells_them_nowhere_and_takes_its_own_answers_back(place: Path) -> None:
    shown = [evidraft(place, *RUNS, "--dry-run", *more) for more in ([], ["--format", "json"])]
    plan = json.loads(shown[1].stdout)
    run = ("-o", "out", "--processes", "1", "--format", "json", "--events", "events")
    ran = evidraft(place, *RUNS, *run)
    report = json.loads(ran.stdout)
    assert leaks(place, *shown, ran) == []
    assert [one["name"] for one in plan["releases"]] == [
        "v1.0..feature-secret",
        "v1.0...v1.1-secret",
        "v1.0...v1.1-secret-2",
        "v1.0",
        "v1.1-secret",
        "v1.1-secret-2",
        "v1.2-term",
        "v1.3-secret",
        "v2.0",
        "term/v3.0",
        "email/v4.0",
    ]
    assert list(report["failures"]) == ["v1.0..gone-secret", "v1.2-term..gone-term"]
    assert report["counts"] == {"DRAFTED": 6, "NEEDS_INPUT": 5, "REJECTED": 0, "FAILED": 2}
    ranges = {one["name"]: one["range"] for one in json.loads((place / "out/index.json").read_text())["releases"]}
    assert (ranges["v1.1-secret-2"], ranges["v1.2-term"]) == ("v1.0..v1.1-[secret]-2", "v1.1-[secret]-2..v1.2-[term]")

    sheet = (place / "out/needs-input.yaml").read_text()
    told = {"# answer: v1.0": "answer: v1.1-[secret]-2", '# answer: "v1.3-[secret]"': 'answer: "1.3-[secret]"'}
    for asked, answer in told.items():
        assert asked in sheet
        sheet = sheet.replace(asked, answer, 1)
    (place / "filled.yaml").write_text(sheet)
    again = evidraft(place, *RUNS, *run, "--answers", "filled.yaml", "--resume")
    assert leaks(place, again) == []
    asked = json.loads(again.stdout)["open"]
    assert "v1.1-secret" not in asked
    happened = [json.loads(line) for line in (place / "events").read_text().splitlines()]
    assert {one["name"] for one in happened if one["event"] == "finished" and one["resumed"]} >= {
        "v2.0",
        "v1.1-secret-2",
        "v1.2-term",
    }
    index = {one["name"]: one for one in json.loads((place / "out/index.json").read_text())["releases"]}
    assert index["v1.1-secret"]["range"] == "v1.1-[secret]-2..v1.1-[secret]"
    assert index["v1.3-secret"]["status"] == "DRAFTED"
    assert index["v1.3-secret"]["head"] == GitFolder(place / "payments").git("rev-parse", f"1.3-{THIRD}").decode().strip()


@pytest.mark.requirement("UC-03", "AI-7")
def test_entries_of_a_manifest_are_told_without_what_must_not_be_said(place: Path) -> None:
    ran = evidraft(place, "--manifest", "batch.yaml", "-o", "many", "--processes", "1", "--format", "json")
    report = json.loads(ran.stdout)
    assert leaks(place, ran) == []
    assert report["counts"]["DRAFTED"] == 1
    assert (place / "many/term/secret/v2.0/notes.md").exists()
    gone = {"secret", "gone-term"}
    assert set(report["failures"]) == {"term/secret/v1.0..secret", "term/secret/w-secret", "term/secret-2/secret", *gone}
