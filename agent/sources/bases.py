"""The base of a branch when nobody named one: taken when only one is possible, otherwise asked for, never guessed."""

from __future__ import annotations

from agent.sources.git import Repository
from guardrails.drafts.questions import SELECTION, Reason, Suggestion, Unresolved

TRUNKS = ("main", "master", "trunk", "develop")


def selected(repository: Repository, *, uncommitted: bool = True) -> str | Unresolved:
    """The range from the only possible base to HEAD, or the question which of the candidates is meant.

    Candidates are the upstream of the current branch, the remote's default branch and the usual trunks, local or of `origin`.
    Those with the same merge base are one; those that HEAD is not ahead of are none. `uncommitted` says whether changes that
    are not committed could be meant as well.
    """
    others = ("--staged", "--work-tree") if uncommitted else ()
    head = repository.head()
    if head is None:
        meant = f"Which changes are meant: {' or '.join(others)}?" if others else "Which revision is meant?"
        return _question((), f"The branch has no commit yet. {meant}", others)
    candidates: dict[str, str] = {}
    for name in _names(repository):
        base = _merge_base(repository, name)
        if base is not None and base != head:
            candidates.setdefault(base, f"{name}..HEAD")
    ranges = tuple(candidates.values())
    if len(ranges) == 1:
        return ranges[0]
    if not ranges:
        return _question(("HEAD",), "HEAD is not ahead of any known base. Which range or revision is meant?", others)
    return _question(ranges, "Several bases are possible. Which range is meant?", others)


def since_fork(repository: Repository, operand: str) -> str:
    """`A..B` as `A...B` where A has commits that B has not; anything else as it is, also what means nothing here."""
    base, dots, head = operand.partition("..")
    if not dots or head.startswith("."):
        return operand
    ends = [repository.commit(end or "HEAD") for end in (base, head)]
    known = [end for end in ends if end is not None]
    has_moved = len(known) == len(ends) and not repository.is_ancestor(known[0], known[1])
    return f"{base}...{head}" if has_moved else operand


def _names(repository: Repository) -> tuple[str, ...]:
    wanted = ("@{upstream}", "origin/HEAD", *TRUNKS, *(f"origin/{name}" for name in TRUNKS))
    return tuple(name for name in wanted if _exists(repository, name))


def _exists(repository: Repository, name: str) -> bool:
    return repository.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").code == 0


def _merge_base(repository: Repository, name: str) -> str | None:
    answered = repository.git.ask("merge-base", "--end-of-options", name, "HEAD")
    return None if answered.code else answered.out.decode().split("\n")[0]


def _question(ranges: tuple[str, ...], question: str, others: tuple[str, ...]) -> Unresolved:
    return Unresolved(
        field=SELECTION,
        reason=Reason.AMBIGUOUS,
        question=question,
        accepts=("<A..B>", "<revision>", *others),
        suggestions=tuple(Suggestion(text, ()) for text in ranges),
    )
