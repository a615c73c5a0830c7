"""What the extractive drafter picks for a request beside what it picks for a changeset (Intent Pull Requests 1.0.0).

The title in the words of what leads. The approach as a text tells it, else what the diff shows. The rest only as somebody wrote
it under a heading or label of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Final

from agent.model.extractive.deciding import Pick
from agent.model.extractive.leading import Told
from agent.model.extractive.reasons import usable
from agent.model.extractive.shown import Shown, number
from agent.model.extractive.walk import walk
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.code_spans import code
from guardrails.records.citing import without_citations
from guardrails.records.plain_commit import read_any
from guardrails.resolving.pull_requests.sections import section

_MOST: Final = 6
"""So many sentences say how a request is made, or what can go wrong with it."""


def _description(lead: Told | None, shown: Shown, _sources: frozenset[str]) -> tuple[Sentence, ...]:
    """What leads, in its own words behind type and scope."""
    if lead is None:
        return ()
    own = shown.documents[lead.id].title if lead.id in shown.documents else ""
    message = read_any(own) if own else lead.message
    said = message.message.description if message is not None and (own or not lead.is_title) else lead.statement
    return (Sentence(without_citations(said).rstrip(".") or lead.statement, (lead.id,)),)


def _approach(_lead: Told | None, shown: Shown, sources: frozenset[str]) -> tuple[Sentence, ...]:
    said = _section("approach", shown, sources)
    walked = () if said else walk(shown.files(sources), sources)[:_MOST]
    return said or tuple(_placed(path, tuple(some)) for path, some in groupby(walked, lambda one: _path(one, shown)))


def _path(said: Sentence, shown: Shown) -> str:
    """The file that a sentence is about; "" for one on several files, which names them itself."""
    paths = {shown.owners[item].path for item in said.evidence if item in shown.owners}
    return paths.pop() if len(paths) == 1 else ""


def _placed(path: str, said: tuple[Sentence, ...]) -> Sentence:
    """What the diff shows of one file as one sentence behind its path."""
    text = "; ".join(one.text.rstrip(".") for one in said)
    evidence = tuple(dict.fromkeys(item for one in said for item in one.evidence))
    return Sentence(f"{code(path)}: {text}." if path else f"{text[:1].upper()}{text[1:]}.", evidence)


def _named(name: str) -> Pick:
    def pick(_lead: Told | None, shown: Shown, sources: frozenset[str]) -> tuple[Sentence, ...]:
        return _section(name, shown, sources)

    return pick


def _section(name: str, shown: Shown, sources: frozenset[str]) -> tuple[Sentence, ...]:
    """The sentences of the first text that has a section of that name, documents first."""
    texts = {item: document.body for item, document in shown.documents.items()}
    texts |= {item: read_any(commit.message).message.body for item, commit in shown.commits.items()}
    for item in sorted(sources & texts.keys(), key=lambda item: (item in shown.commits, item[:1], number(item))):
        found = section(texts[item], name)
        said = [text for text in found.sentences if usable(text)] if found is not None else []
        if said:
            return tuple(Sentence(text, (item,)) for text in said[:_MOST])
    return ()


PICKS: Final[Mapping[str, Pick]] = {
    "description": _description,
    "approach": _approach,
    **{name: _named(name) for name in ("trade-offs", "risks", "rollout", "rollback")},
}
"""By the last component of the asked field."""
