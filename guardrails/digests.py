"""Digests: canonical JSON and sha256, so that equal content has an equal name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable


def sha256(data: bytes) -> str:
    """The digest of exact bytes, as `sha256:` and 64 lower-case hex digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def sha256_of(pieces: Iterable[str]) -> str:
    """The digest of a text in UTF-8 that comes in pieces."""
    taken = hashlib.sha256()
    for piece in pieces:
        taken.update(piece.encode())
    return f"sha256:{taken.hexdigest()}"


def canonical_json(value: object) -> bytes:
    """`value` (JSON types only) as UTF-8 JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest_of(value: object) -> str:
    """The digest of the canonical JSON of `value`."""
    return sha256(canonical_json(value))


def digest_in_order(value: object) -> str:
    """The digest of the JSON of `value` with keys in their own order, as change contracts and inventories have it."""
    return sha256(json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode())
