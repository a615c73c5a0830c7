"""What is told as there stands in lines that came or stayed; what new code does when it runs is no such claim."""

from __future__ import annotations

import pytest

from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes import sides
from guardrails.grounding.statements import Statement
from tests.guardrails.grounding.pointing import changed, hunk, told
from tests.redacting import redacted

CODE = changed("a.py", hunk(1, 1, 1, " keep()", "-old_way()", "-LIMIT = 40", "+new_way()", "+LIMIT = 10", "+drop_stale()"))
CITABLE = Citable.of(redacted(told(CODE, message="Change it")), None)
SENTENCES = (
    ("Adds `new_way()`", None),
    ("Removes `old_way()`", None),
    ("`LIMIT` is added", None),
    ("`keep()` is not removed", None),
    ("`old_way()` is replaced by a new function", None),
    ("No longer adds `old_way()`", None),
    ("Adds `LIMIT` to `old_way()`", None),
    ("Adds a thing that nobody named", None),
    ("Adds `unknown()`", None),
    ("Adds and removes `old_way()`", None),
    ("Removes the limit, new is `old_way()`", "error"),
    ("Adds `old_way()`", "error"),
    ("Adds `old_way()` and `new_way()`", "error"),
    ("The new `old_way()` runs first", "error"),
    ("`old_way()` is not removed", "error"),
    ("`new_way()` is removed", "warning"),
    ("`drop_stale()` is never added", "warning"),
)


@pytest.mark.parametrize(("text", "severity"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_names_stand_on_the_side_that_a_sentence_tells(text: str, severity: str | None) -> None:
    found = sides.check((Statement("change.detail_md", text, ("C1", "F1")),), CITABLE)
    assert [one.severity.value for one in found] == ([severity] if severity else [])
    assert {one.code for one in found} <= {"side-differs"}
