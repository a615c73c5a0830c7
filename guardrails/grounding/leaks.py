"""Nothing leaves that was withheld, hidden, smuggled in, or said by the drafter about itself (Intent Changesets 11.7, 12)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from guardrails.drafts.draft import Draft
from guardrails.drafts.sourced import plain
from guardrails.evidence.code_spans import without_code
from guardrails.evidence.leaves import leaves
from guardrails.findings import Code, Finding, Severity
from guardrails.redaction.redact import Guard, Leak

LEAK = Code(
    name="leak",
    summary="Outgoing text holds a secret, a policy term or something that was withheld.",
    cure="Take it out; if it is no secret, say so in the redaction policy.",
    section="Intent Changesets 11.7",
)
INVISIBLE_CHARACTER = Code(
    name="invisible-character",
    summary="Outgoing text holds a character that cannot be seen or that turns the order of others.",
    cure="Remove the character.",
    section="Intent Changesets 12",
)
INJECTION_ECHO = Code(
    name="injection-echo",
    summary="Outgoing text holds an instruction to a drafter, or a drafter speaking of itself.",
    cure="Write the text from the evidence; instructions inside evidence are never followed or repeated.",
    section="Intent Changesets 11",
)
ACTIVE_MARKUP = Code(
    name="active-markup",
    summary="A text renders to something else than it says: an image, a comment, a tag with attributes, a script address.",
    cure="Write plain text with inline code only.",
    section="Intent Changesets 11.7",
)
MENTION = Code(
    name="mention",
    summary="A text holds an @name: where a forge shows it, it calls on whoever has that name.",
    cure="Leave the name out, or write it as inline code if it is part of a program.",
    section="evidraft",
    severity=Severity.WARNING,
)

_JOINERS: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_ODD: Final = re.compile(r"[^\t\n\x20-\x7e]")
_ECHOES: Final = re.compile(
    r"(?i:\b(?:ignore|disregard|forget|override)\s(?:\w+\s){0,3}?(?:previous|prior|above|earlier|preceding|system|these|your)\s"
    r"(?:\w+\s){0,2}?(?:instructions?|prompts?|directions?)\b"
    r"|\bas an? (?:ai )?(?:large )?language model\b|\bas an ai (?:model|assistant)\b|\bas an ai,"
    r"|\bi(?: am|'m) (?:an ai|a language model|sorry, (?:but )?i (?:can|am))"
    r"|\byou (?:are now|must now act as|are chatgpt)\b|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?inst\])"
)
_ACTIVE: Final = re.compile(
    r"(?i:!\[[^\]\n]{0,500}\]\s?[\[(]|<!--|<!\[cdata|<\?[a-z]|\]\(\s?(?:javascript|vbscript|data):"
    r"|<[a-z][a-z0-9-]{0,40}\s[^<>\n]{0,200}[\w-]=[^<>\n]{0,200}>)"
)
_MENTION: Final = re.compile(r"(?<![\w/@.])@[A-Za-z0-9][A-Za-z0-9-]{0,38}(?![\w/(@-]|\.\w)")
_SAID: Final = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”")


def check(draft: Draft, guard: Guard) -> tuple[Finding, ...]:
    """Hold every text of the draft, field by field."""
    texts = tuple(dict.fromkeys(_texts(draft)))
    leaks = guard.leaks_of([text for _, text in texts])
    return tuple(finding for (where, text), found in zip(texts, leaks, strict=True) for finding in _check(where, text, found))


def check_text(text: str, guard: Guard, *, where: str = "") -> tuple[Finding, ...]:
    """Hold any outgoing text: a field, or the whole rendered record. Findings name rules, never what leaked."""
    return _check(where, text, guard.leaks(text))


def _check(where: str, text: str, found: tuple[Leak, ...]) -> tuple[Finding, ...]:
    """References are data: a file may be called whatever it is called, as long as it gives nothing away."""
    leaked = (*(LEAK.at(where, f"got text that rule {leak.rule} takes out") for leak in found), *_hidden(text, where))
    return leaked if where.endswith(".refs") else (*leaked, *_spoken(where, text))


def _spoken(where: str, text: str) -> Iterator[Finding]:
    """What a text does where it is shown."""
    said = without_code(text)
    if _ECHOES.search(_SAID.sub("``", said)):
        yield INJECTION_ECHO.at(where, "got an instruction or a drafter's own talk")
    if _ACTIVE.search(said):
        yield ACTIVE_MARKUP.at(where, "got active markup, expected text and inline code")
    if _MENTION.search(said):
        yield MENTION.at(where, "got an @name, expected none that calls on somebody")


def _hidden(text: str, where: str) -> Iterator[Finding]:
    found = {character for character in _ODD.findall(text) if unicodedata.category(character) in _HIDDEN}
    for character in sorted(found - _JOINERS):
        yield INVISIBLE_CHARACTER.at(where, f"got U+{ord(character):04X}, expected visible text")


def _texts(draft: Draft) -> Iterator[tuple[str, str]]:
    for path, text in draft.prose.items():
        yield path, text.text
    for path, decision in draft.values.items():
        for leaf in leaves(plain(decision.value)):
            yield path, leaf
    yield from ((path, path) for path in draft.values if path.startswith("provenance."))
    for name, value in draft.extra.items():
        yield from ((name, leaf) for leaf in (name, *leaves(value)))
