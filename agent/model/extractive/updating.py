"""Updating: dependencies that were brought to versions, in the words of their commits (Describe Changes: title, short_md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.model.extractive.phrases import listed
from agent.model.extractive.titles import Rule
from guardrails.drafts.register import TITLE_MAX
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.code_spans import code
from guardrails.evidence.model import Commit
from guardrails.resolving.grouping.dependency_updates import Update, is_update, updates

_MOST_CITED: Final = 64
_MOST_NAMED: Final = 16
"""More never fit."""
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")


def title_of_updates(commits: Sequence[Commit]) -> Sentence | None:
    """What names the updates as a whole; None where something else was done too, or where a commit says it itself."""
    found = _updates(commits)
    named = [update for update in found if update.name]
    if len(commits) < 2 or not named:
        return None
    if len(named) == len(found) == 1:
        return Sentence(f"Update {_step(named[0])}", named[0].commits[:_MOST_CITED])
    texts = (
        _called("Update", tuple(map(_name, named[:count])), is_all=count == len(found))
        for count in range(min(len(named), _MOST_NAMED), 0, -1)
    )
    text = next((text for text in texts if len(text) <= TITLE_MAX), None)
    return Sentence(text, _evidence(named)) if text is not None else None


def words_of_updates(commits: Sequence[Commit], rule: Rule) -> Sentence | None:
    """The updates with their versions, as far as `rule` lets them stand; None where none does."""
    found = _updates(commits)
    named = [update for update in found if update.name]
    if len(commits) < 2 or not named:
        return None
    texts = (
        _called("Updates", tuple(map(_step, named[:count])), is_all=count == len(found))
        for count in range(min(len(named), _MOST_NAMED), 0, -1)
    )
    text = next((text for text in texts if not tuple(rule("", text))), None)
    return Sentence(text, _evidence(named)) if text is not None else None


def dependencies(commits: Sequence[Commit]) -> Sentence | None:
    """What users read of updates whose names are those of code; None where something else was done too."""
    found = _updates(commits)
    return Sentence("Update dependencies.", _evidence(found)) if found else None


def _called(verb: str, names: tuple[str, ...], *, is_all: bool) -> str:
    return f"{verb} {listed(names if is_all else (*names, 'others'))}"


def _evidence(named: Sequence[Update]) -> tuple[str, ...]:
    return tuple(item for update in named for item in update.commits)[:_MOST_CITED]


def _updates(commits: Sequence[Commit]) -> tuple[Update, ...]:
    own = [commit for commit in commits if commit.files or len(commit.parents) < 2]
    return updates(own) if own and all(map(is_update, own)) else ()


def _step(update: Update) -> str:
    if update.old and update.new:
        return f"{_name(update)} from {update.old} to {update.new}"
    return f"{_name(update)} to {update.new}" if update.new else _name(update)


def _name(update: Update) -> str:
    return update.name if _PLAIN.fullmatch(update.name) else code(update.name)
