"""A drafter that cannot be had ends the run with exit code 2 and the one thing to do; nothing else takes its place unasked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent.exits.provider import KEY, NAME, Answer, provider
from tests.agent.payments import ISSUE, MESSAGE, RATIONALE, RECORD, SUMMARY, Road, payments
from tests.repositories import GitFolder

WIRES = ("openai", "anthropic", "url")
LAST = "HEAD~1..HEAD"
VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")
SAID = ("Resume interrupted settlement jobs", "Prevent deployment shutdowns from leaving settlement jobs incomplete.")
HONEST = json.dumps(
    {
        "fields": [
            {"field": name, "sentences": [{"text": text, "evidence": ["C1"]}]}
            for name, text in zip(("summary", "rationale"), SAID, strict=True)
        ]
    }
)
DRAFTED = RECORD.replace(SUMMARY[8:], SAID[0]).replace(RATIONALE[10:], SAID[1])
AT_ONCE = {"x-should-retry": "false"}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key, endpoint or cache of whoever runs the tests."""
    for name in (*VARIABLES, "EVIDRAFT_ENDPOINT_KEY", "EVIDRAFT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    return payments(tmp_path / "payments", MESSAGE + "Refs: DEVELOP-219\n")


@pytest.mark.parametrize("wire", WIRES)
def test_each_wire_drafts_and_the_record_tells_who_and_for_how_much(
    folder: GitFolder, road: Road, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wire: str
) -> None:
    with provider(lambda _: HONEST) as one:
        for name, value in one.environment().items():
            monkeypatch.setenv(name, value)
        ran = road.draft(folder, LAST, "--model", one.client(wire), "--record", str(tmp_path / "record.json"))
    assert (ran.code, ran.out) == (0, DRAFTED)
    assert "1 call, 3,000 tokens in, 20 out, at an unknown price" in ran.err
    drafter = json.loads((tmp_path / "record.json").read_text("utf-8"))["drafter"]
    assert drafter["client"] == one.client(wire)
    assert drafter["parameters"]["endpoint"].startswith(one.address)
    (attempt,) = drafter["attempts"]
    assert (attempt["model"], attempt["input-tokens"], attempt["output-tokens"], attempt["kept"]) == (NAME, 3000, 20, False)
    assert KEY not in json.dumps(drafter) + ran.out + ran.err
    assert len(one.asked) == 1


@pytest.mark.parametrize("wire", WIRES)
def test_what_was_paid_for_once_is_not_asked_again(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch, wire: str
) -> None:
    with provider(lambda _: HONEST) as one:
        for name, value in one.environment().items():
            monkeypatch.setenv(name, value)
        words = [LAST, "--model", one.client(wire)]
        first, second = road.draft(folder, *words), road.draft(folder, *words)
        assert (first.code, second.code, first.out) == (0, 0, second.out)
        assert len(one.asked) == 1
        assert f"{one.client(wire)}: 1 reply kept from before\n" in second.err
        assert road.draft(folder, *words, "--no-cache").out == first.out
        assert len(one.asked) == 2


@pytest.mark.parametrize(("wire", "variable"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")])
def test_without_a_key_the_variable_to_set_is_named_and_nothing_is_drafted(
    folder: GitFolder, road: Road, wire: str, variable: str
) -> None:
    ran = road.draft(folder, LAST, "--model", f"{wire}:{NAME}", json=True)
    assert (ran.code, ran.json["status"]) == (2, "ERROR")
    assert variable in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_run_without_secrets_drafts_extractively_only_when_that_is_asked_for(
    folder: GitFolder, road: Road, tmp_path: Path, wire: str
) -> None:
    """As in a request from a fork: its CI run has no key."""
    words = [LAST, "--model", f"{wire}:{NAME}", "--record", str(tmp_path / "record.json")]
    assert road.draft(folder, *words).code == 2
    assert not (tmp_path / "record.json").exists()
    ran = road.draft(folder, *words, "--fallback")
    assert (ran.code, ran.out) == (0, DRAFTED)
    assert "drafting extractively, as --fallback says" in ran.err
    drafter = json.loads((tmp_path / "record.json").read_text("utf-8"))["drafter"]
    assert (drafter["client"], drafter["instead-of"]) == ("extractive", f"{wire}:{NAME}")
    assert road.draft(folder, *words, "--fallback", json=True).json["evidence"]["drafted-instead-of"] == f"{wire}:{NAME}"


REFUSALS = {
    "a wrong key": (401, {"type": "authentication_error", "code": "invalid_api_key"}, "API_KEY|ENDPOINT_KEY"),
    "no right to it": (403, {"type": "permission_error"}, "may"),
    "no such model": (404, {"type": "not_found_error", "code": "model_not_found"}, "model"),
    "a spent quota": (429, {"type": "insufficient_quota", "code": "insufficient_quota"}, "quota"),
    "too many requests": (429, {"type": "rate_limit_error", "code": "rate_limit_exceeded"}, "later"),
    "a fault of its own": (500, {"type": "api_error"}, "later"),
    "overload": (529, {"type": "overloaded_error"}, "later"),
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_a_provider_that_refuses_is_told_with_the_one_thing_to_do(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch, wire: str, refusal: tuple[int, dict[str, str], str]
) -> None:
    status, error, cure = refusal
    quoted = "settlement jobs are quoted here"
    body = {"type": "error", "error": {**error, "message": quoted}}
    with provider(lambda _: Answer(body, status, AT_ONCE)) as one:
        for name, value in one.environment().items():
            monkeypatch.setenv(name, value)
        ran = road.draft(folder, LAST, "--model", one.client(wire))
    assert (ran.code, ran.out) == (2, "")
    assert any(word in ran.err for word in cure.split("|")), ran.err
    assert quoted not in ran.err
    assert ran.err.count("\n") == 1
    assert len(one.asked) == 1


async def _at_once(_seconds: float) -> None:
    """Wait for nothing."""


@pytest.mark.parametrize("wire", WIRES)
def test_a_server_that_is_not_there_is_told(folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch, wire: str) -> None:
    with provider(lambda _: HONEST) as one:
        pass
    for name, value in one.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("anyio.sleep", _at_once)
    ran = road.draft(folder, LAST, "--model", one.client(wire), "--timeout", "20")
    assert (ran.code, ran.out) == (2, "")
    assert "could not be reached" in ran.err


def test_an_interrupted_draft_ends_at_once_and_writes_nothing(folder: GitFolder, tmp_path: Path) -> None:
    ran: list[subprocess.Popen[bytes]] = []

    def interrupt(_body: str) -> Answer:
        ran[0].send_signal(signal.SIGINT)
        ran[0].wait()
        return Answer({}, 500, AT_ONCE)

    # Whoever runs the tests behind a terminal's back has this signal ignored, and a program keeps to that.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heard}; import sys; from agent.cli import draft_changeset as run; sys.exit(run(sys.argv[1:]))"
    with provider(interrupt) as one:
        environment = {**os.environ, **one.environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        words = ["--repo", str(folder.path), LAST, "--model", one.client("url"), "--output", str(tmp_path / "out.yaml")]
        ran.append(subprocess.Popen([sys.executable, "-c", code, *words], env=environment, stderr=subprocess.PIPE))
        _, err = ran[0].communicate()
    assert (ran[0].returncode, err) == (130, b"evidraft: interrupted\n")
    assert not (tmp_path / "out.yaml").exists()


@pytest.mark.parametrize("wire", WIRES)
def test_a_dry_run_needs_no_key_and_sends_nothing_of_the_evidence(
    folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch, wire: str
) -> None:
    with provider(lambda _: HONEST) as one:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{one.address}/v1")
        ran = road.draft(folder, LAST, "--model", one.client(wire), "--dry-run", json=True)
    assert (ran.code, ran.json["status"], one.asked, ran.err) == (0, "EVIDENCE", [], "")
    assert [message["role"] for message in ran.json["prompt"]["messages"]] == ["system", "user"]
    assert not any(b"settlement" in request for request in one.seen)
    assert road.draft(folder, LAST, "--model", "oracle", "--dry-run").code == 2


def test_a_reply_that_was_written_elsewhere_is_fed_back_by_the_digest_of_its_prompt(
    folder: GitFolder, road: Road, tmp_path: Path
) -> None:
    replies = tmp_path / "replies"
    words = [LAST, "--model", f"recorded:{replies}"]
    digest = road.draft(folder, *words, "--dry-run", json=True).json["prompt"]["digest"]
    replies.mkdir()
    missing = road.draft(folder, *words)
    assert (missing.code, digest.removeprefix("sha256:") in missing.err) == (2, True)
    (replies / f"{digest.removeprefix('sha256:')}.json").write_text(HONEST)
    assert road.draft(folder, *words).out == DRAFTED


def test_answers_to_come_are_asked_with_one_drafter(folder: GitFolder, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit counts for the whole run, whatever is asked in it."""
    with provider(lambda _: HONEST) as one:
        for name, value in one.environment().items():
            monkeypatch.setenv(name, value)
        ran = road.draft(folder, LAST, "--model", one.client("url"), "--max-tokens", "1", answers=(ISSUE,))
    assert (ran.code, ran.out, one.asked) == (2, "", [])
    assert "--max-tokens" in ran.err
