"""What was paid for once is not paid for again, and only what could be used is kept."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from agent.model.client import Prompt, Reply, Usage
from agent.model.scripted import Scripted
from agent.replies.cache import Cached
from agent.replies.shelf import Shelf
from guardrails.drafts.unusable import UNUSABLE
from guardrails.findings import Code
from guardrails.redaction.secrets import SecretEngine
from tests.agent.replies.asked import TERM, asked, prompt, said, shown
from tests.guardrails.redaction.made_up import TOKEN

SOUND = Reply(
    said("Resume jobs"),
    Usage(100, 20, 60, 5, 7),
    model="example-1",
    request_id="req-1",
    stop="stop",
    seconds=1.5,
    cost=Decimal("0.01"),
)
PROMPT = prompt()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "own" / "replies.sqlite3"


def cached(file: Path, model: Scripted, notes: list[str] | None = None) -> Cached:
    return Cached(model, Shelf(file, waits=0.0), note=(notes if notes is not None else []).append)


def test_a_reply_is_given_again_without_asking(file: Path) -> None:
    assert asked(cached(file, Scripted([SOUND])), PROMPT) == [SOUND]
    nobody = Scripted([])
    (again,) = asked(cached(file, nobody), PROMPT)
    assert nobody.prompts == []
    assert again.kept
    assert (again.text, again.usage, again.cost) == (SOUND.text, SOUND.usage, SOUND.cost)
    assert (again.model, again.request_id, again.stop, again.seconds) == ("example-1", "req-1", "stop", 1.5)


@pytest.mark.parametrize(
    ("name", "parameters", "one"),
    [
        ("openai:other", {"max_tokens": 5}, PROMPT),
        ("openai:example", {"max_tokens": 6}, PROMPT),
        ("openai:example", {"max_tokens": 5, "endpoint": "https://example.com"}, PROMPT),
        ("openai:example", {"max_tokens": 5}, prompt(feedback="summary: loud")),
    ],
    ids=["client", "parameter", "endpoint", "prompt"],
)
def test_another_drafter_or_request_is_another_reply(file: Path, name: str, parameters: dict[str, object], one: Prompt) -> None:
    asked(cached(file, Scripted([SOUND], name="openai:example", parameters={"max_tokens": 5})), PROMPT)
    other = Scripted(["other"], name=name, parameters=parameters)
    assert [reply.text for reply in asked(cached(file, other), one)] == ["other"]


def test_the_fence_of_a_prompt_makes_no_difference(file: Path) -> None:
    one, two = prompt(), prompt()
    assert one.fence != two.fence
    asked(cached(file, Scripted([SOUND])), one)
    assert asked(cached(file, Scripted([])), two)[0].kept


def test_a_prompt_asked_again_for_one_draft_gets_another_answer(file: Path) -> None:
    model = Scripted([SOUND, Reply(said("Resume them"))])
    one = cached(file, model)
    first = [reply.text for reply in asked(one, PROMPT, PROMPT)]
    assert first == [said("Resume jobs"), said("Resume them")]
    assert [(reply.text, reply.kept) for reply in asked(one, PROMPT, PROMPT)] == [(text, True) for text in first]
    assert len(model.prompts) == 2


@pytest.mark.parametrize("code", UNUSABLE, ids=lambda code: code.name)
def test_an_answer_that_is_none_is_not_kept(file: Path, code: Code) -> None:
    asked(cached(file, Scripted([Reply(said("Resume jobs"), fault=code)])), PROMPT)
    assert not asked(cached(file, Scripted([SOUND])), PROMPT)[0].kept


@pytest.mark.parametrize("text", ["", "no", "[]", '{"fields": [], "more": 1}', '{"fields": "x"}'])
def test_a_reply_of_another_shape_is_not_kept(file: Path, text: str) -> None:
    asked(cached(file, Scripted([text])), PROMPT)
    assert not asked(cached(file, Scripted([SOUND])), PROMPT)[0].kept


@pytest.mark.requirement("AI-7")
@pytest.mark.parametrize("words", [TOKEN, TERM, f"of {TERM.lower()}", "a\u202eb"])
def test_a_reply_with_what_may_not_leave_is_not_kept(file: Path, engine: SecretEngine, words: str) -> None:
    one = prompt(evidence=shown(engine))
    asked(cached(file, Scripted([said(f"Resume {words} jobs")])), one)
    assert not asked(cached(file, Scripted([SOUND])), one)[0].kept
    assert words.encode() not in b"".join(path.read_bytes() for path in file.parent.iterdir())


@pytest.mark.requirement("AI-7")
def test_of_a_provider_s_own_words_only_harmless_ones_are_kept(file: Path, engine: SecretEngine) -> None:
    one = prompt(evidence=shown(engine))
    asked(cached(file, Scripted([Reply(said("Resume jobs"), model=TERM, request_id=TOKEN, stop="st\nop")])), one)
    (again,) = asked(cached(file, Scripted([])), one)
    assert (again.model, again.request_id, again.stop) == ("", "", "stop")


@pytest.mark.requirement("AI-7")
def test_nothing_of_a_prompt_is_kept(file: Path) -> None:
    asked(cached(file, Scripted([SOUND])), PROMPT)
    kept = b"".join(path.read_bytes() for path in file.parent.iterdir())
    texts = [line for message in PROMPT.messages for line in message.content.splitlines() if len(line) > 20]
    assert len(texts) > 20
    assert [line for line in texts if line.encode() in kept] == []


def test_nobody_else_may_read_the_file(file: Path) -> None:
    asked(cached(file, Scripted([SOUND])), PROMPT)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}


def damaged(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)


def foreign(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE texts (key, used, text)")
    database.close()


def of_another_format(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA user_version = 9")
    database.close()


def a_folder(file: Path) -> None:
    file.mkdir()


def a_link(file: Path) -> None:
    file.symlink_to(file.parent / "elsewhere")


def torn(file: Path) -> None:
    asked(cached(file, Scripted([SOUND])), PROMPT)
    file.write_bytes(file.read_bytes()[:6000])


def no_folder(file: Path) -> None:
    file.parent.rmdir()
    file.parent.write_text("a file")


@pytest.mark.parametrize(
    "spoil", [damaged, foreign, of_another_format, a_folder, a_link, torn, no_folder], ids=lambda one: one.__name__
)
def test_a_cache_that_cannot_be_used_loses_no_reply_and_is_told_once(file: Path, spoil: Callable[[Path], None]) -> None:
    file.parent.mkdir()
    spoil(file)
    notes: list[str] = []
    model = cached(file, Scripted([SOUND, "two"]), notes)
    assert [reply.text for reply in asked(model, PROMPT, prompt(feedback="x"))] == [SOUND.text, "two"]
    assert len(notes) == 1
    assert notes[0].startswith("note: replies are not kept: ")


def test_a_cache_that_another_process_holds_is_done_without(file: Path) -> None:
    asked(cached(file, Scripted([SOUND])), PROMPT)
    notes: list[str] = []
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    model = cached(file, Scripted([Reply(said("Two"))]), notes)
    assert [reply.kept for reply in asked(model, PROMPT, prompt(feedback="x"))] == [True, False]
    holder.close()
    assert notes == [f"note: replies are not kept: another process holds it: {file}"]


@pytest.mark.parametrize("text", ["{", "{}", '{"fields": []}', "null", '{"evidraft-reply": "1.0.0"}'])
def test_a_kept_text_that_is_no_reply_of_ours_is_asked_again(file: Path, text: str) -> None:
    asked(cached(file, Scripted([SOUND])), PROMPT)
    with sqlite3.connect(file) as database:
        database.execute("UPDATE texts SET text = ?", (text,))
    database.close()
    assert not asked(cached(file, Scripted([SOUND])), PROMPT)[0].kept
    assert asked(cached(file, Scripted([])), PROMPT)[0].kept


def test_it_says_of_itself_what_the_drafter_says() -> None:
    model = Scripted([], name="openai:example", parameters={"max_tokens": 5}, room=7)
    one = Cached(model, Shelf(Path("nowhere")))
    assert (one.name, one.parameters, one.reads_evidence) == ("openai:example", {"max_tokens": 5}, False)
    assert model.closed == 0
