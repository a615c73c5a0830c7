"""What the extractive drafter says of a change, and the page that comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from agent.model.client import Prompt
from agent.model.extractive.drafter import Extractive
from guardrails.drafts import reply as replies
from guardrails.drafts.page import Line, page
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.model import Bundle, Commit, Document
from guardrails.evidence.references import Catalogue
from guardrails.resolving.resolved import ProseRequest
from tests.agent.model.diffs import ids
from tests.guardrails.resolving.building import bundle
from tests.redacting import redacted

FIELDS = ("title", "short_md", "medium_md", "detail_md")
Told = dict[str, tuple[Sentence, ...]]


def shown(*commits: Commit, documents: Iterable[Document] = (), referenced: Iterable[Commit] = ()) -> Bundle:
    """A bundle of commits, and of what belongs to them."""
    return bundle(*commits, documents=tuple(documents), referenced=tuple(referenced))


def told(evidence: Bundle, sources: Iterable[str] | None = None, fields: Iterable[str] = FIELDS) -> Told:
    """The sentences for each field of one change, () for null; by default it may rest on everything."""
    every = (*ids((*evidence.commits, *evidence.referenced)), *(document.id for document in evidence.documents))
    may_cite = every if sources is None else tuple(sources)
    requests = tuple(ProseRequest(f"change.{name}", may_cite) for name in fields)
    prompt = Prompt("envelope", "", "", "", "", "", requests, redacted(evidence), "")
    reply = replies.parse(asyncio.run(Extractive().draft(prompt)).text)
    assert isinstance(reply, replies.ProseReply), reply
    return {
        answer.field.removeprefix("change."): tuple(
            Sentence(one.text, one.evidence, one.heading) for one in answer.sentences or ()
        )
        for answer in reply.fields
    }


def text(said: tuple[Sentence, ...]) -> str | None:
    """A field as one text; None for null."""
    return " ".join(sentence.text for sentence in said) or None


def page_of(evidence: Bundle, said: tuple[Sentence, ...]) -> str:
    """The page of detail with the places that its sentences cite."""
    catalogue = Catalogue.of(evidence)
    return page(
        Line(one.heading, one.text, tuple(dict.fromkeys(place.place() for place in catalogue.references(one.evidence))))
        for one in said
        if one.heading is not None
    )


def whole(evidence: Bundle) -> str:
    """All four fields as a golden file has them."""
    said = told(evidence)
    lines = (f"{name}: {text(said[name]) or 'null'}" for name in FIELDS[:-1])
    return "\n".join((*lines, "", page_of(evidence, said["detail_md"]))) + "\n"
