"""Secrets in text: what an engine finds, confirmed, widened to the whole token and mapped back (Intent Changesets 11.7).

The engine reads bytes once, all texts of a bundle joined, and beside each text with odd characters its folded form.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from guardrails import strict_yaml
from guardrails.redaction.folding import Folded, fold, is_plain
from guardrails.redaction.terms import Mention


@dataclass(frozen=True, slots=True)
class Span:
    """Where a secret stands in scanned bytes: byte offsets, end exclusive, and the rule that found it."""

    start: int
    end: int
    rule: str


class SecretEngine(Protocol):
    """A secret detector that needs the world to be built (a compiled rule cache), so `agent` builds it and hands it in."""

    @property
    def version(self) -> str:
        """Engine and rule version, for receipts and cache keys."""
        ...

    def find(self, data: bytes) -> list[Span]:
        """All findings in `data`, also those an engine calls invisible; inline allow marks are never honoured."""
        ...


@dataclass(frozen=True, slots=True)
class Rule:
    """One own rule: the kind its placeholder names, and an expression whose one group is the secret."""

    kind: str
    pattern: str


def read_rules(data: bytes) -> tuple[Rule, ...]:
    """The rules of `secret_rules.yaml`.

    Raises:
        guardrails.strict_yaml.YamlFault: the file is damaged.
        TypeError: it does not hold a list of rules.
    """
    match strict_yaml.read(data).value:
        case {"rules": [*rules]}:
            return tuple(Rule(kind_of(str(rule["id"])), str(rule["pattern"])) for rule in rules if isinstance(rule, dict))
    raise TypeError("the secret rules are no list of rules")


_KIND: Final = re.compile(r"(?:[a-z]+[./])?(?:secrets/)?(?P<kind>[a-z0-9-]+)(?:\.[0-9]+)?", re.IGNORECASE)
_GENERIC: Final = frozenset(("assigned-secret", "assigned-password", "url-credentials", "bearer-token", "generic-credential-uri"))
"""Kinds that go by a name or a place, not by the form of the value: these are confirmed, and spare the run's object names."""
_ALIASES: Final = {"generic-credential-uri": "url-credentials", "github-pat": "github-token", "gitlab-pat": "gitlab-token"}
_SEPARATOR: Final = b"\n;;\n"
_CONTROL: Final = bytes(byte if byte in b"\t\n\r" or (byte >= 32 and byte != 127) else 32 for byte in range(256))
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def kind_of(rule: str) -> str:
    """The kind that a placeholder names, from an engine's rule id: without its prefix and number."""
    match = _KIND.fullmatch(rule)
    return match["kind"].lower() if match else "other"


@dataclass(frozen=True, slots=True)
class _View:
    """A text in the joined buffer, as written or folded, and the way back from its bytes to the text's characters."""

    text: int
    start: int
    shown: str = field(repr=False)
    folded: Folded | None = field(repr=False)

    def raw(self, start: int, end: int, data: bytes) -> tuple[int, int]:
        if not self.shown.isascii():
            start = len(data[:start].decode(errors="ignore"))
            end = len(data[:end].decode(errors="ignore"))
        return (start, end) if self.folded is None else self.folded.raw(start, end)


def find(texts: Sequence[str], engine: SecretEngine, spared: Collection[str] = ()) -> list[list[Mention]]:
    """For each text the secrets that stand in it, in order. `spared` are object names of the run: no generic rule takes them."""
    views, parts, length = [], [], 0
    for index, text in enumerate(texts):
        for shown, folded in _shown(text):
            data = shown.encode().translate(_CONTROL)
            views.append(_View(index, length, shown, folded))
            parts.append(data)
            length += len(data) + len(_SEPARATOR)
    found: list[list[Mention]] = [[] for _ in texts]
    starts = [view.start for view in views]
    for span in engine.find(_SEPARATOR.join(parts)):
        at = max(0, bisect_right(starts, span.start) - 1)
        while at < len(views) and starts[at] < span.end:
            view, data = views[at], parts[at]
            start, end = max(span.start - view.start, 0), min(span.end - view.start, len(data))
            if start < end and _confirmed(data, start, end, span.rule, spared):
                first, last = _widened(texts[view.text], *view.raw(start, end, data), span.rule)
                kind = _ALIASES.get(span.rule, span.rule)
                found[view.text].append(Mention(first, last, f"secret:{kind}", texts[view.text][first:last]))
            at += 1
    return found


def _shown(text: str) -> Iterator[tuple[str, Folded | None]]:
    """The forms in which a text is scanned. Each further disguise is one more form here."""
    if is_plain(text):
        yield text, None
        return
    yield _SURROGATES.sub("\ufffd", text), None
    folded = fold(text)
    yield _SURROGATES.sub("\ufffd", folded.text), folded


