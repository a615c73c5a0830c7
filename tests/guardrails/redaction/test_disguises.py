"""A secret in disguise goes as it stands: the encoded run, both halves, every line; what only looks disguised stays."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.evidence.model import Evidence
from guardrails.redaction.disguises import rejoined, unescaped, unhexed
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import redact
from guardrails.redaction.secrets import SecretEngine
from tests.guardrails.redaction.made_up import TOKEN, hunk_bundle


def encoded(form: str) -> str:
    return "".join(form.format(ord(character)) for character in TOKEN)


TWICE = base64.b64encode(base64.b64encode(TOKEN.encode())).decode()
DISGUISED = {
    "10 base64": (f"+data: {base64.b64encode(TOKEN.encode()).decode()}", base64.b64encode(TOKEN.encode()).decode()[4:-4]),
    "10 twice base64": (f"+data: {TWICE}", TWICE[4:-4]),
    "11 percent": (f"+https://x.test/?k={encoded('%{:02X}')}&z=1", encoded("%{:02X}")[3:]),
    "11 part percent": (
        f"+https://x.test/?k={quote(TOKEN[:9])}%{ord(TOKEN[9]):02x}%{ord(TOKEN[10]):02x}%{ord(TOKEN[11]):02x}{TOKEN[12:]}",
        TOKEN[12:],
    ),
    "11 hex": (f"+token_hex: {TOKEN.encode().hex()}", TOKEN.encode().hex()[2:]),
    "11 upper hex": (f"+token_hex: {TOKEN.encode().hex().upper()}", TOKEN.encode().hex().upper()[2:]),
    "11 backslash x": (f"+k = '{encoded(chr(92) + 'x{:02x}')}'", encoded("\\x{:02x}")[4:]),
    "11 backslash u": (f"+k = '{encoded(chr(92) + 'u{:04x}')}'", encoded("\\u{:04x}")[6:]),
    "11 entities": (f"+<a>{encoded('&#{:d};')}</a>", encoded("&#{:d};")[7:]),
    "11 hex entities": (f"+<a>{encoded('&#x{:x};')}</a>", encoded("&#x{:x};")[7:]),
    "11 quoted printable": (f"+{encoded('={:02X}')}", encoded("={:02X}")[3:]),
    "12 concatenated": (f'+a = ("{TOKEN[:20]}"\n+    + "{TOKEN[20:]}")', TOKEN[20:]),
    "12 implicitly concatenated": (f"+a = ('{TOKEN[:20]}'\n+     '{TOKEN[20:]}')", TOKEN[20:]),
    "12 dot concatenated": (f"-a = '{TOKEN[:20]}' .\n-   '{TOKEN[20:]}';", TOKEN[20:]),
    "12 over three lines": (f'+a = "{TOKEN[:14]}" +\n+ "{TOKEN[14:28]}" +\n+ "{TOKEN[28:]}"', TOKEN[28:]),
    "13 hard wrapped": (f" the token {TOKEN[:20]}\n {TOKEN[20:]} is old", TOKEN[20:]),
    "13 quoted mail": (f" > the token {TOKEN[:20]}\n > {TOKEN[20:]} is old", TOKEN[20:]),
}


def shown(text: str, engine: SecretEngine) -> str:
    got = redact(Evidence(hunk_bundle(text)), Policy(), engine).bundle.commits[0].files[0].hunks[0].text
    assert got is not None
    return got


@pytest.mark.requirement("UC-03")
@pytest.mark.parametrize("case", DISGUISED)
def test_a_disguised_secret_is_gone(case: str, engine: SecretEngine) -> None:
    raw, planted = DISGUISED[case]
    assert planted in raw
    got = shown(raw, engine)
    assert planted not in got
    assert planted[-8:] not in got
    assert [line[0] for line in got.split("\n")] == [line[0] for line in raw.split("\n")]


KEPT = [
    "+TOKEN=\n+OTHER_SETTING_2 = 1",
    "+checksum = 'd41d8cd98f00b204e9800998ecf8427ed41d8cd98f00b204e9800998ecf8427e'",
    "+50%25 of %20 and %3D%3D%3D or \\u0041\\u0042\\u0043",
    '+msg = ("hello-" +\n+   "world-2 and so on")',
    " ends with task-\n return adapter_filter2",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_only_looks_disguised_stays(text: str, engine: SecretEngine) -> None:
    assert shown(text, engine) == text


def test_the_next_line_is_not_taken_with_a_whole_token(engine: SecretEngine) -> None:
    assert shown(f"+{TOKEN}\n+return value", engine) == "+[secret:github-token:1]\n+return value"


@given(st.text(st.sampled_from("ab1%=\\xu&#;{}4\n+ '\"")), st.sampled_from([unescaped, unhexed, rejoined]))
def test_undone_text_leads_back_into_the_raw_one(text: str, disguise: object) -> None:
    assert callable(disguise)
    undone = disguise(text)
    if undone is None:
        return
    for position in range(len(undone.text)):
        start, end = undone.raw(position, position + 1)
        assert 0 <= start < end <= len(text) + 1
        if end - start == 1 and undone.text[position] != "\n":
            assert text[start] == undone.text[position]


@pytest.mark.parametrize("text", ["a" * 1_000_000, "%41" * 300_000, "'a'\n" * 200_000, "\n+" * 300_000, "-----BEGIN " * 90_000])
def test_hostile_text_is_undone_in_linear_time(text: str) -> None:
    for disguise in (unescaped, unhexed, rejoined):
        undone = disguise(text)
        assert undone is None or len(undone.text) <= 2 * len(text)
