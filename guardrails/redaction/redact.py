"""Evidence to RedactedEvidence: disclosure, secrets, terms, people, neutralising (Intent Changesets 6.9, 11.7, 12).

This module is the only maker of `RedactedEvidence`; prompts, caches, logs, receipts, errors and renderers take nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from guardrails.digests import digest_of
from guardrails.evidence.items import ItemT, with_items
from guardrails.evidence.model import Bundle, Evidence
from guardrails.redaction.disclosure import Withheld, disclose
from guardrails.redaction.judging import Cleaned, Judge, Leaf
from guardrails.redaction.known_fields import without_unknown_fields
from guardrails.redaction.leaves import Form, rewrite
from guardrails.redaction.neutralise import hidden
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from guardrails.redaction.terms import Mention

_SEAL = object()
_AT_ONCE: Final = 4096
_REMEMBERED: Final = 4096
_SHORT: Final = 400
"""Characters of a text that is worth remembering: as long as the texts of a draft, which are looked at from several sides."""
_PERSONAL: Final = frozenset(("person", "email"))


@dataclass(frozen=True, slots=True)
class Redaction:
    """How often one rule took something out of one item; never a value."""

    item: str
    rule: str
    count: int


@dataclass(frozen=True, slots=True)
class Leak:
    """A place in a text that must not leave: character offsets and the rule."""

    start: int
    end: int
    rule: str


class Guard(Protocol):
    """The same judgement for outgoing text: built by `redact` together with the evidence, opaque, never serialised."""

    def leaks(self, text: str) -> tuple[Leak, ...]:
        """Secrets, policy terms, people, hidden characters and withheld identifiers that stand in `text`."""
        ...

    def leaks_of(self, texts: Sequence[str]) -> tuple[tuple[Leak, ...], ...]:
        """The leaks of each text; much faster than one after another."""
        ...

    def clean(self, text: str) -> str:
        """`text` with every leak replaced by its placeholder."""
        ...

    def cleaned(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Each text with every leak replaced by its placeholder; much faster than one after another."""
        ...


@dataclass(frozen=True, slots=True, weakref_slot=True)
class RedactedEvidence:
    """A bundle that may be prompted, logged, cached and cited; its repr shows none of it. `redact` alone makes it."""

    bundle: Bundle = field(repr=False)
    withheld: tuple[Withheld, ...] = field(repr=False)
    redactions: tuple[Redaction, ...]
    policy_digest: str
    engine: str
    guard: Guard = field(repr=False, compare=False)
    seal: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse any maker but `redact`.

        Raises:
            TypeError: made elsewhere.
        """
        if self.seal is not _SEAL:
            raise TypeError("RedactedEvidence is made by guardrails.redaction.redact alone")


def redact(evidence: Evidence, policy: Policy, engine: SecretEngine, *, client: str = "extractive") -> RedactedEvidence:
    """Open raw evidence and take out all that may not leave. `client` is the drafter that is going to see it.

    Pure and deterministic for the same evidence, policy and engine; idempotent; nothing found is ever un-found. An item that
    something but people was taken out of gets the digest of what is left, for the digest of the raw bytes would let a short
    secret be guessed.
    """
    disclosed = disclose(evidence.open(), frozenset(policy.inside.get(client, ())))
    bundle, withheld, names = disclosed.bundle, disclosed.withheld, disclosed.names
    bundle = replace(bundle, records=tuple(map(without_unknown_fields, bundle.records)))
    judge = Judge(policy, engine, names, frozenset(_objects(bundle)))
    leaves, items = _leaves(bundle, withheld)
    _introduce(judge, bundle, leaves)
    cleaned = judge.clean(leaves)
    texts = iter(cleaned)
    bundle = rewrite(bundle, lambda _item, _form, _text: next(texts).text)
    marks = tuple(mark if mark.placeholder is None else replace(mark, placeholder=next(texts).text) for mark in withheld)
    return RedactedEvidence(
        _with_new_digests(bundle, items, cleaned),
        marks,
        _counted(items, cleaned),
        policy.digest,
        engine.version,
        _Guard(judge),
        _SEAL,
    )


class _Guard:
    """The judge that redacted the evidence, kept for what is written from it."""

    __slots__ = ("_judge", "_sound")

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._sound: set[str] = set()

    def __repr__(self) -> str:
        return "Guard()"

    def __reduce__(self) -> str:
        raise TypeError("a guard knows what was taken out and cannot be serialised")

    def leaks(self, text: str) -> tuple[Leak, ...]:
        """All places in `text` that must not leave."""
        return self.leaks_of((text,))[0]

    def leaks_of(self, texts: Sequence[str]) -> tuple[tuple[Leak, ...], ...]:
        """Those of each text. Where one has any, a secret of it is looked for in all, also in those that are sound alone."""
        strange = [text for text in texts if text not in self._sound]
        found = self._found_in(strange)
        if any(found):
            return found if len(strange) == len(texts) else self._found_in(texts)
        if len(self._sound) < _REMEMBERED:
            self._sound.update(text for text in strange if len(text) <= _SHORT)
        return ((),) * len(texts)

    def _found_in(self, texts: Sequence[str]) -> tuple[tuple[Leak, ...], ...]:
        """The leaks of each text; where a secret was learnt, they are gone through again."""
        judge = self._judge.fresh()
        known = -1
        while judge.known > known:
            known = judge.known
            found = tuple(leaks for some in _some(texts) for leaks in _found(judge, some))
        return found

    def clean(self, text: str) -> str:
        """`text` without them."""
        return self.cleaned((text,))[0]

    def cleaned(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Each text without them."""
        return tuple(one.text for one in self._judge.fresh().clean([Leaf(Form.PROSE, text) for text in texts]))


