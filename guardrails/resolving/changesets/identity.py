"""Which decision this is: `id` and `source-repository` (Intent Changesets 6.3, 6.6, 7).

An identifier is never made up: it stands in a Changeset trailer or a person gives it; a slug is only a suggestion.
"""

from __future__ import annotations

import re

from guardrails.drafts.questions import Reason, Suggestion
from guardrails.drafts.sourced import Basis
from guardrails.findings import Code
from guardrails.records.citing import without_citations
from guardrails.records.fields import is_id
from guardrails.records.profile import Profile
from guardrails.resolving.answers import ANSWER_CONFLICT, as_text, refuse
from guardrails.resolving.sheet import Sheet, grouped
from guardrails.resolving.trailers import Case

ID_TAKEN = Code(
    name="answered-id-taken",
    summary="The answered id belongs to a changeset that exists already, and no selected commit links it.",
    cure="Choose another id; an identifier is never used again.",
    section="Intent Changesets 6.3",
)
LINKED_ID = Code(
    name="linked-id-not-accepted",
    summary="A Changeset trailer has a value that cannot be a changeset id under the profile.",
    cure="Correct the trailer, or the profile's id-pattern.",
    section="Intent Changesets 6.3",
)

_QUESTION = "What is the id of this changeset?"
_WORD = re.compile(r"[a-z0-9]+")
_SLUG_LENGTH = 50
_SUBJECT_LENGTH = 400


def accepts_id(profile: Profile) -> tuple[str, ...]:
    """The format of an id in words."""
    pattern = profile.changesets.id_pattern
    return ("<lower-case letters, digits and hyphens" + (f", matching {pattern}>" if pattern else ">"),)


def is_accepted(word: str, profile: Profile) -> bool:
    """Whether a word is a changeset id under the profile."""
    return is_id(word) and profile.accepts_id(word)


def resolve_id(case: Case, sheet: Sheet) -> bool:
    """Settle or ask `id`. False when several decisions are linked and none is chosen: then nothing else can be resolved."""
    links = grouped((word, (view.id,)) for view in case.views for word in view.changesets)
    answer = case.answers.get("id")
    chosen = as_text(answer.value) if answer is not None else None
    form = accepts_id(case.profile)
    if answer is not None and (chosen is None or not is_accepted(chosen, case.profile)):
        refuse(sheet, answer, tuple(links) or form, _QUESTION)
        return len(links) < 2
    if answer is not None and chosen is not None:
        _take_answer(case, sheet, chosen, links)
        return True
    if len(links) > 1:
        sheet.ask(
            "id",
            Reason.AMBIGUOUS,
            f"The selected commits link {len(links)} changesets. Which one is to be drafted?",
            accepts=tuple(links),
            suggestions=(Suggestion(word, sides) for word, sides in links.items()),
            evidence=(side for sides in links.values() for side in sides),
        )
        return False
    for word, sides in links.items():
        if is_accepted(word, case.profile):
            sheet.settle("id", word, Basis.TRAILER, sides)
        else:
            message = f"the Changeset trailer is no accepted id, expected {form[0]}"
            sheet.contradict(LINKED_ID, "id", message, question=_QUESTION, accepts=form, evidence=sides, reason=Reason.POLICY)
    if not links:
        sheet.ask("id", Reason.NO_EVIDENCE, _QUESTION, accepts=form, suggestions=_suggested(case))
    return True


def _take_answer(case: Case, sheet: Sheet, chosen: str, links: dict[str, tuple[str, ...]]) -> None:
    """An answered id stands when commits link it, or when none links any and it is free."""
    answer = case.answers["id"]
    if chosen in links:
        sheet.settle("id", chosen, Basis.ANSWER, (answer.id, *links[chosen]))
    elif links:
        sides = (answer.id, *(side for group in links.values() for side in group))
        message = f"{answer.id} says {chosen}, the commits link {', '.join(links)}"
        sheet.contradict(ANSWER_CONFLICT, "id", message, question=_QUESTION, accepts=tuple(links), evidence=sides)
    elif taken := [existing.item for existing in case.records_of(chosen)]:
        message = f"{chosen} is the id of {', '.join(taken)} already"
        form = accepts_id(case.profile)
        sheet.contradict(
            ID_TAKEN, "id", message, question=_QUESTION, accepts=form, evidence=(answer.id, *taken), reason=Reason.POLICY
        )
    else:
        sheet.settle("id", chosen, Basis.ANSWER, (answer.id,))


def resolve_repository(case: Case, sheet: Sheet) -> None:
    """Settle `source-repository`: the profile's, whatever else is said."""
    answer = case.answers.get("source-repository")
    if answer is not None and answer.value != case.profile.repository:
        refuse(sheet, answer, (case.profile.repository,), "The repository is the one of the profile. Is it another project?")
    else:
        sheet.settle("source-repository", case.profile.repository, Basis.PROFILE)


def slug_of(case: Case) -> Suggestion | None:
    """A slug of the words that name all that was selected; None where nothing does."""
    named = [(view.title, view.id) for view in case.merges if view.title]
    if not named and len(case.views) == 1:
        named = [(view.message.description, view.id) for view in case.views]
    if len(named) != 1:
        return None
    (text, source), *_ = named
    slug = _slug(without_citations(text[:_SUBJECT_LENGTH]))
    return Suggestion(slug, (source,)) if slug else None


def _suggested(case: Case) -> tuple[Suggestion, ...]:
    """The slug, when the profile accepts it and it is free."""
    slug = slug_of(case)
    is_free = slug is not None and is_accepted(str(slug.value), case.profile) and not case.records_of(slug.value)
    return (slug,) if slug is not None and is_free else ()


def _slug(text: str) -> str:
    """The first words of a text; "" for one in other letters than an id has, of which a slug would keep too little."""
    if any(character.isalpha() and not character.isascii() for character in text):
        return ""
    slug = ""
    for word in _WORD.findall(text.lower()):
        longer = f"{slug}-{word}" if slug else word
        if len(longer) > _SLUG_LENGTH:
            break
        slug = longer
    return slug
