"""Which of the selected commits make up the decision, and why the others do not (Intent Changesets 4, 6.8, 7).

Every selected commit is accounted for: "decision", or a reason in plain words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from guardrails.evidence.model import Bundle
from guardrails.records.profile import Profile
from guardrails.resolving.answers import by_path
from guardrails.resolving.rules import Rules
from guardrails.resolving.trailers import Case, View, is_internal, readable, view

DECISION: Final = "decision"
MERGE: Final = "merge: changes nothing by itself"


def taking_part(bundle: Bundle, profile: Profile, rules: Rules, linked: str | None) -> tuple[Case, dict[str, str]]:
    """The case of what takes part, and the coverage of every selected commit; `linked` as for `cover`."""
    views = tuple(view(commit, profile, rules) for commit in bundle.commits)
    coverage = cover(views, profile, rules, linked)
    taking = tuple(item for item in views if coverage[item.id] == DECISION)
    answers = by_path(bundle.answers)
    return Case(bundle, profile, rules, answers, taking, merges(views, coverage), readable(bundle)), coverage


def reverted_by(view: View, candidates: Iterable[View]) -> tuple[View, ...]:
    """The candidates that a commit says it reverts, by the beginning of their object name."""
    return tuple(other for other in candidates if any(other.commit.oid.startswith(name.lower()) for name in view.said.reverts))


def cover(views: tuple[View, ...], profile: Profile, rules: Rules, linked: str | None) -> dict[str, str]:
    """Coverage of every commit. `linked` is an id that a person chose: it restricts the decision to the commits that link it.

    A choice that no commit links restricts nothing: it names the decision, it does not select.
    """
    restricts = linked is not None and any(linked in view.changesets for view in views)
    coverage = _cancelled(views)
    for one in views:
        if one.id in coverage:
            continue
        if restricts and linked not in one.changesets:
            coverage[one.id] = f"not linked to {linked}" + (f": links {', '.join(one.changesets)}" if one.changesets else "")
        elif _is_bare_merge(one):
            coverage[one.id] = MERGE
    left = [one for one in views if one.id not in coverage]
    internal = {one.id for one in left if is_internal(one, profile, rules)}
    if len(internal) < len(left):
        coverage.update(dict.fromkeys(internal, "internal: impact none"))
    return {one.id: coverage.get(one.id, DECISION) for one in views}


def merges(views: tuple[View, ...], coverage: dict[str, str]) -> tuple[View, ...]:
    """The bare merges: they bring no change, but a forge's citation of the pull request."""
    return tuple(one for one in views if coverage[one.id] == MERGE)


def _is_bare_merge(view: View) -> bool:
    says = ("Impact", "Changeset", "Target-Impact", "Migration", "Target-Migration", "Affects")
    return len(view.commit.parents) > 1 and not view.commit.files and not any(view.message.values(name) for name in says)


def _cancelled(views: tuple[View, ...]) -> dict[str, str]:
    """Pairs of a commit and its revert inside the selection, newest revert first, so a revert of a revert restores.

    A revert that links a decision of its own stands: it is a new release decision.
    """
    gone: dict[str, str] = {}
    for place in range(len(views) - 1, -1, -1):
        revert = views[place]
        if revert.id in gone or not revert.said.reverts:
            continue
        pairs = [other for other in reverted_by(revert, views[:place]) if other.id not in gone]
        if not pairs or not all(set(revert.changesets) <= set(other.changesets) for other in pairs):
            continue
        gone[revert.id] = f"reverts {', '.join(other.id for other in pairs)} of the same selection"
        gone.update({other.id: f"reverted by {revert.id} of the same selection" for other in pairs})
    return gone
