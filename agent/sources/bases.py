"""The base of a branch when nobody named one: taken when only one is possible, otherwise asked for, never guessed."""

from __future__ import annotations

from agent.sources.git import Repository
from guardrails.drafts.questions import SELECTION, Reason, Suggestion, Unresolved

TRUNKS = ("main", "master", "trunk", "develop")


def selected(repository: Repository) -> str | Unresolved:
    """The range from the only possible base to HEAD, or the question which of the candidates is meant.

    Candidates are the upstream of the current branch, the remote's default branch and the usual trunks, local or of `origin`.
    Those with the same merge base are one; those that HEAD is not ahead of are none.
    """
    head = repository.head()
    if head is None:
        return _question((), "The branch has no commit yet. Which changes are meant: --staged or --work-tree?")
    candidates: dict[str, str] = {}
    for name in _names(repository):
        base = _merge_base(repository, name)
        if base is not None and base != head:
            candidates.setdefault(base, f"{name}..HEAD")
    ranges = tuple(candidates.values())
    if len(ranges) == 1:
        return ranges[0]
    if not ranges:
        return _question(("HEAD",), "HEAD is not ahead of any known base. Which range or revision is meant?")
    return _question(ranges, "Several bases are possible. Which range is meant?")


def _names(repository: Repository) -> tuple[str, ...]:
    wanted = ("@{upstream}", "origin/HEAD", *TRUNKS, *(f"origin/{name}" for name in TRUNKS))
    return tuple(name for name in wanted if _exists(repository, name))


def _exists(repository: Repository, name: str) -> bool:
    return repository.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").code == 0


def _merge_base(repository: Repository, name: str) -> str | None:
    answered = repository.git.ask("merge-base", "--end-of-options", name, "HEAD")
    return None if answered.code else answered.out.decode().split("\n")[0]


def _question(ranges: tuple[str, ...], question: str) -> Unresolved:
    return Unresolved(
        field=SELECTION,
        reason=Reason.AMBIGUOUS,
        question=question,
        accepts=("<A..B>", "<revision>", "--staged", "--work-tree"),
        suggestions=tuple(Suggestion(text, ()) for text in ranges),
    )
