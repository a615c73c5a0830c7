"""What tells the kind of a change where nobody says it: its nature, paths, fragments, words (Describe Changes: kind)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails.evidence.model import FileChange
from guardrails.evidence.roles import Role, role
from guardrails.resolving.envelopes.reading import Part, Statement
from guardrails.resolving.kinds import kind_changelogs, kind_verbs, kind_words
from guardrails.resolving.kinds.kind_signs import DANGER, HOUSEKEEPING, Sign, evidence_of, together, union
from guardrails.resolving.kinds.kind_words import BUG_FIX, DOCS, OPS
from guardrails.resolving.rules import Rules

_QUOTED: Final = re.compile(r"""(?:revert|reapply)\W{1,4}(?=["“'‘])["“'‘]?(.*)""", re.IGNORECASE)
_RUNS_ON: Final = re.compile(
    r"\b(?:drop|remov|requir|rais|bump|end)\w{0,4} .{0,60}\b(?:support|minimum|lowest|msrv|python_requires|engines)"
    r"|\b(?:drop|requir)\w{0,4} (?:python|node|ruby|php|java|go|rust)\b",
    re.IGNORECASE,
)
_MOST: Final = 8
"""How often a subject may take back a taking back, at most."""


def updating(part: Part, _rules: Rules) -> Iterator[Sign]:
    """A dependency update and the step of a release are ops, whatever types and paths say; release notes alone are docs."""
    is_step = bool(part.heads) and all(kind_verbs.is_release(one.text) for one in part.heads)
    if part.is_update:
        yield Sign(frozenset((OPS,)), part.group.commits, "it brings dependencies to other versions")
    elif is_step and not (part.files and part.roles <= {Role.DOCUMENTATION}):
        yield Sign(frozenset((OPS,)), evidence_of(_said(part)), "it is a step of a release")


def reverting(part: Part, _rules: Rules) -> Iterator[Sign]:
    """A change of the product that takes another one back is a bug fix: what was wrong with that is gone again."""
    if not part.heads or not part.touches_product or not all(one.is_revert for one in part.heads):
        return
    undone = [_undone(one) for one in part.heads]
    if all(times % 2 for times, _ in undone):
        kinds = union(kind_words.of_type(word) for _, word in undone)
        of = kinds if kinds and kinds <= HOUSEKEEPING else frozenset((BUG_FIX,))
        yield Sign(of, evidence_of(_said(part)), "it takes another change back")


def placed(part: Part, _rules: Rules) -> Iterator[Sign]:
    """Where nothing changed that users meet: documents are docs, all else is ops, and of both the one with more changed lines.

    A manifest may hold what users meet (what is packed, what it needs): a cure in it, and what it no longer runs on, stay open.
    """
    if part.touches_product or (Role.DEPENDENCIES in part.roles and any(_RUNS_ON.search(one.text) for one in part.heads)):
        return
    documents = [file for file in part.files if role(file.path) is Role.DOCUMENTATION]
    kinds = frozenset((DOCS if _size(documents) * 2 > _size(part.files) else OPS,))
    if Role.DEPENDENCIES in part.roles and any(_stated(one, part) == {BUG_FIX} for one in part.heads):
        kinds |= {BUG_FIX}
    yield Sign(kinds, tuple(file.id for file in part.files), "nothing else changed")


def fragments(part: Part, _rules: Rules) -> Iterator[Sign]:
    """News fragments, which say by their names what they tell; alone, or beside documents, they tell of what others did."""
    if part.roles <= {Role.DOCUMENTATION}:
        return
    told = [(file.id, kinds) for file in part.files if (kinds := kind_words.of_fragment(file.path) - DANGER)]
    if told:
        yield Sign(union(kinds for _, kinds in told), tuple(item for item, _ in told), "a news fragment says so")


def listed(part: Part, _rules: Rules) -> Iterator[Sign]:
    """New entries of a changelog, which stand in sections."""
    told = [(file.id, kinds) for file in part.files if (kinds := kind_changelogs.of_changelog(file) - DANGER)]
    if told:
        yield Sign(union(kinds for _, kinds in told), tuple(item for item, _ in told), "a changelog lists it so")


def stated(part: Part, _rules: Rules) -> Iterator[Sign]:
    """The opening of the title, else of the commits. Where the product did not change, the paths have told it all."""

    def speak(one: Statement) -> Sign | None:
        kinds = _stated(one, part)
        return Sign(kinds, (one.id,), "its words say so") if kinds else None

    yield from together(part, speak, part.heads) if part.touches_product else ()


def _said(part: Part) -> Iterator[Sign]:
    return (Sign(frozenset(), (one.id,), "") for one in part.heads)


def _size(files: list[FileChange] | tuple[FileChange, ...]) -> int:
    return sum(1 + file.added + file.deleted for file in files)


def _stated(one: Statement, part: Part) -> frozenset[str]:
    """What the words say; a revert's are those of another change."""
    return frozenset() if one.is_revert else kind_verbs.of_statement(one.text, touches_product=part.touches_product)


def _undone(one: Statement) -> tuple[int, str]:
    """How often a subject takes back what it quotes (`Reapply` counts as twice), and the type of what it quotes at last."""
    text, times = one.text, int(one.type == "revert")
    while times < _MOST and (match := _QUOTED.match(text)) is not None:
        times += 2 if text[:7].casefold() == "reapply" else 1
        text = match[1]
    return times, text.partition(":")[0].partition("(")[0].rstrip("!").casefold() if times else ""
