"""The gate by itself: drafts that someone else wrote, held against the same evidence (`evidraft verify`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import prompts
from agent.pipeline.seeing import Seen, Terms
from agent.tasks import CHANGESET, ENVELOPE, PULL_REQUEST, Task
from guardrails.drafts import changeset as changesets
from guardrails.drafts import envelope_form, envelope_rules
from guardrails.drafts import pull_request as requests
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope import Envelope
from guardrails.evidence.model import Evidence
from guardrails.findings import Finding
from guardrails.grounding import echoes, untold
from guardrails.grounding.changesets import matching
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import allowing
from guardrails.grounding.verdict import Rejected, Verdict, decide
from guardrails.records.changeset import Changeset
from guardrails.records.pull_request import PullRequest
from guardrails.redaction.redact import Guard, redact
from guardrails.resolving.resolved import Resolved


def judge(task: Task, draft: Draft, seen: Seen, terms: Terms, also: tuple[Finding, ...] = ()) -> Verdict:
    """Hold a draft that someone else wrote against the same evidence, `also` with findings made before."""
    citable = Citable.of(seen.evidence, terms.profile, terms.rules.trackers)
    return decide(draft, seen.resolved, (*held(task, draft, citable, seen), *also))


def judge_changeset(record: Changeset, seen: Seen, terms: Terms) -> Verdict:
    """Hold a changeset that someone else wrote against the same evidence.

    What rejects it is told at the places of the record; what is asked, at those that answers have.
    """
    own = changesets.given(record, Citable.of(seen.evidence, terms.profile, terms.rules.trackers).whole)
    return _judge_given(CHANGESET, own, seen, terms)


def judge_pull_request(record: PullRequest, seen: Seen, terms: Terms) -> Verdict:
    """Hold a pull-request record that someone else wrote against the same evidence, as `judge_changeset` does.

    That it is a draft is settled only as long as nobody says otherwise; whoever wrote it did.
    """
    values = {path: value for path, value in seen.resolved.values.items() if path != "state" or value.value == record.state}
    own = requests.given(record, Citable.of(seen.evidence, terms.profile, terms.rules.trackers).whole)
    return _judge_given(PULL_REQUEST, own, replace(seen, resolved=replace(seen.resolved, values=values)), terms)


def _judge_given(task: Task, own: Draft, seen: Seen, terms: Terms) -> Verdict:
    """Its targets may stand in another order; what rejects it is told at the places of the record."""
    places = matching.places(own, seen.resolved)
    draft = matching.renumbered(own, places)
    verdict = judge(task, draft, seen, terms, matching.missing(draft, seen.resolved))
    return Rejected(matching.told(verdict.findings, places)) if isinstance(verdict, Rejected) else verdict


def judge_envelope(told: Envelope, evidence: Evidence, terms: Terms, *, client: str) -> Verdict:
    """Hold an envelope that someone else wrote against the evidence: its words by themselves, what was shown, what rules allow.

    Nothing is resolved for it: whatever it says is given, and stands or falls with the evidence.
    """
    redacted = redact(evidence, terms.policy, terms.engine, client=client)
    citable = Citable.of(redacted, terms.profile, terms.rules.trackers)
    draft = envelope_form.given(told, citable.whole)
    resolved = Resolved({}, {}, (), (), (), {}, form=draft.form)
    findings = (
        *envelope_rules.validate(told),
        *ENVELOPE.rules(draft, citable, resolved, redacted.guard),
        *allowing.check(draft, redacted.bundle, terms.rules),
    )
    return decide(draft, resolved, tuple(dict.fromkeys(showable(findings, redacted.guard))))


def held(task: Task, draft: Draft, citable: Citable, seen: Seen) -> tuple[Finding, ...]:
    """The findings of a task's rules on a draft, showable, and without what a refused drafter said."""
    guard = seen.evidence.guard
    echoed = echoes.check(draft, citable, "\n".join(map(prompts.text, task.prompt)))
    return untold.unquoted(showable((*task.rules(draft, citable, seen.resolved, guard), *echoed), guard), draft)


def showable(findings: Iterable[Finding], guard: Guard) -> tuple[Finding, ...]:
    """The findings without anything that may not leave: what they quote comes from whoever wrote the draft."""
    found = tuple(findings)
    shown = guard.cleaned([text for finding in found for text in (finding.where, finding.message)])
    told = zip(found, shown[::2], shown[1::2], strict=True)
    return tuple(replace(finding, where=where, message=message) for finding, where, message in told)
