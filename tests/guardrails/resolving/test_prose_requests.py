"""Summary and rationale come from a person or are requested from what may carry them; a diff never carries a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, DocumentKind, Hunk
from guardrails.resolving.resolved import Resolved
from tests.guardrails.resolving.building import asked, commit, contradictions, document, file, resolve

BARE = "fix(apps/worker): x"
HUNK = Hunk("H1", "git:a", "", 1, 1, 1, 1, "", "+because")


def sources(resolved: Resolved) -> dict[str, tuple[str, ...]]:
    """Requested fields with their sources."""
    return {request.field: request.sources for request in resolved.requests}


def test_a_summary_may_rest_on_commits_documents_and_changes() -> None:
    changed = replace(commit(1, BARE), files=(replace(file(1, "apps/worker/a.py"), hunks=(HUNK,)),))
    issue = document(1, DocumentKind.ISSUE, title="It stops", key="DEVELOP-1")
    assert sources(resolve(changed, documents=(issue,)))["summary"] == ("C1", "I1", "F1", "H1")


@pytest.mark.requirement("AI-3")
@pytest.mark.requirement("AI-6")
@pytest.mark.parametrize(
    "message",
    [
        BARE,
        f"{BARE}\n\nImpact: patch",
        f'Revert "x"\n\nThis reverts commit {"5a" * 20}.',
        f"{BARE}\n\nSee merge request a/b!1",
        f"{BARE}\n\n- - 1",
    ],
)
def test_a_rationale_that_no_text_carries_is_asked_never_drawn_from_a_diff(message: str) -> None:
    changed = replace(commit(1, message), files=(replace(file(1, "apps/worker/a.py"), hunks=(HUNK,)),))
    resolved = resolve(changed)
    assert "rationale" not in sources(resolved)
    assert asked(resolved)["rationale"].reason is Reason.NO_EVIDENCE


def test_a_rationale_may_rest_on_bodies_and_documents() -> None:
    told = document(1, DocumentKind.DECISION, body="Deployments must not lose jobs.", key="ADR-1")
    silent = document(1, DocumentKind.ISSUE, title="It stops", key="DEVELOP-1")
    resolved = resolve(BARE, f"{BARE}\n\nJobs were lost.", documents=(told, silent))
    assert sources(resolved)["rationale"] == ("C2", "D1")


def test_a_script_without_spaces_can_say_why() -> None:
    assert sources(resolve(f"{BARE}\n\n由于文件为空，导入会崩溃。"))["rationale"] == ("C1",)


@pytest.mark.requirement("IC-6.4")
def test_the_merge_of_a_request_carries_its_title_and_text_and_a_bare_one_nothing() -> None:
    request = commit(2, "Merge pull request #12 from o/b\n\nSort rows\n\nThey were shuffled.", parents=2)
    titled = commit(3, "Merge pull request #13 from o/b\n\nKeep rows", parents=2)
    bare = commit(4, "Merge branch 'main'", parents=2)
    asked_of = sources(resolve(BARE, request, titled, bare))
    assert (asked_of["summary"], asked_of["rationale"]) == (("C1", "C2", "C3"), ("C2",))


@pytest.mark.parametrize("path", ["summary", "rationale"])
def test_a_person_s_words_are_taken_as_they_are(path: str) -> None:
    resolved = resolve(BARE, answers={path: "Jobs go on\n after a stop"})
    prose = resolved.prose[path]
    assert (prose.text, prose.basis, prose.evidence) == ("Jobs go on after a stop", Basis.ANSWER, ("A1",))
    assert path not in sources(resolved)


@pytest.mark.parametrize("answer", [None, "", " \n", ["a"], {"a": "b"}])
def test_an_answer_that_is_no_text_is_refused(answer: AnswerValue) -> None:
    resolved = resolve(BARE, answers={"summary": answer})
    assert contradictions(resolved) == [("answer-not-accepted", "summary")]
    assert "summary" not in sources(resolved)
