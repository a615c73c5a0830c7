"""One commit that does two unrelated things is two items, where it says so itself and its files divide."""

from __future__ import annotations

import pytest

from guardrails.evidence.model import DocumentKind
from guardrails.resolving.grouping.grouping import group
from tests.guardrails.resolving.building import bundle, commit, document
from tests.guardrails.resolving.changes import NUMBERED

SPLIT: dict[str, tuple[str, tuple[str, ...], list[tuple[str, list[str]]]]] = {
    "typed bullets of a squash": (
        "Work on reports (#7)\n\n* feat(reports): sort by date\n\n* fix(disk): tell when it is full\n\n* chore: lint",
        ("src/reports.py", "src/disk.py", "tests/test_disk.py", "CHANGELOG.md"),
        [
            ("feat(reports): sort by date", ["src/reports.py", "CHANGELOG.md"]),
            ("fix(disk): tell when it is full", ["src/disk.py", "tests/test_disk.py"]),
        ],
    ),
    "bullets that are as short as can be": (
        "Squashed\n\n* feat: a\n* fix: b",
        ("a.py", "b.py"),
        [("feat: a", ["a.py"]), ("fix: b", ["b.py"])],
    ),
    "a typed subject and a typed line": (
        "feat(reports): sort by date\n\nfix(disk): tell when it is full",
        ("src/reports/table.py", "src/disk/space.py"),
        [
            ("feat(reports): sort by date", ["src/reports/table.py"]),
            ("fix(disk): tell when it is full", ["src/disk/space.py"]),
        ],
    ),
    "and also": (
        "Sort reports by date and also tell when the disk is full",
        ("src/reportTable.ts", "src/diskSpace.ts"),
        [("Sort reports by date", ["src/reportTable.ts"]), ("tell when the disk is full", ["src/diskSpace.ts"])],
    ),
    "bullets under a subject that says nothing": (
        "Various fixes\n\n- Sort reports by date\n- Tell when the disk is full",
        ("src/reports.py", "src/disk.py"),
        [("Sort reports by date", ["src/reports.py"]), ("Tell when the disk is full", ["src/disk.py"])],
    ),
}


@pytest.mark.requirement("DC-18")
@pytest.mark.parametrize(("message", "paths", "expected"), SPLIT.values(), ids=SPLIT)
def test_a_commit_that_does_two_unrelated_things_is_two_changes(
    message: str, paths: tuple[str, ...], expected: list[tuple[str, list[str]]]
) -> None:
    history = bundle(commit(1, message, *paths))
    found = group(history, NUMBERED)
    names = {file.id: file.path for file in history.files()}
    assert [(one.statement, [names[item] for item in one.files]) for one in found.groups] == expected
    key = found.groups[0].key
    assert [(one.key, one.why, one.commits) for one in found.groups] == [
        (key, "split", ("C1",)),
        (f"{key}.2", "split", ("C1",)),
    ]
    assert found.coverage == {"C1": f"{key}, {key}.2"}


WHOLE: dict[str, tuple[str, tuple[str, ...]]] = {
    "a file that both may have touched": (
        "Work\n\n* feat(reports): sort\n* fix(disk): tell",
        ("src/reports.py", "src/disk.py", "src/reports_on_disk.py"),
    ),
    "a file that none tells of": (
        "Work\n\n* feat(reports): sort\n* fix(disk): tell",
        ("src/reports.py", "src/disk.py", "src/x.py"),
    ),
    "a statement without a file": ("Work\n\n* feat(reports): sort\n* fix(disk): tell", ("src/reports.py", "README.md")),
    "one file": ("Work\n\n* feat(reports): sort\n* fix(disk): tell", ("src/reports.py",)),
    "one change and what went along": (
        "Sort reports (#7)\n\n* feat(reports): sort\n* test(disk): more\n* chore(disk): lint",
        ("src/reports.py", "src/disk.py"),
    ),
    "bullets under a subject that says what they do": (
        "Sort reports where the disk is full\n\n- Sort reports by date\n- Tell when the disk is full",
        ("src/reports.py", "src/disk.py"),
    ),
    "documents alone": (
        "Fix typos\n\n- reports: a letter too many\n- disk: a letter too few",
        ("docs/reports.md", "docs/disk.md"),
    ),
    "and also, of upkeep": ("Sort reports and also fix lint", ("src/reports.py", "src/lint.py")),
    "a list of notes": (
        "Work\n\n" + "\n".join(f"* feat(x{place}): y" for place in range(9)),
        tuple(f"x{n}.py" for n in range(9)),
    ),
}


@pytest.mark.requirement("DC-18")
@pytest.mark.parametrize(("message", "paths"), WHOLE.values(), ids=WHOLE)
def test_a_commit_whose_files_do_not_divide_is_one_change(message: str, paths: tuple[str, ...]) -> None:
    history = bundle(commit(1, message, *paths))
    (one,) = group(history, NUMBERED).groups
    assert (one.statement, one.files) == ("", tuple(file.id for file in history.files()))


def test_the_parts_of_a_request_cite_it_both() -> None:
    request = document(1, DocumentKind.PULL_REQUEST, key="#7", title="Reports")
    history = bundle(
        commit(1, "Work (#7)\n\n* feat(reports): sort\n* fix(disk): tell", "reports.py", "disk.py"), documents=(request,)
    )
    assert [one.documents for one in group(history, NUMBERED).groups] == [("P1",), ("P1",)]
