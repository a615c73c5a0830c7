"""A small project to resolve in: its profile, its rules, and bundles of commits by message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from guardrails.digests import sha256
from guardrails.drafts.questions import Unresolved
from guardrails.evidence.model import (
    Answer,
    AnswerValue,
    Bundle,
    Change,
    Commit,
    Content,
    Document,
    DocumentKind,
    ExistingRecord,
    FileChange,
    Person,
    ProfileSource,
    Selection,
    SelectionKind,
)
from guardrails.records import profile as profiles
from guardrails.records.changeset import write
from guardrails.records.profile import Profile
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.changesets import resolve as resolving
from guardrails.resolving.resolved import Resolved
from guardrails.resolving.rules import Rules, SubjectNumber
from tests.redacting import redacted

PROFILE_TEXT = """\
intent-profile: 1.0.0
repository: https://github.com/example/payments
specifications: {commits: 1.0.0, pull-requests: 1.0.0, changesets: 1.0.0, changelog: 1.0.0, release-manifest: 1.0.0}
types:
  fix: {default-impact: patch}
  feat: {default-impact: minor}
  chore: {default-impact: none}
  security: {}
scopes: {}
release-units:
  apps/gateway:
    streams:
      stable: {release-line: "4", channel: general, changelog: led/gs.yaml, manifests: man/gs}
      lts: {release-line: "3", channel: general, changelog: led/gl.yaml, manifests: man/gl}
  apps/worker:
    streams:
      stable: {release-line: "2", channel: general, changelog: led/ws.yaml, manifests: man/ws}
ledger-directory: led
release-manifest-directory: man
release-pattern: '^[0-9]+$'
release-types: [feature, reliability, security]
release-impacts: [none, patch, minor, major]
audiences: [operators, security-teams]
disclosures: [public, embargoed, redacted]
channels: [general]
changesets:
  directory: .ack/changes
  archive-directory: .ack/archive
  after-consumption: archive
  conflict-policy: preserve
  id-pattern: '^[a-z][a-z0-9-]+$'
  required-impacts: [minor, major]
  required-commit-types: []
pull-requests:
  directory: .ack/pulls
  merge-strategy: squash
  max-title-length: 72
  max-body-length: 4000
  require-ready: true
  verification-statuses: [passed]
require-release-ready: false
max-header-length: 72
max-body-line-length: 80
large-diff-threshold: 400
"""


def profile_of(text: str = PROFILE_TEXT) -> Profile:
    """The profile that a text is."""
    profile = profiles.read(text.encode())
    assert isinstance(profile, Profile), profile
    return profile


PROFILE = profile_of()
RULES = Rules(
    trackers=frozenset({"DEVELOP", "SECURITY"}),
    disclosure="public",
    subject_number=SubjectNumber.PULL_REQUEST,
    decisions=("docs/adr/*.md",),
    types={"fix": "reliability", "feat": "feature"},
    type_labels={"kind/security": "security"},
    audience_labels={"for-security": ("security-teams",)},
    units={"apps/worker/**": "apps/worker", "apps/gateway/**": "apps/gateway"},
    streams={"apps/gateway": "stable"},
    audiences={"apps/worker": ("operators",), "apps/gateway": ("operators",)},
)
NO_RULES = Rules()
OUTSIDE = Policy()
INSIDE = Policy(inside={"extractive": ("coordinated",)})

WHOLE = """\
fix(apps/worker): resume interrupted settlement jobs

Prevent deployment shutdowns from leaving settlement jobs incomplete.

