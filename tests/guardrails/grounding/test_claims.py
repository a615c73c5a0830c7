"""Claims: what is refused, what only warns, and what an honest writer may say."""

from __future__ import annotations

import pytest

from guardrails.grounding import claims, identifiers, polarity
from guardrails.grounding.citable import Citable
from guardrails.grounding.statements import Statement
from tests.guardrails.grounding.grounded import judged

MESSAGE = """\
fix(apps/worker): keep the order of retried uploads

Retried uploads overtook newer ones, and customers saw stale files. They no
longer do. The pause between retries goes from 5 to 20 seconds.

Tested-by: nobody
Refs: DEVELOP-1
"""
CASE = judged(
    {"commits": [{"message": MESSAGE, "files": {"src/up.py": "@@ def retry\n-PAUSE = 5\n+PAUSE = 20\n+# fast retry\n"}}]}
)

TOLD = [
    ("Retried uploads keep their order", (), ()),
    ("Customers no longer see stale files", (), ()),
    ("Customers see stale files after uploads are retried", (), ()),
    ("The pause between retries goes from 5 to 20 seconds", (), ()),
    ("The pause between retries was 5 seconds", (), ()),
    ("The pause between retries goes from 20 to 5 seconds", ("direction-differs",), ()),
    ("PAUSE: 20 → 5", ("direction-differs",), ()),
    ("The pause between retries no longer goes from 5 to 20 seconds", ("negation-differs",), ()),
    ("Retried uploads overtook older ones, and customers saw stale files", (), ()),
    ("Retried uploads are faster", ("effect-unsupported",), ()),
    ("Retried uploads are safer", ("effect-unsupported",), ()),
    ("Retried uploads are reliable", ("effect-unsupported",), ()),
    ("Retried uploads were tested by customers", (), ()),
    ("Retried uploads were reviewed by customers", ("credit-unsupported",), ()),
    ("Retried uploads keep their order with no regressions", ("credit-unsupported", "negation-differs"), ()),
    ("Retried uploads always keep their order", (), ("emphasis-unsupported",)),
    ("Retried uploads keep their order for Contoso", ("person-unsupported",), ()),
    ("Retried uploads keep their order on Monday", ("unsupported-date",), ()),
    ("Retried Uploads Keep Their Order", (), ()),
    ("Retried uploads of apps/gateway keep their order", ("unit-unsupported",), ()),
    ("Retried uploads of apps/worker keep their order", (), ()),
    ("Retried uploads please colourful penguins in dark theatres", (), ("claim-weak",)),
    ("Uploads please colourful penguins in dark theatres", ("claim-unsupported",), ()),
    ("Colourful penguins dance in dark theatres tonight", ("claim-unsupported", "unsupported-date"), ()),
    ("Two uploads keep their order", ("unsupported-quantity",), ()),
    ("Retried uploads keep their order, so colourful penguins dance in theatres", ("clause-unsupported",), ()),
    ("Retried uploads keep their order, and penguins dance in theatres", (), ("clause-unsupported",)),
    ("Retried uploads keep their order, and nothing else changes for users of the tool", (), ()),
    ("Nothing else changes for users of the tool", (), ()),
    ("Повторные загрузки сохраняют порядок новых файлов", (), ("claim-weak",)),
]


def found(text: str, citable: Citable, *ids: str, where: str = "summary") -> list[tuple[str, str]]:
    told = (Statement(where, text, ids),)
    return [
        (finding.severity.value, finding.code)
        for rule in (identifiers, claims, polarity)
        for finding in rule.check(told, citable)
    ]


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("text", "errors", "warnings"), TOLD)
def test_a_claim_is_held_against_the_message_it_cites(text: str, errors: tuple[str, ...], warnings: tuple[str, ...]) -> None:
    findings = found(text, CASE.citable, "C1")
    assert tuple(sorted(code for severity, code in findings if severity == "error")) == errors
    assert tuple(sorted(code for severity, code in findings if severity == "warning")) == warnings


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        ("The pause is 20", "summary", []),
        ("The pause is 20 because retries must wait", "rationale", [("error", "cause-without-source")]),
        ("The pause is 20, so that retries wait", "summary", [("warning", "cause-without-source")]),
        ("The pause of the fast retry is 20", "summary", [("warning", "effect-unsupported")]),
        ("The pause of the retry is 20, far faster", "summary", [("error", "effect-unsupported")]),
        ("Two lines hold the pause of a retry", "summary", [("warning", "count-unconfirmed")]),
        ("The pause goes from 20 to 5", "summary", [("error", "direction-differs")]),
    ],
)
def test_changes_alone_give_facts_and_no_reasons(text: str, where: str, expected: list[tuple[str, str]]) -> None:
    findings = found(text, CASE.citable, "H1", where=where)
    assert [finding for finding in findings if finding[1] != "emphasis-unsupported"] == expected


