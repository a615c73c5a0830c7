"""Texts are scanned together as far as one scan takes them well, and each is judged as if it stood alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrails.evidence.model import Evidence
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import redact
from guardrails.redaction.secrets import SecretEngine, Span, find
from tests.guardrails.redaction.made_up import BODY, TOKEN, hunk_bundle

LONG = "+    return self.settle(batch, after=cursor)\n" * 12_000
TEXTS = (
    f"{LONG}+token = '{TOKEN}'",
    f"+token = '{TOKEN}'\n{LONG}",
    "",
    f"+a = ('{TOKEN[:20]}'\n+     '{TOKEN[20:]}')",
    LONG * 3,
    f"+password: {BODY}",
    f"+ｔｏｋｅｎ = '{TOKEN}'",
    f"{LONG}+k = {TOKEN.encode().hex()}\n{LONG}",
)


class Recording:
    """An engine that finds nothing and keeps what it was given."""

    version = "recording"

    def __init__(self) -> None:
        self.scanned: list[bytes] = []

    def find(self, data: bytes) -> list[Span]:
        self.scanned.append(data)
        return []


@pytest.mark.requirement("UC-03")
def test_what_is_found_in_a_text_does_not_depend_on_the_texts_around_it(engine: SecretEngine) -> None:
    together = find(TEXTS, engine)
    assert together == [find([text], engine)[0] for text in TEXTS]
    assert [bool(found) for found in together] == [True, True, False, True, False, True, True, True]


def test_long_texts_are_scanned_apart_and_short_ones_together() -> None:
    recording = Recording()
    find(["short", LONG, LONG, LONG, "also short"], recording)
    sizes = [len(data) for data in recording.scanned]
    assert len(sizes) == 3
    assert max(sizes) < 2 * len(LONG)
    assert sum(sizes) >= 3 * len(LONG) + len("short") + len("also short")


def test_no_text_is_left_out_or_cut() -> None:
    recording = Recording()
    find([LONG * 4, *(f"text number {number}" for number in range(50))], recording)
    whole = b"\n".join(recording.scanned).decode()
    assert LONG * 4 in whole
    assert all(f"text number {number}\n" in f"{whole}\n" for number in range(50))


@pytest.mark.requirement("UC-03")
def test_a_text_that_stands_in_many_places_is_scanned_once_and_clean_in_all(engine: SecretEngine) -> None:
    text = f"+secret = '{TOKEN}'"
    bundle = hunk_bundle(text)
    bundle = replace(bundle, net=bundle.commits[0].files)
    recording = Recording()
    redact(Evidence(bundle), Policy(), recording)
    assert b"".join(recording.scanned).count(text.encode()) == 1
    redacted = redact(Evidence(bundle), Policy(), engine)
    files = (*redacted.bundle.commits[0].files, *(redacted.bundle.net or ()))
    assert {hunk.text for file in files for hunk in file.hunks} == {"+secret = '[secret:github-token:1]'"}
    assert [one.count for one in redacted.redactions if one.rule == "secret:github-token"] == [2]
