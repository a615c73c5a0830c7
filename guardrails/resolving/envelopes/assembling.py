"""Putting an envelope's draft together: what is resolved, what a drafter wrote, and what follows from both (Describe Changes).

Refs are the places that the detail cites, as the catalogue has them; guidance that is settled stands on the page under its
heading; the summary of an itemized envelope is counted out of its items.
"""

from __future__ import annotations

from dataclasses import replace

from guardrails.drafts import summing
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import CHANGE, MIGRATION, EnvelopeForm, changes
from guardrails.drafts.page import Heading
from guardrails.drafts.reply import ProseReply
from guardrails.drafts.sourced import Basis, FieldValue, Prose, Sentence, Sourced
from guardrails.evidence.model import Bundle, DocumentKind
from guardrails.evidence.references import Catalogue
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.answers import is_of_contract
from guardrails.resolving.resolved import Resolved


def assemble(evidence: RedactedEvidence, resolved: Resolved, reply: ProseReply | None) -> Draft:
    """The whole draft of an envelope; fields that nobody gave words for are left out of it."""
    catalogue = Catalogue.of(evidence.bundle)
    draft = resolved.drafted(reply)
    values, prose = dict(draft.values), dict(draft.prose)
    for path in changes(draft):
        _place(path, catalogue, values, prose)
        _guide(path, prose)
    _tell_open(prose)
    draft = replace(draft, values=values, prose=prose)
    return replace(draft, prose={**_summary(draft, evidence.bundle), **prose})


def _place(path: str, catalogue: Catalogue, values: dict[str, Sourced[FieldValue]], prose: dict[str, Prose]) -> None:
    """Give the detail of one change its places and the change its refs; without a diff what was not said is null."""
    detail = prose.get(f"{path}.detail_md")
    if detail is None:
        without_diff = f"{path}.detail_md" in values
        if without_diff and f"{path}.medium_md" not in prose:
            values.setdefault(f"{path}.medium_md", Sourced(None, Basis.RULE))
        return
    if detail.basis is Basis.ANSWER:
        return  # resolving has its refs
    prose[f"{path}.detail_md"] = replace(detail, sentences=tuple(_placed(one, catalogue) for one in detail.sentences))
    cited = (item for sentence in detail.sentences for item in sentence.evidence)
    places = tuple(item for item in dict.fromkeys(cited) if catalogue.reference(item) is not None)
    values[f"{path}.refs"] = Sourced(catalogue.references(places), Basis.EVIDENCE, places)


def _guide(path: str, prose: dict[str, Prose]) -> None:
    """Put what is settled about migration where readers find it: on the page, or without one into the paragraph."""
    told, page, medium = prose.get(f"{path}.{MIGRATION}"), prose.get(f"{path}.detail_md"), prose.get(f"{path}.medium_md")
    if told is not None and page is not None:
        guidance = tuple(replace(one, heading=Heading.MIGRATION) for one in told.sentences)
        written = f"{page.written}\n\n{Prose(guidance, told.basis).text}" if page.written else ""
        prose[f"{path}.detail_md"] = replace(page, sentences=(*page.sentences, *guidance), written=written)
    elif told is not None and medium is not None:
        prose[f"{path}.medium_md"] = replace(medium, sentences=(*medium.sentences, *told.sentences))


def _tell_open(prose: dict[str, Prose]) -> None:
    """Put what a person tells of results of a change contract on the page of the one change that they are about."""
    page = prose.get(f"{CHANGE}.detail_md")
    told = (text for path, text in prose.items() if is_of_contract(path))
    open_ = tuple(replace(one, heading=Heading.OPEN) for text in told for one in text.sentences)
    if page is not None and open_:
        written = "\n\n".join((page.written, *(one.text for one in open_))) if page.written else ""
        prose[f"{CHANGE}.detail_md"] = replace(page, sentences=(*page.sentences, *open_), written=written)


def _placed(sentence: Sentence, catalogue: Catalogue) -> Sentence:
    places = tuple(dict.fromkeys(place.place() for place in catalogue.references(sentence.evidence)))
    return replace(sentence, places=places)


def _summary(draft: Draft, bundle: Bundle) -> dict[str, Prose]:
    """The summary of an itemized envelope, once each item has its kind and its title; {} before, and for a single change."""
    if not isinstance(draft.form, EnvelopeForm) or not draft.form.keys:
        return {}
    items = [item for path in changes(draft) if (item := _item(path, draft)) is not None]
    if len(items) < len(draft.form.keys):
        return {}
    request = next((one for one in bundle.documents if one.kind is DocumentKind.PULL_REQUEST), None)
    told = {
        "title": (summing.title(bundle.operation, bundle.selection.spec, request, items),),
        "short_md": (summing.short(items),),
        "medium_md": summing.medium(items),
    }
    return {f"summary.{name}": Prose(sentences, Basis.RULE) for name, sentences in told.items()}


def _item(path: str, draft: Draft) -> summing.Item | None:
    kind, title = draft.get(f"{path}.kind"), draft.prose.get(f"{path}.title")
    if not isinstance(kind, str) or title is None:
        return None
    short = draft.prose.get(f"{path}.short_md")
    return summing.Item(kind, _one(title), None if short is None else _one(short))


def _one(text: Prose) -> Sentence:
    return Sentence(text.text, text.evidence)
