"""JSON, read strictly and within bounds: UTF-8, no key twice, no number that JSON does not know (Intent Changesets 12)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

MAX_DEPTH: Final = 64


class JsonFault(ValueError):
    """Why a text is refused: `what`, and where in it, as far as that is known ("line 3", "byte 11", "")."""

    def __init__(self, what: str, place: str = "") -> None:
        """Keep both apart, for whoever knows what the text is called."""
        super().__init__(what)
        self.what = what
        self.place = place


def read(data: bytes, depth: int = MAX_DEPTH) -> Any:
    """The value of strict JSON: no key twice, no NaN or infinity, no lone surrogate, at most `depth` levels.

    Raises:
        JsonFault: with what is wrong and, where known, the place. It quotes a key at most.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_mapping, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise JsonFault("this is not UTF-8", f"byte {error.start}") from None
    except UnicodeEncodeError:
        raise JsonFault("a text holds half a surrogate pair") from None
    except json.JSONDecodeError as error:
        raise JsonFault(f"this is not JSON: {error.msg}", f"line {error.lineno}") from None
    except ValueError as error:
        raise JsonFault(f"this JSON is refused: {error}") from None
    except RecursionError:
        raise _too_deep(depth) from None
    if _is_deeper(value, depth):
        raise _too_deep(depth)
    return value


def _mapping(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    mapping: dict[str, object] = {}
    for key, value in pairs:
        if key in mapping:
            raise ValueError(f"key {key[:100]!r} stands twice")
        mapping[key] = value
    return mapping


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _too_deep(depth: int) -> JsonFault:
    return JsonFault(f"this is nested deeper than {depth} levels")


def _is_deeper(value: object, levels: int) -> bool:
    """Whether `value` nests more than `levels` deep; level by level, so that depth costs no stack."""
    level = [value]
    for _ in range(levels):
        level = [child for item in level for child in _children(item) if isinstance(child, dict | list)]
    return bool(level)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
