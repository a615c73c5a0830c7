"""What a run came to, as plain values: releases that were drafted, need input, were rejected, failed, or are not done."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from agent.batch.packed import Packed
from agent.batch.pages import pages
from agent.batch.planning import Plan
from agent.batch.release import Finished, Release, Status
from agent.render.forge_links import Links
from agent.render.json_text import json_text
from guardrails.redaction.policy import Policy
from guardrails.redaction.redact import Guard
from tests.guardrails.resolving.building import bundle
from tests.redacting import redacted

CASES: Final = Path(__file__).parents[2] / "cases"
LINKS: Final = Links.of("github.com", "acme/widgets")


def guard(*terms: str) -> Guard:
    """A guard that lets everything through but these terms."""
    return redacted(bundle(), Policy(terms=terms, keep_people=True)).guard


def oid(number: int) -> str:
    """A full object name."""
    return f"{number:07x}".ljust(40, "0")


def envelope() -> dict[str, Any]:
    """An envelope of five items."""
    told: dict[str, Any] = json.loads((CASES / "rendered/release.json").read_bytes())
    return told


def record(keys: tuple[str, ...], *, under: str | None = None) -> dict[str, Any]:
    """A draft record as far as outputs read it."""
    fields = {f"items[{key}].{name}": {"basis": "evidence"} for key in keys for name in ("kind", "title")}
    evidence = [{"id": f"C{number}", "kind": "commit", "locator": f"git:{oid(number)}", "digest": ""} for number in range(1, 8)]
    profile = {"path": under, "digest": None}
    return {"evidraft-record": "1.0.0", "profile": profile, "fields": {"shape": {}, **fields}, "evidence": evidence}


def noted(told: Mapping[str, Any], known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A draft record and its envelope as a finished release holds them, with what is told of them besides."""
    keys = dict.fromkeys(path[6:13] for path in told["fields"] if path.startswith("items["))
    return {
        "envelope": Packed.of([json_text(known)]) if known else Packed(),
        "record": Packed.of([json_text(told)]),
        "titles": dict(zip(keys, (item["title"] for item in known["items"]), strict=True)) if known else {},
        "places": {one["id"]: one["locator"] for one in told["evidence"]},
        "profile": told["profile"]["path"] or "",
    }


def release(name: str, spec: str, number: int, **more: Any) -> Release:
    """A release as a plan has it."""
    return Release(
        name=name,
        place="/home/somebody/clones/widgets",
        base=oid(100 + number),
        head=oid(200 + number),
        spec=spec,
        title=name.rpartition("/")[2],
        repository="acme/widgets",
        **more,
    )


def drafted(one: Release, *, under: str | None = None) -> Finished:
    """The release drafted: five items out of six of seven commits."""
    keys = tuple(oid(number)[:7] for number in range(1, 6))
    return Finished(
        one.name,
        Status.DRAFTED,
        **noted(record(keys, under=under), envelope()),
        pages=pages(envelope(), one, LINKS, guard()),
        commits={
            **{oid(number): keys[number - 1] for number in range(1, 6)},
            oid(6): f"{keys[0]}, {keys[4]}",
            oid(7): "reverted by C6 of the same selection",
        },
        requests={"#140": keys[0], "#139": keys[1], "#138": "internal: impact none"},
    )


def asked(one: Release, *questions: Mapping[str, object]) -> Finished:
    """The release with open questions, and what is known of it."""
    keys = ("0000001",)
    known = {**envelope(), "items": envelope()["items"][:1]}
    return Finished(
        one.name,
        Status.NEEDS_INPUT,
        **noted(record(keys), known),
        pages={"notes.md": "What is not known must not be published.\n"},
        unresolved=questions,
        commits={oid(1): keys[0], oid(2): ""},
    )


SHAPE: Final = {
    "field": "shape",
    "reason": "no-evidence",
    "question": "Do you want one digest of the whole, or an itemized array of changes with a summary on top?",
    "accepts": ["single", "itemized"],
}
REPOSITORY: Final = {
    "field": "operation.repository",
    "reason": "no-evidence",
    "question": "Which repository is this, as owner/name?",
}
KIND: Final = {
    "field": "items[0000001].kind",
    "reason": "contradiction",
    "question": "Which kind of change is this?",
    "accepts": ["feature", "bug_fix", "breaking"],
    "suggestions": [{"value": "breaking", "evidence": ["C1"], "by": "scripted"}],
    "evidence": ["C1", "C2", "H9"],
}


def plan() -> Plan:
    """A run of seven releases, and an entry of which none could be made."""
    tagged = {"tags": ("v2.4.0", "2.4.0"), "date": "2026-01-02T03:04:05+01:00"}
    return Plan(
        (
            release("widgets/v2.4.0", "v2.3.0..v2.4.0", 1, **tagged),
            release("widgets/v2.5.0", "v2.4.0..v2.5.0", 2, answers=(("shape", "itemized"),)),
            release("widgets/v2.6.0", "v2.5.0..v2.6.0", 3),
            release("widgets/v2.7.0", "v2.6.0..v2.7.0", 4),
            release("widgets/v2.8.0", "v2.7.0..v2.8.0", 5),
            release("widgets/v2.9.0", "v2.8.0..v2.9.0", 6),
            release("widgets/v3.0.0", "v2.9.0..v3.0.0", 7),
        ),
        (Finished("gadgets", Status.FAILED, failure="gadgets: there is no repository (look for it)"),),
        ("widgets: the tag nightly tells no version",),
    )


def ends() -> list[Finished]:
    """How the releases of the plan ended; the last one has no end yet."""
    first, second, third, fourth, fifth, sixth, _ = plan().releases
    finding = {"code": "unknown-path", "severity": "error", "where": "items[0000001].refs", "message": "got no such file"}
    return [
        drafted(first),
        drafted(second, under=".ack/profile.yaml"),
        asked(third, SHAPE, REPOSITORY, KIND),
        asked(fourth, SHAPE, REPOSITORY),
        Finished(fifth.name, Status.REJECTED, **noted(record(())), findings=(finding, finding)),
        Finished(sixth.name, Status.FAILED, failure="openai: the key is not taken (set OPENAI_API_KEY)"),
    ]
