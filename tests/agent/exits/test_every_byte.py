"""What redaction took out leaves by no exit: requests, output, logs at debug, traces, cache, recordings, record, exceptions.

The program runs in a process of its own and asks a provider on loopback; every byte that it sends, prints or writes is looked
at. The provider may know what was taken out, say it in its replies, and quote the request in its errors.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.engines import secret_engine
from tests.agent.exits.provider import KEY, Answer, Provider, provider
from tests.agent.payments import ISSUE, MENDED, RECORD, RULES, payments, program
from tests.guardrails.redaction.made_up import TOKEN
from tests.repositories import GitFolder

HUSHED = "zugzwang"
TERM = "Heron"
HOST = "ledger.corp.example"
PERSON = "Robin Doe"
RECORD_ID = "hush-fix"
KNOWABLE = (TOKEN, RECORD_ID, TERM, HOST, PERSON, "ada@example.org")
"""What a provider may know from elsewhere. The words of an embargoed fix only its writers know: nobody shows them to it."""
WITHHELD = (*KNOWABLE, HUSHED)
POLICY = f"terms: [{TERM}]\nhosts: [corp.example]\npeople: [{PERSON}]\n"
EMBARGOED = RECORD.replace("resume-settlement-jobs", "hush-fix").replace(
    "state: public\n  not-before: null\n  policy: null", "state: embargoed\n  not-before: null\n  policy: security"
)
PUBLIC = f"""fix(apps/worker): resume interrupted settlement jobs

Deployments lost jobs of {TERM} on {HOST} with {TOKEN}, says {PERSON}.

Impact: patch
"""
ISSUE_FILE = {
    "kind": "issue",
    "key": "DEVELOP-219",
    "title": f"Jobs of {TERM} are lost",
    "body": f"Use {TOKEN}.\n\n{PERSON} saw it on {HOST}.",
}
AT_ONCE = {"x-should-retry": "false"}


def said(text: str) -> str:
    """A reply that says `text` of both fields."""
    sentence = {"text": text, "evidence": ["C1"]}
    fields = [{"field": name, "sentences": [sentence]} for name in ("summary", "rationale")]
    return json.dumps({"fields": fields})


KNOWING = said(f"Resume settlement jobs of {TERM} on {HOST} with {TOKEN} and {RECORD_ID} for {PERSON}, ada@example.org")
EXITS: dict[str, Callable[[str], str | Answer]] = {
    "an honest reply": lambda _: said("Resume interrupted settlement jobs"),
    "a reply that knows": lambda _: KNOWING,
    "a reply that knows, in another shape": lambda _: f"I know {', '.join(KNOWABLE)}",
    "a reply that knows, as fields": lambda _: json.dumps({"fields": [{"field": one, "sentences": None} for one in KNOWABLE]}),
    "a reply that is the request": lambda body: body,
    "an error that quotes": lambda body: Answer({"error": {"message": f"{body}{WITHHELD}", "code": TOKEN}}, 400, AT_ONCE),
    "an error that is no JSON": lambda body: Answer(f"<html>{body}{WITHHELD}</html>".encode(), 502, AT_ONCE),
    "an answer that is no JSON": lambda body: Answer(f"{body}{WITHHELD}".encode()),
    "headers that know": lambda _: Answer(
        {}, 500, {**AT_ONCE, "x-request-id": TOKEN, "request-id": TOKEN, "retry-after": HUSHED}
    ),
}


@pytest.fixture(scope="module")
def warm_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the compiled rules, which take seconds."""
    cache = tmp_path_factory.mktemp("cache")
    secret_engine(cache / "evidraft" / "secret-rules")
    return cache


@dataclass(frozen=True)
class Run:
    """One run of the program: what it printed, and all that it sent and wrote."""

    done: subprocess.CompletedProcess[bytes]
    sent: list[bytes]
    files: dict[str, bytes]

    def exits(self) -> dict[str, bytes]:
        """Everything that left the process, by where it left."""
        requests = {f"request {number}": data for number, data in enumerate(self.sent, 1)}
        return {"stdout": self.done.stdout, "stderr": self.done.stderr, **requests, **self.files}


