"""The contract's own examples arise from small repositories: what people wrote of them, and what is drafted without a model.

Shas are those of the repositories, and a note is nothing that git tells; all else is as the contract has it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.agent.describe.widgets import POOL, QUERY, release, revert, watermark
from tests.agent.payments import Road
from tests.guardrails.drafts.envelopes import SEED
from tests.repositories import GitFolder

GOLDEN: Final = Path(__file__).parents[2] / "cases" / "describe"
NINE: Final = "v2.3.0..v2.4.0"


def answered(road: Road, folder: GitFolder, tmp_path: Path, texts: dict[str, str]) -> Any:
    """The change object of the last commit, described in somebody's own words."""
    said = tmp_path / "answers.json"
    said.write_text(json.dumps({f"change.{name}": text for name, text in texts.items()}), "utf-8")
    ran = road.describe(folder, "HEAD", "--shape", "single", "--answers", str(said))
    assert ran.code == 0, ran
    return ran.json["change"]


def texts_of(change: dict[str, Any]) -> dict[str, str]:
    return {name: change[name] for name in ("title", "short_md", "medium_md", "detail_md")}


@pytest.mark.requirement("DC-14", "DC-06", "DC-10", "DC-11", "DC-08")
def test_the_single_example_stands_as_the_contract_has_it(tmp_path: Path, road: Road) -> None:
    folder, seed = watermark(tmp_path / "widgets"), SEED["single"]["change"]
    page = f"## What changed\n\n- `{QUERY}:41-78` — the popup query is now filtered by a per-user watermark."
    change = answered(road, folder, tmp_path, {**texts_of(seed), "detail_md": page})
    assert change == {
        **seed,
        "detail_md": page,
        "refs": [{"path": QUERY, "range": "41-78", "sha": folder.oid("HEAD")}],
    }


@pytest.mark.requirement("DC-23", "DC-08", "DC-06")
def test_the_revert_stands_as_the_contract_has_it(tmp_path: Path, road: Road) -> None:
    folder, seed = revert(tmp_path / "widgets"), SEED["revert"]["change"]
    page = seed["detail_md"].replace("a91b3f2", folder.oid("HEAD~1")[:7])
    change = answered(road, folder, tmp_path, {**texts_of(seed), "detail_md": page})
    assert change == {
        **seed,
        "detail_md": page,
        "refs": [{"path": POOL, "range": "22", "sha": folder.oid("HEAD")}],
    }


@pytest.mark.requirement("DC-14", "DC-23", "DC-15", "DC-01")
@pytest.mark.parametrize(
    ("name", "build", "words"),
    [
        ("watermark", watermark, ("HEAD", "--shape", "single")),
        ("revert", revert, ("HEAD", "--shape", "single")),
        ("release", release, (NINE,)),
    ],
    ids=["watermark", "revert", "release"],
)
def test_what_is_drafted_without_a_model_is_as_it_was(
    tmp_path: Path, road: Road, name: str, build: Any, words: tuple[str, ...]
) -> None:
    ran = road.describe(build(tmp_path / "widgets"), *words)
    assert (ran.code, ran.out) == (0, (GOLDEN / f"{name}.json").read_text("utf-8"))


@pytest.mark.requirement("DC-23")
def test_a_revert_names_what_it_takes_back_says_what_stays_open_and_relates_to_nothing(tmp_path: Path, road: Road) -> None:
    folder = revert(tmp_path / "widgets")
    change = road.describe(folder, "HEAD", "--shape", "single").json["change"]
    assert change["kind"] == "bug_fix"
    assert change["title"].startswith("Revert ")
    assert f"This reverts commit `{folder.oid('HEAD~1')[:7]}` (#1471)." in change["detail_md"]
    assert "## What stays open\n\nThe underlying capacity question is not addressed." in change["detail_md"]
    assert change["relations"] == {"ticket": None, "request": None, "reporter": None}
    told = json.dumps(change)
    assert "to 40" not in told
    assert "More requests" not in told


@pytest.mark.requirement("DC-15", "DC-16", "DC-17", "DC-20")
def test_a_release_of_nine_changes_is_itemized_the_breaking_one_first(tmp_path: Path, road: Road) -> None:
    ran = road.describe(release(tmp_path / "widgets"), NINE)
    envelope = ran.json
    kinds = [item["kind"] for item in envelope["items"]]
    assert kinds[:2] == ["breaking", "feature"]
    assert sorted(kinds[2:]) == ["bug_fix"] * 3 + ["improvement"] * 4
    assert set(envelope["summary"]) == {"title", "short_md", "medium_md"}
    assert (envelope["summary"]["title"], envelope["summary"]["short_md"]) == (
        "Release 2.4.0",
        "Nine changes: one breaking change, one feature, three fixes, four improvements",
    )


@pytest.mark.requirement("DC-17", "DC-16")
def test_security_stands_behind_breaking_and_before_the_rest_whatever_came_first(tmp_path: Path, road: Road) -> None:
    folder = release(tmp_path / "widgets")
    envelope = road.describe(folder, "v2.3.0..v2.4.1").json
    assert [item["kind"] for item in envelope["items"]][:3] == ["breaking", "security", "feature"]
    assert envelope["items"][-1]["kind"] == "docs"
    assert "one security change" in envelope["summary"]["short_md"]
    assert [item["kind"] for item in road.describe(folder, "v2.4.0..v2.4.1").json["items"]] == ["security", "docs"]
