"""A breaking change of a release tells what to do, or a person is asked; the answer stands on its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from agent.tasks import ENVELOPE, RELEASE
from guardrails.drafts.draft import Draft
from guardrails.drafts.page import Heading
from guardrails.drafts.reply import FieldReply, ProseReply, SentenceReply
from guardrails.evidence.model import Answer, AnswerValue, Operation, OperationType
from guardrails.findings import Severity
from guardrails.grounding.citable import Citable
from guardrails.grounding.verdict import Accepted, NeedsInput, Verdict, decide
from guardrails.resolving.envelopes.assembling import assemble
from guardrails.resolving.envelopes.describing import describe
from tests.guardrails.resolving.building import NO_RULES, evidence, oid
from tests.guardrails.resolving.changes import edited

K1 = oid(1)[:7]
PATH = f"items[{K1}]"
TEXT = {"src/pool.py": "-limit = 40\n+limit = 10"}
SAID = {
    "title": "Lower the limit of the pool",
    "short_md": "Lower the limit of the pool",
    "medium_md": "The limit of the pool is lower.",
}


def drafted(
    message: str,
    medium: str = SAID["medium_md"],
    answers: Mapping[str, AnswerValue] | None = None,
    page: str = "",
    diff: bool = True,
) -> tuple[Draft, Verdict, set[str]]:
    """The release of one breaking change: its draft, its verdict, and the codes that only a release has."""
    one = edited(1, message, TEXT if diff else {})
    shown = evidence(
        one, answers={"shape": "itemized", **(answers or {})}, operation=Operation(OperationType.RANGE, "v1..v2", "a/b")
    )
    resolved = describe(shown, None, NO_RULES)
    hunk = one.files[0].hunks[0].id
    fields = [
        FieldReply(field=f"{PATH}.{name}", sentences=(SentenceReply(text=text, evidence=("C1",)),))
        for name, text in {**SAID, "medium_md": medium}.items()
    ]
    sentences = [SentenceReply(text="The limit of the pool is lower.", evidence=(hunk, "C1"), heading=Heading.CHANGED)]
    sentences += [SentenceReply(text=page, evidence=("C1",), heading=Heading.MIGRATION)] if page else []
    fields.append(FieldReply(field=f"{PATH}.detail_md", sentences=tuple(sentences)))
    draft = assemble(shown, resolved, ProseReply(fields=tuple(fields)))
    citable = Citable.of(shown, None)
    found = RELEASE.rules(draft, citable, resolved, shown.guard)
    own = {one.code for one in found} - {one.code for one in ENVELOPE.rules(draft, citable, resolved, shown.guard)}
    return draft, decide(draft, resolved, found), own


@pytest.mark.requirement("IC-6.6e", "AI-6")
def test_a_breaking_change_without_a_word_of_what_to_do_is_asked() -> None:
    _, verdict, own = drafted("feat!: Lower the limit of the pool")
    assert own == {"migration-untold"}
    assert isinstance(verdict, NeedsInput)
    assert [question.field for question in verdict.unresolved] == [f"{PATH}.migration"]
    assert verdict.unresolved[0].question.startswith("What must those who use it do now, if anything?")
    assert all(one.severity is Severity.NEEDS_INPUT for one in verdict.findings if one.code == "migration-untold")


@pytest.mark.parametrize(
    ("message", "medium", "page"),
    [
        ("feat!: Lower the limit of the pool\n\nUsers must raise the limit.", "Users must raise the limit.", ""),
        (
            "feat!: Lower the limit of the pool\n\nBREAKING CHANGE: The limit of the pool is lower.",
            "",
            "The limit of the pool is lower.",
        ),
    ],
    ids=["in a text", "under its heading"],
)
def test_guidance_that_is_told_is_not_asked(message: str, medium: str, page: str) -> None:
    _, _, own = drafted(message, medium or SAID["medium_md"], page=page)
    assert own == set()


@pytest.mark.parametrize(
    ("medium", "guides"),
    [
        ("The limit of the pool is lower.", False),
        ("The limit of the pool was renamed to a bound.", False),
        ("Removes the limit of the pool.", False),
        ("Raise the limit instead.", True),
        ("Rename the limit to a bound.", True),
        ("Whoever sets the limit has to raise it.", True),
        ("The limit of the pool requires a restart.", True),
    ],
)
def test_what_was_done_is_no_guidance(medium: str, guides: bool) -> None:
    assert ("migration-untold" not in drafted("feat!: Lower the limit of the pool", medium)[2]) is guides


def test_only_breaking_changes_are_asked() -> None:
    assert drafted("feat: Lower the limit of the pool")[2] == set()


@pytest.mark.requirement("AI-4")
def test_what_a_person_says_stands_on_the_page_under_its_heading() -> None:
    answer = "Raise the limit in your settings. Then restart."
    draft, verdict, own = drafted("feat!: Lower the limit of the pool", answers={f"{PATH}.migration": answer})
    page = draft.prose[f"{PATH}.detail_md"]
    assert own == set()
    assert isinstance(verdict, Accepted), verdict
    assert page.text.endswith("## Migration\n\nRaise the limit in your settings. Then restart.")
    assert page.sentences[-1].evidence == ("A2",)
    assert "migration" not in draft.record()["items"][0]  # type: ignore[index]


def test_a_page_that_a_person_wrote_gets_the_guidance_too() -> None:
    page = "## What changed\n\n- `src/pool.py:1` — the limit of the pool is lower."
    answers: dict[str, Any] = {f"{PATH}.detail_md": page, f"{PATH}.migration": "Raise the limit."}
    draft, _, _ = drafted("feat!: Lower the limit of the pool", answers=answers)
    assert draft.prose[f"{PATH}.detail_md"].text == f"{page}\n\n## Migration\n\nRaise the limit."


def test_null_says_that_there_is_nothing_to_do() -> None:
    draft, verdict, own = drafted("feat!: Lower the limit of the pool", answers={f"{PATH}.migration": None})
    assert own == set()
    assert isinstance(verdict, Accepted), verdict
    assert "Migration" not in draft.prose[f"{PATH}.detail_md"].text


@pytest.mark.parametrize("value", [["a"], {"a": "b"}])
def test_guidance_that_is_no_text_is_refused(value: AnswerValue) -> None:
    _, verdict, _ = drafted("feat!: Lower the limit of the pool", answers={f"{PATH}.migration": value})
    assert isinstance(verdict, NeedsInput)
    assert f"{PATH}.migration" in {question.field for question in verdict.unresolved}


def test_an_answer_about_another_change_is_refused() -> None:
    shown = evidence(edited(1, "feat: A", TEXT), answers={"shape": "itemized", "items[0000000].migration": "Do it."})
    resolved = describe(shown, None, NO_RULES)
    assert "items[0000000].migration" in {question.field for question in resolved.unresolved} | {
        finding.where for finding in resolved.contradictions
    }
    assert isinstance(shown.bundle.answers[1], Answer)
