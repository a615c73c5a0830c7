"""`package.json`: four sections of dependencies (Change Contracts: schema 0.3, dependencies)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from guardrails import strict_json
from guardrails.contracts.package_manifests.listed import Listed, Unreadable

_SECTIONS: Final = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_OWN: Final = re.compile(r"workspace:[^@]*|catalog:.*")
"""Words that do not lead to something of another name: a version that the workspace tells."""


def read(text: str) -> Listed:
    """What a `package.json` names. A package under another name counts by the name that it has here.

    Raises:
        Unreadable: it is no strict JSON, or a section is no mapping.
    """
    try:
        document = strict_json.read(text.encode("utf-8", "surrogatepass"))
    except strict_json.JsonFault as fault:
        raise Unreadable(f"{fault.what}{f', {fault.place}' if fault.place else ''}") from None
    if not isinstance(document, dict):
        raise Unreadable("got no object")
    return Listed.of(_named(document))


def _named(document: dict[str, object]) -> Iterator[tuple[str, str]]:
    for key in _SECTIONS:
        section = document.get(key, {})
        if not isinstance(section, dict):
            raise Unreadable(f"{key}: got no object")
        yield from ((name, _leads_to(wanted)) for name, wanted in section.items())


def _leads_to(wanted: object) -> str:
    """Where a version leads that is no range: `npm:other@1`, an address, `owner/repository`."""
    if not isinstance(wanted, str) or _OWN.fullmatch(wanted):
        return ""
    return wanted if ":" in wanted or "/" in wanted else ""
