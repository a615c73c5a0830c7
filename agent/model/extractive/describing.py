"""What the extractive drafter picks for a change of an envelope: title, short, medium, detail (Describe Changes: field rules).

Titles and sentences are taken from messages, requests and issues as they stand; only the walk through the hunks and the names
of updates and reverts are put together, from words that stand in what they cite. What is not found stays open.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from agent.model.extractive import explaining, titles
from agent.model.extractive.leading import Told, lead, told
from agent.model.extractive.reasons import usable
from agent.model.extractive.shown import Shown, number
from agent.model.extractive.subjects import statement
from agent.model.extractive.updating import dependencies, title_of_updates, words_of_updates
from agent.model.extractive.walk import walk
from guardrails.drafts import register
from guardrails.drafts.page import Heading
from guardrails.drafts.sourced import Sentence
from guardrails.evidence.code_spans import code
from guardrails.evidence.model import Commit, FileChange
from guardrails.evidence.roles import Role, role
from guardrails.records.plain_commit import read_any
from guardrails.resolving.grouping.splitting import parts
from guardrails.wording.activity import is_activity

_NO_TITLE: Final = re.compile(
    r"(?i:wip\b|work in progress|merge (?:branch|pull request|remote-tracking|tag|commit)|auto-?merge|(?:fixup|squash|amend)!)"
)
"""What git and writers in a hurry put where a title belongs."""
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)+[\w.+-]{0,20}")
_SHORTEST_SHA: Final = 7
_WORD: Final = re.compile(r"\w+")
_DECLARING: Final = r"\b(?:class|interface|struct|enum|trait|record|type|def|func|fn|function)"
_INNER_CAPITAL: Final = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_SAYS_BACK: Final = re.compile(r"(?i)\b(?:revert|restor|reappl|reinstat|back\b)")
"""What tells in a title that something is taken back."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of an envelope as it was shown: its commits, what they take back, its files, what its items tell.

    `part` are the words for it in a commit that does several things, of which this is one; None for any other change. The rest
    of such a message may speak of the others.
    """

    commits: tuple[Commit, ...]
    undone: tuple[Commit, ...]
    files: tuple[FileChange, ...]
    told: tuple[Told, ...]
    lead: Told | None
    part: Sentence | None
    sources: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, shown: Shown, sources: frozenset[str]) -> Change:
        """The change that rests on `sources`."""
        commits = tuple(shown.commits[item] for item in sorted(sources & shown.commits.keys(), key=number))
        undone = tuple(shown.undone[item] for item in sorted(sources & shown.undone.keys(), key=number))
        own = {**shown.merges, **{commit.oid: commit for commit in commits}}
        items = told(shown, sources, among=own)
        leading = lead(items) or lead(told(shown, sources, _named, own))
        files = shown.files(sources)
        return cls(commits, undone, files, items, leading, _part(commits, files), sources)

    @property
    def speaking(self) -> tuple[Told, ...]:
        """What speaks for all of it: of several commits with nothing to lead them each tells only its own."""
        is_one = self.lead is not None or len(self.commits) < 2
        return self.told if is_one else tuple(one for one in self.told if one.is_title)

    @property
    def names(self) -> frozenset[str]:
        """Words that are names, for a folder or a file of source is called so."""
        source = (file.path.casefold() for file in self.files if role(file.path) in {Role.SOURCE, Role.TESTS})
        return frozenset(part.partition(".")[0] for path in source for part in path.split("/"))

    def has_symbol(self, text: str) -> bool:
        """Whether a text has a name that looks like a product's and is declared in the code, never written small."""
        names = [word for word in _WORD.findall(text) if _INNER_CAPITAL.search(word)]
        sources = [file for file in self.files if role(file.path) is Role.SOURCE] if names else []
        lines = [f"{hunk.section}\n{hunk.text or ''}" for file in sources for hunk in file.hunks]
        return any(
            any(f" {name}" in line and re.search(rf"{_DECLARING} +{name}\b", line) for line in lines)
            and not any(name.casefold() in line for line in lines)
            for name in names
        )


def _part(commits: tuple[Commit, ...], files: tuple[FileChange, ...]) -> Sentence | None:
    """What a commit says of some of its files, where it does several things and these are the files of one of them."""
    own = [commit for commit in commits if len(commit.parents) < 2]
    paths = {file.path for file in files}
    if len(own) != 1 or not paths < {file.path for file in own[0].files}:
        return None
    by_id = {file.id: file.path for file in own[0].files}
    found = (part for part in parts(own[0], read_any(own[0].message)) if paths <= {by_id[item] for item in part.files})
    said = next((_named(part.statement) for part in found), "")
    return Sentence(said, (own[0].id,)) if said else None


