"""What the extractive drafter picks for a changeset: summary, rationale, migration (Intent Changesets 6.4 to 6.6).

Summary: the statement of what leads. Rationale: at most three sentences that give a reason, out of one text. Migration: a
`Migration` trailer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from agent.model.extractive.leading import EVERYDAY, Told, told
from agent.model.extractive.reasons import reasons, usable
from agent.model.extractive.shown import Shown, number
from guardrails.drafts.sourced import Sentence
from guardrails.grounding.guidance import is_actionable
from guardrails.records.plain_commit import read_any
from guardrails.wording.words import stems

Pick = Callable[[Told | None, Shown, frozenset[str]], tuple[Sentence, ...]]


def _summary(lead: Told | None, _shown: Shown, _sources: frozenset[str]) -> tuple[Sentence, ...]:
    return (Sentence(lead.statement, (lead.id,)),) if lead is not None else ()


def _rationale(lead: Told | None, shown: Shown, sources: frozenset[str]) -> tuple[Sentence, ...]:
    """Reasons out of the text that leads, else out of the first that gives any.

    A title leads a whole request, so the commit of it that shares words with the title may give its reason. Where one commit
    leads, the reasons of the others are reasons of something else. Where nothing leads, the reasons of one commit among several
    are not those of the whole.
    """
    answered = next((answer.value for answer in shown.bundle.answers if answer.path == "summary"), None)
    summary = answered if isinstance(answered, str) else ""
    texts = sorted(told(shown, sources), key=lambda one: lead is None or one.id != lead.id)
    if lead is not None:
        summary = summary or lead.statement
        texts = [one for one in texts if one.id == lead.id or one.message is None or lead.leads(one)]
    giving = [(one, said) for one in texts if (said := reasons(one.body, summary or one.statement))]
    found = [(one.id, said) for one, said in giving if lead is None or belongs(one, said, lead)]
    if not found or (lead is None and (len(found) > 1 or len(shown.commits) > 1)):
        return ()
    source, said = found[0]
    return tuple(Sentence(text, (source,)) for text in said)


def belongs(one: Told, said: tuple[str, ...], lead: Told) -> bool:
    """Whether a reason is one of the decision: it is told by what leads or by a document, or shares telling words with it."""
    telling = stems(" ".join((one.statement, *said))) & stems(lead.statement)
    return one.id == lead.id or one.message is None or not telling <= EVERYDAY


def _migration(_lead: Told | None, shown: Shown, sources: frozenset[str]) -> tuple[Sentence, ...]:
    """The one guidance that `Migration` trailers give for the change as a whole."""
    given: dict[str, list[str]] = {}
    for commit in (shown.commits[item] for item in sorted(sources & shown.commits.keys(), key=number)):
        for value in read_any(commit.message).message.values("Migration"):
            if usable(value) and is_actionable(value):
                given.setdefault(" ".join(value.split()), []).append(commit.id)
    return tuple(Sentence(text, tuple(ids)) for text, ids in given.items()) if len(given) == 1 else ()


PICKS: Final[Mapping[str, Pick]] = {"summary": _summary, "rationale": _rationale, "migration": _migration}
"""By the last component of the asked field."""
