"""One release of a run ends as a plain value, whatever it meets, and only what no release survives is raised."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from agent.batch.drafting import draft_release, drafted
from agent.batch.release import Finished, Release, Status
from agent.errors import Denied, Failure, LimitReached, NotConfigured, ProviderFailure, RunStopped
from agent.model.client import Model, Prompt, Reply
from agent.model.extractive.drafter import Extractive
from agent.model.scripted import Scripted
from agent.pipeline import Pace
from agent.replies.around import Around
from guardrails.records import draft_record
from guardrails.records.draft_record import DraftRecord
from guardrails.redaction.secrets import SecretEngine
from tests.agent.batch.releasing import CONDITIONS, answering, history, releases
from tests.agent.hostile.scene import scene, writer
from tests.repositories import GitFolder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> GitFolder:
    return history(tmp_path_factory.mktemp("history"), 2, changes=2)


@pytest.fixture
def release(folder: GitFolder) -> Release:
    return releases(folder, 2)[1]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A release that a drafter of the hostile scenes has honest words for."""
    folder = scene(tmp_path_factory.mktemp("scene"))
    base, head = folder.oid("HEAD~2"), folder.oid("HEAD")
    return Release("scene", str(folder.path), base, head, f"{base}..{head}", "scene")


def end(release: Release, engine: SecretEngine, model: Model | None = None) -> Finished:
    return asyncio.run(draft_release(release, CONDITIONS, model or Extractive(), engine, Pace(repairs=0, jobs=4)))


def test_a_drafted_release_holds_its_envelope_its_record_and_its_pages(release: Release, engine: SecretEngine) -> None:
    done = end(release, engine)
    assert done.status is Status.DRAFTED
    assert json.loads(done.envelope.text)["operation"] == {"type": "range", "id": "v1..v2", "repository": "example/payments"}
    assert isinstance(draft_record.read(done.record.encode()), DraftRecord)
    assert "refund" in done.pages["notes.md"]


def test_every_commit_of_the_range_is_told_by_an_item_or_has_a_reason(
    release: Release, folder: GitFolder, engine: SecretEngine
) -> None:
    done = end(release, engine)
    assert set(done.commits) == set(folder.git("rev-list", "v1..v2").decode().split())
    assert all(done.commits.values())


def test_a_worker_drafts_the_same(release: Release, engine: SecretEngine) -> None:
    there, here = drafted(release, CONDITIONS), end(release, engine)
    assert replace(there, usage={}) == replace(here, usage={})


def test_what_became_of_a_release_survives_json(release: Release, engine: SecretEngine) -> None:
    done = end(release, engine)
    assert Finished.of(json.loads(json.dumps(done.document()))) == done


class Timed(Around):
    """An honest drafter whose calls take so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(writer(None))
        self._seconds = seconds

    async def draft(self, prompt: Prompt) -> Reply:
        return replace(await self._model.draft(prompt), seconds=self._seconds)


def test_the_record_of_a_release_holds_no_time(told: Release, engine: SecretEngine) -> None:
    slow, quick = (end(told, engine, Timed(seconds)) for seconds in (9.0, 0.25))
    assert slow.status is Status.DRAFTED
    assert slow.record == quick.record
    assert slow.usage["seconds"] != quick.usage["seconds"]


def test_what_is_open_before_anything_can_be_read_is_asked_without_reading(release: Release, engine: SecretEngine) -> None:
    question = {"field": "base", "reason": "ambiguous", "question": "Since which tag?"}
    done = end(replace(release, place="/nowhere", questions=(question,)), engine)
    assert (done.status, done.unresolved) == (Status.NEEDS_INPUT, (question,))


def test_an_answer_of_a_person_is_taken(release: Release, folder: GitFolder, engine: SecretEngine) -> None:
    key = folder.oid("v2")[:7]
    done = end(answering(release, **{f"items[{key}].relations.ticket": "PAY-7"}), engine)
    assert '"PAY-7"' in done.envelope.text


def test_what_a_drafter_cannot_word_is_asked_and_leaves_no_page(told: Release, engine: SecretEngine) -> None:
    done = end(told, engine, Scripted(lambda _: '{"fields": []}'))
    assert done.status is Status.NEEDS_INPUT
    assert done.unresolved
    assert done.pages == {}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"place": "/no/such/place"}, "payments/v2"),
        ({"spec": "v1..v99"}, "v99"),
        ({"base": "0" * 40}, "names other commits than when the run was planned"),
    ],
    ids=["no-repository", "no-such-tag", "moved"],
)
def test_a_failure_is_one_line_of_its_release_that_names_no_place(
    release: Release, engine: SecretEngine, change: dict[str, str], says: str
) -> None:
    one = replace(release, **change)  # type: ignore[arg-type]
    done = end(one, engine)
    assert done.status is Status.FAILED
    assert says in done.failure
    assert one.place not in done.failure
    assert "\n" not in done.failure


def test_a_drafter_that_fails_fails_its_release(told: Release, engine: SecretEngine) -> None:
    done = end(told, engine, Scripted(lambda _: ProviderFailure("it failed", where="scripted")))
    assert (done.status, done.failure) == (Status.FAILED, "scripted: it failed")


@pytest.mark.parametrize(
    ("failure", "raised"),
    [
        (LimitReached("enough"), LimitReached),
        (RunStopped("no more"), RunStopped),
        (Denied("it does not accept the key"), RunStopped),
        (NotConfigured("it has no such model"), RunStopped),
    ],
    ids=["limit", "stopped", "denied", "not-configured"],
)
def test_what_no_release_survives_is_raised(
    told: Release, engine: SecretEngine, failure: Failure, raised: type[Failure]
) -> None:
    with pytest.raises(raised, match=failure.what):
        end(told, engine, Scripted(lambda _: failure))


def test_a_drafter_that_says_no_before_it_is_asked_ends_the_run(told: Release, engine: SecretEngine) -> None:
    class Closed(Scripted):
        async def room(self) -> int | None:
            raise Denied("it does not accept the key", cure="set KEY")

    with pytest.raises(RunStopped) as failure:
        end(told, engine, Closed([]))
    assert failure.value.cure == "set KEY, and go on with --resume"
