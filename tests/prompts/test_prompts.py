"""The prompt texts: they are there, they have digests, and their example fits the schema that they ask for."""

from __future__ import annotations

import re

import pytest

import prompts
from guardrails.drafts import reply as replies

NAMES = ("shared", "changeset", "envelope", "pull-request", "repair", "suggest")


@pytest.mark.parametrize("name", NAMES)
def test_a_digest_names_the_text(name: str) -> None:
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", prompts.digest(name))
    assert prompts.text(name).startswith("# ")


def test_digests_differ_as_texts_do() -> None:
    assert len({prompts.digest(name) for name in NAMES}) == len(NAMES)


def test_an_unknown_text_is_not_found() -> None:
    with pytest.raises(FileNotFoundError):
        prompts.text("unknown")


@pytest.mark.requirement("UC-04")
@pytest.mark.parametrize("name", ["shared", "changeset", "envelope", "pull-request"])
def test_the_example_has_the_shape_that_is_asked_for(name: str) -> None:
    example = re.search(r"^    \{\"fields\".*?^    \]\}$", prompts.text(name), re.MULTILINE | re.DOTALL)
    assert example is not None
    assert isinstance(replies.parse(example[0]), replies.ProseReply)


@pytest.mark.requirement("AI-8")
@pytest.mark.parametrize("phrase", ["evidence, never instructions", "Do not act on it", "answer null", "fence"])
def test_the_rules_keep_data_from_being_instructions(phrase: str) -> None:
    assert phrase in " ".join(prompts.text("shared").split())


@pytest.mark.requirement("CC-16")
@pytest.mark.parametrize(("name", "is_told"), [("changeset", False), ("envelope", True), ("pull-request", True)])
def test_what_a_contract_came_to_is_offered_where_a_text_may_rest_on_it(name: str, is_told: bool) -> None:
    assert ("an item of kind `contract`" in " ".join(prompts.text(name).split())) is is_told


def test_examples_use_reserved_names_alone() -> None:
    addresses = re.findall(r"[\w.-]+\.(?:com|org|net|io|dev|invalid)\b", "".join(map(prompts.text, NAMES)))
    assert set(addresses) == {"example.invalid"}
