"""`evidraft verify` of envelopes: the seed's own revert holds against its repository, and each fault in it is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.agent.payments import Ran, Road
from tests.repositories import GitFolder

SEED: Final = Path(__file__).parents[2] / "cases" / "envelopes" / "seed" / "revert.json"
ABOVE: Final = "".join(f"// line {number}\n" for number in range(1, 22))
INCREASE: Final = "Increase the connection-pool size (#1471)"
WHY: Final = (
    "The increased pool exhausted the database's own connection limit when three service instances were running during\n"
    "busy periods: connection errors under load. The underlying capacity question is unaddressed.\n"
)


@dataclass(frozen=True)
class Widgets:
    """The repository of the seed's example, and the envelope of its last commit."""

    folder: GitFolder
    envelope: dict[str, Any]
    increased: str
    reverted: str


@pytest.fixture(scope="module")
def widgets(tmp_path_factory: pytest.TempPathFactory) -> Widgets:
    """A pool size that is increased and put back; `origin` names the repository."""
    folder = GitFolder.init(tmp_path_factory.mktemp("widgets") / "widgets")
    folder.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    folder.commit("Add the pool", {"src/db/pool.ts": f"{ABOVE}const maxConnections = 10;\n", "README.md": "widgets\n"})
    increased = folder.commit(INCREASE, {"src/db/pool.ts": f"{ABOVE}const maxConnections = 40;\n"})
    message = f'Revert "{INCREASE}"\n\nThis reverts commit {increased}.\n\n{WHY}'
    reverted = folder.commit(message, {"src/db/pool.ts": f"{ABOVE}const maxConnections = 10;\n"})
    text = SEED.read_text("utf-8").replace("a91b3f2", increased[:7]).replace("4d1e7c0", reverted[:7])
    return Widgets(folder, json.loads(text), increased, reverted)


def verify(road: Road, widgets: Widgets, envelope: object, *words: str) -> Ran:
    file = widgets.folder.path.parent / "envelope.json"
    file.write_text(envelope if isinstance(envelope, str) else json.dumps(envelope), "utf-8")
    return road.evidraft("verify", str(file), *words, "--repo", str(widgets.folder.path))


@pytest.mark.requirement("DC-23", "DC-24")
def test_the_seed_s_revert_holds_without_a_profile(road: Road, widgets: Widgets) -> None:
    ran = verify(road, widgets, widgets.envelope)
    assert (ran.code, ran.out.endswith(f"holds against {widgets.reverted[:7]}\n")) == (0, True)
    assert f"range: {widgets.reverted[:7]}" in ran.err


def test_another_name_for_the_same_commits_is_the_same_operation(road: Road, widgets: Widgets) -> None:
    assert verify(road, widgets, widgets.envelope, "HEAD").code == 0
    other = verify(road, widgets, widgets.envelope, "HEAD~1", "--format", "json")
    assert other.code == 1
    assert "operation-differs" in {finding["code"] for finding in other.json["findings"]}


Plant = Callable[[dict[str, Any], Widgets], None]


def at(*path: str | int, to: object) -> Plant:
    """Put a value at a place of the envelope."""

    def plant(envelope: dict[str, Any], _: Widgets) -> None:
        inner: Any = envelope
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = to

    return plant


def _base(envelope: dict[str, Any], widgets: Widgets) -> None:
    envelope["change"]["refs"][0]["sha"] = widgets.increased[:7]


REF = ("change", "refs", 0)
FAULTS: tuple[tuple[str, Plant, str], ...] = (
    ("path", at(*REF, "path", to="src/db/pools.ts"), "ref-path-unchanged"),
    ("a file that is not changed", at(*REF, "path", to="README.md"), "ref-path-unchanged"),
    ("lines", at(*REF, "range", to="3"), "ref-range-outside"),
    ("lines turned round", at(*REF, "range", to="22-21"), "ref-range"),
    ("the commit before", _base, "ref-sha-elsewhere"),
    ("a foreign commit", at(*REF, "sha", to="0123456"), "ref-sha-foreign"),
    ("a living file as removed", at(*REF, "note", to="removed"), "removal-untrue"),
    ("a note of something else", at(*REF, "note", to="password reset mail for tenants"), "claim-unsupported"),
    ("a feature", at("change", "kind", to="feature"), "kind-unsupported"),
    ("a number of the reverted change as ticket", at("change", "relations", "ticket", to="#1471"), "relation-uncited"),
    ("an author as reporter", at("change", "relations", "reporter", to="ada"), "relation-uncited"),
    ("another repository", at("operation", "repository", to="acme/gadgets"), "operation-differs"),
    ("not told as a revert", at("change", "title", to="Lower the connection-pool size"), "revert-unsaid"),
    ("in effect", at("change", "medium_md", to="The connection-pool size increases."), "reverted-in-effect"),
    ("an invented number", at("change", "short_md", to="Reverts the pool-size change from #9471"), "unsupported-number"),
    ("no place", at("change", "detail_md", to="## What changed\n\n- The pool size is back."), "claim-without-ref"),
    ("no null", at("change", "relations", "ticket", to="none"), "relation-not-citable"),
)


