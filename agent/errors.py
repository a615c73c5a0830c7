"""What the world can refuse: every expected failure, with what, where and what to do.

    Failure                     exit 2
        UsageFailure            the command line does not make sense
        InputFailure            a file or standard input cannot be read or is not what it should be
        ConfigurationFailure    settings, policy or profile cannot be used
        RepositoryFailure       git is missing, not a repository, unknown or ambiguous revision, git failed
        StoreFailure            a file could not be written; nothing was left half-written
        ProviderFailure         a drafter could not be reached, or does not serve us
            NotConfigured       a drafter has no key, or is not known
            TooLong             a prompt does not fit into what the drafter reads at once
            Denied              a drafter takes nothing from who asks: key, account or model are the fault, no prompt
            Passing             a drafter cannot be reached or does not serve for now: it may pass by itself
        LimitReached            a limit that the caller set on cost or tokens stops the run
        RunStopped              a run of many drafts cannot go on; what is done is kept
        ForgeFailure            a forge could not be reached, refused, or answered with something else
        GuardNotReady           redaction cannot be guaranteed, so nothing is drafted

Messages hold no evidence text. A Finding is about content, a Verdict is an outcome; neither is ever raised.
"""

from __future__ import annotations

_LONGEST = 500


class Failure(Exception):
    """An expected failure: `what` happened, `where` (path, revision, option), what to do about it (`cure`)."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", cure: str = "") -> None:
        """Keep the three parts apart, so that JSON output can name them."""
        super().__init__(what)
        self.what = what
        self.where = where
        self.cure = cure

    def __str__(self) -> str:
        """One line for a person; what came from outside may be of any length, and is cut."""
        place = f"{_cut(self.where)}: " if self.where else ""
        return f"{place}{self.what}" + (f" ({_cut(self.cure)})" if self.cure else "")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class UsageFailure(Failure):
    """The command line does not make sense."""


class InputFailure(Failure):
    """A file or standard input cannot be read or is not what it should be."""


class ConfigurationFailure(Failure):
    """Settings, policy or profile cannot be used."""


class RepositoryFailure(Failure):
    """Git is missing or failed, this is no repository, or a revision is unknown or ambiguous."""


class StoreFailure(Failure):
    """A file could not be written; nothing was left half-written."""


class ProviderFailure(Failure):
    """A drafter could not be reached, or does not serve us."""


class NotConfigured(ProviderFailure):
    """A drafter has no key, or is not known; nothing was sent."""


class TooLong(ProviderFailure):
    """A prompt does not fit into what the drafter reads at once. `share` of it may: 0.5 where the drafter does not say."""

    def __init__(self, what: str, *, where: str = "", cure: str = "", share: float = 0.5) -> None:
        """As a failure; `share` is between 0 and 1."""
        super().__init__(what, where=where, cure=cure)
        self.share = share


class Denied(ProviderFailure):
    """A drafter takes nothing from who asks: the key, the account or the model is the fault, and no other prompt cures it."""


class Passing(ProviderFailure):
    """A drafter cannot be reached, or does not serve for now; it may pass by itself."""


class LimitReached(Failure):
    """A limit that the caller set on cost or tokens stops the run; what was paid for is kept."""


class RunStopped(Failure):
    """A run of many drafts cannot go on: no journal can be written, or its drafter takes nothing more. What is done is kept."""


class ForgeFailure(Failure):
    """A forge could not be reached, refused, or answered with something else; nothing was written there by halves."""


class GuardNotReady(Failure):
    """Redaction cannot be guaranteed, so nothing is drafted."""
