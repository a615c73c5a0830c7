"""Both engines find the same made-up secrets; without a working one nothing goes on."""

from __future__ import annotations

import ast
import sys
from importlib import resources
from pathlib import Path

import pytest

from agent import engines
from agent.engines import Re2Engine, secret_engine, self_test
from agent.errors import GuardNotReady
from guardrails.redaction.secrets import SecretEngine, Span, find, read_rules
from tests.guardrails.redaction.made_up import AWS, BODY, PEM_BEGIN, TOKEN, checked
from tests.redacting import BlindEngine

HEX = "0123456789abcdef"
SAMPLES = {
    "github-token": TOKEN,
    "gitlab-token": "gl" + f"pat-{BODY[:20]}",
    "slack-token": "xo" + f"xb-123456789012-1234567890123-{BODY[:24]}",
    "slack-webhook": "https://hooks." + f"slack.com/services/T{BODY[:9].upper()}/B{BODY[:9].upper()}/{BODY[:24]}",
    "stripe-key": "sk_" + f"live_{BODY[:24]}",
    "sendgrid-key": "S" + f"G.{BODY[:22]}.{BODY}{BODY[:13]}",
    "npm-token": checked("np" + "m"),
    "pypi-token": "pypi-" + f"AgEIcHlwaS5vcmc{BODY * 4}",
    "google-api-key": "AI" + f"zaSy{BODY}abc",
    "twilio-key": "S" + f"K{HEX * 2}",
    "mailchimp-key": f"{HEX * 2}-us12",
    "shopify-token": "shp" + f"at_{HEX * 2}",
    "digitalocean-token": "dop" + f"_v1_{HEX * 4}",
    "databricks-token": "da" + f"pi{HEX * 2}",
    "vault-token": "hv" + f"s.{BODY * 3}",
    "terraform-token": f"{BODY[:14]}.atlas" + f"v1.{BODY * 2}abcdefg",
    "linear-key": "lin" + f"_api_{BODY}abcdefghij",
    "postman-key": "PM" + f"AK-{HEX}{HEX[:8]}-{HEX * 2}ab",
    "telegram-token": "1234567890:" + f"AA{BODY}abc",
    "azure-account-key": "Account" + f"Key={BODY * 2}abcdefghijklmnopqrstuvwxyz==",
    "azure-client-secret": "a1b8" + f"Q~{BODY}abcd",
    "doppler-token": "dp" + f".pt.{BODY}abcdefghijklm",
    "age-key": "AGE-SECRET" + f"-KEY-1{'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L' * 2}"[:69],
    "jwt": "ey" + f"JhbGciOiJIUzI1NiJ9.ey{BODY}.{BODY}",
    "discord-webhook": "https://discord" + f".com/api/webhooks/123456789012345678/{BODY * 2}abcdefgh",
    "huggingface-token": "h" + "f_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi",
    "openai-key": "sk-" + f"proj-{BODY * 2}",
    "aws-access-key-id": AWS,
    "private-key": PEM_BEGIN,
    "url-credentials": f"postgres://svc:{BODY[:18]}@db.test:5432/x",
    "bearer-token": f"Authorization: Bearer {BODY}",
    "assigned-secret": f"API_KEY={BODY}",
    "assigned-password": "password = 'swordfish'",
}
RULES = resources.files("guardrails.redaction").joinpath("secret_rules.yaml")


@pytest.fixture(scope="module")
def fallback() -> SecretEngine:
    return Re2Engine(read_rules(RULES.read_bytes()))


@pytest.mark.parametrize("kind", SAMPLES)
def test_both_engines_find_each_kind_and_name_it_alike(kind: str, engine: SecretEngine, fallback: SecretEngine) -> None:
    for one in (engine, fallback):
        found = find([f"+x = {SAMPLES[kind]} # y"], one)[0]
        assert f"secret:{kind}" in {mention.rule for mention in found}


def test_every_own_rule_has_a_sample() -> None:
    kinds = {rule.kind for rule in read_rules(RULES.read_bytes())}
    assert kinds - SAMPLES.keys() <= {"stripe-webhook-secret", "google-oauth-secret"}


def test_findings_come_in_one_order(engine: SecretEngine) -> None:
    data = "\n".join(SAMPLES.values()).encode()
    assert engine.find(data) == engine.find(data) == sorted(engine.find(data), key=lambda span: (span.start, -span.end))


def test_the_version_names_engine_and_rules(engine: SecretEngine, fallback: SecretEngine) -> None:
    assert engine.version.startswith("kingfisher 1.5.0, rules ")
    assert fallback.version.split(", ")[1] == engine.version.split(", ")[1]


def test_an_engine_that_misses_a_canary_is_refused() -> None:
    with pytest.raises(GuardNotReady, match="misses github-token, aws-access-key-id, private-key"):
        self_test(BlindEngine())


class Forgetful:
    """An engine that finds all but one kind."""

    version = "forgetful"

    def __init__(self, engine: SecretEngine) -> None:
        self._engine = engine

    def find(self, data: bytes) -> list[Span]:
        return [span for span in self._engine.find(data) if span.rule != "aws-access-key-id"]


def test_one_missed_kind_is_enough(engine: SecretEngine) -> None:
    with pytest.raises(GuardNotReady, match=r"misses aws-access-key-id \("):
        self_test(Forgetful(engine))


def test_without_the_native_scanner_the_own_rules_stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    assert secret_engine(tmp_path).version.startswith("re2")


def test_without_any_engine_nothing_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise ValueError

    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    monkeypatch.setattr("re2.compile", refuse)
    with pytest.raises(GuardNotReady, match="no secret engine"):
        secret_engine(tmp_path)


def test_configuration_of_an_examined_repository_is_not_picked_up(
    engine: SecretEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitleaks.toml").write_text('[allowlist]\nregexes = [".*"]\n')
    (tmp_path / ".kingfisher.yml").write_text("ignore: ['.*']\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITLEAKS_CONFIG", str(tmp_path / ".gitleaks.toml"))
    assert find([TOKEN], engine)[0]


def test_validating_and_revoking_are_out_of_reach() -> None:
    names = {
        node.attr for node in ast.walk(ast.parse(Path(engines.__file__).read_text("utf-8"))) if isinstance(node, ast.Attribute)
    }
    assert names >= {"Scanner", "Rules"}
    assert not names & {"Validator", "Revoker", "validate", "revoke"}
