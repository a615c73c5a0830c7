"""The statements of an envelope: what its texts and notes claim, and what headings and code merely name (Describe Changes)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from guardrails.drafts import summing
from guardrails.drafts.counting import without_counts
from guardrails.drafts.draft import Draft
from guardrails.drafts.envelope_form import changes
from guardrails.drafts.sentences import sentences
from guardrails.drafts.sourced import Basis, Prose
from guardrails.evidence.references import Catalogue
from guardrails.grounding.citable import Citable
from guardrails.grounding.envelopes.pages import passages, unclaimed
from guardrails.grounding.envelopes.places import Places
from guardrails.grounding.envelopes.telling import references
from guardrails.grounding.statements import Statement, statements

DETAIL: Final = ".detail_md"
_SUMMARY: Final = "summary."
_TITLE: Final = f"{_SUMMARY}title"
_WORDED: Final = "CPIDRVSA"
"""The letters of the items in which people say something."""


def claimed(draft: Draft, citable: Citable, places: Places) -> tuple[Statement, ...]:
    """Every sentence of every text, and every note that somebody wrote.

    A page that is handed in whole is cut here: its headings and code are no sentences. A summary that we put together repeats
    its items, which are statements already, and counts them. A title that only says which operation it is claims nothing.
    """
    pages = {path: text for path, text in draft.prose.items() if _is_page(path, text)}
    total = len(changes(draft))
    names = frozenset(summing.names(citable.bundle.operation, citable.bundle.selection.spec))
    others = {
        path: _uncounted(text, total) if path.startswith(_SUMMARY) else text
        for path, text in draft.prose.items()
        if path not in pages and text.basis is not Basis.RULE and not (path == _TITLE and text.text in names)
    }
    cut = (
        Statement(path, sentence, text.evidence or citable.whole)
        for path, text in pages.items()
        for passage in passages(text.text)
        for sentence in sentences(passage.text)
    )
    return (*statements(others, citable), *cut, *_notes(draft, citable, places))


def _uncounted(text: Prose, total: int) -> Prose:
    """A summary's text without what it counts: its evidence is its items, which are no evidence of ours."""
    bare = (replace(one, text=without_counts(one.text, total)) for one in text.sentences)
    return replace(text, sentences=tuple(one for one in bare if one.text))


def named(draft: Draft, citable: Citable) -> tuple[Statement, ...]:
    """The headings and code blocks of pages that are handed in whole: what they name has to stand somewhere."""
    return tuple(
        Statement(path, part, text.evidence or citable.whole)
        for path, text in draft.prose.items()
        if _is_page(path, text)
        for part in unclaimed(text.text)
    )


def _is_page(path: str, text: Prose) -> bool:
    return path.endswith(DETAIL) and text.basis in {Basis.GIVEN, Basis.ANSWER}


def _notes(draft: Draft, citable: Citable, places: Places) -> Iterator[Statement]:
    """A note tells what is at its place: it leans on the files there, and on what people said; what we would say holds."""
    worded = tuple(item for item in citable.items if item[:1] in _WORDED)
    catalogue = Catalogue.of(citable.bundle)
    for path in changes(draft):
        refs = f"{path}.refs"
        if refs in draft.values and draft.values[refs].basis is Basis.GIVEN:
            for number, one in enumerate(references(path, draft)):
                changed = [side.file for side in places.sides(one.path)]
                files = tuple(dict.fromkeys(file.id for file in changed))
                hunks = (hunk.id for file in changed for hunk in file.hunks)
                if one.note is not None and one.note not in catalogue.notes((*files, *hunks)):
                    yield Statement(f"{refs}[{number}].note", one.note, (*worded, *files))
