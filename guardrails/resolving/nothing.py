"""Nothing to draft: a question about the selection, never a made-up record (Intent Changesets 4, 11.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Form
from guardrails.drafts.questions import SELECTION, Reason, Unresolved
from guardrails.evidence.model import Note
from guardrails.resolving.resolved import Resolved

_CUT_OFF: Final = "shallow"
"""What collecting notes where the history that was named is not there."""


def nothing(
    coverage: Mapping[str, str], *, withheld: bool, notes: Iterable[Note] = (), form: Form = CHANGESET, unit: str = ""
) -> Resolved:
    """What is resolved where no commit and no change takes part: which changes are meant, or who may see them.

    Where `notes` say that history is cut off, the question tells how to get it. `unit` is the one that was asked for, if any.
    """
    cut_off = None if coverage else next((note for note in notes if note.code == _CUT_OFF), None)
    if withheld:
        question = "All that was selected is withheld by disclosure. Who may draft it inside the boundary?"
        reason = Reason.WITHHELD
    else:
        none = f"Nothing that was selected touches {unit}" if unit else "Nothing that was selected changes anything"
        told = f"{cut_off.where}: {cut_off.message}" if cut_off else none
        question = f"{told}. Which changes are meant?"
        reason = Reason.NOTHING_TO_DESCRIBE
    open_question = Unresolved(SELECTION, reason, question, accepts=("<range or revision>",), evidence=tuple(coverage))
    return Resolved({}, {}, (), (open_question,), (), coverage, form)
