"""The texts of a request: reviewed words, a person's words, or a drafter's task (Intent Pull Requests 1.0.0).

Approach is what messages and the diff tell. What was weighed, what can go wrong, how it is rolled out and taken back only
people say: where no text speaks of it, the record has nothing, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.drafts.pull_request import PULL_REQUEST
from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.evidence.model import Answer
from guardrails.resolving.answers import as_text, as_texts, refuse
from guardrails.resolving.changesets.prose import RATIONALE, SUMMARY, changes, code_changes, naming, resolve_text, telling
from guardrails.resolving.pull_requests.linked import Linked, wording
from guardrails.resolving.pull_requests.sections import mentions, section
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case

TEXTS: Final = ("approach", "trade-offs", "risks", "rollout", "rollback")
_EMPTY: Final[dict[str, FieldValue]] = {"approach": "", "trade-offs": "", "risks": (), "rollout": None, "rollback": None}
_NEEDED: Final = frozenset(("approach", "trade-offs"))
"""What must say something as soon as the request is no draft any more."""


def resolve_prose(case: Case, sheet: Sheet, linked: Linked) -> None:
    """Write, request, settle or ask every text but the title."""
    words = wording(linked.only) if linked.only is not None else {}
    for path, question, sources in (
        ("summary", SUMMARY, (*naming(case), *changes(case))),
        ("rationale", RATIONALE, telling(case)),
    ):
        if path in words and path not in case.answers:
            sheet.prose[path] = words[path]
        else:
            resolve_text(case, sheet, path, question, (*linked.items, *sources))
    state = sheet.values.get("state")
    for name in TEXTS:
        _resolve(case, sheet, name, is_needed=name in _NEEDED and (state is None or state.value != "draft"))


def _resolve(case: Case, sheet: Sheet, name: str, *, is_needed: bool) -> None:
    answer = case.answers.get(name)
    question = PULL_REQUEST.question(name)
    if answer is not None:
        _take_answer(sheet, answer, question, is_needed=is_needed)
        return
    if name == "approach":
        resolve_text(
            case, sheet, name, question, (*telling(case), *code_changes(case), *(one.id for one in case.bundle.contracts))
        )
        return
    texts = tuple(_texts(case))
    sections = {item: found for item, text in texts if (found := section(text, name)) is not None}
    telling_it = tuple(item for item, found in sections.items() if found.sentences)
    near = tuple(item for item, text in texts if item not in sections and mentions(text, name))
    if telling_it:
        sheet.request(name, (*telling_it, *near), question)
    elif is_needed and near:
        sheet.request(name, near, question)
    elif is_needed:
        sheet.ask(name, Reason.NO_EVIDENCE, question, accepts=("<text>",), evidence=case.evidence)
    elif sections or not near:
        sheet.settle(name, _EMPTY[name], Basis.EVIDENCE, tuple(sections) or case.evidence)
    else:
        sheet.request(name, near, question, otherwise=Sourced(_EMPTY[name], Basis.EVIDENCE, near))


def _take_answer(sheet: Sheet, answer: Answer, question: str, *, is_needed: bool) -> None:
    said = as_texts(answer.value) if answer.path == "risks" else (as_text(answer.value),)
    texts = tuple(text for text in said or () if text is not None)
    if texts and len(texts) == len(said or ()):
        sentences = tuple(Sentence(" ".join(text.split()), (answer.id,)) for text in texts)
        sheet.prose[answer.path] = Prose(sentences, Basis.ANSWER)
    elif answer.value in (None, []) and not is_needed:
        sheet.settle(answer.path, _EMPTY[answer.path], Basis.ANSWER, (answer.id,))
    else:
        refuse(sheet, answer, ("<list of texts>" if answer.path == "risks" else "<text>",), question)


def _texts(case: Case) -> Iterator[tuple[str, str]]:
    """What people wrote of the request, by evidence id."""
    yield from ((document.id, document.body) for document in case.bundle.documents)
    yield from ((view.id, view.message.body) for view in (*case.views, *case.merges))
