"""A person's answers: by field path, held against vocabulary and trailers like other evidence (Intent Changesets 7, 11.3).

An answer beats rules, profile defaults and hints. It never beats a trailer that a commit carries: where trailers disagree with
each other, an answer that takes one of their sides settles the field; any other answer is one more side of the contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from guardrails.drafts.changeset import TEXT_FIELDS, target_field
from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer, AnswerValue
from guardrails.findings import Code
from guardrails.records.changeset import RELATION_FIELDS, TARGET_FIELDS
from guardrails.records.disclosure import FIELDS as DISCLOSURE_FIELDS
from guardrails.resolving.sheet import Sheet

UNKNOWN_ANSWER_FIELD = Code(
    name="unknown-answer-field",
    summary="An answer names a field that the draft does not have.",
    cure="Use one of the field paths that the finding lists.",
    section="Intent Changesets 6.1",
)
ANSWER_NOT_ACCEPTED = Code(
    name="answer-not-accepted",
    summary="An answer has a value that its field does not accept.",
    cure="Answer with one of the accepted values, or change the profile first.",
    section="Intent Changesets 6.6",
)
ANSWER_CONFLICT = Code(
    name="answer-conflict",
    summary="An answer contradicts what commits or an existing record say.",
    cure="Answer with what they say, or correct them; no side is taken silently.",
    section="Intent Changesets 7",
)

_OF_CONTRACT: Final = re.compile(r"contract\[[0-9a-f]{12}\]")
_PROVENANCE: Final = re.compile(r"provenance(?:\.[a-z][a-z0-9-]{0,63})?")
_FIXED: Final = (
    *TEXT_FIELDS,
    "targets",
    "provenance",
    *(f"relations.{name}" for name in RELATION_FIELDS),
    *(f"disclosure.{name}" for name in DISCLOSURE_FIELDS),
)


def by_path(answers: tuple[Answer, ...]) -> Mapping[str, Answer]:
    """The answers by field path; a later answer replaces an earlier one for the same path."""
    return {answer.path: answer for answer in answers}


def as_text(value: AnswerValue) -> str | None:
    """A scalar answer as text with its outer white space gone; None for anything else, blank texts too."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    return str(value).strip() or None


def as_texts(value: AnswerValue) -> tuple[str, ...] | None:
    """A list answer (or a lone scalar) as texts; None when an item is not one."""
    items = [as_text(item) for item in (value if isinstance(value, list) else [value])]
    texts = tuple(item for item in items if item is not None)
    return texts if len(texts) == len(items) else None


def is_provenance(path: str) -> bool:
    """Whether a path is `provenance` or one kind below it."""
    return _PROVENANCE.fullmatch(path) is not None


def is_of_contract(path: str) -> bool:
    """Whether a path is that of a result of a change contract, which no record has as a field."""
    return _OF_CONTRACT.fullmatch(path) is not None


def take_word(sheet: Sheet, answer: Answer, words: tuple[str, ...], question: str) -> None:
    """Settle the answer's field with its word when that is one of `words`, else refuse it."""
    said = as_text(answer.value)
    if said in words:
        sheet.settle(answer.path, said, Basis.ANSWER, (answer.id,))
    else:
        refuse(sheet, answer, words, question)


def refuse(sheet: Sheet, answer: Answer, accepts: tuple[str, ...], question: str) -> None:
    """Report an answer that its field cannot take, and ask again."""
    message = f"the answer is not accepted, expected {', '.join(accepts) or 'nothing: the field does not apply'}"
    sheet.contradict(
        ANSWER_NOT_ACCEPTED,
        answer.path,
        message,
        question=question,
        accepts=accepts,
        evidence=(answer.id,),
        reason=Reason.POLICY,
    )


def report_unknown(
    sheet: Sheet,
    answers: Mapping[str, Answer],
    targets: int | None,
    *,
    fields: tuple[str, ...] = _FIXED,
    of_targets: tuple[str, ...] = TARGET_FIELDS,
) -> None:
    """Report each answer whose path is no field; `targets` is how many targets there are, None while that is open.

    `fields` are those of the record beside provenance, `of_targets` those that a target has.
    """
    kinds = ("provenance.<kind>", *(f"targets[i].{name}" for name in of_targets))
    for answer in answers.values():
        place = target_field(answer.path)
        known = (
            answer.path in fields
            or is_provenance(answer.path)
            or is_of_contract(answer.path)
            or (place is not None and place[1] in of_targets and (targets is None or place[0] < targets))
        )
        if not known:
            refuse_path(sheet, answer, (*fields, *kinds))


def refuse_path(sheet: Sheet, answer: Answer, fields: tuple[str, ...]) -> None:
    """Report an answer to a field that the draft does not have; `fields` are those that it may have."""
    sheet.contradict(
        UNKNOWN_ANSWER_FIELD,
        answer.path,
        f"there is no such field, expected one of {', '.join(fields)}",
        question="This draft has no such field. Which field is meant?",
        accepts=fields,
        evidence=(answer.id,),
        reason=Reason.POLICY,
    )
