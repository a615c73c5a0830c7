"""Whether a test is defined, and whether it ran and passed (Change Contracts: evidence, claims).

A run counts only where it was about these files, this commit and this contract. Nobody but who ran it attests it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from guardrails.contracts import evidence_envelope, facts
from guardrails.contracts.clauses import EvidenceClause, TestItem
from guardrails.contracts.coverage import Side
from guardrails.contracts.evidence_envelope import Envelope
from guardrails.contracts.inventory import Snapshot
from guardrails.contracts.results import EVIDENCE_MISSING, UNDECIDED, WARNING, Clause, Ran, Result, Shown, Status
from guardrails.contracts.schema import Contract


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a run: nothing where no envelope was given, or where it is about something else (`stale` says what)."""

    envelope: Envelope | None = field(default=None, repr=False)
    stale: tuple[str, ...] = ()
    _by_name: Mapping[str, tuple[evidence_envelope.Ran, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, envelope: Envelope | None, contract: Contract, head: Snapshot) -> Evidence:
        """Hold an envelope against the contract that decides and the side after the change."""
        if envelope is None:
            return cls()
        if stale := tuple(_differences(envelope, contract, head)):
            return cls(envelope, stale)
        by_name: dict[str, list[evidence_envelope.Ran]] = {}
        for test in envelope.tests:
            for name in {test.scenario, test.title or test.scenario}:
                by_name.setdefault(name, []).append(test)
        return cls(envelope, (), {name: tuple(tests) for name, tests in by_name.items()})

    def runs(self, name: str, file: str | None) -> tuple[evidence_envelope.Ran, ...]:
        """The runs whose full name or own title is `name`, in `file` where one is given; none where nothing is known."""
        return tuple(test for test in self._by_name.get(name, ()) if file in (None, test.file))


def clause(wanted: EvidenceClause, evidence: Evidence, head: Side) -> Result:
    """How an evidence clause stands; a scenario that ran is meant by its full name alone."""
    if wanted.stage != "test":
        shown = Shown(Status.UNKNOWN, f"nothing is known of the stage {wanted.stage}; only test is read")
    elif wanted.method == "definition":
        shown = facts.defined(wanted.scenario, wanted.file, head)
    else:
        shown = _executed(wanted, evidence)
    codes = {Status.INCOMPLETE: EVIDENCE_MISSING.name, Status.UNKNOWN: UNDECIDED.name}
    is_run = wanted.stage == "test" and wanted.method == "execution"
    details = evidence.stale if is_run and shown.status is Status.UNKNOWN else ()
    return Result(wanted.id, Clause.EVIDENCE, shown.status, shown.message, codes.get(shown.status, ""), details, tests=(shown,))


def shows(item: TestItem, evidence: Evidence, head: Side) -> Shown:
    """How a test that shows a claim stands: by its run, and where none is known by its definition."""
    runs = evidence.runs(item.name, item.file)
    if runs:
        return _stands(runs, item.name, evidence)
    return facts.defined(item.name, item.file, head)


def warned(result: Result, evidence: Evidence) -> Result:
    """The result of a claim, with a warning where the evidence is about something else: only definitions count then."""
    if not evidence.stale:
        return result
    return replace(result, details=(*result.details, *(f"{WARNING}the evidence is stale: {told}" for told in evidence.stale)))


def _executed(wanted: EvidenceClause, evidence: Evidence) -> Shown:
    if evidence.envelope is None:
        return Shown(Status.UNKNOWN, "no evidence of a run was given")
    if evidence.stale:
        return Shown(Status.UNKNOWN, "the evidence is about something else")
    runs = tuple(test for test in evidence.runs(wanted.scenario, wanted.file) if test.scenario == wanted.scenario)
    if not runs:
        place = f" in {wanted.file}" if wanted.file else ""
        return Shown(Status.INCOMPLETE, f"{wanted.scenario!r} did not run{place}; the full name is meant, with those of suites")
    return _stands(runs, wanted.scenario, evidence)


def _stands(runs: tuple[evidence_envelope.Ran, ...], name: str, evidence: Evidence) -> Shown:
    """What one run or several come to."""
    envelope = evidence.envelope
    files = tuple(dict.fromkeys(test.file for test in runs))
    if envelope is None or len(runs) > 1:
        return Shown(Status.UNKNOWN, f"{name!r} is the name of {len(runs)} runs", files=files)
    test = runs[0]
    ran = Ran(envelope.artifact_digest, test.file, test.scenario, test.status, test.title or "")
    if test.status == "inconclusive":
        return Shown(Status.UNKNOWN, f"{name!r} was run more than once, or from a file that was not looked at", ran, files)
    if test.status != "passed":
        return Shown(Status.INCOMPLETE, f"{name!r} was executed in {test.file}: {test.status}", ran, files)
    if not envelope.success:
        return Shown(Status.INCOMPLETE, f"{name!r} passed in {test.file}, but the run as a whole did not succeed", ran, files)
    return Shown(Status.PASS, f"{name!r} was executed in {test.file} and passed", ran, files)


def _differences(envelope: Envelope, contract: Contract, head: Snapshot) -> Iterator[str]:
    pairs = [("files", envelope.subject, head.digest), ("contract", envelope.contract_digest, contract.digest)]
    if head.commit:
        pairs.append(("revision", envelope.revision or "none", head.commit))
    yield from (f"{name}: got {got}, expected {expected}" for name, got, expected in pairs if got != expected)