_TOKEN_BEFORE: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z0-9_]*\Z")
_TOKEN_AFTER: Final = re.compile(r"[A-Za-z0-9_~+=\-]*")
_LONGEST_TAIL: Final = 4_096
_KEY_LINE: Final = re.compile(r"(?:\\r)?(?:\\n|\r?\n)[+\- ]?[ \t\"'`#*/>|]*[A-Za-z0-9+/=:, \-]*[\"'`,;+\\ \t]*(?=\\|\r?\n|\Z)")
_KEY_TEXT: Final = re.compile(r"[+\- ]?[ \t\"'`#*/>|]*(?:[A-Za-z0-9+/=]{0,120}|[A-Z][A-Za-z-]{3,20}: [A-Za-z0-9,\- ]{1,80})[\"'`,;+ \t\r]*")


def _widened(text: str, start: int, end: int, rule: str) -> tuple[int, int]:
    """The whole token that a found part belongs to; for a private key all its lines that are there."""
    if rule == "private-key":
        return _whole_key(text, start, end)
    first = max(0, start - _LONGEST_TAIL)
    before = _TOKEN_BEFORE.search(text[first:start])
    after = _TOKEN_AFTER.match(text, end, end + _LONGEST_TAIL)
    return (first + before.start() if before else start), (after.end() if after else end)


def _whole_key(text: str, start: int, end: int) -> tuple[int, int]:
    """From a BEGIN line over all lines of key text to its end; from an END line back over them."""
    if "-----END" in text[start:end] and "-----BEGIN" not in text[start:end]:
        while start and (line := text.rfind("\n", 0, start - 1) + 1) < start and _KEY_TEXT.fullmatch(text, line, start - 1):
            start = line
        return start, end
    while end < len(text):
        stop = text.find("\n", end + 1)
        line_end = len(text) if stop < 0 else stop
        line = text[end:line_end].lstrip("\n")
        if "PRIVATE KEY" in line:
            return start, (line_end if "-----END" in line else end)
        if not (_KEY_TEXT.fullmatch(line) or text[end] != "\n"):
            return start, end
        end = line_end
    return start, end


_HOLLOW: Final = re.compile(
    rb"(?i)[*x.\-_#?0]+|(?:my|your|the|some|a)?[_-]?(?:user(?:name)?|pass(?:wd|word|phrase)?|pw|pwd|secret|token|changeme|change[_-]?me|"
    rb"example|dummy|fake|foo(?:bar)?|test(?:ing)?|string|str|none|null|nil|true|false|undefined|required|optional|redacted|hidden|"
    rb"default|placeholder|localhost|admin|root|guest|postgres|value|text|bytes|number|boolean|object)[_-]?(?:here|value)?"
)
_UUID: Final = re.compile(rb"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_NAME: Final = re.compile(rb"(?i)&?[a-z_][a-z_]*[0-9]?(?:(?:\.|->|::)[a-z_]\w*)+|[a-z_\-./:]+|\$.*|%.*%|os\.environ.*|process\.env.*")
_PASSWORD: Final = re.compile(rb"(?i)(?:pass|pwd|pw)[\w.\-]{0,40}[\"'`]?\]?\s{0,4}(?::=|=>|[:=])\s{0,4}[\"'`]?\Z")
_DIGIT: Final = re.compile(rb"[0-9]")
_LETTER: Final = re.compile(rb"[A-Za-z]")


def _confirmed(data: bytes, start: int, end: int, rule: str, spared: Collection[str]) -> bool:
    """Whether a finding is worth believing: a specific form unless it is a dummy, a generic one when its value looks like a secret."""
    value = data[start:end]
    if rule == "private-key":
        return True
    if rule == "aws-access-key-id" and value.endswith(b"EXAMPLE"):
        return False
    if rule not in _GENERIC:
        return _entropy(value) > 1.5 or len(value) < 8
    if _HOLLOW.fullmatch(value) or value.decode(errors="replace").lower() in spared:
        return False
    if rule in {"url-credentials", "generic-credential-uri"}:
        return not _NAME.fullmatch(value) or b"." not in value
    if rule == "assigned-password":
        return True
    if data[end : end + 1] in {b"(", b"["} or _UUID.fullmatch(value) or _NAME.fullmatch(value) or not _DIGIT.search(value):
        return False
    if rule == "assigned-secret" and _PASSWORD.search(data[max(0, start - 80) : start]):
        return True
    return len(value) >= 12 and _entropy(value) >= 3 and _LETTER.search(value) is not None


def _entropy(value: bytes) -> float:
    """Shannon's, in bits a byte."""
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
