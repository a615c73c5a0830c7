"""Words in which any change is told: they claim nothing by themselves, or say what kind of file was changed (evidraft).

A sentence that has only such words shares nothing with its evidence and invents nothing either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from guardrails.evidence.roles import Role
from guardrails.grounding.items import content

COMMONPLACE: Final = content(
    "new old existing former previous previously current currently before after still again instead also "
    "change changed unchanged nothing none something everything affects effect itself only both same each another other one "
    "entry section example line lines file files code behaviour behavior path place part way case step list word text value "
    "user users contributor contributors developer developers maintainers people reader project tool "
    "use used make made take taken get gives given keep kept become where while then longer here fragment"
)
"""The stems of words that no evidence has to have."""
DESCRIBED: Final[Mapping[Role, str]] = {
    Role.SOURCE: "",
    Role.TESTS: "test tests testing coverage case fixture covers checks expects asserts",
    Role.DOCUMENTATION: "documentation docs document guide manual page section readme news release notes",
    Role.DEPENDENCIES: "dependency dependencies package manifest requirement",
    Role.AUTOMATION: "automation ci continuous integration workflow build pipeline job check configuration settings",
    Role.GENERATED: "lock file generated dependency dependencies package",
}
"""What a file of each role may be called."""