def _named(subject: str) -> str:
    """The statement of a subject that names a change, be it only upkeep; "" of one that names none."""
    text = statement(subject)
    is_phrase = len(text.split()) > 1 or (text[:1].isupper() and not is_activity(text)) or _VERSION.fullmatch(text) is not None
    return text if is_phrase and usable(text) and not text.endswith("…") and not _NO_TITLE.match(text) else ""


def _title(change: Change) -> tuple[Sentence, ...]:
    return _line(change, register.title)


def _short(change: Change) -> tuple[Sentence, ...]:
    updated = words_of_updates(change.commits, register.short)
    if updated is not None:
        return (updated,)
    said = _taking_back(change) or _line(change, register.short)
    return said or explaining.first_that_fits(change.speaking, register.short)


def _taking_back(change: Change) -> tuple[Sentence, ...]:
    """What names a change, and the commit that its message alone says to be taken back."""
    undone = read_any(change.commits[0].message).reverts if len(change.commits) == 1 else ()
    naming = next(_naming(change), None)
    if len(undone) != 1 or naming is None or _SAYS_BACK.search(naming.text):
        return ()
    text = titles.fitting(
        f"{naming.text.rstrip('.')}; reverts commit {code(undone[0][:_SHORTEST_SHA])}", register.short, change.names
    )
    return (Sentence(text, naming.evidence),) if text is not None and _SAYS_BACK.search(text) else ()


def _line(change: Change, rule: titles.Rule) -> tuple[Sentence, ...]:
    """The first of what names the change that fits."""
    fitted = (
        Sentence(text, sentence.evidence)
        for sentence in _naming(change)
        if (text := titles.fitting(sentence.text, rule, change.names)) is not None
    )
    return tuple(sentence for sentence in (next(fitted, None),) if sentence is not None)


def _naming(change: Change) -> Iterator[Sentence]:
    """What names the change, the truest first."""
    if (updated := title_of_updates(change.commits)) is not None:
        yield updated
    if len(change.commits) == 1:
        yield from _reverting(change.commits[0], change.undone)
    if change.part is not None:
        yield change.part
    elif change.lead is not None:
        yield Sentence(change.lead.statement, (change.lead.id,))


def _reverting(commit: Commit, undone: tuple[Commit, ...]) -> Iterator[Sentence]:
    """A revert by what it takes back: instead of the merge of a request by the title of that."""
    for one in undone:
        title = read_any(one.message).request_title(len(one.parents))
        if title and commit.subject == f'Revert "{one.subject}"' and (text := titles.reverted(f'Revert "{title}"')):
            yield Sentence(text, (commit.id, one.id))
    if (text := titles.reverted(commit.subject)) is not None:
        yield Sentence(text, (commit.id,))


def _medium(change: Change) -> tuple[Sentence, ...]:
    """What the change is, where users can read that, and sentences of its texts; without a diff those of the request alone."""
    if not change.files:
        return explaining.for_users(change.told, None, requests_only=True)
    naming = next(_naming(change), None)
    texts = (naming.text, titles.unmarked(naming.text)) if naming is not None else ()
    fitted = (titles.fitting(text, explaining.users_read, change.names) for text in texts)
    text = next((text for text in fitted if text is not None and not change.has_symbol(text)), None)
    said = (
        Sentence(_stopped(text), naming.evidence) if naming is not None and text is not None else dependencies(change.commits)
    )
    opening = (said,) if said is not None else ()
    speaking = change.speaking if change.part is None else ()
    told_more = explaining.for_users(speaking, change.lead, requests_only=False)
    return (*opening, *(one for one in told_more if not change.has_symbol(one.text)))


def _detail(change: Change) -> tuple[Sentence, ...]:
    """The page: what is taken back, the walk, and what the texts say of why, of migration and of what stays open."""
    walked = walk(change.files, change.sources)
    if not walked:
        return ()
    if change.part is not None:
        return walked
    taken_back = tuple(_taken_back(change))
    return (*taken_back, *walked, *explaining.explained(change.told, change.lead, is_revert=bool(taken_back)))


def _taken_back(change: Change) -> Iterator[Sentence]:
    for commit in change.commits:
        for oid in read_any(commit.message).reverts:
            of_request = titles.request_number(commit.subject)
            text = f"This reverts commit {code(oid[:_SHORTEST_SHA])}" + (f" ({of_request})" if of_request else "") + "."
            yield Sentence(text, (commit.id, *(one.id for one in change.undone if one.oid.startswith(oid))), Heading.CHANGED)


def _stopped(text: str) -> str:
    """The text with the stop of its script."""
    is_wide = unicodedata.east_asian_width(text[-1]) in "WF"
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else f"{text}{'。' if is_wide else '.'}"


PICKS: Final[Mapping[str, Callable[[Change], tuple[Sentence, ...]]]] = {
    "title": _title,
    "short_md": _short,
    "medium_md": _medium,
    "detail_md": _detail,
}
"""By the last component of the asked field."""
