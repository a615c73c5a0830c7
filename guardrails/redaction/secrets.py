"""Secrets in text: what an engine finds, confirmed, widened to the whole token and mapped back (Intent Changesets 11.7).

The engine reads bytes, many texts joined, and beside each text with odd characters its folded form.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, Protocol

from guardrails import strict_yaml
from guardrails.redaction.disguises import DISGUISES, rejoined
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
_GENERIC: Final = frozenset(
    ("assigned-secret", "assigned-password", "url-credentials", "bearer-token", "generic-credential-uri")
)
"""Kinds that go by a name or a place, not by the form of the value: these are confirmed, and spare the run's object names."""
_ALIASES: Final = {"generic-credential-uri": "url-credentials", "github-pat": "github-token", "gitlab-pat": "gitlab-token"}
_SEPARATOR: Final = b"\n;;\n"
_BATCH: Final = 1 << 20
"""Bytes that are scanned at once."""
_CONTROL: Final = bytes(byte if byte in b"\t\n\r" or (byte >= 32 and byte != 127) else 32 for byte in range(256))


def is_generic(rule: str) -> bool:
    """Whether a rule (`secret:KIND`) goes by a name or a place only, so that a specific one names the value better."""
    return rule.removeprefix("secret:") in _GENERIC


def kind_of(rule: str) -> str:
    """The kind that a placeholder names, from an engine's rule id: without its prefix and number."""
    match = _KIND.fullmatch(rule)
    return match["kind"].lower() if match else "other"


@dataclass(frozen=True, slots=True)
class _View:
    """A form of a text as it is scanned, and the way back from its bytes to the text's characters."""

    text: int
    data: bytes = field(repr=False)
    shown: str = field(repr=False)
    folded: Folded | None = field(repr=False)
    is_rejoined: bool

    def raw(self, start: int, end: int) -> tuple[int, int]:
        if not self.shown.isascii():
            start = len(self.data[:start].decode(errors="ignore"))
            end = len(self.data[:end].decode(errors="ignore"))
        return (start, end) if self.folded is None else self.folded.raw(start, end)


def find(texts: Sequence[str], engine: SecretEngine, spared: Collection[str] = ()) -> list[list[Mention]]:
    """For each text the secrets that stand in it. `spared` are object names of the run: no generic rule takes them."""
    found: list[list[Mention]] = [[] for _ in texts]
    for batch in _batches(_views(texts)):
        for view, start, end, rule in _scanned(batch, engine):
            if start < end and _confirmed(_Found(view.data, start, end), rule, spared):
                text = texts[view.text]
                first, last = view.raw(start, end)
                if view.is_rejoined and not _is_broken(text, first, last, rule):
                    continue
                first, last = _widened(text, first, last, rule)
                found[view.text].append(Mention(first, last, f"secret:{_ALIASES.get(rule, rule)}", text[first:last]))
    return found


def _views(texts: Iterable[str]) -> Iterator[_View]:
    for index, text in enumerate(texts):
        for folded, is_rejoined in _forms(text):
            shown = text if folded is None else folded.text
            yield _View(index, shown.encode().translate(_CONTROL), shown, folded, is_rejoined)


def _batches(views: Iterable[_View]) -> Iterator[list[_View]]:
    """The views in order, together as many as one scan takes well: an engine's time may grow faster than what it reads."""
    batch: list[_View] = []
    size = 0
    for view in views:
        if batch and size + len(view.data) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(view)
        size += len(view.data)
    if batch:
        yield batch


def _scanned(batch: Sequence[_View], engine: SecretEngine) -> Iterator[tuple[_View, int, int, str]]:
    """What the engine finds in each view, and by which rule; what crosses a separator is cut there."""
    starts = list(accumulate((len(view.data) + len(_SEPARATOR) for view in batch[:-1]), initial=0))
    for span in engine.find(_SEPARATOR.join(view.data for view in batch)):
        at = bisect_right(starts, span.start) - 1
        yield batch[at], span.start - starts[at], min(span.end - starts[at], len(batch[at].data)), span.rule


def _forms(text: str) -> Iterator[tuple[Folded | None, bool]]:
    """The forms in which a text is scanned: as it is, folded, undone. The flag marks rejoined lines."""
    yield None, False
    if not is_plain(text):
        yield fold(text, odd_lines=True), False
    for disguise in DISGUISES:
        if undone := disguise(text):
            yield undone, False
    if whole := rejoined(text):
        yield whole, True


def _is_broken(text: str, start: int, end: int, rule: str) -> bool:
    """Whether a finding in rejoined lines is a value of its own form that is broken over lines."""
    return rule not in _GENERIC and rule != "private-key" and "\n" in text[start:end]


_TOKEN_BEFORE: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z0-9_]*\Z")
_TOKEN_AFTER: Final = re.compile(r"[A-Za-z0-9_~+=\-]*")
_TAIL: Final = 512
_KEY_REST: Final = re.compile(r"(?:(?!-----)[^\n])*(?:-----END[A-Z0-9 ]*-----)?")
_KEY_BEGIN: Final = re.compile(r"-----BEGIN[A-Z0-9 ]*-----")
_KEY_WHOLE: Final = re.compile(r"-----END[A-Z0-9 ]*-----\Z")
_KEY_TEXT: Final = re.compile(
    r"[+\- ]?[ \t\"'`#*/>|]*(?:[A-Za-z0-9+/=]*|[A-Z][A-Za-z-]{3,20}: [A-Za-z0-9,\- ]{1,80})(?:\\[nr])*[\"'`,;+ \t\r\\]*"
)


