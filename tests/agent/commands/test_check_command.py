"""`evidraft check`: every record by its own marker, every file its result, and a stale draft is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from agent.cli import draft_changeset, main
from guardrails.digests import sha256
from guardrails.records import draft_record
from guardrails.records.draft_record import DraftRecord
from tests.repositories import GitFolder

CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
PROFILE: Final = str(CORPUS / "profiles" / "base.yaml")
CHANGESET: Final = str(CORPUS / "changesets" / "minimal.yaml")
ENVELOPES: Final = Path(__file__).parents[2] / "cases" / "envelopes"
COMMIT: Final = "fix: a thing\n"


def results(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    document = json.loads(capsys.readouterr().out)
    assert document.keys() == {"files"}
    files = document["files"]
    assert isinstance(files, list)
    return files


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("just: yaml\n", "no marker"),
        ("plain text\n", "no marker"),
        ("\x7fELF\x00", "no marker"),
        ("intent-changeset: 1.0.0\nintent-profile: 1.0.0\n", "more than one marker"),
    ],
)
def test_what_cannot_be_checked_is_named_and_exits_2(
    tmp_path: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text(text, "utf-8")
    assert main(["check", str(file)]) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert (said.out, len(said.err.splitlines())) == ("", 1)


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("changesets/minimal.yaml", "changeset"),
        ("changelogs/released.yaml", "changelog"),
        ("pull-requests/ready.yaml", "pull-request"),
        ("releases/complete.yaml", "release-manifest"),
        ("profiles/base.yaml", "profile"),
    ],
)
def test_every_kind_of_record_is_known_by_its_marker(file: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = str(CORPUS / file)
    assert main(["check", "--format", "json", "--profile", PROFILE, name]) == 0
    assert results(capsys) == [{"file": name, "kind": kind, "findings": []}]
    assert main(["check", "--kind", kind, name]) == 0


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("intent-changeset: 0.2.0\n", "unsupported-changeset-version", "intent-changeset"),
        ("intent-changelog: 0.1.0\n", "unsupported-changelog-version", "intent-changelog"),
        ("intent-release-manifest: 0.1.0\n", "unsupported-manifest-version", "intent-release-manifest"),
        ("intent-pull-request: 0.1.0\n", "unsupported-pull-request-version", "intent-pull-request"),
        ("intent-profile: 0.1.0\n", "unsupported-profile-version", "intent-profile"),
        ("ics: 0.1.0\nixs: 0.1.0\nicls: 0.1.0\nrepository: https://example.org/a\n", "unsupported-profile-version", "icls"),
        ("ixs: 0.2.0\n", "unsupported-profile-version", "ixs"),
    ],
)
def test_a_record_of_an_older_suite_version_is_told_so(
    tmp_path: Path, text: str, code: str, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = {
        "intent-changeset": "changesets/minimal.yaml",
        "intent-changelog": "changelogs/released.yaml",
        "intent-release-manifest": "releases/complete.yaml",
        "intent-pull-request": "pull-requests/ready.yaml",
        "intent-profile": "profiles/base.yaml",
    }
    marker = text.partition(":")[0]
    rest = (CORPUS / whole[marker]).read_text("utf-8").partition("\n")[2] if marker in whole else ""
    file = tmp_path / "record.yaml"
    file.write_text(text + rest, "utf-8")
    assert main(["check", "--format", "json", str(file)]) == 1
    (told,) = results(capsys)[0]["findings"]
    assert (told["code"], told["where"]) == (code, where)
    assert "is of an older suite version" in told["message"]


@pytest.mark.requirement("IC-12.1")
@pytest.mark.parametrize("marker", ["intent-changeset", "intent-changelog", "intent-pull-request", "intent-release-manifest"])
@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("x: &a 1\n", "yaml-anchor"),
        ("x: 1\nx: 2\n", "yaml-duplicate-key"),
        ("x: !!python/none 1\n", "yaml-tag"),
        ("x: [\n", "yaml-syntax"),
    ],
)
def test_a_marked_record_that_is_no_strict_yaml_gets_its_readers_finding(
    tmp_path: Path, marker: str, damage: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.yaml"
    file.write_text(f"{marker}: 1.0.0\n{damage}", "utf-8")
    assert main(["check", "--format", "json", str(file)]) == 1
    assert [finding["code"] for finding in results(capsys)[0]["findings"]] == [code]


def test_all_files_are_checked_and_the_worst_result_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("intent-profile: 2.0.0\n", "utf-8")
    missing = str(tmp_path / "missing.yaml")
    assert main(["check", PROFILE, str(broken)]) == 1
    capsys.readouterr()
    assert main(["check", "--format", "json", str(broken), missing, PROFILE]) == 2
    first, second, third = results(capsys)
    assert first["findings"]
    assert second["error"]["where"] == missing
    assert third == {"file": PROFILE, "kind": "profile", "findings": []}


def test_with_a_profile_records_are_held_to_its_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "profile.yaml"
    other.write_text(Path(PROFILE).read_text("utf-8").replace("orchard/harvest", "orchard/other"), "utf-8")
    assert main(["check", CHANGESET, "--profile", PROFILE]) == 0
    assert main(["check", CHANGESET, "--profile", str(other)]) == 1
    assert "invalid-source-repository" in capsys.readouterr().out
    assert main(["check", CHANGESET, "--profile", str(tmp_path / "missing.yaml")]) == 2


def test_a_person_can_say_what_a_file_is(tmp_path: Path) -> None:
    file = tmp_path / "message.txt"
    file.write_text(COMMIT, "utf-8")
    assert main(["check", str(file)]) == 2
    assert main(["check", "--kind", "commit", str(file)]) == 0
    assert main(["check", "--kind", "profile", CHANGESET]) == 1


@pytest.mark.requirement("CC-01")
def test_a_change_contract_is_known_by_its_schema_and_judged_fault_by_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "contract.yaml"
    file.write_text("schema: '0.3'\nchange: { name: t }\nscope: { allow: ['**'] }\n", "utf-8")
    assert main(["check", str(file)]) == 0
    assert "valid change contract" in capsys.readouterr().out
    file.write_text("schema: '0.3'\nchange: { name: t }\nscope: { allow: ['../x'] }\nmore: 1\n", "utf-8")
    assert main(["check", "--format", "json", str(file)]) == 1
    (told,) = results(capsys)
    assert (told["kind"], [(one["code"], one["line"]) for one in told["findings"]]) == (
        "contract",
        [("contract-path", 3), ("contract-shape", 4)],
    )


@pytest.mark.requirement("DC-24")
@pytest.mark.parametrize("name", ["seed/single.json", "seed/revert.json", "seed/itemized.json", "honest/llm-1.json"])
def test_an_envelope_is_known_by_its_shape_and_judged_by_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(ENVELOPES / name)]) == 0
    assert "valid envelope of described changes" in "".join(capsys.readouterr())


@pytest.mark.requirement("DC-24")
def test_an_envelope_that_a_consumer_rejects_exits_1_and_names_the_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = json.loads((ENVELOPES / "seed" / "single.json").read_text("utf-8"))
    value["change"].update(kind="chore", refs=[])
    assert main(["check", "--format", "json", str(write(tmp_path / "envelope.json", value))]) == 1
    told = results(capsys)[0]
    assert told["kind"] == "envelope"
    assert [(one["code"], one["where"]) for one in told["findings"]] == [
        ("kind-outside-seven", "change.kind"),
        ("detail-without-refs", "change.detail_md"),
    ]


def test_a_damaged_envelope_gets_its_readers_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "envelope.json"
    file.write_text('{"shape": "single", "shape": "single"}', "utf-8")
    assert main(["check", "--format", "json", str(file)]) == 1
    assert [one["code"] for one in results(capsys)[0]["findings"]] == ["envelope-unreadable"]


@pytest.mark.parametrize("words", [[], ["--record", "x.json", "a.yaml", "b.yaml"], ["--kind", "poem", "a.yaml"]])
def test_a_question_without_sense_exits_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    assert capsys.readouterr().err.startswith("evidraft: ")


@pytest.mark.parametrize("size", [2_000_000, 9_000_000])
def test_a_huge_file_is_one_message(tmp_path: Path, size: int, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.yaml"
    file.write_bytes(b"intent-changeset: 1.0.0\n" + b"#" * size)
    assert main(["check", str(file)]) == (1 if size < 8_000_000 else 2)
    said = capsys.readouterr()
    assert len((said.out + said.err).splitlines()) == 1


def record(folder: Path, base: str | None, head: str | None, output: bytes, **selection: str) -> dict[str, Any]:
    """A draft record of a range of the repository at `folder`."""
    profile = folder / ".ack" / "profile.yaml"
    return {
        "evidraft-record": "1.0.0",
        "task": "changeset",
        "status": "DRAFTED",
        "output-digest": sha256(output),
        "selection": {"kind": "range", "spec": "main..topic", **selection, "base": base, "head": head},
        "repository": "https://git.example.org/orchard/harvest",
        "profile": {"path": ".ack/profile.yaml", "digest": sha256(profile.read_bytes() if profile.is_file() else b"")},
        "policy-digest": sha256(b""),
        "engine": "rules 1",
        "drafter": {"client": "extractive", "prompt": None, "attempts": []},
        **{name: [] for name in ("evidence", "withheld", "redactions", "left-out", "findings")},
        "fields": {},
        "coverage": {},
    }


def write(file: Path, value: object) -> Path:
    file.write_text(json.dumps(value), "utf-8")
    return file


class Drafted:
    """A repository with a topic branch, and a draft with its record beside it."""

    def __init__(self, folder: Path, **selection: str) -> None:
        self.git = GitFolder.init(folder / "repository")
        self.git.commit("add(svc/intake): begin", {".ack/profile.yaml": Path(PROFILE).read_bytes()})
        self.git.branch("topic")
        self.git.commit("add(svc/intake): take parcels", {"a": "1\n"})
        self.draft = folder / "draft.yaml"
        self.draft.write_bytes(Path(CHANGESET).read_bytes())
        base = self.git.oid("main" if not selection else "topic")
        value = record(self.git.path, base, self.git.oid("topic"), self.draft.read_bytes(), **selection)
        self.record = write(folder / "draft.json", value)

    def check(self, *words: str) -> int:
        return main(["check", "--repo", str(self.git.path), *words])

    def codes(self, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
        code = self.check("--format", "json", *words)
        return code, [finding["code"] for one in results(capsys) for finding in one["findings"]]


@pytest.fixture
def drafted(tmp_path: Path) -> Drafted:
    return Drafted(tmp_path)


@pytest.mark.requirement("IC-13.2")
def test_records_of_every_kind_are_known_by_their_marker(
    drafted: Drafted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = tmp_path / "COMMIT_EDITMSG"
    message.write_text(COMMIT, "utf-8")
    assert drafted.check("--format", "json", CHANGESET, PROFILE, str(message), str(drafted.record)) == 0
    found = results(capsys)
    assert [one["kind"] for one in found] == ["changeset", "profile", "commit", "draft-record"]
    assert all(one.keys() == {"file", "kind", "findings"} and one["findings"] == [] for one in found)


@pytest.mark.requirement("AI-9")
def test_a_draft_that_nothing_has_overtaken_is_valid(drafted: Drafted, capsys: pytest.CaptureFixture[str]) -> None:
    assert drafted.check(str(drafted.record)) == 0
    assert drafted.check("--record", str(drafted.record), str(drafted.draft)) == 0
    assert drafted.check("--record", str(drafted.record)) == 0
    assert capsys.readouterr().out.count("valid draft record") == 3


@pytest.mark.requirement("AI-9")
def test_a_head_that_has_moved_makes_a_draft_stale(drafted: Drafted, capsys: pytest.CaptureFixture[str]) -> None:
    drafted.git.commit("mend(svc/intake): again", {"a": "2\n"})
    assert drafted.codes(capsys, str(drafted.record)) == (1, ["stale-head"])


@pytest.mark.requirement("AI-2")
def test_another_profile_makes_a_draft_stale(drafted: Drafted, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert drafted.codes(capsys, str(drafted.record), "--profile", CHANGESET) == (1, ["stale-profile"])
    drafted.git.commit("mend(svc/intake): profile", {".ack/profile.yaml": "intent-profile: 1.0.0\n"})
    assert drafted.codes(capsys, str(drafted.record)) == (1, ["stale-head", "stale-profile"])
    drafted.git.commit("mend(svc/intake): profile", {".ack/profile.yaml": None})
    assert drafted.codes(capsys, str(drafted.record)) == (1, ["stale-head", "stale-profile"])


def test_a_profile_outside_of_the_repository_is_compared_on_the_disk(
    drafted: Drafted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.yaml"
    own.write_bytes(Path(PROFILE).read_bytes())
    value = json.loads(drafted.record.read_text("utf-8"))
    value["profile"] = {"path": str(own), "digest": sha256(own.read_bytes())}
    write(drafted.record, value)
    assert drafted.codes(capsys, str(drafted.record)) == (0, [])
    own.write_text("intent-profile: 1.0.0\n", "utf-8")
    assert drafted.codes(capsys, str(drafted.record)) == (1, ["stale-profile"])
    own.unlink()
    assert drafted.codes(capsys, str(drafted.record)) == (1, ["stale-profile"])
    value["profile"]["path"] = None
    write(drafted.record, value)
    assert drafted.codes(capsys, str(drafted.record)) == (0, [])


@pytest.mark.requirement("AI-4")
def test_an_edited_text_is_told_beside_its_own_findings(drafted: Drafted, capsys: pytest.CaptureFixture[str]) -> None:
    drafted.draft.write_bytes(drafted.draft.read_bytes() + b"# better\n")
    assert drafted.codes(capsys, "--record", str(drafted.record), str(drafted.draft)) == (1, ["output-edited"])


def test_staged_changes_are_compared_with_the_commit_they_stand_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drafted = Drafted(tmp_path, kind="staged", spec="--staged")
    assert drafted.codes(capsys, str(drafted.record)) == (0, [])
    drafted.git.commit("mend(svc/intake): done", {"a": "2\n"})
    assert drafted.codes(capsys, str(drafted.record)) == (1, ["stale-head"])


def test_a_branch_that_is_gone_is_a_failure_and_no_verdict(drafted: Drafted, capsys: pytest.CaptureFixture[str]) -> None:
    drafted.git.switch("main")
    drafted.git.git("branch", "-D", "topic")
    assert drafted.check(str(drafted.record)) == 2
    assert "topic" in capsys.readouterr().err


def test_without_a_repository_around_only_the_record_is_checked(
    drafted: Drafted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", str(drafted.record)]) == 0
    assert "not compared" in capsys.readouterr().err
    assert main(["check", str(drafted.record), "--repo", str(tmp_path)]) == 2


def test_a_damaged_record_is_told_by_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "draft.json", {"evidraft-record": "1.0.0", "task": 7})
    assert main(["check", "--format", "json", str(file)]) == 1
    assert ("draft-record-shape", "task") in {(one["code"], one["where"]) for one in results(capsys)[0]["findings"]}


ANSWERS: Final = (
    *("targets[0].stream=stable", "targets[0].type=capability", "targets[0].audiences=[operators]"),
    *("provenance.issues=[DEVELOP-219]", "disclosure.state=public"),
)


@pytest.mark.requirement("AI-9")
@pytest.mark.parametrize(("answers", "code"), [(ANSWERS, 0), ((), 3)])
def test_what_drafting_records_is_what_check_reads(
    drafted: Drafted, tmp_path: Path, answers: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    message = "add(svc/intake): take late parcels\n\nParcels that came late were lost.\n\nChangeset: take-late-parcels\n"
    drafted.git.commit(message, {"a": "2\n"})
    made, text = tmp_path / "made.json", tmp_path / "made.yaml"
    words = ["--repo", str(drafted.git.path), "--record", str(made), "--output", str(text), "--no-interactive"]
    assert draft_changeset(["topic~1..topic", *words, *(word for answer in answers for word in ("--answer", answer))]) == code
    capsys.readouterr()
    found = draft_record.read(made.read_bytes())
    assert isinstance(found, DraftRecord), found
    assert found.status == {0: "DRAFTED", 3: "NEEDS_INPUT"}[code]
    assert drafted.codes(capsys, str(made)) == (0, [])
    if code == 0:
        assert drafted.codes(capsys, "--record", str(made), str(text), "--profile", PROFILE) == (0, [])
        text.write_bytes(text.read_bytes() + b"# mine\n")
        assert drafted.codes(capsys, "--record", str(made), str(text)) == (1, ["output-edited"])
