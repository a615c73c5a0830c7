"""Every answer is written down as JSON, without anything that the redactor would take out."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from agent.errors import ProviderFailure, StoreFailure, TooLong, UsageFailure
from agent.model.client import Reply, Usage
from agent.model.recorded import Recorded
from agent.model.scripted import Answer, Scripted
from agent.replies.recording import Recording
from guardrails.drafts.unusable import REPLY_REFUSED
from guardrails.redaction.secrets import SecretEngine
from tests.agent.replies.asked import TERM, asked, prompt, said, shown
from tests.guardrails.redaction.made_up import TOKEN

PROMPT = prompt()
DIGITS = PROMPT.digest.removeprefix("sha256:")
WHOLE = Reply(
    said("Resume jobs"),
    Usage(100, 20, 60, 5, 7),
    model="m-1",
    request_id="req-1",
    stop="stop",
    seconds=1.5,
    cost=Decimal("0.01"),
)


def recorded(folder: Path, *answers: Answer, name: str = "openai:example", room: int | None = None) -> Recording:
    return Recording(Scripted(answers, name=name, room=room), folder)


def test_a_reply_is_a_file_named_by_its_prompt(tmp_path: Path) -> None:
    assert asked(recorded(tmp_path, WHOLE, room=9_000), PROMPT) == [WHOLE]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([f"{DIGITS}.json", "recording.json"])
    assert json.loads((tmp_path / f"{DIGITS}.json").read_text()) == {
        "evidraft-reply": "1.0.0",
        "prompt": PROMPT.digest,
        "client": "openai:example",
        "model": "m-1",
        "request-id": "req-1",
        "stop": "stop",
        "text": WHOLE.text,
        "fault": None,
        "too-long": None,
        "usage": {
            "input-tokens": 100,
            "output-tokens": 20,
            "cached-tokens": 60,
            "written-tokens": 5,
            "reasoning-tokens": 7,
        },
        "seconds": 1.5,
        "cost": "0.01",
    }
    assert json.loads((tmp_path / "recording.json").read_text()) == {
        "evidraft-recording": "1.0.0",
        "client": "openai:example",
        "room": 9_000,
    }


def test_a_fault_is_written_without_its_text_and_a_repeated_prompt_with_its_number(tmp_path: Path) -> None:
    asked(recorded(tmp_path, Reply("I will not.", fault=REPLY_REFUSED), "second"), PROMPT, PROMPT)
    first, second = (json.loads((tmp_path / f"{DIGITS}{more}.json").read_text()) for more in ("", "-2"))
    assert (first["text"], first["fault"]) == ("", "reply-refused")
    assert (second["text"], second["fault"]) == ("second", None)


def test_that_a_prompt_was_too_long_is_written_and_still_said(tmp_path: Path) -> None:
    with pytest.raises(TooLong):
        asked(recorded(tmp_path, TooLong("too long", share=0.25)), PROMPT)
    assert json.loads((tmp_path / f"{DIGITS}.json").read_text())["too-long"] == 0.25
    with pytest.raises(TooLong) as again:
        asked(Recorded(tmp_path), PROMPT)
    assert again.value.share == 0.25


def test_another_failure_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ProviderFailure):
        asked(recorded(tmp_path, ProviderFailure("down")), PROMPT)
    assert [path.name for path in tmp_path.iterdir()] == ["recording.json"]


@pytest.mark.parametrize("other", [{"name": "openai:other"}, {"room": 5}], ids=["client", "room"])
def test_replies_of_two_drafters_are_not_mixed(tmp_path: Path, other: dict[str, object]) -> None:
    asked(recorded(tmp_path, WHOLE), PROMPT)
    asked(recorded(tmp_path, WHOLE), PROMPT)
    with pytest.raises(UsageFailure, match="another drafter"):
        asked(recorded(tmp_path, WHOLE, **other), PROMPT)  # type: ignore[arg-type]


def test_a_folder_that_is_not_there_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(UsageFailure, match="no such folder"):
        recorded(tmp_path / "none")


def test_a_reply_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / f"{DIGITS}.json").mkdir()
    with pytest.raises(StoreFailure):
        asked(recorded(tmp_path, WHOLE), PROMPT)


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


HOSTILE = [
    said(f"It was {TOKEN}, for {TERM}."),
    said("X").replace("X", escaped(TOKEN) + escaped(TERM)),
    f"I cannot say {TOKEN} or {TERM}",
    f"I cannot say {escaped(TOKEN)} or {escaped(TERM)}",
    json.dumps({TOKEN: TERM}),
    json.dumps({"fields": [{"field": "summary", "sentences": [{"text": part, "evidence": ["C1"]} for part in TERM.split()]}]}),
    json.dumps([TOKEN[:12], TOKEN[12:]]),
    "[" * 5_000 + TOKEN,
]


@pytest.mark.requirement("AI-7")
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_that_may_not_leave_is_written_however_it_is_said(tmp_path: Path, engine: SecretEngine, text: str) -> None:
    one = prompt(evidence=shown(engine))
    asked(recorded(tmp_path, Reply(text, model=TERM, request_id=TOKEN, stop=f"see {TERM}")), one)
    (file,) = (path for path in tmp_path.iterdir() if path.name != "recording.json")
    told = [
        file.read_text(),
        json.dumps(strings := list(words(json.loads(file.read_text())))),
        "".join(strings),
        " ".join(strings),
    ]
    assert [(canary, text) for canary in (TOKEN, TERM) for text in told if canary in text] == []


def words(content: object) -> list[str]:
    """All strings of a document, also those that are documents themselves."""
    if isinstance(content, dict):
        return [word for pair in content.items() for one in pair for word in words(one)]
    if isinstance(content, list):
        return [word for one in content for word in words(one)]
    if not isinstance(content, str):
        return []
    try:
        inner = json.loads(content)
    except (ValueError, RecursionError):
        return [content]
    return [content, *words(inner)] if isinstance(inner, dict | list) else [content]


def test_half_characters_are_written_too(tmp_path: Path) -> None:
    asked(recorded(tmp_path, "a\ud800b"), PROMPT)
    text = json.loads((tmp_path / f"{DIGITS}.json").read_text())["text"]
    assert (text[0], text[-1], "\ud800" in text) == ("a", "b", False)
