"""Collecting from git: a range, one commit, the index, the work tree (Intent Changesets 11.1, 11 last paragraph).

What cannot be read is a note, never a crash and never silence. One process tells a whole range; its output is read as a stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agent.errors import RepositoryFailure, UsageFailure
from agent.sources import worktree
from agent.sources.commits import read_commits, read_net
from agent.sources.git import Repository
from agent.sources.selecting import Selected, select
from guardrails.evidence.building import Builder, note_budget
from guardrails.evidence.hunks import TextBudget
from guardrails.evidence.model import Commit, FileChange, Note, Selection, SelectionKind
from guardrails.evidence.notes import Notebook

TEXT_BUDGET: Final = 4 * 1024 * 1024
HUNK_LIMIT: Final = 64 * 1024
REFERENCED_LIMIT: Final = 64
"""How many commits outside the selection are looked up, at most."""
REVERTED: Final = re.compile(r"(?:\bThis reverts commit |^Reverts:[ \t]*)([0-9a-f]{7,64})\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Collected:
    """What git said about a selection; the fields are those of `Bundle`."""

    selection: Selection
    commits: tuple[Commit, ...] = ()
    uncommitted: tuple[FileChange, ...] = ()
    net: tuple[FileChange, ...] | None = None
    referenced: tuple[Commit, ...] = ()
    notes: tuple[Note, ...] = ()

    def files(self) -> Iterator[FileChange]:
        """Every file change of the selection, in order."""
        for commit in self.commits:
            yield from commit.files
        yield from self.uncommitted


def collect(
    repository: Repository,
    operand: str | None = None,
    *,
    staged: bool = False,
    work_tree: bool = False,
    net: bool = False,
    generated: bool = False,
    from_root: bool = False,
    text_budget: int = TEXT_BUDGET,
    hunk_text_limit: int = HUNK_LIMIT,
) -> Collected:
    """Read exactly one selection: an operand (`A..B`, `A...B`, `A..`, `..B`, or one revision), the index, or the work tree.

    Hunks beyond `hunk_text_limit` bytes each or `text_budget` bytes in all keep their ranges and lose their text. `net` asks
    for the change from base to head as one diff as well, where several commits make it up; it has a budget of its own.
    `generated` keeps the text of generated, locked and vendored files as well. `from_root` reads everything up to the operand.

    Raises:
        UsageFailure: nothing or more than one thing was selected.
        RepositoryFailure: a revision is unknown or ambiguous, there is no work tree, or git failed.
    """
    if (operand is not None) + staged + work_tree != 1:
        raise UsageFailure("not one selection", cure="give a range BASE..HEAD, one revision, --staged, or --work-tree")
    texts, notes = TextBudget(hunk_text_limit, text_budget, generated), Notebook()
    if operand is not None:
        net_texts = TextBudget(hunk_text_limit, text_budget, generated) if net else None
        return _committed(repository, select(repository, operand, notes, from_root=from_root), texts, notes, net_texts)
    kind = SelectionKind.STAGED if staged else SelectionKind.WORK_TREE
    head = repository.head()
    patches = worktree.read_uncommitted(repository, head, texts, notes, staged=staged)
    files = Builder(notes).files(patches, after="index" if staged else "work-tree", before=head)
    note_budget(texts, notes)
    return Collected(Selection(kind, f"--{kind}", head, head), uncommitted=files, notes=notes.notes())


def _committed(
    repository: Repository, selected: Selected, texts: TextBudget, notes: Notebook, net_texts: TextBudget | None
) -> Collected:
    builder = Builder(notes)
    commits = tuple(builder.commit(*read) for read in read_commits(repository, selected.oids, texts, notes))
    named = _referenced(repository, commits, notes)
    referenced = tuple(builder.commit(*read) for read in read_commits(repository, named, texts, notes))
    net = None if net_texts is None else _net(repository, selected, builder, net_texts, notes)
    note_budget(texts, notes)
    return Collected(selected.selection, commits, net=net, referenced=referenced, notes=notes.notes())


def _net(
    repository: Repository, selected: Selected, builder: Builder, texts: TextBudget, notes: Notebook
) -> tuple[FileChange, ...] | None:
    """What several commits change together, from nothing where they have no base; its numbers go on after theirs."""
    base, head = selected.selection.base, selected.selection.head
    if head is None or len(selected.oids) < 2:
        return None
    patches = read_net(repository, base or repository.empty_tree, head, texts, notes)
    return None if patches is None else builder.files(patches, after=head, before=base)


def _referenced(repository: Repository, commits: tuple[Commit, ...], notes: Notebook) -> tuple[str, ...]:
    """The commits outside the selection that its messages say they revert."""
    named = list(dict.fromkeys(name for commit in commits for name in REVERTED.findall(commit.message)))
    if len(named) > REFERENCED_LIMIT:
        notes.add(
            "referenced-limit", "", f"{len(named)} reverted commits are named; the first {REFERENCED_LIMIT} were looked up"
        )
    known = {commit.oid for commit in commits}
    found: dict[str, None] = {}
    for name in named[:REFERENCED_LIMIT]:
        try:
            oid = repository.resolve(name)
        except RepositoryFailure as failure:
            notes.add("referenced-missing", name, f"a commit that is said to be reverted {failure.what}")
            continue
        if oid not in known:
            found[oid] = None
    return tuple(found)
