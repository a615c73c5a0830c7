"""What each selected commit says, read once: message, units that it touches, decisions that it links (Intent Changesets 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from guardrails.drafts.changeset import field_order
from guardrails.evidence.model import Answer, Bundle, Commit, FileChange
from guardrails.records import changeset
from guardrails.records.changeset import Changeset, Target
from guardrails.records.commit import Message, default_impact, selected, units
from guardrails.records.disclosure import STRICTNESS
from guardrails.records.entries import LEDGER
from guardrails.records.plain_commit import AnyMessage, read_any
from guardrails.records.profile import Profile
from guardrails.resolving.decisions import Decision, decisions
from guardrails.resolving.rules import Rules
from guardrails.resolving.sheet import unique


@dataclass(frozen=True, slots=True)
class View:
    """One commit as resolving sees it: `declared` units are of scope, `Affects` and `Target-*`, `changed` ones of paths."""

    commit: Commit
    said: AnyMessage = field(repr=False)
    declared: tuple[str, ...]
    changed: tuple[str, ...]
    changesets: tuple[str, ...]
    """The decisions that the commit links, each once."""

    @property
    def id(self) -> str:
        """The evidence id."""
        return self.commit.id

    @property
    def message(self) -> Message:
        """The message in its parts."""
        return self.said.message

    @property
    def title(self) -> str:
        """The title of the request that the commit merged; "" for any other commit."""
        return self.said.request_title(len(self.commit.parents))

    @property
    def units(self) -> tuple[str, ...]:
        """Every release unit the commit touches."""
        return unique((*self.declared, *self.changed))


@dataclass(frozen=True, slots=True)
class Existing:
    """A changeset that exists: as a file, or as the ledger entries that it was consumed into, one a target."""

    record: Changeset = field(repr=False)
    items: tuple[str, ...]
    """The evidence id of the file, or of the entry of each target."""
    is_file: bool = True

    @property
    def item(self) -> str:
        """Where it is told first."""
        return self.items[0]

    def item_of(self, target: int) -> str:
        """Where a target is told."""
        return self.items[target] if target < len(self.items) else self.items[0]


@dataclass(frozen=True, slots=True)
class Case:
    """All that one decision is resolved from: `views` are the commits that take part, `merges` only cite."""

    bundle: Bundle = field(repr=False)
    profile: Profile = field(repr=False)
    rules: Rules
    answers: Mapping[str, Answer]
    views: tuple[View, ...]
    merges: tuple[View, ...] = ()
    records: tuple[Existing, ...] = ()
    """The existing changesets that can be read."""

    @property
    def evidence(self) -> tuple[str, ...]:
        """The ids of what takes part: commits, or the changed paths when nothing is committed yet."""
        return tuple(view.id for view in self.views) or tuple(change.id for change in self.bundle.uncommitted)

    @property
    def files(self) -> tuple[FileChange, ...]:
        """The file changes that take part."""
        return (*(change for view in self.views for change in view.commit.files), *self.bundle.uncommitted)

    def records_of(self, word: object) -> tuple[Existing, ...]:
        """The existing changesets with this id."""
        return tuple(existing for existing in self.records if existing.record.id == word)

    def answers_below(self, prefix: str) -> tuple[Answer, ...]:
        """The answers whose path begins with `prefix`, in the order of the record's fields."""
        paths = (path for path in self.answers if path.startswith(prefix))
        return tuple(self.answers[path] for path in sorted(paths, key=field_order))


def readable(bundle: Bundle) -> tuple[Existing, ...]:
    """The existing records that are changesets, and what ledgers alone tell of; others say nothing about a decision."""
    read = ((record.id, changeset.read(record.data)) for record in bundle.records if record.where != LEDGER)
    files = tuple(Existing(found, (item,)) for item, found in read if isinstance(found, Changeset))
    alone = (one for one in decisions(bundle).values() if all(source.where == LEDGER for source in one.sources))
    return (*files, *map(_consumed, alone))


def _consumed(decision: Decision) -> Existing:
    """A decision that only ledgers tell, made of the newest entry of each target; what one of them withholds is withheld."""
    newest: dict[tuple[str, str | None], tuple[str, Target]] = {}
    for source in decision.sources:
        for target in source.record.targets:
            newest.setdefault((target.release_unit, target.stream), (source.item, target))
    items, targets = zip(*newest.values(), strict=True)
    told = [source.record for source in decision.sources if source.item in items]
    strictest = max((record.disclosure for record in told), key=lambda one: STRICTNESS.get(one.state, len(STRICTNESS)))
    return Existing(replace(told[0], targets=targets, disclosure=strictest), items, is_file=False)


def view(commit: Commit, profile: Profile, rules: Rules) -> View:
    """Read one commit under profile and rules."""
    said = read_any(commit.message)
    chosen = (
        item.unit
        for name in ("Target-Impact", "Target-Migration")
        for item in selected(said.message, name)
        if item is not None and item.unit in profile.release_units
    )
    declared = unique((*units(said.message, profile), *chosen))
    linked = unique(value for value in said.message.values("Changeset") if value)
    return View(commit, said, declared, changed_units(commit.files, profile, rules), linked)


def changed_units(files: tuple[FileChange, ...], profile: Profile, rules: Rules) -> tuple[str, ...]:
    """The units whose paths were changed, by the project's rules; both sides of a rename count."""
    paths = unique(path for change in files for path in (change.path, change.old_path) if path is not None)
    found = (rules.unit_of(path) for path in paths)
    return unique(unit for unit in found if unit is not None and unit in profile.release_units)


def is_internal(view: View, profile: Profile, rules: Rules) -> bool:
    """Whether a commit asks for no release by itself: its impact is `none` everywhere, and it links no decision."""
    message = view.message
    overall = message.values("Impact") or (rules.impacts.get(message.type) or default_impact(message, profile),)
    chosen = (item.value for item in selected(message, "Target-Impact") if item is not None)
    is_loud = view.said.breaking or bool(view.said.breaking_notes) or bool(view.changesets)
    return not is_loud and all(value == "none" for value in (*overall, *chosen))
