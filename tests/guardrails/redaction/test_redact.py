"""Nothing that a secret engine, a policy or the personal-data rules find leaves; what is left stays usable."""

from __future__ import annotations

import pickle
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardrails.evidence.model import Answer, Bundle, Evidence, Note, Person
from guardrails.records import changeset
from guardrails.redaction import redact as redacting
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import RedactedEvidence, redact
from guardrails.redaction.secrets import SecretEngine
from tests.guardrails.redaction.made_up import (
    ADA,
    AWS,
    BODY,
    PEM_BEGIN,
    PEM_BODY,
    PEM_END,
    TOKEN,
    bundle,
    checked,
    commit,
    document,
    file,
    hunk_bundle,
    oid,
    record,
    text_of,
)
from tests.redacting import BlindEngine

POLICY = Policy(terms=("Acme Bank", "acme"), hosts=("corp.internal",), people=("Grace Hopper",), patterns=("PRJ-[0-9]+",))
Z = "\u200b"

PLACES: dict[str, Callable[[str], Bundle]] = {
    "1 added line": lambda secret: hunk_bundle(f'+KEY = "{secret}"'),
    "2 removed line": lambda secret: hunk_bundle(f'-KEY = "{secret}"'),
    "3 context line": lambda secret: hunk_bundle(f" export KEY={secret}"),
    "4 hunk header": lambda secret: bundle(commit(1, "x", file("a.py", section=f'def f(k="{secret}"):'))),
    "5 file name": lambda secret: bundle(commit(1, "x", file(f"keys/{secret}.pem"))),
    "5 old file name": lambda secret: bundle(commit(1, "x", file("keys/new.pem", old_path=f"keys/{secret}.pem"))),
    "6 author address": lambda secret: bundle(commit(1, "x", author=Person("bot", f"{secret}@ci.corp.internal"))),
    "6 author name": lambda secret: bundle(commit(1, "x", author=Person(secret, "bot@ci.corp.internal"))),
    "6 trailer": lambda secret: bundle(commit(1, f"x\n\nCo-authored-by: bot <{secret}@ci.corp.internal>")),
    "7 submodule address": lambda secret: hunk_bundle(f"+url = https://u:{secret}@git.corp.internal/x", ".gitmodules"),
    "7 selection": lambda secret: bundle(spec=f"main..{secret}"),
    "8 commit message": lambda secret: bundle(commit(1, f"Rotate\n\nDeploy-Key: {secret}")),
    "8 subject": lambda secret: bundle(commit(1, f"Rotate {secret}")),
    "9 title": lambda secret: bundle(documents=[document(1, title=secret)]),
    "9 body": lambda secret: bundle(documents=[document(1, body=f"see {secret}.")]),
    "9 label": lambda secret: bundle(documents=[document(1, label=secret)]),
    "9 key": lambda secret: bundle(documents=[document(1, key=secret)]),
    "9 address": lambda secret: bundle(documents=[document(1, url=f"https://x.test/?token={secret}")]),
    "9 author": lambda secret: bundle(documents=[document(1, author=secret)]),
    "answer value": lambda secret: bundle(answers=[Answer("A1", "answer:1", "sha256:a", "rationale", secret)]),
    "answer nested": lambda secret: bundle(answers=[Answer("A1", "answer:1", "sha256:a", "x", [{"k": [secret]}])]),
    "answer key": lambda secret: bundle(answers=[Answer("A1", "answer:1", "sha256:a", "x", {secret: 1})]),
    "answer path": lambda secret: bundle(answers=[Answer("A1", "answer:1", "sha256:a", secret, 1)]),
    "note place": lambda secret: bundle(notes=[Note("unread", f"keys/{secret}", "left out")]),
    "note message": lambda secret: bundle(notes=[Note("unread", "x", f"could not read {secret}")]),
    "record": lambda secret: bundle(records=[record("plain-change", summary=f"Rotate {secret}")]),
    "comment of a record": lambda secret: bundle(records=[record("plain-change", extra=f"# {secret}\n")]),
    "uncommitted": lambda secret: bundle(uncommitted=[file("a.py", f"+k = '{secret}'")]),
    "25 lock file": lambda secret: hunk_bundle(f'+  "resolved": "{secret}"', "package-lock.json"),
}


