"""The work behind `evidraft contract verify` and `review`: read both sides and the contracts, judge, print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from agent.commands import printing
from agent.errors import InputFailure, RepositoryFailure, UsageFailure
from agent.render import contract_annotations, contract_json, contract_sarif, contract_text
from agent.sources import inputs, snapshots
from agent.sources.git import Repository
from guardrails.code_facts.providers import PROVIDERS
from guardrails.contracts import evidence_envelope, schema
from guardrails.contracts.coverage import for_several, read
from guardrails.contracts.evaluate import Compared, Contracts, evaluate
from guardrails.contracts.evidence_envelope import Document, Envelope, Preparation
from guardrails.contracts.verification import WORDS, Origin, Review, Verification
from guardrails.findings import Finding

MAX_EVIDENCE: Final = 64 * 1024 * 1024
"""Reports of tests, and what is made of them, are larger than records."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What was said about the two sides: two folders, or two commits of a repository."""

    base_dir: Path | None = None
    head_dir: Path | None = None
    repo: Path | None = None
    base: str | None = None
    head: str | None = None
    comparison: str | None = None

    def read(self) -> tuple[Origin, Compared]:
        """Read both sides, and say where they come from.

        Raises:
            UsageFailure: what was said does not fit together.
            InputFailure: a folder cannot be read, or is too large.
            RepositoryFailure: a commit cannot be found or read, or is too large.
        """
        if self.base_dir is None and self.head_dir is None:
            return self._commits()
        if self.base_dir is None or self.head_dir is None:
            raise UsageFailure("got one folder, expected two", cure="give --base-dir and --head-dir")
        if any(said is not None for said in (self.repo, self.base, self.head, self.comparison)):
            cure = "give two folders, or --base and --head of a repository"
            raise UsageFailure("got folders and commits, expected one or the other", cure=cure)
        sides = (snapshots.of_folder(self.base_dir), snapshots.of_folder(self.head_dir))
        return Origin(_version(), "directories"), Compared.of(*sides)

    def _commits(self) -> tuple[Origin, Compared]:
        if self.base is None:
            raise UsageFailure("got no base", cure="give --base REF, or --base-dir and --head-dir")
        repository = Repository.open(self.repo or Path())
        asked, head = repository.resolve(self.base), repository.resolve(self.head or "HEAD")
        mode = self.comparison or "exact"
        base = asked if mode == "exact" else _parting(repository, asked, head)
        return Origin(_version(), mode, asked, base, head), Compared.of(*snapshots.of_commits(repository, base, head))


def _parting(repository: Repository, base: str, head: str) -> str:
    """Where both parted; the first place that git names where there are several."""
    answered = repository.git.ask("merge-base", base, head)
    if answered.code:
        cure = repository.fetching(base) if repository.is_shallow else "use --comparison exact"
        raise RepositoryFailure("the two commits have no common ancestor here", where=f"{base}...{head}", cure=cure)
    return answered.out.decode().split("\n")[0]


def read_contract(file: str) -> schema.Contract:
    """The contract in a file, `-` for standard input; everything that is wrong with it is told on stderr.

    Raises:
        InputFailure: it cannot be read, or is none.
    """
    name = "standard input" if file == inputs.STANDARD_INPUT else file
    contract = schema.read(inputs.read(file))
    if isinstance(contract, schema.Contract):
        return contract
    raise _none("contract", contract, name)


def read_document(file: str, kind: type[Document]) -> Document:
    """A preparation or an envelope of a test run, from a file or standard input (`-`); its faults are told on stderr.

    Raises:
        InputFailure: it cannot be read, or is none.
    """
    name = "standard input" if file == inputs.STANDARD_INPUT else file
    document = evidence_envelope.read(inputs.read(file, MAX_EVIDENCE), kind)
    if not isinstance(document, tuple):
        return document
    raise _none("preparation of a test run" if kind is Preparation else "evidence of a test run", document, name)


def _none(kind: str, faults: Sequence[Finding], name: str) -> InputFailure:
    """Why a file is not of its kind: the first fault; where there are more, all are told on stderr before."""
    first = faults[0]
    if len(faults) > 1:
        for fault in faults[: printing.MOST]:
            printing.note(printing.finding_line(fault, name))
    place = f"{name}:{first.line}" if first.line else name
    said = f"{first.where}: {first.message}" if first.where else first.message
    return InputFailure(f"this is no {kind}: {said}", where=place, cure=f"see: evidraft explain {first.code}")


def run(contract: str, approved: str | None, evidence: str | None, sides: Sides, fmt: str, *, is_verbose: bool) -> int:
    """Judge and print; returns the exit code.

    Raises:
        Failure: something cannot be read.
    """
    if [contract, approved, evidence].count(inputs.STANDARD_INPUT) > 1:
        raise UsageFailure("got standard input twice", cure="give files")
    contracts = Contracts(read_contract(contract), read_contract(approved) if approved is not None else None)
    envelope = read_document(evidence, Envelope) if evidence is not None else None
    origin, compared = sides.read()
    evaluation = evaluate(contracts, compared, envelope=envelope)
    told = printing.masked(Verification.of(_shown(contract), contracts, origin, compared, evaluation), WORDS)
    match fmt:
        case "json":
            printing.emit_json(contract_json.verification(told))
        case "sarif":
            printing.emit_json(contract_sarif.verification(told))
        case "github":
            printing.emit(contract_annotations.verification(told))
        case _:
            _emit(contract_text.verification(told, is_verbose=is_verbose))
    return told.exit_code


def tell(sides: Sides, *, as_json: bool) -> int:
    """Print what a change changes; returns the exit code: 2 where something could not be read that a person should look at.

    Raises:
        Failure: a side cannot be read.
    """
    origin, compared = sides.read()
    readers = for_several(PROVIDERS)
    base, head = (read(side, readers) for side in (compared.base, compared.head))
    blind = any(one.is_blocking for side in (base, head) for _, reading in side.readings for one in reading.blind)
    told = printing.masked(Review.of(origin, compared, base, head, count=not as_json), WORDS)
    if as_json:
        printing.emit_json(contract_json.review(told))
    else:
        _emit(contract_text.review(told))
    return 2 if blind else 0


def _emit(lines: Iterable[str]) -> None:
    """Lines of which every secret was taken out before."""
    printing.emit("".join(f"{printing.flat(line)}\n" for line in lines))


def _version() -> str:
    return version("evidraft")


def _shown(file: str) -> str:
    """The name of a file for results, which are the same wherever it stands."""
    if file == inputs.STANDARD_INPUT:
        return ""
    return Path(file).name if Path(file).is_absolute() else Path(file).as_posix()
