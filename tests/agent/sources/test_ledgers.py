"""Ledger entries are evidence where a selected commit links their decision, and always where they are not public."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from agent.errors import InputFailure
from agent.sources.git import Repository
from agent.sources.history import collect
from agent.sources.ledgers import ledger_entries
from guardrails.evidence.model import ExistingRecord
from guardrails.records import changeset
from guardrails.records.changeset import Changeset
from guardrails.strict_yaml import write
from tests.guardrails.records.test_changelog import PUBLIC, entry, ledger
from tests.guardrails.resolving.building import PROFILE
from tests.repositories import GitFolder

ID = "resume-settlement-jobs"
PATH = "led/ws.yaml"
LINKED = f"fix: resume jobs\n\nChangeset: {ID}"
EMBARGOED = {"state": "embargoed", "policy": "coordinated"}


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    made = GitFolder.init(tmp_path / "repository")
    made.commit("Begin", {"a": "a"})
    return made


def ledger_of(*entries: dict[str, Any], **changes: object) -> bytes:
    return write(ledger(*entries, **changes))


def found(folder: GitFolder, operand: str = "HEAD~1..HEAD", first: int = 1) -> tuple[ExistingRecord, ...]:
    repository = Repository.open(folder.path)
    return ledger_entries(repository, [PROFILE], collect(repository, operand), first)


def read(records: Iterable[ExistingRecord]) -> list[Changeset]:
    made = [changeset.read(one.data) for one in records]
    assert all(isinstance(one, Changeset) for one in made), made
    return [one for one in made if isinstance(one, Changeset)]


@pytest.mark.requirement("IC-7.4")
def test_an_entry_is_the_changeset_that_it_would_have_come_of(folder: GitFolder) -> None:
    folder.commit(LINKED, {PATH: ledger_of(entry(migration="Do it.", relations={"reverts": ["a"], "supersedes": []}))})
    (one,) = found(folder, first=7)
    (made,) = read([one])
    (target,) = made.targets
    assert (one.id, one.where, one.path) == ("S7", "ledger", PATH)
    assert one.locator == f"git:{folder.oid('HEAD')}:{PATH}#{ID}"
    assert (made.id, made.summary, made.relations.reverts) == (ID, entry()["summary"], ("a",))
    assert (target.release_unit, target.stream, target.type, target.migration) == (
        "apps/worker",
        "stable",
        "reliability",
        "Do it.",
    )
    assert made.provenance == {"issues": ("DEVELOP-219",), "changesets": (ID,)}
    assert changeset.validate(made, PROFILE) == ()


def test_entries_that_no_selected_commit_links_are_left_where_they_are(folder: GitFolder) -> None:
    other = entry(id="other", provenance={"changesets": ["other"]})
    folder.commit(LINKED, {PATH: ledger_of(entry(), other)})
    assert [one.id for one in read(found(folder))] == [ID]


@pytest.mark.requirement("IC-6.9e")
@pytest.mark.parametrize(
    "disclosure", [EMBARGOED, {**PUBLIC, **EMBARGOED}, {**PUBLIC, "state": "redacted", "placeholder": "x"}]
)
def test_what_is_not_public_is_always_read(folder: GitFolder, disclosure: dict[str, object]) -> None:
    hidden = entry(id="hidden", provenance={"changesets": ["hidden"]}, disclosure=disclosure)
    folder.commit("fix: mend", {PATH: ledger_of(entry(), hidden)})
    assert [one.id for one in read(found(folder))] == ["hidden"]


def test_a_ledger_with_only_the_state_written_is_read(folder: GitFolder) -> None:
    folder.commit(LINKED, {PATH: ledger_of(entry(disclosure={"state": "public"}))})
    assert [one.id for one in read(found(folder))] == [ID]


def test_an_entry_that_joins_two_changesets_is_both_decisions(folder: GitFolder) -> None:
    folder.commit(LINKED, {PATH: ledger_of(entry(provenance={"changesets": ["first", ID]}))})
    assert [one.id for one in read(found(folder))] == ["first", ID]


def test_an_entry_of_no_changeset_is_a_decision_by_its_own_id(folder: GitFolder) -> None:
    folder.commit(LINKED, {PATH: ledger_of(entry(provenance={"issues": ["A-1"]}))})
    assert [one.id for one in read(found(folder))] == [ID]


def test_every_version_is_read_and_equal_ones_once(folder: GitFolder) -> None:
    folder.commit("Consume", {PATH: ledger_of(entry(summary="Old words"))})
    folder.commit(LINKED, {PATH: ledger_of(entry(summary="New words"))})
    folder.write({"led/other.yaml": ledger_of(entry(summary="Words on disk")), PATH: ledger_of(entry(summary="New words"))})
    assert sorted(one.summary for one in read(found(folder))) == ["New words", "Old words", "Words on disk"]


def test_what_stands_at_the_head_is_located_there(folder: GitFolder) -> None:
    folder.commit("Consume", {PATH: ledger_of(entry())})
    folder.commit(LINKED, {"b": "b"})
    (one,) = found(folder)
    assert one.locator.startswith(f"git:{folder.oid('HEAD')}:")


def test_a_ledger_that_cannot_be_read_is_a_record_by_itself(folder: GitFolder) -> None:
    folder.commit("fix: mend", {PATH: "intent-changelog: 1.0.0\nentries: [\n"})
    (one,) = found(folder)
    assert (one.where, one.path) == ("ledger", PATH)
    assert isinstance(changeset.read(one.data), tuple)


def test_a_ledger_directory_that_leads_out_of_the_repository_is_refused(folder: GitFolder, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (folder.path / "led").symlink_to(tmp_path / "outside")
    folder.commit("fix: mend", {"b": "b"})
    with pytest.raises(InputFailure, match="outside the repository"):
        found(folder)
