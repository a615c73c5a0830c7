"""Migration guidance of each target: what trailers and people say, else null below major (Intent Changesets 6.6, 7)."""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import Answer
from guardrails.findings import Code
from guardrails.records.commit import migration_for
from guardrails.records.linking import MIGRATION_CONFLICT
from guardrails.resolving.answers import ANSWER_CONFLICT, as_text, refuse
from guardrails.resolving.changesets.targets import Target
from guardrails.resolving.sheet import Sheet, grouped, unique
from guardrails.resolving.trailers import Case

_GUIDANCE = ("<what the users of this release unit have to do>",)
_GUIDANCE_OR_NULL = ("<what the users of this release unit have to do, or null below major>",)
_STEMS = ("migrat", "upgrad")


def resolve_migration(case: Case, sheet: Sheet, target: Target) -> None:
    """Settle, write, request or ask `migration`. While the impact is open it is asked too: null is an answer below major."""
    path = target.path("migration")
    said = _said(target)
    impact = sheet.values.get(target.path("impact"))
    answer = case.answers.get(path)
    if answer is not None:
        _take_answer(sheet, target, answer, said, impact.value if impact else None)
    elif len(said) > 1 or (said and any(one.migration is None for one in target.decided)):
        sides = unique((*(one.item for one in target.decided), *(item for ids in said.values() for item in ids)))
        message = f"{', '.join(sides)} give different guidance"
        _contradict(sheet, target, MIGRATION_CONFLICT, message, said=said, sides=sides)
    elif said:
        (text, ids), *_ = said.items()
        sheet.write(path, text, Basis.EVIDENCE if target.decided else Basis.TRAILER, ids)
    elif impact is not None and impact.value != "major":
        sheet.settle(path, None, Basis.EVIDENCE, target.evidence)
    elif impact is not None:
        _ask(case, sheet, target)
    else:
        question = f"What do users of {target.name} have to do to migrate, if the impact is major?"
        sheet.ask(path, Reason.NO_EVIDENCE, question, accepts=_GUIDANCE_OR_NULL, evidence=target.evidence)


def _said(target: Target) -> dict[str, tuple[str, ...]]:
    """The guidances that decisions and commits give, white space folded, with the items of each."""
    guidances = [(one.migration, one.item) for one in target.decided]
    guidances += [(migration_for(view.message, target.unit, target.stream), view.id) for view in target.views]
    folded = ((" ".join((text or "").split()), item) for text, item in guidances)
    return grouped((text, (item,)) for text, item in folded if text)


def _take_answer(sheet: Sheet, target: Target, answer: Answer, said: dict[str, tuple[str, ...]], impact: object) -> None:
    path, text = target.path("migration"), as_text(answer.value)
    folded = " ".join((text or "").split())
    if (text is None and answer.value is not None) or (text is None and impact == "major"):
        refuse(sheet, answer, _GUIDANCE, _question(target))
    elif said and folded not in said:
        sides = (answer.id, *(item for ids in said.values() for item in ids))
        message = f"{answer.id} gives other guidance than {', '.join(sides[1:])}"
        _contradict(sheet, target, ANSWER_CONFLICT, message, said=said, sides=sides)
    elif text is None:
        sheet.settle(path, None, Basis.ANSWER, (answer.id,))
    else:
        sheet.write(path, text, Basis.ANSWER, (answer.id, *said.get(folded, ())))


def _contradict(
    sheet: Sheet, target: Target, code: Code, message: str, *, said: dict[str, tuple[str, ...]], sides: tuple[str, ...]
) -> None:
    sheet.contradict(
        code,
        target.path("migration"),
        message,
        question=_question(target),
        accepts=_GUIDANCE,
        suggestions=(Suggestion(text, ids) for text, ids in said.items()),
        evidence=sides,
    )


def _ask(case: Case, sheet: Sheet, target: Target) -> None:
    """A drafter may word guidance that the evidence holds; what it does not hold, a person says."""
    sources = tuple(_sources(case, target))
    if sources:
        sheet.request(target.path("migration"), sources, _question(target))
    else:
        sheet.ask(target.path("migration"), Reason.NO_EVIDENCE, _question(target), accepts=_GUIDANCE, evidence=target.evidence)


def _sources(case: Case, target: Target) -> Iterator[str]:
    """Commits and documents whose text speaks of what to do: a breaking note, or words of migrating and upgrading."""
    for view in target.views:
        if any(view.said.breaking_notes) or _speaks(view.message.body):
            yield view.id
    yield from (document.id for document in case.bundle.documents if _speaks(document.body))


def _speaks(text: str) -> bool:
    folded = text.casefold()
    return any(stem in folded for stem in _STEMS)


def _question(target: Target) -> str:
    return f"What do users of {target.name} have to do to migrate?"
