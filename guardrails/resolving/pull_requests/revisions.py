"""The revisions of a request: exactly those that were selected (Intent Pull Requests 1.0.0; Intent Changesets 11)."""

from __future__ import annotations

from typing import Final

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.records.fields import is_object_name
from guardrails.resolving.answers import as_text, refuse
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case

REVISIONS: Final = ("base-revision", "evidence-revision")
_ACCEPTS: Final = ("<full object name>",)
_QUESTIONS: Final = {
    "base-revision": "Which commit did the request begin at?",
    "evidence-revision": "Which commit is the head of the request?",
}
_MOVED: Final = "base-not-ancestor"
"""What collecting notes where the base has commits that the head does not have."""


def resolve_revisions(case: Case, sheet: Sheet) -> None:
    """Settle both ends of the selection; what cannot be one is asked. An answer may only repeat what is known."""
    selection = case.bundle.selection
    has_moved = any(note.code == _MOVED for note in case.bundle.notes)
    for path, known in zip(REVISIONS, (None if has_moved else selection.base, selection.head), strict=True):
        answer = case.answers.get(path)
        said = as_text(answer.value) if answer is not None else None
        if answer is not None and (said is None or not is_object_name(said) or known not in {None, said}):
            refuse(sheet, answer, (known,) if known is not None else _ACCEPTS, _QUESTIONS[path])
        elif known is not None:
            sheet.settle(path, known, Basis.EVIDENCE, case.evidence)
        elif answer is not None:
            sheet.settle(path, said, Basis.ANSWER, (answer.id,))
        else:
            sheet.ask(path, Reason.AMBIGUOUS, _QUESTIONS[path], accepts=_ACCEPTS, evidence=case.evidence)
