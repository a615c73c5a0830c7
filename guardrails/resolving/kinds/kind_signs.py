"""What people said of a change's kind in a vocabulary, each sign with the evidence that carries it (Describe Changes: kind).

A sign names the kinds that it leaves possible. Prose is never a sign of a breaking change: a line that happens to begin with
"breaking change" says nothing, and one that claims it as a footer would is asked. What a bot quotes of others says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from guardrails.drafts.envelope import KINDS
from guardrails.drafts.sourced import Basis
from guardrails.evidence.identifiers import IdentifierKind, mentions
from guardrails.evidence.model import Change, FileChange
from guardrails.evidence.roles import Role
from guardrails.records.commit import selected
from guardrails.resolving.envelopes.reading import Part, Statement
from guardrails.resolving.kinds import kind_words
from guardrails.resolving.kinds.kind_words import BREAKING, BUG_FIX, DOCS, FEATURE, OPS, SECURITY
from guardrails.resolving.rules import Rules
from guardrails.wording.activity import is_upkeep

DANGER: Final = frozenset((BREAKING, SECURITY))
HOUSEKEEPING: Final = frozenset((DOCS, OPS))
PLAIN: Final = frozenset(KINDS) - DANGER
_NO: Final = frozenset(("-", "n/a", "na", "no", "nope", "nothing", "none"))
_CLAIM: Final = re.compile(r"\W{0,6}breaking(?: api)? changes?\W{0,3}:\W{0,3}\s(.{1,200})", re.IGNORECASE)
_CURED: Final = re.compile(
    r"(?:^|\b(?:fix(?:e[sd])?|address(?:e[sd])?|mitigate[sd]?|patch(?:e[sd])?|resolve[sd]?|prevents?|remediate[sd]?|closes?)\b"
    r"(?![^.\n]{0,80}\btests?\b)[^.\n]{0,80}?\W)$",
    re.IGNORECASE,
)
"""What stands before an advisory that a change cures."""
_ADVISORY: Final = re.compile(r"\b(?:CVE|GHSA|RUSTSEC|PYSEC|OSV|USN|RHSA|DSA)-", re.IGNORECASE)
_SECURITY_MARK: Final = re.compile(r"\[security\]|\(security\)|\bsecurity (?:fix|patch|release)\b", re.IGNORECASE)
_MAJOR_BUMP: Final = re.compile(r"^\+[ \t]*[\"']?[@\w./-]{1,214}[\"']?:[ \t]*major[ \t]*$", re.MULTILINE)
_BUILDING: Final = "build"
"""A type that names a place: where nothing of that changed, the word means a part of the product."""


@dataclass(frozen=True, slots=True)
class Sign:
    """The kinds that something leaves possible, the ids that carry it, and what it is."""

    kinds: frozenset[str]
    evidence: tuple[str, ...]
    why: str
    basis: Basis = Basis.RULE


def breaking(part: Part, rules: Rules) -> Iterator[Sign]:
    """`!`, a `BREAKING CHANGE` footer, an impact of major, a type or a label that says so, a changeset of major impact."""
    for one in part.statements:
        if rules.breaking_marker in {None, "major"} and is_marked(one, part):
            yield Sign(frozenset((BREAKING,)), (one.id,), "it is marked as breaking")
        if "major" in impacts(one):
            yield Sign(frozenset((BREAKING,)), (one.id,), "a trailer says that its impact is major", Basis.TRAILER)
        if BREAKING in of_type(one.type, rules):
            yield Sign(frozenset((BREAKING,)), (one.id,), f"its type is {one.type}")
    yield from _labels(part, rules, frozenset((BREAKING,)))
    for item, record in part.records:
        if any(target.impact == "major" for target in record.targets):
            yield Sign(frozenset((BREAKING,)), (item,), f"the changeset {record.id} says that its impact is major")
    for file in part.files:
        if _bumps_major(file):
            yield Sign(frozenset((BREAKING,)), (file.id,), "a changeset file asks for a major release")


def security(part: Part, rules: Rules) -> Iterator[Sign]:
    """A type or label of security, a linked changeset of that type, an advisory that is said to be cured."""
    for one in part.statements:
        if SECURITY in of_type(one.type, rules):
            yield Sign(frozenset((SECURITY,)), (one.id,), f"its type is {one.type}")
        elif not one.is_revert and (_SECURITY_MARK.search(one.text) or any(_cured(one, part))):
            yield Sign(frozenset((SECURITY,)), (one.id,), "it says that it cures a weakness")
    yield from _labels(part, rules, frozenset((SECURITY,)))
    yield from _release_types(part, rules, frozenset((SECURITY,)))


def claims(part: Part) -> Iterator[Sign]:
    """Lines that claim a breaking change in prose, as a footer would: no sign, but a reason to ask."""
    for one in () if part.is_update else part.statements:
        lines = (_CLAIM.fullmatch(line[:400]) for line in one.said.message.body.split("\n"))
        if any(claim is not None and not _denies(claim[1]) for claim in lines):
            yield Sign(frozenset((BREAKING,)), (one.id,), "a line of prose claims a breaking change")


def typed(part: Part, rules: Rules) -> Iterator[Sign]:
    """Commit types by the project's rules, else by convention; that of a request's title before those of its commits."""

    def speak(one: Statement) -> Sign | None:
        kinds = of_type(one.type, rules) - DANGER
        is_own = one.type in rules.kinds or one.type in rules.types
        kinds = kinds if is_own else _in_place(kinds, one, part)
        return Sign(kinds, (one.id,), f"its type is {one.type}") if kinds else None

    yield from together(part, speak, part.heads) or together(part, speak, part.messages)


def labelled(part: Part, rules: Rules) -> Iterator[Sign]:
    """Labels of the requests, all as one sign; labels of documents and upkeep alone count only where nothing else changed."""
    signs = tuple(_labels(part, rules, PLAIN))
    kinds = union(sign.kinds for sign in signs)
    if kinds - HOUSEKEEPING or (kinds and not part.touches_product):
        yield Sign(kinds, evidence_of(signs), "labels say so")


def recorded(part: Part, rules: Rules) -> Iterator[Sign]:
    """The release types of linked changesets."""
    yield from _release_types(part, rules, PLAIN)


def together(part: Part, speak: Callable[[Statement], Sign | None], statements: tuple[Statement, ...]) -> tuple[Sign, ...]:
    """What several statements say as one: upkeep goes along with the rest, and fixes with the feature that they belong to.

    Upkeep beside what says nothing of itself, and fixes after it, go along with just that. Commits that were only selected
    together must all speak, and none goes along.
    """
    told = [(one, speak(one)) for one in statements]
    signs = [sign for _, sign in told if sign is not None]
    if not signs or (part.is_mixture and len(signs) < len(statements)):
        return ()
    leading = [sign for sign in signs if not sign.kinds <= HOUSEKEEPING] or signs
    if _mends_silence(leading, told):
        return ()
    features = [sign for sign in leading if sign.kinds == {FEATURE}]
    leading = features if features and not part.is_mixture else leading
    return (Sign(union(sign.kinds for sign in leading), evidence_of(leading), leading[0].why),)


def is_marked(one: Statement, part: Part) -> bool:
    """Whether a header has `!` or a footer tells a breaking change."""
    notes = () if part.is_update else one.said.breaking_notes
    return one.head.breaking or not all(map(_denies, notes))


def impacts(one: Statement) -> tuple[str, ...]:
    """The impacts that trailers give, overall or for a target."""
    message = one.said.message
    chosen = (item.value for item in selected(message, "Target-Impact") if item is not None)
    return (*message.values("Impact"), *chosen)


def of_type(word: str, rules: Rules) -> frozenset[str]:
    """What a commit type means: by the project's own rule, by its release type, or by convention."""
    if word in rules.kinds:
        return frozenset((rules.kinds[word],))
    released = _of_release_type(rules.types[word], rules) if word in rules.types else frozenset[str]()
    return released or kind_words.of_type(word)


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """All that is in one of them."""
    return frozenset(chain.from_iterable(sets))


