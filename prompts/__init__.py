"""Speaks: the texts that drafters are asked with, each with a digest, so that a record can name what was asked."""

from __future__ import annotations

import hashlib
from importlib import resources


def text(name: str) -> str:
    """The prompt text called `name`, without white space at its ends.

    Raises:
        FileNotFoundError: there is none.
    """
    return resources.files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


def digest(name: str) -> str:
    """The digest of the prompt text called `name`, as `sha256:` and 64 hex digits.

    Raises:
        FileNotFoundError: there is none.
    """
    return "sha256:" + hashlib.sha256(text(name).encode()).hexdigest()
