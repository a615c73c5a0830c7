"""Replies from files: recorded ones, ones by hand, and what is said of files that are neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.errors import InputFailure, NotConfigured, ProviderFailure
from agent.model.client import Reply
from agent.model.recorded import Recorded
from guardrails.drafts.unusable import REPLY_EMPTY
from tests.agent.replies.asked import asked, prompt, said

PROMPT = prompt()
DIGITS = PROMPT.digest.removeprefix("sha256:")
WRITTEN = {"evidraft-reply": "1.0.0", "prompt": PROMPT.digest, "client": "openai:example", "text": "x"}


def wrote(folder: Path, content: object, *, more: str = "") -> Path:
    path = folder / f"{DIGITS}{more}.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_reply_by_hand_is_taken_as_it_is(tmp_path: Path) -> None:
    text = said("Resume jobs") + "\n"
    wrote(tmp_path, text)
    assert asked(Recorded(tmp_path), PROMPT, PROMPT) == [Reply(text, kept=True)] * 2


def test_a_written_reply_needs_no_more_than_its_text(tmp_path: Path) -> None:
    wrote(tmp_path, WRITTEN)
    assert asked(Recorded(tmp_path), PROMPT) == [Reply("x", kept=True)]
    wrote(tmp_path, {**WRITTEN, "fault": "reply-empty"})
    assert asked(Recorded(tmp_path), PROMPT)[0].fault is REPLY_EMPTY


def test_a_repeated_prompt_gets_its_own_reply_and_each_draft_begins_anew(tmp_path: Path) -> None:
    wrote(tmp_path, WRITTEN)
    wrote(tmp_path, {**WRITTEN, "text": "y"}, more="-2")
    model = Recorded(tmp_path)
    for _ in range(2):
        assert [reply.text for reply in asked(model, PROMPT, PROMPT, PROMPT)] == ["x", "y", "x"]


def test_a_missing_reply_names_the_prompt_the_part_and_the_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(ProviderFailure) as missing:
        asked(Recorded(tmp_path), prompt(part="items[2]"))
    told = str(missing.value)
    assert all(part in told for part in (PROMPT.digest, "(items[2])", str(tmp_path / f"{DIGITS}.json")))


BAD = [
    ("", "this is no JSON"),
    ("{", "this is no JSON"),
    ("[" * 100_000, "this is no JSON"),
    ("[]", "the whole: "),
    ({**WRITTEN, "evidraft-reply": "2.0.0"}, "evidraft-reply: literal_error"),
    ({**WRITTEN, "more": 1}, "more: extra_forbidden"),
    ({**WRITTEN, "fault": "loud"}, "fault: value_error"),
    ({**WRITTEN, "cost": "much"}, "cost: value_error"),
    ({**WRITTEN, "cost": "NaN"}, "cost: value_error"),
    ({**WRITTEN, "usage": {"input-tokens": -1}}, "usage.input-tokens: greater_than_equal"),
    ({**WRITTEN, "too-long": 2.0}, "too-long: less_than_equal"),
    ({"text": "x"}, "prompt: missing"),
]


@pytest.mark.parametrize(("content", "why"), BAD, ids=[why for _, why in BAD])
def test_a_file_that_is_no_reply_is_named_with_what_is_wrong(tmp_path: Path, content: object, why: str) -> None:
    path = wrote(tmp_path, content)
    with pytest.raises(InputFailure) as bad:
        asked(Recorded(tmp_path), PROMPT)
    assert why in bad.value.what
    assert bad.value.where == str(path)


def test_the_reply_to_another_prompt_is_not_taken(tmp_path: Path) -> None:
    wrote(tmp_path, {**WRITTEN, "prompt": "sha256:" + "0" * 64})
    with pytest.raises(InputFailure, match="another prompt"):
        asked(Recorded(tmp_path), PROMPT)


def test_a_folder_in_the_place_of_a_file_is_no_reply(tmp_path: Path) -> None:
    (tmp_path / f"{DIGITS}.json").mkdir()
    with pytest.raises(InputFailure, match="expected a file"):
        asked(Recorded(tmp_path), PROMPT)


def test_a_folder_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="no such folder"):
        Recorded(tmp_path / "none")


def test_a_recording_that_does_not_tell_its_room_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_text('{"evidraft-recording": "9.0.0"}')
    with pytest.raises(InputFailure, match="nothing about a recording"):
        asked(Recorded(tmp_path), PROMPT)


def test_for_policies_it_is_a_client_of_its_own(tmp_path: Path) -> None:
    model = Recorded(tmp_path)
    assert (model.name, model.reads_evidence, dict(model.parameters)) == ("recorded", False, {})