def evidence_of(signs: Iterable[Sign]) -> tuple[str, ...]:
    """The ids that carry them, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(sign.evidence for sign in signs)))


def _mends_silence(leading: Sequence[Sign], told: Sequence[tuple[Statement, Sign | None]]) -> bool:
    """Whether what speaks only goes along with statements that say nothing of their kind."""
    outer = [sign for one, sign in told if not is_upkeep(one.text)]
    if len(told) < 2 or not outer:
        return False
    if all(sign.kinds <= HOUSEKEEPING for sign in leading):
        return None in outer
    return outer[0] is None and all(sign.kinds == {BUG_FIX} for sign in leading)


def _in_place(kinds: frozenset[str], one: Statement, part: Part) -> frozenset[str]:
    """A fix or a feature of documents, tests or automation is docs or ops, where nothing else changed."""
    if one.type == _BUILDING and part.files and part.roles <= {Role.SOURCE, Role.DOCUMENTATION}:
        return frozenset()
    if not kinds or kinds <= HOUSEKEEPING or part.touches_product:
        return kinds
    if scope := kind_words.of_scope(one.head.message.scope):
        return scope
    if part.roles <= {Role.DOCUMENTATION}:
        return frozenset((DOCS,))
    return frozenset((OPS,)) if kinds == {BUG_FIX} and part.roles <= {Role.TESTS, Role.AUTOMATION} else kinds


def _labels(part: Part, rules: Rules, wanted: frozenset[str]) -> Iterator[Sign]:
    for document in part.requests:
        for label in document.labels:
            if kinds := _of_label(label, rules) & wanted:
                yield Sign(kinds, (document.id,), "a label says so")


def _of_label(label: str, rules: Rules) -> frozenset[str]:
    if label in rules.kinds:
        return frozenset((rules.kinds[label],))
    released = _of_release_type(rules.type_labels[label], rules) if label in rules.type_labels else frozenset[str]()
    return released or kind_words.of_label(label)


def _release_types(part: Part, rules: Rules, wanted: frozenset[str]) -> Iterator[Sign]:
    for item, record in part.records:
        for target in record.targets:
            if kinds := _of_release_type(target.type, rules) & wanted:
                yield Sign(kinds, (item,), f"the changeset {record.id} says so")


def _of_release_type(word: str, rules: Rules) -> frozenset[str]:
    return frozenset((rules.kinds[word],)) if word in rules.kinds else kind_words.of_release_type(word)


def _bumps_major(file: FileChange) -> bool:
    """Whether a changeset in the manner of npm workspaces is added that asks for a major release of a package."""
    is_changeset = file.change is Change.ADDED and "/.changeset/" in f"/{file.path}" and file.path.endswith(".md")
    return is_changeset and any(hunk.text is not None and _MAJOR_BUMP.search(hunk.text) for hunk in file.hunks[:1])


def _cured(one: Statement, part: Part) -> Iterator[str]:
    """The advisories that a statement says it cures; of a dependency update only those in its subject."""
    body = () if part.is_update else one.said.message.body.split("\n")
    cited = (f"fixes {trailer.value}" for trailer in one.said.message.trailers if trailer.name.lower() in {"fixes", "cve"})
    for line in filter(_ADVISORY.search, (one.subject, *body, *cited)):
        for mention in mentions(line[:2000]):
            if mention.kind is IdentifierKind.ADVISORY and _CURED.search(line[: mention.start]):
                yield mention.value


def _denies(text: str) -> bool:
    return text.casefold().strip(" .*_") in _NO
