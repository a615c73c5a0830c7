"""Release type and audiences of each target (Intent Changesets 6.6).

Neither stands in a trailer: the project's rules and labels map to them. Where none speaks, or two differ, a person says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis, FieldValue
from guardrails.resolving.answers import as_texts, refuse, take_word
from guardrails.resolving.changesets.targets import Target
from guardrails.resolving.sheet import Sheet, grouped
from guardrails.resolving.trailers import Case, View, is_internal


@dataclass(frozen=True, slots=True)
class _Hint:
    """A value that one source gives."""

    value: FieldValue
    basis: Basis
    evidence: tuple[str, ...]


def resolve_type(case: Case, sheet: Sheet, target: Target) -> None:
    """Settle or ask `type`."""
    path, words = target.path("type"), case.profile.release_types
    question = f"Which type of change is this for {target.name}?"
    answer = case.answers.get(path)
    if answer is not None:
        take_word(sheet, answer, words, question)
        return
    hints = [hint for hint in _type_hints(case, target) if hint.value in words]
    told = {item for hint in hints for item in hint.evidence}
    labelled = not told.isdisjoint(document.id for document in case.bundle.documents)
    silent = tuple(view.id for view in _speaking(case, target) if hints and not labelled and view.id not in told)
    only = [_Hint(word, Basis.PROFILE, ()) for word in words if len(words) == 1]
    _settle_hints(sheet, path, question, words, hints or only, silent=silent)


def resolve_audiences(case: Case, sheet: Sheet, target: Target) -> None:
    """Settle or ask `audiences`: one or more, in the order of the profile."""
    path, words = target.path("audiences"), case.profile.audiences
    question = f"Which audiences notice this change in {target.name}?"
    answer = case.answers.get(path)
    if answer is not None:
        said = as_texts(answer.value)
        if said and set(said) <= set(words) and len(set(said)) == len(said):
            sheet.settle(path, _in_order(said, words), Basis.ANSWER, (answer.id,))
        else:
            refuse(sheet, answer, words, question)
        return
    hints = [hint for hint in _audience_hints(case, sheet, target) if hint.value]
    _settle_hints(sheet, path, question, words, hints or [_Hint(words, Basis.PROFILE, ()) for _ in words if len(words) == 1])


def _settle_hints(
    sheet: Sheet, path: str, question: str, accepts: tuple[str, ...], hints: list[_Hint], *, silent: tuple[str, ...] = ()
) -> None:
    """Settle when every hint says the same; ask, with each value as a suggestion, when they differ or commits are `silent`."""
    said = grouped((hint.value, hint.evidence) for hint in hints)
    if len(said) == 1 and not silent:
        sheet.settle(path, hints[0].value, hints[0].basis, said[hints[0].value])
    else:
        sheet.ask(
            path,
            Reason.AMBIGUOUS if said else Reason.NO_EVIDENCE,
            question,
            accepts=accepts,
            suggestions=(Suggestion(value, ids) for value, ids in said.items()),
            evidence=(*(item for ids in said.values() for item in ids), *silent),
        )


def _speaking(case: Case, target: Target) -> tuple[View, ...]:
    """The commits that decide the type: those that ask for a release, else all."""
    return tuple(view for view in target.views if not is_internal(view, case.profile, case.rules)) or target.views


def _type_hints(case: Case, target: Target) -> Iterator[_Hint]:
    """From commit types by rule, or by being a release type themselves; from pull-request labels by rule."""
    for view in _speaking(case, target):
        word = view.message.type
        if word in case.rules.types:
            yield _Hint(case.rules.types[word], Basis.RULE, (view.id,))
        elif word in case.profile.release_types:
            yield _Hint(word, Basis.EVIDENCE, (view.id,))
    for document in case.bundle.documents:
        for label in document.labels:
            if label in case.rules.type_labels:
                yield _Hint(case.rules.type_labels[label], Basis.RULE, (document.id,))


def _audience_hints(case: Case, sheet: Sheet, target: Target) -> Iterator[_Hint]:
    """From the rules for the unit, for the settled type, and for labels; the labels of all documents count as one source."""
    words, settled = case.profile.audiences, sheet.values.get(target.path("type"))
    for key in (target.unit, settled.value if settled else None):
        if isinstance(key, str) and key in case.rules.audiences:
            yield _Hint(_in_order(case.rules.audiences[key], words), Basis.RULE, ())
    labelled = [
        (document.id, audience)
        for document in case.bundle.documents
        for label in document.labels
        for audience in case.rules.audience_labels.get(label, ())
    ]
    if labelled:
        yield _Hint(_in_order([word for _, word in labelled], words), Basis.RULE, tuple(item for item, _ in labelled))


def _in_order(said: tuple[str, ...] | list[str], words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word in said)
