"""The grammar of `--model`: every name opens its drafter or says what may have been meant; nothing is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from agent.errors import NotConfigured, UsageFailure
from agent.model.client import Model
from agent.model.extractive.drafter import Extractive
from agent.model.recorded import Recorded
from agent.replies.cache import Cached
from agent.replies.metering import Metered
from agent.replies.opening import Options, opened, shown
from agent.replies.recording import Recording

KEY = "made-up-key"
ENVIRON = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
SERVER = "http://127.0.0.1:8080/v1#example"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def layers(model: Model) -> Iterator[str]:
    """What is around a drafter, from outside, and the drafter itself."""
    yield type(model).__name__
    if isinstance(model, Cached | Metered | Recording):
        yield from layers(model._model)


@pytest.mark.parametrize(
    ("spec", "kinds"),
    [
        ("openai:gpt-4o", ["Cached", "Metered", "OpenAI"]),
        ("anthropic:claude-sonnet-4-5", ["Cached", "Metered", "Anthropic"]),
        (SERVER, ["Cached", "Metered", "Compatible"]),
        ("https://example.com/v1#org/name:tag", ["Cached", "Metered", "Compatible"]),
        ("http://127.0.0.1:8080/v1#", ["Metered", "Compatible"]),
    ],
)
def test_a_name_opens_its_drafter(spec: str, kinds: list[str], tmp_path: Path) -> None:
    model = opened(spec, environ=ENVIRON)
    assert list(layers(model)) == kinds
    assert model.name == spec
    assert list(layers(opened(spec, Options(cache=False), environ=ENVIRON))) == [kind for kind in kinds if kind != "Cached"]
    assert list(layers(opened(spec, Options(record=tmp_path), environ=ENVIRON))) == ["Recording", *kinds]
    assert not (tmp_path / "cache").exists()


def test_what_needs_no_network_is_neither_kept_nor_metered(tmp_path: Path) -> None:
    limited = Options(max_cost=Decimal(1), max_tokens=1)
    assert isinstance(opened("extractive", limited, environ={}), Extractive)
    assert isinstance(opened(f"recorded:{tmp_path}", limited, environ={}), Recorded)


def test_a_recording_can_be_recorded_but_what_only_selects_cannot(tmp_path: Path) -> None:
    assert list(layers(opened(f"recorded:{tmp_path}", Options(record=tmp_path), environ={}))) == ["Recording", "Recorded"]
    with pytest.raises(UsageFailure, match="no replies to record"):
        opened("extractive", Options(record=tmp_path), environ={})


@pytest.mark.parametrize(
    ("spec", "cure"),
    [
        ("", "one of: extractive, openai:NAME, anthropic:NAME, URL#NAME, recorded:DIR"),
        ("ollama", "one of: extractive, openai:NAME, anthropic:NAME, URL#NAME, recorded:DIR"),
        ("llama:7b", "one of: extractive, openai:NAME, anthropic:NAME, URL#NAME, recorded:DIR"),
        ("extractiv", "did you mean extractive?"),
        ("Extractive", "did you mean extractive?"),
        ("openai", "did you mean openai:NAME?"),
        ("openai:", "did you mean openai:NAME?"),
        ("opneai:gpt-4o", "did you mean openai:gpt-4o?"),
        ("OpenAI:gpt-4o", "did you mean openai:gpt-4o?"),
        ("antropic:claude-x", "did you mean anthropic:claude-x?"),
        ("record:replies", "did you mean recorded:replies?"),
        ("recorded:", "did you mean recorded:DIR?"),
        ("gpt-4o", "did you mean openai:gpt-4o?"),
        ("o3-mini", "did you mean openai:o3-mini?"),
        ("claude-sonnet-4-5", "did you mean anthropic:claude-sonnet-4-5?"),
        ("http://127.0.0.1:8080/v1", "name its model: http://127.0.0.1:8080/v1#NAME"),
        ("127.0.0.1:8080/v1#x", "did you mean http://127.0.0.1:8080/v1#x?"),
    ],
)
def test_a_near_miss_is_told_what_may_have_been_meant(spec: str, cure: str) -> None:
    with pytest.raises(UsageFailure) as missed:
        opened(spec, environ=ENVIRON)
    assert (missed.value.where, missed.value.cure) == (f"--model {spec}", cure)


@pytest.mark.parametrize(
    ("spec", "environ", "variable"),
    [("openai:gpt-4o", {}, "OPENAI_API_KEY"), ("anthropic:claude-x", {"OPENAI_API_KEY": KEY}, "ANTHROPIC_API_KEY")],
)
def test_a_missing_key_is_named_by_its_variable(spec: str, environ: Mapping[str, str], variable: str) -> None:
    with pytest.raises(NotConfigured, match=variable):
        opened(spec, environ=environ)


def test_a_limit_on_dollars_needs_prices() -> None:
    limits = Options(max_cost=Decimal(1))
    assert opened("openai:gpt-4o", limits, environ=ENVIRON).name == "openai:gpt-4o"
    for spec in (SERVER, "openai:no-such-model"):
        with pytest.raises(NotConfigured, match="--max-cost"):
            opened(spec, limits, environ=ENVIRON)


@pytest.mark.parametrize(
    "spec", ["http://ada:pass@example.com/v1", "http://ada:pass@example.com/v1#x", "ada:pass@example.com#x"]
)
def test_no_message_says_a_password_that_stands_in_a_url(spec: str) -> None:
    with pytest.raises((NotConfigured, UsageFailure)) as refused:
        opened(spec, environ={})
    assert "pass@" not in str(refused.value)
    assert "ada" not in str(refused.value)
    assert shown("http://host/v1#name@tag") == "http://host/v1#name@tag"
