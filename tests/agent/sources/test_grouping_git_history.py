"""Changes out of real repositories: what git tells of renames, merges and reverts is grouped as a maintainer would tell it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.sources.git import Repository
from agent.sources.history import collect
from guardrails.evidence.model import Bundle
from guardrails.evidence.references import Catalogue
from guardrails.resolving.grouping.grouping import Group, group
from guardrails.resolving.rules import Rules
from tests.repositories import GitFolder

LINES = "".join(f"line {number} of the program\n" for number in range(1, 41))


def started(path: Path) -> GitFolder:
    made = GitFolder.init(path)
    made.commit("Start", {"app.py": LINES, "other.py": LINES})
    made.git("tag", "base")
    return made


def changes(folder: GitFolder) -> tuple[Bundle, tuple[Group, ...], list[str]]:
    """What was collected, its groups, and both as lines: the subjects of each change with its paths, then what is in none."""
    found = collect(Repository.open(folder.path), "base..HEAD", net=True)
    bundle = Bundle(found.selection, "", None, found.commits, net=found.net, referenced=found.referenced)
    grouping = group(bundle, Rules())
    subjects = {one.id: one.subject for one in bundle.commits}
    paths = {file.id: file.path for file in (*bundle.files(), *(bundle.net or ()))}
    lines = [
        f"{' + '.join(subjects[item] for item in one.commits)}: {' '.join(paths[item] for item in one.files)}"
        for one in grouping.groups
    ]
    keys = {one.key for one in grouping.groups}
    named = {one.oid[:7]: one.subject for one in bundle.commits}
    out = {subjects[item]: said for item, said in grouping.coverage.items() if keys.isdisjoint(said.split(", "))}
    for name, subject in named.items():
        out = {item: said.replace(name, subject) for item, said in out.items()}
    return bundle, grouping.groups, [*lines, *(f"({item}: {said})" for item, said in out.items())]


def edit(number: int, text: str, lines: str = LINES) -> str:
    return lines.replace(f"line {number} of the program\n", f"{text}\n")


def renamed(folder: GitFolder) -> list[str]:
    folder.commit("Retry failed calls", {"app.py": edit(3, "retry()")})
    folder.commit("Say it in the client", {"client.py": edit(3, "retry()"), "app.py": None})
    return ["Retry failed calls: app.py", "Say it in the client: client.py"]


def came_and_went(folder: GitFolder) -> list[str]:
    folder.commit("Retry failed calls", {"app.py": edit(3, "retry()")})
    folder.commit("Add a script for trying", {"try.sh": "try\n"})
    folder.commit("Remove the script for trying", {"try.sh": None})
    gone = "nothing of it remains between base and head"
    return ["Retry failed calls: app.py", f"(Add a script for trying: {gone})", f"(Remove the script for trying: {gone})"]


def reverted_under_a_later_change(folder: GitFolder) -> list[str]:
    folder.commit("Raise the pool size", {"app.py": edit(3, "pool(40)")})
    folder.commit("Retry failed calls", {"app.py": edit(30, "retry()", edit(3, "pool(40)"))})
    folder.git("revert", "--no-edit", "HEAD~1")
    return [
        "Retry failed calls: app.py",
        '(Raise the pool size: reverted by Revert "Raise the pool size" of the same range)',
        '(Revert "Raise the pool size": reverts Raise the pool size of the same range)',
    ]


def reverted_in_part(folder: GitFolder) -> list[str]:
    reverted = folder.commit("Raise both limits", {"app.py": edit(3, "pool(40)"), "other.py": edit(3, "queue(40)")})
    folder.commit(f'Revert "Raise both limits"\n\nThis reverts commit {reverted}, but for the queue.', {"app.py": LINES})
    return ['Raise both limits + Revert "Raise both limits": other.py']


def reverted_twice(folder: GitFolder) -> list[str]:
    folder.commit("Raise the pool size", {"app.py": edit(3, "pool(40)")})
    folder.git("revert", "--no-edit", "HEAD")
    folder.git("revert", "--no-edit", "HEAD")
    first = 'Revert "Raise the pool size"'
    subject = folder.git("log", "-1", "--format=%s").decode().strip()
    return [
        "Raise the pool size: app.py",
        f"({first}: reverted by {subject} of the same range)",
        f"({subject}: reverts {first} of the same range)",
    ]


def merged_request(folder: GitFolder) -> list[str]:
    folder.branch("topic")
    folder.commit("Read the token again when it expires", {"app.py": edit(3, "token()")})
    folder.commit("Ask for it only once", {"app.py": edit(3, "token(once)")})
    folder.switch("main")
    folder.commit("Retry failed calls", {"other.py": edit(30, "retry()")})
    folder.merge("Merge pull request #7 from ada/topic\n\nRenew tokens", "topic")
    return [
        "Retry failed calls: other.py",
        "Read the token again when it expires + Ask for it only once + Merge pull request #7 from ada/topic: app.py",
    ]


def reverted_request(folder: GitFolder) -> list[str]:
    merged_request(folder)
    folder.git("revert", "--no-edit", "-m", "1", "HEAD")
    merge, revert = "Merge pull request #7 from ada/topic", 'Revert "Merge pull request #7 from ada/topic"'
    return [
        "Retry failed calls: other.py",
        f"(Read the token again when it expires: reverted by {revert} of the same range)",
        f"(Ask for it only once: reverted by {revert} of the same range)",
        f"({merge}: reverted by {revert} of the same range)",
        f"({revert}: reverts {merge} of the same range)",
    ]


def merged_but_not_taken(folder: GitFolder) -> list[str]:
    folder.branch("topic")
    folder.commit("Raise the pool size", {"app.py": edit(3, "pool(40)")})
    folder.switch("main")
    folder.commit("Retry failed calls", {"other.py": edit(30, "retry()")})
    folder.git("merge", "-q", "-s", "ours", "-m", "Merge branch 'topic'", "topic")
    return [
        "Retry failed calls: other.py",
        "(Raise the pool size: nothing of it remains between base and head)",
        "(Merge branch 'topic': merge: changes nothing by itself)",
    ]


HISTORIES: tuple[Callable[[GitFolder], list[str]], ...] = (
    *(renamed, came_and_went, reverted_under_a_later_change, reverted_in_part, reverted_twice),
    *(merged_request, reverted_request, merged_but_not_taken),
)


@pytest.mark.requirement("DC-18")
@pytest.mark.requirement("DC-23")
@pytest.mark.parametrize("make", HISTORIES, ids=lambda make: make.__name__)
def test_a_history_is_told_as_its_changes(make: Callable[[GitFolder], list[str]], tmp_path: Path) -> None:
    folder = started(tmp_path)
    expected = make(folder)
    _, _, lines = changes(folder)
    assert sorted(lines) == sorted(expected)


@pytest.mark.requirement("DC-11")
def test_what_one_change_touched_alone_is_told_at_the_head(tmp_path: Path) -> None:
    folder = started(tmp_path)
    folder.commit("Retry failed calls", {"app.py": edit(3, "retry()")})
    folder.commit("Raise the pool size", {"other.py": edit(3, "pool(40)")})
    bundle, groups, _ = changes(folder)
    catalogue = Catalogue.of(bundle)
    assert [[item.path for item in catalogue.references(one.files)] for one in groups] == [["app.py"], ["other.py"]]
    assert {item.sha for one in groups for item in catalogue.references(one.files)} == {folder.oid("HEAD")}
