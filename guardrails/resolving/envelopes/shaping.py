"""Which of the two shapes an envelope has: asked once, before anything is written (Describe Changes: asking for the shape).

A caller's word decides. Without one, a range of more than one change is itemized, and its basis `rule` tells that nobody was
asked; anything else is asked, with the counts of what is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from guardrails.drafts.envelope import ITEMIZED, SINGLE
from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.drafts.summing import counted
from guardrails.evidence.model import Answer, Bundle, OperationType, SelectionKind
from guardrails.evidence.roles import Role, role
from guardrails.resolving.answers import as_text, refuse
from guardrails.resolving.envelopes.citations import requests, strongest
from guardrails.resolving.envelopes.reading import Part, Reading
from guardrails.resolving.grouping.grouping import Group
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import Sheet, unique

SHAPE: Final = "shape"
ASK: Final = "ask"
SHAPES: Final = (SINGLE, ITEMIZED)
_WHOLES: Final = {OperationType.COMMIT: "commit", OperationType.PULL_REQUEST: "request", OperationType.RANGE: "range"}


def resolve_shape(reading: Reading, groups: Sequence[Group], rules: Rules, answer: Answer | None, sheet: Sheet) -> str | None:
    """Settle `shape`, or ask it: None while it is open. The answer may be `ask`, where the caller wants to be asked."""
    said = as_text(answer.value) if answer is not None else None
    operation = _operation(reading.bundle)
    if answer is not None and said in SHAPES:
        sheet.settle(SHAPE, said, Basis.ANSWER, (answer.id,))
        return said
    question = _question(reading, groups, rules, operation)
    if answer is not None and said != ASK:
        refuse(sheet, answer, (*SHAPES, ASK), question)
    elif answer is None and operation is OperationType.RANGE and len(groups) > 1:
        sheet.settle(SHAPE, ITEMIZED, Basis.RULE)
        return ITEMIZED
    else:
        suggestions = (Suggestion(SINGLE, groups[0].commits),) if len(groups) == 1 else ()
        evidence = unique(item for group in groups for item in group.commits)
        sheet.ask(SHAPE, Reason.AMBIGUOUS, question, accepts=SHAPES, suggestions=suggestions, evidence=evidence)
    return None


def _operation(bundle: Bundle) -> OperationType:
    if bundle.operation is not None:
        return bundle.operation.type
    return OperationType.RANGE if bundle.selection.kind is SelectionKind.RANGE else OperationType.COMMIT


def _question(reading: Reading, groups: Sequence[Group], rules: Rules, operation: OperationType) -> str:
    """The contract's question, with true counts."""
    parts = [reading.part(group) for group in groups]
    covered = _covered(parts, rules, operation)
    places = _places(parts, rules)
    across = f" {'in' if places == 1 else 'across'} {counted(places, 'subsystem')}" if places else ""
    return (
        f"This covers {covered}{across}. Do you want one digest for the whole {_WHOLES[operation]}, "
        "or an itemized array of changes with a summary on top?"
    )


def _covered(parts: Sequence[Part], rules: Rules, operation: OperationType) -> str:
    """What there is: requests where they brought everything in, else changes and commits, and how many requests among them."""
    commits = len({commit.id for part in parts for commit in part.commits})
    if operation is not OperationType.RANGE:
        whole = "one pull request" if operation is OperationType.PULL_REQUEST else "one commit"
        return whole if len(parts) == 1 else f"{whole} with {counted(len(parts), 'change')}"
    brought = [strongest(requests(part, rules)) for part in parts]
    number = len({one.text for found in brought for one in found})
    merged = f"{number if number > 1 else 'one'} merged pull request{'s' * (number > 1)}"
    if parts and all(brought):
        return merged
    told = f"{counted(len(parts), 'change')} in {counted(commits, 'commit')}"
    return f"{told}, {merged} among them," if number else told


def _places(parts: Sequence[Part], rules: Rules) -> int:
    """How many release units were touched where rules name them, else top-level folders: of the product, or of all there is."""
    paths = [path for part in parts for path in part.paths]
    units = {unit for path in paths if (unit := rules.unit_of(path)) is not None}
    if units:
        return len(units)
    product = [path for path in paths if role(path) is Role.SOURCE]
    return len({path.partition("/")[0] for path in product or paths if "/" in path and not path.startswith(".")})
