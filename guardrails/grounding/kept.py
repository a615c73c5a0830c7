"""No drafter says that a contract was kept, or that tests passed, unless a verification says so (Change Contracts: results).

What people wrote of passed tests may be repeated word for word; that a contract is kept only its verification tells. Word
tables, no understanding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis
from guardrails.evidence.code_spans import without_code
from guardrails.evidence.identifiers import fold
from guardrails.evidence.model import ContractResult
from guardrails.findings import Code, Finding
from guardrails.grounding.citable import Citable
from guardrails.grounding.statements import Statement, statements
from guardrails.wording.words import phrases

CONTRACT_UNSUPPORTED: Final = Code(
    name="contract-unsupported",
    summary="A sentence says that a change contract is kept, or that tests passed, and cites no verification that says so.",
    cure="Take it out, or hand over the verification with --evidence and cite its verdict.",
    section="Change Contracts, results",
)
_HELD: Final = frozenset({Basis.SYNTHESIS, Basis.GIVEN})
"""What people answer, or have reviewed, is their own word."""
_KEPT: Final = phrases(
    r"(?:change|approved|agreed) contracts?(?: \w+){0,2}? "
    r"(?:kept|met|honou?red|satisfied|fulfilled|respected|holds?|held|passe[sd])",
    r"(?:keeps?|kept|meets?|met|honou?rs|honou?red|satisfies|satisfied|fulfils|fulfilled|respects|respected) (?:to )?"
    r"(?:the|its) (?:(?:change|approved|agreed) )*contract",
    r"(?:was|were|is|are|been) verified against (?:the|its|an?) (?:(?:change|approved|agreed) )*contract",
)
_PASSED: Final = phrases(
    r"(?:tests?|test suite|checks?|ci)(?: \w+){0,2}? (?:passed|passes|green)",
    r"(?:all|every|\d+)(?: \w+){0,3} (?:tests?|checks?) (?:pass(?:es|ed)?|succeed(?:s|ed)?)",
)


def check(draft: Draft, citable: Citable) -> Iterator[Finding]:
    """Hold each sentence that a drafter found words for, or that is handed in, against the verdicts that it cites."""
    own = {path: text for path, text in draft.prose.items() if text.basis in _HELD}
    results = {one.id: one for one in citable.bundle.contracts}
    for statement in statements(own, citable):
        told = without_code(fold(statement.text)).casefold()
        cited = [results[item] for item in statement.evidence if item in results]
        if _KEPT.search(told) and not any(map(_is_kept, cited)):
            yield _unsupported(statement, "got a contract that is kept, and no cited verification says PASS")
        elif _PASSED.search(told) and not _is_shown(cited) and not citable.copies(statement.text, statement.evidence):
            yield _unsupported(statement, "got tests that passed, and no cited verification tells of their run")


def _is_kept(one: ContractResult) -> bool:
    return one.is_verdict and one.is_kept


def _is_shown(cited: list[ContractResult]) -> bool:
    return any(one.has_run for one in cited)


def _unsupported(statement: Statement, message: str) -> Finding:
    return CONTRACT_UNSUPPORTED.at(statement.where, message, evidence=statement.evidence)
