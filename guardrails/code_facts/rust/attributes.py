"""What attributes of Rust say: `#[path = "x"]`, `#[cfg(test)]`, `#[derive(A)]` (Change Contracts: fact clauses)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from guardrails.code_facts.rust.syntax import segments
from guardrails.code_facts.trees import child, first, written

_OF_RUST: Final = frozenset(
    {
        *(
            "allow",
            "automatically_derived",
            "cfg",
            "cfg_attr",
            "cold",
            "deny",
            "deprecated",
            "derive",
            "doc",
            "expect",
            "export_name",
        ),
        *(
            "feature",
            "forbid",
            "ignore",
            "inline",
            "link",
            "link_name",
            "link_section",
            "macro_export",
            "macro_use",
            "must_use",
        ),
        *("no_link", "no_main", "no_mangle", "no_std", "non_exhaustive", "path", "proc_macro", "proc_macro_attribute"),
        *(
            "proc_macro_derive",
            "recursion_limit",
            "repr",
            "should_panic",
            "target_feature",
            "test",
            "track_caller",
            "type_length_limit",
        ),
        *("unsafe", "used", "warn", "windows_subsystem", "bench", "global_allocator", "panic_handler", "default"),
    }
)
_OF_TOOLS: Final = frozenset({"rustfmt", "clippy", "diagnostic", "miri", "rust_analyzer"})
_DERIVED: Final = frozenset(
    {"Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd", "Serialize", "Deserialize"}
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: its path, the tokens given to it, the text that it is set to."""

    path: tuple[str, ...]
    arguments: Node | None
    value: str | None

    @property
    def given(self) -> str:
        """The tokens given to it, without blanks."""
        return "" if self.arguments is None else "".join(written(self.arguments).split())


def attributes(items: Iterable[Node]) -> Iterator[Attribute]:
    """What `items`, which are `#[...]` or `#![...]`, say."""
    for item in items:
        inner = first(item, "attribute")
        if inner is None:
            continue
        value = child(inner, "value")
        text = None if value is None or value.type != "string_literal" else "".join(map(written, value.named_children))
        yield Attribute(segments(next(iter(inner.named_children), None)), child(inner, "arguments"), text)


def generates(items: Iterable[Node]) -> bool:
    """Whether an attribute may write items that the text does not show: a derived trait of others, or a macro."""
    for one in attributes(items):
        if one.path == ("derive",):
            names = {part.rpartition("::")[2] for part in one.given.strip("()").split(",")} - {""}
            if not names <= _DERIVED:
                return True
        elif one.path and one.path[0] not in _OF_TOOLS and not (len(one.path) == 1 and one.path[0] in _OF_RUST):
            return True
    return False
