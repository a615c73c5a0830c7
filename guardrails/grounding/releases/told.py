"""Which reviewed decisions a page tells in their own words, out of its draft record (Intent Changesets 7.1).

decisions_told(finished.record) -> ids of changesets, for `twice.Page`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from guardrails.drafts.sourced import Basis

_RECORD: Final = "record"
_TEXT: Final = re.compile(r"(?:items\[(?P<key>[0-9a-f.]{1,80})\]|(?P<change>change))\.(?:title|short_md|medium_md)")


def decisions_told(record: Mapping[str, object]) -> dict[str, str]:
    """The changesets whose words stand in items, by id: the keys of those items, joined by ", " as in other accounts.

    A record file is called by its id, a ledger entry has it.
    """
    places = {one["id"]: str(one["locator"]) for one in _parts(record.get("evidence")) if one.get("kind") == _RECORD}
    fields = record.get("fields")
    told: dict[str, dict[str, None]] = {}
    for path, field in fields.items() if isinstance(fields, Mapping) else ():
        match = _TEXT.fullmatch(path)
        for item in _cited(field) if match is not None else ():
            if item in places and match is not None:
                told.setdefault(_id(places[item]), {})[match["key"] or match["change"]] = None
    return {name: ", ".join(keys) for name, keys in told.items()}


def _cited(field: object) -> Iterator[object]:
    if isinstance(field, Mapping) and field.get("basis") == Basis.EVIDENCE.value:
        for sentence in _parts(field.get("sentences")):
            evidence = sentence.get("evidence")
            yield from evidence if isinstance(evidence, list | tuple) else ()


def _parts(value: object) -> Iterator[Mapping[str, object]]:
    yield from (one for one in value if isinstance(one, Mapping)) if isinstance(value, list | tuple) else ()


def _id(locator: str) -> str:
    path, _, entry = locator.partition("#")
    return entry or PurePosixPath(path).stem
