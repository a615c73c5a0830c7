"""Guidance and filler: whether a migration text can be acted on, and whether a text stands for words that are not there
(Intent Changesets 6.6). Tables of English phrases; another language gets the benefit of the doubt.
"""

from __future__ import annotations

import re

from guardrails.grounding.wording import folded, phrases

_FILLER = re.compile(
    r"(?:none|no|n/?a|nil|null|nothing|not? (?:applicable|needed|required|necessary)|unknown|yes|tbd|tba|todo|fixme|pending|"
    r"no (?:migration|action|steps?|changes?)(?: (?:is|are))?(?: ?(?:needed|required|necessary))?|"
    r"migration(?: is)?(?: (?:needed|required))?|(?:this is a )?breaking(?: change)?|self[- ]evident|keine?|"
    r"nichts|aucune?|ninguna?|nenhuma?|无|なし|"
    r"(?:please )?(?:see|check|refer to|cf|consult|read)(?: also)?(?: the| our| this)? (?:diff|docs?|documentation|changelog|"
    r"commits?|code|pr|pull request|release notes|readme|above|below|issue|ticket|description))"
)
_GUIDANCE = phrases(
    r"must|should|need(?:s|ed)? to|ha(?:s|ve) to|please|instead|before|after|replace[sd]?|rename[sd]?|run|rerun|"
    r"re-run|set|unset|"
    r"use|move|upgrade|update|install|uninstall|add|remove|delete|change|switch|migrate|call|pass|configure|"
    r"reconfigure|enable|disable|"
    r"export|import|regenerate|rebuild|restart|redeploy|edit|convert|drop|stop|start|pin|back up|apply|create|"
    r"adjust|adapt|recreate|copy|name|specify|provide|define|declare|give|wrap|cast|write|choose|select|pick|keep|leave|allow|"
    r"grant|revoke|request|review|put|include|exclude|invoke|implement|override|extend|subclass|downgrade|fetch|pull|push|"
    r"build|compile|deploy|wait|turn (?:on|off)|open|close|save|sign|contact|follow|prefer|avoid|opt (?:in|out)|catch|handle|"
    r"merge|split|rewrite|reinstall|rerun|re-?create|re-?index|re-?encrypt|sync|quote|escape|point|map|link|pause|resume|"
    r"rotate|reset|clear|check|verify|ensure|make sure|do not|don[’']t|can|may|it is enough|no longer need",
)
_PLAIN_ENGLISH = phrases("the|is|are|was|were|of|and|no|not|has|have|this|that|with|now|will|it")


def is_actionable(text: str) -> bool:
    """Whether `text` guides somebody who migrates: no filler, and something to do. An unread language gets the benefit."""
    plain = folded(text).strip(".!:;,()-–— ")
    if not any(character.isalnum() for character in plain) or _FILLER.fullmatch(plain):
        return False
    return "`" in plain or _GUIDANCE.search(plain) is not None or _PLAIN_ENGLISH.search(plain) is None


_PLACEHOLDER = re.compile(
    r"(?:todo|tbd|tba|fixme|xxx|\?+|…+|\.{2,}|-+|n/?a|lorem ipsum\b.*|"
    r"\(?no (?:commit message|description|summary|rationale|message|title)(?: was)?(?: provided| given)?\)?|"
    r"(?:please )?(?:see|refer to|check)(?: the)? (?:diff|code|commits?|pr|pull request|"
    r"description)(?: for (?:more )?details?)?|"
    r"(?:summary|rationale|description|title|migration|reason|text|placeholder)(?: goes)?(?: here)?|"
    r"(?:insert|enter|write|add|your) (?:your |a |the )?(?:summary|rationale|description|title|migration|reason|"
    r"text)(?: here)?)[.!: ]*"
)
_MARKER = re.compile(r"(?:todo|tbd|fixme|xxx)\s*(?::|-\s|\()")
_TEMPLATE = re.compile(
    r"\{\{[^{}\n]{0,80}\}\}|<(?:your |the |a |insert |commit )?"
    r"(?:summary|rationale|description|title|migration|reason|message|text|placeholder)(?: here)?>|\[(?:insert|"
    r"your|add) [^\[\]\n]{1,60}\]"
)


def is_placeholder(text: str) -> bool:
    """Whether `text` stands for words that are not there: a marker, a template token, a hint to look elsewhere."""
    plain = folded(text)
    outside_code = re.sub(r"`[^`]*`", "`", plain)
    return any((_PLACEHOLDER.fullmatch(plain), _MARKER.match(plain), _TEMPLATE.search(outside_code)))
