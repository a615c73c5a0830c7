"""What a person selected: `A..B`, `A...B`, `A..`, `..B` or one revision, as exact object names (Intent Changesets 11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    found = _span(repository, operand, notes)
    if found.unknown:
        return Selected(found.selection, ())
    oids, boundary = _between(repository, found.bases, found.head)
    # What leads from a base to the head begins at a child of the base, whose parents outside the range are its boundary.
    _note_apart([base for base in found.bases if base != found.head and base not in boundary], notes)
    return Selected(found.selection, oids)


def span(repository: Repository, operand: str, notes: Notebook) -> Span:
    """The limits of what `operand` means; one revision by itself is everything up to it.

    Raises:
        RepositoryFailure: a side is unknown, ambiguous, or looks like an option; two sides have no common ancestor.
    """
    found = _span(repository, operand, notes)
    apart = (base for base in found.bases if repository.git.ask("merge-base", "--is-ancestor", base, found.head).code)
    _note_apart(apart, notes)
    return found


def _span(repository: Repository, operand: str, notes: Notebook) -> Span:
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
    return Selected(selection, _between(repository, parents[:1], oid)[0])


def _range(repository: Repository, operand: str, sides: tuple[str, str, str], notes: Notebook) -> Span:
    left, dots, right = sides
    known = repository.resolve_all((left, right))
    head = known.get(right) or repository.resolve(right)
    try:
        base = known.get(left) or repository.resolve(left)
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


def _between(repository: Repository, bases: Sequence[str], head: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """What `head` reaches and none of `bases` does, oldest first, and its boundary: the parents that are not in it."""
    options, excluded = ("--topo-order", "--reverse", "--boundary"), [f"^{base}" for base in bases]
    told = repository.git.tell("rev-list", *options, head, *excluded, "--").decode().split()
    boundary = frozenset(line[1:] for line in told if line.startswith("-"))
    return tuple(line for line in told if not line.startswith("-")), boundary


def _note_apart(bases: Iterable[str], notes: Notebook) -> None:
    for base in bases:
        notes.add("base-not-ancestor", f"git:{base}", "the base has commits that the head does not have; they are not selected")


def _fetching(repository: Repository) -> str:
    return repository.fetching(_UNNAMED)
