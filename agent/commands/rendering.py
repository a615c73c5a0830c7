"""The work of `evidraft changelog render`: a ledger for its readers, without what must not leave (Intent Changesets 6.9)."""

from __future__ import annotations

from agent.commands import printing
from agent.commands.checking import read_operand
from agent.render import ledger as pages
from guardrails.findings import blocking
from guardrails.records import changelog, changelog_rules
from guardrails.records.changelog import Changelog

MARKDOWN = "markdown"
JSON = "json"


def render(file: str, form: str) -> int:
    """Print a valid ledger as markdown, as plain text or as JSON; returns the exit code.

    One that is not valid is not rendered: nobody can tell what of it may be shown.

    Raises:
        InputFailure: the file cannot be read.
    """
    name, data = read_operand(file)
    ledger = changelog.read(data)
    found = blocking(changelog_rules.validate(ledger) if isinstance(ledger, Changelog) else ledger)
    if found or isinstance(ledger, tuple):
        printing.emit_findings(found, name=name, as_json=form == JSON, valid="")
        return 1
    told = pages.document(ledger, lambda text: printing.without_secrets(printing.visible(text)))
    if form == JSON:
        printing.emit_json(told)
        return 0
    page = pages.markdown(told)
    if form != MARKDOWN:
        from agent.render.plain_text import plain

        page = plain(page)
    printing.emit(page)
    return 0
