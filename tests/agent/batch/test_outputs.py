"""A run leaves a folder that says what became of each release, and no page of what was not drafted."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from agent.batch import outputs
from agent.batch.index import counted
from agent.batch.outputs import write
from agent.batch.planning import Plan
from agent.batch.release import Finished, Release, Status
from agent.errors import StoreFailure
from guardrails import markdown, strict_yaml
from guardrails.drafts import envelope as envelopes
from guardrails.markdown import BlockKind, InlineKind
from tests.agent.batch.finishing import CASES, SHAPE, asked, drafted, ends, plan, release
from tests.agent.batch.finishing import KIND as KIND_QUESTION

GOLDEN = CASES / "batch/out"


def files(told: Plan, finished: Sequence[Finished]) -> dict[str, str]:
    """The files of a run as texts."""
    return {path: text.encode().decode() for path, text in outputs.files(told, finished).items()}


def tree(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in sorted(root.rglob("*")) if path.is_file()}


def test_a_run_leaves_pages_documents_an_index_and_a_sheet(tmp_path: Path) -> None:
    assert write(tmp_path / "out", plan(), ends()) == ()
    assert tree(tmp_path / "out") == tree(GOLDEN)


def test_the_order_in_which_releases_ended_makes_no_difference() -> None:
    assert list(files(plan(), ends()).items()) == list(files(plan(), ends()[::-1]).items())


def test_no_output_tells_where_or_how_long_the_run_was() -> None:
    timed = [replace(one, usage={"seconds": 12.5, "drafting-seconds": 7.25}) for one in ends()]
    told = files(plan(), timed)
    assert told == files(plan(), ends())
    assert not any("/home/somebody" in text for text in told.values())


@pytest.mark.parametrize("status", [Status.NEEDS_INPUT, Status.REJECTED, Status.FAILED])
def test_what_is_no_draft_leaves_no_page_that_could_be_published(status: Status, tmp_path: Path) -> None:
    one = plan().releases[0]
    write(tmp_path, Plan((one,)), [drafted(one)])
    assert (tmp_path / one.name / "notes.md").exists()
    write(tmp_path, Plan((one,)), [replace(drafted(one), status=status)])
    assert sorted(path.name for path in (tmp_path / one.name).iterdir()) == ["coverage.md", "record.json"]


def test_the_index_counts_how_releases_ended() -> None:
    told = json.loads(files(plan(), ends())["index.json"])
    assert (told["status"], told["exit-code"]) == ("FAILED", 2)
    assert told["counts"] == {"DRAFTED": 2, "NEEDS_INPUT": 2, "REJECTED": 1, "FAILED": 2}
    assert [one["name"] for one in told["releases"]][-1] == "gadgets"
    assert told["not-done"] == ["widgets/v3.0.0"]


@pytest.mark.parametrize(
    ("statuses", "pending", "line"),
    [
        ([], 0, "0 releases"),
        ([Status.DRAFTED], 0, "1 release: 1 drafted"),
        ([Status.FAILED, Status.DRAFTED, Status.DRAFTED], 0, "3 releases: 2 drafted, 1 failed"),
        ([Status.NEEDS_INPUT, Status.REJECTED], 2, "4 releases: 1 in need of input, 1 rejected, 2 not done"),
    ],
)
def test_releases_are_counted_by_how_they_ended(statuses: list[Status], pending: int, line: str) -> None:
    assert counted(statuses, pending) == line


@pytest.mark.requirement("AI-5")
def test_what_two_releases_tell_is_said_unless_release_units_share_it() -> None:
    first, second, *_ = plan().releases
    told = files(Plan((first, second)), [drafted(first), drafted(second)])
    assert "Told in more than one release" in told["index.md"]
    assert "which these release units share" not in told["index.md"]
    assert "Also told in" not in told["widgets/v2.4.0/notes.md"]
    shared = files(Plan((replace(first, unit="a"), replace(second, unit="b"))), [drafted(first), drafted(second)])
    assert "which these release units share" in shared["index.md"]
    line = "Also told in widgets/v2.5.0:\n\n- Remove the v1 report endpoint\n- Escape names in exported files\n"
    assert all(line in shared[f"widgets/v2.4.0/{name}"] for name in ("notes.md", "notes.txt", "release-body.md"))
    assert "Also told in widgets/v2.4.0" in shared["widgets/v2.5.0/notes.md"]
    assert "Told in more than one release" not in files(Plan((first,)), [drafted(first)])["index.md"]


def test_every_commit_and_request_of_a_range_is_in_its_table() -> None:
    one = plan().releases[0]
    page = files(Plan((one,)), [drafted(one)])["widgets/v2.4.0/coverage.md"]
    cells = [block.plain for block in markdown.blocks(page) if block.kind is BlockKind.CELL]
    assert cells[::2][1:8] == [f"000000{number}000" for number in range(1, 8)]
    assert cells[cells.index("0000006000") + 1] == "Remove the v1 report endpoint; Share a filter"
    assert cells[cells.index("0000007000") + 1] == "not told: reverted by 0000006000 of the same selection"
    assert cells[cells.index("#138") + 1] == "not told: internal: impact none"


def test_a_commit_of_which_nobody_told_is_said_to_be_such() -> None:
    one = plan().releases[2]
    assert "| `0000002000` | not told: nobody told |" in files(Plan((one,)), [asked(one)])[f"{one.name}/coverage.md"]


@pytest.mark.parametrize("name", ["../out", "/out", "a/../../b", "index.md", "files.json", "~root", "a\nb", ""])
def test_a_release_whose_name_leads_elsewhere_is_not_written(name: str, tmp_path: Path) -> None:
    one = release(name, "a..b", 1)
    with pytest.raises(StoreFailure):
        write(tmp_path / "out", Plan((one,)), [drafted(one)])
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_cannot_be_written_is_known_before_anything_is_drafted(tmp_path: Path) -> None:
    outputs.prepare(tmp_path / "out", plan())
    assert list(tree(tmp_path / "out")) == ["files.json"]
    write(tmp_path / "out", plan(), ends())
    before = tree(tmp_path / "out")
    outputs.prepare(tmp_path / "out", plan())
    assert tree(tmp_path / "out") == before


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("missing/out", ["a/v1"]),
        ("file", ["a/v1"]),
        ("out", ["a/v1", "A/v1"]),
        ("out", ["../v1"]),
        ("out", ["linked/v1"]),
        ("out", ["taken"]),
    ],
)
def test_a_place_where_releases_cannot_stand_is_refused_before_anything_is_drafted(
    place: str, names: list[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/linked").symlink_to(tmp_path)
    (tmp_path / "out/taken").touch()
    with pytest.raises(StoreFailure):
        outputs.prepare(tmp_path / place, Plan(tuple(release(name, "a..b", 1) for name in names)))


HOSTILE = "<img src=x onerror=alert(1)>|`a`](https://evil.example) @octocat fixes #1\n# Head\n\n| a |"


def hostile() -> tuple[Release, Finished]:
    """A release in which everything that comes from outside is meant to break out of where it stands."""
    one = release("widgets/v1", HOSTILE, 1)
    finding = {"code": "unknown-path", "severity": "warning", "where": HOSTILE, "message": HOSTILE}
    told = replace(asked(one, {**KIND_QUESTION, "question": HOSTILE, "evidence": [HOSTILE]}), titles={"0000001": HOSTILE})
    accounts = {HOSTILE: HOSTILE, "0" * 40: "0000001"}
    return one, replace(told, findings=(finding,), failure=HOSTILE, commits=accounts, requests=accounts)


@pytest.mark.parametrize("status", [Status.NEEDS_INPUT, Status.REJECTED, Status.FAILED])
def test_no_text_breaks_out_of_the_index(status: Status) -> None:
    one, told = hostile()
    written = files(Plan((one,), notes=(HOSTILE,)), [replace(told, status=status)])
    pages = {name: text for name, text in written.items() if name.endswith(".md")}
    assert set(pages) == {"index.md", "widgets/v1/coverage.md"}
    for text in pages.values():
        blocks = markdown.blocks(text)
        assert {block.kind for block in blocks} <= {BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CELL}
        assert not any(block.plain == "Head" for block in blocks if block.kind is BlockKind.HEADING)
        for piece in markdown.inlines(blocks):
            assert piece.kind not in {InlineKind.HTML, InlineKind.IMAGE}
            assert not piece.target or re.fullmatch(r"[\w./-]+", piece.target)
            assert piece.kind is not InlineKind.TEXT or "@octocat" not in piece.text


@pytest.mark.parametrize(("answers", "kept"), [((("shape", "single"),), ()), ((), ("needs-input.yaml.kept",))])
def test_a_sheet_that_was_filled_in_stays_unless_the_next_one_has_all_its_answers(
    answers: tuple[tuple[str, str], ...], kept: tuple[str, ...], tmp_path: Path
) -> None:
    one = plan().releases[2]
    write(tmp_path, Plan((one,)), [asked(one, SHAPE)])
    place = tmp_path / "needs-input.yaml"
    place.write_text(place.read_text().replace("# answer:", "answer: single"))
    assert write(tmp_path, Plan((replace(one, answers=answers),)), [asked(one, KIND_QUESTION)]) == kept


def test_a_sheet_that_was_broken_in_filling_it_in_stays(tmp_path: Path) -> None:
    one = plan().releases[2]
    write(tmp_path, Plan((one,)), [asked(one, SHAPE)])
    (tmp_path / "needs-input.yaml").write_text("evidraft-answers: [")
    assert write(tmp_path, Plan((one,)), [asked(one, SHAPE)]) == ("needs-input.yaml.kept",)


def test_every_envelope_that_is_written_holds() -> None:
    told = files(plan(), ends())
    found = [text for name, text in told.items() if name.endswith("/envelope.json")]
    assert len(found) == 2
    assert not any(isinstance(envelopes.read(text.encode()), tuple) for text in found)


def test_every_link_of_the_index_leads_to_a_file_of_the_folder() -> None:
    told = files(plan(), ends())
    blocks = markdown.blocks(told["index.md"])
    targets = {piece.target for piece in markdown.inlines(blocks) if piece.target}
    assert targets == set(told) - {"index.md", "index.json"}


def test_the_sheet_is_strict_yaml() -> None:
    assert strict_yaml.read(files(plan(), ends())["needs-input.yaml"].encode()).value["evidraft-answers"] == "1.0.0"
