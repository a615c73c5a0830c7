"""The draft record tells what a draft rests on, and of what was withheld only that it was."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.agent.payments import MENDED, RECORD, Road, payments
from tests.repositories import GitFolder

EMBARGOED = RECORD.replace("resume-settlement-jobs", "hush-fix").replace(
    "state: public\n  not-before: null\n  policy: null", "state: embargoed\n  not-before: null\n  policy: security"
)


def _told(folder: GitFolder, road: Road, record: Path) -> list[str]:
    """All that one run says in its outputs: names of objects and places, digests and the random fence aside."""
    ran = road.draft(folder, "base..HEAD", "--record", str(record), json=True)
    shown, for_people = (road.draft(folder, "base..HEAD", "--dry-run", json=json_too) for json_too in (True, False))
    fence = re.compile(r"[0-9a-f]{32,}|" + re.escape(str(folder.path)))
    return [fence.sub("<>", text) for text in (ran.out, ran.err, record.read_text(), shown.out, for_people.out, for_people.err)]


@pytest.mark.requirement("AI-7", "IC-6.9")
def test_no_output_tells_how_much_is_withheld(tmp_path: Path, road: Road) -> None:
    told = []
    for count in (1, 4):
        folder = payments(tmp_path / str(count), None)
        folder.commit("chore(apps/worker): add a record", {".ack/changes/hush-fix.yaml": EMBARGOED})
        folder.git("tag", "base")
        for number in range(count):
            folder.commit(
                f"fix(apps/worker): hush {number}\n\nChangeset: hush-fix",
                {"apps/worker/guard.py": f"STEP_OF_THE_GUARD = {number}\n", f"apps/worker/{number}.py": "x = 1\n"},
            )
        folder.commit("fix(apps/worker): book each job once", {"apps/worker/settlement.py": MENDED})
        told.append(_told(folder, road, tmp_path / f"{count}.json"))
    assert told[0] == told[1]
    assert json.loads((tmp_path / "4.json").read_text())["withheld"] == [
        {"kind": "commit", "state": "embargoed"},
        {"kind": "record", "state": "embargoed"},
    ]
