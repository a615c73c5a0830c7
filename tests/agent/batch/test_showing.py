"""Names as planning tells them: without what a policy takes out, whichever commit it was reviewed at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent import engines
from agent.batch.drafting import failed
from agent.batch.keys import key
from agent.batch.planning import Plan, plan
from agent.batch.release import Options, Release
from agent.batch.showing import Shown
from agent.batch.wish import Entry, Wish
from agent.errors import GuardNotReady, RepositoryFailure
from guardrails.redaction.policy import Policy
from tests.agent.batch.histories import history
from tests.agent.batch.releasing import CONDITIONS
from tests.guardrails.redaction.made_up import BODY, TOKEN, checked
from tests.repositories import GitFolder

OTHER = checked("gh" + "p", BODY[3:] + BODY[:3])
Files = dict[str | bytes, str | bytes | None]
SETTINGS: Files = {"evidraft.toml": 'policy = "rules/policy.yaml"\n', "rules/policy.yaml": "terms: [Acme Bank]\n"}


def planned(folder: GitFolder, *tags: str, **wanted: object) -> Plan:
    entry = Entry(str(folder.path), tags=tags or ("*",), **wanted)  # type: ignore[arg-type]
    return plan(Wish((entry,)))


def names(made: Plan) -> list[str]:
    return [one.name for one in made.releases]


def with_policy(path: Path, files: Files) -> GitFolder:
    """Tags v1.0 (without a policy), v1.1 (with one), and v1.2-acme-bank and v1.3 behind it."""
    folder = GitFolder.init(path)
    for number, tag in enumerate(("v1.0", "v1.1", "v1.2-acme-bank", "v1.3")):
        folder.commit(f"feat: step {number}", {"README.md": f"{number}\n", **(files if number == 1 else {})})
        folder.git("tag", tag)
    return folder


POLICIES: dict[str, Files] = {
    "evidraft.toml": SETTINGS,
    "pyproject.toml": {
        "pyproject.toml": '[tool.evidraft]\npolicy = "rules/policy.yaml"\n',
        "rules/policy.yaml": SETTINGS["rules/policy.yaml"],
    },
}


@pytest.mark.parametrize("files", POLICIES.values(), ids=POLICIES)
def test_a_policy_that_was_reviewed_at_any_base_holds_for_every_name(tmp_path: Path, files: Files) -> None:
    made = planned(with_policy(tmp_path, files))
    assert names(made) == ["v1.0", "v1.1", "v1.2-term", "v1.3"]
    assert "acme" not in repr(made).lower()


def test_a_policy_that_nobody_reviewed_takes_out_nothing(tmp_path: Path) -> None:
    assert names(planned(with_policy(tmp_path, SETTINGS), "v1.0", "v1.1")) == ["v1.0", "v1.1"]
    folder = history(tmp_path / "other", ". v1.0 . v1.1-acme-bank")
    folder.commit("chore: settle", SETTINGS)
    assert names(planned(folder)) == ["v1.0", "v1.1-acme-bank"]


def test_a_policy_that_cannot_be_used_takes_out_nothing_and_ends_nothing(tmp_path: Path) -> None:
    made = planned(with_policy(tmp_path, {**SETTINGS, "rules/policy.yaml": "terms: 7\n"}))
    assert names(made) == ["v1.0", "v1.1", "v1.2-acme-bank", "v1.3"]


def test_a_policy_that_a_person_named_counts_alone_and_must_be_usable(tmp_path: Path) -> None:
    folder = with_policy(tmp_path / "repo", SETTINGS)
    (mine := tmp_path / "mine.yaml").write_text("terms: [v1.3]\n")
    assert names(planned(folder, options=Options(policy=str(mine)))) == ["v1.0", "v1.1", "v1.2-acme-bank", "term"]
    mine.write_text("terms: 7\n")
    made = planned(folder, options=Options(policy=str(mine)))
    assert not made.releases
    assert "the redaction policy is not valid" in made.failures[0].failure


def test_a_mirror_brings_the_policy_before_anything_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = with_policy(tmp_path / "origin", SETTINGS)
    folder.git("config", "uploadpack.allowFilter", "true")
    folder.git("config", "uploadpack.allowAnySHA1InWant", "true")
    made = plan(Wish((Entry(f"file://{folder.path}", name="acme", tags=("v1.[23]*",)),)))
    assert (names(made), made.failures) == (["acme/v1.2-term", "acme/v1.3"], ())


def test_a_configuration_that_a_person_named_says_which_file_is_the_policy(tmp_path: Path) -> None:
    folder = with_policy(tmp_path / "repo", {"own/policy.yaml": "terms: [Acme Bank]\n"})
    (mine := tmp_path / "mine.toml").write_text('policy = "own/policy.yaml"\n')
    assert "v1.2-term" in names(planned(folder, options=Options(config=str(mine))))


def test_a_release_is_called_the_same_whichever_glob_names_it(tmp_path: Path) -> None:
    folder = history(tmp_path, f". v1.0-{OTHER} . v1.0-{TOKEN} . v1.1-{TOKEN} . v1.1-{OTHER} . v2.0")
    every = {one.head: one for one in planned(folder).releases}
    assert len({one.name for one in every.values()}) == len(every) == 5
    for tag in (f"v1.0-{OTHER}", f"v1.0-{TOKEN}", "v1.1-*", "v2.0"):
        for one in planned(folder, tag).releases:
            assert one == every[one.head]


def test_what_travels_with_a_release_and_names_it_in_a_journal_holds_no_secret(tmp_path: Path) -> None:
    folder = history(tmp_path, f". v1.0-{TOKEN} . v1.1-{TOKEN} >side-{OTHER} .")
    made = planned(folder, ranges=(f"v1.0-{TOKEN}..side-{OTHER}",))
    assert [one.operand for one in made.releases] == [
        f"{folder.oid(f'v1.0-{TOKEN}')}..{folder.oid(f'side-{OTHER}')}",
        folder.oid(f"v1.0-{TOKEN}"),
        f"{folder.oid(f'v1.0-{TOKEN}')}..{folder.oid(f'v1.1-{TOKEN}')}",
    ]
    assert TOKEN not in repr(made)
    assert OTHER not in repr(made)
    (release, *_) = made.releases
    assert key(release, CONDITIONS) == key(planned(folder, ranges=(f"v1.0-{TOKEN}..side-{OTHER}",)).releases[0], CONDITIONS)


@pytest.mark.parametrize("said", ["raw", "told", "name of a commit"])
def test_a_base_is_answered_by_the_name_that_was_told_or_the_one_that_git_knows(tmp_path: Path, said: str) -> None:
    folder = history(tmp_path, f". v1.0-{TOKEN} . v1.0-{OTHER} . >line . side-{OTHER} >main . v1.1 . v1.2")
    first = min(f"v1.0-{TOKEN}", f"v1.0-{OTHER}")
    answer = {"raw": first, "told": "v1.0-[secret]", "name of a commit": f"side-{OTHER}~0"}[said]
    made = plan(Wish((Entry(str(folder.path), tags=("v1.1",)),), answers={"v1.1": {"base": answer}}))
    (release,) = made.releases
    assert OTHER not in repr((made, release.answers))
    base = folder.oid(first if said != "name of a commit" else f"side-{OTHER}")
    assert release.base == base
    assert dict(release.answers)["base"] == ("v1.0-[secret]" if said != "name of a commit" else base)
    again = plan(Wish((Entry(str(folder.path), tags=("v1.1",)),), answers={"v1.1": dict(release.answers)}))
    assert again.releases[0].base == base


def test_a_unit_that_must_not_be_said_fails_alone_for_every_draft_names_it(tmp_path: Path) -> None:
    folder = history(tmp_path, ". v1.0")
    made = planned(folder, units=(TOKEN, OTHER))
    assert [one.name for one in made.failures] == ["secret", "secret-2"]
    assert [one.failure for one in made.failures] == [
        "--unit [secret]: must not be said, and every draft names it (name it otherwise in the profile)"
    ] * 2


def test_what_git_says_of_a_name_in_a_failure_is_masked_too(tmp_path: Path) -> None:
    release = Release(name="v1", place=str(tmp_path), base="", head="a" * 40, spec="v1", title="v1")
    failure = RepositoryFailure("is ambiguous", where="v1", cure=f"say which: refs/heads/{TOKEN}, refs/tags/v1")
    assert failed(release, failure).failure == "v1: is ambiguous (say which: refs/heads/[secret], refs/tags/v1)"


def test_names_that_need_no_mask_are_told_as_they_are_without_the_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def no_engine() -> None:
        raise GuardNotReady("there is none")

    folder = history(tmp_path, ". v1.0 @acme/cli@2.0.0-rc.beta . v1.1 nightly")
    monkeypatch.setattr(engines, "secret_engine", no_engine)
    assert names(planned(folder)) == ["v1.0", "v1.1", "@acme/cli@2.0.0-rc.beta"]
    with pytest.raises(GuardNotReady):
        planned(history(tmp_path / "more", f". v1.0-{TOKEN}"))


def test_a_value_that_holds_nothing_is_the_very_value() -> None:
    value = [("v1.0", {"question": "which?"})]
    assert Shown().without(value) is value
    assert Shown(Policy(terms=("Acme Bank",))).without(value) is value
    release = Release(name="v1", place="p", base="", head="h", spec="v1", title="v1")
    assert Shown().all([release, "note"]) == [release, "note"]
    assert Shown().all([replace(release, previous=f"v0-{TOKEN}")])[0] == replace(release, previous="v0-[secret]")