def _widened(text: str, start: int, end: int, rule: str) -> tuple[int, int]:
    """The whole token that a found part belongs to; for a private key all its lines that are there."""
    if rule == "private-key":
        return (_key_start(text, start), end) if text.startswith("-----END", start) else (start, _key_end(text, start, end))
    first = max(0, start - _TAIL)
    before = _TOKEN_BEFORE.search(text[first:start])
    after = _TOKEN_AFTER.match(text, end, end + _TAIL)
    return (first + before.start() if before else start), (after.end() if after else end)


def _key_end(text: str, start: int, end: int) -> int:
    """The end of a private key that begins at `start`: its END mark, or the last line that can be key text."""
    found = text[start:end]
    if _KEY_WHOLE.search(found) and found.count("-----BEGIN") == 1:
        return end
    begin = _KEY_BEGIN.match(text, start)
    position = begin.end() if begin else end
    while rest := _KEY_REST.match(text, position):
        position = rest.end()
        if rest[0].endswith("-----") or not text.startswith("\n", position):
            return position
        line_end = text.find("\n", position + 1)
        line_end = len(text) if line_end < 0 else line_end
        mark = text.find("-----END", position, line_end)
        if mark < 0 and not _KEY_TEXT.fullmatch(text, position + 1, line_end):
            return position
        position = line_end if mark < 0 else mark
        if mark < 0 and line_end == len(text):
            return line_end
    return position


def _key_start(text: str, position: int) -> int:
    """The start of a private key whose END mark is at `position`, when its beginning is not in the text."""
    start = text.rfind("\n", 0, position) + 1
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        if not (text[above : start - 1].strip("+- \t\r") and _KEY_TEXT.fullmatch(text, above, start - 1)):
            break
        start, position = above, above
    return position


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding in its text, for confirming."""

    data: bytes = field(repr=False)
    start: int
    end: int

    @property
    def value(self) -> bytes:
        return self.data[self.start : self.end]


_HOLLOW: Final = re.compile(
    rb"(?i)[*x.\-_#?0]+|(?:my|your|the|some|a)?[_-]?(?:user(?:name)?|pass(?:wd|word|phrase)?|pw|pwd|secret|token|changeme|change[_-]?me|"
    rb"example|dummy|fake|foo(?:bar)?|test(?:ing)?|string|str|none|null|nil|true|false|undefined|required|optional|redacted|hidden|"
    rb"default|placeholder|localhost|admin|root|guest|postgres|value|text|bytes|number|boolean|object)[_-]?(?:here|value)?"
)
_UUID: Final = re.compile(rb"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_NAME: Final = re.compile(rb"(?i)&?[a-z_]+[0-9]?(?:(?:\.|->|::)[a-z_]\w*)+|[a-z_\-./:]+|\$.*|%.*%")
_PASSWORD: Final = re.compile(rb"(?i)(?:pass|pwd|pw)[\w.\-]{0,40}[\"'`]?\]?\s{0,4}(?::=|=>|[:=])\s{0,4}[\"'`]?\Z")


def _is_no_dummy(found: _Found) -> bool:
    """A value of a specific form that is not one character over and over."""
    return len(found.value) < 8 or _entropy(found.value) > 1.5


def _is_key_id(found: _Found) -> bool:
    return not found.value.endswith(b"EXAMPLE")


def _is_password(found: _Found) -> bool:
    return not _HOLLOW.fullmatch(found.value)


def _is_random(found: _Found) -> bool:
    """A value that a person does not write as a name or an example."""
    return (
        len(found.value) >= 12
        and _is_written_out(found)
        and any(byte in b"0123456789" for byte in found.value)
        and found.value.upper() != found.value.lower()
        and _entropy(found.value) >= 3
    )


def _is_assigned(found: _Found) -> bool:
    """A random value, or a short one with a digit where the name says password."""
    if _is_random(found):
        return True
    named = _PASSWORD.search(found.data[max(0, found.start - 80) : found.start]) is not None
    return named and _is_password(found) and _is_written_out(found) and any(byte in b"0123456789" for byte in found.value)


def _is_written_out(found: _Found) -> bool:
    """No call, look-up, name or address of something else, example or UUID."""
    called = found.data[found.end : found.end + 1] in {b"(", b"["}
    example = found.value.endswith(b"EXAMPLE") or b"://" in found.value
    return not (called or example or _UUID.fullmatch(found.value) or _NAME.fullmatch(found.value))


_CHECKS: Final[Mapping[str, Callable[[_Found], bool]]] = {
    "private-key": lambda _: True,
    "aws-access-key-id": _is_key_id,
    "url-credentials": _is_password,
    "generic-credential-uri": _is_password,
    "assigned-password": _is_password,
    "assigned-secret": _is_assigned,
    "bearer-token": _is_random,
}


def _confirmed(found: _Found, rule: str, spared: Collection[str]) -> bool:
    """Whether a finding is worth believing; specific forms are, unless they are dummies."""
    if rule in _GENERIC and found.value.decode(errors="replace").lower() in spared:
        return False
    return _CHECKS.get(rule, _is_no_dummy)(found)


def _entropy(value: bytes) -> float:
    """Shannon's, in bits a byte."""
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
