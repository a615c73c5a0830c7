"""What a person selected: `A..B`, `A...B`, `A..`, `..B` or one revision, as exact object names (Intent Changesets 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.errors import RepositoryFailure, UsageFailure
from agent.sources.git import Repository
from guardrails.evidence.model import Selection, SelectionKind
from guardrails.evidence.notes import Notebook

_UNNAMED: Final = "HEAD"


@dataclass(frozen=True, slots=True)
class Selected:
    """A selection and the object names of its commits, oldest first."""

    selection: Selection
    oids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A selection by its limits: what `head` reaches and none of `bases` does; nothing where it is `unknown`."""

    selection: Selection
    head: str
    bases: tuple[str, ...] = ()
    unknown: bool = False


def select(repository: Repository, operand: str, notes: Notebook, *, from_root: bool = False) -> Selected:
    """The commits that `operand` means. Nothing is guessed: a side that is not written is HEAD.

    `from_root` takes everything up to one revision, as the first release of a history has it.

    Raises:
        RepositoryFailure: a side is unknown, ambiguous, or looks like an option; two sides have no common ancestor.
        UsageFailure: a range was given where everything up to one revision is meant.
    """
    is_range = ".." in operand
    if from_root and is_range:
        raise UsageFailure("got a range, expected one revision up to which everything is meant", where=operand)
    if not from_root and not is_range:
        return _commit(repository, operand, notes)
    found = span(repository, operand, notes)
    return Selected(found.selection, () if found.unknown else _between(repository, found.bases, found.head))


def span(repository: Repository, operand: str, notes: Notebook) -> Span:
    """The limits of what `operand` means; one revision by itself is everything up to it.

    Raises:
        RepositoryFailure: a side is unknown, ambiguous, or looks like an option; two sides have no common ancestor.
    """
    for dots in ("...", ".."):
        left, found, right = operand.partition(dots)
        if found:
            return _range(repository, operand, (left or _UNNAMED, dots, right or _UNNAMED), notes)
    head = repository.resolve(operand)
    return Span(Selection(SelectionKind.RANGE, operand, None, head), head)


def _commit(repository: Repository, operand: str, notes: Notebook) -> Selected:
    oid = repository.resolve(operand)
    parents = repository.git.tell("rev-parse", f"{oid}^@").decode().split()
    selection = Selection(SelectionKind.COMMIT, operand, parents[0] if parents else None, oid)
    if len(parents) < 2:
        return Selected(selection, (oid,))
    notes.add("merge-selected", f"git:{oid}", "a merge was named: read as what it merged in (its first parent to itself)")
    return Selected(selection, _between(repository, parents[:1], oid))


def _range(repository: Repository, operand: str, sides: tuple[str, str, str], notes: Notebook) -> Span:
    left, dots, right = sides
    head = repository.resolve(right)
    try:
        base = repository.resolve(left)
    except RepositoryFailure as failure:
        if not repository.is_shallow or "no commit" not in failure.what:
            raise
        notes.add("shallow", left, f"the base is not in this shallow repository, so nothing was read; {_fetching(repository)}")
        return Span(Selection(SelectionKind.RANGE, operand, None, head), head, unknown=True)
    bases = [base]
    if dots == "...":
        bases = _merge_bases(repository, base, head, operand, notes)
        if not bases:
            return Span(Selection(SelectionKind.RANGE, operand, None, head), head, unknown=True)
    elif repository.git.ask("merge-base", "--is-ancestor", base, head).code:
        notes.add("base-not-ancestor", f"git:{base}", "the base has commits that the head does not have; they are not selected")
    return Span(Selection(SelectionKind.RANGE, operand, bases[0], head), head, tuple(bases))


def _merge_bases(repository: Repository, left: str, right: str, operand: str, notes: Notebook) -> list[str]:
    bases = repository.git.ask("merge-base", "--all", left, right).out.decode().split()
    if bases:
        several = f"the {len(bases)} common ancestors" if len(bases) > 1 else "the common ancestor"
        notes.add("symmetric-range", operand, f"three dots: read as {several} of both sides to the right side")
    elif repository.is_shallow:
        notes.add("shallow", operand, f"no common ancestor is in this shallow repository; {_fetching(repository)}")
    else:
        raise RepositoryFailure("the two sides have no common ancestor", where=operand, cure="name a base with two dots")
    return bases


def _between(repository: Repository, bases: Sequence[str], head: str) -> tuple[str, ...]:
    excluded = [f"^{base}" for base in bases]
    return tuple(repository.git.tell("rev-list", "--topo-order", "--reverse", head, *excluded, "--").decode().split())


def _fetching(repository: Repository) -> str:
    return repository.fetching(_UNNAMED)
