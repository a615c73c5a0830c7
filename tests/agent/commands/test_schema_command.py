"""`evidraft schema`: documents that are JSON Schema, and true to what is read and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agent.cli import main
from agent.commands.schemas import SCHEMAS
from agent.render import outcomes
from agent.render.outcomes import Frame
from guardrails.drafts.changeset import CHANGESET
from guardrails.drafts.draft import Draft
from guardrails.drafts.page import Heading
from guardrails.drafts.questions import Reason, Suggestion, Unresolved
from guardrails.drafts.reply import parse
from guardrails.drafts.sourced import Basis, Prose, Sentence, Sourced
from guardrails.findings import Code, Finding
from guardrails.grounding.verdict import Accepted, NeedsInput, Rejected, Verdict


def printed(name: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["schema", name]) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_without_a_name_the_names_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    records = ["changeset", "changelog", "pull-request", "release-manifest", "profile", "envelope"]
    printed_ = ["outcome", "changelog-source", "links", "draft-record", "checks", "verified"]
    contracts = ["contract", "contract-verification", "contract-review", "contract-preparation", "contract-evidence"]
    assert names == [*records, "reply", "recorded-reply", *printed_, "answers", *contracts, "batch-manifest"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema_of_draft_2020_12(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = printed(name, capsys)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(document)


def test_an_unknown_name_exits_2_and_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "poem"]) == 2
    assert "draft-record" in capsys.readouterr().err


def finding() -> Finding:
    return Code(name="some-code", summary="S.", cure="C.", section="evidraft").at(
        "summary", "got this", evidence=("C1",), line=3
    )


DRAFT = Draft(
    form=CHANGESET,
    values={"id": Sourced("take-parcels", Basis.TRAILER, ("C1",)), "relations.reverts": Sourced((), Basis.EVIDENCE)},
    prose={
        "summary": Prose((Sentence("Parcels are taken.", ("C1",)),), Basis.SYNTHESIS),
        "rationale": Prose((Sentence("They were lost.", ("H1",), Heading.WHY, ("a.py:1",)),), Basis.SYNTHESIS),
    },
)
QUESTIONS = (
    Unresolved(
        "targets[0].audiences",
        Reason.NO_EVIDENCE,
        "Who?",
        ("operators",),
        (Suggestion(("operators",), ("C1",), "openai:x"),),
        ("C1",),
    ),
    Unresolved("rationale", Reason.AMBIGUOUS, "Why?"),
)
OUTCOMES: list[Verdict] = [
    Accepted(DRAFT),
    Accepted(DRAFT, (finding(),)),
    NeedsInput(QUESTIONS, (finding(),), DRAFT, (finding(),)),
    Rejected((finding(),)),
]


@pytest.mark.requirement("AI-6")
@pytest.mark.parametrize("verdict", OUTCOMES, ids=lambda verdict: type(verdict).__name__)
@pytest.mark.parametrize(("base", "head"), [("a" * 40, "b" * 64), (None, None)])
def test_every_outcome_fits_the_schema_of_outcomes(verdict: Verdict, base: str | None, head: str | None) -> None:
    validator = Draft202012Validator(SCHEMAS["outcome"].document())
    document = json.loads(json.dumps(outcomes.document(verdict, Frame("changeset", base, head, "sha256:0", "evidraft"))))
    assert [error.message for error in validator.iter_errors(document)] == []
    stood_in = outcomes.document(verdict, Frame("changeset", base, head, None, "evidraft", "openai:x"))
    assert validator.is_valid(json.loads(json.dumps(stood_in)))
    assert not validator.is_valid({**document, "surprise": 1})
    assert not validator.is_valid({**document, "status": "FINE"})


@pytest.mark.requirement("AI-4")
def test_the_sources_of_a_page_tell_where_each_sentence_stands() -> None:
    told = outcomes.sources(DRAFT)
    assert told["summary"] == {"basis": "synthesis", "sentences": [{"text": "Parcels are taken.", "evidence": ["C1"]}]}
    page = {"text": "They were lost.", "evidence": ["H1"], "heading": "Why", "places": ["a.py:1"]}
    assert told["rationale"] == {"basis": "synthesis", "sentences": [page]}


def test_a_failure_fits_the_schema_of_outcomes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["changeset", "check", "/nowhere/record.yaml", "--format", "json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert Draft202012Validator(SCHEMAS["outcome"].document()).is_valid(document)


@pytest.mark.parametrize(
    "reply",
    [
        {"fields": []},
        {"fields": [{"field": "summary", "sentences": [{"text": "It is.", "evidence": ["C1", "H12"]}]}]},
        {"fields": [{"field": "rationale", "sentences": None}]},
        {"fields": [{"field": "summary", "sentences": [{"text": "It is.", "evidence": ["C1"], "heading": "Why"}]}]},
        {"fields": [{"field": "summary", "sentences": [{"text": "It is.", "evidence": ["C1"], "heading": "Because"}]}]},
        {"fields": [{"field": "summary", "sentences": []}]},
        {"fields": [{"field": "summary", "sentences": [{"text": "It is.", "evidence": []}]}]},
        {"fields": [{"field": "summary", "sentences": [{"text": "", "evidence": ["C1"]}]}]},
        {"fields": [{"field": "summary", "sentences": [{"text": "x", "evidence": ["c1"]}]}]},
        {"fields": [], "note": "hello"},
        {"fields": {}},
        {},
        [],
    ],
)
def test_the_schema_of_replies_agrees_with_the_reader_of_replies(reply: object) -> None:
    is_read = not isinstance(parse(json.dumps(reply)), tuple)
    assert Draft202012Validator(SCHEMAS["reply"].document()).is_valid(reply) is is_read


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("summary", True),
        ("targets[0].audiences", True),
        ("targets[12].release-unit", True),
        ("provenance.issues", True),
        ("relations.reverts", True),
        ("disclosure.not-before", True),
        ("shape", True),
        ("operation.repository", True),
        ("summary.short_md", True),
        ("change.detail_md", True),
        ("items[9f2c1ab.2].relations.ticket", True),
        ("change.refs", False),
        ("items[0].title", False),
        ("summary.kind", False),
        ("targets[01].impact", False),
        ("targets[0].colour", False),
        ("summary\n", False),
        ("intent-changeset", False),
    ],
)
def test_answers_are_a_map_of_field_paths(path: str, verdict: bool) -> None:
    validator = Draft202012Validator(SCHEMAS["answers"].document())
    assert validator.is_valid({path: "x"}) is verdict
    assert validator.is_valid({path: ["x", "y"]}) is verdict


def test_every_result_of_a_check_fits_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("intent-changeset: 0.2.0\n", "utf-8")
    good = str(Path(__file__).parents[2] / "cases" / "intent" / "releases" / "complete.yaml")
    assert main(["check", "--format", "json", good, str(bad), str(tmp_path / "missing.yaml")]) == 2
    document = json.loads(capsys.readouterr().out)
    validator = Draft202012Validator(SCHEMAS["checks"].document())
    assert [error.message for error in validator.iter_errors(document)] == []
    assert [sorted(one) for one in document["files"]] == [["file", "findings", "kind"]] * 2 + [["error", "file"]]
    for one in document["files"]:
        one["surprise"] = 1
        assert not validator.is_valid(document)
        del one["surprise"]
