"""Acts: everything that needs a process, a network, a disk, a clock or a model.

Other distributions bring packages called `guardrails` or `prompts` too. Where one of them stands before ours, or was installed
over it, nothing is judged by it: that is said, and the process ends.
"""

from __future__ import annotations

import sys
from importlib.abc import InspectLoader
from importlib.util import find_spec

_OPENINGS = {"guardrails": '"""Judges: ', "prompts": '"""Speaks: '}


def _foreign(name: str, opening: str) -> str | None:
    """Where another package of that name stands in the place of ours; it is read, never run."""
    spec = find_spec(name)
    loader = spec.loader if spec else None
    source = loader.get_source(name) if isinstance(loader, InspectLoader) else ""
    is_ours = source is None or source.startswith(opening)  # None: frozen into a program, where nothing can stand before it
    return None if is_ours else (spec and spec.origin) or "no code at all"


for _name, _opening in _OPENINGS.items():
    if (_place := _foreign(_name, _opening)) is not None:
        sys.stderr.write(
            f"evidraft: another package called {_name!r} stands in the place of evidraft's own: {_place!a} "
            "(install evidraft by itself, with pipx or uv tool, and check PYTHONPATH)\n"
        )
        raise SystemExit(2)
