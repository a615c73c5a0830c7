"""What texts say for a field of a request: under a heading or label of its name, and nothing from running text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.resolving.pull_requests.sections import mentions, section

BODY = """\
This is rolled back easily, and the risk is small.

## Risks and mitigations

Jobs may be booked twice.
More of them are slow.

- The ledger grows.
- [ ] checked

```
Rollback: no section, but code
```

### Deployment plan

To one region first.

**Alternatives considered:**

A queue was too slow.

Rollback strategy: go back to the release before. It reads the same ledger.

That paragraph belongs to nothing.
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("risks", ("Jobs may be booked twice.", "More of them are slow.", "The ledger grows.")),
        ("rollout", ("To one region first.",)),
        ("trade-offs", ("A queue was too slow.",)),
        ("rollback", ("go back to the release before.", "It reads the same ledger.")),
    ],
)
def test_a_section_is_what_stands_below_its_heading_or_behind_its_label(name: str, expected: tuple[str, ...]) -> None:
    found = section(BODY, name)
    assert found is not None
    assert found.sentences == expected


@pytest.mark.parametrize("name", ["approach", "rollback", "risks"])
def test_running_text_makes_no_section(name: str) -> None:
    assert section("The approach is a rollback at some risk: none.\n\nRisky: yes", name) is None


@pytest.mark.parametrize("nothing", ["None.", "N/A", "n/a", "No known risks", "Nothing", "There are none.", "- none known"])
def test_a_section_that_says_that_there_is_nothing_is_there_and_empty(nothing: str) -> None:
    found = section(f"## Risks\n\n{nothing}\n", "risks")
    assert found is not None
    assert found.sentences == ()


def test_a_word_in_passing_is_a_mention() -> None:
    assert mentions("It can be rolled back.", "rollback")
    assert not mentions("It can be rolled back.", "risks")


@given(st.text(max_size=400), st.sampled_from(["approach", "trade-offs", "risks", "rollout", "rollback"]))
def test_any_text_can_be_read_and_nothing_is_added(text: str, name: str) -> None:
    found = section(text, name)
    assert found is None or all(word in text for sentence in found.sentences for word in sentence.split())
