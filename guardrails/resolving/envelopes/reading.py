"""A bundle as describing reads it: items by id, each message once, one change with all that tells it (Describe Changes)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails.evidence.model import Bundle, Commit, Document, DocumentKind, FileChange
from guardrails.evidence.roles import Role, role
from guardrails.records.changeset import Changeset
from guardrails.records.plain_commit import AnyMessage, read_any
from guardrails.resolving.decisions import Decision, decisions
from guardrails.resolving.grouping.clusters import Sign
from guardrails.resolving.grouping.dependency_updates import is_update
from guardrails.resolving.grouping.grouping import Group

_REVERT: Final = re.compile(r"(?i:revert|reapply)\b")
_QUOTED: Final = re.compile(r"""["“'‘].{0,400}["”'’]""")
_CODE: Final = re.compile(r"`[^`\n]{1,400}`")
_FENCES: Final = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Statement:
    """What one message says of a change, and what heads it: the subject, or the title of the request that a commit merged."""

    id: str
    subject: str = field(repr=False)
    """The line that heads it as it is written, without what a revert quotes."""
    head: AnyMessage = field(repr=False)
    said: AnyMessage = field(repr=False)
    """The whole message, without what a revert quotes of another one."""
    is_title: bool = False
    """Whether it heads a whole request: the request itself, or the commit that merged it."""

    @property
    def type(self) -> str:
        """The type of a conventional header, "" without one."""
        return self.head.message.type

    @property
    def text(self) -> str:
        """The subject without a conventional header."""
        return self.head.message.description

    @property
    def is_revert(self) -> bool:
        """Whether it takes something back, or takes that back again."""
        return self.type == "revert" or _REVERT.match(self.text) is not None


@dataclass(frozen=True, slots=True)
class Part:
    """One change: the commits that make it, what each says, and the files and documents that tell it."""

    group: Group
    commits: tuple[Commit, ...] = field(repr=False)
    messages: tuple[Statement, ...] = field(repr=False)
    """What each of the commits says, in their order."""
    titles: tuple[Statement, ...] = field(repr=False)
    """What heads whole requests: the requests themselves, else the merges that brought the change in."""
    files: tuple[FileChange, ...] = field(repr=False)
    requests: tuple[Document, ...] = field(repr=False)
    issues: tuple[Document, ...] = field(repr=False)
    decisions: tuple[Decision, ...] = field(repr=False)
    """The reviewed decisions that its commits link, as far as records of them exist."""
    paths: tuple[str, ...] = field(repr=False)
    """The changed paths, both sides of a rename, each once."""
    roles: frozenset[Role]
    """What the changed paths are for; empty where nobody knows which changed."""
    is_update: bool
    """Whether it only brings dependencies to other versions."""

    @property
    def records(self) -> tuple[tuple[str, Changeset], ...]:
        """The records of these decisions with their evidence ids and the targets that count here."""
        return tuple((one.item, replace(one.record, targets=one.targets)) for one in self.decisions)

    @property
    def is_mixture(self) -> bool:
        """Whether nothing says that the commits belong together: they were only selected together."""
        return len(self.commits) > 1 and self.group.why == "single" and len(self.requests) != 1

    @property
    def heads(self) -> tuple[Statement, ...]:
        """What speaks for the change: titles before the commits that they head; of a mixture each commit."""
        return self.messages if self.is_mixture else self.titles or self.messages

    @property
    def is_half_undone(self) -> bool:
        """Whether some of it takes something back and some does not: what is left of it no message tells."""
        undoing = [one.is_revert for one in self.heads]
        return any(undoing) and not all(undoing)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All that is said of the change: titles and messages, each once."""
        return tuple({one.id: one for one in (*self.titles, *self.messages)}.values())

    @property
    def touches_product(self) -> bool:
        """Whether something changed that users meet, or nobody knows what did."""
        return not self.files or Role.SOURCE in self.roles


@dataclass(frozen=True, slots=True)
class Reading:
    """A bundle by id. Making one is linear in the bundle, taking a part out of it linear in the part."""

    bundle: Bundle = field(repr=False)
    commits: Mapping[str, Commit] = field(repr=False)
    messages: Mapping[str, Statement] = field(repr=False)
    files: Mapping[str, FileChange] = field(repr=False)
    documents: Mapping[str, Document] = field(repr=False)
    decisions: Mapping[str, Decision] = field(repr=False)
    """The reviewed decisions by their id."""

    @classmethod
    def of(cls, bundle: Bundle) -> Reading:
        """Read every message of the selection once."""
        return cls(
            bundle=bundle,
            commits={commit.id: commit for commit in bundle.commits},
            messages={commit.id: _of_commit(commit) for commit in bundle.commits},
            files={file.id: file for file in (*bundle.files(), *(bundle.net or ()))},
            documents={document.id: document for document in bundle.documents},
            decisions=decisions(bundle, bundle.operation.unit if bundle.operation is not None else ""),
        )

    @property
    def linked(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of the reviewed decisions that each commit links, by the commit's own id."""
        every = {item: dict.fromkeys(one.said.message.values("Changeset")) for item, one in self.messages.items()}
        return {item: found for item, names in every.items() if (found := tuple(filter(self.decisions.__contains__, names)))}

    def part(self, group: Group) -> Part:
        """One change; ids that the bundle does not have are passed over."""
        commits = tuple(self.commits[item] for item in group.commits if item in self.commits)
        messages = tuple(_of_part(self.messages[commit.id], group.statement) for commit in commits)
        documents = tuple(self.documents[item] for item in group.documents if item in self.documents)
        requests = tuple(document for document in documents if document.kind is DocumentKind.PULL_REQUEST)
        files = tuple(self.files[item] for item in group.files if item in self.files)
        paths = tuple(dict.fromkeys(path for file in files for path in (file.path, file.old_path) if path is not None))
        linked = dict.fromkeys(value for one in messages for value in one.said.message.values("Changeset"))
        told = (group.decision,) if group.decision else linked
        outer = [commit for commit in commits if commit.files or not commit.diff_known]
        return Part(
            group=group,
            commits=commits,
            messages=messages,
            titles=tuple(map(_of_request, requests)) or tuple(one for one in messages if one.is_title),
            files=files,
            requests=requests,
            issues=tuple(document for document in documents if document.kind is DocumentKind.ISSUE),
            decisions=tuple(self.decisions[value] for value in told if value in self.decisions),
            paths=paths,
            roles=frozenset(map(role, paths)),
            is_update=group.why == Sign.DEPENDENCY_UPDATE or (bool(outer) and all(map(is_update, outer))),
        )


def prose(text: str) -> Iterator[str]:
    """The lines that the author of a request or an issue wrote: without a template's comments, quotations, code, and what is
    folded away, where bots quote the notes of others.
    """
    fence, depth = "", 0
    for line in _without_comments(text).split("\n"):
        bare = line.strip()
        depth = max(0, depth + bare.count("<details") - bare.count("</details"))
        if bare[:3] in _FENCES:
            fence = "" if fence == bare[:3] else fence or bare[:3]
        elif not fence and not depth and not bare.startswith((">", "</details")):
            yield _CODE.sub(" ", line)


def _without_comments(text: str) -> str:
    first, *commented = text.split("<!--")
    return "".join((first, *(rest.partition("-->")[2] for rest in commented)))


def _of_commit(commit: Commit) -> Statement:
    whole = read_any(commit.message)
    title = whole.request_title(len(commit.parents))
    subject, head = (title, read_any(title)) if title else (commit.subject, whole)
    return _without_quoted(Statement(commit.id, subject, head, whole, is_title=bool(title)), commit.message)


def _of_part(whole: Statement, words: str) -> Statement:
    """What a commit says of one of its parts: the words for that part, with the trailers and footers of the whole."""
    if not words:
        return whole
    head = read_any(words)
    return replace(whole, subject=words.partition("\n")[0], head=head, said=replace(whole.said, closing=head.closing))


def _of_request(document: Document) -> Statement:
    text = "\n".join((document.title, "", *prose(document.body)))
    statement = Statement(document.id, document.title, read_any(document.title), read_any(text), is_title=True)
    return _without_quoted(statement, text)


def _without_quoted(statement: Statement, text: str) -> Statement:
    """The statement, where it is a revert, without the quoted subject: what that cites is cited by another change."""
    if not statement.is_revert:
        return statement
    bare = text.replace(statement.subject, subject := _QUOTED.sub("", statement.subject), 1)
    return replace(statement, subject=subject, said=read_any(bare))
