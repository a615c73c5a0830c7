"""Whether the words of a text are the evidence's own or a drafter's (Intent Changesets 11.4)."""

from __future__ import annotations

from dataclasses import replace

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, Prose
from guardrails.grounding.citable import Citable


def marked(draft: Draft, citable: Citable) -> Draft:
    """The draft with each drafter's text that stands word for word in what it cites marked as `evidence`, not `synthesis`."""
    return replace(draft, prose={path: _marked(text, citable) for path, text in draft.prose.items()})


def _marked(text: Prose, citable: Citable) -> Prose:
    is_copy = text.basis is Basis.SYNTHESIS and all(
        citable.copies(sentence.text, sentence.evidence) for sentence in text.sentences
    )
    return replace(text, basis=Basis.EVIDENCE) if is_copy else text
