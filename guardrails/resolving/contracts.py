"""What a change contract says against a change: told or accepted by a person, never passed over (Change Contracts: results).

Each result that is not PASS is asked at `contract[KEY]`, where KEY stays as long as the result says the same. The answer is
`accepted`, or words that tell it, which an envelope puts on its page; where several items stand open, a list has one for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from guardrails.digests import digest_of
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence.model import Answer, Bundle, ContractResult
from guardrails.findings import Code, Severity
from guardrails.resolving.answers import as_texts, is_of_contract, refuse, refuse_path
from guardrails.resolving.sheet import Sheet, unique


def _code(name: str, summary: str) -> Code:
    cure = "Mend the change or its contract and verify again; else answer `accepted`, or with words that tell it."
    return Code(name=name, summary=summary, cure=cure, section="Change Contracts, results", contradicts=True)


CONTRACT_DRIFT = _code("contract-drift", "The change does what its contract does not allow.")
CONTRACT_INCOMPLETE = _code("contract-incomplete", "The change lacks what its contract promises.")
CONTRACT_UNKNOWN = _code("contract-unknown", "Nobody can tell whether the change keeps to its contract.")

ACCEPTED: Final = "accepted"
_MOST_DETAILS: Final = 3
_ACCEPTS: Final = (ACCEPTED, "<words that tell it>")
_OF_SEVERAL: Final = "<a list of these, one for each item>"
_QUESTION: Final = "The change contract does not hold here. Is that accepted, or what is to be told of it?"
_CODES: Final[Mapping[str, Code]] = {
    "DRIFT": CONTRACT_DRIFT,
    "INCOMPLETE": CONTRACT_INCOMPLETE,
    "UNKNOWN": CONTRACT_UNKNOWN,
}


def resolve_contracts(bundle: Bundle, answers: Mapping[str, Answer], sheet: Sheet) -> None:
    """Ask of every result that contradicts the change, and take what a person answered; an answer to none is refused."""
    asked = {path(one): one for one in _contradicting(bundle)}
    for where, one in asked.items():
        answer = answers.get(where)
        said = as_texts(answer.value) if answer is not None else None
        if answer is not None and not said:
            refuse(sheet, answer, _accepts(one), _QUESTION)
            continue
        message = _message(one)
        for code in _codes(one):
            if answer is None:
                sheet.contradict(code, where, message, question=_QUESTION, accepts=_accepts(one), evidence=(one.id,))
            else:
                evidence = (one.id, answer.id)
                sheet.warnings.append(code.at(where, message, evidence=evidence, severity=Severity.WARNING))
        told = unique(" ".join(text.split()) for text in said or () if text != ACCEPTED)
        if answer is not None and told:
            sheet.prose[where] = Prose(tuple(Sentence(text, (answer.id, one.id)) for text in told), Basis.ANSWER)
    for answer in answers.values():
        if is_of_contract(answer.path) and answer.path not in asked:
            refuse_path(sheet, answer, tuple(asked))


def path(one: ContractResult) -> str:
    """Where a result is answered: the key is made of what it says, so that no answer is taken for another result."""
    return f"contract[{digest_of([one.contract, one.title, one.body]).removeprefix('sha256:')[:12]}]"


def _contradicting(bundle: Bundle) -> Iterator[ContractResult]:
    """The results that are not PASS; a verdict itself where none of its results may be told."""
    told = {one.result for one in bundle.contracts if not one.is_verdict}
    for one in bundle.contracts:
        if not one.is_kept and (not one.is_verdict or one.result not in told):
            yield one


def _accepts(one: ContractResult) -> tuple[str, ...]:
    """What answers it; the first line of a body is its message, the others are items."""
    return (*_ACCEPTS, _OF_SEVERAL) if one.body.count("\n") > 1 else _ACCEPTS


def _message(one: ContractResult) -> str:
    """What it says in one line, with the first of its details."""
    said, *details = one.body.split("\n")
    shown = "; ".join(detail.removeprefix("- ") for detail in details[:_MOST_DETAILS])
    more = " and more" if len(details) > _MOST_DETAILS else ""
    return f"{one.title}: {said}" + (f" ({shown}{more})" if shown else "")


def _codes(one: ContractResult) -> tuple[Code, ...]:
    return tuple(_CODES[status] for status in one.status)