def shown(evidence: Bundle, engine: SecretEngine, policy: Policy = POLICY) -> RedactedEvidence:
    return redact(Evidence(evidence), policy, engine)


def runs(text: str, length: int = 8) -> set[str]:
    return {text[start : start + length] for start in range(len(text) - length + 1)}


@pytest.mark.requirement("UC-03")
@pytest.mark.requirement("AI-7")
@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_gone_wherever_it_stood(place: str, engine: SecretEngine) -> None:
    evidence = shown(PLACES[place](TOKEN), engine)
    text = text_of(evidence)
    assert not {run for run in runs(TOKEN) if run in text}
    assert evidence.redactions


@pytest.mark.parametrize("place", [place for place in PLACES if not place.startswith(("6", "9 author"))])
def test_a_secret_leaves_a_typed_placeholder(place: str, engine: SecretEngine) -> None:
    text = text_of(shown(PLACES[place](TOKEN), engine).bundle)
    assert "[secret:github-token:1]" in text or "<secret-github-token-1>" in text


MARKS = (
    "gitleaks:allow",
    "betterleaks:allow",
    "kingfisher:ignore",
    "pragma: allowlist secret",
    "nosec",
    "noqa",
    "trufflehog:ignore",
)
FORMS: dict[str, tuple[str, str]] = {
    "16 zero width": (f"+k = '{TOKEN[:2]}{Z}{TOKEN[2:20]}{Z}{TOKEN[20:]}'", TOKEN[20:]),
    "16 behind an emoji": (f"+😀 e\u0301 '{TOKEN[:9]}{Z}{TOKEN[9:]}'", TOKEN[9:]),
    "17 fullwidth": ("+k = '" + "".join(chr(ord(c) + 0xFEE0) for c in TOKEN) + "'", chr(ord(TOKEN[9]) + 0xFEE0) * 1),
    "18 look-alike": (f"+k = '{TOKEN.replace('p', chr(0x440))}'", TOKEN[5:]),
    "19 grapheme joiner": (f"+k = '{TOKEN[:12]}\u034f{TOKEN[12:]}'", TOKEN[12:]),
    "19 NUL": (f"+k = '{TOKEN[:12]}\0{TOKEN[12:]}'", TOKEN[12:]),
    "19 many NULs": ("+\0\1\0" * 300 + f"\n+k = '{TOKEN}'", TOKEN),
    "19 byte order mark": (f"\ufeff+k = '{TOKEN}'", TOKEN),
    "26 lone key id": (f"+id: {AWS}", AWS),
    "28 short password": ("+db_password: hunter22", "hunter22"),
    "28 quoted password": ("+password = 'swordfish'", "swordfish"),
    "base64": (f"+data: {__import__('base64').b64encode(TOKEN.encode()).decode()}", "Z2hwX3"),
    "database address": (f"+postgres://svc:{BODY[:18]}@db.test:5432/x", BODY[:18]),
    "half of a pair": (f"+AZURE = 'a1b8Q~{BODY}abcd'", BODY),
    "bearer": (f"+curl -H 'Authorization: Bearer {BODY}{BODY}'", BODY),
    "holds the word false": (f"+api_key = 'x1false{BODY}'", BODY),
    **{f"23 {mark}": (f'+k = "{TOKEN}" # {mark}', TOKEN) for mark in MARKS},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_gone_however_it_is_written(form: str, engine: SecretEngine) -> None:
    raw, planted = FORMS[form]
    assert planted in raw
    text = shown(hunk_bundle(raw), engine).bundle.commits[0].files[0].hunks[0].text
    assert text is not None
    assert planted not in text
    assert text.count("\n") == raw.count("\n")


KEPT = (
    "+  passwordMinLength: 12",
    "+  password = os.environ['DB_PASSWORD']",
    "+  token = parse_v2(text)",
    "+  password: changeme",
    "+  url: https://user:password@localhost:8080/",
    "+  request_token: 6fa459ea-ee8a-3ca4-894e-db77e160355e",
    "+  integrity: sha512-Zm9vYmFyYmF6cXV4",
    f"+  uses: actions/checkout@{'0a1b2c3d' * 5}",
    "+" + "gh" + "p_" + "x" * 36,
    "+  acmeology",
    "+git clone git@github.com:example/payments.git",
    "+  lodash@4.17.21 @app.route",
    "+  ![logo](docs/_static/logo@2x.png) icons/close@3x.SVG bundle@next.js",
)


@pytest.mark.parametrize("line", KEPT)
def test_what_only_sounds_secret_stays(line: str, engine: SecretEngine) -> None:
    assert shown(hunk_bundle(line), engine).bundle.commits[0].files[0].hunks[0].text == line


@pytest.mark.parametrize("ending", ["csv", "JSON", "pdf"])
def test_a_file_that_is_named_after_an_address_loses_the_address(ending: str, engine: SecretEngine) -> None:
    text = shown(hunk_bundle(f"+open('out/ann.lee@example.org.{ending}')"), engine).bundle.commits[0].files[0].hunks[0].text
    assert text == f"+open('out/[email:1].{ending}')"


def test_own_object_names_stay_where_a_generic_rule_would_take_them(engine: SecretEngine) -> None:
    own, foreign = "1f3a5c7e9b2d4f6a8c0e" * 2, "2f3a5c7e9b2d4f6a8c0e" * 2
    one = bundle(commit(1, f"x\n\ntoken: {own}\nsecret: {foreign}"), head=own)
    message = shown(one, engine).bundle.commits[0].message
    assert own in message
    assert foreign not in message


@pytest.mark.parametrize(
    "lines",
    [
        [f"+{PEM_BEGIN}", *(f"+{line}" for line in PEM_BODY)],
        [f"-{PEM_BEGIN}", *(f"-{line}" for line in PEM_BODY), f"-{PEM_END}"],
        [*(f"+{line}" for line in PEM_BODY), f"+{PEM_END}"],
        [f'+key = "{PEM_BEGIN}" +', *(f'+  "{line}\\n" +' for line in PEM_BODY), f'+  "{PEM_END}"'],
        [f'+{{"key": "{PEM_BEGIN}\\n' + "\\n".join(PEM_BODY) + f'\\n{PEM_END}\\n"}}'],
    ],
    ids=["15 without its end", "whole", "without its beginning", "in quoted lines", "in one line"],
)
def test_every_line_of_a_private_key_goes_and_no_line_moves(lines: list[str], engine: SecretEngine) -> None:
    raw = "\n".join([" before = 1", *lines, " after = calls(2)"])
    text = shown(hunk_bundle(raw), engine).bundle.commits[0].files[0].hunks[0].text
    assert text is not None
    got = text.split("\n")
    assert not any(line[:30] in text for line in PEM_BODY)
    assert [line[0] for line in got] == [line[0] for line in raw.split("\n")]
    assert (got[0], got[-1]) == (" before = 1", " after = calls(2)")


def test_a_secret_found_once_is_gone_everywhere(engine: SecretEngine) -> None:
    one = bundle(commit(1, "Say hunter22 to enter"), commit(2, "x", file("a.env", "+db_password: hunter22", number=2)))
    assert shown(one, engine).bundle.commits[0].message == "Say [secret:assigned-secret:1] to enter"


def test_the_same_secret_has_the_same_number_and_another_one_the_next(engine: SecretEngine) -> None:
    other = checked("gh" + "p", BODY[::-1])
    one = bundle(commit(1, f"Replace {TOKEN} with {other}, not {TOKEN[:9]}{Z}{TOKEN[9:]}"))
    first, second = "[secret:github-token:1]", "[secret:github-token:2]"
    assert shown(one, engine).bundle.commits[0].message == f"Replace {first} with {second}, not {first}"


def test_placeholders_tell_no_length_and_digests_no_value(engine: SecretEngine) -> None:
    pins = [shown(hunk_bundle(f"+password: pin{pin}x"), engine).bundle.commits[0].files[0] for pin in (4821, 90210)]
    assert pins[0].hunks == pins[1].hunks
    assert pins[0].hunks[0].digest != "sha256:h"


def test_an_item_that_lost_nothing_keeps_its_digest(engine: SecretEngine) -> None:
    assert shown(hunk_bundle("+plain"), engine).bundle.commits[0].files[0].hunks[0].digest == "sha256:h"


def test_a_redacted_path_has_one_alias_in_every_place(engine: SecretEngine) -> None:
    change = shown(PLACES["5 file name"](TOKEN), engine).bundle.commits[0].files[0]
    assert change.path == "keys/<secret-github-token-1>.pem"
    assert change.locator == f"git:{oid(1)}:{change.path}"
    assert change.hunks[0].locator == f"git:{oid(1)}:{change.path}:1-9"


def test_people_have_aliases(engine: SecretEngine) -> None:
    message = (
        "Add it\n\nThanks to ada lovelace and root@db.test.\n\nCo-authored-by: Bob Builder <bob@b.test>\n"
        "Signed-off-by: Ada Lovelace <ada@example.org>"
    )
    one = bundle(commit(1, message), commit(2, "Ask bob@b.test", author=Person("Bob Builder", "bob@b.test")))
    got = shown(one, engine).bundle.commits
    assert got[0].author == Person("[person:1]", "[person:1]")
    assert got[1].author == Person("[person:2]", "[person:2]")
    assert got[1].message == "Ask [person:2]"
    assert got[0].message == (
        "Add it\n\nThanks to [person:1] and [email:1].\n\nCo-authored-by: [person:2]\nSigned-off-by: [person:1]"
    )


@pytest.mark.parametrize(
    ("line", "shown_as"),
    [
        ("+@app.route('/')", "+@app.route('/')"),
        ("-@click.version_option()", "-@click.version_option()"),
        ("+ada@example.org", "+[person:1]"),
        ("+carl+lists@mail.test", "+[email:1]"),
        (" <_carl@mail.test>", " <[email:1]>"),
    ],
)
def test_the_sign_of_a_line_makes_no_address_of_a_decorator(engine: SecretEngine, line: str, shown_as: str) -> None:
    got = shown(bundle(commit(1, "Add it", file("a.py", line))), engine)
    assert got.bundle.commits[0].files[0].hunks[0].text == shown_as


def test_a_bot_is_nobody(engine: SecretEngine) -> None:
    message = "Bump it\n\nSigned-off-by: dependabot[bot] <support@forge.test>"
    got = shown(bundle(commit(1, message, author=Person("dependabot[bot]", "49699+dependabot[bot]@forge.test"))), engine)
    assert got.bundle.commits[0].author.name == "dependabot[bot]"
    assert got.bundle.commits[0].message == "Bump it\n\nSigned-off-by: dependabot[bot] <[email:1]>"
    named = shown(bundle(commit(1, "x", author=Person("acme-bank[bot]", ""))), engine)
    assert named.bundle.commits[0].author.name == "[term:1][bot]"


def test_people_are_known_before_the_first_text_is_read(engine: SecretEngine) -> None:
    one = bundle(commit(1, "Ask Bob Builder"), documents=[document(1, body="Reviewed-by: Bob Builder <bob@b.test>")])
    assert shown(one, engine).bundle.commits[0].message == "Ask [person:1]"


def test_a_placeholder_is_never_taken_for_a_secret(engine: SecretEngine) -> None:
    got = shown(bundle(commit(1, f"password = '{TOKEN}'\nsecret: {TOKEN}")), engine)
    assert got.bundle.commits[0].message == "password = '[secret:github-token:1]'\nsecret: [secret:github-token:1]"
    assert got.guard.leaks("[secret:github-token:1] and github-token:1") == ()


def test_people_stay_where_the_policy_keeps_them(engine: SecretEngine) -> None:
    one = bundle(commit(1, "Add it\n\nCo-authored-by: Bob Builder <bob@b.test>"))
    assert shown(one, engine, Policy(keep_people=True)).bundle == one
    assert one.commits[0].author == ADA


def test_policy_terms_are_gone(engine: SecretEngine) -> None:
    one = bundle(
        commit(1, "For Acme Bank (PRJ-77) ask Grace Hopper at db1.corp.internal", file("a.py", "+ACME_BANK_TIMEOUT = 3"))
    )
    got = shown(one, engine).bundle.commits[0]
    assert got.message == "For [term:1] ([pattern:1]) ask [person:1] at [host:1]"
    assert got.files[0].hunks[0].text == "+[term:1]_TIMEOUT = 3"


def test_a_record_stays_readable(engine: SecretEngine) -> None:
    one = bundle(records=[record("plain-change", summary="Acme Bank can log in", issues="ACME-1, PRJ-2")])
    read = changeset.read(shown(one, engine).bundle.records[0].data)
    assert isinstance(read, changeset.Changeset)
    assert read.summary == "<term-1> can log in"
    assert read.provenance["issues"] == ("<term-2>-1", "<pattern-1>")


@pytest.mark.requirement("IC-12.3")
def test_unknown_fields_of_a_record_are_not_shown(engine: SecretEngine) -> None:
    noted, plain = record("plain-change", extra="x-note: zugzwang\n"), record("other-change", number=2)
    got = shown(bundle(records=[noted, plain]), engine).bundle.records
    assert b"zugzwang" not in got[0].data
    assert got[0].digest != noted.digest
    assert isinstance(changeset.read(got[0].data), changeset.Changeset)
    assert got[1] == plain


@pytest.mark.requirement("AI-8")
def test_hidden_characters_are_shown(engine: SecretEngine) -> None:
    got = shown(bundle(commit(1, "if admin\u202e\u2066// ok\u2069 \U000e0041 \x1b]8;;http://e\x07")), engine)
    assert got.bundle.commits[0].message == (r"if admin\u{202e}\u{2066}// ok\u{2069} \u{e0041} \u{001b}]8;;http://e\u{0007}")


def test_redacting_counts_by_item_and_rule_and_shows_no_value(engine: SecretEngine) -> None:
    got = shown(bundle(commit(1, f"Use {TOKEN}", file("a.py", f"+'{TOKEN}' '{TOKEN}'"))), engine)
    counts = {(one.item, one.rule): one.count for one in got.redactions}
    assert counts["C1", "secret:github-token"] == 1
    assert counts["H1", "secret:github-token"] == 2
    assert TOKEN not in repr(got)
    assert "Use" not in repr(got)


def test_the_guard_judges_outgoing_text_in_the_same_way(engine: SecretEngine) -> None:
    one = bundle(commit(1, "x", file("a.env", "+db_password: hunter22\n+Acme Bank")))
    guard = shown(one, engine).guard
    said = f"Ada Lovelace logs in to ACME-BANK with hunter22, {TOKEN} and {Z}."
    assert [(said[leak.start : leak.end], leak.rule) for leak in guard.leaks(said)] == [
        ("Ada Lovelace", "person"),
        ("ACME-BANK", "term"),
        ("hunter22", "secret:assigned-secret"),
        (TOKEN, "secret:github-token"),
        (Z, "hidden-character"),
    ]
    cleaned = guard.clean(said)
    assert guard.leaks(cleaned) == ()
    assert cleaned.startswith("[person:1] logs in to [term:1] with [secret:assigned-secret:1], ")
    assert guard.leaks("Resume the jobs of [person:1] in src/app.py") == ()


def test_the_guard_answers_alike_however_often_it_is_asked(engine: SecretEngine) -> None:
    guard = shown(bundle(commit(1, "x")), engine).guard
    other = checked("gh" + "p", BODY[::-1])
    assert guard.clean(TOKEN) == guard.clean(other) == guard.clean(TOKEN) == "[secret:github-token:1]"
    assert guard.leaks("hunter22") == ()


def test_the_guard_judges_many_texts_as_it_judges_each(engine: SecretEngine) -> None:
    guard = shown(bundle(commit(1, "x", file("a.env", "+db_password: hunter22\n+Acme Bank"))), engine).guard
    said = ("ACME-BANK", "", f"hunter22, {TOKEN}", "Resume the jobs", f"hunter22{Z}", TOKEN[:20], TOKEN[20:])
    assert guard.leaks_of(said) == tuple(map(guard.leaks, said))
    assert guard.cleaned(said) == tuple(map(guard.clean, said))
    assert (guard.leaks_of(()), guard.cleaned(())) == ((), ())


def test_a_secret_of_the_last_text_is_found_in_the_first_however_few_are_read_at_once(
    engine: SecretEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = shown(bundle(commit(1, "x")), engine).guard
    said = ("Say hunter22 to enter", "Resume the jobs", "+db_password: hunter22")
    together = guard.leaks_of(said)
    monkeypatch.setattr(redacting, "_AT_ONCE", 1)
    assert guard.leaks_of(said) == together
    assert [len(leaks) for leaks in together] == [1, 0, 1]


def test_a_text_that_was_sound_alone_is_judged_anew_beside_one_that_gives_it_away(engine: SecretEngine) -> None:
    guard = shown(bundle(commit(1, "x")), engine).guard
    said = ("Say hunter22 to enter", "Resume the jobs")
    assert guard.leaks_of(said) == guard.leaks_of(said) == ((), ())
    assert [len(leaks) for leaks in guard.leaks_of((*said, "+db_password: hunter22"))] == [1, 0, 1]
    assert guard.leaks_of(said) == ((), ())


def test_what_is_sealed_cannot_be_made_or_stored_elsewhere(engine: SecretEngine) -> None:
    got = shown(bundle(commit(1, f"Use {TOKEN}")), engine)
    with pytest.raises(TypeError, match="alone"):
        replace(got, seal=object())
    with pytest.raises(TypeError, match="serialised"):
        pickle.dumps(got.guard)
    assert TOKEN not in repr(got.guard)


def test_no_socket_is_opened(engine: SecretEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert shown(hunk_bundle(f"+{TOKEN}\n+{AWS}"), engine).redactions


SECRETS = st.sampled_from([TOKEN, AWS, f"password: {BODY[:12]}", f"{PEM_BEGIN}\n+{PEM_BODY[0]}", f"https://u:{BODY}@h.test/"])
NOISE = st.text(
    st.one_of(
        st.sampled_from("ab \n+-=:'\"/@.[]<>"), st.sampled_from("\u200b\u0301😀é\u0440\ufeff\0\u202e\r"), st.characters()
    ),
    max_size=30,
)
TEXTS = st.lists(st.one_of(NOISE, SECRETS), min_size=1, max_size=5).map("\n".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.tuples(TEXTS, TEXTS, TEXTS))
def test_redacting_is_idempotent_deterministic_and_moves_no_line(texts: tuple[str, str, str], engine: SecretEngine) -> None:
    message, hunk, body = texts
    one = bundle(commit(1, message, file("src/a.py", hunk)), documents=[document(1, body=body)])
    first = shown(one, engine)
    again = shown(first.bundle, engine)
    assert again.bundle == first.bundle
    assert shown(one, engine).bundle == first.bundle
    got = first.bundle.commits[0].files[0].hunks[0].text
    assert got is not None
    assert got.count("\n") == hunk.count("\n")
    assert first.bundle.commits[0].message.count("\n") == message.count("\n")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=NOISE, after=NOISE, body=st.text("ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789", min_size=30, max_size=30)
)
def test_no_run_of_a_planted_secret_survives(before: str, after: str, body: str, engine: SecretEngine) -> None:
    secret = checked("gh" + "p", body)
    got = text_of(shown(bundle(commit(1, f"{before} {secret} {after}")), engine).bundle.commits[0])
    assert not {run for run in runs(secret) if run in got and run not in before + after}


@given(text=st.text(st.characters(categories=("Lu", "Ll", "Nd", "Po", "Pd", "Zs", "So"), exclude_characters="\u2800@[<")))
def test_text_in_which_nothing_is_found_stays_as_it_is(text: str) -> None:
    one = bundle(commit(1, text))
    assert redact(Evidence(one), Policy(keep_people=True), BlindEngine()).bundle == one
