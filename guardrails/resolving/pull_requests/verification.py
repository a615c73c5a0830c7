"""Verifications: only what a person says was run, how it ended, and where that can be seen (Intent Pull Requests 1.0.0).

No commit and no diff shows that anything was run, so nothing here comes from them, and a drafter is never asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from guardrails.drafts.pull_request import listed_field
from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer
from guardrails.records.fields import vocabulary
from guardrails.records.profile import VERIFICATION_STATUSES
from guardrails.records.pull_request import CLAIM_FIELDS
from guardrails.resolving.answers import as_text, refuse
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case

FIELD: Final = "verification"
_MOST: Final = 100
_QUESTIONS: Final = {
    "name": "What was verified?",
    "status": "How did it end?",
    "command": "What was run?",
    "evidence": "Where can the result be seen?",
}


def resolve_verification(case: Case, sheet: Sheet) -> None:
    """Settle each verification that answers tell; none where they tell none."""
    answered = _answered(case)
    count = 1 + max(answered, default=-1)
    answer = case.answers.get(FIELD)
    if answer is not None and (answer.value not in (None, []) or count):
        refuse(sheet, answer, (f"[], or {FIELD}[0].name and so on",), "Which verifications were made?")
    elif not count:
        evidence = (answer.id,) if answer is not None else case.evidence
        sheet.settle(FIELD, (), Basis.ANSWER if answer is not None else Basis.EVIDENCE, evidence)
    for index in range(count):
        _resolve(case, sheet, index, answered.get(index, {}))


def _resolve(case: Case, sheet: Sheet, index: int, said: Mapping[str, Answer]) -> None:
    policy = case.profile.pull_requests
    statuses = vocabulary(policy.verification_statuses) if policy is not None else ()
    status = said.get("status")
    has_passed = status is not None and as_text(status.value) == "passed"
    for name in CLAIM_FIELDS:
        path, answer = f"{FIELD}[{index}].{name}", said.get(name)
        accepts = tuple(statuses or VERIFICATION_STATUSES) if name == "status" else ("<text>",)
        text = as_text(answer.value) if answer is not None else None
        may_lack = name == "command" and not has_passed
        if answer is not None and text is not None and (name != "status" or text in accepts):
            sheet.settle(path, text, Basis.ANSWER, (answer.id,))
        elif may_lack and (answer is None or answer.value is None):
            sheet.settle(path, None, Basis.ANSWER if said else Basis.RULE, (one.id for one in said.values()))
        elif answer is not None:
            refuse(sheet, answer, accepts, _QUESTIONS[name])
        else:
            sheet.ask(path, Reason.NO_EVIDENCE, _QUESTIONS[name], accepts=accepts)


def _answered(case: Case) -> dict[int, dict[str, Answer]]:
    """The answers by verification and field; one that is passed over is asked."""
    found: dict[int, dict[str, Answer]] = {}
    for answer in case.answers_below(f"{FIELD}["):
        place = listed_field(answer.path)
        if place is not None and place[2] in CLAIM_FIELDS and place[1] < _MOST:
            found.setdefault(place[1], {})[place[2]] = answer
    return found
