"""A range on the command line made into a release (evidraft, cases 46 to 49)."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import Final

from agent.batch.release import Release
from agent.batch.tagged import cut_off
from agent.errors import RepositoryFailure, UsageFailure
from agent.render.outcomes import question_document
from agent.sources.git import Repository
from agent.sources.selecting import Selected, select
from guardrails import versions
from guardrails.evidence.notes import Notebook

_SIDES: Final = ("...", "..")
_UNNAMED: Final = "HEAD"


def release(repository: Repository, operand: str) -> Release:
    """The release that a range means; where a shallow clone lacks a part of it, one with the question of getting it.

    Raises:
        UsageFailure: it is no range.
        RepositoryFailure: a side is unknown (with names that are like it), ambiguous, or looks like an option.
    """
    left, dots, right = _sides(operand)
    made = Release(
        name="", place="", base="", head="", spec=f"{left}{dots}{right}", title=f"{left}{dots}{right}", previous=left
    )
    asked = replace(made, questions=(question_document(cut_off(repository, right)),))
    try:
        selected = select(repository, made.spec, Notebook())
    except RepositoryFailure as failure:
        if "no commit" not in failure.what:
            raise
        if repository.is_shallow:
            return asked
        raise _with_near_names(repository, failure) from None
    base, head = selected.selection.base, selected.selection.head or ""
    date = repository.git.tell("show", "--no-patch", "--format=%cs", head, "--").decode().strip()
    if base is None or _is_cut(repository, selected):
        return replace(asked, head=head, date=date)
    tags = (right,) if _is_version(repository, right) else ()
    title = right if tags else made.title
    return replace(made, base=base, head=head, date=date, title=title, tags=tags, commits=len(selected.oids))


def by_objects(repository: Repository, operand: str) -> str:
    """A range that can be read, by the names of its objects.

    Raises:
        UsageFailure, RepositoryFailure: as `release`.
    """
    left, dots, right = _sides(operand)
    return f"{repository.resolve(left)}{dots}{repository.resolve(right)}"


def _sides(operand: str) -> tuple[str, str, str]:
    for dots in _SIDES:
        left, found, right = operand.partition(dots)
        if found:
            return left or _UNNAMED, dots, right or _UNNAMED
    raise UsageFailure("is no range", where=operand, cure="give BASE..HEAD, or --tags for what a tag adds to the one before")


def _is_cut(repository: Repository, selected: Selected) -> bool:
    return any(oid in repository.shallow for oid in selected.oids)


def _is_version(repository: Repository, name: str) -> bool:
    found = repository.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"refs/tags/{name}")
    return not found.code and versions.read(name) is not None


def _with_near_names(repository: Repository, failure: RepositoryFailure) -> RepositoryFailure:
    told = repository.git.tell("for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags", "refs/heads", "refs/remotes")
    near = difflib.get_close_matches(failure.where, told.decode("utf-8", "backslashreplace").splitlines(), n=3)
    cure = f"did you mean {' or '.join(near)}?" if near else failure.cure
    return RepositoryFailure(failure.what, where=failure.where, cure=cure)