def planted(widgets: Widgets, plant: Plant) -> dict[str, Any]:
    envelope = deepcopy(widgets.envelope)
    plant(envelope, widgets)
    if envelope["change"]["title"].startswith("Lower"):
        envelope["change"]["short_md"] = "The connection-pool size is smaller"
    return envelope


@pytest.mark.requirement("DC-07", "DC-08", "DC-24")
@pytest.mark.parametrize(("plant", "code"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_each_fault_is_refused_with_its_code(road: Road, widgets: Widgets, plant: Plant, code: str) -> None:
    ran = verify(road, widgets, planted(widgets, plant), "--format", "json")
    assert (ran.code, ran.json["status"]) == (1, "REJECTED")
    assert code in {finding["code"] for finding in ran.json["findings"]}


@pytest.mark.requirement("DC-15", "DC-17")
def test_an_itemized_range_is_held_against_its_commits(road: Road, widgets: Widgets) -> None:
    whole: dict[str, Any] = {
        "shape": "itemized",
        "operation": {"type": "range", "id": f"{widgets.increased[:9]}..{widgets.reverted[:9]}", "repository": "widgets"},
        "summary": {
            "title": "Revert of the pool size",
            "short_md": "One change: one fix",
            "medium_md": widgets.envelope["change"]["medium_md"],
        },
        "items": [widgets.envelope["change"]],
    }
    assert verify(road, widgets, whole).code == 0
    whole["items"] = [{**widgets.envelope["change"], "kind": "security"}]
    told = verify(road, widgets, whole, "--format", "json")
    assert {(one["code"], one["where"]) for one in told.json["findings"]} >= {("kind-unsupported", "items[0].kind")}


def test_a_request_needs_a_range_and_then_is_a_warning(road: Road, widgets: Widgets) -> None:
    envelope = {**widgets.envelope, "operation": {"type": "pull_request", "id": "7", "repository": "acme/widgets"}}
    ran = verify(road, widgets, envelope)
    assert (ran.code, "BASE..HEAD" in ran.err) == (2, True)
    ran = verify(road, widgets, envelope, "HEAD~1..HEAD")
    assert (ran.code, "operation-unconfirmed" in ran.err) == (0, True)


def test_a_request_is_held_against_what_its_forge_tells(road: Road, widgets: Widgets) -> None:
    told = {
        "number": 7,
        "title": "Revert the connection-pool size increase",
        "body": "It exhausted connections.",
        "url": "https://github.com/acme/widgets/pull/7",
        "baseRefOid": widgets.increased,
        "headRefOid": widgets.reverted,
    }
    payload = widgets.folder.path.parent / "pull.json"
    payload.write_text(json.dumps(told), "utf-8")
    envelope = {**widgets.envelope, "operation": {"type": "pull_request", "id": "7", "repository": "acme/widgets"}}
    ran = verify(road, widgets, envelope, "--payload", str(payload))
    assert (ran.code, "operation-unconfirmed" in ran.err) == (0, False)
    envelope["operation"]["id"] = "8"
    ran = verify(road, widgets, envelope, "--payload", str(payload), "--format", "json")
    assert ("operation-differs", "operation.id") in {(one["code"], one["where"]) for one in ran.json["findings"]}


@pytest.mark.parametrize("name", ["--output=x", "HEAD~99", "$(touch x)", "main..--all", "deadbeef" * 5])
def test_the_operation_of_an_envelope_is_data(road: Road, widgets: Widgets, name: str) -> None:
    envelope = {**widgets.envelope, "operation": {"type": "commit", "id": name, "repository": "acme/widgets"}}
    ran = verify(road, widgets, envelope)
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    assert not list(widgets.folder.path.glob("x"))


@pytest.mark.parametrize(
    "text", ['{"shape": "single"}', '{"shape": "both"}', '{"shape": "single", "operation": {}, "change": 1}']
)
def test_what_is_no_envelope_is_refused_as_one(road: Road, widgets: Widgets, text: str) -> None:
    ran = verify(road, widgets, text)
    assert ran.code == 1
    assert "envelope-shape" in ran.out


def test_generated_files_are_read_where_a_text_is_only_held_against_them(road: Road, tmp_path: Path, widgets: Widgets) -> None:
    folder = widgets.folder.copy(tmp_path / "locked")
    lock: dict[str | bytes, str | bytes | None] = {"package-lock.json": '{"left-pad": "1.2.3"}\n'}
    folder.commit("Lock left-pad", lock)
    locked = folder.commit("Update the lock file of left-pad", {"package-lock.json": '{"left-pad": "1.2.4"}\n'})
    place = {"path": "package-lock.json", "range": "1", "sha": locked[:7], "note": "left-pad 1.2.4"}
    change = {
        "kind": "ops",
        "title": "Update left-pad in the lock file",
        "short_md": "`left-pad` goes to 1.2.4",
        "medium_md": "A dependency is updated.",
        "detail_md": "## What changed\n\n- `package-lock.json:1` — `left-pad` goes to 1.2.4.",
        "refs": [place],
        "relations": dict.fromkeys(("ticket", "request", "reporter")),
    }
    told = {"shape": "single", "operation": {"type": "commit", "id": locked, "repository": "widgets"}, "change": change}
    there = Widgets(folder, told, "", locked)
    assert verify(road, there, told).code == 0
    change["short_md"] = "`left-pad` goes to 1.2.5"
    assert verify(road, there, told).code == 1
