"""The texts of a described change: what people said or decided, else a drafter's task (Describe Changes: field rules).

Without a diff there is no page and there are no refs, whoever is asked. A page that a person wrote has its refs from the places
that it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from guardrails import markdown
from guardrails.drafts.envelope_form import CHANGE, TEXT_FIELDS, EnvelopeForm
from guardrails.drafts.sentences import sentences
from guardrails.drafts.sourced import Basis, Prose, Sentence
from guardrails.evidence.model import Answer, Bundle
from guardrails.evidence.references import Catalogue, place_of
from guardrails.markdown import InlineKind
from guardrails.resolving.answers import as_text, refuse
from guardrails.resolving.grouping.grouping import Group
from guardrails.resolving.sheet import Sheet, unique

_DETAIL: Final = "detail_md"
_MEDIUM: Final = "medium_md"
_NOTHING: Final[Mapping[str, Prose]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Sources:
    """What the texts of changes may rest on, looked up once for all of them."""

    catalogue: Catalogue
    hunks: Mapping[str, tuple[str, ...]]
    """The ids of each changed path's hunks, by the id of the path."""
    undone: Mapping[str, str]
    """The ids of the commits outside the selection, by id and by object name."""
    contracts: tuple[str, ...] = ()
    """The ids of what was verified of all that is selected: it belongs on the page of that, and nowhere else."""

    @classmethod
    def of(cls, bundle: Bundle) -> Sources:
        """Those of all changes of a bundle."""
        files = (*bundle.files(), *(bundle.net or ()))
        undone = {name: commit.id for commit in bundle.referenced for name in (commit.id, commit.oid)}
        contracts = tuple(one.id for one in bundle.contracts)
        return cls(Catalogue.of(bundle), {file.id: tuple(hunk.id for hunk in file.hunks) for file in files}, undone, contracts)

    def of_change(self, change: Group) -> tuple[str, ...]:
        """Its commits and what they take back, its documents, its files and their hunks."""
        undone = (self.undone[name] for name in change.reverts if name in self.undone)
        return unique((*change.commits, *undone, *change.documents, *self.places_of(change)))

    def places_of(self, change: Group) -> tuple[str, ...]:
        """Its files and their hunks, as far as a reference can name them."""
        files = (file for file in change.files if self.catalogue.reference(file) is not None)
        return tuple(item for file in files for item in (file, *self.hunks.get(file, ())))


def resolve_texts(
    path: str,
    change: Group,
    sources: Sources,
    answers: Mapping[str, Answer],
    sheet: Sheet,
    *,
    records: tuple[str, ...] = (),
    decided: Mapping[str, Prose] = _NOTHING,
) -> None:
    """Settle, write or request the texts of the change at `path`.

    `records` are the ids of the reviewed decisions that it advances, `decided` the words of such a one, by field.
    """
    own, has_places = unique((*sources.of_change(change), *records)), bool(sources.places_of(change))
    for name in TEXT_FIELDS:
        where = f"{path}.{name}"
        answer = answers.get(where)
        if not has_places and name == _DETAIL:
            _without_page(path, answer, sheet)
        elif answer is None and name in decided:
            sheet.prose[where] = decided[name]
        elif answer is None:
            verified = sources.contracts if where == f"{CHANGE}.{_DETAIL}" else ()
            sheet.request(where, (*own, *verified) if verified else own, _question(where))
        elif not has_places and name == _MEDIUM and answer.value is None:
            sheet.settle(where, None, Basis.ANSWER, (answer.id,))
        elif (text := as_text(answer.value)) is None:
            refuse(sheet, answer, ("<text>",), _question(where))
        elif name == _DETAIL:
            places = tuple(_named(text, own, sources.catalogue))
            sheet.prose[where] = Prose(tuple(Sentence(said, (answer.id,)) for said in sentences(text)), Basis.ANSWER, text)
            sheet.settle(f"{path}.refs", sources.catalogue.references(places), Basis.EVIDENCE, places)
        else:
            sheet.write(where, text, Basis.ANSWER, (answer.id,))


def _without_page(path: str, answer: Answer | None, sheet: Sheet) -> None:
    sheet.settle(f"{path}.refs", (), Basis.RULE)
    if answer is None or answer.value is None:
        sheet.settle(f"{path}.{_DETAIL}", None, Basis.RULE)
    else:
        refuse(sheet, answer, ("null",), _question(answer.path))


def _named(text: str, sources: tuple[str, ...], catalogue: Catalogue) -> Iterator[str]:
    """The ids among `sources` of the files and hunks that the code spans of a page name, in the order in which they do."""
    known = [(item, place) for item in sources if (place := catalogue.reference(item)) is not None]
    spans = [piece.text for block in markdown.blocks(text) for piece in block.inlines if piece.kind is InlineKind.CODE]
    for named in dict.fromkeys(map(place_of, spans)):
        yield from (item for item, place in known if place.meets(named))


def _question(path: str) -> str:
    return EnvelopeForm().question(path)