def test_what_one_change_takes_back_goes_both_ways_where_both_are_cited() -> None:
    there = {"message": "Raise the pause from 5 to 20", "files": {"up.py": "@@ def retry\n-PAUSE = 5\n+PAUSE = 20\n"}}
    back = {"message": "Wait less again", "files": {"up.py": "@@ def retry\n-PAUSE = 20\n+PAUSE = 5\n"}}
    citable = judged({"commits": [there, back]}).citable
    text = "The pause goes from 20 to 5"
    assert [code for _, code in found(text, citable, *citable.whole)] == []
    assert "direction-differs" in [code for _, code in found(text, citable, "C1", "H1")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`src/up.py:2-3` holds the pause", []),
        ("`retry up.py` holds", []),
        ("`up.retry` holds", []),
        ("`up.retries` holds", [("error", "unsupported-code")]),
        ("`retry NAME up` holds", []),
        ("`retry OTHER up` holds", [("error", "unsupported-code")]),
        ("`NAME` holds the pause", [("error", "unsupported-code")]),
        ("The pause of a retry stands at db1.corp.internal", [("error", "unsupported-host")]),
        ("`src/down.py:2-3` holds the pause", [("error", "unsupported-code")]),
        ("The pause stands in up.py", []),
        ("The pause stands in src/", []),
        ("The pause stands in lib/up.py", [("error", "unsupported-path")]),
    ],
)
def test_code_spans_and_paths_name_what_the_changes_have(text: str, expected: list[tuple[str, str]]) -> None:
    assert [finding for finding in found(text, CASE.citable, "H1", "F1") if finding[0] == "error"] == expected


ROLES: tuple[tuple[str, str, list[str]], ...] = (
    ("docs/usage.md", "A guide for newcomers", []),
    ("tests/test_up.py", "More coverage", []),
    ("newsfragments/1.feature", "A news fragment for the release", []),
    ("src/up.py", "A guide for newcomers", ["claim-unsupported"]),
)


@pytest.mark.parametrize(("path", "text", "expected"), ROLES, ids=[f"{row[0]}: {row[1]}" for row in ROLES])
def test_a_file_may_be_called_what_it_is(path: str, text: str, expected: list[str]) -> None:
    citable = judged({"commits": [{"message": "Pause", "files": {path: "@@\n+20"}}]}).citable
    assert [code for _, code in found(text, citable, "F1")] == expected


@pytest.mark.parametrize(("text", "expected"), [("Before Python 3.6", []), ("Before Python 3.7", ["unsupported-quantity"])])
def test_a_version_may_be_a_tuple_in_code(text: str, expected: list[str]) -> None:
    citable = judged({"commits": [{"message": "Ask python", "files": {"a.py": "@@\n+if version_info >= (3, 6):"}}]}).citable
    assert [code for severity, code in found(text, citable, "C1", "F1") if severity == "error"] == expected


@pytest.mark.parametrize(
    ("message", "text", "code"),
    [
        ("Do not delete old files at night", "Old files are deleted at night", "negation-differs"),
        ("Jobs are lost when workers stop", "Jobs are not lost when workers stop", "negation-differs"),
        ("Enable the new cache by default", "The new cache is disabled by default", "opposite-word"),
        ("Increase the upload limit of guests", "The upload limit of guests is reduced", "opposite-word"),
        ("Allow guests to download reports", "Guests are forbidden to download reports", "opposite-word"),
        ("Render a markdown title without a name", "A Markdown title is rendered when no name is configured", None),
        ("Prevent jobs from being lost at shutdown", "Jobs are not lost at shutdown", None),
        ("Drop the upload limit of guests", "Guests have no upload limit", None),
        ("Never retry refunds without a receipt", "Refunds without a receipt are never retried", None),
        ("Stop the worker before the upgrade starts", "The worker is stopped before the upgrade starts", None),
        ("Requests start failing after an hour, so stop the timer", "Requests start failing after an hour", None),
    ],
)
def test_the_sense_of_a_sentence_is_that_of_its_evidence(message: str, text: str, code: str | None) -> None:
    citable = judged({"commits": [{"message": f"Change it\n\n{message}."}]}).citable
    codes = {name for severity, name in found(text, citable, "C1") if severity == "error"}
    assert codes == ({code} if code else set())


@pytest.mark.requirement("AI-3", "IC-6.5")
@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("Uploads please colourful penguins in dark theatres", "needs-input"),
        ("Waiting for slow computers costs every contributor an hour of uploads", "needs-input"),
        ("Uploads that were retried kept no order", None),
    ],
)
def test_a_reason_whose_words_nobody_gave_is_put_to_a_person(text: str, severity: str | None) -> None:
    weak = [severity for severity, code in found(text, CASE.citable, "C1", where="rationale") if code == "claim-weak"]
    assert weak == ([severity] if severity else [])
