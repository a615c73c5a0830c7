"""No accepted envelope has a ref outside the diff: random histories, a drafter that says anything, and git as judge."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from agent import pipeline
from agent.collecting.gathering import gather
from agent.collecting.request import Request
from agent.model.client import Model, Prompt, Reply
from agent.pipeline import Outcome, Pace, Terms
from agent.tasks import ENVELOPE
from guardrails.drafts.page import Heading
from guardrails.grounding.verdict import Accepted
from guardrails.redaction.secrets import SecretEngine
from tests.repositories import START, GitFolder

PATHS: Final = ("src/a.py", "src/b.py", "docs/c.md", "d")
TEXTS: Final = (
    *("It is so.",) * 8,
    "`{path}:{line}` is so.",
    "`{path}:{line}-{more}` is so.",
    "`{path}` is so.",
    "`{word}` comes.",
)
HUNK: Final = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)

Edit = tuple[str, list[str] | None]
"""A path, and its lines from now on; None where it goes."""
EDITS: Final = st.lists(
    st.tuples(st.sampled_from(PATHS), st.one_of(st.none(), st.lists(st.sampled_from("uvwxyz"), max_size=24))),
    min_size=1,
    max_size=4,
)
HISTORIES: Final = st.lists(EDITS, min_size=2, max_size=4)


def built(place: Path, history: Sequence[Sequence[Edit]]) -> GitFolder:
    """A bare repository with one commit for each step, out of one stream."""
    folder = GitFolder.init(place, "--bare")
    there: set[str] = set()
    stream = list[str]()
    for number, edits in enumerate(history):
        message = f"feat: Step {number}\n"
        stream += ["commit refs/heads/main", f"committer A <a@b.cd> {START + number} +0000", f"data {len(message)}", message]
        for path, lines in edits:
            if lines is not None:
                text = "".join(f"{line}\n" for line in lines)
                stream += [f"M 100644 inline {path}", f"data {len(text)}", text]
                there.add(path)
            elif path in there:
                stream.append(f"D {path}")
                there.discard(path)
    folder.git("fast-import", "--quiet", given="\n".join((*stream, "")).encode())
    return folder


@dataclass
class Reckless(Model):
    """A drafter that names each change by its own words, and writes a page of anything on the authority of anything."""

    random: Random
    name: str = "reckless"
    reads_evidence: bool = False
    cited: set[str] = field(default_factory=set)

    async def draft(self, prompt: Prompt) -> Reply:
        """Answer every request."""
        return Reply(json.dumps({"fields": [self._said(one.field, one.sources) for one in prompt.requests]}))

    def _said(self, where: str, sources: Sequence[str]) -> dict[str, object]:
        if where.endswith("detail_md"):
            told = [self._sentence(sources) for _ in range(self.random.randint(1, 3))]
        else:
            stop = "." if where.endswith("medium_md") else ""
            first = next(item for item in sources if item.startswith("C"))
            told = [{"text": f"Step {int(first[1:])}{stop}", "evidence": [first]}]
        return {"field": where, "sentences": told}

    def _sentence(self, sources: Sequence[str]) -> dict[str, object]:
        line = self.random.randint(1, 24)
        named = {"path": self.random.choice(PATHS), "line": line, "more": line + self.random.randint(0, 9)}
        text = self.random.choice(TEXTS).format(word=self.random.choice("uvwxyz"), **named)
        places = [item for item in sources if item[0] in "FH"] or list(sources)
        anything = [*places * 9, *sources, f"H{self.random.randint(1, 40)}"]
        evidence = list(dict.fromkeys(self.random.choices(anything, k=self.random.randint(1, 2))))
        return {"text": text, "evidence": evidence, "heading": Heading.CHANGED.value}


def drafted(folder: GitFolder, engine: SecretEngine, random: Random, shape: str) -> Outcome:
    """Everything but the first commit, described by that drafter."""
    answers = ("operation.repository=acme/widgets",)
    wanted = Request(
        folder.path,
        "main~{}..main".format(int(folder.git("rev-list", "--count", "main")) - 1),
        describes=True,
        needs_profile=False,
        shape=shape,
        answers=answers,
        environ={},
    )
    run = gather(wanted)
    return asyncio.run(pipeline.draft(ENVELOPE, run.evidence, Terms.of(run, engine), Reckless(random), Pace(repairs=0)))


# Git as judge


@dataclass(frozen=True)
class Judge:
    """What git says of a range, asked anew for every reference."""

    folder: GitFolder
    base: str
    head: str

    def faults(self, ref: dict[str, str]) -> Iterator[str]:
        """Why a reference is wrong; nothing where it is right."""
        path, sha = ref["path"], ref["sha"]
        is_gone = ref.get("note") == "removed"
        steps = [(before, after) for before, after in self._steps() if sha == (before if is_gone else after)]
        if not steps:
            yield "it is at no commit of the range"
        lines = self._lines(sha, path)
        if lines is None:
            yield "the path is not there"
            return
        changed = [run for step in steps for run in self._changed(*step, path, old=is_gone)]
        if not changed:
            yield "nothing of it changed"
        if "range" in ref:
            first, _, last = ref["range"].partition("-")
            span = (int(first), int(last or first))
            if not 1 <= span[0] <= span[1] <= max(lines, 1):
                yield "the lines are not there"
            if not any(run[0] <= span[1] and span[0] <= run[1] for run in changed):
                yield "none of the lines changed"

    def _steps(self) -> list[tuple[str, str]]:
        told = self.folder.git("rev-list", "--parents", f"{self.base}..{self.head}").decode().split("\n")
        pairs = [tuple(line.split()) for line in told if line]
        return [(self.base, self.head), *((one[1], one[0]) for one in pairs)]

    def _lines(self, sha: str, path: str) -> int | None:
        listed = self.folder.git("ls-tree", sha, "--", path)
        return len(self.folder.git("show", f"{sha}:{path}").splitlines()) if listed else None

    def _changed(self, before: str, after: str, path: str, *, old: bool) -> list[tuple[int, int]]:
        """The changed lines of a path on one side, those around a gap among them; (0, 0) where it changed without any."""
        told = self.folder.git("diff", "--no-renames", "-U0", before, after, "--", path)
        runs = []
        for match in HUNK.finditer(told):
            start, count = (int(part or 1) for part in (match.groups()[:2] if old else match.groups()[2:]))
            count = 0 if (match[2] if old else match[4]) == b"0" else count
            runs.append((start, start + count - 1) if count else (start, start + 1))
        return runs or ([(0, 0)] if told else [])


def refs(envelope: dict[str, Any]) -> list[dict[str, str]]:
    changes = [envelope["change"]] if "change" in envelope else envelope["items"]
    return [ref for change in changes for ref in change["refs"]]


@pytest.mark.requirement("DC-07", "DC-09", "DC-10", "DC-11", "DC-13")
@settings(max_examples=40)
@given(history=HISTORIES, random=st.randoms(use_true_random=False), shape=st.sampled_from(["single", "itemized"]))
def test_no_accepted_envelope_has_a_ref_that_git_does_not_confirm(
    engine: SecretEngine, history: list[list[Edit]], random: Random, shape: str
) -> None:
    with TemporaryDirectory() as place:
        folder = built(Path(place), history)
        outcome = drafted(folder, engine, random, shape)
        event(type(outcome.verdict).__name__)
        if isinstance(outcome.verdict, Accepted):
            selection = outcome.evidence.bundle.selection
            assert selection.base is not None
            assert selection.head is not None
            judge = Judge(folder, selection.base, selection.head)
            told: Any = outcome.verdict.draft.record()
            assert [(ref, fault) for ref in refs(told) for fault in judge.faults(ref)] == []
            assert all(change["refs"] for change in ([told["change"]] if "change" in told else told["items"]))


def test_the_judge_knows_a_wrong_reference_from_a_right_one(tmp_path: Path) -> None:
    folder = built(tmp_path, [[("src/a.py", list("uvwxyz"))], [("src/a.py", list("uvwxyzz")), ("d", ["u"])]])
    judge = Judge(folder, folder.oid("main~1"), folder.oid("main"))
    right = {"path": "src/a.py", "range": "7", "sha": folder.oid("main")}
    assert list(judge.faults(right)) == []
    wrong = [{"range": "3"}, {"range": "7-9"}, {"path": "src/b.py"}, {"sha": folder.oid("main~1")}, {"note": "removed"}]
    assert [one for one in wrong if not list(judge.faults({**right, **one}))] == []
