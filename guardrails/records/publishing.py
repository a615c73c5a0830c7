"""The life of a ledger: it is begun unreleased, and publishing gives it its date and changes nothing else
(Intent Changesets 7.1, 8 and 9; Intent Changelog 1.0.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guardrails.findings import Code, Finding, blocking
from guardrails.patterns import compiled
from guardrails.records import changelog, changelog_rules
from guardrails.records.changelog import Changelog
from guardrails.records.changelog_rules import CHANGELOG_DATE, is_date
from guardrails.records.fields import SUITE_VERSION
from guardrails.records.gating import misplaced
from guardrails.records.profile import Profile
from guardrails.records.release_manifest_rules import RELEASE_NAME
from guardrails.strict_yaml import YamlFault, rewrite

ALREADY_RELEASED: Final = Code(
    name="already-released",
    summary="The ledger that is to be published is released already.",
    cure="Correct a released ledger with an amendment; begin the next one for the next release.",
    section="Intent Changelog 1.0.0",
)


def begin(profile: Profile, unit: str, stream: str, release: str) -> bytes:
    """The first ledger of a release: that of a declared unit and stream, without date and entries.

    Raises:
        KeyError: the profile has no such unit or stream.
    """
    declared = profile.release_units[unit].streams[stream]
    return changelog.write(
        {
            "intent-changelog": SUITE_VERSION,
            "release-unit": unit,
            "release": release,
            "source-repository": profile.repository,
            "stream": stream,
            "release-line": declared.release_line,
            "channel": declared.channel,
            "date": None,
            "entries": [],
            "amendments": [],
        }
    )


def publish(ledger: Changelog, date: str) -> bytes | tuple[Finding, ...]:
    """The bytes of an unreleased ledger with `date` in the place of its null, however that is written; or why it cannot be.

    Every other byte stays: comments, unknown fields, line ends, encoding.
    """
    found = blocking(changelog_rules.validate(ledger))
    if not is_date(date):
        found += (CHANGELOG_DATE.at("date", "got another text to publish with, expected a calendar date"),)
    if ledger.date is not None:
        line = ledger.document.line(("date",))
        found += (ALREADY_RELEASED.at("date", "got a date, expected null", line=line),)
    return found or changed(ledger, ("date",), date)


def against_profile(ledger: Changelog, path: str, profile: Profile) -> tuple[Finding, ...]:
    """What keeps the ledger at `path`, which is right by itself, from being published under a profile; the gate is apart."""
    found = blocking(changelog_rules.validate(ledger, profile))
    return (*found, *misplaced(path, ledger, profile), *_release_name(ledger, profile))


def changed(ledger: Changelog, path: tuple[str | int, ...], value: object) -> bytes | tuple[Finding, ...]:
    """The ledger's bytes with one value set; or why they cannot be written, or would be no ledger."""
    try:
        data = rewrite(ledger.document.data, {path: value})
    except YamlFault as fault:
        return (fault.finding,)
    written = changelog.read(data)
    found = changelog_rules.validate(written) if isinstance(written, Changelog) else written
    return blocking(found) or data


def _release_name(ledger: Changelog, profile: Profile) -> Iterator[Finding]:
    if compiled(profile.release_pattern).search(ledger.release) is None:
        line = ledger.document.line(("release",))
        yield RELEASE_NAME.at("release", "got a name that the release-pattern does not match", line=line)
