"""Drafting one release of a run: one walk of the road, whose end is a plain value, whatever it is (evidraft design 1, 3).

What fails fails for this release alone and is told in one line. Only what no other release would survive either ends the run:
a limit that is reached, a drafter that takes no more of us, a journal that cannot be written.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agent import engines
from agent.batch import showing
from agent.batch.entries import entries
from agent.batch.packed import Packed
from agent.batch.pages import ENTRIES, pages
from agent.batch.release import Conditions, Finished, Release, Status
from agent.batch.told import decided, places, titles
from agent.collecting.gathering import gather, with_answers
from agent.collecting.request import Gathered, Request
from agent.errors import Denied, Failure, LimitReached, NotConfigured, RepositoryFailure, RunStopped
from agent.model.client import Model
from agent.model.extractive.drafter import Extractive
from agent.pipeline import Outcome, Pace, Terms, draft
from agent.receipt import receipt_pieces
from agent.render import outcomes
from agent.render.forge_links import Links
from agent.render.guarded import links_of
from agent.render.json_text import json_pieces
from agent.render.outcomes import Frame
from agent.replies import spending
from agent.sources import answers as answering
from agent.tasks import RELEASE
from guardrails.drafts.questions import Unresolved
from guardrails.evidence.model import Bundle
from guardrails.findings import blocking
from guardrails.grounding import verdict as verdicts
from guardrails.grounding.releases.accounts import Accounts, accounts
from guardrails.grounding.releases.coverage import coverage
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected, Verdict
from guardrails.redaction.redact import Guard
from guardrails.redaction.secrets import SecretEngine
from guardrails.resolving.rules import Rules

ENDS_THE_RUN: Final = (LimitReached, RunStopped)
"""Failures of the world as a whole: they are raised, not told of one release."""
_LONGEST_SUBJECT: Final = 120
_STATUSES: Final[Mapping[type[Verdict], Status]] = {
    Accepted: Status.DRAFTED,
    NeedsInput: Status.NEEDS_INPUT,
    Rejected: Status.REJECTED,
}


def drafted(release: Release, conditions: Conditions) -> Finished:
    """Draft a release extractively, from the repository to the pages: what a worker process or a worker of a cluster runs.

    Raises:
        agent.errors.GuardNotReady: redaction cannot be guaranteed on this machine.
    """
    engine = engines.secret_engine()
    return asyncio.run(draft_release(release, conditions, Extractive(), engine, Pace(repairs=0)))


async def draft_release(release: Release, conditions: Conditions, model: Model, engine: SecretEngine, pace: Pace) -> Finished:
    """Draft a release with `model`. What is open before anything can be read is told without reading.

    Raises:
        agent.errors.LimitReached, agent.errors.RunStopped: nothing more can be drafted in this run.
    """
    if release.questions:
        return Finished(release.name, Status.NEEDS_INPUT, unresolved=release.questions)
    try:
        told = await _told(release, conditions, model, engine, pace)
        # By now the evidence is let go of: that of a long range and its pages are more than should be held at once.
        return replace(told.finished, pages=told.pages(release))
    except ENDS_THE_RUN:
        raise
    except (Denied, NotConfigured) as failure:
        cure = f"{failure.cure}, and go on with --resume" if failure.cure else "go on with --resume"
        raise RunStopped(failure.what, where=failure.where, cure=cure) from None
    except Failure as failure:
        return failed(release, failure)


def failed(release: Release, failure: Failure) -> Finished:
    """A release of which nothing came: one line, in which its clone has the name of the release, for outputs name no place.

    Raises:
        GuardNotReady: the line may hold a secret, and the redactor cannot be relied on.
    """
    line = " ".join(str(failure).split()).replace(release.place, release.name)
    return Finished(release.name, Status.FAILED, failure=showing.line(line))


@dataclass(frozen=True, slots=True)
class _Told:
    """What became of a release, and what its pages are rendered with: without a guard there are none."""

    finished: Finished
    envelope: Mapping[str, object]
    guard: Guard | None = None
    links: Links | None = None
    entries: str = ""

    def pages(self, release: Release) -> dict[str, str]:
        """The rendered texts of an accepted envelope; none of what is not accepted could be published by mistake."""
        if self.guard is None:
            return {}
        told = pages(self.envelope, release, self.links, self.guard)
        return {**told, ENTRIES: self.entries} if self.entries else told


async def _told(release: Release, conditions: Conditions, model: Model, engine: SecretEngine, pace: Pace) -> _Told:
    gathered = await asyncio.to_thread(gather_release, release, conditions)
    terms = Terms.of(gathered, engine)
    begun = time.monotonic()
    outcome = await draft(RELEASE, gathered.evidence, terms, model, pace)
    account = accounted(outcome, gathered.rules)
    written = verdicts.drafted(outcome.verdict)
    record = {} if written is None else written.record()
    outcome = whole(outcome, account, record)
    envelope = {} if isinstance(outcome.verdict, Rejected) else record
    seconds, remote = round(time.monotonic() - begun, 3), gathered.remote
    finished = _finished(release, outcome, account, _frame(gathered), envelope=envelope, seconds=seconds)
    if not isinstance(outcome.verdict, Accepted):
        return _Told(finished, envelope)
    links = links_of(envelope, remote.host, remote.path) if remote is not None else None
    own = entries(outcome.evidence.bundle, finished.commits, release.unit) if gathered.profile is not None else ""
    return _Told(finished, envelope, outcome.evidence.guard, links, own)


def gather_release(release: Release, conditions: Conditions) -> Gathered:
    """Read what the plan says, and see to it that it is still that.

    Raises:
        agent.errors.Failure: something cannot be read or used, or names other commits than when the run was planned.
    """
    gathered = gather(_request(release, conditions))
    selection = gathered.evidence.selection
    if (selection.base or "", selection.head or "") != (release.base, release.head):
        raise RepositoryFailure(
            "the range names other commits than when the run was planned", where=release.spec, cure="plan the run again"
        )
    if not release.answers:
        return gathered
    start = 1 + len(gathered.answers)
    more = (answering.said(path, value, number) for number, (path, value) in enumerate(release.decided, start))
    return with_answers(gathered, tuple(more))


def _request(release: Release, conditions: Conditions) -> Request:
    options = release.options
    return Request(
        repository=Path(release.place),
        operand=release.operand or release.spec,
        said=release.spec,
        from_root=not release.base,
        unit=release.unit,
        shape=options.shape or None,
        evidence=options.evidence,
        describes=True,
        needs_profile=False,
        profile=_path(options.profile),
        config=_path(options.config),
        policy=_path(options.policy),
        environ=conditions.environ,
    )


def _path(said: str) -> Path | None:
    return Path(said) if said else None


def _finished(
    release: Release, outcome: Outcome, account: Accounts, frame: Frame, *, envelope: Mapping[str, object], seconds: float
) -> Finished:
    """What became of a release, without its pages; `envelope` is the record of its draft, empty where there is none."""
    bundle, verdict = outcome.evidence.bundle, outcome.verdict
    written = verdicts.drafted(verdict)
    questions = verdict.unresolved if isinstance(verdict, NeedsInput) else ()
    findings = verdict.warnings if isinstance(verdict, Accepted) else verdict.findings
    asked = (item for question in questions for item in question.evidence)
    return Finished(
        release.name,
        _STATUSES[type(verdict)],
        envelope=Packed.of(json_pieces(envelope)) if envelope else Packed(),
        record=Packed.of(receipt_pieces(_timeless(outcome), frame, envelope)),
        titles=titles(written, envelope) if written is not None else {},
        places=places(bundle, asked, (*account.commits.values(), *account.requests.values())),
        decided=decided(bundle, written) if written is not None else {},
        profile=bundle.profile.path if bundle.profile is not None else "",
        unresolved=tuple(map(outcomes.question_document, questions)),
        findings=tuple(map(outcomes.finding, findings)),
        commits=account.commits,
        requests=account.requests,
        subjects=_subjects(bundle, questions),
        usage={**spending.counted([attempt.reply for attempt in outcome.attempts]), "drafting-seconds": seconds},
    )


def _subjects(bundle: Bundle, questions: Iterable[Unresolved]) -> dict[str, str]:
    """The subjects of the commits that questions name: an id alone says little to who is to answer."""
    named = {item for question in questions for item in question.evidence}
    told = ((commit.id, commit.message.strip().partition("\n")[0]) for commit in bundle.commits if commit.id in named)
    return {item: subject[:_LONGEST_SUBJECT] for item, subject in told}


def accounted(outcome: Outcome, rules: Rules) -> Accounts:
    """Where everything of the range of an outcome went."""
    written = verdicts.drafted(outcome.verdict)
    return accounts(outcome.evidence.bundle, outcome.resolved.coverage if written is None else written.coverage, rules)


def whole(outcome: Outcome, told: Accounts, record: Mapping[str, object]) -> Outcome:
    """The outcome, rejected where an accepted envelope is not equal to its range: notes that lose a commit are no notes."""
    verdict = outcome.verdict
    if not isinstance(verdict, Accepted):
        return outcome
    found = coverage(told, verdict.draft, record)
    return replace(outcome, verdict=Rejected((*verdict.warnings, *found))) if blocking(found) else outcome


def _timeless(outcome: Outcome) -> Outcome:
    """Without what differs from run to run: how long each call took."""
    timed = any(attempt.reply.seconds is not None for attempt in outcome.attempts)
    calls = (replace(attempt, reply=replace(attempt.reply, seconds=None)) for attempt in outcome.attempts)
    return replace(outcome, attempts=tuple(calls)) if timed else outcome


def _frame(gathered: Gathered) -> Frame:
    """No command goes on with one release alone: the sheet of the whole run asks for all."""
    selection = gathered.evidence.selection
    return Frame(RELEASE.name, selection.base, selection.head, gathered.profile_digest, resume="")
