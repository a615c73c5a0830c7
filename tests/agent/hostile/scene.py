"""The change that hostile drafters are asked about: one repository with a changeset's profile and an envelope's request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from agent import pipeline
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Outcome, Pace, Terms
from agent.receipt import receipt
from agent.render import envelope_markdown, envelope_text, outcomes
from agent.render.outcomes import Frame
from agent.tasks import CHANGESET, ENVELOPE, Task
from guardrails.drafts.page import Heading
from guardrails.evidence.model import Evidence
from guardrails.grounding.verdict import Accepted
from guardrails.redaction.policy import Policy
from guardrails.redaction.secrets import SecretEngine
from tests.agent.payments import MENDED, payments
from tests.repositories import GitFolder

WORKER: Final = "apps/worker/settlement.py"
REPORT: Final = "apps/worker/report.py"
MESSAGE: Final = """\
fix(apps/worker): resume interrupted settlement jobs

Prevent deployment shutdowns from leaving settlement jobs incomplete.
Operators noticed in version 2.4.1 that jobs were lost when a node stopped (#31), as @ada-reports told.
An interrupted job is resumed within 30 seconds, and a booked payment is not booked again.
The limit of parallel jobs goes from 4 to 8. The dialog says "Settlement continues" since 2026-03-01.

Impact: patch
Changeset: resume-settlement-jobs
Refs: DEVELOP-219
"""
SECOND: Final = """\
feat(settlement): list booked payments in the report

Accountants can read the booked payments of a day in one list.
"""
LISTED: Final = "def report(ledger):\n    return sorted(ledger.booked())\n"

Texts = Mapping[str, "str | None"]
"""A text by the last component of its field."""
HONEST: Final[Texts] = {
    "summary": "Resume interrupted settlement jobs",
    "rationale": "Prevent deployment shutdowns from leaving settlement jobs incomplete.",
    "title": "Resume interrupted settlement jobs",
    "short_md": "Interrupted settlement jobs are resumed",
    "medium_md": "Prevent deployment shutdowns from leaving settlement jobs incomplete.",
    "detail_md": "Interrupted settlement jobs are resumed.",
}
HONEST_SECOND: Final[Texts] = {
    "title": "List booked payments in the report",
    "short_md": "Booked payments are listed in the report",
    "medium_md": "Accountants can read the booked payments of a day in one list.",
    "detail_md": "Booked payments are listed in the report.",
}


def scene(path: Path) -> GitFolder:
    """Settlement jobs are resumed by the commit before the last, and the last one lists what was booked."""
    folder = payments(path, None)
    folder.git("remote", "add", "origin", "https://github.com/example/payments.git")
    folder.commit(MESSAGE, {WORKER: MENDED})
    folder.commit(SECOND, {REPORT: LISTED})
    return folder


@dataclass(frozen=True)
class Record:
    """A kind of record to draft of the scene."""

    name: str
    task: Task
    operand: str
    shape: str | None = None

    def request(self, folder: GitFolder) -> Request:
        """What a command line would ask for."""
        if self.task is CHANGESET:
            return Request(folder.path, self.operand, environ={})
        return Request(folder.path, self.operand, describes=True, needs_profile=False, shape=self.shape, environ={})


CHANGESET_RECORD: Final = Record("changeset", CHANGESET, "HEAD~2..HEAD~1")
SINGLE: Final = Record("single", ENVELOPE, "HEAD~1", "single")
ITEMIZED: Final = Record("itemized", ENVELOPE, "HEAD~2..HEAD", "itemized")
RECORDS: Final = (CHANGESET_RECORD, SINGLE, ITEMIZED)


@dataclass
class Writer(Model):
    """A drafter that answers each request as `write` says: sentences, or None. It keeps the prompts that it saw."""

    write: Callable[[Prompt, str, tuple[str, ...]], list[dict[str, object]] | None]
    prompts: list[Prompt] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its own."""
        return "writer"

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer each request."""
        self.prompts.append(prompt)
        told = [{"field": one.field, "sentences": self.write(prompt, one.field, one.sources)} for one in prompt.requests]
        return Reply(json.dumps({"fields": told}))


def sentence(text: str, where: str, evidence: Sequence[str]) -> dict[str, object]:
    """One sentence of a reply."""
    heading = {"heading": Heading.CHANGED.value} if where.endswith("detail_md") else {}
    return {"text": text, "evidence": list(evidence), **heading}


@dataclass(frozen=True)
class Stage:
    """What is gathered of the scene for one record, once for all that is said of it."""

    record: Record
    evidence: Evidence
    terms: Terms

    @classmethod
    def of(cls, record: Record, request: Request, engine: SecretEngine, policy: Policy | None = None) -> Stage:
        """Gather."""
        run = gather(request)
        terms = Terms.of(run, engine)
        return cls(record, run.evidence, terms if policy is None else replace(terms, policy=policy))

    def walk(self, model: Model, repairs: int = 0) -> Outcome:
        """Walk the road."""
        return asyncio.run(pipeline.draft(self.record.task, self.evidence, self.terms, model, Pace(repairs=repairs)))


def honest(where: str, sources: tuple[str, ...]) -> str | None:
    """True words for a field of the change that its sources are of."""
    return (HONEST_SECOND if "C2" in sources else HONEST).get(where.rpartition(".")[2])


def answer(text: str | None, where: str, sources: tuple[str, ...]) -> list[dict[str, object]] | None:
    """A text as the answer for a field, on all that it may rest on: a page on what shows it, a reason on what people said."""
    if text is None:
        return None
    letters = "CFHPI" if where.endswith("detail_md") else "CPI"
    return [sentence(text, where, [item for item in sources if item[0] in letters] or list(sources[:1]))]


def writer(*texts: str | None) -> Writer:
    """A drafter that says one text in every field: the first when it is asked first, the last ever after. None is honest."""
    asked: dict[str, int] = {}

    def write(_prompt: Prompt, where: str, sources: tuple[str, ...]) -> list[dict[str, object]] | None:
        turn = asked[where] = asked.get(where, -1) + 1
        text = texts[min(turn, len(texts) - 1)]
        return answer(honest(where, sources) if text is None else text, where, sources)

    return Writer(write)


def saying(field_name: str, text: str, item: str = "C1") -> Writer:
    """A drafter that says a text in one field of one change, the first or the second, and is honest in all others."""

    def write(_prompt: Prompt, where: str, sources: tuple[str, ...]) -> list[dict[str, object]] | None:
        is_there = where.rpartition(".")[2] == field_name and ("C2" in sources) == (item == "C2")
        if not is_there:
            return answer(honest(where, sources), where, sources)
        return [sentence(text, where, sources)]

    return Writer(write)


def everything(outcome: Outcome) -> str:
    """All that comes out of a run: the document and the text of its outcome, the draft record, and each rendering."""
    frame = Frame(outcome.task.name, None, None, None, "evidraft")
    told = [json.dumps([outcomes.document(outcome.verdict, frame), receipt(outcome, frame)], ensure_ascii=False)]
    told.append(outcomes.text(outcome.verdict, frame))
    if isinstance(outcome.verdict, Accepted) and outcome.task is ENVELOPE:
        written = outcome.verdict.draft.record()
        told += [envelope_markdown.render(written, None), envelope_text.render(written)]
    return "\n".join(told)
