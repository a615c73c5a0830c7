"""The only writes: new records below the repository's root, and output files and folders that a person names (Intent Changesets
5, 12).

Each file appears whole or not at all: its bytes are written under a passing name and then moved to their place. What a consumer
plans is carried out in `agent.store.applying`.
"""

from __future__ import annotations

from agent.store.below import read_below, remove_below, rename_below, write_below, write_new
from agent.store.claiming import Claim, turn
from agent.store.named import STANDARD_OUTPUT, appending, folder, private_file, remove_folder, write_output

__all__ = [
    "STANDARD_OUTPUT",
    "Claim",
    "appending",
    "folder",
    "private_file",
    "read_below",
    "remove_below",
    "remove_folder",
    "rename_below",
    "turn",
    "write_below",
    "write_new",
    "write_output",
]
