"""Items: each is met once, and changed wherever it stands."""

from __future__ import annotations

from dataclasses import replace

from guardrails.evidence.items import ItemT, items, with_items
from guardrails.evidence.leaves import leaves
from guardrails.evidence.model import Answer
from tests.guardrails.redaction.made_up import bundle, commit, document, file, record

BUNDLE = replace(
    bundle(
        commit(1, "One", file("a.py", number=1)),
        documents=[document(1)],
        records=[record("one")],
        answers=[Answer("A1", "answer:id", "sha256:a", "id", "one")],
        uncommitted=[file("b.py", number=2)],
    ),
    referenced=(commit(2, "Two", file("c.py", number=3)),),
)
IDS = ["C1", "F1", "H1", "C2", "F3", "H3", "F2", "H2", "I1", "S1", "A1"]


def test_every_item_is_met_once() -> None:
    assert [item.id for item in items(BUNDLE)] == IDS


def test_every_item_is_changed_and_nothing_else() -> None:
    def marked(item: ItemT) -> ItemT:
        return replace(item, digest="new")

    changed = with_items(BUNDLE, marked)
    assert {item.digest for item in items(changed)} == {"new"}
    before = {item.id: item.digest for item in items(BUNDLE)}

    def restored(item: ItemT) -> ItemT:
        return replace(item, digest=before[item.id])

    assert with_items(changed, restored) == BUNDLE


def test_leaves_are_texts_numbers_and_names_at_any_depth() -> None:
    assert list(leaves({"a": ["b", {"c": 1}], "d": None, "e": True, "f": ("g",)})) == ["a", "b", "c", "1", "d", "e", "f", "g"]
