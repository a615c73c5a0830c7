"""Each reply is kept before it is used, and a run that goes on meets what it met before without a call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import pytest

from agent.errors import InputFailure, ProviderFailure, TooLong
from agent.model import calls
from agent.model.client import Model, Prompt, Reply, Usage
from agent.model.scripted import Scripted
from agent.replies.desk import OwnDesk, Untimed
from agent.replies.journaled import Journaled
from agent.replies.metering import Meter, Spent
from guardrails.drafts.unusable import UNUSABLE
from guardrails.findings import Code
from guardrails.redaction.secrets import SecretEngine
from tests.agent.replies.asked import TERM, asked, prompt, said, shown
from tests.guardrails.redaction.made_up import TOKEN

PROMPT, OTHER = prompt(), prompt(feedback="summary: loud")
SOUND = Reply(
    said("Resume jobs"),
    Usage(100, 20, 60, 5, 7),
    model="example-1",
    request_id="req-1",
    stop="stop",
    seconds=1.5,
    cost=Decimal("0.01"),
)


@dataclass
class Shelf:
    """A keeper in memory."""

    texts: dict[str, str] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    given_back: list[str] = field(default_factory=list)
    _turns: dict[str, asyncio.Lock] = field(default_factory=dict)

    def turn(self, key: str) -> asyncio.Lock:
        return self._turns.setdefault(key, asyncio.Lock())

    def get(self, key: str) -> str | None:
        return self.texts.get(key)

    async def unasked(self, key: str) -> None:
        self.given_back.append(key)

    async def keep(self, key: str, text: str, spent: Spent) -> None:
        self.texts[key] = text
        self.spent += spent


def journaled(model: Model, shelf: Shelf) -> Journaled:
    return Journaled(model, OwnDesk(shelf, Untimed(), Meter(model.name)))


def nobody() -> Scripted:
    return Scripted([])


def test_a_kept_reply_is_used_instead_of_a_call_and_is_what_was_paid() -> None:
    shelf = Shelf()
    first = asked(journaled(Scripted([SOUND]), shelf), PROMPT)
    assert first == asked(journaled(nobody(), shelf), PROMPT) == [SOUND]
    assert shelf.spent == Spent(120, Decimal("0.01"))


@pytest.mark.parametrize("fault", UNUSABLE, ids=lambda code: code.name)
def test_a_reply_of_no_use_is_kept_as_well(fault: Code) -> None:
    shelf, bad = Shelf(), Reply("", fault=fault, usage=Usage(10, 1))
    first = asked(journaled(Scripted([bad]), shelf), PROMPT)
    assert first == asked(journaled(nobody(), shelf), PROMPT) == [bad]


@pytest.mark.parametrize("text", ["no JSON", "", '{"fields": 7}', "half a \ud800 character"])
def test_a_text_of_no_use_is_kept_as_well(text: str) -> None:
    shelf = Shelf()
    assert asked(journaled(Scripted([text]), shelf), PROMPT) == asked(journaled(nobody(), shelf), PROMPT)


@pytest.mark.parametrize("share", [0.3, -1.0, 7.0])
def test_that_a_prompt_was_too_long_is_kept_with_how_much_may_fit(share: float) -> None:
    shelf, shares = Shelf(), []
    for model in (Scripted([TooLong("no", share=share)]), nobody()):
        with pytest.raises(TooLong) as failure:
            asked(journaled(model, shelf), PROMPT)
        shares.append(failure.value.share)
    assert shares == [min(max(share, 0.0), 1.0)] * 2


def test_a_failure_is_not_kept() -> None:
    shelf = Shelf()
    with pytest.raises(ProviderFailure):
        asked(journaled(Scripted([ProviderFailure("it failed")]), shelf), PROMPT)
    assert len(shelf.given_back) == 1
    assert asked(journaled(Scripted([SOUND]), shelf), PROMPT) == [SOUND]


def test_a_prompt_asked_again_in_one_draft_is_another_call_and_in_another_draft_the_same() -> None:
    shelf = Shelf()
    model = Scripted(["one", "two"])
    for drafter in (model, nobody()):
        replies = asked(journaled(drafter, shelf), PROMPT, PROMPT)
        assert [reply.text for reply in replies] == ["one", "two"]


def test_it_does_not_matter_in_which_order_drafts_are_made() -> None:
    shelf = Shelf()
    texts = {PROMPT.digest: "one", OTHER.digest: "two"}
    model = Scripted(lambda given: texts[given.digest])
    asked(journaled(model, shelf), PROMPT, OTHER)
    assert [reply.text for reply in asked(journaled(nobody(), shelf), OTHER, PROMPT)] == ["two", "one"]


@pytest.mark.parametrize("other", [Scripted(["two"], name="other"), Scripted(["two"], parameters={"temperature": 1})])
def test_another_drafter_or_parameter_is_another_call(other: Scripted) -> None:
    shelf = Shelf()
    asked(journaled(Scripted(["one"]), shelf), PROMPT)
    assert asked(journaled(other, shelf), PROMPT)[0].text == "two"


def test_two_drafts_that_ask_the_same_at_once_are_answered_by_one_call() -> None:
    shelf, model = Shelf(), Scripted([SOUND], before=lambda _: asyncio.sleep(0))

    async def both() -> Sequence[Reply]:
        drafts = [journaled(model, shelf) for _ in range(2)]
        return await asyncio.gather(*(one.draft(PROMPT) for one in drafts))

    assert list(asyncio.run(both())) == [SOUND, SOUND]
    assert len(model.prompts) == 1


@pytest.mark.requirement("IC-11.7")
def test_nothing_that_may_not_leave_is_kept_or_handed_on(engine: SecretEngine) -> None:
    shelf, one = Shelf(), prompt(evidence=shown(engine))
    leak = Reply(said(f"{TERM} and {TOKEN}"), model=TOKEN, request_id=TOKEN)
    first = asked(journaled(Scripted([leak]), shelf), one)
    assert first == asked(journaled(nobody(), shelf), one)
    for secret in (TERM, TOKEN):
        assert secret not in repr(shelf.texts) + first[0].text + first[0].model + first[0].request_id


def test_what_is_kept_and_no_reply_is_a_failure_that_quotes_nothing() -> None:
    shelf = Shelf()
    asked(journaled(Scripted([SOUND]), shelf), PROMPT)
    shelf.texts = dict.fromkeys(shelf.texts, '{"quoted": 1}')
    with pytest.raises(InputFailure) as failure:
        asked(journaled(nobody(), shelf), PROMPT)
    assert "quoted" not in str(failure.value)


def test_each_call_has_a_name_that_stays_the_same_when_it_is_repeated() -> None:
    names: list[str] = []

    class Listening(Scripted):
        async def draft(self, prompt: Prompt) -> Reply:
            names.append(calls.current().name)
            return await super().draft(prompt)

    for _ in range(2):
        asked(journaled(Listening([SOUND, SOUND, SOUND]), Shelf()), PROMPT, PROMPT, OTHER)
    assert names[:3] == names[3:]
    assert len(set(names)) == 3
    assert all(len(name) == 64 for name in names)
