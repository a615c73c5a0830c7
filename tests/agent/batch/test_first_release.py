"""The first release of a history holds everything up to it, and its envelope says so in words that can be checked again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.batch.drafting import drafted
from agent.batch.planning import plan
from agent.batch.release import Finished, Status
from agent.batch.wish import Entry, Wish
from agent.cli import main
from tests.agent.batch.releasing import CONDITIONS
from tests.repositories import GitFolder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> GitFolder:
    made = GitFolder.init(tmp_path_factory.mktemp("history"))
    made.git("remote", "add", "origin", "https://github.com/example/payments.git")
    for word in ("ledger", "invoice", "payout"):
        message = f"feat: list the {word} of each client\n\nAccountants read each {word} in one list.\n"
        made.commit(message, {f"src/{word}.py": f"def {word}(book):\n    return sorted(book.{word}s())\n"})
    made.git("tag", "v1")
    return made


@pytest.fixture(scope="module")
def first(folder: GitFolder) -> Finished:
    (release,) = plan(Wish((Entry(str(folder.path), tags=("v1",)),))).releases
    assert (release.base, release.spec, release.commits) == ("", "v1", 3)
    return drafted(release, CONDITIONS)


def test_it_tells_every_commit(folder: GitFolder, first: Finished) -> None:
    every = folder.git("rev-list", "v1").decode().split()
    assert first.status is Status.DRAFTED
    assert set(first.commits) == set(every)


def test_its_envelope_names_what_it_goes_up_to(first: Finished) -> None:
    assert json.loads(first.envelope.text)["operation"] == {"type": "range", "id": "v1", "repository": "example/payments"}


@pytest.mark.parametrize("named", [(), ("v1",)], ids=["by itself", "by name"])
def test_its_envelope_can_be_verified(folder: GitFolder, first: Finished, tmp_path: Path, named: tuple[str, ...]) -> None:
    file = tmp_path / "envelope.json"
    file.write_bytes(first.envelope.encode())
    assert main(["verify", str(file), *named, "--repo", str(folder.path)]) == 0


def test_a_title_that_names_another_release_is_rejected(
    folder: GitFolder, first: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(first.envelope.text)
    assert told["summary"]["title"] == "Changes in v1"
    told["summary"]["title"] = "Changes in v2"
    file = tmp_path / "envelope.json"
    file.write_text(json.dumps(told), "utf-8")
    assert main(["verify", str(file), "--repo", str(folder.path)]) == 1
    assert "unsupported-version" in capsys.readouterr().out
