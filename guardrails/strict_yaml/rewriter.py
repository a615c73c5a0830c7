"""Editing a document in place: unknown fields, comments and order stay (Intent Changesets 5)."""

from __future__ import annotations

import copy
import io
from collections.abc import Mapping
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import RoundTripRepresenter

from guardrails.strict_yaml.faults import YAML_REWRITE, Bounds, YamlFault
from guardrails.strict_yaml.parsing import decode
from guardrails.strict_yaml.reader import Path, read

_WIDTH: Final = 2**31 - 1


class _Representer(RoundTripRepresenter):
    """Writes null as the seeds do; ruamel.yaml would leave the place empty."""

    def represent_none(self, _: None) -> ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:null", "null")


_Representer.add_representer(type(None), _Representer.represent_none)


def rewrite(data: bytes, edits: Mapping[Path, Any]) -> bytes:
    """`data` with the value at each path of `edits` set; a list position one past the end appends. The result is UTF-8.

    Raises:
        YamlFault: `data` is no strict document, a path leads nowhere, or the result would say anything else than intended.
    """
    intended = copy.deepcopy(read(data).value)
    yaml = YAML(typ="rt")
    yaml.Representer = _Representer
    yaml.preserve_quotes = True
    yaml.width = _WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    try:
        tree = yaml.load(decode(data, Bounds()))
        for path, value in edits.items():
            _set(intended, path, value)
            _set(tree, path, copy.deepcopy(value))
        out = io.BytesIO()
        yaml.dump(tree, out)
    except (YAMLError, LookupError, TypeError) as error:
        raise YamlFault(YAML_REWRITE.at("", f"got {type(error).__name__} while editing")) from None
    result = out.getvalue()
    if repr(read(result).value) != repr(intended):
        raise YamlFault(YAML_REWRITE.at("", "got a document that says something else than intended"))
    return result


def _set(tree: Any, path: Path, value: Any) -> None:
    *around, last = path
    for step in around:
        tree = tree[step]
    if isinstance(tree, list) and last == len(tree):
        tree.append(value)
    else:
        tree[last] = value
