"""What is written down of prompts that go together finds them again, whoever wrote it."""

from __future__ import annotations

import json
from dataclasses import asdict

from agent.replies.waves import KIND, Wave, Waves
from tests.agent.replies.parked import Memory

OURS = {"client": "openai:x", "endpoint": "https://api.example"}


def test_a_wave_survives_its_way_through_json() -> None:
    wave = Wave(3, "openai:x", "https://api.example", "batch_1", ("a", "b"), ("batch_2",))
    assert Wave.of(json.loads(json.dumps(asdict(wave)))) == wave


def test_a_row_is_found_in_its_last_wave_also_by_another_process() -> None:
    memory = Memory()
    waves = Waves(memory, **OURS)
    first = waves.went(waves.begin(["a", "b"], after=""), ["batch_1"])
    again = waves.begin(["b"], after="batch_1")
    for known in (waves, Waves(memory, **OURS)):
        assert (known.of("a"), known.of("b"), known.of("c")) == (first, again, None)
        assert known.batches == ("batch_1",)


def test_a_wave_is_written_down_once_before_it_went_and_once_after() -> None:
    memory = Memory()
    waves = Waves(memory, **OURS)
    wave = waves.begin(["a"], after="")
    waves.went(wave, ["batch_1"])
    assert [note["batches"] for note in memory.all(KIND).values()] == [("batch_1",)]


def test_no_two_waves_have_one_name_also_not_with_equal_rows() -> None:
    memory = Memory()
    names = [Waves(memory, **OURS).begin(["a"], after="").name for _ in range(3)]
    names += [Waves(Memory(), client="openai:y", endpoint="https://api.example").begin(["a"], after="").name]
    assert len(set(names)) == 4
    assert all(len(name) == 64 and name.isalnum() for name in names)


def test_waves_of_others_are_not_ours() -> None:
    memory = Memory()
    for other in ({"client": "openai:y"}, {"endpoint": "https://gate.example"}):
        Waves(memory, **{**OURS, **other}).begin(["a"], after="")
    assert Waves(memory, **OURS).of("a") is None
