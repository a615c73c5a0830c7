"""Faults in the structure of an honest envelope: references, relations, kind and operation, one fault each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from evals.honest import Envelope, Fault, Honest, ends, refs
from evals.selecting import git

KINDS = ("feature", "bug_fix", "improvement", "security", "ops", "docs", "breaking")
_PLACE = re.compile(r"`([^`\s:]+):(\d+(?:-\d+)?)`")


def _path(honest: Honest) -> Iterator[Envelope]:
    for number, ref in refs(honest):
        folder, slash, name = ref["path"].rpartition("/")
        yield honest.with_ref(number, path=f"{folder}{slash}{name[:1]}z{name[1:]}")


def _path_case(honest: Honest) -> Iterator[Envelope]:
    for number, ref in refs(honest):
        yield honest.with_ref(number, path=ref["path"].swapcase())


def _unchanged_file(honest: Honest) -> Iterator[Envelope]:
    known = git(honest.repository, "ls-tree", "-r", "--name-only", honest.commit).split("\n")
    others = [path for path in known if path and path not in honest.hunks and path not in honest.printed]
    for number, _ in refs(honest):
        if others:
            yield honest.with_ref(number, path=honest.chance.choice(others))


def _other_changed_file(honest: Honest) -> Iterator[Envelope]:
    for number, ref in refs(honest):
        first, last = ends(ref["range"])
        others = [path for path in honest.hunks if not (honest.is_shown(path, first) and honest.is_shown(path, last))]
        if others:
            yield honest.with_ref(number, path=honest.chance.choice(others))


def _beyond_file(honest: Honest) -> Iterator[Envelope]:
    for number, ref in refs(honest):
        line = honest.lines(ref["path"]) + honest.chance.randrange(5, 500)
        yield honest.with_ref(number, range=str(line))


def _outside_hunks(honest: Honest) -> Iterator[Envelope]:
    for number, ref in refs(honest):
        free = [line for line in range(1, honest.lines(ref["path"])) if not honest.is_shown(ref["path"], line)]
        if free:
            yield honest.with_ref(number, range=str(honest.chance.choice(free)))


def _reversed(honest: Honest) -> Iterator[Envelope]:
    for number, ref in refs(honest):
        first, last = ends(ref["range"])
        yield honest.with_ref(number, range=f"{last + (first == last)}-{first}")


def _old_side(honest: Honest) -> Iterator[Envelope]:
    """The pre-change lines of the hunk that a reference lies in, where the numbers differ."""
    for number, ref in refs(honest):
        first, _ = ends(ref["range"])
        for hunk in honest.hunks.get(ref["path"], ()):
            moved = hunk.new[0] != hunk.old[0] and hunk.old[1] >= hunk.old[0]
            if hunk.new[0] <= first <= hunk.new[1] and moved:
                yield honest.with_ref(number, range=f"{hunk.old[0]}-{hunk.old[1]}")


def _without_path(honest: Honest) -> Iterator[Envelope]:
    for number, _ in refs(honest):
        yield honest.with_ref(number, path=None)


def _sha_digit(honest: Honest) -> Iterator[Envelope]:
    for number, ref in refs(honest):
        yield honest.with_ref(number, sha=f"{ref['sha'][:-1]}{'0' if ref['sha'][-1] != '0' else '1'}")


def _foreign_sha(honest: Honest) -> Iterator[Envelope]:
    others = git(honest.repository, "rev-list", "--max-count=400", "HEAD").split()
    near = (honest.commit, *git(honest.repository, "rev-list", "--parents", "--max-count=1", honest.commit).split())
    for number, _ in refs(honest):
        yield honest.with_ref(number, sha=honest.chance.choice([one for one in others if one not in near])[:10])


def _parent_sha(honest: Honest) -> Iterator[Envelope]:
    parent = git(honest.repository, "rev-parse", f"{honest.commit}^").strip()
    for number, _ in refs(honest):
        yield honest.with_ref(number, sha=parent[:10])


def _note(honest: Honest) -> Iterator[Envelope]:
    notes = ("retry budget of the nightly scheduler", "password reset mail for tenants", "cache eviction under memory pressure")
    for number, _ in refs(honest):
        yield honest.with_ref(number, note=honest.chance.choice(notes))


def _removed_note(honest: Honest) -> Iterator[Envelope]:
    for number, _ in refs(honest):
        yield honest.with_ref(number, note="removed")


def _no_refs(honest: Honest) -> Iterator[Envelope]:
    yield honest.changed(refs=[])


def _no_detail(honest: Honest) -> Iterator[Envelope]:
    yield honest.changed(detail_md=None)


def _ticket(honest: Honest) -> Iterator[Envelope]:
    for value in ("#99731", "ZQX-412", "https://github.com/acme/widgets/issues/99731"):
        yield honest.with_relation(ticket=value)


def _wrong_key(honest: Honest) -> Iterator[Envelope]:
    """What is cited as one thing, told as another."""
    relations = honest.change["relations"]
    for key, other in (("ticket", "request"), ("request", "ticket")):
        if relations[key] and relations[other] is None:
            yield honest.with_relation(**{other: relations[key], key: None})


def _request(honest: Honest) -> Iterator[Envelope]:
    number = honest.change["relations"]["request"]
    yield honest.with_relation(request=f"{number}7" if number else "#99731")


def _reporter(honest: Honest) -> Iterator[Envelope]:
    author = git(honest.repository, "show", "--no-patch", "--format=%an", honest.commit).strip().split(" ")[0]
    yield honest.with_relation(reporter="octocat")
    if author.isascii() and author.isalnum():
        yield honest.with_relation(reporter=author)


def _not_citable(honest: Honest) -> Iterator[Envelope]:
    yield honest.with_relation(ticket="none")
    yield honest.with_relation(request="")


def _relation_missing(honest: Honest) -> Iterator[Envelope]:
    relations = dict(honest.change["relations"])
    relations.pop(honest.chance.choice(sorted(relations)))
    yield honest.changed(relations=relations)


def _operation(**fields: str) -> Fault:
    def fault(honest: Honest) -> Iterator[Envelope]:
        yield {**honest.envelope, "operation": {**honest.envelope["operation"], **fields}}

    return fault


def _kind(kind: str) -> Fault:
    def fault(honest: Honest) -> Iterator[Envelope]:
        if honest.change["kind"] != kind:
            yield honest.changed(kind=kind)

    return fault


def _kind_outside(honest: Honest) -> Iterator[Envelope]:
    yield honest.changed(kind="fix")


def _detail_path(honest: Honest) -> Iterator[Envelope]:
    for match in _some_places(honest):
        yield _in_detail(
            honest, match.start(1), match.end(1), match[1].replace("/", "/zq", 1) if "/" in match[1] else f"zq/{match[1]}"
        )


def _detail_range(honest: Honest) -> Iterator[Envelope]:
    for match in _some_places(honest):
        yield _in_detail(honest, match.start(2), match.end(2), str(honest.lines(match[1]) + 40))


def _detail_unplaced(honest: Honest) -> Iterator[Envelope]:
    """A list item without the places that stand beside its claim."""
    lines = honest.change["detail_md"].split("\n")
    items = [number for number, line in enumerate(lines) if line.startswith("- ") and _PLACE.search(line)]
    for number in honest.chance.sample(items, min(2, len(items))):
        bare = re.sub(r"\s*\(\s*\)", "", _PLACE.sub("", lines[number][2:])).strip(" —,")
        yield honest.changed(detail_md="\n".join((*lines[:number], f"- {bare}", *lines[number + 1 :])))


def _some_places(honest: Honest) -> Iterator[re.Match[str]]:
    found = [match for match in _PLACE.finditer(honest.change["detail_md"]) if match[1] in honest.hunks]
    yield from honest.chance.sample(found, min(2, len(found)))


def _in_detail(honest: Honest, start: int, end: int, text: str) -> Envelope:
    detail = honest.change["detail_md"]
    return honest.changed(detail_md=f"{detail[:start]}{text}{detail[end:]}")


FAULTS: Mapping[str, tuple[Fault, frozenset[str]]] = {
    name: (fault, frozenset(codes.split()))
    for name, fault, codes in (
        ("ref: path", _path, "ref-path-unchanged"),
        ("ref: path in another case", _path_case, "ref-path-unchanged"),
        ("ref: a file that is not changed", _unchanged_file, "ref-path-unchanged"),
        ("ref: another changed file", _other_changed_file, "ref-range-outside"),
        ("ref: beyond the file", _beyond_file, "ref-range-outside"),
        ("ref: outside the hunks", _outside_hunks, "ref-range-outside"),
        ("ref: range turned round", _reversed, "ref-range"),
        ("ref: range of the old side", _old_side, "ref-range-outside ref-range-unchanged"),
        ("ref: range without path", _without_path, "range-without-path"),
        ("ref: digit of the sha", _sha_digit, "ref-sha-foreign"),
        ("ref: sha of another commit", _foreign_sha, "ref-sha-foreign"),
        ("ref: sha of the parent", _parent_sha, "ref-sha-elsewhere"),
        ("ref: wrong note", _note, "claim-unsupported"),
        ("ref: living file as removed", _removed_note, "removal-untrue"),
        ("detail without refs", _no_refs, "detail-without-refs"),
        ("refs without detail", _no_detail, "refs-without-detail"),
        ("detail: path of a place", _detail_path, "ref-path-unchanged"),
        ("detail: lines of a place", _detail_range, "ref-range-outside"),
        ("detail: claim without its place", _detail_unplaced, "claim-without-ref"),
        ("relation: ticket invented", _ticket, "relation-uncited"),
        ("relation: under the wrong key", _wrong_key, "relation-uncited"),
        ("relation: request number", _request, "relation-uncited"),
        ("relation: reporter invented", _reporter, "relation-uncited"),
        ("relation: a word for nothing", _not_citable, "relation-not-citable"),
        ("relation: a key missing", _relation_missing, "relations-incomplete"),
        ("operation: id", _operation(id="0a1b2c3"), "operation-differs"),
        ("operation: repository", _operation(repository="acme/gadgets"), "operation-differs"),
        ("operation: type", _operation(type="range"), "operation-differs"),
        ("kind: outside the seven", _kind_outside, "kind-outside-seven"),
        *((f"kind: {kind}", _kind(kind), "kind-unsupported") for kind in KINDS),
    )
}
"""What is planted, by name, and the codes that are right for it."""
