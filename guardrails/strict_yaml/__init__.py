"""YAML 1.2 Core Schema, read strictly and within bounds, written in the style of the seeds (Intent Changesets 5 and 12)."""

from __future__ import annotations

from guardrails.strict_yaml.faults import Bounds, YamlFault
from guardrails.strict_yaml.places import Path
from guardrails.strict_yaml.reader import Document, read
from guardrails.strict_yaml.rewriter import rewrite
from guardrails.strict_yaml.writer import write

__all__ = ["Bounds", "Document", "Path", "YamlFault", "read", "rewrite", "write"]
