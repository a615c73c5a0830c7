"""Placeholders: texts that stand for words that are not there (Intent Changesets 6.4; Describe Changes: degraded output)."""

from __future__ import annotations

import re

from guardrails.wording.words import folded

_FIELD = "summary|rationale|description|title|migration|reason|message|text|details?|explanation|body|placeholder"
_BARE = "sentence|file|hunk|diff|patch|changes?|commit|item|evidence|reply|field|heading|example"
"""What a text may be of, and does not say anything by itself."""
_ELSEWHERE = (
    "diff|patch|code|changes?|commits?|commit messages?|prs?|pull requests?|merge requests?|description|title|changelog|"
    "release notes|issue|ticket|above|below"
)
_PLACEHOLDER = re.compile(
    r"(?:todo|tbd|tba|fixme|xxx|\?+|\.\.|-+|n/?a|lorem ipsum\b.*|"
    r"\.{2,}[^.]{1,80}\.\.|"
    r"to be (?:done|written|determined|added|filled in)|coming soon|same as (?:the )?(?:title|summary|above)|"
    r"\(?no (?:commit )?(?:description|summary|rationale|message|title|details?)(?: was| were| is| are)?"
    r"(?: provided| given| available)?\)?|"
    r"(?:the |no )?(?:diff|patch)(?: is| was)?(?: not available| unavailable| available)|"
    r"(?:for (?:more )?(?:details?|information),? )?(?:please )?(?:see|refer to|check|consult|read|look at)"
    rf"(?: the| this)?(?: full| attached| linked| original)? (?:{_ELSEWHERE})(?: for (?:more )?(?:details?|information))?|"
    rf"(?:{_FIELD})(?: goes)?(?: here)?|"
    rf"(?:an?|the|one|another|some) (?:new |short )?(?:{_FIELD}|{_BARE})(?: goes)?(?: here)?|"
    rf"(?:insert|enter|write|add|your) (?:your |a |the )?(?:{_FIELD})(?: here)?)[.!: ]*"
)
_CODE = re.compile(r"`[^`]*`")
_MARKER = re.compile(r"(?:todo|tbd|fixme|xxx)\s*(?::|-\s|\()")
_TEMPLATE = re.compile(
    rf"\{{\{{[^{{}}\n]{{0,80}}\}}\}}|<(?:your |the |a |insert |commit |short |long )?(?:{_FIELD})(?: here)?>|"
    r"\[(?:insert|your|add)[ _][^\[\]\n]{1,60}\]|"
    r"(?<![\w\]])\[(?:[a-z]+[ _]){1,3}(?:name|date|version|number|description)\](?![(\[:])"
)


def is_placeholder(text: str) -> bool:
    """Whether `text` stands for words that are not there: a marker, a template token, a hint to look elsewhere."""
    plain = folded(text)
    return any((_PLACEHOLDER.fullmatch(plain), _MARKER.match(plain), _TEMPLATE.search(_CODE.sub("`", plain))))
