"""The rendered texts of one drafted release (Describe Changes: the envelope).

Each is rendered from the envelope alone; what it leads to is left out where an address would tell what must not leave.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from agent.batch.release import Release
from agent.render import envelope_markdown, envelope_text
from agent.render.changelog_section import UNRELEASED, changelog_section
from agent.render.fitting import RELEASE_BODY, size
from agent.render.forge_links import Links
from agent.render.guarded import guarded
from guardrails import versions
from guardrails.redaction.redact import Guard

NOTES: Final = "notes.md"
TEXT: Final = "notes.txt"
BODY: Final = "release-body.md"
CHANGELOG: Final = "changelog.md"
ENTRIES: Final = "entries.yaml"

MOST_OF_A_BODY: Final = RELEASE_BODY - 5_000
"""A person, or the forge itself, may add a few words to a release page."""


def pages(envelope: Mapping[str, object], release: Release, links: Links | None, guard: Guard) -> dict[str, str]:
    """The texts of an envelope that holds, by file name.

    `notes.md` and `notes.txt` have all of it. `release-body.md` has what a forge's release page takes, without the title,
    which stands above it there; what is left out is counted, and said to be in `notes.md`. `changelog.md` is the section of a
    changelog.
    """
    version, date = guard.clean(_version(release)), release.date[:10] if release.tags else ""
    notes = guarded(lambda led: _notes(envelope, led), links, guard)
    body = notes.partition("\n\n")[2]
    if size(body) > MOST_OF_A_BODY:
        body = guarded(lambda led: _body(envelope, led), links, guard)
    return {
        NOTES: notes,
        TEXT: envelope_text.render(envelope),
        BODY: body,
        CHANGELOG: guarded(lambda led: changelog_section(envelope, version, date, led), links, guard),
    }


def _notes(envelope: Mapping[str, object], links: Links | None) -> str:
    return envelope_markdown.render(envelope, links, level=1)


def _body(envelope: Mapping[str, object], links: Links | None) -> str:
    return envelope_markdown.render(envelope, links, level=0, most=MOST_OF_A_BODY, whole=NOTES)


def _version(release: Release) -> str:
    """The version as a changelog writes it; the whole tag where it tells whose version that is, or none."""
    if not release.tags:
        return UNRELEASED
    named = versions.read(release.tags[0])
    return named.version.text if named and not named.family else release.tags[0]
