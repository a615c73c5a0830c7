"""Honest paraphrases pass, each beside a lie in nearly the same words that does not."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.findings import blocking
from guardrails.grounding import claims, decided, identifiers, own_words, polarity
from guardrails.grounding.statements import statements
from tests.guardrails.grounding.grounded import judged

FIELD = "summary"


@dataclass(frozen=True)
class Pair:
    """What the evidence shows, honest words for it, a lie, and the code that finds the lie."""

    kind: str
    message: str
    code: str
    honest: tuple[str, ...]
    lie: str
    found: str


PAIRS = (
    Pair(
        "a negation in another form",
        "Print schema-less tables in long listings",
        "+print(table)",
        ("Print tables without a schema in long listings", "Print schema-less tables in long listings now"),
        "Never print schema-less tables in long listings",
        "negation-differs",
    ),
    Pair(
        "a prefix that denies",
        "Accept disk errors for non-ASCII names",
        "+accept(error)",
        ("Accept disk errors for names that are not ASCII",),
        "Do not accept disk errors for non-ASCII names",
        "negation-differs",
    ),
    Pair(
        "what is left out",
        "Skip empty rows of the weekly table",
        "+skip(row)",
        ("Do not read empty rows of the weekly table", "Empty rows of the weekly table are skipped"),
        "Do not skip empty rows of the weekly table",
        "negation-differs",
    ),
    Pair(
        "a value called none",
        "Return none for unknown keys of the table",
        "+return None",
        ("Return `none` for unknown keys of the table",),
        "Return none for not unknown keys of the table",
        "negation-differs",
    ),
    Pair(
        "a double negation",
        "Do not remove blank table rows",
        "+keep(row)",
        ("Keep blank table rows",),
        "Remove blank table rows",
        "negation-differs",
    ),
    Pair(
        "a fault and its mending",
        "Fix cursor being lost when the list is refreshed",
        "+restore(cursor)",
        ("Keep the cursor when the list is refreshed",),
        "Never fix the cursor being lost when the list is refreshed",
        "negation-differs",
    ),
    Pair(
        "another form of a verb",
        "Remove old rows of the table, keeping the newest ones",
        "+keep(newest)",
        ("Keeps the newest rows of the table", "Remove old rows of the table"),
        "Retain old rows of the table",
        "opposite-word",
    ),
    Pair(
        "what is prevented",
        "Prevent crash on empty table",
        "+if not table:",
        ("Handle crash on empty table", "Survive a crash on an empty table"),
        "Crash on empty table",
        "negation-differs",
    ),
    Pair(
        "words of nobody",
        "Load the table from an address",
        "+load(address)",
        (
            "Point at a table on the web, not at a copy",
            "Rows of a table are no longer handed over several times",
            "Loading a table over the network now works",
        ),
        "Customers pay invoices monthly with vouchers at the counter",
        "claim-unsupported",
    ),
    Pair(
        "a word that any change is told in, which this one is about",
        "Conversations using tools",
        "+tools = tools or self.tools",
        ("Tools given with an individual message still take precedence",),
        "Files given with an individual message still take precedence",
        "claim-unsupported",
    ),
    Pair(
        "an arrow that is code",
        "Use format, and raise the limit from 30 to 60",
        "-echo('Copy from %s -> %s')\n+echo('Copy from {} -> {}')\n-limit = 30\n+limit = 60",
        ("`Copy from {} -> {}` replaces `Copy from %s -> %s`", "The limit goes from `30` to `60`"),
        "The limit goes `60` -> `30`",
        "direction-differs",
    ),
    Pair(
        "what code does so often",
        "Show how to load",
        "+load(one)\n+load(two)",
        ("The example calls `load` twice", "Loads are written in double quotes"),
        "The example loads twice as much",
        "unsupported-quantity",
    ),
    Pair(
        "a word that is no number",
        "Sort the table by score",
        "+sort(key=score)",
        ("Scores are sorted in the table",),
        "Scores of tables are sorted",
        "unsupported-quantity",
    ),
    Pair(
        "a change about prompts and schemas",
        "Cache each prompt with its schema",
        "+cache(prompt, schema)",
        ("The prompt is cached with the schema",),
        "The prompt is cached as you asked",
        "drafting-talk",
    ),
)
TABLE = [(pair, text) for pair in PAIRS for text in pair.honest]


def found(pair: Pair, text: str) -> list[str]:
    """The codes that refuse a sentence of a drafter on all that is shown."""
    case = judged({"commits": [{"message": pair.message, "files": {"src/table.py": f"@@\n{pair.code}"}}]})
    told = {FIELD: Prose((Sentence(text, case.citable.whole),), Basis.SYNTHESIS)}
    said = statements(told, case.citable)
    findings = [finding for rule in (identifiers, claims, polarity) for finding in rule.check(said, case.citable)]
    findings += [finding for rule in (own_words, decided) for finding in rule.check(case.told(told).draft, case.citable)]
    return [finding.code for finding in blocking(tuple(findings)) if finding.where == FIELD]


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("pair", "text"), TABLE, ids=[f"{pair.kind}: {text}" for pair, text in TABLE])
def test_an_honest_paraphrase_holds(pair: Pair, text: str) -> None:
    assert found(pair, text) == []


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.kind)
def test_a_lie_in_nearly_the_same_words_does_not(pair: Pair) -> None:
    assert pair.found in found(pair, pair.lie)
