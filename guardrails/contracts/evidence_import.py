"""From a report of tests to evidence: of a run that began after it was prepared, in files that are known (Change Contracts:
evidence).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo

from pydantic import ValidationError

from guardrails.contracts.evidence_envelope import Envelope, Preparation, moment, told
from guardrails.contracts.test_reports import READERS, Outcome, Places, Report, ReportFault, Run
from guardrails.digests import sha256


def envelope(
    data: bytes,
    preparation: Preparation,
    paths: Iterable[str],
    captured: datetime,
    zone: tzinfo,
    *,
    texts: Mapping[str, str] | None = None,
) -> Envelope:
    """The evidence that a report is, of a run that was prepared; `paths` and `texts` are those of the project.

    A time without a zone is of UTC or of `zone`: runners write either. What passed in a file that the inventory does not have
    is inconclusive, for nobody knows what that file holds.

    Raises:
        ReportFault: the report is refused, of another kind than was prepared, or of a run at another time.
    """
    reader = READERS.get(preparation.runner.name)
    if reader is None:
        raise ReportFault(f"got a preparation for {preparation.runner.name[:100]}, expected one of: {', '.join(READERS)}")
    places = Places(preparation.project_root, frozenset(paths), texts or {})
    report = reader(data, places)
    said = {
        **preparation.model_dump(by_alias=True, include={"subject", "revision", "contract_digest", "runner", "prepared_at"}),
        "startedAt": told(_started(report, moment(preparation.prepared_at), captured, zone)),
        "capturedAt": told(captured),
        "artifactDigest": sha256(data),
        "success": report.success,
        "tests": [_ran(run, places) for run in sorted(report.runs, key=lambda run: (run.file, run.scenario))],
    }
    try:
        return Envelope.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        raise ReportFault(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _started(report: Report, prepared: datetime, captured: datetime, zone: tzinfo) -> datetime:
    """When the run began. Some reports have whole seconds: within that of the preparation it counts as after it."""
    began = report.started
    readings = [began] if began.tzinfo else [began.replace(tzinfo=UTC), began.replace(tzinfo=zone)]
    earliest = prepared if began.microsecond else prepared.replace(microsecond=0)
    fitting = [reading for reading in readings if earliest <= reading <= captured]
    if not fitting:
        when = "before it was prepared" if readings[0] < earliest else "after now"
        raise ReportFault(f"the run began {when}: at {began.isoformat()}, prepared at {told(prepared)}")
    return max(fitting[0], prepared)


def _ran(run: Run, places: Places) -> dict[str, str | None]:
    is_unknown = run.outcome is Outcome.PASSED and run.file not in places.paths
    outcome = Outcome.INCONCLUSIVE if is_unknown else run.outcome
    return {"file": run.file, "scenario": run.scenario, "title": run.title or None, "status": outcome.value}