Impact: patch
Changeset: resume-settlement-jobs
Refs: DEVELOP-219
"""
"""A commit that decides everything but the prose, under `RULES`."""


def oid(number: int) -> str:
    """A full object name for the n-th commit."""
    return f"{number:02x}" * 20


def file(number: int, path: str, change: Change = Change.MODIFIED) -> FileChange:
    """One changed path without hunks."""
    return FileChange(
        f"F{number}",
        f"git:{path}",
        sha256(path.encode()),
        change,
        Content.TEXT,
        path,
        None,
        "100644",
        "100644",
        "",
        "",
        1,
        0,
        (),
    )


def commit(number: int, message: str, *paths: str, parents: int = 1) -> Commit:
    """The n-th commit: C1, C2 and so on."""
    person = Person("", "")
    files = tuple(file(number * 100 + place, path) for place, path in enumerate(paths))
    return Commit(
        id=f"C{number}",
        locator=f"git:{oid(number)}",
        digest=sha256(message.encode(errors="replace")),
        oid=oid(number),
        parents=tuple(oid(200 + place) for place in range(parents)),
        message=message,
        author=person,
        committer=person,
        authored="2026-11-30T10:00:00+00:00",
        committed="2026-11-30T10:00:00+00:00",
        files=files,
    )


def document(number: int, kind: DocumentKind, **fields: object) -> Document:
    """A document; `key`, `url`, `title`, `body`, `labels` as given."""
    plain = Document(f"{kind.value}{number}", f"file:{number}", sha256(b""), kind, "", "", "", "")
    return replace(plain, **fields)  # type: ignore[arg-type]


def record(number: int, **changes: object) -> ExistingRecord:
    """The seed's first example as an existing file, with root fields replaced."""
    value: dict[str, object] = {
        "intent-changeset": "1.0.0",
        "id": "resume-settlement-jobs",
        "source-repository": PROFILE.repository,
        "summary": "Resume settlement jobs interrupted during shutdown",
        "rationale": "Avoid manual recovery when deployments interrupt long jobs",
        "targets": [target()],
        "provenance": {"issues": ["DEVELOP-219"]},
        "relations": {"reverts": [], "supersedes": []},
        "disclosure": {"state": "public", "not-before": None, "policy": None, "placeholder": None},
    }
    data = write({**value, **changes})
    return ExistingRecord(f"S{number}", f"file:{number}", sha256(data), "pending", f".ack/changes/{number}.yaml", data)


def target(**changes: object) -> dict[str, object]:
    """A target of the record above."""
    plain: dict[str, object] = {
        "release-unit": "apps/worker",
        "stream": "stable",
        "type": "reliability",
        "impact": "patch",
        "audiences": ["operators"],
        "migration": None,
    }
    return {**plain, **changes}


def bundle(*commits: Commit | str, answers: Mapping[str, AnswerValue] | None = None, **parts: object) -> Bundle:
    """A bundle of commits (or messages, numbered in order), with answers by path."""
    items = tuple(item if isinstance(item, Commit) else commit(place, item) for place, item in enumerate(commits, start=1))
    said = tuple(
        Answer(f"A{place}", f"answer:{path}", sha256(path.encode()), path, value)
        for place, (path, value) in enumerate((answers or {}).items(), start=1)
    )
    selection = Selection(SelectionKind.RANGE, "main..HEAD", oid(250), oid(251))
    source = ProfileSource("profile.yaml", PROFILE.digest)
    plain = Bundle(selection, PROFILE.repository, source, commits=items, answers=said)
    return replace(plain, **parts)  # type: ignore[arg-type]


def evidence(
    *commits: Commit | str, answers: Mapping[str, AnswerValue] | None = None, policy: Policy = OUTSIDE, **parts: object
) -> RedactedEvidence:
    """The same, redacted for a drafter outside the boundary of disclosure, unless `policy` lets it in."""
    return redacted(bundle(*commits, answers=answers, **parts), policy)


def resolve(
    *commits: Commit | str,
    answers: Mapping[str, AnswerValue] | None = None,
    rules: Rules = RULES,
    profile: Profile = PROFILE,
    policy: Policy = OUTSIDE,
    **parts: object,
) -> Resolved:
    """Resolve the bundle of these commits."""
    return resolving.resolve(evidence(*commits, answers=answers, policy=policy, **parts), profile, rules)


def value(resolved: Resolved, path: str) -> object:
    """What is settled at a path; fails when it is not."""
    return resolved.values[path].value


def asked(resolved: Resolved) -> dict[str, Unresolved]:
    """The open questions by field."""
    return {question.field: question for question in resolved.unresolved}


def contradictions(resolved: Resolved) -> list[tuple[str, str]]:
    """Code and field of each contradiction."""
    return [(finding.code, finding.where) for finding in resolved.contradictions]
