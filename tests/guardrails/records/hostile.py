"""Documents that are made to bring a reader down, for records of every kind; read them in a process that has little room.

Run as a program it reads each of them as each kind, within limits of the system, and prints the codes that it got.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from guardrails.findings import Finding, blocking
from guardrails.records import (
    changelog,
    changelog_rules,
    changeset,
    profile,
    pull_request,
    pull_request_rules,
    release_manifest,
    release_manifest_rules,
)
from guardrails.records.changelog import Changelog
from guardrails.records.changeset import Changeset
from guardrails.records.profile import Profile
from guardrails.records.pull_request import PullRequest
from guardrails.records.release_manifest import ReleaseManifest

CORPUS: Final = Path(__file__).parents[2] / "cases" / "intent"
ROOM: Final = 384 * 1024**2
"""Bytes of address space that reading may take beyond what the program itself takes."""
SECONDS: Final = 120
"""Processor time for everything together."""
_MIB: Final = 1024**2

HONEST: Final = {
    "changeset": "changesets/minimal.yaml",
    "changelog": "changelogs/released.yaml",
    "pull-request": "pull-requests/ready.yaml",
    "release-manifest": "releases/complete.yaml",
    "profile": "profiles/base.yaml",
}
LISTS: Final = {
    "changeset": b"targets",
    "changelog": b"entries",
    "pull-request": b"verification",
    "release-manifest": b"artifacts",
    "profile": b"audiences",
}
"""A list of each kind, to fill with what does not belong there."""


def judged(kind: str, data: bytes) -> tuple[Finding, ...]:
    """All that reading and judging a record of a kind finds."""
    readers: dict[str, Callable[[bytes], object]] = {
        "changeset": changeset.read,
        "changelog": changelog.read,
        "pull-request": pull_request.read,
        "release-manifest": release_manifest.read,
        "profile": profile.read,
    }
    record = readers[kind](data)
    found: tuple[Finding, ...] = ()
    if isinstance(record, Changeset):
        found = changeset.validate(record)
    elif isinstance(record, Changelog):
        found = changelog_rules.validate(record)
    elif isinstance(record, PullRequest):
        found = pull_request_rules.validate(record)
    elif isinstance(record, ReleaseManifest):
        found = release_manifest_rules.validate(record)
    elif isinstance(record, tuple):
        found = record
    elif not isinstance(record, Profile):
        raise TypeError(kind)
    return blocking(found)


def honest(kind: str) -> bytes:
    """A record of the kind that is right."""
    return (CORPUS / HONEST[kind]).read_bytes()


def below(text: bytes) -> Callable[[bytes, bytes], bytes]:
    """A document with something more at its end."""
    return lambda record, _: record + text


def around(before: bytes) -> Callable[[bytes, bytes], bytes]:
    """A document with something before it."""
    return lambda record, _: before + record


def within(text: bytes) -> Callable[[bytes, bytes], bytes]:
    """A document whose list holds something else."""

    def spoiled(record: bytes, name: bytes) -> bytes:
        lines = record.split(b"\n")
        start = next(place for place, line in enumerate(lines) if line.startswith(name + b":"))
        end = next((place for place in range(start + 1, len(lines)) if lines[place][:1].isalpha()), len(lines))
        return b"\n".join((*lines[:start], name + b": " + text, *lines[end:]))

    return spoiled


def recoded(encoding: str, mark: bytes = b"") -> Callable[[bytes, bytes], bytes]:
    """The same text in another encoding."""
    return lambda record, _: mark + record.decode().encode(encoding)


LAUGHS: Final = b"a0: &a0 [ha, ha]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (level, level, b", ".join([b"*a%d" % (level - 1)] * 10)) for level in range(1, 30)
)

DOCUMENTS: Final[dict[str, tuple[str, Callable[[bytes, bytes], bytes]]]] = {
    "billion laughs": ("yaml-anchor", below(LAUGHS)),
    "billion laughs inside": ("yaml-anchor", within(b"&a [*a, *a]")),
    "alias": ("yaml-alias", below(b"x: *nothing\n")),
    "merge": ("yaml-merge-key", below(b"x: {<<: {a: 1}}\n")),
    "merge list": ("yaml-merge-key", below(b"<<: [{a: 1}, {b: 2}]\n")),
    "object tag": ("yaml-tag", below(b"x: !!python/name/os.system 'true'\n")),
    "local tag": ("yaml-tag", below(b"x: !include /etc/passwd\n")),
    "object tag with arguments": ("yaml-syntax", below(b"x: !!python/object/apply:os.system ['true']\n")),
    "verbatim tag": ("yaml-syntax", below(b"x: !<tag:example.org,2026:x> 1\n")),
    "tag directive": ("yaml-tag", around(b"%TAG !e! tag:example.org,2026:\n---\nx: !e!y 1\n")),
    "binary tag": ("yaml-tag", below(b"x: !!binary aGFoYQ==\n")),
    "set tag": ("yaml-tag", below(b"x: !!set {a, b}\n")),
    "deep flow list": ("yaml-bound", below(b"x: " + b"[" * 400_000)),
    "deep flow mapping": ("yaml-bound", below(b"x: " + b"{a: " * 100_000)),
    "deep mixed": ("yaml-bound", below(b"x: " + b"[{a: " * 100_000)),
    "deep block list": ("yaml-bound", below(b"x:\n" + b"- " * 200_000 + b"a\n")),
    "deep block mapping": ("yaml-bound", below(b"".join(b" " * depth + b"a:\n" for depth in range(200)))),
    "deep keys": ("yaml-key", below(b"? " * 100_000 + b"a\n")),
    "deep inside": ("yaml-bound", within(b"[" * 70 + b"]" * 70)),
    "closed deep": ("yaml-bound", below(b"x: " + b"[" * 65 + b"]" * 65 + b"\n")),
    "long plain": ("yaml-bound", below(b"x: " + b"a" * 70_000 + b"\n")),
    "long quoted": ("yaml-bound", below(b'x: "' + b"a" * 70_000 + b'"\n')),
    "long escaped": ("yaml-bound", below(b'x: "' + b"\\U0010ffff" * 70_000 + b'"\n')),
    "long literal": ("yaml-bound", below(b"x: |\n" + b"  a\n" * 40_000)),
    "long folded": ("yaml-bound", below(b"x: >\n" + b"  a\n" * 40_000)),
    "long inside": ("yaml-bound", within(b"[" + b"a" * 70_000 + b"]")),
    "long key": ("yaml-syntax", below(b'"' + b"a" * 70_000 + b'": 1\n')),
    "unclosed quote": ("yaml-syntax", below(b'x: "' + b"a " * 400_000)),
    "unclosed list": ("yaml-bound", below(b"x: [" + b"a," * 300_000)),
    "many keys": ("yaml-bound", below(b"x: {" + b",".join(b"k%d: 1" % key for key in range(60_000)) + b"}\n")),
    "many empty keys": ("yaml-bound", below(b"x: {" + b",".join(b"%d" % key for key in range(100_100)) + b"}\n")),
    "many items": ("yaml-bound", below(b"x: [" + b"a," * 100_100 + b"]\n")),
    "many empty lists": ("yaml-bound", below(b"x: [" + b"[]," * 100_100 + b"]\n")),
    "many items inside": ("yaml-bound", within(b"[" + b"a," * 100_100 + b"]")),
    "many wrong items": ("wrong-type", within(b"[" + b"1," * 12_000 + b"]")),
    "many wrong mappings": ("", within(b"[" + b"{a: 1}," * 4_000 + b"]")),
    "too many bytes": ("yaml-bound", below(b"#" * _MIB)),
    "too many lines": ("yaml-bound", below(b"\n" * (_MIB + 1))),
    "same key": ("yaml-duplicate-key", below(b"x: 1\nx: 2\n")),
    "same key deep": ("yaml-duplicate-key", below(b"x: {y: [{a: 1, a: 2}]}\n")),
    "same number": ("yaml-duplicate-key", below(b"x: {16: 1, 0x10: 2}\n")),
    "list as key": ("yaml-key", below(b"? [a, b]\n: 1\n")),
    "two documents": ("yaml-several-documents", below(b"---\nx: 1\n")),
    "many documents": ("yaml-several-documents", below(b"---\n" * 200_000)),
    "huge number": ("wrong-type", within(b"[" + b"9" * 60_000 + b", 1]")),
    "huge exponent": ("wrong-type", within(b"[1e999999999, 1]")),
    "huge hexadecimal": ("wrong-type", within(b"[0x" + b"f" * 900 + b", 0o" + b"7" * 900 + b"]")),
    "infinity": ("wrong-type", within(b"[.inf, -.inf, .nan, 1]")),
    "number for list": ("wrong-type", within(b"1e400")),
    "utf-16 without mark": ("yaml-encoding", recoded("utf-16-le")),
    "utf-32": ("yaml-encoding", recoded("utf-32-le", b"\xff\xfe\x00\x00")),
    "ebcdic": ("yaml-encoding", recoded("cp037")),
    "odd utf-16": ("yaml-encoding", lambda record, _: b"\xff\xfe" + record.decode().encode("utf-16-le") + b"x"),
    "half a pair": ("yaml-encoding", lambda record, _: b"\xff\xfe" + record.decode().encode("utf-16-le") + b"\x00\xd8\x20\x00"),
    "half a pair in utf-8": ("yaml-encoding", below(b"x: \xed\xa0\x80\n")),
    "half a pair escaped": ("yaml-syntax", below(b'x: "\\ud800"\n')),
    "overlong": ("yaml-encoding", below(b"x: \xc0\xaf\n")),
    "broken utf-8": ("yaml-encoding", below(b"x: \xff\n")),
    "nul": ("yaml-encoding", below(b"x: a\x00b\n")),
    "escape": ("yaml-encoding", below(b"x: \x1b[2J\n")),
    "tab for blanks": ("yaml-syntax", below(b"x:\n\ty: 1\n")),
    "nothing": ("yaml-no-document", lambda *_: b""),
    "only blanks": ("yaml-no-document", lambda *_: b" \n" * 1000),
    "scalar": ("record-not-a-mapping", lambda *_: b"a" * 1000),
    "list": ("record-not-a-mapping", lambda *_: b"- a\n" * 1000),
}  # fmt: skip
"""By name: the code that it is refused with (any, where that differs between kinds), and how it is made of an honest record."""


WIDE: Final = frozenset(
    ("many keys", "many empty keys", "many items", "many items inside", "many empty lists", "unclosed list")
)
"""What takes a while to count, and is counted before any kind is asked: one kind stands for all."""


def asked(kind: str) -> Iterator[str]:
    """The names of the documents that are read as this kind."""
    yield from (name for name in DOCUMENTS if name not in WIDE or kind == "changeset")


def read_all() -> Iterator[tuple[str, str, list[str], int, int]]:
    """Kind, name, codes, how many findings, and how long the longest message is, of each document as each kind."""
    for kind in HONEST:
        record = honest(kind)
        for name in asked(kind):
            found = judged(kind, DOCUMENTS[name][1](record, LISTS[kind]))
            longest = max((len(one.message) + len(one.where) for one in found), default=0)
            yield kind, name, sorted({one.code for one in found}), len(found), longest


def main() -> None:
    """Read everything within the limits."""
    taken = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, taken + ROOM))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    for told in read_all():
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
