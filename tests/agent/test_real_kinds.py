"""Kinds of history that real repositories surprised us with, each retold in a few commits of our own, end to end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.cli import draft_changeset
from tests.repositories import GitFolder

PLAIN = Path(__file__).parents[2] / "evals" / "plain"
"""A profile and rules for a repository that never heard of either: numbers at the end of subjects are pull requests."""
PULLS = "https://github.com/example/project/pull"


@dataclass(frozen=True)
class Kind:
    """How a history is made, what is selected, what is drafted from it (None: left open), and what a person is asked."""

    make: Callable[[GitFolder], str]
    says: Mapping[str, object] = field(default_factory=dict)
    asks: Mapping[str, str] = field(default_factory=dict)


def one(message: str) -> Callable[[GitFolder], str]:
    """A history whose newest commit has this message; that commit is selected."""

    def make(folder: GitFolder) -> str:
        return folder.commit(message, {"export.py": "rows = sorted(rows)\n"})

    return make


def several(*messages: str) -> Callable[[GitFolder], str]:
    """A history with these commits at its end; all of them are selected."""

    def make(folder: GitFolder) -> str:
        base = folder.oid("HEAD")
        for place, message in enumerate(messages):
            folder.commit(message, {f"part{place}.py": "x = 1\n"})
        return f"{base}..HEAD"

    return make


def merged(title: str, *messages: str, beside: str = "") -> Callable[[GitFolder], str]:
    """A pull request of these commits, merged by a forge, perhaps after a commit that went beside it."""

    def make(folder: GitFolder) -> str:
        base = folder.oid("HEAD")
        folder.branch("topic")
        for place, message in enumerate(messages):
            folder.commit(message, {f"part{place}.py": "x = 1\n"})
        folder.switch("main")
        if beside:
            folder.commit(beside, {"beside.py": "x = 1\n"})
        folder.merge(f"Merge pull request #12 from example/topic\n\n{title}", "topic")
        return f"{base}..HEAD"

    return make


def nothing(folder: GitFolder) -> str:
    """A range from a commit to itself, as two tags on one commit give it."""
    return f"{folder.oid('HEAD')}..HEAD"


def undone(folder: GitFolder) -> str:
    """A commit and its revert in one range."""
    base = folder.oid("HEAD")
    oid = folder.commit("feat: sort rows by name", {"export.py": "rows = sorted(rows)\n"})
    folder.commit(f'Revert "feat: sort rows by name"\n\nThis reverts commit {oid}.', {"export.py": None})
    return f"{base}..HEAD"


KINDS = {
    "nothing is selected": Kind(nothing, asks={"range": "nothing-to-describe"}),
    "all that was done is undone": Kind(undone, asks={"range": "nothing-to-describe"}),
    "closing words at the end of a subject": Kind(
        one("Name the client in requests, closes #13"),
        {"summary": "Name the client in requests", "provenance": {"issues": ["#13"]}},
    ),
    "refs after a dash": Kind(
        one("llm chat --option sets one option - refs #24"),
        {"summary": "llm chat --option sets one option", "provenance": {"issues": ["#24"]}},
    ),
    "a sentence that closes": Kind(
        one("Read colours in every mode.  Closes #17."),
        {"summary": "Read colours in every mode", "provenance": {"issues": ["#17"]}},
    ),
    "a number in prose": Kind(one("Sort rows by name\n\nSame idea as PR #56, see #5."), asks={"provenance": "no-evidence"}),
    "a squashed request that closes": Kind(
        one("Sort rows by name (#41)\n\n* sort rows\n\nclose #40\n\n* Update export.py\n\n---------\n"),
        {"summary": "Sort rows by name", "provenance": {"issues": ["#40"], "pull-requests": [f"{PULLS}/41"]}},
    ),
    "one word": Kind(one("quiet"), {"summary": None}, {"summary": "no-evidence"}),
    "a version alone": Kind(one("Add 3.12 (#54)"), {"summary": None}),
    "a release by hand": Kind(one("chore(release): prepare for v2.2.0-rc.2"), {"summary": None}),
    "one file touched on the web": Kind(one("Update LICENSE"), {"summary": None}),
    "a dependency and its versions": Kind(
        one("chore(deps): bump left-pad from 1.1.0 to 1.2.0 (#36)\n\nBumps [left-pad](https://forge.test/left-pad).\n"),
        {"summary": "Bump left-pad from 1.1.0 to 1.2.0"},
    ),
    "a title with a capital type": Kind(one("Docs: mend broken links (#54)"), {"summary": "mend broken links"}),
    "a command first": Kind(one("npm links are kept"), {"summary": "npm links are kept"}),
    "an emoji before the header": Kind(
        one("✨ feat(export): keep rows sorted by name"),
        {"summary": "Keep rows sorted by name", "targets.type": "feature", "targets.impact": "minor"},
    ),
    "breaking in the words of the subject": Kind(
        one("BREAKING CHANGE: make reports generic (#12)"),
        {"summary": "Make reports generic", "targets.impact": "major"},
        {"targets[0].migration": "no-evidence"},
    ),
    "breaking changes are only mentioned": Kind(
        one("docs(readme): mention breaking changes for templates"),
        {"summary": "Mention breaking changes for templates", "targets.impact": "none"},
    ),
    "a reason in Chinese": Kind(
        one("导出时按名称排序\n\n由于行的顺序不固定，导出的表格很难比较。"),
        {"summary": "导出时按名称排序", "rationale": "由于行的顺序不固定，导出的表格很难比较。"},
    ),
    "a doubt is no reason": Kind(
        one("Sort rows by name\n\nI don't think this is slow, because there are few rows."), {"rationale": None}
    ),
    "a merged request": Kind(
        merged(
            "Export rows in a stable order",
            "Write a news fragment",
            "Move the helpers\n\nI forgot to do this because of the holidays.",
            "Use a sorted list\n\nOtherwise exports cannot be compared.",
        ),
        {
            "summary": "Export rows in a stable order",
            "rationale": "Otherwise exports cannot be compared.",
            "provenance": {"pull-requests": [f"{PULLS}/12"]},
        },
    ),
    "a merged request and a commit beside it": Kind(
        merged("Export rows in a stable order", "sort rows", beside="Keep sessions after a restart"),
        {"summary": None, "rationale": None, "provenance": {"pull-requests": [f"{PULLS}/12"]}},
    ),
    "several results and one reason": Kind(
        several("Sort rows by name\n\nThe tables could not be compared.", "Keep sessions after a restart"),
        {"summary": None, "rationale": None},
    ),
    "one type among commits without any": Kind(
        several("fix: sort rows by name", "Keep sessions after a restart"), asks={"targets[0].type": "ambiguous"}
    ),
}


def drafted(folder: GitFolder, operand: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, Any]]:
    """Exit code and document of `draft-changeset` under the plain profile and rules."""
    plain = ("--profile", str(PLAIN / "profile.yaml"), "--config", str(PLAIN / "evidraft.toml"))
    code = draft_changeset(["--repo", str(folder.path), *plain, "--no-interactive", "--format", "json", operand, *more])
    return code, json.loads(capsys.readouterr().out)


def told(record: dict[str, Any], path: str) -> object:
    """What a whole or partial record says; `targets.x` is x of its one target."""
    head, _, name = path.partition(".")
    return record.get("targets", [{}])[0].get(name) if head == "targets" else record.get(head)


def history(path: Path) -> GitFolder:
    """A repository with a first commit that is never selected."""
    folder = GitFolder.init(path)
    folder.commit("Initial commit", {"README.md": "rows\n"})
    return folder


@pytest.mark.requirement("UC-04")
@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_each_kind_is_drafted_as_far_as_it_says(kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = history(tmp_path / "project")
    code, document = drafted(folder, kind.make(folder), capsys)
    open_fields = {question["field"]: question["reason"] for question in document["unresolved"]}
    assert (code, document["status"], document["findings"]) == (3, "NEEDS_INPUT", [])
    assert {path: told(document["partial"], path) for path in kind.says} == kind.says
    assert {field_: open_fields.get(field_) for field_ in kind.asks} == kind.asks
    assert not any(told(document["partial"], path) for path in open_fields)


@pytest.mark.requirement("AI-6")
@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if "range" not in kind.asks])
def test_what_stays_open_a_person_can_settle(kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = history(tmp_path / "project")
    operand = kind.make(folder)
    _, document = drafted(folder, operand, capsys)
    said = {
        "id": "sort-rows",
        "summary": "Exported rows have a stable order",
        "rationale": "Tables could not be compared.",
        "targets[0].type": "fix",
        "targets[0].impact": "patch",
        "targets[0].migration": "Name the type of the report.",
        "provenance": "[SUPPORT-7]",
    }
    answers = [f"--answer={question['field']}={said[question['field']]}" for question in document["unresolved"]]
    code, settled = drafted(folder, operand, capsys, *answers)
    assert (code, settled["status"]) == (0, "DRAFTED")
