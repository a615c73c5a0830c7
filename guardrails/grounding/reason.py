"""Reasons: whether a text says why, and whether it says more than another one (Intent Changesets 6.5).

Tables of cues, no grammar: English in full; German, French, Spanish, Portuguese, Chinese and Japanese where it is cheap.
A reason without any cue is missed, and a cue in a poor sentence is taken for one; a repetition in synonyms is not seen.
"""

from __future__ import annotations

import re

from guardrails.wording.words import folded, phrases, stems

_PURPOSE_VERBS = (
    "avoid|prevent|ensure|make|keep|let|allow|enable|reduce|protect|stop|guard|support|help|save|limit|comply|match|satisfy|"
    "work around|stay|give|minimi[sz]e|improve|speed|simplify|ease|meet"
)
_REASON = phrases(
    # a cause or a purpose
    "because|so that|in order to|otherwise|due to",
    rf"to (?:{_PURPOSE_VERBS})",
    r"since (?!v?\d|version|then\b|release|january|february|march|april|may|june|july|august|september|october|"
    r"november|december)",
    r"(?:is |was |are |were )?caused by|causes|causing|(?:leads?|leading|led) to|result(?:s|ed|ing) in",
    r"(?:needed|required|necessary|useful|essential) (?:for|to|by|because|when)",
    r"(?:this|that|which|it) mean[st]|meaning that",
    r"for (?:better |backwards? |legal )?(?:compatibility|consistency|safety|security|compliance|performance|reasons?)",
    "the (?:problem|root cause|reason|motivation|goal|purpose|cause|culprit)",
    # what is made possible
    r"(?:makes?|making) (?:it |them )?(?:possible|impossible|easier|harder|difficult|hard|safe|safer)",
    r"(?:allows?|lets?|enables?|helps?) (?:users|customers|operators|people|clients|developers|consumers|us|you|them|the|a)",
    r"without (?:this|it|that|them)|matters?",
    # what went wrong
    r"fail(?:s|ed|ing)? (?:when|if|on|with|for|to|because|after|in|unless)",
    r"(?:crash|hang|freez|break|deadlock|timeout|leak)(?:s|es|ed)",
    "froze|broke|hung|timed out|threw|raised|stopped working|went missing",
    r"(?:is|was|are|were|got|been) (?:broken|missing|wrong|lost|ignored|too \w+|slow|impossible|confusing|misleading|dropped|"
    r"truncated|corrupted|rejected|incorrect|unsafe|insecure|vulnerable|stuck|stale|difficult|hard to \w+|silently \w+|"
    r"incomplete|inconsistent|duplicated|unable|not \w+)",
    r"(?:could|can|did|does|do|would|was|were|has|had)(?: ?not|n[’']t)|cannot|no way to|unable to",
    r"(?:lose|loses|lost|leave|leaves|left) (?!join|outer|to right|side|padding|margin)\w+",
    r"would (?:never|always|still|fail|break|silently|otherwise|have|be)",
    r"(?:bug|issue|problem|case|situation|error)s? (?:where|when|in which|that caused)",
    "at risk|at the risk|race condition|data loss|vulnerability|regression",
    "too (?:slow|many|much|long|large|strict|late|early|often|easy|hard)",
    # what it was like, or is no longer
    "used to|had to|by hand|even though|although|despite|previously|formerly|until now|up to now|hitherto",
    r"no longer (?:maintained|supported|needed|used|available|works?|receives?)|end[- ]of[- ]life|unmaintained",
    r"(?:has|have|had|was|were) (?:been )?(?:yanked|deprecated|discontinued|retired|abandoned|archived|withdrawn)",
    # who asks for it
    r"(?:users|customers|operators|people|clients|developers|consumers|admins|teams|callers|we|they) (?:\w+ )?"
    r"(?:report|reported|complain|complained|expect|expected|need|needed|want|wanted|had to|have to|asked|rely|depend|saw|see|"
    r"struggle)",
    # German, French, Spanish, Portuguese
    r"weil|damit|sonst|denn|um [^.!?\n]{1,80} zu \w+|wegen|aufgrund|führte? zu|schlägt fehl|schlug fehl",
    "konnten? nicht|ging verloren",
    r"parce que|car|afin (?:de|que|d)|pour (?:éviter|que|permettre|empêcher)|sinon|à cause|en raison|échouait|échoue",
    r"porque|para (?:evitar|que|permitir|impedir)|debido a|ya que|puesto que|de lo contrario|fallaba",
    "por causa|falhava|devido a|pois|já que",
)
_REASON_OPENING = re.compile(r"(?:prevent|avoid|stop|protect|guard|ensure)(?:s|es)?\s+\w+")
_HAN_REASON = re.compile(
    "因为|由于|为了|以便|以免|避免|防止|导致|否则|因此|原因|ため|ので|から|せいで|防ぐ|避ける|原因|によって|なければ|ように"
)
_NO_CHANGE = phrases(
    r"(?:this|it|that)(?: \w+)? (?:does|did|do)(?: not|n[’']t) (?:change|affect|alter|modify|touch|break|include|add)",
    "no functional changes?",
)


def gives_reason(text: str) -> bool:
    """Whether `text` says why: a cause, a purpose, what went wrong, what it is needed for; not only what was done."""
    plain = _NO_CHANGE.sub(" ", folded(text))
    return any((_REASON.search(plain), _REASON_OPENING.match(plain), _HAN_REASON.search(plain)))


def repeats(summary: str, rationale: str) -> bool:
    """Whether `rationale` says nothing beyond `summary`: no word of its own but form, order, case, marks and filling."""
    return stems(rationale) <= stems(summary)
