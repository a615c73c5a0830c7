"""The rules of a pull-request record, by itself and by the project's policy (Intent Pull Requests 1.0.0).

What it says as changesets do has their codes. What it says of revisions and decisions is held against them in `integrating`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from guardrails.findings import Code, Finding
from guardrails.records import commit
from guardrails.records.changeset import (
    BLANK_TEXT,
    DUPLICATE_TARGET,
    MAJOR_WITHOUT_MIGRATION,
    NO_PROVENANCE,
    NO_TARGETS,
    NOT_IN_PROFILE,
    RATIONALE_REPEATS_SUMMARY,
)
from guardrails.records.disclosure import validate_disclosure
from guardrails.records.fields import (
    IMPACTS,
    SUITE_VERSION,
    Faults,
    is_blank,
    is_id,
    is_object_name,
    one_of,
    other_version,
    same_text,
    vocabulary,
)
from guardrails.records.profile import VERIFICATION_STATUSES, Profile, PullRequestPolicy
from guardrails.records.pull_request import STATES, Claim, PullRequest
from guardrails.records.pull_request_page import page
from guardrails.strict_yaml import Path

INTEGRABLE: Final = ("ready", "merged")
"""The states that a project may insist on."""


def _code(name: str, summary: str, cure: str) -> Code:
    return Code(name=name, summary=summary, cure=cure, section="Intent Pull Requests 1.0.0")


UNSUPPORTED_PULL_REQUEST_VERSION = _code(
    "unsupported-pull-request-version", "The record is of another version.", "Write `intent-pull-request: 1.0.0`."
)
INVALID_PULL_REQUEST_ID = _code(
    "invalid-pull-request-id",
    "The id of a pull-request record has another form than the specification asks for.",
    "Use lower-case letters, digits and inner hyphens.",
)
PULL_REQUEST_TITLE = _code(
    "pull-request-title",
    "The title of a pull-request record is no header of a commit message.",
    "Write it on one line as `type(scope): description`.",
)
PULL_REQUEST_WORD = _code(
    "pull-request-word",
    "A state, impact or verification status of a pull-request record is none of the allowed words.",
    "Use one of the words that the message names.",
)
CLAIM_WITHOUT_COMMAND = _code(
    "claim-without-command",
    "A verification is said to have passed, and not what was run.",
    "Give the command, or another status.",
)
REVISION_NOT_FULL = _code(
    "revision-not-full",
    "A revision of a pull-request record that is no draft is no full object name.",
    "Write all 40 or 64 hexadecimal digits, in lower case.",
)
PULL_REQUEST_NOT_READY = _code(
    "pull-request-not-ready",
    "The profile takes only requests that are ready, and this one is not.",
    "Complete the record and set its state to ready.",
)
PULL_REQUEST_TOO_LONG = _code(
    "pull-request-too-long", "The title or the rendered body is longer than the profile allows.", "Shorten it."
)


def validate(record: PullRequest, profile: Profile | None = None) -> tuple[Finding, ...]:
    """Every breach by the record alone and, with a profile, of the project's policy."""
    faults = Faults(record.document)
    _validate_head(record, faults)
    _validate_prose(record, faults)
    _validate_targets(record, faults)
    for place, claim in enumerate(record.verification):
        _validate_claim(claim, ("verification", place), faults)
    _validate_references(record, faults)
    validate_disclosure(record.disclosure, faults)
    if profile is not None:
        _validate_policy(record, profile, faults)
    return tuple(faults.findings)


def _validate_head(record: PullRequest, faults: Faults) -> None:
    if record.version != SUITE_VERSION:
        faults.note(UNSUPPORTED_PULL_REQUEST_VERSION, ("intent-pull-request",), other_version(record.version))
    if not is_id(record.id):
        faults.note(INVALID_PULL_REQUEST_ID, ("id",), "got another text, expected lower-case letters, digits and inner hyphens")
    if "\n" in record.title or not isinstance(commit.read(record.title), commit.Message):
        faults.note(PULL_REQUEST_TITLE, ("title",), "got another text, expected `type(scope): description`")
    _note_word(record.state, STATES, ("state",), faults)
    for key, name in (("base-revision", record.base_revision), ("evidence-revision", record.evidence_revision)):
        if not record.is_draft and not is_object_name(name):
            faults.note(REVISION_NOT_FULL, (key,), "got another text, expected a full object name")


