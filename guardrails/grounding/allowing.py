"""What an envelope of somebody else may say by rules: the kinds that its evidence leaves open, the relations that are cited.

What we draft ourselves is resolved by the same rules, and held against that (Describe Changes: kind, relations).
"""

from __future__ import annotations

from collections.abc import Iterator

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
    reading = Reading.of(bundle)
    for path, commits in telling.told_by(draft, bundle).items():
        group = whole(bundle) if path == CHANGE else _group(path, commits, draft, bundle)
        kind, found = draft.get(f"{path}.kind"), classify(group, reading, rules)
        known = isinstance(kind, str) and kind in KINDS
        if known and kind not in found.permitted and kind not in _of_called(path, draft, reading, rules):
            expected = ", ".join(one for one in KINDS if one in found.permitted)
            yield KIND_UNSUPPORTED.at(f"{path}.kind", f"got {kind}, expected one of {expected}", evidence=group.commits)
        citable = related(group, reading, rules).citable
        for key in relations.KEYS:
            told = draft.get(f"{path}.relations.{key}")
            if isinstance(told, str) and told not in citable[key]:
                expected = " or ".join((*sorted(citable[key])[:5], "null"))
                yield RELATION_UNCITED.at(f"{path}.relations.{key}", f"got {told[:80]}, expected {expected}")


def _of_called(path: str, draft: Draft, reading: Reading, rules: Rules) -> frozenset[str]:
    """The kinds that are left open by the commits which an item names outright; its words may sound like others too."""
    called = telling.called_by(path, draft, reading.bundle) if path != CHANGE else ()
    return classify(_group(path, called, draft, reading.bundle), reading, rules).permitted if called else frozenset()


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
