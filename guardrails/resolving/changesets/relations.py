"""Which earlier decisions this one takes back or replaces (Intent Changesets 6.8).

A revert names a commit; the decision is the one that commit links. Nothing is read out of prose, and history is not rewritten.
"""

from __future__ import annotations

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.records.fields import is_id
from guardrails.resolving.answers import as_texts, refuse
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case, View

_QUESTIONS = {
    "reverts": "Which changesets does this change revert? (an empty list for none)",
    "supersedes": "Which changesets does this change replace? (an empty list for none)",
}
_FORMAT = ("<list of changeset ids>",)


def resolve_relations(case: Case, sheet: Sheet, known: tuple[View, ...]) -> None:
    """Settle or ask `relations.reverts` and `relations.supersedes`. `known` are all commits that evidence holds."""
    own = sheet.values.get("id")
    for name, question in _QUESTIONS.items():
        path = f"relations.{name}"
        answer = case.answers.get(path)
        if answer is None:
            continue
        said = as_texts(answer.value)
        taken = own.value if own else None
        if said is None or len(set(said)) < len(said) or not all(is_id(word) and word != taken for word in said):
            refuse(sheet, answer, _FORMAT, question)
        else:
            sheet.settle(path, said, Basis.ANSWER, (answer.id,))
    if "relations.reverts" not in case.answers:
        _resolve_reverts(case, sheet, known)
    if "relations.supersedes" not in case.answers:
        sheet.settle("relations.supersedes", (), Basis.EVIDENCE, case.evidence)


def _resolve_reverts(case: Case, sheet: Sheet, known: tuple[View, ...]) -> None:
    path, question = "relations.reverts", _QUESTIONS["reverts"]
    own = sheet.values.get("id")
    certain: dict[str, list[str]] = {}
    unsure: dict[str, list[str]] = {}
    missing: list[str] = []
    for view in case.views:
        for name in view.said.reverts:
            found = [other for other in known if other.commit.oid.startswith(name.lower()) and other.id != view.id]
            missing += [view.id] if not found else []
            for other in found:
                ids = [word for word in other.changesets if is_id(word) and (own is None or word != own.value)]
                for word in ids:
                    (certain if len(other.changesets) == 1 else unsure).setdefault(word, []).extend((view.id, other.id))
    suggestions = tuple(Suggestion((word,), tuple(dict.fromkeys(sides))) for word, sides in {**unsure, **certain}.items())
    evidence = tuple(item for suggestion in suggestions for item in suggestion.evidence)
    if missing:
        sheet.ask(path, Reason.NO_EVIDENCE, question, accepts=_FORMAT, suggestions=suggestions, evidence=(*missing, *evidence))
    elif unsure.keys() - certain.keys():
        sheet.ask(path, Reason.AMBIGUOUS, question, accepts=_FORMAT, suggestions=suggestions, evidence=evidence)
    else:
        sheet.settle(path, tuple(certain), Basis.EVIDENCE, evidence or case.evidence)
