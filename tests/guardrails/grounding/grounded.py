"""Cases of drafts with their evidence, read from tests/cases/grounding, and the road that judges them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from guardrails.digests import sha256
from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence.model import Commit, DocumentKind, FileChange, Hunk
from guardrails.findings import Finding
from guardrails.grounding.changesets.postvalidator import postvalidate
from guardrails.grounding.citable import Citable
from guardrails.grounding.verdict import Verdict, decide
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.changesets import resolve as resolving
from guardrails.resolving.resolved import Resolved
from guardrails.strict_yaml import read
from tests.guardrails.resolving.building import PROFILE, RULES, commit, document, evidence, file

CASES = Path(__file__).parents[2] / "cases" / "grounding"


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file."""
    value = read((CASES / name).read_bytes()).value
    assert isinstance(value, list)
    return value


@dataclass(frozen=True)
class Judged:
    """A draft with all that it is judged by."""

    draft: Draft
    evidence: RedactedEvidence
    resolved: Resolved

    @property
    def citable(self) -> Citable:
        """What was shown."""
        return Citable.of(self.evidence, PROFILE, RULES.trackers)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the post-validator says."""
        return postvalidate(self.draft, self.citable, self.resolved, self.evidence.guard)

    @property
    def verdict(self) -> Verdict:
        """What comes of it."""
        return decide(self.draft, self.resolved, self.findings)

    def told(self, texts: Mapping[str, Prose]) -> Judged:
        """The same with other texts."""
        return replace(self, draft=replace(self.draft, prose={**self.draft.prose, **texts}))


def judged(case: Mapping[str, Any]) -> Judged:
    """The draft of a case: what resolving decides, and the texts of the case as a drafter's."""
    shown = evidence(
        *_commits(case["commits"]),
        answers=case.get("answers"),
        documents=tuple(
            document(place, DocumentKind(given["kind"]), **{name: value for name, value in given.items() if name != "kind"})
            for place, given in enumerate(case.get("documents", []), start=1)
        ),
    )
    resolved = resolving.resolve(shown, PROFILE, RULES)
    texts = {path: prose(sentences) for path, sentences in case.get("texts", {}).items()}
    draft = Draft(form=CHANGESET, values=resolved.values, prose={**resolved.prose, **texts}, coverage=resolved.coverage)
    return Judged(draft, shown, resolved)


def prose(sentences: list[dict[str, Any]], basis: Basis = Basis.SYNTHESIS) -> Prose:
    """Sentences of a case as a drafter's text."""
    return Prose(tuple(Sentence(one["text"], tuple(one["evidence"])) for one in sentences), basis)


def _commits(given: list[dict[str, Any]]) -> Iterator[Commit]:
    count = 0
    for place, one in enumerate(given, start=1):
        files = []
        for path, text in one.get("files", {}).items():
            count += 1
            files.append(_file(count, path, text))
        yield replace(commit(place, one["message"]), files=tuple(files))


def _file(number: int, path: str, text: str) -> FileChange:
    head, _, lines = text.partition("\n")
    hunk = Hunk(f"H{number}", f"git:{path}:1", sha256(text.encode()), 1, 1, 1, 1, head.removeprefix("@@").strip(), lines)
    return replace(file(number, path), hunks=(hunk,))
