"""Our own envelopes as their consumers judge them, before anybody gets to see one (Describe Changes: validation)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from guardrails.drafts import envelope, register
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import EnvelopeForm, changes
from guardrails.drafts.envelope_rules import DETAIL_WITHOUT_REFS, validate
from guardrails.drafts.sourced import Basis
from guardrails.findings import Finding

_RULES: Final[Mapping[str, Callable[[str, str], Iterator[Finding]]]] = {
    "title": register.title,
    "short_md": register.short,
    "medium_md": register.medium,
    "detail_md": register.detail,
}


def check(draft: Draft) -> Iterator[Finding]:
    """What its consumers would reject in a draft of our own.

    Of one that is not whole yet each text that is there is judged, so that it can be written anew. What somebody else gave was
    judged when it was read.
    """
    own = {path: text for path, text in draft.prose.items() if text.basis is not Basis.GIVEN}
    if not own or not isinstance(draft.form, EnvelopeForm):
        return
    told = envelope.of(draft.record())
    if not isinstance(told, tuple):
        yield from validate(told, draft.form.keys)
        return
    for path, text in own.items():
        if (rule := _RULES.get(path.rpartition(".")[2])) is not None:
            yield from rule(path, text.text)
    for path in changes(draft):
        if f"{path}.detail_md" in own and draft.get(f"{path}.refs") == ():
            yield DETAIL_WITHOUT_REFS.at(f"{path}.detail_md", "got no references, expected the places that the page tells of")
