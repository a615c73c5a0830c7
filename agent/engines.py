"""Builds the secret engines that the redactor is handed, and proves at start that they work (Intent Changesets 11.7).

Engines never use the network, never read configuration from a repository, and never honour allow marks in the text.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache as once
from importlib import resources
from pathlib import Path
from typing import Final

import platformdirs
import re2

from agent.errors import GuardNotReady
from guardrails.digests import sha256
from guardrails.redaction.secrets import Rule, SecretEngine, Span, find, kind_of, read_rules

_RULES: Final = resources.files("guardrails.redaction") / "secret_rules.yaml"


class KingfisherEngine:
    """The native scanner with its built-in rules and ours in one pass."""

    def __init__(self, cache: Path) -> None:
        """Compile the rules, or load them from `cache`.

        Raises:
            ImportError: there is no build for this platform.
            ValueError, OSError, RuntimeError: the rules could not be compiled or read.
        """
        import kingfisher_sdk  # noqa: PLC0415 - optional on platforms without a build, and slow to load

        with resources.as_file(_RULES) as path:
            rules = kingfisher_sdk.Rules([path], confidence="low", cache_dir=cache)
        policy = kingfisher_sdk.DetectionPolicy(inline_ignores=False, markup_context=False, cli_match_semantics=False)
        self._scanner = kingfisher_sdk.Scanner(rules, policy=policy)
        self.version: Final = f"kingfisher {kingfisher_sdk.__version__}, rules {_rules_digest()}"

    def find(self, data: bytes) -> list[Span]:
        """All findings, visible or not; nothing is validated."""
        places = ((finding.location, finding.rule_id) for finding in self._scanner.scan(data))
        return sorted(
            (Span(place["start_offset"], place["end_offset"], kind_of(rule)) for place, rule in places),
            key=lambda span: (span.start, -span.end, span.rule),
        )


class Re2Engine:
    """Our own rules alone, on RE2: where the native scanner has no build. Finds fewer kinds; linear all the same."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        """Compile `rules` for bytes."""
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.log_errors = False
        options.max_mem = 64 << 20
        self._rules = [(rule.kind, re2.compile(rule.pattern.encode(), options)) for rule in rules]
        self.version: Final = f"re2, rules {_rules_digest()}"

    def find(self, data: bytes) -> list[Span]:
        """All findings of the one group of each rule."""
        spans = [Span(match.start(1), match.end(1), kind) for kind, pattern in self._rules for match in pattern.finditer(data)]
        return sorted(spans, key=lambda span: (span.start, -span.end, span.rule))


@once
def secret_engine(cache: Path | None = None) -> SecretEngine:
    """The best engine that this platform has, tested, built once a process. `cache` defaults to the user's cache folder.

    Raises:
        GuardNotReady: none could be built, or the one that was misses a canary.
    """
    folder = cache or platformdirs.user_cache_path("evidraft") / "secret-rules"
    engine = _first_of(lambda: KingfisherEngine(_private(folder)), lambda: Re2Engine(read_rules(_RULES.read_bytes())))
    self_test(engine)
    return engine


def self_test(engine: SecretEngine) -> None:
    """Let `engine` find made-up secrets of several kinds.

    Raises:
        GuardNotReady: it misses one.
    """
    canaries = _canaries()
    missed = [
        kind for (kind, text), found in zip(canaries, find([text for _, text in canaries], engine), strict=True) if not found
    ]
    if missed:
        raise GuardNotReady(
            f"the secret engine misses {', '.join(missed)}",
            where="redaction self-test",
            cure="reinstall evidraft; nothing is drafted without a working redactor",
        )


def _first_of(*makers: Callable[[], SecretEngine]) -> SecretEngine:
    for make in makers:
        try:
            return make()
        except (ImportError, OSError, RuntimeError, ValueError, TypeError, re2.error):  # each means: not on this platform
            continue
    raise GuardNotReady("no secret engine could be built", where="redaction", cure="reinstall evidraft")


def _private(folder: Path) -> Path:
    """A cache folder of one's own; without one the rules are compiled each time, which the engine does by itself."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return Path(os.devnull)
    return folder


def _canaries() -> list[tuple[str, str]]:
    """A made-up secret for each form that redaction must know, put together here so that this file holds none."""
    body = "q7Rk2Xw9Lm4Tz8Vb3Nc6Hd1Js5Pf0Gy7Ka2Ue"
    return [
        ("github-token", "+token = gh" + "p_" + body[:36]),
        ("aws-access-key-id", "-id: AK" + "IAQ7RK2XW5LM4TZ3VB"),
        ("private-key", "+-----BEGIN RSA PRIV" + "ATE KEY-----\n+" + body),
        ("url-credentials", " postgres" + f"://svc:{body[:18]}@db:5432/x"),
        ("assigned-secret", f"API_KEY={body}"),
        ("allow-mark", "k = gh" + f"p_{body[:36]}  # gitleaks:allow kingfisher:ignore pragma: allowlist secret"),
    ]


def _rules_digest() -> str:
    return sha256(_RULES.read_bytes())[7:19]
