"""A hostile repository runs nothing: each command that a configuration, an attribute or a hook names would leave a canary."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import RepositoryFailure
from agent.sources.git import Repository
from agent.sources.hardening import CONFIG, environment, reaching, without_questions
from agent.sources.history import collect
from tests.repositories import GitFolder

COMMANDS = {
    "alias.diff": "!{canary} alias",
    "alias.log": "!{canary} alias",
    "core.alternateRefsCommand": "{canary} alternate",
    "core.askPass": "{canary}",
    "core.editor": "{canary}",
    "core.fsmonitor": "{canary}",
    "core.gitProxy": "{canary}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{canary}",
    "core.sshCommand": "{canary}",
    "credential.helper": "!{canary} credential",
    "diff.external": "{canary}",
    "diff.evil.command": "{canary}",
    "diff.evil.textconv": "{canary}",
    "diff.evil.cachetextconv": "true",
    "filter.evil.clean": "{canary}",
    "filter.evil.smudge": "{canary}",
    "filter.evil.required": "true",
    "filter.slow = process.process": "{canary}",
    "filter.slow = process.required": "true",
    "gpg.program": "{canary}",
    "gpg.ssh.program": "{canary}",
    "log.showSignature": "true",
    "merge.evil.driver": "{canary}",
    "pager.diff": "{canary}",
    "pager.log": "{canary}",
    "pager.ls-files": "{canary}",
    "remote.origin.uploadpack": "{canary}",
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
    "remote.origin.url": "ext::{canary} ext",
    "protocol.ext.allow": "always",
    "protocol.file.allow": "always",
    "submodule.module.update": "!{canary}",
    "uploadpack.packObjectsHook": "{canary}",
}
MISLEADING = {
    "color.ui": "always",
    "core.quotePath": "true",
    "diff.algorithm": "patience",
    "diff.colorMoved": "zebra",
    "diff.context": "0",
    "diff.ignoreSubmodules": "all",
    "diff.interHunkContext": "99",
    "diff.mnemonicPrefix": "true",
    "diff.noprefix": "true",
    "diff.orderFile": "order",
    "diff.relative": "true",
    "diff.renames": "false",
    "diff.srcPrefix": "x/",
    "diff.submodule": "log",
    "diff.suppressBlankEmpty": "true",
    "diff.wordRegex": ".",
    "diff.wsErrorHighlight": "all",
    "format.notes": "*",
    "format.pretty": "oneline",
    "i18n.logOutputEncoding": "UTF-16",
    "log.date": "relative",
    "log.decorate": "full",
    "log.diffMerges": "off",
    "log.follow": "true",
    "log.mailmap": "true",
    "log.showRoot": "false",
    "log.abbrevCommit": "true",
}


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    made = GitFolder.init(tmp_path / "work")
    made.commit("base", {"f": "a\n\nb\n\u00fc\n", "old": "1\n2\n3\n4\n5\n", ".mailmap": "Other <o@o> <ada@example.org>\n"})
    made.commit("next", {"f": "a\n\nc\n\u00fc\n", "old": None, "new\u00fc": "1\n2\n3\n4\n5\n", "empty": ""})
    made.git("notes", "add", "-m", "a note", "HEAD")
    return made


def everything(folder: GitFolder) -> tuple[object, ...]:
    """All that collecting can be asked."""
    repository = Repository.open(folder.path)
    collected = (
        collect(repository, "HEAD"),
        collect(repository, "HEAD~1..HEAD"),
        collect(repository, "HEAD~1"),
        collect(repository, staged=True),
        collect(repository, work_tree=True),
    )
    return (*collected, repository.list("HEAD", ""), repository.read("HEAD", "f"), repository.files_ever(""))


@pytest.mark.requirement("AI-8")
def test_nothing_that_a_repository_configures_is_run(folder: GitFolder, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    canary = tmp_path / "canary"
    canary.write_text(f'#!/bin/sh\necho "$0 $*" >> {ran}\ncat\n')
    canary.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for place in (hooks, folder.path / ".git" / "hooks"):
        place.mkdir(exist_ok=True)
        for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout", "pre-auto-gc"):
            (place / hook).write_bytes(canary.read_bytes())
            (place / hook).chmod(0o755)
    missing = folder.oid("HEAD~1:old")
    folder.write({"f": "dirty\n", "untracked": "u\n", "staged": "s\n", "signed": "x\n"})
    folder.git("add", "staged")
    signature = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"
    signed = folder.git("cat-file", "commit", "HEAD").replace(b"\n\n", signature, 1)
    oid = folder.git("hash-object", "-t", "commit", "-w", "--stdin", given=signed).decode().strip()
    folder.git("update-ref", "HEAD", oid)
    folder.write({".gitattributes": "* diff=evil filter=evil merge=evil\nf filter=slow\\040=\\040process\n"})
    for key, value in COMMANDS.items():
        folder.git("config", key, value.format(canary=canary, hooks=hooks))
    (folder.path / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    everything(folder)
    assert not ran.exists(), ran.read_text()
    folder.git("diff", "HEAD", "--", "f", fails=None)
    assert ran.exists(), "the canary must sing when git is asked carelessly"


def test_no_configuration_changes_what_is_told(folder: GitFolder, tmp_path: Path) -> None:
    before = everything(folder)
    for key, value in MISLEADING.items():
        folder.git("config", key, value)
    (folder.path / "order").write_text("new*\n")
    folder.git("config", "core.excludesFile", "order")
    (folder.path / ".git" / "info" / "exclude").write_text("order\n")
    assert everything(folder) == before


def test_a_filter_of_the_work_tree_is_not_run_and_its_bytes_are_told_as_they_lie(folder: GitFolder) -> None:
    folder.git("config", "filter.shout.clean", "tr a-z A-Z")
    folder.git("config", "filter.shout.required", "true")
    folder.write({".gitattributes": "f filter=shout\n", "f": "quiet\n"})
    changed = [change for change in collect(Repository.open(folder.path), work_tree=True).uncommitted if change.path == "f"]
    assert changed[0].hunks[0].text == "-a\n-\n-b\n-\u00fc\n+quiet\n".replace("-b", "-c")


def test_the_child_sees_an_allowlisted_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = ("GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_DIR", "GIT_CONFIG_PARAMETERS", "GIT_TRACE", "LD_PRELOAD", "API_KEY")
    for name in foreign:
        monkeypatch.setenv(name, "canary")
    seen = environment(CONFIG)
    assert "canary" not in seen.values()
    assert (seen["GIT_NO_LAZY_FETCH"], seen["GIT_ALLOW_PROTOCOL"], seen["GIT_OPTIONAL_LOCKS"]) == ("1", "", "0")


def test_a_mirror_is_reached_as_the_person_and_by_one_protocol_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_SSH_COMMAND", "SSH_AUTH_SOCK", "GIT_EXTERNAL_DIFF", "GIT_DIR", "API_KEY"):
        monkeypatch.setenv(name, "canary")
    seen = environment(reaching(CONFIG), "https:ssh")
    assert sorted(name for name, value in seen.items() if value == "canary") == ["GIT_SSH_COMMAND", "SSH_AUTH_SOCK"]
    assert (seen["GIT_ALLOW_PROTOCOL"], seen["GIT_TERMINAL_PROMPT"]) == ("https:ssh", "0")
    assert set(CONFIG) - set(reaching(CONFIG)) == {"core.askPass", "core.sshCommand", "credential.helper"}


@pytest.mark.parametrize(
    ("own", "variable", "command"),
    [
        ("", "", "ssh -o BatchMode=yes -o ConnectTimeout=60 -o ServerAliveInterval=60"),
        ("ssh -i key", "", None),
        ("", "ssh -i key", None),
    ],
)
def test_ssh_asks_nobody_unless_a_person_has_set_it_up(
    monkeypatch: pytest.MonkeyPatch, own: str, variable: str, command: str | None
) -> None:
    for name in ("GIT_SSH", "GIT_SSH_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv("GIT_SSH_COMMAND", variable)
    assert without_questions(reaching(CONFIG), own).get("core.sshCommand") == command


def test_a_submodule_is_never_asked(folder: GitFolder, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    inner = GitFolder.init(folder.path / "module")
    inner.commit("one", {"x": "1\n"})
    folder.git("add", "module")
    folder.git("commit", "-q", "-m", "module")
    inner.write({"x": "2\n"})
    inner.git("config", "core.fsmonitor", f"touch {ran}; false")
    everything(folder)
    assert not ran.exists()


def test_more_configuration_than_the_system_can_pass_on_is_refused_plainly(folder: GitFolder) -> None:
    with (folder.path / ".git" / "config").open("a") as config:
        config.writelines(f'[filter "{number:06}{"x" * 900}"]\n\tclean = false\n' for number in range(12_000))
    with pytest.raises(RepositoryFailure, match="could not be started"):
        collect(Repository.open(folder.path), work_tree=True)


@pytest.mark.requirement("AI-1")
@pytest.mark.parametrize("attributes", ["*.py -diff", "*.py binary", "* -text -diff", "*.py diff=nothing"])
def test_no_attribute_of_a_work_tree_hides_the_text_of_a_commit(folder: GitFolder, attributes: str) -> None:
    folder.write({"shown.py": "first = 1\n", ".gitattributes": f"{attributes}\n"})
    folder.commit("Show it")
    (commit,) = collect(Repository.open(folder.path), "HEAD").commits
    shown = next(change for change in commit.files if change.path == "shown.py")
    assert [hunk.text for hunk in shown.hunks] == ["+first = 1\n"]
