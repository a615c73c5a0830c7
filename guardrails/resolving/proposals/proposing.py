"""A proposed contract: what a change is now, with what could not be known as questions (Change Contracts: schema 0.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from guardrails import strict_yaml
from guardrails.code_facts.model import Fact, Kind
from guardrails.code_facts.providers import PROVIDERS
from guardrails.contracts import dependencies
from guardrails.contracts.budget import counted
from guardrails.contracts.coverage import read as read_facts
from guardrails.contracts.evaluate import Compared
from guardrails.contracts.inventory import Change, Snapshot
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.evidence.model import Bundle, DocumentKind
from guardrails.redaction.redact import RedactedEvidence
from guardrails.resolving.proposals.claiming import Claimed, claims
from guardrails.resolving.proposals.scoping import globs, is_companion, rounded_files, rounded_lines

APPROVAL: Final = "approved-contract"
"""The field of the question that every proposal ends in."""
_SETTINGS: Final = frozenset(("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "package.json", "tsconfig.json"))
"""Files that say how tests are found."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A contract as JSON types, in the order of its schema, and what a person has to say of it.

    Where nothing may be told of the change there is no contract, and `contract` is empty.
    """

    contract: dict[str, object] = field(repr=False)
    questions: tuple[Unresolved, ...]

    @property
    def text(self) -> str:
        """The file: marked as a proposal, each question above the contract, which is valid as it stands."""
        head = ["PROPOSAL: drafted from the change itself. It approves nothing until a person has reviewed it.", "Open:"]
        head += [f"- {one.field}: {one.question}" for one in self.questions]
        written = strict_yaml.write(self.contract).decode() if self.contract else ""
        return "".join(f"# {line}\n" for line in head) + written


def propose(evidence: RedactedEvidence, compared: Compared) -> Proposal:
    """Propose the contract that the change keeps as it is. Nothing that was withheld or taken out is in it.

    `compared` are the sides of exactly what was selected; only paths and names that the evidence may show are told.
    """
    told = _told(evidence, compared)
    tests = tuple(fact for fact in _new_tests(told, compared) if not evidence.guard.leaks(f"{fact.file} {fact.name}"))
    said, more = claims(evidence.bundle, {change.path for change in told}, tests)
    said = tuple(one for one in said if not evidence.guard.leaks(one.text))
    new, untold = dependencies.new_names(told, compared.base, compared.head)
    wanted = tuple(name for name in new if _may_name(name, evidence))
    name, is_own = _name(evidence.bundle, said)
    is_whole = len(told) == len(compared.changes) and len(wanted) == len(new)
    contract: dict[str, object] = {
        "schema": "0.3",
        "change": {"name": name},
        "scope": _scope(told, compared),
        **({"dependencies": {"allow": list(wanted)}} if wanted else {}),
        **({"claims": [_claim(one) for one in said]} if said else {}),
    }
    questions = (
        *_of_name(evidence.bundle, is_own=is_own),
        *_of_scope(is_whole=is_whole),
        *_of_dependencies(wanted, untold),
        *_of_claims(said, more),
        Unresolved(
            APPROVAL,
            Reason.POLICY,
            "Is this what was agreed? Have it reviewed, and give the reviewed file with --approved-contract.",
        ),
    )
    return Proposal(contract if told else {}, questions)


def _told(evidence: RedactedEvidence, compared: Compared) -> tuple[Change, ...]:
    """The changed paths that may be named: where anything is withheld, only those that are shown nevertheless."""
    leaks = evidence.guard.leaks_of([change.path for change in compared.changes])
    clean = tuple(change for change, found in zip(compared.changes, leaks, strict=True) if not found)
    if not evidence.withheld:
        return clean
    shown = {path for file in evidence.bundle.files() for path in (file.path, file.old_path) if path}
    return tuple(change for change in clean if change.path in shown)


def _may_name(name: str, evidence: RedactedEvidence) -> bool:
    """Whether a new dependency may be named: where anything is withheld, it must stand in what is shown."""
    if evidence.guard.leaks(name):
        return False
    hunks = (hunk.text or "" for file in evidence.bundle.files() for hunk in file.hunks)
    return not evidence.withheld or any(name in text for text in hunks)


def _scope(told: Sequence[Change], compared: Compared) -> dict[str, object]:
    own = globs(change.path for change in told if not is_companion(change.path))
    beside = globs(change.path for change in told if is_companion(change.path))
    allowed, companions = (own, beside) if own else (beside, ())
    budget: dict[str, int] = {"files": rounded_files(len(told))}
    unread = compared.base.undecodable | compared.head.undecodable
    if unread.isdisjoint(change.path for change in told):
        budget["lines"] = rounded_lines(sum(counted(change, compared.base, compared.head) for change in told))
    return {"allow": list(allowed), **({"companions": list(companions)} if companions else {}), "budget": budget}


def _new_tests(told: Sequence[Change], compared: Compared) -> tuple[Fact, ...]:
    """The tests that changed files define at the head and not at the base."""
    paths = {change.path for change in told if is_companion(change.path)}
    before = {(fact.file, fact.name) for fact in _tests(compared.base, paths)}
    return tuple(fact for fact in _tests(compared.head, paths) if (fact.file, fact.name) not in before)


def _tests(side: Snapshot, paths: Collection[str]) -> Iterator[Fact]:
    def is_wanted(path: str) -> bool:
        return path in paths or path.rpartition("/")[2] in _SETTINGS

    entries = {path: entry for path, entry in side.entries.items() if is_wanted(path)}
    texts = {path: text for path, text in side.texts.items() if is_wanted(path)}
    read = read_facts(replace(side, entries=entries, texts=texts), PROVIDERS)
    found = (fact for _, reading in read.readings for fact in reading.facts)
    yield from sorted(
        (fact for fact in found if fact.kind is Kind.TEST_DEFINITION and fact.file in paths),
        key=lambda one: (one.file, one.line),
    )


def _name(bundle: Bundle, said: Sequence[Claimed]) -> tuple[str, bool]:
    """What the change is called, and whether somebody called all of it so."""
    title = next((one.title for one in bundle.documents if one.kind is DocumentKind.PULL_REQUEST and one.title.strip()), "")
    if title:
        return " ".join(title.split()), True
    if len(said) == 1 or len(bundle.commits) == 1:
        return (said[0].text if said else " ".join(bundle.commits[0].subject.split()) or bundle.selection.spec), True
    return bundle.selection.spec, False


def _claim(one: Claimed) -> dict[str, object]:
    tests = [{"kind": "test", "file": test.file, "name": test.name} for test in one.tests]
    return {"id": one.id, "text": one.text, "files": list(one.files), **({"evidence": tests} if tests else {})}


def _of_name(bundle: Bundle, *, is_own: bool) -> Iterator[Unresolved]:
    if not is_own:
        evidence = tuple(commit.id for commit in bundle.commits[:5])
        yield Unresolved("change.name", Reason.AMBIGUOUS, "What is the change called?", ("<text>",), evidence=evidence)


def _of_scope(*, is_whole: bool) -> Iterator[Unresolved]:
    if not is_whole:
        question = "Something of the change may not be told here, so it is not allowed. What else of it is?"
        yield Unresolved("scope.allow", Reason.WITHHELD, question, ("<patterns of paths>",))


def _of_dependencies(new: Sequence[str], untold: Sequence[str]) -> Iterator[Unresolved]:
    if new:
        asked = (Suggestion(tuple(new), ()),)
        yield Unresolved("dependencies.allow", Reason.POLICY, "Are these new dependencies wanted?", ("<names>",), asked)
    if untold:
        question = "Not all that changed manifests add can be told. What is it?"
        yield Unresolved("dependencies.allow", Reason.NOT_READ, question, ("<names>",))


def _of_claims(said: Sequence[Claimed], more: int) -> Iterator[Unresolved]:
    for place, one in enumerate(said):
        field_ = f"claims[{place}].evidence"
        if one.tests:
            question = "These tests came with it. Do they show what is claimed?"
            yield Unresolved(field_, Reason.AMBIGUOUS, question, ("<tests, or a manual note>",), evidence=(one.source,))
        else:
            question = "What shows that this is so?"
            yield Unresolved(field_, Reason.NO_EVIDENCE, question, ("<tests, or a manual note>",), evidence=(one.source,))
    if more:
        question = f"{more} more commits claim something. Which of it belongs into the contract?"
        yield Unresolved("claims", Reason.AMBIGUOUS, question, ("<claims>",))
    elif not said:
        yield Unresolved("claims", Reason.NO_EVIDENCE, "What does the change achieve?", ("<claims>",))
