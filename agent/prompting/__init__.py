"""Prompts: redacted evidence as fenced data, below instructions of our own (Intent Changesets 11.1, 11.2, untrusted evidence).

Every item stands between lines that begin with a random fence, made anew for each request and found in none of the items, so
that no text can close its own block. That keeps data and instructions apart for a drafter that is willing; it is no wall, and
nothing relies on it: what comes back is judged against the evidence.
"""

from agent.prompting.composer import BUDGET, Composer, compose
from agent.prompting.items import Item

__all__ = ["BUDGET", "Composer", "Item", "compose"]
