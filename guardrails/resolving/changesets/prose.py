"""Summary and rationale: a person's words, or a drafter's task with what may carry them (Intent Changesets 6.4, 6.5).

A diff shows what changed, never why: only commit bodies, pull requests, issues and decisions can carry a rationale. A bare
merge changes nothing, but a forge writes the title of the request that it brought into its body.
"""

from __future__ import annotations

from typing import Final

from guardrails.drafts.questions import Reason
from guardrails.drafts.sentences import word_count
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import FileChange
from guardrails.paths import is_below
from guardrails.resolving.answers import as_text, refuse
from guardrails.resolving.sheet import Sheet
from guardrails.resolving.trailers import Case

SUMMARY: Final = "What will users notice once this is released?"
RATIONALE: Final = "Why was this change made, or why should its audience care?"


def resolve_prose(case: Case, sheet: Sheet) -> None:
    """Write the answered texts, request or ask the others."""
    resolve_text(case, sheet, "summary", SUMMARY, (*naming(case), *changes(case)))
    resolve_text(case, sheet, "rationale", RATIONALE, telling(case))


def naming(case: Case) -> tuple[str, ...]:
    """What may name the change: subjects, titles of what was merged, documents."""
    told = tuple(view.id for view in case.views if _has_letters(view.message.description))
    titled = tuple(view.id for view in case.merges if view.title)
    documents = (document.id for document in case.bundle.documents if document.title.strip() or document.body.strip())
    return (*told, *titled, *documents)


def telling(case: Case) -> tuple[str, ...]:
    """What says more than a name: bodies of messages, and documents."""
    bodies = tuple(view.id for view in case.views if has_reason(view.message.body))
    merges = (view.id for view in case.merges if view.title and has_reason(view.message.body.partition("\n")[2]))
    documents = (document.id for document in case.bundle.documents if has_reason(document.body))
    return (*bodies, *merges, *documents)


def changes(case: Case) -> tuple[str, ...]:
    """The changed files and their hunks."""
    return tuple(item for change in case.files for item in _items(change))


def code_changes(case: Case) -> tuple[str, ...]:
    """The same without the project's own records: they tell of changes and are none."""
    policy = case.profile
    homes = [policy.ledger_directory, policy.release_manifest_directory, policy.changesets.directory]
    homes += [policy.changesets.archive_directory or "", policy.pull_requests.directory if policy.pull_requests else ""]
    own = [home for home in homes if home]
    files = (change for change in case.files if not any(is_below(change.path, home) for home in own))
    return tuple(item for change in files for item in _items(change))


def _items(change: FileChange) -> tuple[str, ...]:
    return (change.id, *(hunk.id for hunk in change.hunks))


def has_reason(text: str) -> bool:
    """Whether a text has a line that could say why: not one that git or a forge wrote."""
    generated = ("This reverts commit ", "Merge ", "See merge request ", "(cherry picked from commit ", "<!--")
    lines = (line.strip() for line in text.split("\n"))
    return any(word_count(line) > 1 and not line.startswith(generated) for line in lines)


def resolve_text(case: Case, sheet: Sheet, path: str, question: str, sources: tuple[str, ...]) -> None:
    """Write the answered text at `path`; else request it from `sources`, or ask it where there are none."""
    answer = case.answers.get(path)
    text = as_text(answer.value) if answer is not None else None
    if answer is not None and text is not None:
        sheet.write(path, text, Basis.ANSWER, (answer.id,))
    elif answer is not None:
        refuse(sheet, answer, ("<text>",), question)
    elif sources:
        sheet.request(path, sources, question)
    else:
        sheet.ask(path, Reason.NO_EVIDENCE, question, accepts=("<text>",), evidence=case.evidence)


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))
