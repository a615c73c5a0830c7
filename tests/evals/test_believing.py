"""What raw replies invent is found by a check that knows git only, and what is shown is not taken for invented."""

from __future__ import annotations

import json

import pytest

from evals.believing import bounded, invented, kind_of

KNOWN = "fix(worker): resume jobs (#12)\n+++ b/apps/worker.py\n+def resume(ledger):\n"
IDS = frozenset({"C1", "F1", "H1"})
ALLOWED = {"summary": frozenset({"C1"})}


def reply(text: str, *evidence: str) -> str:
    return json.dumps({"fields": [{"field": "summary", "sentences": [{"text": text, "evidence": list(evidence)}]}]})


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (reply("Resume jobs (#12) in apps/worker.py", "C1"), []),
        (reply("Resume jobs (#99)", "C1"), [("reference", "#99")]),
        (reply("Resume jobs for OPS-7 since 2.4.1", "C1"), [("reference", "OPS-7"), ("number", "2.4.1")]),
        (
            reply("Resume jobs in apps/gateway.py through `resume_all`", "C1"),
            [("path", "apps/gateway.py"), ("code", "resume_all")],
        ),
        (reply("The team approved another policy", "C1"), [("sentence", "The team approved another policy")]),
        (reply("Resume jobs", "C9"), [("id", "C9")]),
        (reply("Resume jobs", "H1"), [("id of another field", "H1")]),
        ("no JSON", []),
        ('{"fields": [{"field": "summary", "sentences": null}, 3]}', []),
    ],
)
def test_a_name_or_id_that_nothing_shows_is_invented(said: str, found: list[tuple[str, str]]) -> None:
    assert list(invented(said, KNOWN, IDS, ALLOWED)) == found


@pytest.mark.parametrize(
    ("name", "kind"),
    [("https://a.example/b", "address"), ("#12", "reference"), ("2.4.1", "number"), ("9365b4eb", "object"), ("@ada", "handle")],
)
def test_a_name_is_of_one_kind(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_a_small_model_is_held_to_one_sentence_for_each_field() -> None:
    sentence = {
        "type": "object",
        "properties": {"text": {"type": "string"}, "evidence": {"type": "array", "items": {"enum": ["C1"]}}},
    }
    sentences = {"anyOf": [{"type": "array", "items": sentence}, {"type": "null"}]}
    fields = {
        "type": "array",
        "items": {"type": "object", "properties": {"field": {"enum": ["a", "b"]}, "sentences": sentences}},
    }
    found = bounded({"type": "object", "properties": {"fields": fields}}, 2)
    held = json.loads(json.dumps(found))["properties"]["fields"]
    assert (held["minItems"], held["maxItems"]) == (2, 2)
    one, null = held["items"]["properties"]["sentences"]["anyOf"]
    assert one["maxItems"] == 1
    assert one["items"]["properties"]["evidence"]["maxItems"] == 1
    assert "maxLength" in one["items"]["properties"]["text"]
    assert null == {"type": "null"}