def _validate_prose(record: PullRequest, faults: Faults) -> None:
    texts = {
        "summary": record.summary,
        "rationale": record.rationale,
        "approach": record.approach,
        "trade-offs": record.trade_offs,
    }
    for key, text in texts.items():
        if not record.is_draft and is_blank(text):
            faults.note(BLANK_TEXT, (key,), f"got nothing, expected text in state {_known(record.state, STATES)}")
    if record.is_draft and is_blank(record.summary) and is_blank(record.rationale):
        faults.note(BLANK_TEXT, ("summary",), "got neither summary nor rationale, expected one also in a draft")
    if not is_blank(record.rationale) and same_text(record.summary, record.rationale):
        faults.note(RATIONALE_REPEATS_SUMMARY, ("rationale",), "got the summary again, expected the reason")


def _validate_targets(record: PullRequest, faults: Faults) -> None:
    if not record.targets and not record.is_draft:
        faults.note(NO_TARGETS, ("targets",), "got no target, expected at least one")
    seen: set[tuple[str, str]] = set()
    for place, target in enumerate(record.targets):
        path: Path = ("targets", place)
        for key, text in (("release-unit", target.release_unit), ("stream", target.stream)):
            if is_blank(text):
                faults.note(BLANK_TEXT, (*path, key), f"got nothing, expected a {key}")
        _note_word(target.impact, IMPACTS, (*path, "impact"), faults)
        if target.impact == "major" and is_blank(target.migration or ""):
            faults.note(MAJOR_WITHOUT_MIGRATION, (*path, "migration"), "got nothing, expected guidance for a major impact")
        if (target.release_unit, target.stream) in seen:
            faults.note(DUPLICATE_TARGET, path, "got this release unit and stream again, expected each pair once")
        seen.add((target.release_unit, target.stream))


def _validate_claim(claim: Claim, path: Path, faults: Faults) -> None:
    for key, text in (("name", claim.name), ("evidence", claim.evidence)):
        if is_blank(text):
            faults.note(BLANK_TEXT, (*path, key), f"got nothing, expected {key}")
    _note_word(claim.status, VERIFICATION_STATUSES, (*path, "status"), faults)
    if claim.status == "passed" and is_blank(claim.command or ""):
        faults.note(CLAIM_WITHOUT_COMMAND, (*path, "command"), "got nothing, expected what was run")


def _validate_references(record: PullRequest, faults: Faults) -> None:
    if not any(not is_blank(reference) for references in record.provenance.values() for reference in references):
        faults.note(NO_PROVENANCE, ("provenance",), "got no reference, expected at least one")


def _validate_policy(record: PullRequest, profile: Profile, faults: Faults) -> None:
    for place, target in enumerate(record.targets):
        declared: tuple[tuple[str, str, Collection[str]], ...] = (
            ("release-unit", target.release_unit, profile.release_units),
            ("stream", target.stream, profile.streams_of(target.release_unit)),
        )
        for key, word, allowed in declared:
            if allowed and word not in allowed:
                faults.note(NOT_IN_PROFILE, ("targets", place, key), f"expected {one_of(allowed)}")
    policy = profile.pull_requests
    limit = policy.max_title_length if policy is not None else profile.max_header_length
    if limit and len(record.title) > limit:
        message = f"got {len(record.title)} characters, expected at most {limit}"
        faults.note(PULL_REQUEST_TOO_LONG, ("title",), message)
    if policy is not None:
        _validate_project(record, policy, faults)


def _validate_project(record: PullRequest, policy: PullRequestPolicy, faults: Faults) -> None:
    if policy.require_ready and record.state not in INTEGRABLE:
        message = f"got {_known(record.state, STATES)}, expected one of {', '.join(INTEGRABLE)}"
        faults.note(PULL_REQUEST_NOT_READY, ("state",), message)
    length = len(page(record))
    if length > policy.max_body_length:
        message = f"the rendered body has {length} characters, expected at most {policy.max_body_length}"
        faults.note(PULL_REQUEST_TOO_LONG, (), message)
    statuses = vocabulary(policy.verification_statuses)
    for place, claim in enumerate(record.verification):
        if statuses and claim.status not in statuses:
            message = f"expected {one_of(statuses)}"
            faults.note(NOT_IN_PROFILE, ("verification", place, "status"), message)


def _note_word(word: str, allowed: Collection[str], path: Path, faults: Faults) -> None:
    if word not in allowed:
        faults.note(PULL_REQUEST_WORD, path, f"got another word, expected {one_of(allowed)}")


def _known(word: str, words: Collection[str]) -> str:
    return word if word in words else "another one"
