"""Words in which any change is told: they claim nothing by themselves, or say what kind of file was changed (evidraft).

A sentence that has only such words shares nothing with its evidence and invents nothing either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from guardrails.evidence.model import Change, Content, FileChange
from guardrails.evidence.roles import Role, role
from guardrails.grounding.items import content

COMMONPLACE: Final = content(
    "new old existing former previous previously current currently before after still again instead also "
    "change changed unchanged nothing none something everything affects effect itself only both same each another other one "
    "entry section example line lines file files code behaviour behavior path place part way case step list word text value "
    "layout comment comments import imports "
    "user users contributor contributors developer developers maintainers people reader project tool "
    "what how many much during under over between through around about some more most less very well way back return returns "
    "feature fix bug ops docs improvement breaking release range three four five six seven eight nine ten eleven twelve "
    "stay stays remain remains work works working worked several few time times "
    "use used make made take taken get gives given keep kept become where while then longer here fragment"
)
"""The stems of words that no evidence has to have."""
MATTERS: Final = content("tool comment import layout fragment")
"""Those of them that a change may be about: where its evidence has one, a sentence with it shares a word with it."""
DESCRIBED: Final[Mapping[Role, str]] = {
    Role.SOURCE: "",
    Role.TESTS: "test tests testing coverage case fixture covers checks expects asserts",
    Role.DOCUMENTATION: "documentation docs document guide manual page section readme news release notes",
    Role.DEPENDENCIES: "dependency dependencies package manifest requirement",
    Role.AUTOMATION: "automation ci continuous integration workflow build pipeline job check configuration settings",
    Role.GENERATED: "lock file generated dependency dependencies package",
}
"""What a file of each role may be called."""
_CHANGED: Final[Mapping[Change, str]] = {
    Change.ADDED: "added new created introduced",
    Change.DELETED: "deleted removed gone dropped",
    Change.RENAMED: "renamed moved",
    Change.COPIED: "copied",
    Change.TYPE_CHANGED: "type changed replaced",
    Change.MODE_CHANGED: "mode permission executable changed",
}
_HELD: Final[Mapping[Content, str]] = {
    Content.BINARY: "binary image",
    Content.EMPTY: "empty",
    Content.SYMLINK: "symbolic link symlink",
    Content.SUBMODULE: "submodule",
    Content.LFS_POINTER: "git lfs large binary pointer",
}


def described(file: FileChange) -> str:
    """What may be said of a changed file without looking into it."""
    return " ".join((DESCRIBED[role(file.path)], _CHANGED.get(file.change, ""), _HELD.get(file.content, "")))
