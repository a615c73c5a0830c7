"""Disclosure of the decision: an existing record's, an answer's or a reviewed rule's; never a default (Intent Changesets 6.9).

Moving an embargoed or redacted record to another state is an explicit reviewed change of that record, not an answer to a draft.
"""

from __future__ import annotations

from typing import Final

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis, FieldValue, Sourced
from guardrails.records import disclosure
from guardrails.resolving.answers import ANSWER_CONFLICT, as_text, refuse, take_word
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case

_STATE = "disclosure.state"
_QUESTION = "Who may read about this change: everyone, nobody yet, or everyone but the details?"
_DETAILS: Final = {
    "not-before": ("Until when is this change embargoed? (or name the policy)", "<ISO 8601 date or timestamp>"),
    "policy": ("Which disclosure policy holds this change back?", "<policy name>"),
    "placeholder": ("What may be said in place of the details?", "<non-sensitive text>"),
}


def resolve_disclosure(
    case: Case, sheet: Sheet, decided: tuple[str, disclosure.Disclosure] | None, *, withheld: bool = False
) -> None:
    """Settle or ask the four fields. `decided` is what an existing record says, by its evidence id; None where none has.

    Where something of the selection is `withheld`, no rule makes what is told of the rest public: a person says.
    """
    if decided is not None:
        _take_existing(case, sheet, *decided)
        return
    _resolve_state(case, sheet, withheld=withheld)
    state = sheet.values.get(_STATE)
    if state is None or not isinstance(state.value, str):
        return
    applies = disclosure.APPLYING.get(state.value, ())
    for name in _DETAILS:
        _resolve_detail(case, sheet, name, applies=name in applies, state=state)
    if state.value == "embargoed" and not any(_is_given(sheet, name) for name in applies):
        question, form = _DETAILS["not-before"]
        if not any(f"disclosure.{name}" in sheet.unresolved for name in applies):
            sheet.ask("disclosure.not-before", Reason.NO_EVIDENCE, question, accepts=(form,))


def _take_existing(case: Case, sheet: Sheet, item: str, said: disclosure.Disclosure) -> None:
    """The record of this id has decided already; an answer may only repeat it."""
    for name, value in said.as_mapping().items():
        path = f"disclosure.{name}"
        answer = case.answers.get(path)
        if answer is not None and as_text(answer.value) != value:
            question = "The existing record is disclosed otherwise. Is the record to be changed first?"
            message = f"{answer.id} differs from the record {item}"
            accepts = (value if value is not None else "null",)
            sheet.contradict(ANSWER_CONFLICT, path, message, question=question, accepts=accepts, evidence=(answer.id, item))
        elif name == "state" and value not in case.profile.disclosures:
            sheet.ask(path, Reason.POLICY, _QUESTION, accepts=case.profile.disclosures, evidence=(item,))
        else:
            sheet.settle(path, value, Basis.EVIDENCE, (item,))


def _resolve_state(case: Case, sheet: Sheet, *, withheld: bool) -> None:
    words = case.profile.disclosures
    answer = case.answers.get(_STATE)
    if answer is not None:
        take_word(sheet, answer, words, _QUESTION)
    elif withheld:
        sheet.ask(_STATE, Reason.WITHHELD, f"Disclosure withholds a part of what was selected. {_QUESTION}", accepts=words)
    elif case.rules.disclosure in words:
        sheet.settle(_STATE, case.rules.disclosure, Basis.RULE)
    elif len(words) == 1:
        sheet.settle(_STATE, words[0], Basis.PROFILE)
    else:
        sheet.ask(_STATE, Reason.NO_EVIDENCE, _QUESTION, accepts=words)


def _resolve_detail(case: Case, sheet: Sheet, name: str, *, applies: bool, state: Sourced[FieldValue]) -> None:
    path, (question, form) = f"disclosure.{name}", _DETAILS[name]
    answer = case.answers.get(path)
    said = as_text(answer.value) if answer is not None else None
    if answer is not None and ((answer.value is not None and (said is None or not applies)) or not _is_form(name, said)):
        refuse(sheet, answer, (form,) if applies else ("null",), question)
    elif answer is not None and said is not None:
        sheet.settle(path, said, Basis.ANSWER, (answer.id,))
    elif applies and name == "placeholder":
        sheet.ask(path, Reason.NO_EVIDENCE, question, accepts=(form,))
    else:
        sheet.settle(path, None, state.basis, state.evidence)


def _is_form(name: str, said: str | None) -> bool:
    return said is None or name != "not-before" or disclosure.is_timestamp(said)


def _is_given(sheet: Sheet, name: str) -> bool:
    given = sheet.values.get(f"disclosure.{name}")
    return given is not None and given.value is not None
