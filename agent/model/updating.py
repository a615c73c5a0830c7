"""Updating: dependencies that were brought to versions, in the words of their commits (Describe Changes: title, short_md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.model.phrases import listed
from agent.model.titles import Rule
from guardrails.drafts.page import code
from guardrails.drafts.register import TITLE_MAX
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.model import Commit
from guardrails.resolving.dependency_updates import Update, is_update, updates

_MANY: Final = "Update dependencies"
_MOST_CITED: Final = 64
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")


def title_of_updates(commits: Sequence[Commit]) -> Sentence | None:
    """What names the updates as a whole; None where something else was done too, or one commit says it itself."""
    found = _updates(commits)
    if len(commits) < 2 or not found:
        return None
    named = [update for update in found if update.name]
    if len(named) == len(found) == 1:
        return Sentence(f"Update {_step(named[0])}", named[0].commits[:_MOST_CITED])
    text = f"Update {listed([_name(update) for update in named])}" if len(named) == len(found) else _MANY
    evidence = tuple(item for update in found for item in update.commits)
    return Sentence(text if len(text) <= TITLE_MAX else _MANY, evidence[:_MOST_CITED])


def words_of_updates(commits: Sequence[Commit], rule: Rule) -> Sentence | None:
    """The updates with their versions, where all of them fit; None otherwise."""
    named = [update for update in _updates(commits) if update.name]
    if len(commits) < 2 or not named:
        return None
    text = f"Updates {listed([_step(update) for update in named])}"
    evidence = tuple(item for update in named for item in update.commits)
    return Sentence(text, evidence[:_MOST_CITED]) if not tuple(rule("", text)) else None


def _updates(commits: Sequence[Commit]) -> tuple[Update, ...]:
    own = [commit for commit in commits if commit.files or len(commit.parents) < 2]
    return updates(own) if own and all(map(is_update, own)) else ()


def _step(update: Update) -> str:
    if update.old and update.new:
        return f"{_name(update)} from {update.old} to {update.new}"
    return f"{_name(update)} to {update.new}" if update.new else _name(update)


def _name(update: Update) -> str:
    return update.name if _PLAIN.fullmatch(update.name) else code(update.name)
