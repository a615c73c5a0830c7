"""What an envelope of somebody else may say by rules: the kinds that its evidence leaves open, the relations that are cited.

What we draft ourselves is resolved by the same rules, and held against that (Describe Changes: kind, relations).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from guardrails.drafts import relations
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope import KINDS
from guardrails.drafts.envelope_form import CHANGE
from guardrails.evidence.model import Bundle, Commit, Document, FileChange
from guardrails.findings import Code, Finding
from guardrails.grounding import telling
from guardrails.resolving.grouping import Group, whole
from guardrails.resolving.kinds import classify
from guardrails.resolving.reading import Reading
from guardrails.resolving.relating import relations as related
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
    held = _Held(draft, Reading.of(bundle), rules)
    for path, commits in telling.told_by(draft, bundle).items():
        group = whole(bundle) if path == CHANGE else _group(path, commits, draft, bundle)
        yield from held.kind(path, group)
        yield from held.relations(path, group, commits if path != CHANGE else ())


@dataclass(frozen=True, slots=True)
class _Held:
    """A draft held against the groups of commits that its change objects seem to tell.

    The words of one item may sound like several commits. What is not open to all of them may be open to those that it names
    outright, or be cited by one of them alone.
    """

    draft: Draft
    reading: Reading
    rules: Rules

    def kind(self, path: str, group: Group) -> Iterator[Finding]:
        """The kind is one that the evidence leaves open."""
        kind = self.draft.get(f"{path}.kind")
        if not isinstance(kind, str) or kind not in KINDS:
            return
        permitted = classify(group, self.reading, self.rules).permitted
        if kind not in permitted and kind not in self._of_called(path):
            expected = ", ".join(one for one in KINDS if one in permitted)
            yield KIND_UNSUPPORTED.at(f"{path}.kind", f"got {kind}, expected one of {expected}", evidence=group.commits)

    def relations(self, path: str, group: Group, commits: tuple[Commit, ...]) -> Iterator[Finding]:
        """Each relation is cited as such, by the change as a whole or by one of its `commits`."""
        citable = self._citable(group)
        for key in relations.KEYS:
            told = self.draft.get(f"{path}.relations.{key}")
            if not isinstance(told, str) or told in citable[key]:
                continue
            alone = (_group(path, (commit,), self.draft, self.reading.bundle) for commit in commits)
            if not any(told in self._citable(one)[key] for one in alone):
                expected = " or ".join((*sorted(citable[key])[:5], "null"))
                yield RELATION_UNCITED.at(f"{path}.relations.{key}", f"got {told[:80]}, expected {expected}")

    def _citable(self, group: Group) -> Mapping[str, frozenset[str]]:
        return related(group, self.reading, self.rules).citable

    def _of_called(self, path: str) -> frozenset[str]:
        """The kinds that are left open by the commits which an item names outright."""
        called = telling.called_by(path, self.draft, self.reading.bundle) if path != CHANGE else ()
        group = _group(path, called, self.draft, self.reading.bundle)
        return classify(group, self.reading, self.rules).permitted if called else frozenset()


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
