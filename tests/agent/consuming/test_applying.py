"""Carrying out a plan: only what it was made for, only below the root, one process at a time."""

from __future__ import annotations

import dataclasses
import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from agent import store
from agent.errors import StoreFailure
from agent.store.applying import apply
from guardrails.records.consuming import Plan
from tests.agent.consuming.interrupting import Call, calls, is_change
from tests.consuming import ARCHIVED, GATE, LEDGERS, PENDING, THREE, WORKER, World, laid, lay, world

ROOT = Path(__file__).parents[3]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A work tree with the decision of three targets."""
    top = tmp_path / "root"
    lay(top, made().files)
    return top


def made(after: str = "archive") -> World:
    return world((PENDING, THREE), after=after)


def planned(after: str = "archive") -> Plan:
    found = made(after).plan()
    assert isinstance(found, Plan)
    return found


@pytest.mark.requirement("IC-8.4")
@pytest.mark.parametrize("after", ["archive", "delete", "keep"])
def test_a_plan_is_carried_out_to_the_byte_and_nothing_else_is_left(after: str, root: Path) -> None:
    apply(root, planned(after))
    assert laid(root, ".ack") == made(after).done().files


@pytest.mark.requirement("IC-8.4")
def test_ledgers_and_the_archived_record_keep_their_modes(root: Path) -> None:
    (root / WORKER).chmod(0o640)
    (root / PENDING).chmod(0o600)
    apply(root, planned())
    assert [stat.S_IMODE((root / path).stat().st_mode) for path in (WORKER, ARCHIVED)] == [0o640, 0o600]


def edit(path: str) -> Callable[[Path], object]:
    return lambda root: (root / path).write_bytes(b"another text\n")


def link(path: str) -> Callable[[Path], object]:
    """A link in the place of a file or folder, to something outside with the same bytes."""

    def linked(root: Path) -> None:
        place, outside = root / path, root.parent / "outside"
        place.rename(outside)
        place.symlink_to(outside)

    return linked


def far(root: Path) -> None:
    (root.parent / "far").mkdir()
    (root / ".ack/archive").symlink_to(root.parent / "far")


def archive(text: str) -> Callable[[Path], object]:
    return lambda root: lay(root, {ARCHIVED: text})


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "ledger edited": (edit(GATE), "somebody changed it since it was read"),
    "record edited": (edit(PENDING), "somebody changed it since it was read"),
    "ledger gone": (lambda root: (root / GATE).unlink(), "No such file"),
    "record gone": (lambda root: (root / PENDING).unlink(), "No such file"),
    "ledger a link": (link(GATE), "got a symbolic link, expected a file"),
    "record a link": (link(PENDING), "got a symbolic link, expected a file"),
    "ledgers behind a link": (link(".ack/changelog"), "a symbolic link on the way"),
    "records behind a link": (link(".ack/changes"), "a symbolic link on the way"),
    "archive behind a link": (far, "a symbolic link on the way"),
    "archive taken": (archive("another text\n"), "somebody changed it in the archive"),
    "archive taken by a folder": (lambda root: (root / ARCHIVED).mkdir(parents=True), "got a folder or a device"),
}


@pytest.mark.requirement("IC-8.2", "IC-8.3", "IC-12.4")
@pytest.mark.parametrize("name", CHANGES)
def test_whatever_is_not_what_the_plan_was_made_for_stops_it_before_anything_changes(name: str, root: Path) -> None:
    change, message = CHANGES[name]
    plan = planned()
    change(root)
    before = laid(root.parent, ".")
    with pytest.raises(StoreFailure, match=message):
        apply(root, plan)
    assert laid(root.parent, ".") == before


def unwritable(place: Path, reason: int) -> AbstractContextManager[None]:
    """The disk refuses every change in one folder, whoever asks: root may else write into any."""
    folder = place.stat().st_ino

    def refuse(name: str, function: Call, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        touched = [named[key] for key in ("dir_fd", "src_dir_fd", "dst_dir_fd") if named.get(key) is not None]
        if is_change(name, given) and any(os.fstat(handle).st_ino == folder for handle in touched):
            raise OSError(reason, os.strerror(reason))
        return function(*given, **named)

    return calls(("open", "mkdir", "link", "replace", "unlink", "rmdir"), refuse)


@pytest.mark.requirement("IC-8.3")
@pytest.mark.parametrize("reason", [errno.EACCES, errno.EROFS], ids=["no permission", "read-only"])
@pytest.mark.parametrize("folder", [".ack/changelog/lts", ".ack", ".ack/changes"])
def test_a_folder_that_may_not_be_written_into_is_told_and_no_file_is_half_written(
    folder: str, reason: int, root: Path
) -> None:
    before = laid(root, ".ack")
    with unwritable(root / folder, reason), pytest.raises(StoreFailure, match=os.strerror(reason)) as caught:
        apply(root, planned())
    assert caught.value.where
    assert PENDING in laid(root, ".ack")
    assert folder == ".ack/changes" or laid(root, ".ack") == before
    world_now = World(laid(root, ".ack"), made().profile).plan()
    assert isinstance(world_now, Plan)
    apply(root, world_now)
    assert laid(root, ".ack") == made().done().files


@pytest.mark.requirement("IC-8.3")
def test_what_was_archived_by_a_run_that_was_stopped_is_no_obstacle(root: Path) -> None:
    lay(root, {ARCHIVED: THREE})
    apply(root, planned())
    assert laid(root, ".ack") == made().done().files


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("path", ["../x.yaml", "/x.yaml", "a/../x.yaml", ".ack//x.yaml"])
def test_no_path_of_a_plan_leads_out_of_the_root(path: str, root: Path) -> None:
    plan = planned()
    (disposal,) = plan.disposals
    before = laid(root.parent, ".")
    for changed in (
        dataclasses.replace(plan, ledgers=(dataclasses.replace(plan.ledgers[0], path=path),)),
        dataclasses.replace(plan, disposals=(dataclasses.replace(disposal, archive=path),)),
        dataclasses.replace(plan, disposals=(dataclasses.replace(disposal, path=path),)),
    ):
        with pytest.raises(StoreFailure, match="got no path below the root"):
            apply(root, changed)
    assert laid(root.parent, ".") == before


def once(names: tuple[str, ...], act: Callable[[], object]) -> Any:
    """Do something right after the first of these calls."""
    done: list[str] = []

    def hook(name: str, function: Call, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        result = function(*given, **named)
        if not done:
            done.append(name)
            act()
        return result

    return calls(names, hook)


@pytest.mark.requirement("IC-12.4")
@pytest.mark.parametrize("call", ["fchmod", "replace"])
def test_a_folder_that_is_exchanged_for_a_link_while_a_plan_is_carried_out_leads_nowhere(call: str, root: Path) -> None:
    lay(root.parent / "trap", {path.removeprefix(".ack/changelog/"): text for path, text in LEDGERS.items()})
    trap = laid(root.parent / "trap", ".")

    def exchange() -> None:
        (root / ".ack/changelog").rename(root.parent / "taken")
        (root / ".ack/changelog").symlink_to(root.parent / "trap")

    plan = planned()
    with once((call,), exchange), pytest.raises(StoreFailure, match="a symbolic link on the way"):
        apply(root, plan)
    assert laid(root.parent / "trap", ".") == trap
    assert (root / PENDING).read_text("utf-8") == THREE
    assert not (root / ARCHIVED).exists()


@pytest.mark.requirement("IC-8.4")
def test_a_record_is_only_taken_away_when_every_ledger_was_read_again_as_it_was_written(root: Path) -> None:
    plan = planned()
    with once(("replace",), lambda: edit(WORKER)(root)), pytest.raises(StoreFailure, match="while it was written") as caught:
        apply(root, plan)
    assert "run the same command again" in caught.value.cure
    assert (root / PENDING).read_text("utf-8") == THREE
    assert not (root / ARCHIVED).exists()


@pytest.mark.requirement("IC-8.4")
def test_a_record_that_changes_while_it_is_consumed_is_not_taken_away(root: Path) -> None:
    plan = planned()
    with once(("link",), lambda: edit(PENDING)(root)), pytest.raises(StoreFailure, match="while it was consumed"):
        apply(root, plan)
    assert (root / PENDING).read_bytes() == b"another text\n"
    assert (root / ARCHIVED).read_text("utf-8") == THREE


@pytest.mark.requirement("IC-8.4")
def test_a_record_is_only_taken_away_when_its_archived_bytes_were_read_again(root: Path) -> None:
    plan = planned()
    with once(("link",), lambda: edit(ARCHIVED)(root)), pytest.raises(StoreFailure, match="in the archive"):
        apply(root, plan)
    assert (root / PENDING).read_text("utf-8") == THREE


@pytest.mark.requirement("IC-8.3", "IC-8.4")
def test_all_bytes_are_on_the_disk_before_the_first_file_changes_and_each_step_before_the_next(root: Path) -> None:
    order: list[str] = []

    def note(name: str, function: Call, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if name != "unlink" or str(given[0]).endswith(".yaml"):
            order.append(name)
        return function(*given, **named)

    with calls(("write", "fsync", "replace", "link", "unlink"), note):
        apply(root, planned())
    assert order[:8] == ["write", "fsync"] * 4
    later = order[8:]
    assert later.count("replace") == 3
    assert later.index("link") > max(place for place, name in enumerate(later) if name == "replace")
    assert later[later.index("link") - 1] == later[later.index("unlink") - 1] == later[-1] == "fsync"
    assert later.index("unlink") > later.index("link")


def test_of_two_processes_one_waits_for_the_other(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom agent import store\n"
        "with store.turn(Path(sys.argv[1]), lambda: print('waiting', flush=True)):\n    print('mine', flush=True)\n"
    )
    waited: list[str] = []
    with store.turn(tmp_path / "lock", lambda: waited.append("")):
        other = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "lock")], cwd=ROOT, stdout=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline() == b"waiting\n"
    assert other.communicate()[0] == b"mine\n"
    assert (other.returncode, waited) == (0, [])


@pytest.mark.parametrize("kind", ["folder", "link", "nowhere"])
def test_a_turn_is_not_taken_where_there_can_be_no_lock(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "missing" / "lock" if kind == "nowhere" else tmp_path / "lock"
    if kind == "folder":
        place.mkdir()
    elif kind == "link":
        place.symlink_to(tmp_path / "other")
    with pytest.raises(StoreFailure), store.turn(place, lambda: None):
        pass
    assert not (tmp_path / "other").exists()


def test_a_turn_ends_with_the_work_however_it_ends(tmp_path: Path) -> None:
    waited: list[str] = []
    for _ in range(2):
        with pytest.raises(ValueError, match="x"), store.turn(tmp_path / "lock", lambda: waited.append("")):
            raise ValueError("x")
    assert waited == []
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]
