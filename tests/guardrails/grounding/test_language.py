"""A drafter keeps the language of what it cites; mixed repositories, names and code raise no alarm."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence.model import Hunk
from guardrails.grounding.citable import Citable
from guardrails.grounding.language import WRONG_LANGUAGE, check
from tests.guardrails.resolving.building import bundle, commit, file
from tests.redacting import redacted

ENGLISH = "fix: resume jobs\n\nJobs that were interrupted by a shutdown of the worker are resumed when it is started again."
GERMAN = (
    "fix: Aufträge fortsetzen\n\nDie Aufträge werden nicht verloren, und der Dienst wird beim Start mit der Schlange verbunden."
)
CHINESE = "fix: 恢复中断的任务\n\n重新启动后，工作进程会恢复被中断的结算任务，避免数据丢失。"
RUSSIAN = "fix: возобновить задания\n\nПрерванные задания возобновляются после перезапуска рабочего процесса."
CODE = "-    drop(job)\n+    resume(job)  # keep the queue of the worker for the next run"
CODE_CHINESE = "+    resume(job)  # 恢复中断的结算任务，避免数据丢失"
IN_ENGLISH = "Jobs that the worker was running are resumed when it is started by the operator."
IN_GERMAN = "Der Dienst setzt die Arbeit fort, die beim Ende nicht fertig war, und wird mit dem Rest von vorn beginnen."
IN_CHINESE = "重新启动以后会恢复以前的结算任务。"
IN_RUSSIAN = "Прерванные задания возобновляются."


def codes(
    text: str, ids: tuple[str, ...], *messages: str, code: str = "", basis: Basis = Basis.SYNTHESIS, answer: str = ""
) -> list[str]:
    commits = [commit(number, message) for number, message in enumerate(messages, start=1)]
    if code:
        hunk = Hunk("H1", "git:a.py:1", "", 1, 1, 1, 1, "", code)
        commits[0] = replace(commits[0], files=(replace(file(1, "src/worker.py"), hunks=(hunk,)),))
    citable = Citable.of(redacted(bundle(*commits, answers={"rationale": answer} if answer else None)), None)
    draft = Draft(CHANGESET, {}, {"summary": Prose((Sentence(text, ids),), basis)})
    return [finding.code for finding in check(draft, citable)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (IN_GERMAN, ENGLISH),
        (IN_CHINESE, ENGLISH),
        (IN_RUSSIAN, ENGLISH),
        (IN_ENGLISH, GERMAN),
        (IN_ENGLISH, CHINESE),
        (IN_RUSSIAN, CHINESE),
        (IN_CHINESE, RUSSIAN),
    ],
)
def test_a_sentence_in_another_language_than_what_it_cites_is_told(text: str, message: str) -> None:
    assert codes(text, ("C1",), message) == [WRONG_LANGUAGE.name] == ["wrong-language"]
    assert codes(text, ("C1",), message, basis=Basis.GIVEN) == [], "people write as they like"


@pytest.mark.parametrize("code", [CODE, ""])
def test_prose_cited_beside_code_is_still_what_people_speak(code: str) -> None:
    assert codes(IN_GERMAN, ("C1", "H1") if code else ("C1",), ENGLISH, code=code) == ["wrong-language"]
    assert codes(IN_RUSSIAN, ("C1", "H1") if code else ("C1",), ENGLISH, code=code) == ["wrong-language"]


@pytest.mark.parametrize(
    ("text", "ids", "messages", "code"),
    [
        (IN_ENGLISH, ("C1",), (ENGLISH,), ""),
        (IN_GERMAN, ("C1",), (GERMAN,), ""),
        (IN_CHINESE, ("C1",), (CHINESE,), ""),
        (IN_CHINESE, ("H1",), (CHINESE,), CODE),
        (IN_ENGLISH, ("H1",), (CHINESE,), CODE),
        (IN_ENGLISH, ("C1", "H1"), (CHINESE,), CODE),
        (IN_CHINESE, ("H1",), (CHINESE,), CODE_CHINESE),
        (IN_CHINESE, ("C1", "C2"), (ENGLISH, CHINESE), ""),
        (IN_ENGLISH, ("C1", "C2"), (ENGLISH, CHINESE), ""),
        (IN_GERMAN, ("C1", "C2"), (ENGLISH, GERMAN), ""),
        (IN_GERMAN, ("H1",), (GERMAN,), CODE),
        (IN_ENGLISH, ("H1",), (GERMAN,), CODE),
        (IN_GERMAN, ("C1",), ("fix: resume jobs",), ""),
        (IN_ENGLISH, ("C1",), ("Update serde",), ""),
        ("Aktualisiert serde", ("C1",), (ENGLISH,), ""),
        ("react-router-dom 7.0", ("C1",), ("更新 react-router-dom 至七点零版本并且修复所有的问题",), ""),
        ("`resume` и `drop`", ("C1",), (ENGLISH,), ""),
        ("ε-greedy jobs are resumed", ("C1",), (ENGLISH,), ""),
    ],
)
def test_the_same_language_mixtures_names_and_code_raise_no_alarm(
    text: str, ids: tuple[str, ...], messages: tuple[str, ...], code: str
) -> None:
    assert codes(text, ids, *messages, code=code) == []


def test_a_persons_answer_in_a_language_lets_the_drafter_speak_it() -> None:
    assert codes(IN_CHINESE, ("C1",), ENGLISH, answer="恢复中断的结算任务，避免数据丢失。恢复任务。" * 4) == []


def test_a_field_is_told_once() -> None:
    citable = Citable.of(redacted(bundle(ENGLISH)), None)
    prose = Prose((Sentence(IN_ENGLISH, ("C1",)), Sentence(IN_CHINESE, ("C1",)), Sentence(IN_GERMAN, ("C1",))), Basis.SYNTHESIS)
    (finding,) = check(Draft(CHANGESET, {}, {"summary": prose}), citable)
    assert (finding.where, finding.evidence) == ("summary", ("C1",))
    assert "任务" not in finding.message
