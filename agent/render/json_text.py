"""A document as JSON that people read, too (evidraft design 2)."""

from __future__ import annotations

import io
import json

from guardrails.redaction.neutralise import neutralise


def json_text(document: object) -> str:
    """A document as indented JSON, ending in a line break; characters that nobody sees are escaped, so that all are seen."""
    text = io.StringIO()
    # A list of all pieces, which `dumps` makes, would take several times as much as the text.
    text.writelines(json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(document))
    text.write("\n")
    return neutralise(text.getvalue(), by=_escaped)


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]
