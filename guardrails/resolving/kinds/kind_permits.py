"""The kinds that an honest writer may give a change: every one that its evidence does not exclude (Describe Changes: kind).

Wider than what rules decide: a gate that refuses honest work is as broken as one that lets a lie through. Excluded are danger
without a sign or word of it, documents where code changed and no text is told of, upkeep where the product changed, a cure
where a feature is stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from guardrails.evidence.roles import Role
from guardrails.resolving.envelopes.reading import Part
from guardrails.resolving.kinds import kind_hints, kind_verbs
from guardrails.resolving.kinds.kind_signs import DANGER, HOUSEKEEPING, Sign, union
from guardrails.resolving.kinds.kind_words import BREAKING, BUG_FIX, DOCS, FEATURE, IMPROVEMENT, OPS, SECURITY
from guardrails.resolving.rules import Rules
from guardrails.wording.activity import is_upkeep
from guardrails.wording.words import words

_PRODUCT: Final = frozenset((FEATURE, BUG_FIX, IMPROVEMENT))
_NEAR: Final = {
    FEATURE: frozenset((FEATURE, IMPROVEMENT)),
    BUG_FIX: frozenset((BUG_FIX,)),
    IMPROVEMENT: frozenset((IMPROVEMENT, FEATURE)),
    OPS: frozenset((OPS,)),
    DOCS: frozenset((DOCS,)),
}
"""What an honest writer may call a change that people called so in a vocabulary."""
_HINTED: Final = {
    FEATURE: frozenset((FEATURE, IMPROVEMENT)),
    BUG_FIX: frozenset((BUG_FIX, IMPROVEMENT)),
    IMPROVEMENT: _PRODUCT,
    DOCS: frozenset((DOCS, IMPROVEMENT)),
    OPS: frozenset((OPS, IMPROVEMENT)),
}
"""The same where only the opening of a subject says it."""
_LOOSE_TYPES: Final = words("chore refactor refact build style cleanup maint typing")
"""Types that people also give to what users meet."""
_BREAKS: Final = re.compile(
    r"\bbreak(?:s|ing)\b|\bincompatib|\bno longer (?:supports?|accepts?|allows?|available)|\bmigration guide\b"
    r"|\bdrop(?:s|ped|ping)? (?:support|python|node)|\bremov\w{1,4} (?:the )?(?:deprecated|support)",
    re.IGNORECASE,
)
_TAKES_AWAY: Final = words(
    "remove removes removed removing drop drops dropped delete deletes deleted rename renames renamed require requires",
)
_WEAKNESS: Final = re.compile(
    r"\bsecur(?:e|ity)\b|vulnerab|\bxss\b|\bcsrf\b|\bssrf\b|injection|\bcve-|\bghsa-|exploit|saniti[sz]|travers|\bredos\b"
    r"|credential|password|\bsecrets?\b|denial of service|\bleak(?:s|ed|ing)?\b|untrusted|malicious|unauthori[sz]ed",
    re.IGNORECASE,
)
_INSIDE: Final = words(
    "use uses used replace replaced rename renamed move moved extract split convert switch simplify remove removed drop delete",
    "update updated change changed migrate refactor cleanup clean tidy reorganize restructure inline rewrite upgrade pin unpin",
)
"""Openings that tell what was done to the code: it may be nothing that anybody meets."""


def permitted(part: Part, rules: Rules, danger: Iterable[Sign], said: Iterable[Sign]) -> frozenset[str]:
    """Every kind that neither paths nor words exclude; `danger` and `said` are the signs that the rules found."""
    stated = union(sign.kinds for sign in said) - DANGER
    kinds = _of_product(part, rules, stated) if part.touches_product else _of_upkeep(part, stated)
    return kinds | union(sign.kinds for sign in danger) | _dangers(part)


def _dangers(part: Part) -> frozenset[str]:
    """Danger that is told in words; it takes a change of the product to break something."""
    text = "\n".join(_texts(part))
    takes_away = any(kind_verbs.first_word(one.text) in _TAKES_AWAY for one in part.heads)
    breaks = part.touches_product and (takes_away or _BREAKS.search(text) is not None)
    told = ((BREAKING, breaks), (SECURITY, _WEAKNESS.search(text) is not None))
    return frozenset(kind for kind, holds in told if holds)


def _of_product(part: Part, rules: Rules, stated: frozenset[str]) -> frozenset[str]:
    hinted = union(_HINTED[kind] for one in part.heads for kind in kind_verbs.verbs(one.text))
    listed = (*kind_hints.fragments(part, rules), *kind_hints.listed(part, rules))
    hinted |= union(_HINTED[kind] for sign in listed for kind in sign.kinds)
    if any(one.is_revert for one in part.heads):
        hinted = frozenset((BUG_FIX, IMPROVEMENT))
    if stated:
        is_loose = any(one.type in _LOOSE_TYPES and not is_upkeep(one.text) for one in part.heads)
        return union(_NEAR[kind] for kind in stated) | ((hinted | {IMPROVEMENT}) if is_loose else frozenset())
    is_inside = any(kind_verbs.first_word(one.text) in _INSIDE or is_upkeep(one.text) for one in part.heads)
    is_of_texts = any(kind_verbs.is_of_texts(one.text) for one in part.heads)
    unknown = HOUSEKEEPING if not part.files and not hinted else frozenset[str]()
    beside = ((OPS, is_inside), (DOCS, is_of_texts))
    return (hinted or _PRODUCT) | unknown | frozenset(kind for kind, holds in beside if holds)


def _of_upkeep(part: Part, stated: frozenset[str]) -> frozenset[str]:
    """Where nothing changed that users meet; a manifest may still hold what they do."""
    is_update = part.is_update
    is_step = is_update or any(kind_verbs.is_release(one.text) for one in part.heads)
    ops = frozenset((OPS,)) if is_step or part.roles - {Role.DOCUMENTATION} else frozenset[str]()
    docs = frozenset((DOCS,)) if Role.DOCUMENTATION in part.roles and not is_update else frozenset[str]()
    if is_step or Role.DEPENDENCIES not in part.roles:
        return ops | docs | stated
    return (
        ops | docs | stated | union(_HINTED[kind] for one in part.heads for kind in kind_verbs.verbs(one.text) - HOUSEKEEPING)
    )


def _texts(part: Part) -> Iterator[str]:
    for one in part.statements:
        yield one.text
        yield one.said.message.body
    yield from (document.title for document in part.issues)
