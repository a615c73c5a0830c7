"""What makes a YAML document refused, and how much of one is read (Intent Changesets 5 and 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from guardrails.findings import Code, Finding


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is read before a document is refused; `depth` counts nested collections, `nodes` keys and values alike.

    `aliases` is how often one anchored value may be repeated, in what is repeated itself as well; by default none is.
    """

    bytes: int = 1_048_576
    depth: int = 64
    nodes: int = 100_000
    items: int = 100_000
    scalar: int = 65_536
    aliases: int = 0


class YamlFault(Exception):
    """The document is refused. `finding` says why and at which line; it quotes a key at most, never a value."""

    def __init__(self, finding: Finding) -> None:
        """Carry the finding out of the reader."""
        super().__init__(finding.message)
        self.finding: Final = finding


def _code(name: str, summary: str, cure: str, section: str = "Intent Changesets 12") -> Code:
    return Code(name=name, summary=summary, cure=cure, section=section)


YAML_SYNTAX = _code(
    "yaml-syntax", "The text is not well-formed YAML.", "Correct the text at the named line.", "Intent Changesets 5"
)
YAML_ENCODING = _code(
    "yaml-encoding",
    "The bytes are not UTF-8 or UTF-16 text, or hold a character that YAML does not allow.",
    "Save the file as UTF-8 without control characters.",
)
YAML_NO_DOCUMENT = _code(
    "yaml-no-document", "There is no YAML document.", "Write exactly one document into the file.", "Intent Changesets 5"
)
YAML_SEVERAL_DOCUMENTS = _code(
    "yaml-several-documents", "There is more than one YAML document.", "Keep one document in each file."
)
YAML_DUPLICATE_KEY = _code("yaml-duplicate-key", "A mapping has the same key twice.", "Keep one of the two keys.")
YAML_KEY = _code("yaml-key", "A mapping key is a list or a mapping.", "Use plain text as key.")
YAML_ANCHOR = _code("yaml-anchor", "The document uses an anchor.", "Remove the anchor.")
YAML_ALIAS = _code("yaml-alias", "The document uses an alias.", "Write the value out in full.")
YAML_MERGE_KEY = _code("yaml-merge-key", "The document uses a merge key.", "Write the merged keys out in full.")
YAML_TAG = _code(
    "yaml-tag", "The document uses a tag outside the Core Schema, or one that its value does not fit.", "Remove the tag."
)
YAML_BOUND = _code(
    "yaml-bound", "The document is larger or more deeply nested than is read.", "Make the document smaller or flatter."
)
YAML_REWRITE = _code(
    "yaml-rewrite",
    "The document cannot be edited without changing something else.",
    "Edit the file by hand.",
    "Intent Changesets 5",
)
