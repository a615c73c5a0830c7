"""The road: redact, resolve, compose, draft, parse, validate, decide. Every drafting command walks it (evidraft design 1)."""

from agent.pipeline.conversation import Attempt
from agent.pipeline.judging import judge, judge_changeset, judge_envelope, judge_pull_request
from agent.pipeline.road import Outcome, Pace, draft
from agent.pipeline.seeing import Seen, Terms, see

__all__ = [
    "Attempt",
    "Outcome",
    "Pace",
    "Seen",
    "Terms",
    "draft",
    "judge",
    "judge_changeset",
    "judge_envelope",
    "judge_pull_request",
    "see",
]
