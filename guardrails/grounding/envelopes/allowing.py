"""What an envelope of somebody else may say by rules: the kinds that its evidence leaves open, the relations that are cited.

What we draft ourselves is resolved by the same rules, and held against that (Describe Changes: kind, relations).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from guardrails.drafts import relations
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope import KINDS
from guardrails.drafts.envelope_form import CHANGE
from guardrails.evidence.model import Bundle, Commit, Document, FileChange
from guardrails.findings import Code, Finding
from guardrails.grounding.envelopes import telling
from guardrails.resolving.envelopes.reading import Reading
from guardrails.resolving.envelopes.relating import relations as related
from guardrails.resolving.grouping.grouping import Group, group, whole
from guardrails.resolving.kinds.classifying import permitted
from guardrails.resolving.rules import Rules

KIND_UNSUPPORTED = Code(
    name="kind-unsupported",
    summary="The kind of a change is one that its evidence excludes.",
    cure="Choose a kind that messages, labels and changed paths leave open.",
    section="Describe Changes: kind",
)
RELATION_UNCITED = Code(
    name="relation-uncited",
    summary="A relation is not cited as such: made up, rewritten, only mentioned, or cited as something else.",
    cure="Write it as the evidence cites it, or null.",
    section="Describe Changes: relations",
)


def check(draft: Draft, bundle: Bundle, rules: Rules) -> Iterator[Finding]:
    """Hold the kind and the relations of every change object against the commits that it tells."""
    held = _Held(draft, Reading.of(bundle), rules, cache(lambda: group(bundle, rules).groups))
    for path, commits in telling.told_by(draft, bundle).items():
        told = whole(bundle) if path == CHANGE else _group(path, commits, draft, bundle)
        yield from held.kind(path, told)
        yield from held.relations(path, told)


@dataclass(frozen=True, slots=True)
class _Held:
    """A draft held against the commits that its change objects seem to tell.

    The words of one item may sound like several commits, and not like all that it tells. What is not open to the commits
    together may be open to a change that has them: as `changes` are grouped, or as the item names them outright.
    """

    draft: Draft
    reading: Reading
    rules: Rules
    changes: Callable[[], tuple[Group, ...]]

    def kind(self, path: str, told: Group) -> Iterator[Finding]:
        """The kind is one that the evidence leaves open."""
        kind = self.draft.get(f"{path}.kind")
        if not isinstance(kind, str) or kind not in KINDS:
            return
        allowed = self._permitted(told)
        if kind not in allowed and not any(kind in self._permitted(one) for one in self._alike(path, told)):
            expected = ", ".join(one for one in KINDS if one in allowed)
            yield KIND_UNSUPPORTED.at(f"{path}.kind", f"got {kind}, expected one of {expected}", evidence=told.commits)

    def relations(self, path: str, told: Group) -> Iterator[Finding]:
        """Each relation is cited as such."""
        citable = self._citable(told)
        for key in relations.KEYS:
            said = self.draft.get(f"{path}.relations.{key}")
            if not isinstance(said, str) or said in citable[key]:
                continue
            if not any(said in self._citable(one)[key] for one in self._alike(path, told)):
                expected = " or ".join((*sorted(citable[key])[:5], "null"))
                yield RELATION_UNCITED.at(f"{path}.relations.{key}", f"got {said[:80]}, expected {expected}")

    def _permitted(self, told: Group) -> frozenset[str]:
        return permitted(self.reading.part(told), self.rules)

    def _citable(self, told: Group) -> Mapping[str, frozenset[str]]:
        return related(self.reading.part(told), self.reading, self.rules).citable

    def _alike(self, path: str, told: Group) -> Iterator[Group]:
        """The commits that an item names outright, and the changes that have any of these, or of those that it sounds like."""
        if path == CHANGE:
            return
        called = telling.called_by(path, self.draft, self.reading.bundle)
        if called:
            yield _group(path, called, self.draft, self.reading.bundle)
        wanted = {commit.id for commit in called} or set(told.commits)
        yield from (one for one in self.changes() if not wanted.isdisjoint(one.commits))


def _group(path: str, commits: tuple[Commit, ...], draft: Draft, bundle: Bundle) -> Group:
    """The change that an item seems to tell: its commits, those of their files that it refers to, the documents they cite."""
    told = commits or bundle.commits
    files = [file for commit in told for file in commit.files]
    paths = {one.path for one in telling.references(path, draft)}
    own = [file for file in files if not paths.isdisjoint(_paths(file))] or files
    words = "\n".join(commit.message for commit in told)
    documents = (one.id for one in bundle.documents if len(bundle.commits) == len(told) or _is_cited(one, words))
    return Group(path, tuple(commit.id for commit in told), tuple(file.id for file in own), tuple(documents))


def _paths(file: FileChange) -> set[str]:
    return {file.path, file.old_path or file.path}


def _is_cited(document: Document, words: str) -> bool:
    return any(name and name in words for name in (document.key, document.url))
