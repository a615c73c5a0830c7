"""Secrets that are none, put together at run time, and small bundles to hide them in."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import fields, is_dataclass

from guardrails.evidence.model import (
    Answer,
    Bundle,
    Change,
    Commit,
    Content,
    Document,
    DocumentKind,
    ExistingRecord,
    FileChange,
    Hunk,
    Note,
    Person,
    Selection,
    SelectionKind,
)

BODY = "q7Rk2Xw9Lm4Tz8Vb3Nc6Hd1Js5Pf0G"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ADA = Person("Ada Lovelace", "ada@example.org")


def checked(prefix: str, body: str = BODY) -> str:
    """A token with the check digits that forges give theirs."""
    number, digits = zlib.crc32(body.encode()), ""
    while number:
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return f"{prefix}_{body}{digits.rjust(6, '0')}"


TOKEN = checked("gh" + "p")
AWS = "AK" + "IAQ7RK2XW5LM4TZ3VB"
PEM_BEGIN = "-----BEGIN RSA PRIV" + "ATE KEY-----"
PEM_END = "-----END RSA PRIV" + "ATE KEY-----"
PEM_BODY = [f"MIIE{BODY}{index:02d}{BODY[:20]}" for index in range(8)]


def oid(seed: int) -> str:
    return f"{seed:02x}" * 20


def file(path: str, text: str = "+x", *, number: int = 1, section: str = "", old_path: str | None = None) -> FileChange:
    lines = text.split("\n")
    hunk = Hunk(f"H{number}", f"git:{oid(number)}:{path}:1-9", "sha256:h", 1, len(lines), 1, len(lines), section, text)
    return FileChange(
        f"F{number}",
        f"git:{oid(number)}:{path}",
        "sha256:f",
        Change.ADDED,
        Content.TEXT,
        path,
        old_path,
        "000000",
        "100644",
        "0" * 40,
        "e" * 40,
        sum(line.startswith("+") for line in lines),
        sum(line.startswith("-") for line in lines),
        (hunk,),
    )


def commit(number: int, message: str, *files: FileChange, author: Person = ADA) -> Commit:
    name = oid(number)
    return Commit(
        f"C{number}",
        f"git:{name}",
        "sha256:c",
        name,
        (oid(number - 1),),
        message,
        author,
        author,
        "2026-01-05",
        "2026-01-05",
        files,
    )


def document(number: int, title: str = "", body: str = "", **more: str) -> Document:
    return Document(
        f"I{number}",
        "file:i.json",
        "sha256:d",
        DocumentKind.ISSUE,
        more.get("key", f"#{number}"),
        more.get("url", ""),
        title,
        body,
        tuple(more.get("label", "").split()),
        more.get("author", ""),
    )


def record(name: str, state: str = "public", number: int = 1, **more: str) -> ExistingRecord:
    """A changeset file; `more` gives `summary`, `issues`, `placeholder`, `not_before`, `extra`, `supersedes`."""
    text = f"""\
intent-changeset: 1.0.0
id: {name}
source-repository: https://github.com/example/payments
summary: {more.get("summary", "Resume jobs")}
rationale: Avoid manual recovery
targets:
  - release-unit: apps/worker
    stream: stable
    type: reliability
    impact: patch
    audiences: [operators]
    migration: null
provenance:
  issues: [{more.get("issues", "DEVELOP-219")}]
relations:
  reverts: []
  supersedes: [{more.get("supersedes", "")}]
disclosure:
  state: {state}
  not-before: {more.get("not_before", "null")}
  policy: {"review" if state == "embargoed" else "null"}
  placeholder: {more.get("placeholder", "null")}
{more.get("extra", "")}"""
    path = f".ack/changes/{name}.yaml"
    return ExistingRecord(f"S{number}", f"git:{oid(9)}:{path}", "sha256:s", "pending", path, text.encode())


def bundle(
    *commits: Commit,
    documents: Iterable[Document] = (),
    records: Iterable[ExistingRecord] = (),
    answers: Iterable[Answer] = (),
    notes: Iterable[Note] = (),
    uncommitted: Iterable[FileChange] = (),
    head: str = oid(200),
    spec: str = "main..work",
) -> Bundle:
    return Bundle(
        Selection(SelectionKind.RANGE, spec, oid(201), head),
        "https://github.com/example/payments",
        None,
        commits=commits,
        documents=tuple(documents),
        records=tuple(records),
        answers=tuple(answers),
        notes=tuple(notes),
        uncommitted=tuple(uncommitted),
    )


def hunk_bundle(text: str, path: str = "src/app.py") -> Bundle:
    return bundle(commit(1, "Change it", file(path, text)))


def text_of(value: object) -> str:
    """Everything that a value holds, keys and bytes too, as one text: what a careless writer could let out."""
    if is_dataclass(value) and not isinstance(value, type):
        return "\n".join(text_of(getattr(value, one.name)) for one in fields(value) if one.name not in {"guard", "seal"})
    if isinstance(value, dict):
        return "\n".join(text_of(part) for pair in value.items() for part in pair)
    if isinstance(value, tuple | list):
        return "\n".join(map(text_of, value))
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
