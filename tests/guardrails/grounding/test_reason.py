"""A rationale gives a reason and says more than the summary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.grounding.reason import gives_reason, repeats
from guardrails.wording.words import stems

REASONS = """
Avoid manual recovery when deployments interrupt long jobs
Prevent deployment shutdowns from leaving settlement jobs incomplete.
Prevents double charges.
The parser stops because the file is empty.
This is needed for the new billing run.
Otherwise the queue grows without bound.
The crash was caused by an empty header.
An empty header led to lost rows.
Imports failed when a row had no date.
The worker crashes on empty files.
Users could not see their invoices.
Customers reported missing totals.
The old limit was too small.
The index was missing, which made searches slow.
Since the upstream service retries, we see every event twice.
It took too long to start.
To avoid a second round trip, the token is kept.
In order to comply with the new tax rules.
Crews had to replay dropped jobs by hand after every restart
A call whose tool is gone would never resolve.
There was a bug where rows came twice.
Python 3.9 is no longer supported upstream.
Python 3.9 has reached its end of life.
The uploader package has been yanked from the index.
The old endpoint was deprecated by the provider.
Kept for backwards compatibility.
Retries are ordered so that no event overtakes another.
The pool used to grow for ever.
Without this, operators restart the worker by hand.
The root cause is a stale cache.
We need the address for audits.
It doesn't handle leap days.
The password was silently truncated.
This makes it possible to audit exports.
Due to rate limits the import stalls.
This allows operators to drain a node.
Weil die Datei leer war, stürzte der Import ab.
Ohne Sperre ging verloren, was gleichzeitig gespeichert wurde.
Afin d'éviter les doublons.
Para evitar cobros duplicados.
O cálculo falhava com valores negativos porque o sinal era ignorado.
由于文件为空，导入会崩溃。
再起動でジョブが失われるのを防ぐ。
"""

NO_REASONS = """
Add CSV export.
This commit adds a parser, renames the queue and updates the tests.
Adds X, removes Y.
Update the documentation and the changelog.
Moved the class to its own module.
Available since 2.1.
Available since version 2.1.
Since January 2026.
This change does not affect the public interface.
No functional change.
Reviewed by the platform team.
See the ticket for details.
Tested on Linux.
添加了导出功能。
CSV-Export hinzugefügt.
"""


def _rows(table: str) -> list[str]:
    return table.strip().split("\n")


@pytest.mark.requirement("IC-6.5")
@pytest.mark.parametrize("text", _rows(REASONS))
def test_a_reason_is_recognised(text: str) -> None:
    assert gives_reason(text)


@pytest.mark.requirement("IC-6.5")
@pytest.mark.parametrize("text", _rows(NO_REASONS))
def test_what_was_done_is_no_reason(text: str) -> None:
    assert not gives_reason(text)


SUMMARY = "Resume settlement jobs interrupted during shutdown"


@pytest.mark.requirement("IC-6.5")
@pytest.mark.parametrize(
    "rationale",
    [
        SUMMARY,
        SUMMARY.lower() + ".",
        "  resume SETTLEMENT jobs,  interrupted during shutdown!",
        "Resumes the settlement jobs that were interrupted during a shutdown",
        "During shutdown interrupted settlement jobs resume",
        "This change resumes interrupted settlement jobs.",
        "…",
    ],
)
def test_a_reworded_summary_is_a_repetition(rationale: str) -> None:
    assert repeats(SUMMARY, rationale)


@pytest.mark.requirement("IC-6.5")
@pytest.mark.parametrize(
    "rationale",
    [
        "Avoid manual recovery when deployments interrupt long jobs",
        "Settlement jobs interrupted during shutdown were lost",
        "Operators resumed settlement jobs by hand",
    ],
)
def test_a_new_thought_is_no_repetition(rationale: str) -> None:
    assert not repeats(SUMMARY, rationale)


def test_han_text_is_compared_by_character() -> None:
    assert repeats("修复导入崩溃", "导入崩溃修复")
    assert not repeats("修复导入崩溃", "空文件导致导入崩溃")


@given(st.text())
def test_every_text_repeats_itself(text: str) -> None:
    assert repeats(text, text)


@given(st.text())
def test_one_content_word_more_is_no_repetition(summary: str) -> None:
    assert repeats(summary, f"{summary} ledger") == ("ledger" in stems(summary))


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert gives_reason(text) in {True, False}
