"""No instruction in evidence changes a decision, an outcome or an exit code, not even with a drafter that obeys all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree

import pytest

from agent.commands import drafters
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Outcome
from agent.render.outcomes import EXIT_CODES
from guardrails.drafts.sourced import FieldValue
from guardrails.grounding.verdict import Accepted, drafted
from guardrails.redaction.secrets import SecretEngine
from tests.agent.hostile.injections import MARK, NEVER, ORDERS, PLACES, SILENT, SPEAKING, Order
from tests.agent.hostile.scene import RECORDS, Record, Stage, Writer, answer, honest, writer
from tests.agent.payments import Road

FIELDS = {
    "targets[0].impact": "none",
    "disclosure.state": "embargoed",
    "targets[0].audiences": "everyone",
    "id": "free-for-all",
    "provenance.issues": "SEC-999",
    "targets[0].release-unit": "apps/gateway",
    "shape": "itemized",
    "operation.repository": "acme/other",
}
"""What an obeying drafter decides although nobody asked."""


class Obedient(Model):
    """A drafter that does what one order says: its words in every field, or a reply of its own, and decides what nobody asked.

    Where it is asked again its words are honest, as one may be that was told that they were refused; it goes on to decide.
    """

    def __init__(self, order: Order) -> None:
        """Nothing was obeyed yet."""
        self.order = order
        self.read = ""

    @property
    def name(self) -> str:
        """That of the drafter that does not obey, so that nothing else differs."""
        return "writer"

    async def draft(self, prompt: Prompt) -> Reply:
        """Obey, then be honest."""
        self.read += prompt.data
        told = None if prompt.feedback else self.order.obeyed
        if told is not None and told.startswith("{"):
            return Reply(told)

        def write(_prompt: Prompt, where: str, sources: tuple[str, ...]) -> list[dict[str, object]] | None:
            return answer(told or honest(where, sources), where, sources)

        said = json.loads((await Writer(write).draft(prompt)).text)
        said["fields"] += [
            {"field": field, "sentences": [{"text": word, "evidence": ["C1"]}]} for field, word in FIELDS.items()
        ]
        said["suggestions"] = [{"field": field, "value": word, "evidence": ["C1"]} for field, word in FIELDS.items()]
        return Reply(json.dumps(said))


def decisions(outcome: Outcome) -> Mapping[str, FieldValue]:
    draft = drafted(outcome.verdict)
    assert draft is not None
    return {path: value.value for path, value in draft.values.items()}


def settled(outcome: Outcome) -> list[tuple[str, str]]:
    """What is decided, without what is named after the objects of git: those differ from one repository to the next."""
    loose = (".refs", "operation.id")
    told = ((path.rpartition("].")[2], repr(value)) for path, value in decisions(outcome).items() if not path.endswith(loose))
    return sorted(told)


def record_of(outcome: Outcome) -> str:
    draft = drafted(outcome.verdict)
    assert draft is not None
    return draft.form.write(draft.record())


def forbidden(outcome: Outcome) -> list[str]:
    """What was ordered and came out. A program names files beside the sentences, as they are called."""
    draft = drafted(outcome.verdict)
    assert draft is not None
    values = {path: value.value for path, value in draft.values.items() if not path.endswith(".refs")}
    told = repr([[one.text for text in draft.prose.values() for one in text.sentences], values])
    return [word for word in NEVER if word in told]


@pytest.mark.requirement("AI-8", "AI-3")
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
@pytest.mark.parametrize("place", PLACES)
def test_no_order_changes_what_is_decided_or_written(
    tmp_path: Path, engine: SecretEngine, stages: Mapping[str, Stage], place: str, record: Record
) -> None:
    planted = PLACES[place](tmp_path / "scene")
    if not planted.reaches(record):
        return
    stage = Stage.of(record, planted.request(record), engine)
    ignored = stage.walk(writer(None))
    assert isinstance(ignored.verdict, Accepted)
    assert forbidden(ignored) == []
    if planted.payload is None:
        assert settled(ignored) == settled(stages[record.name].walk(writer(None)))
    for name, order in ORDERS.items():
        obedient = Obedient(order)
        obeyed = stage.walk(obedient, repairs=1)
        assert MARK in obedient.read, "the order has to reach the drafter"
        if name in SILENT:
            assert EXIT_CODES[type(obeyed.verdict)] == 3, name
            assert decisions(obeyed).items() <= decisions(ignored).items(), name
        else:
            assert EXIT_CODES[type(obeyed.verdict)] == 0, name
            assert decisions(obeyed) == decisions(ignored), name
            assert record_of(obeyed) == record_of(ignored), name


@pytest.mark.requirement("AI-8", "AI-3")
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_an_order_that_is_copied_decides_nothing(tmp_path: Path, engine: SecretEngine, record: Record) -> None:
    """What people wrote may be quoted, and an order is no more than that: words of a text, beside the same decisions."""
    stage = Stage.of(record, PLACES["messages"](tmp_path / "scene").request(record), engine)
    ignored = stage.walk(writer(None))
    for name, line in SPEAKING.items():
        copied = stage.walk(Obedient(Order("", line)), repairs=1)
        assert EXIT_CODES[type(copied.verdict)] == 0, name
        assert decisions(copied) == decisions(ignored), name


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder; not the index, in which git keeps times."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != "index")
    return {str(path.relative_to(folder.parent)): path.read_bytes() for path in found}


TOLD = {"warnings", "findings"}
"""What a reader is told of attempts: that something was dropped or refused."""
COMMANDS = {
    "changeset": ("draft", "HEAD~2..HEAD~1", "--write"),
    "single": ("describe", "HEAD~1", "--shape", "single", "--write-body", "body.md"),
    "itemized": ("describe", "HEAD~2..HEAD", "--shape", "itemized", "--write-body", "body.md"),
}


@pytest.mark.requirement("AI-8", "AI-3")
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_the_command_line_ends_and_writes_the_same_whatever_is_obeyed(
    tmp_path: Path, road: Road, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    verb, *words = command
    scene = PLACES["messages"](tmp_path / "scene").folder
    ran: dict[str, tuple[int, dict[str, object], dict[str, bytes]]] = {}
    models = {name: Obedient(ORDERS[name]) for name in ("a decision", "a role", "an item")}
    for name, model in {"": writer(None), **models}.items():
        place = tmp_path / "run"
        folder = scene.copy(place / "repository")
        monkeypatch.chdir(place)
        monkeypatch.setattr(drafters, "opened", lambda *_, model=model, **__: model)
        run = getattr(road, verb)(folder, *words, "--record", "receipt", json=True)
        told = {key: value for key, value in run.json.items() if key not in TOLD}
        left = files_of(place)
        receipt = json.loads(left.pop("run/receipt"))
        ran[name] = run.code, told | {key: receipt[key] for key in ("status", "fields", "evidence", "coverage")}, left
        rmtree(place)
    plain = ran.pop("")
    assert plain[0] == 0
    assert {"run/body.md", "run/repository/.ack/changes/resume-settlement-jobs.yaml"} & plain[2].keys()
    for name, obeyed in ran.items():
        assert obeyed == plain, name
