"""Nothing to draft: a question about the selection, never a made-up record (Intent Changesets 4, 11.6)."""

from __future__ import annotations

from collections.abc import Mapping

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Form
from guardrails.drafts.questions import SELECTION, Reason, Unresolved
from guardrails.resolving.resolved import Resolved


def nothing(coverage: Mapping[str, str], *, withheld: bool, form: Form = CHANGESET) -> Resolved:
    """What is resolved where no commit and no change takes part: which changes are meant, or who may see them."""
    if withheld:
        question = "All that was selected is withheld by disclosure. Who may draft it inside the boundary?"
        reason = Reason.WITHHELD
    else:
        question = "Nothing that was selected changes a release. Which changes are meant?"
        reason = Reason.NOTHING_TO_DESCRIBE
    open_question = Unresolved(SELECTION, reason, question, accepts=("<range or revision>",), evidence=tuple(coverage))
    return Resolved({}, {}, (), (open_question,), (), coverage, form)
