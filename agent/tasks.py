"""Tasks: what a drafter can be asked for, and the stages of the road that differ between them (Intent Changesets 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails.drafts import changeset
from guardrails.drafts.draft import Draft, Form
from guardrails.drafts.envelope_form import EnvelopeForm
from guardrails.drafts.reply import ProseReply
from guardrails.findings import Finding
from guardrails.grounding.changesets.postvalidator import postvalidate
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import postvalidator as envelopes
from guardrails.grounding.releases import postvalidator as releases
from guardrails.records.profile import Profile
from guardrails.redaction.redact import Guard, RedactedEvidence
from guardrails.resolving.changesets.resolve import resolve
from guardrails.resolving.envelopes.assembling import assemble
from guardrails.resolving.envelopes.describing import describe
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of draft.

    `prompt` names the texts in `prompts`, in the order in which they are put together; `form` is that of a draft of which
    nothing is known yet. `resolve` decides what needs no model, `assemble` joins it with what a drafter wrote, `rules` hold the
    draft against what was shown.
    """

    name: str
    version: str
    prompt: tuple[str, ...]
    form: Form
    resolve: Callable[[RedactedEvidence, Profile | None, Rules], Resolved] = field(repr=False)
    assemble: Callable[[RedactedEvidence, Resolved, ProseReply | None], Draft] = field(repr=False)
    rules: Callable[[Draft, Citable, Resolved, Guard], tuple[Finding, ...]] = field(repr=False)

    @property
    def prompt_name(self) -> str:
        """The texts that a drafter is asked with, as one name."""
        return "+".join(self.prompt)


def _resolve_changeset(evidence: RedactedEvidence, profile: Profile | None, rules: Rules) -> Resolved:
    """What resolving decides of a changeset.

    Raises:
        ValueError: there is no profile; whoever gathers for a changeset sees to it that there is one.
    """
    if profile is None:
        raise ValueError("a changeset is resolved under a Project Profile")
    return resolve(evidence, profile, rules)


def _join(_evidence: RedactedEvidence, resolved: Resolved, reply: ProseReply | None) -> Draft:
    return resolved.drafted(reply)


CHANGESET: Final = Task(
    name="changeset",
    version="2",
    prompt=("shared", "changeset"),
    form=changeset.CHANGESET,
    resolve=_resolve_changeset,
    assemble=_join,
    rules=postvalidate,
)
ENVELOPE: Final = Task(
    name="envelope",
    version="2",
    prompt=("shared", "envelope"),
    form=EnvelopeForm(),
    resolve=describe,
    assemble=assemble,
    rules=envelopes.postvalidate,
)
RELEASE: Final = replace(ENVELOPE, rules=releases.postvalidate)
"""An envelope that is the notes of a release: its readers are told what to do about what breaks."""