def _some(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts, as many at once as are worth it: those of a whole history together take several times their room."""
    return (texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE))


def _found(judge: Judge, texts: Sequence[str]) -> Iterator[tuple[Leak, ...]]:
    found = judge.find([Leaf(Form.PROSE, text) for text in texts])
    return (_leaks(text, mentions) for text, mentions in zip(texts, found, strict=True))


def _leaks(text: str, mentions: Iterable[Mention]) -> tuple[Leak, ...]:
    leaks = [Leak(mention.start, mention.end, mention.rule) for mention in mentions]
    leaks += [Leak(start, end, "hidden-character") for start, end in hidden(text)]
    return tuple(sorted(leaks, key=lambda leak: (leak.start, leak.end)))


def _leaves(bundle: Bundle, withheld: tuple[Withheld, ...]) -> tuple[list[Leaf], list[str]]:
    """Every text, and the id of the item that each belongs to; placeholders of redacted records are texts as well."""
    leaves: list[Leaf] = []
    items: list[str] = []

    def collect(item: str, form: Form, text: str) -> str:
        leaves.append(Leaf(form, text))
        items.append(item)
        return text

    rewrite(bundle, collect)
    for mark in withheld:
        if mark.placeholder is not None:
            collect("withheld", Form.PROSE, mark.placeholder)
    return leaves, items


def _introduce(judge: Judge, bundle: Bundle, leaves: list[Leaf]) -> None:
    """Let the judge know the people and the placeholders that are there already."""
    judge.numbers.pass_over(leaf.text for leaf in leaves)
    if judge.people is None:
        return
    for commit in (*bundle.commits, *bundle.referenced):
        for person in (commit.author, commit.committer):
            judge.people.key(person.name, person.email)
    for document in bundle.documents:
        if document.author:
            judge.people.key(f"@{document.author.removeprefix('@')}", document.author)


def _objects(bundle: Bundle) -> Iterator[str]:
    """The run's own object names."""
    commits = (*bundle.commits, *bundle.referenced)
    files = [*bundle.uncommitted, *(bundle.net or ()), *(file for commit in commits for file in commit.files)]
    yield from (name for name in (bundle.selection.base, bundle.selection.head) if name)
    for commit in commits:
        yield from (commit.oid, *commit.parents)
    for file in files:
        yield from (file.old_object, file.new_object)


def _counted(items: list[str], cleaned: list[Cleaned]) -> tuple[Redaction, ...]:
    counts: Counter[tuple[str, str]] = Counter()
    for item, leaf in zip(items, cleaned, strict=True):
        for rule, count in leaf.counts.items():
            counts[item, rule] += count
    return tuple(Redaction(item, rule, count) for (item, rule), count in counts.items())


def _with_new_digests(bundle: Bundle, items: list[str], cleaned: list[Cleaned]) -> Bundle:
    """Items that lost more than people get the digest of what is left of them."""
    changed = {item for item, leaf in zip(items, cleaned, strict=True) if leaf.counts.keys() - _PERSONAL}
    texts: dict[str, list[str]] = {item: [] for item in changed}
    for item, leaf in zip(items, cleaned, strict=True):
        if item in changed:
            texts[item].append(leaf.text)
    digests = {item: digest_of(parts) for item, parts in texts.items()}

    def renewed(item: ItemT) -> ItemT:
        return replace(item, digest=digests[item.id]) if item.id in digests else item

    return _with_new_results(with_items(bundle, renewed), digests) if digests else bundle


def _with_new_results(bundle: Bundle, digests: Mapping[str, str]) -> Bundle:
    """A verification that lost something is named by what is left of it, in all that came of it."""
    lost = {one.result for one in bundle.contracts if one.id in digests}
    new = {name: digest_of([[one.title, one.body] for one in bundle.contracts if one.result == name]) for name in lost}
    contracts = (
        replace(one, result=new[one.result], digest=new.get(one.digest, one.digest)) if one.result in new else one
        for one in bundle.contracts
    )
    return replace(bundle, contracts=tuple(contracts)) if new else bundle
