"""What GitHub ties to a request by closing words: a table of what counts and of what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.records.closing import LONGEST, qualified, tied

TIED = {
    "a word and a number": ("Fixes #7", ("#7",)),
    "a colon": ("Closes: #7", ("#7",)),
    "each once, in order": ("resolves #9, closes #7 and fixes #9", ("#9", "#7")),
    "any case": ("FIXED #7", ("#7",)),
    "another repository": ("fixes acme/other#7", ("acme/other#7",)),
    "the same repository": ("fixes Acme/Widgets#7", ("#7",)),
    "an address": ("close https://github.com/acme/other/issues/7.", ("acme/other#7",)),
    "an address of the same repository": ("closes https://github.com/acme/widgets/issues/7", ("#7",)),
    "GH-": ("fix GH-7", ("#7",)),
    "a heading and a list": ("## Fixes #1\n\n- closes #2\n", ("#1", "#2")),
    "bold": ("**Fixes** nothing, **fixes #3**", ("#3",)),
}
NOT_TIED = {
    "a number alone": "see #7",
    "another word": "refs #7, prefixes #7, fixing #7",
    "a word in between": "fixes issue #7",
    "the second of a list": "no fix, #7",
    "code": "`fixes #7`",
    "a word before code": "fixes `x` #7",
    "a fence": "```\nfixes #7\n```",
    "a comment of a template": "<!-- fixes #7 -->",
    "a comment in a line": "This <!-- fixes #7 --> that",
    "another paragraph": "fixes\n\n#7",
    "letters behind": "fixes #7a",
    "a pull request's address": "fixes https://github.com/acme/widgets/pull/7",
}


@pytest.mark.parametrize(("body", "keys"), TIED.values(), ids=TIED)
@pytest.mark.requirement("DC-08")
def test_a_closing_word_right_before_a_reference_ties_it(body: str, keys: tuple[str, ...]) -> None:
    assert tied(body, "acme/widgets") == keys


@pytest.mark.parametrize("body", NOT_TIED.values(), ids=NOT_TIED)
@pytest.mark.requirement("DC-08")
def test_what_only_looks_like_it_ties_nothing(body: str) -> None:
    assert tied(body, "acme/widgets") == ()


def test_no_more_is_read_than_a_body_may_have() -> None:
    assert tied("x" * LONGEST + " fixes #7", "") == ()


def test_an_issue_is_cited_from_where_it_is_seen() -> None:
    assert [qualified(7, place, "acme/widgets") for place in ("", "acme/widgets", "acme/other")] == ["#7", "#7", "acme/other#7"]


@given(st.text(alphabet="fixes#7 `\n<!->cloae/:", max_size=200))
def test_any_text_can_be_read(body: str) -> None:
    assert all("#" in key for key in tied(body, "a/b"))
