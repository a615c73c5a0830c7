"""What stands in back ticks is named and not said: no cause, effect, credit or emphasis is claimed by it."""

from __future__ import annotations

import pytest

from guardrails.grounding import claims
from guardrails.grounding.statements import Statement
from tests.guardrails.grounding.grounded import judged

LINE = "fast(secure, reviewed_by='all', because=`thanks`)"
CITABLE = judged({"commits": [{"message": "Change it", "files": {"src/up.py": f"@@\n+{LINE}"}}]}).citable


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f"adds ``{LINE}`` to `up`", []),
        ("adds `fast` and `secure`", []),
        ("adds fast lines", ["effect-unsupported"]),
        ("adds lines because of `up`", ["cause-without-source"]),
        ("adds lines, thanks to `up`", ["cause-without-source", "credit-unsupported"]),
        ("every line of `up`", ["emphasis-unsupported"]),
    ],
)
def test_words_claim_and_code_does_not(text: str, codes: list[str]) -> None:
    found = claims.check((Statement("change.detail_md", text, ("F1",)),), CITABLE)
    assert sorted(finding.code for finding in found) == codes
