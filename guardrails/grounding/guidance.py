"""Guidance and filler: whether a migration text can be acted on (Intent Changesets 6.6).

Tables of English phrases; another language gets the benefit of the doubt.
"""

from __future__ import annotations

import re

from guardrails.wording.words import folded, phrases, words

_FILLER = re.compile(
    r"(?:none|no|n/?a|nil|null|nothing|not? (?:applicable|needed|required|necessary)|unknown|yes|tbd|tba|todo|fixme|pending|"
    r"no (?:migration|action|steps?|changes?)(?: (?:is|are))?(?: ?(?:needed|required|necessary))?|"
    r"migration(?: is)?(?: (?:needed|required))?|(?:this is a )?breaking(?: change)?|self[- ]evident|keine?|"
    r"nichts|aucune?|ninguna?|nenhuma?|无|なし|"
    r"(?:please )?(?:see|check|refer to|cf|consult|read)(?: also)?(?: the| our| this)? (?:diff|docs?|documentation|changelog|"
    r"commits?|code|pr|pull request|release notes|readme|above|below|issue|ticket|description))"
)
_STEPS = words(
    "adapt add adjust after allow apply avoid before build call can cast catch change check choose clear close compile",
    "configure contact convert copy create declare define delete deploy disable downgrade drop edit enable ensure escape",
    "exclude export extend fetch follow give grant handle implement import include install instead invoke keep leave link map",
    "may merge migrate move must name open override pass pause pick pin please point prefer provide pull push put quote",
    "rebuild reconfigure recreate redeploy regenerate reinstall remove rename renamed renames replace replaced replaces",
    "request rerun reset restart resume review revoke rewrite rotate run save select set should sign specify split start stop",
    "subclass switch sync uninstall unset update upgrade use verify wait wrap write",
)
_GUIDANCE = phrases(
    *sorted(_STEPS),
    r"need(?:s|ed)? to|ha(?:s|ve) to|make sure|do not|don[’']t|back up|turn (?:on|off)|opt (?:in|out)",
    r"re-run|re-?create|re-?index|re-?encrypt",
    "it is enough|no longer need",
)
_PLAIN_ENGLISH = phrases("the|is|are|was|were|of|and|no|not|has|have|this|that|with|now|will|it")


def is_actionable(text: str) -> bool:
    """Whether `text` guides somebody who migrates: no filler, and something to do. An unread language gets the benefit."""
    plain = folded(text).strip(".!:;,()-–— ")
    if not any(character.isalnum() for character in plain) or _FILLER.fullmatch(plain):
        return False
    return "`" in plain or _GUIDANCE.search(plain) is not None or _PLAIN_ENGLISH.search(plain) is None
