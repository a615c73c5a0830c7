"""Masked names: which texts may need a mask, and how names stay apart that only what was masked told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.redaction import masking, masks
from guardrails.redaction.people import has_address
from guardrails.redaction.policy import Policy, united
from guardrails.redaction.secrets import SecretEngine
from tests.guardrails.redaction.made_up import AWS, PEM_BEGIN, TOKEN

NAMES = st.lists(st.text("ab-2", min_size=1, max_size=4) | st.sampled_from(["secret", "a-term", "secret-2"]), unique=True)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        (f"v1.0-{TOKEN}", True),
        (AWS, True),
        (PEM_BEGIN, True),
        ("password=hunter2", True),
        ("https://ann:pw@example.org/a.git", True),
        ("v1.2.0-rc.1", False),
        ("release/internationalization", False),
        ("0f7cbb" * 6 + "0f7c", False),
        ("", False),
    ],
)
def test_a_text_that_may_hold_a_secret_is_told_by_its_words(text: str, may: bool) -> None:
    assert masks.may_hold_secret(text) is may


def test_a_masked_name_is_another_than_one_that_is_written_like_it_without_brackets() -> None:
    assert masks.told_apart({"v1-secret": "v1-secret", "v1-x": "v1-[secret]"}) == {"v1-x": "v1-[secret]-2"}


def test_names_that_became_alike_are_numbered_in_their_order_and_none_takes_the_name_of_another() -> None:
    shown = {"v1-b": "v1-[secret]", "v1-[secret]-2": "v1-[secret]-2", "v1-a": "v1-[secret]", "v2": "v2", "v1-c": "v1-[secret]"}
    assert masks.told_apart(shown) == {"v1-b": "v1-[secret]", "v1-a": "v1-[secret]-3", "v1-c": "v1-[secret]-4"}


@given(NAMES, st.data())
def test_told_names_are_as_many_as_names_and_only_masked_ones_change(names: list[str], data: st.DataObject) -> None:
    shown = {name: data.draw(st.sampled_from([name, "[secret]", "a-[term]"])) for name in names}
    apart = masks.told_apart(shown)
    assert apart.keys() == {name for name in names if shown[name] != name}
    assert len({masks.unmasked(apart.get(name, name)) for name in names}) == len(names)
    assert all(told.startswith(shown[name]) for name, told in apart.items())
    assert masks.told_apart(shown) == apart


def test_a_mask_is_a_bare_word_where_brackets_cannot_stand() -> None:
    assert masks.unmasked("v1-[secret]/[term]-2 [note]") == "v1-secret/term-2 [note]"


def test_what_a_policy_takes_out_is_masked_by_its_kind(engine: SecretEngine) -> None:
    policy = Policy(terms=("Acme Bank",), hosts=("corp.example",), patterns=("PRJ-[0-9]+",), people=("Ada Lovelace",))
    told = [f"v1-{TOKEN}", "acme_bank/v1", "ann@example.org", "PRJ-77", "git.corp.example", "ada-lovelace", "v1.0"]
    shown = ["v1-[secret]", "[term]/v1", "[email]", "[pattern]", "[host]", "[person]", "v1.0"]
    assert masking.mask(told, engine, policy=policy) == shown
    assert masking.mask(shown, engine, policy=policy) == shown


def test_united_policies_take_out_what_any_of_them_does_and_keep_people_only_together() -> None:
    one = Policy(terms=("a", "b"), exact=("X",), keep_people=True)
    other = Policy(terms=("b", "c"), hosts=("h",), patterns=("p",), people=("Ada",))
    both = united([one, other])
    assert (both.terms, both.exact, both.hosts, both.patterns, both.people) == (
        ("a", "b", "c"),
        ("X",),
        ("h",),
        ("p",),
        ("Ada",),
    )
    assert (both.keep_people, united([one]).keep_people) == (False, True)
    assert united([]) == Policy()


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("v1.0-ann@example.org", True),
        ("ann@mail.2.example.org", True),
        ("@acme/cli@2.0.0", False),
        ("cli@2.0.0-rc.beta", False),
        ("cli@0.0.0-canary.deadbeef", False),
        ("cli@2.0.0+build.abc", False),
        ("cli@2.0.0-rc.beta of ann@example.org", True),
    ],
)
def test_a_package_with_its_version_is_no_address(text: str, is_there: bool) -> None:
    assert has_address(text) is is_there
