"""The grammar of identifiers: every trap of public histories stands in a table."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guardrails.evidence.identifiers import IdentifierKind, fold, mentions

TRACKERS = frozenset({"DEVELOP", "SECURITY"})

NAMED = [
    ("Closes DEVELOP-219.", "issue-key", "DEVELOP-219"),
    ("on branch feature/x, (SECURITY-84)", "issue-key", "SECURITY-84"),
    ("develop-219 in lower case", "issue-key", "DEVELOP-219"),
    ("DEVЕLOP-219 with a Cyrillic letter", "issue-key", "DEVELOP-219"),
    ("DEVELOP‑219 with a no-break hyphen", "issue-key", "DEVELOP-219"),
    ("Fix it (#1482)", "number", "#1482"),
    ("GH-12 again", "number", "#12"),
    ("merged !7", "number", "!7"),
    ("see acme/widgets#12", "number", "acme/widgets#12"),
    ("＃１２ in full width", "number", "#12"),
    ("since 9f2c1ab", "sha", "9f2c1ab"),
    ("since 4D1E7C0", "sha", "4d1e7c0"),
    ("reverts commit 1234567 of digits alone", "sha", "1234567"),
    ("This reverts commit 0123456789abcdef0123456789abcdef01234567.", "sha", "0123456789abcdef0123456789abcdef01234567"),
    ("(https://x.example/a_(b)).", "url", "https://x.example/a_(b)"),
    ("read https://x.example/c, then", "url", "https://x.example/c"),
    ("www.example.org/x", "url", "www.example.org/x"),
    ("write to jane@example.org.", "email", "jane@example.org"),
    ("on Build7.internal.example.org.", "host", "build7.internal.example.org"),
    ("from db1.corp.internal", "host", "db1.corp.internal"),
    ("as docs.example.com has it", "host", "docs.example.com"),
    ("thanks @Octocat!", "handle", "@octocat"),
    ("fixes CVE-2026-12345", "advisory", "CVE-2026-12345"),
    ("GHSA-abcd-2345-wxyz", "advisory", "GHSA-ABCD-2345-WXYZ"),
    ("RUSTSEC-2026-0001", "advisory", "RUSTSEC-2026-0001"),
    ("by ADR-0042", "decision", "ADR-42"),
    ("by ADR 42", "decision", "ADR-42"),
    ("from v1.2.3 on", "version", "1.2.3"),
    ("2.0.0-rc.1 is out", "version", "2.0.0-rc.1"),
    ("on 2026-11-30T10:00:00Z", "date", "2026-11-30"),
    ("on 30 November 2026", "date", "2026-11-30"),
    ("on November 30, 2026", "date", "2026-11-30"),
    ("since yesterday", "date", "yesterday"),
    ("waits 30 s", "quantity", "30 s"),
    ("waits 30 seconds", "quantity", "30 s"),
    ("waits 30ms", "quantity", "30 ms"),
    ("a 30-day window", "quantity", "30 d"),
    ("5 MiB", "quantity", "5 mib"),
    ("50% less", "quantity", "50 %"),
    ("50 percent less", "quantity", "50 %"),
    ("three files", "quantity", "3"),
    ("twice as fast", "quantity", "2 x"),
    ("1,000 rows", "quantity", "1000"),
    ("2.50 of it", "quantity", "2.5"),
    ("src/server/release/query.ts", "path", "src/server/release/query.ts"),
    ("in config.yaml.", "path", "config.yaml"),
    ("./run.sh", "path", "./run.sh"),
    (".gitignore", "path", ".gitignore"),
    ("call run() twice", "symbol", "run()"),
    ("max_retries goes", "symbol", "max_retries"),
    ("with --force", "symbol", "--force"),
    ("needs @types/node", "symbol", "@types/node"),
    ("the `npm  test` step", "code", "npm test"),
    ("``a`b`` holds a tick", "code", "a`b"),
    ('says "connection lost"', "quote", "connection lost"),
    ("says “connection lost”", "quote", "connection lost"),
    ("hashes by SHA-256", "name", "sha256"),
    ("over HTTP/2", "name", "http2"),
    ("asks for 2FA", "name", "2fa"),
    ("on linux-arm64-musl", "name", "linuxarm64musl"),
    ("needs python3.4 now", "name", "python3.4"),
    ("升级到3.7.14", "version", "3.7.14"),
    ("in 0.23a0 only", "version", "0.23a0"),
    ("seventy rows", "quantity", "70"),
    ("in PostgreSQL", "name", "postgresql"),
]

NOT_NAMED = [
    ("UTF-8, SHA-256, ISO-8601, RFC-2119, HTTP-2, COVID-19, GPT-4, AES-128, CI-123", "issue-key"),
    ("XDEVELOP-219 and DEVELOP-219x and DEVELOP-219.5", "issue-key"),
    ("#fff, # 12, C#1, &#39;, a#12b, ##3", "number"),
    ("20240307 and deadbeef and defaced and #abcdef1", "sha"),
    ("it is 1234567 bytes", "sha"),
    ("@changesets/types @types/node @property @dataclass @media a@b.example @pytest.fixture user@host", "handle"),
    ("git@github.com:acme/widgets and foo@1.2.3 and a@b", "email"),
    ("and/or, CI/CD, TCP/IP, read/write, I/O, Node.js, Vue.js, .NET, 24/7, e.g. this, i.e. that, apps/worker", "path"),
    ("It ended.Next one", "path"),
    ("java.io and threading.local and asp.net and ASP.NET and socket.io and Node.js and self.app()", "host"),
    ("jane@example.org and git@github.com:acme/widgets and https://example.org/a and example.org/a", "host"),
    ("2.5 and ^1.2 and 10", "version"),
    ("one of the first, none of them, a second, two-factor login", "quantity"),
    ("UTF-8 and x86_64 and gpt-4o-2024-08-06", "quantity"),
    ("gpt-4o-2024-08-06", "date"),
    ("it may 10 times march", "date"),
    ("don't say 'no' or it's \"ok\" for 5\" and 6\" disks", "quote"),
    ("a stray ` tick", "code"),
]


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("text", "kind", "value"), NAMED)
def test_a_mention_is_found_in_its_normal_form(text: str, kind: str, value: str) -> None:
    assert (kind, value) in {(mention.kind.value, mention.value) for mention in mentions(text, trackers=TRACKERS)}


@pytest.mark.requirement("AI-3")
@pytest.mark.parametrize(("text", "kind"), NOT_NAMED)
def test_a_look_alike_is_no_mention(text: str, kind: str) -> None:
    assert [mention.text for mention in mentions(text, trackers=TRACKERS) if mention.kind == IdentifierKind(kind)] == []


def test_without_trackers_there_is_no_issue_key() -> None:
    assert IdentifierKind.ISSUE_KEY not in {mention.kind for mention in mentions("DEVELOP-219")}


@given(st.text() | st.text(alphabet="aA0-_/.#@!`'\" \n:–Е１()"))
@example("'000`0`0'")
def test_mentions_never_overlap_and_stand_where_they_say(text: str) -> None:
    end = 0
    for mention in mentions(text, trackers=TRACKERS):
        assert end <= mention.start < mention.end
        assert text[mention.start : mention.end] == mention.text
        end = mention.end


@given(st.text())
def test_folding_keeps_the_length(text: str) -> None:
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "value"), [("timeout=30_000", "30000"), ("sleep(30)", "30"), ("TTL: 5min", "5 min"), ("10 → 40", "40")]
)
def test_quantities_are_found_inside_code_too(text: str, value: str) -> None:
    assert value in {mention.value for mention in mentions(text) if mention.kind is IdentifierKind.QUANTITY}


@pytest.mark.parametrize(
    "shape", ["a", "-", "/", "a/", "`", "``a`", "'a", "#1", "_a", "v1.", "0", "f0", "A-", "(", "https://x)", "a@", "1,000"]
)
def test_hostile_shapes_come_to_an_end(shape: str) -> None:
    assert len(mentions(shape * (50_000 // len(shape)), trackers=TRACKERS)) <= 50_000
