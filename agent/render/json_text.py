"""A document as JSON that people read, too (evidraft design 2)."""

from __future__ import annotations

import json

from guardrails.redaction.neutralise import neutralise


def json_text(document: object) -> str:
    """A document as indented JSON, ending in a line break; characters that nobody sees are escaped, so that all are seen."""
    return neutralise(json.dumps(document, ensure_ascii=False, indent=2), by=_escaped) + "\n"


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]