@pytest.fixture
def folder(tmp_path: Path) -> GitFolder:
    """A range with an embargoed commit, and a public one with a token, a term, a host and a person wherever text can stand."""
    made = payments(tmp_path / "payments", None, rules=f'policy = ".ack/policy.yaml"\n{RULES}')
    laid: dict[str | bytes, str | bytes | None] = {
        ".ack/changes/hush-fix.yaml": EMBARGOED,
        ".ack/policy.yaml": POLICY,
        "apps/worker/old.py": f"KEY = '{TOKEN}'\n",
    }
    made.commit("chore(apps/worker): add a record", laid)
    made.git("tag", "base")
    made.commit(
        f"fix(apps/worker): reject {HUSHED} replays\n\nChangeset: hush-fix\n", {"apps/worker/guard.py": f"{HUSHED} = 1\n"}
    )
    source = f"# {PERSON} runs {TERM} on {HOST}\nKEY = '{TOKEN}'\n{MENDED}"
    made.commit(PUBLIC, {"apps/worker/settlement.py": source, f"apps/worker/{TOKEN}.txt": "x\n", "apps/worker/old.py": None})
    return made


def run(folder: GitFolder, tmp_path: Path, warm_cache: Path, one: Provider, wire: str) -> Run:
    """Draft over the range with all that can be written and said turned on."""
    places = tmp_path / "places"
    names = ("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR", "cwd")
    for name in names:
        (places / name).mkdir(parents=True)
    (places / "cwd" / "replies").mkdir()
    shutil.copytree(warm_cache, places / "XDG_CACHE_HOME", dirs_exist_ok=True)
    (tmp_path / "issue.json").write_text(json.dumps(ISSUE_FILE))
    words = ["draft-changeset", "--repo", str(folder.path), "base..HEAD", "--model", one.client(wire), "--answer", ISSUE]
    words += ["--evidence", str(tmp_path / "issue.json"), "--verbose", "--jobs", "2"]
    words += ["--record", "record.json", "--output", "out.yaml", "--record-replies", "replies"]
    environment = {
        **{name: str(places / name) for name in names},
        **one.environment(),
        "OPENAI_LOG": "debug",
        "ANTHROPIC_LOG": "debug",
        "PYTHONASYNCIODEBUG": "1",
    }
    before = "import logging; logging.basicConfig(level=logging.DEBUG)"
    done = program(words, cwd=places / "cwd", environment=environment, before=before)
    files = {str(path.relative_to(places)): path.read_bytes() for path in places.rglob("*") if path.is_file()}
    return Run(done, one.seen, {name: data for name, data in files.items() if "secret-rules" not in name})


def holding(exits: dict[str, bytes]) -> dict[str, list[str]]:
    """Where something withheld stands, as it is, in any case, or encoded."""
    found: dict[str, list[str]] = {}
    for where, data in exits.items():
        text = data.decode("utf-8", "replace").casefold()
        encoded = [base64.b64encode(word.encode()).decode().rstrip("=")[:-1].casefold() for word in WITHHELD]
        hits = [word for word in (*WITHHELD, *encoded) if word.casefold() in text]
        if hits:
            found[where] = hits
    return found


@pytest.mark.requirement("AI-7")
@pytest.mark.parametrize("wire", ["openai", "anthropic", "url"])
@pytest.mark.parametrize("says", EXITS.values(), ids=EXITS)
def test_nothing_withheld_leaves_by_any_exit(
    folder: GitFolder, tmp_path: Path, warm_cache: Path, wire: str, says: Callable[[str], str | Answer]
) -> None:
    with provider(says) as one:
        ran = run(folder, tmp_path, warm_cache, one, wire)
    assert ran.done.returncode in {0, 1, 2, 3}, ran.done.stderr.decode()
    assert b"internal fault" not in ran.done.stderr
    assert one.asked, "the provider was asked"
    assert b"resume interrupted settlement jobs" in b"".join(one.asked), "and shown what may be shown"
    assert holding(ran.exits()) == {}


@pytest.mark.parametrize("wire", ["openai", "anthropic", "url"])
def test_a_key_goes_to_its_provider_and_nowhere_else(folder: GitFolder, tmp_path: Path, warm_cache: Path, wire: str) -> None:
    with provider(lambda _: said("Resume interrupted settlement jobs")) as one:
        ran = run(folder, tmp_path, warm_cache, one, wire)
    assert KEY.encode() in one.asked[0]
    assert {where for where, data in ran.exits().items() if KEY.encode() in data} <= {
        f"request {number}" for number in range(1, len(one.seen) + 1)
    }


def test_what_is_searched_for_would_be_found() -> None:
    for word in WITHHELD:
        assert holding({"here": f"x {word.upper()} y".encode()}) == {"here": [word]}
    assert holding({"here": base64.b64encode(TOKEN.encode())})
