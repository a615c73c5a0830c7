"""How often a sentence may say the same, and how long it may be: code is not words, and a page lists places."""

from __future__ import annotations

import pytest

from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.grounding import own_words
from tests.guardrails.grounding.grounded import judged

CASE = judged({"commits": [{"message": "fix: skip pages\n", "files": {"src/a.rs": "@@ fn url\n+let skip = page;\n"}}]})
EDIT = "in `{0}`, `let skip = page * MAX_PAGE_SIZE` replaces `let skip = page * MAX_PAGE_SIZE as i32`"
MANY = "; ".join(EDIT.format(f"url_{number}") for number in range(6))
WORDS = "pages of the list are skipped"


def codes(where: str, text: str) -> list[str]:
    case = CASE.told({where: Prose((Sentence(text, ("C1", "H1")),), Basis.SYNTHESIS)})
    return [finding.code for finding in own_words.check(case.draft, case.citable)]


@pytest.mark.parametrize(
    ("where", "text", "found"),
    [
        ("change.detail_md", MANY, []),
        ("change.detail_md", "; ".join(f"changes `f{number}`, with new calls of `page`" for number in range(8)), []),
        ("change.detail_md", f"{WORDS}, and {WORDS}", []),
        ("change.detail_md", f"{WORDS}, and {WORDS}, and {WORDS}", ["said-again"]),
        ("change.medium_md", f"{WORDS}, and {WORDS}", ["said-again"]),
        ("summary", f"{WORDS}, and {WORDS}", ["said-again"]),
        ("summary", f"{WORDS}, and pages of the ledger are not", []),
        ("change.detail_md", " ".join(f"word{number}" for number in range(120)), ["sentence-too-long"]),
        ("change.detail_md", "; ".join(EDIT.format(f"url_{number}") for number in range(40)), ["sentence-too-long"]),
    ],
)
def test_what_is_said_twice_or_at_length_is_refused_in_words_and_not_in_code(where: str, text: str, found: list[str]) -> None:
    assert codes(where, text) == found
