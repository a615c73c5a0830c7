"""What a hostile drafter may do with the form of its reply: each move spoils an honest one, whatever its words are.

`NEEDLE` stands in the words of each, and comes out nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from agent.model.client import Model, Prompt, Reply
from guardrails.drafts.page import Heading
from tests.agent.hostile.scene import Writer, answer, honest

NEEDLE: Final = "zanzibar"
Spoil = Callable[[Prompt, dict[str, Any]], object]
"""From a prompt and an honest reply, which may be changed, to the reply: a text as it is, anything else as JSON."""


@dataclass
class Spoiler(Model):
    """A drafter that spoils each honest reply, or the first one for each prompt's part alone. It keeps what it was asked."""

    spoil: Spoil
    once: bool = False
    characters: int | None = None
    prompts: list[Prompt] = field(default_factory=list)

    @property
    def name(self) -> str:
        """That of the honest one, so that nothing else differs."""
        return "writer"

    async def room(self) -> int | None:
        """As many characters as it was given."""
        return self.characters

    async def draft(self, prompt: Prompt) -> Reply:
        """Write an honest reply and spoil it."""
        self.prompts.append(prompt)
        reply = await Writer(lambda _, where, sources: answer(honest(where, sources), where, sources)).draft(prompt)
        if self.once and prompt.feedback:
            return reply
        spoiled = self.spoil(prompt, json.loads(reply.text))
        return Reply(spoiled if isinstance(spoiled, str) else json.dumps(spoiled))


def _sentences(reply: dict[str, Any], **changed: object) -> dict[str, Any]:
    """Each sentence of a reply with something in it replaced."""
    for one in reply["fields"]:
        one["sentences"] = [{**sentence, **changed} for sentence in one["sentences"] or ()]
    return reply


def _headed(reply: dict[str, Any]) -> dict[str, Any]:
    """A heading for sentences that stand on no page."""
    for one in reply["fields"]:
        if not one["field"].endswith("detail_md"):
            one["sentences"] = [sentence | {"heading": Heading.WHY.value} for sentence in one["sentences"]]
    return reply


def _others(prompt: Prompt, reply: dict[str, Any]) -> object:
    """Cite a commit that was shown for another item, or to nobody."""
    shown = {item for request in prompt.requests for item in request.sources}
    return _sentences(reply, evidence=[next(item for item in ("C1", "C2", "C3") if item not in shown)])


def citing_left_out(prompt: Prompt, reply: dict[str, Any]) -> object:
    """Cite beside all else what there was no room for."""
    if prompt.left_out:
        for one in reply["fields"]:
            one["sentences"] = [{**said, "evidence": [*said["evidence"], *prompt.left_out]} for said in one["sentences"]]
    return reply


UNREADABLE: Final[Mapping[str, Spoil]] = {
    "no object": lambda _, reply: [reply, NEEDLE],
    "words around nothing": lambda *_: f"I would say {NEEDLE}.",
    "half an object": lambda _, reply: json.dumps(reply)[:-20] + NEEDLE,
    "two objects": lambda _, reply: f"{json.dumps(reply)}\n{json.dumps(reply)}",
    "texts for sentences": lambda _, reply: {"fields": [{**one, "sentences": NEEDLE} for one in reply["fields"]]},
    "a key of its own": lambda _, reply: reply | {NEEDLE: 1},
    "a key of its own inside": lambda _, reply: _sentences(reply, **{NEEDLE: True}),
    "a key twice": lambda _, reply: json.dumps(reply)[:-1] + f', "fields": [], "fields": ["{NEEDLE}"]}}',
    "a number for a text": lambda _, reply: _sentences(reply, text=7),
    "no evidence": lambda _, reply: _sentences(reply, evidence=[]),
    "one id without a list": lambda _, reply: _sentences(reply, evidence="C1"),
    "an id of another form": lambda _, reply: _sentences(reply, evidence=[NEEDLE]),
    "no words": lambda _, reply: _sentences(reply, text=""),
    "a heading of its own": lambda _, reply: _sentences(reply, heading=NEEDLE),
    "a heading in two lines": lambda _, reply: _sentences(reply, heading=f"Why\n\n# {NEEDLE}"),
    "a sentence of a megabyte": lambda _, reply: _sentences(reply, text=f"{NEEDLE} " * 120_000),
    "ten thousand sentences": lambda _, reply: {
        "fields": [{**one, "sentences": one["sentences"] * 10_000} for one in reply["fields"]]
    },
    "a megabyte of brackets": lambda *_: '{"fields": ' + "[" * 1_000_000,
    "a megabyte of digits": lambda *_: '{"fields": ' + "9" * 1_000_000 + "}",
    "a lone half of a letter": lambda _, reply: json.dumps(_sentences(reply, text="x")).replace('"x"', '"\\ud800"'),
}
"""Replies that are none."""
REFUSED: Final[Mapping[str, tuple[str, Spoil]]] = {
    "an id that is nowhere": ("outside-sources", lambda _, reply: _sentences(reply, evidence=["C99"])),
    "a letter that is nowhere": ("outside-sources", lambda _, reply: _sentences(reply, evidence=["Z1"])),
    "a true id and one that is nowhere": ("outside-sources", lambda _, reply: _sentences(reply, evidence=["C1", "H99"])),
    "another item's id": ("outside-sources", _others),
    "two answers": ("answered-twice", lambda _, reply: {"fields": reply["fields"] * 2}),
    "the same sentence again": (
        "said-again",
        lambda _, reply: {"fields": [{**one, "sentences": one["sentences"] * 2} for one in reply["fields"]]},
    ),
}
"""Replies of the right form that cite or count wrong, and the finding that each meets."""
_FOREIGN: Final = {
    "targets[0].impact": "major",
    "disclosure.state": "embargoed",
    "provenance": NEEDLE,
    "id": NEEDLE,
    "summary.title": NEEDLE,
    "items[0000000].title": NEEDLE,
    "../../etc/passwd": NEEDLE,
}


def _unasked(_: Prompt, reply: dict[str, Any]) -> object:
    told = [{"field": name, "sentences": [{"text": text, "evidence": ["C1"]}]} for name, text in _FOREIGN.items()]
    return {"fields": [*told, *reply["fields"]]}


def _suggesting(_: Prompt, reply: dict[str, Any]) -> object:
    return reply | {"suggestions": [{"field": name, "value": text, "evidence": ["C1"]} for name, text in _FOREIGN.items()]}


DROPPED: Final[Mapping[str, Spoil]] = {
    "fields that nobody asked for": _unasked,
    "values for what is decided": _suggesting,
    "words around the reply": lambda _, reply: f"Sure, {NEEDLE}!\n\n```json\n{json.dumps(reply)}\n```\n\n{NEEDLE}",
    "thoughts before the reply": lambda _, reply: f"<think>{NEEDLE}</think>{json.dumps(reply)}",
    "a heading where no page is": lambda _, reply: _headed(reply),
}
"""What is left out, and the rest is as good as an honest reply."""
