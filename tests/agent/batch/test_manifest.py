"""A manifest says which repositories and releases are meant; what it does not know it refuses, with the line."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agent.batch import manifest
from agent.batch.release import Options
from agent.batch.wish import Entry
from agent.errors import InputFailure, UsageFailure
from guardrails import strict_yaml

HEAD = "evidraft-manifest: 1.0.0\n"
WHOLE = f"""\
{HEAD}options:
  policy: policy.yaml
entries:
- repository: ../payments
  ranges: [v1.0..v1.1]
- repository: https://example.org/acme/widgets.git
  name: acme/widgets
  tags: ["v*"]
  units: [apps/worker@stable]
  options:
    shape: single
    profile: profiles/widgets.yaml
    evidence: [issues.json]
- repository: .
  name: here
  tags: ["1.*"]
  options: {{policy: other.yaml}}
"""


def parsed(text: str, folder: Path = Path("batch")) -> tuple[Entry, ...]:
    return manifest.parse("m.yaml", text.encode(), folder)


def test_paths_are_seen_from_its_folder_and_own_options_win() -> None:
    assert parsed(WHOLE) == (
        Entry("batch/../payments", "payments", ranges=("v1.0..v1.1",), options=Options(policy="batch/policy.yaml")),
        Entry(
            "https://example.org/acme/widgets.git",
            "acme/widgets",
            tags=("v*",),
            units=("apps/worker@stable",),
            options=Options("single", "batch/profiles/widgets.yaml", "", "batch/policy.yaml", ("batch/issues.json",)),
        ),
        Entry("batch", "here", tags=("1.*",), options=Options(policy="batch/other.yaml")),
    )


def test_the_answers_of_an_entry_are_read(tmp_path: Path) -> None:
    (tmp_path / "said.yaml").write_text("operation.repository: acme/widgets\n", "utf-8")
    (tmp_path / "m.yaml").write_text(
        f"{HEAD}entries:\n- {{repository: ., tags: ['*'], options: {{answers: said.yaml}}}}\n", "utf-8"
    )
    (entry,) = manifest.read(str(tmp_path / "m.yaml"))
    assert entry.answers == (("operation.repository", "acme/widgets"),)


ENTRY = f"{HEAD}entries:\n- repository: .\n"
REFUSED = {
    f"{ENTRY}  tag: [v1]\n": ("m.yaml, line 4: entries[0].tag", "got an unknown key", "did you mean tags?"),
    f"{ENTRY}  tags: [v1]\n  options:\n    shapes: single\n": (
        "m.yaml, line 6: entries[0].options.shapes",
        "got an unknown key",
        "did you mean shape?",
    ),
    f"{HEAD}entires: []\n": ("m.yaml, line 2: entires", "got an unknown key", "did you mean entries?"),
    f"{ENTRY}  tags: [1.0]\n": ("m.yaml, line 4: entries[0].tags[0]", "Input should be a valid string", ""),
    f"{ENTRY}  tags: v1\n": ("m.yaml, line 4: entries[0].tags", "Input should be a valid list", ""),
    f"{ENTRY}  tags: [v1]\n  name: ../up\n": (
        "m.yaml, line 5: entries[0].name",
        "got no name that a folder can have: letters, digits, . _ + @ - and slashes between them",
        "",
    ),
    HEAD: ("m.yaml, line 1: entries", "Field required", ""),
    ENTRY: ("m.yaml, line 3: entries[0]", "wants nothing", 'name ranges or tags, such as tags: ["v*"]'),
    f"{ENTRY}  name: a\n  tags: [v1]\n- repository: b\n  name: A\n  tags: [v1]\n": (
        "m.yaml, line 6: entries[1]",
        "has the name of an earlier entry",
        "give each entry a name of its own",
    ),
    "evidraft-manifest: 2.0.0\nentries: []\n": ("m.yaml, line 1: evidraft-manifest", "Input should be '1.0.0'", ""),
    "- repository: .\n": ("m.yaml, line 1", "Input should be a valid dictionary or instance of ManifestShape", ""),
    f"{ENTRY}  tags: &a [v1]\n": ("m.yaml, line 4", "this YAML is refused: got an anchor", ""),
    f"{ENTRY}  tags: [v1]\n  tags: [v2]\n": ("m.yaml, line 5", "this YAML is refused: got the key 'tags' twice", ""),
    f'{ENTRY}  tags: ["v\\e"]\n': ("m.yaml, line 4: entries[0].tags[0]", "got a character that cannot be shown", ""),
}


@pytest.mark.parametrize(("text", "told"), REFUSED.items(), ids=[told[1] for told in REFUSED.values()])
def test_what_a_manifest_does_not_know_is_refused_with_its_line(text: str, told: tuple[str, str, str]) -> None:
    with pytest.raises(InputFailure) as raised:
        parsed(text)
    where, what, cure = told
    assert raised.value.where == where
    assert raised.value.what.startswith(what)
    assert raised.value.cure == cure


def test_an_address_with_a_password_is_refused() -> None:
    with pytest.raises(UsageFailure, match="holds a name or a password") as raised:
        parsed(f"{HEAD}entries:\n- {{repository: 'https://me:canary@example.org/a/b', tags: ['*']}}\n")
    assert "canary" not in str(raised.value)


def test_the_schema_takes_what_the_reader_takes() -> None:
    validator = Draft202012Validator(manifest.schema())
    validator.validate(strict_yaml.read(WHOLE.encode()).value)
    assert not validator.is_valid(strict_yaml.read(f"{ENTRY}  tag: [v1]\n".encode()).value)


@pytest.mark.parametrize("path", ["", "..", "../payments"])
def test_every_repository_has_a_name(path: str, tmp_path: Path) -> None:
    (entry,) = manifest.parse("m.yaml", f"{HEAD}entries:\n- {{repository: '{path or '.'}', tags: ['*']}}\n".encode(), tmp_path)
    assert entry.name
