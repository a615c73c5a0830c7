"""Consuming: each target of a decision becomes one entry of the unreleased ledger of its release unit and stream (Intent
Changesets 8, 13.4).

`plan` decides by values alone; `agent.store.apply` carries the plan out, and may be stopped anywhere: planning again gives the
rest of the same plan. The changeset supplies the first wording; what stands in a ledger is kept (`conflict-policy: preserve`).
"""

from __future__ import annotations

from guardrails.records.consuming.book import released
from guardrails.records.consuming.planning import plan
from guardrails.records.consuming.plans import Consumed, Disposal, Plan, Refusal, Told, Write

__all__ = ["Consumed", "Disposal", "Plan", "Refusal", "Told", "Write", "plan", "released"]
