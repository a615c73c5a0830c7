"""Tasks: what a drafter can be asked for, and the stages of the road that differ between them (Intent Changesets 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails.drafts import changeset, pull_request
from guardrails.drafts.draft import Draft, Form
from guardrails.drafts.envelope_form import EnvelopeForm
from guardrails.drafts.reply import ProseReply
from guardrails.findings import Finding
from guardrails.grounding.changesets.postvalidator import postvalidate
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import postvalidator as envelopes
from guardrails.grounding.pull_requests import postvalidator as requests
from guardrails.grounding.releases import postvalidator as releases
from guardrails.records.profile import Profile
from guardrails.redaction.redact import Guard, RedactedEvidence
from guardrails.resolving.changesets import resolve as changesets
from guardrails.resolving.envelopes.assembling import assemble
from guardrails.resolving.envelopes.describing import describe
from guardrails.resolving.pull_requests import resolve as pull_requests
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


def _under_profile(
    resolve: Callable[[RedactedEvidence, Profile, Rules], Resolved],
) -> Callable[[RedactedEvidence, Profile | None, Rules], Resolved]:
    """What resolves a record that is nothing without a Project Profile; whoever gathers for it sees to it that there is one."""

    def resolved(evidence: RedactedEvidence, profile: Profile | None, rules: Rules) -> Resolved:
        if profile is None:
            raise ValueError("the record is resolved under a Project Profile")
        return resolve(evidence, profile, rules)

    return resolved


def _join(_evidence: RedactedEvidence, resolved: Resolved, reply: ProseReply | None) -> Draft:
    return resolved.drafted(reply)


CHANGESET: Final = Task(
    name="changeset",
    version="2",
    prompt=("shared", "changeset"),
    form=changeset.CHANGESET,
    resolve=_under_profile(changesets.resolve),
    assemble=_join,
    rules=postvalidate,
)
PULL_REQUEST: Final = Task(
    name="pull-request",
    version="1",
    prompt=("shared", "pull-request"),
    form=pull_request.PULL_REQUEST,
    resolve=_under_profile(pull_requests.resolve),
    assemble=_join,
    rules=requests.postvalidate,
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
