"""Describing: what answers, rules and evidence decide of an envelope, what a drafter is asked, and what a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from guardrails.drafts.envelope_form import EnvelopeForm, changes
from guardrails.drafts.questions import Reason
from guardrails.drafts.sourced import Basis
from guardrails.evidence.model import AnswerValue, Commit, DocumentKind, Operation, OperationType
from guardrails.evidence.references import Reference
from guardrails.resolving.envelopes.describing import describe
from guardrails.resolving.resolved import Resolved
from tests.guardrails.resolving.building import NO_RULES, asked, commit, contradictions, document, evidence, oid, value
from tests.guardrails.resolving.changes import edited

RANGE: Final = Operation(OperationType.RANGE, "main..HEAD", "acme/widgets")
FEATURE, FIX, DOCS = "feat: Export reports as CSV", "fix: Accept a plus sign in addresses", "docs: Tell how to export"
SINGLE: Final[dict[str, AnswerValue]] = {"shape": "single"}
ITEMIZED: Final[dict[str, AnswerValue]] = {"shape": "itemized"}
K1, K2, K3 = (oid(number)[:7] for number in (1, 2, 3))


def described(*commits: Commit | str, answers: Mapping[str, AnswerValue] = SINGLE, **parts: Any) -> Resolved:
    """What is decided of commits; a message alone changes a file of its own."""
    made = [one if isinstance(one, Commit) else commit(place, one, f"src/{place}.py") for place, one in enumerate(commits, 1)]
    return describe(evidence(*made, answers=answers, **{"operation": RANGE, **parts}), None, NO_RULES)


def requested(resolved: Resolved) -> list[str]:
    return [request.field for request in resolved.requests]


def items(resolved: Resolved) -> tuple[str, ...]:
    assert isinstance(resolved.form, EnvelopeForm)
    return resolved.form.keys


# What is decided without an answer


@pytest.mark.requirement("DC-14", "DC-08")
def test_a_single_change_has_its_operation_its_kind_and_its_relations() -> None:
    resolved = described(FEATURE)
    settled = {path: value(resolved, path) for path in resolved.values}
    assert settled == {
        "shape": "single",
        "operation.type": "range",
        "operation.id": "main..HEAD",
        "operation.repository": "acme/widgets",
        "change.kind": "feature",
        "change.relations.ticket": None,
        "change.relations.request": None,
        "change.relations.reporter": None,
    }
    assert requested(resolved) == ["change.title", "change.short_md", "change.medium_md", "change.detail_md"]
    assert resolved.unresolved == ()


@pytest.mark.requirement("DC-19")
def test_as_long_as_the_shape_is_open_nothing_else_is_asked() -> None:
    resolved = described("Something", answers={})
    itemized = described("Something", "Something else", answers={"shape": "ask"})
    for one in (resolved, itemized):
        assert list(asked(one)) == ["shape"]
        assert one.requests == ()


@pytest.mark.requirement("DC-15", "DC-18")
def test_each_change_of_a_range_is_an_item_under_its_own_key() -> None:
    resolved = described(FEATURE, FIX, answers={})
    assert (resolved.values["shape"].value, resolved.values["shape"].basis) == ("itemized", Basis.RULE)
    assert set(items(resolved)) == {K1, K2}
    assert resolved.coverage == {"C1": K1, "C2": K2}
    assert not [path for path in requested(resolved) if path.startswith("summary")]


def test_a_single_digest_covers_every_commit_that_is_in_a_change() -> None:
    resolved = described(FEATURE, FIX)
    assert resolved.coverage == {"C1": "change", "C2": "change"}


@pytest.mark.requirement("DC-17")
def test_items_stand_in_order_of_significance_and_an_answered_kind_counts() -> None:
    messages = (DOCS, FIX, FEATURE)
    assert items(described(*messages, answers=ITEMIZED)) == (K3, K2, K1)
    assert items(described(*messages, answers={**ITEMIZED, f"items[{K1}].kind": "breaking"})) == (K1, K3, K2)
    assert items(described(*messages, answers={**ITEMIZED, f"items[{K2}].kind": "security"})) == (K2, K3, K1)


def test_nothing_to_describe_asks_which_changes_are_meant() -> None:
    resolved = described()
    assert {field: question.reason for field, question in asked(resolved).items()} == {"range": Reason.NOTHING_TO_DESCRIBE}
    assert resolved.values == {}


# Answers to every field

TAKEN: Final[dict[str, tuple[AnswerValue, object]]] = {
    "operation.repository": ("acme/gadgets", "acme/gadgets"),
    "change.kind": ("improvement", "improvement"),
    "change.relations.ticket": ("PROJ-7", "PROJ-7"),
    "change.relations.request": (12, "12"),
    "change.relations.reporter": ("octocat", "octocat"),
}
TEXTS: Final = {
    "change.title": "Reports as CSV",
    "change.short_md": "Exports reports as CSV",
    "change.medium_md": "Reports can be taken over as CSV.",
    "change.detail_md": "## What changed\n\n- `src/1.py` — exports.",
}


@pytest.mark.parametrize(("path", "said", "expected"), [(path, *pair) for path, pair in TAKEN.items()])
def test_an_answer_settles_its_field(path: str, said: AnswerValue, expected: object) -> None:
    resolved = described(FEATURE, answers={**SINGLE, path: said})
    assert (resolved.values[path].value, resolved.values[path].basis, resolved.values[path].evidence) == (
        expected,
        Basis.ANSWER,
        ("A2",),
    )
    assert resolved.unresolved == ()


@pytest.mark.parametrize(("path", "text"), TEXTS.items())
def test_an_answered_text_is_taken_as_it_is_and_not_asked_of_a_drafter(path: str, text: str) -> None:
    resolved = described(FEATURE, answers={**SINGLE, path: text})
    assert (resolved.prose[path].text, resolved.prose[path].basis) == (text, Basis.ANSWER)
    assert path not in requested(resolved)


@pytest.mark.requirement("DC-08")
@pytest.mark.parametrize("name", ["ticket", "request", "reporter"])
def test_a_person_may_say_that_a_relation_is_none(name: str) -> None:
    resolved = described(f"{FEATURE} (#7)\n\nFixes: #3", answers={**SINGLE, f"change.relations.{name}": None})
    assert resolved.values[f"change.relations.{name}"].value is None
    assert resolved.values[f"change.relations.{name}"].basis is Basis.ANSWER


@pytest.mark.parametrize("name", ["title", "short_md", "medium_md"])
def test_the_summary_of_items_can_be_answered(name: str) -> None:
    resolved = described(FEATURE, FIX, answers={**ITEMIZED, f"summary.{name}": "Two changes"})
    assert resolved.prose[f"summary.{name}"].text == "Two changes"


REFUSED: Final[list[tuple[str, AnswerValue]]] = [
    ("shape", "both"),
    ("operation.repository", "two words"),
    ("operation.repository", None),
    ("change.kind", "nice"),
    ("change.kind", ["feature", "bug_fix"]),
    ("change.kind", None),
    ("change.title", None),
    ("change.short_md", ["a", "b"]),
    ("change.medium_md", None),
    ("change.detail_md", {"a": "b"}),
    ("change.detail_md", None),
    ("change.relations.ticket", ["PROJ-1", "PROJ-2"]),
    ("change.relations.reporter", True),
]


@pytest.mark.requirement("DC-02", "DC-05", "DC-08")
@pytest.mark.parametrize(("path", "said"), REFUSED)
def test_an_answer_that_its_field_cannot_take_is_asked_again(path: str, said: AnswerValue) -> None:
    resolved = described(FEATURE, answers={**SINGLE, path: said})
    assert contradictions(resolved) == [("answer-not-accepted", path)]
    assert asked(resolved)[path].accepts != ()
    assert path not in {**resolved.values, **resolved.prose}


UNKNOWN: Final = {
    "change.refs": SINGLE,
    "change.colour": SINGLE,
    "change.relations": SINGLE,
    "change": SINGLE,
    "operation.id": SINGLE,
    "operation.type": SINGLE,
    "summary.title": SINGLE,
    f"items[{K1}].title": SINGLE,
    "kind": SINGLE,
    "change.title": ITEMIZED,
    "summary.kind": ITEMIZED,
    "summary.detail_md": ITEMIZED,
    "summary.refs": ITEMIZED,
    "items[0].title": ITEMIZED,
    f"items[{oid(9)[:7]}].kind": ITEMIZED,
    f"items[{K1}.2].title": ITEMIZED,
    f"items[{K1}].refs": ITEMIZED,
}


@pytest.mark.requirement("DC-16", "DC-07")
@pytest.mark.parametrize(("path", "shape"), UNKNOWN.items(), ids=UNKNOWN)
def test_an_answer_to_a_field_or_an_item_that_is_not_there_is_refused_by_its_name(
    path: str, shape: dict[str, AnswerValue]
) -> None:
    resolved = described(FEATURE, FIX, answers={**shape, path: "x"})
    assert contradictions(resolved) == [("unknown-answer-field", path)]
    assert asked(resolved)[path].evidence == ("A2",)


# Items stay addressable


@pytest.mark.requirement("DC-18")
def test_the_keys_of_items_stay_when_the_range_grows_or_its_base_moves() -> None:
    answers = {**ITEMIZED, f"items[{K2}].title": "Addresses with a plus sign"}
    made = [commit(number, text, f"src/{number}.py") for number, text in enumerate((DOCS, FIX, FEATURE), 1)]
    for some in (made[:2], made, made[1:]):
        resolved = described(*some, answers=answers)
        assert set(items(resolved)) == {one.oid[:7] for one in some}
        assert resolved.prose[f"items[{K2}].title"].text == "Addresses with a plus sign"
        assert resolved.contradictions == ()


def test_an_answer_to_an_item_that_is_gone_is_not_given_to_another() -> None:
    resolved = described(FEATURE, FIX, answers={**ITEMIZED, f"items[{K3}].title": "Nothing of these"})
    assert contradictions(resolved) == [("unknown-answer-field", f"items[{K3}].title")]
    assert [path for path, text in resolved.prose.items() if text.text == "Nothing of these"] == []


@pytest.mark.requirement("DC-18")
def test_the_parts_of_a_split_commit_have_keys_and_sources_of_their_own() -> None:
    message = "Mend two things\n\n- fix(parser): Read empty files\n- fix(printer): Print wide tables\n"
    split = commit(1, message, "src/parser.py", "src/printer.py")
    resolved = described(split, answers=ITEMIZED)
    assert set(items(resolved)) == {K1, f"{K1}.2"}
    files = [set(one.sources) & {"F100", "F101"} for one in resolved.requests if one.field.endswith(".title")]
    assert sorted(map(sorted, files)) == [["F100"], ["F101"]]


def test_what_a_text_may_rest_on_is_its_own_change_and_what_it_takes_back() -> None:
    undone = commit(9, "feat: Grow the pool")
    made = [
        commit(1, f'Revert "feat: Grow the pool"\n\nThis reverts commit {oid(9)}.', "src/pool.py"),
        commit(2, FIX, "src/2.py"),
    ]
    resolved = described(*made, answers=ITEMIZED, referenced=(undone,))
    (sources,) = {one.sources for one in resolved.requests if one.field.startswith(f"items[{K1}]")}
    assert set(sources) == {"C1", "C9", "F100"}


# A page that a person wrote


@pytest.mark.requirement("DC-07", "DC-09", "DC-10")
@pytest.mark.parametrize(
    ("page", "refs"),
    [
        ("- `src/a.py:1-2` — more.", ["src/a.py:1-2"]),
        ("- `src/a.py:2` — more.", ["src/a.py:1-2"]),
        ("- `a.py:2-9` — more.", ["src/a.py:1-2"]),
        ("- `src/b.py` — more.\n- `src/a.py:1` — more.", ["src/b.py", "src/a.py:1-2"]),
        ("- `src/a.py` — `src/a.py:1` more.", ["src/a.py:1-2"]),
        ("- `src/a.py:5` — more.", []),
        ("- `src/nowhere.py:1` — more.", []),
        ("- src/a.py:1 — more.", []),
        ("```\n`src/a.py:1`\n```", []),
    ],
)
def test_its_refs_are_the_changed_places_that_it_names(page: str, refs: list[str]) -> None:
    change = edited(1, FEATURE, {"src/a.py": "+one\n+two", "src/b.py": "+three"})
    resolved = described(change, answers={**SINGLE, "change.detail_md": page})
    told = resolved.values["change.refs"]
    assert [place.place() for place in told.value or () if isinstance(place, Reference)] == refs
    assert all(place.sha == oid(1) for place in told.value or () if isinstance(place, Reference))


@pytest.mark.requirement("DC-07")
def test_the_page_of_one_item_points_at_no_change_of_another() -> None:
    made = [edited(1, FEATURE, {"src/a.py": "+one"}), edited(2, FIX, {"src/b.py": "+two"})]
    resolved = described(*made, answers={**ITEMIZED, f"items[{K1}].detail_md": "- `src/b.py:1` — more."})
    assert resolved.values[f"items[{K1}].refs"].value == ()


# Without a diff


def unread(number: int, message: str) -> Commit:
    return replace(commit(number, message), diff_known=False)


@pytest.mark.requirement("DC-21", "DC-05", "DC-06")
def test_without_a_diff_there_is_no_page_and_there_are_no_refs() -> None:
    resolved = described(unread(1, FEATURE))
    assert (value(resolved, "change.detail_md"), value(resolved, "change.refs")) == (None, ())
    assert requested(resolved) == ["change.title", "change.short_md", "change.medium_md"]


@pytest.mark.requirement("DC-21")
@pytest.mark.parametrize(
    ("name", "said", "is_taken"),
    [("detail_md", "A page.", False), ("detail_md", None, True), ("medium_md", None, True), ("title", None, False)],
)
def test_without_a_diff_nobody_can_write_a_page_and_null_is_an_answer(name: str, said: AnswerValue, is_taken: bool) -> None:
    path = f"change.{name}"
    resolved = described(unread(1, FEATURE), answers={**SINGLE, path: said})
    assert (path in resolved.values) is is_taken
    assert contradictions(resolved) == ([] if is_taken else [("answer-not-accepted", path)])


@pytest.mark.requirement("DC-21")
def test_a_request_of_which_no_commit_is_known_is_one_change() -> None:
    request = document(
        1, DocumentKind.PULL_REQUEST, key="#12", title="Export reports", url="https://github.com/acme/widgets/pull/12"
    )
    operation = Operation(OperationType.PULL_REQUEST, "12", "acme/widgets")
    single = described(documents=(request,), operation=operation)
    assert (value(single, "change.relations.request"), value(single, "change.refs")) == ("#12", ())
    several = described(documents=(request,), operation=operation, answers=ITEMIZED)
    assert items(several) == ("0000012",)


# A kind that is open


@pytest.mark.requirement("DC-02")
def test_a_kind_that_nothing_decides_is_asked_and_one_that_sources_dispute_is_a_contradiction() -> None:
    assert asked(described("Sundries"))["change.kind"].reason is Reason.NO_EVIDENCE
    labelled = document(1, DocumentKind.PULL_REQUEST, key="#12", title="Export reports", labels=("documentation", "bug"))
    made = commit(1, "feat: Export reports (#12)", "src/1.py")
    resolved = described(made, documents=(labelled,))
    assert contradictions(resolved) == [("kind-conflict", "change.kind")]
    assert asked(resolved)["change.kind"].reason is Reason.CONTRADICTION
    answered = described(made, documents=(labelled,), answers={**SINGLE, "change.kind": "feature"})
    assert (answered.contradictions, value(answered, "change.kind")) == ((), "feature")


def test_the_draft_of_what_is_resolved_has_its_changes_in_order() -> None:
    resolved = described(DOCS, FEATURE, answers=ITEMIZED)
    assert changes(resolved.drafted(None)) == (f"items[{K2}]", f"items[{K1}]")
