"""A changeset that rests on reverts does not tell what was taken back as if it were new (Intent Changesets 11.3)."""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.drafts.draft import Draft
from guardrails.findings import Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes.reverts import REVERTED_IN_EFFECT, TakenBack, is_in_effect, taken_back


def check(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Each sentence of the summary of which every commit that it cites takes something back."""
    bundle = citable.bundle
    known = {commit.oid: commit for commit in (*bundle.commits, *bundle.referenced)}
    undone = {commit.id: taken_back(commit.message, known) for commit in bundle.commits}
    if not any(undone.values()):
        return
    for sentence in draft.prose["summary"].sentences if "summary" in draft.prose else ():
        cited = [undone[item_id] for item_id in sentence.evidence if item_id in undone]
        backwards = [one for one in cited if isinstance(one, TakenBack)]
        if len(backwards) == len(cited) and any(is_in_effect(sentence.text, one) for one in backwards):
            yield REVERTED_IN_EFFECT.at("summary", "got what was taken back", evidence=sentence.evidence)
