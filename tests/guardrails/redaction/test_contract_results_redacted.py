"""What a verification quotes is cleaned and withheld like any other text, and digests do not let it be guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.evidence.model import ContractResult
from guardrails.redaction.policy import Policy
from tests.guardrails.redaction.made_up import bundle, commit, record
from tests.redacting import redacted
from tests.verifications import drifting, verdict

TERM = Policy(terms=("Acme Bank",))


def cleaned(*results: ContractResult, policy: Policy = TERM) -> tuple[ContractResult, ...]:
    return redacted(replace(bundle(commit(1, "x")), contracts=results), policy).bundle.contracts


@pytest.mark.parametrize("field", ["title", "body", "locator"])
def test_a_term_is_taken_out_of_every_text(field: str) -> None:
    dirty = replace(drifting(), **{field: "rates of Acme Bank"})  # type: ignore[arg-type]
    _, told = cleaned(verdict("DRIFT"), dirty)
    assert "Acme" not in getattr(told, field)


def test_what_lost_something_gets_other_digests_and_so_does_what_came_of_the_same_verification() -> None:
    first, second = verdict("DRIFT"), drifting("rates of Acme Bank")
    head, told = cleaned(first, second)
    assert second.digest != told.digest
    assert len({first.result, second.result} & {head.result, head.digest, told.result, told.digest}) == 0
    assert head.result == told.result == head.digest


def test_what_lost_nothing_keeps_its_digests() -> None:
    both = (verdict("DRIFT"), drifting())
    assert cleaned(*both) == both


def test_a_result_that_names_what_is_withheld_is_withheld_and_the_verdict_stays() -> None:
    hush = record("hush-fix", "embargoed")
    dark = drifting("added src/hush.py\n- about hush-fix")
    open_ = replace(drifting(number=3), body="added other.txt")
    shown = redacted(replace(bundle(commit(1, "x"), records=[hush]), contracts=(verdict("DRIFT"), dark, open_)))
    assert [(one.id, one.body) for one in shown.bundle.contracts] == [
        ("V1", verdict("DRIFT").body),
        ("V2", "added other.txt"),
    ]
    assert "contract" in {mark.kind for mark in shown.withheld}
