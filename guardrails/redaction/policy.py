"""The redaction policy: what never leaves, and who stands inside the boundary (Intent Changesets 6.9, 11.7).

It comes from the command line, the environment or the base revision, never from the change under review.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Final

from pydantic import Field, ValidationError

from guardrails import strict_yaml
from guardrails.digests import sha256
from guardrails.findings import Code, Finding
from guardrails.patterns import compiled
from guardrails.redaction.folding import fold
from guardrails.shapes import StrictShape

POLICY_SHAPE = Code(
    name="policy-shape",
    summary="The redaction policy does not have the required shape.",
    cure="Use the keys terms, patterns, hosts, people (lists), keep-people (true or false), inside (a list a client).",
    section="evidraft",
)
POLICY_TERM_TOO_SHORT = Code(
    name="policy-term-too-short",
    summary="A term, host or person of the redaction policy is so short that it would take out half the text.",
    cure="Write a longer one, or mark the term as exact: `- exact: AB`.",
    section="evidraft",
)
POLICY_PATTERN = Code(
    name="policy-pattern",
    summary="A pattern of the redaction policy is refused: it is no RE2 expression, or it matches the empty text.",
    cure="Write a linear expression (no look-around, no back-references) that always takes at least one character.",
    section="evidraft",
)
_SHORTEST: Final = 3
_ENTRIES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Policy:
    """What to take out besides disclosure and secrets. The default holds nothing: people are dropped all the same.

    `terms` are literals matched as words in any spelling, `exact` literals matched as they are, `patterns` RE2 expressions,
    `hosts` private host names or suffixes, `people` names or addresses that must go; `keep_people` lets author names and
    e-mail addresses through. `digest` is that of the exact policy bytes.
    """

    terms: tuple[str, ...] = field(default=(), repr=False)
    patterns: tuple[str, ...] = field(default=(), repr=False)
    hosts: tuple[str, ...] = field(default=(), repr=False)
    people: tuple[str, ...] = field(default=(), repr=False)
    keep_people: bool = False
    inside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Clients (as `--model` names them) that stand inside the boundary, each with the disclosure policies it may see."""
    digest: str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    exact: tuple[str, ...] = field(default=(), repr=False)


def united(policies: Iterable[Policy]) -> Policy:
    """One that takes out what any of `policies` does: for what is told of all that they are about. Nobody is inside of it."""
    every = tuple(policies)

    def of(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(getattr(one, name) for one in every)))

    keeps = bool(every) and all(one.keep_people for one in every)
    return Policy(of("terms"), of("patterns"), of("hosts"), of("people"), keeps, exact=of("exact"))


_Text = Annotated[str, Field(min_length=1, max_length=500)]
_Texts = Annotated[tuple[_Text, ...], Field(max_length=_ENTRIES, strict=False)]


class _ExactTerm(StrictShape):
    exact: _Text


class _PolicyShape(StrictShape):
    terms: Annotated[tuple[_Text | _ExactTerm, ...], Field(max_length=_ENTRIES, strict=False)] = ()
    patterns: _Texts = ()
    hosts: _Texts = ()
    people: _Texts = ()
    keep_people: Annotated[bool, Field(alias="keep-people")] = False
    inside: Annotated[dict[_Text, _Texts], Field(max_length=_ENTRIES, default_factory=dict)]


def read(data: bytes) -> Policy | tuple[Finding, ...]:
    """Read a policy file; findings that quote nothing of it when it cannot be used as a whole."""
    try:
        shape = _PolicyShape.model_validate(strict_yaml.read(data).value)
    except strict_yaml.YamlFault as fault:
        return (fault.finding,)
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        return tuple(POLICY_SHAPE.at(_path(fault["loc"]), f"got {fault['type']}") for fault in faults)
    findings = tuple(_faults(shape))
    return findings or Policy(
        terms=tuple(term for term in shape.terms if isinstance(term, str)),
        exact=tuple(term.exact for term in shape.terms if isinstance(term, _ExactTerm)),
        patterns=shape.patterns,
        hosts=shape.hosts,
        people=shape.people,
        keep_people=shape.keep_people,
        inside=shape.inside,
        digest=sha256(data),
    )


def _faults(shape: _PolicyShape) -> Iterator[Finding]:
    for name, literals in (("terms", shape.terms), ("hosts", shape.hosts), ("people", shape.people)):
        for index, literal in enumerate(literals):
            if isinstance(literal, str) and sum(map(str.isalnum, fold(literal).text)) < _SHORTEST:
                yield POLICY_TERM_TOO_SHORT.at(f"{name}[{index}]", f"got fewer than {_SHORTEST} letters or digits")
    for index, pattern in enumerate(shape.patterns):
        try:
            takes_nothing = compiled(pattern).search("") is not None
        except ValueError:
            yield POLICY_PATTERN.at(f"patterns[{index}]", "got an expression that RE2 refuses")
            continue
        if takes_nothing:
            yield POLICY_PATTERN.at(f"patterns[{index}]", "got an expression that matches the empty text")


def _path(location: tuple[int | str, ...]) -> str:
    """A pydantic location as a path into the file; the names of union members are ours, not the file's."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part in _KEYS:
            path += f".{part}" if path else part
    return path


_KEYS: Final = frozenset(("terms", "patterns", "hosts", "people", "keep-people", "inside", "exact"))
