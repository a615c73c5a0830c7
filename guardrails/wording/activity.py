"""Mere activity: texts that tell what was done to the code and name no result (Intent Changesets 6.4).

Tables of words, no grammar: English in full, one line each for German, French, Spanish and Portuguese, and what is cheap of
Chinese and Japanese.
An activity told in words of its own is missed: the tables let an honest sentence through rather than catch every poor one.
A dependency brought to a version is a release fact; one that is only updated, without a version, is an activity.
"""

from __future__ import annotations

import re
import unicodedata

from guardrails.wording.words import STOPWORDS, phrases, words


def _opening(*alternatives: str) -> re.Pattern[str]:
    """A pattern for texts that begin with any of `alternatives`."""
    return re.compile("|".join(alternatives))


_TOUCHING = words(
    "adapt adjust adjusted bump bumps bumped change changes changed clean cleans cleaned cleanup cleanups combination",
    "combine combined combines consolidate consolidated consolidates edit edited edits enhance extract format formatted",
    "improve improved improvements inline lint linted modified modify move moved optimise optimize polish prepare prepared",
    "prepares refactor refactored refactoring refactors reformat refresh regenerate reorder reorganise reorganize",
    "restructure rework reworked rewrite simplification simplify split sync tidy touch trigger triggers tweak tweaked",
    "tweaks up update updated updates upgrade upgraded upgrades",
    "aktualisiere aktualisieren aktualisiert angepasst anpassen aufräumen geändert refaktoriere ändere ändern überarbeiten",
    "überarbeitet",
    "jour mettre mise modifie modifier nettoyage nettoyer refactoriser",
    "actualiza actualizar limpiar limpieza modificar refactorizar",
    "atualiza atualizar limpar limpeza refatorar",
)
"""The code was handled: with such a verb even a name in code says nothing that a consumer meets."""
_EFFECTING = words(
    "add added adding adds address addressed addresses applied apply bugfix continue correct corrected create delete",
    "deleted deletes disable do done drop enable extend finish fix fixed fixes fixing handle hotfix implement",
    "implementation implemented implements increase introduce make merge merged remove removed removes rename renamed",
    "repair resolve resolved revert run start try use work write",
    "beheben behebe behoben entferne entfernen ergänze ergänzen hinzufügen korrigiere korrigieren",
    "ajoute ajouter corrige corriger supprimer",
    "agregar arreglar añadir corregir eliminar",
    "adicionar remover",
)
"""Something came, went or was mended: what it was may be a result, when its name is said."""
_INTERNAL = words(
    "code codebase file files source sources stuff thing things",
    "coverage e2e failed failing flaky integration spec specs test testing tests unit unittest unittests",
    "annotation annotations black clippy eslint flake8 formatting gofmt hint hints import imports indentation isort linter",
    "linting lints mypy prettier pylint rubocop ruff rustfmt style styling type types typing whitespace",
    "dep dependencies dependency deps latest lock lockfile package packages version versions",
    "changelog comment comments doc docs docstring docstrings documentation grammar newsfile newsfiles newsfragment",
    "newsfragments readme spelling typo typos wording",
    "feedback nit nits remark remarks requested review reviews suggestion suggestions",
    "autofix autofixes autoupdate build builds cd ci config configs configuration gitignore ops pipeline script scripts",
    "settings workflow workflows",
    "class classes constant constants function functions helper helpers internals logic method methods module modules",
    "naming structure util utility utilities utils variable variables",
    "bug bugs conflict conflicts error errors issue issues problem problems todo todos warning warnings",
    "amend branch branches checkpoint commit commits develop draft fixup main master mr mrs patch pr pre progress project",
    "prs pull repo repository request requests snapshot squash wip",
    "chore feat feature features perf",
    "again all broken dead duplicate duplicated everything few final first forgotten initial junk last little minor misc",
    "miscellaneous missing more necessary needed new next now obsolete old other own quick redundant separate several small",
    "some temp temporary tmp trivial unnecessary unused various",
    "abhängigkeiten datei dateien fehler kleinigkeiten kommentare quellcode",
    "dépendances erreur erreurs fichier fichiers",
    "archivo archivos código dependencias errores pruebas",
    "arquivo arquivos dependências erros testes",
)
"""What every code base has, and words that say no more of it."""
_ACTIVITY = _TOUCHING | _EFFECTING | _INTERNAL | STOPWORDS
_UPKEEP = words(
    "coverage dependencies deps docstring docstrings formatting imports lint linter linting test tests typo typos",
    "whitespace",
)
"""What is kept up whatever a place is named for it."""
_ALONG = _UPKEEP | words(
    "autofix autoupdate black build changelog ci comment comments conflict conflicts doc docs documentation eslint feedback",
    "flake8 format formatted isort mypy newsfile newsfiles newsfragment newsfragments nit nits prettier readme reformat",
    "release remark remarks review reviews ruff version versions",
)
"""What goes along with any change."""
_UPKEEP_VERBS = words(
    "add added adds adjust clean cleanup extend fix fixed fixes improve increase more move remove update updated updates",
    "write",
    "aktualisiere ergänze korrigiere",
    "ajouter corrige corriger",
    "actualizar arreglar corregir",
)
_BARE_TOUCHES = words(
    "adjust adjusted adjusts change changed changes edit edited edits modified modify refresh rework reworked touch tweak",
    "tweaked tweaks update updated updates",
)
"""Verbs that say of their one object only that it is another now."""
_PLACES = words(
    "about after around as at by for from in into of on per to under with",
    "für von dans de en pour em para",
)
_LONGEST_HEAD = 64
_GENERATED = _opening(
    r"(?:fixup|squash|amend)!",
    r"merge (?:branch|branches|pull request|remote-tracking|tag|commit|changes)\b",
    r"automatic merge",
    r"auto-?merge\b",
    r"apply suggestions? from code review",
    r"initial commit$",
    r"(?:wip|work in progress)\b",
    r"release v?\d[\w.-]*$",
    r"release (?:notes?|versions?|instructions?|process|scripts?|workflows?|checklist|docs?)\b",
    r"(?:prepare|cut|tag)(?: for)?(?: the)?(?: next)? release\b",
    r"(?:update|edit|tweak|finali[sz]e|prepare)[sd]?(?: for)?(?: the| a)?(?: next| final| new)? release$",
    r"(?:update|edit|bump|set)[sd]?(?: \w+){1,5} for (?:the |a )?(?:\w+ )?release$",
    r"(?:make|get|let)s?(?: \w+){0,5} (?:tests?|ci|builds?|lint\w*) (?:pass|green|work|run)\b",
)
"""What git, forges and the steps of a release write; nobody tells a result so."""
_PURE = re.compile(
    r"(?:(?:major|minor|big|small|some|more) )?(?:refactor(?:s|ed|ing)?|restructur(?:e|es|ed|ing)|"
    r"reorgani[sz](?:e|es|ed|ing)|refactori[sz]e|refaktorier\w*|refactorizar?|refatorar|bump(?:s|ed)?(?: the)? version)\b"
)
"""Work that by its own name changes nothing for a consumer, whatever it is done to; an outcome may still be said."""
_OUTCOME = phrases(
    "so that|so|because|when|whenever|while|instead of|rather than|no longer|without|unless|until",
    r"to (?!(?:use|follow|match|the|a|an|be|its|new|own|separate|latest)\b|v?\d|(?:improve|increase|enhance) "
    r"(?:code|readability|maintainability|structure|quality|clarity|testability|consistency)\b)[a-z]+",
    "damit|weil",
    "pour que|afin de",
    "para que",
)
_PREFIX = re.compile(r"[\w/.-]{1,60}(?:\([^()\n]{0,80}\))?!?:\s+|\[[^\[\]\n]{1,60}\]\s*|:[a-z0-9_+-]{1,40}:\s*")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[\w.+-]*|v\d+")
_REFERENCE = re.compile(r"#\d+")
_SOURCE_FILE = re.compile(
    r"[\w./-]*\w\.(?:py|js|ts|tsx|jsx|go|rs|rb|java|kt|c|h|cc|cpp|cs|php|sh|md|rst|txt|ya?ml|json|toml|lock|"
    r"sql|xml|html?|css|vue|ini|cfg|gradle|properties|swift|dart|ipynb)"
)
_IDENTIFIER = re.compile(r"`[^`]*`|\w+\(\)|[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[\w.-]+(?:/[\w.-]+)+")
_TOKEN = re.compile(r"`[^`\n]*`|\S+")
_EDGES = " \t.,;:!?\"'()[]{}<>*…。！、，"
_UNSPACED_ACTIVITY = re.compile(
    "更新|修改|修复|修正|重构|优化|整理|添加|新增|删除|调整|合并|完善|重新|生成|说明|代码|文件|测试|文档|注释|格式|依赖|版本|分支|"
    "错误|问题|一些|的|了|"
    "リファクタリング|リファクタ|テスト|コード|ファイル|コメント|ドキュメント|バージョン|追加|削除|変更|修正|整形|依存関係|微調整|"
    "を|の|し|ます|ました|した"
)
"""The same in scripts that write no spaces: what is left of a word without them says something."""


def is_activity(text: str) -> bool:
    """Whether `text` tells only what was done to the code, with no result a consumer could notice; so does an empty text."""
    bare, is_generated = _opened(text)
    if is_generated:
        return True
    folded = bare.casefold()
    has_outcome = _OUTCOME.search(folded) is not None
    if _PURE.match(folded):
        return not has_outcome
    tokens = [stripped for token in _TOKEN.findall(bare) if (stripped := token.strip(_EDGES))]
    words_ = [token.casefold() for token in tokens]
    return _all_internal(tokens) or (not has_outcome and (_is_upkeep(words_) or _is_bare_touch(words_)))


def is_upkeep(text: str) -> bool:
    """Whether `text` tells of work that goes along with any change: tests, lint, docs, reviews, merges, versions."""
    bare, is_generated = _opened(text)
    tokens = {token.strip(_EDGES).casefold() for token in _TOKEN.findall(bare)}
    return is_generated or (not _ALONG.isdisjoint(tokens) and is_activity(text))


def _opened(text: str) -> tuple[str, bool]:
    """`text` without the prefixes of tools and projects, and whether a tool wrote it, with or without one of them."""
    stages = _without_prefixes(unicodedata.normalize("NFKC", text).strip())
    return stages[-1], any(_GENERATED.match(stage.casefold().rstrip(" .!")) for stage in stages)


def _without_prefixes(text: str) -> list[str]:
    """`text`, then `text` with one more of the prefixes gone that tools and projects put before a subject."""
    stages = [text]
    while len(stages) < 5 and (prefix := _PREFIX.match(stages[-1])) is not None:
        stages.append(stages[-1][prefix.end() :])
    return stages


def _all_internal(tokens: list[str]) -> bool:
    """Whether every word is a word of activity. A name in code is one of them only while the code is merely touched: once
    something is added, removed, mended or brought to a version, the name or the version says what a consumer meets.
    """
    folded = [token.casefold() for token in tokens]
    has_effect = not _EFFECTING.isdisjoint(folded)
    has_version = any(_VERSION.fullmatch(token[:200]) for token in tokens)
    neutral = [_REFERENCE, _SOURCE_FILE]
    neutral += [] if has_effect else [_VERSION]
    neutral += [] if has_effect or has_version else [_IDENTIFIER]
    return all(
        _is_internal(word) or any(pattern.fullmatch(token[:200]) for pattern in neutral)
        for token, word in zip(tokens, folded, strict=True)
    )


def _is_internal(word: str) -> bool:
    if not any(character.isalnum() for character in word):
        return True
    parts = re.split(r"[-/'’&+]", word)
    return all(not part or part in _ACTIVITY for part in parts) or not _UNSPACED_ACTIVITY.sub("", word)


def _is_bare_touch(folded: list[str]) -> bool:
    """Whether one thing was touched and nothing is said of it: "update LICENSE", "modify the rp file"."""
    is_bare = bool(folded) and folded[0] in _BARE_TOUCHES and _PLACES.isdisjoint(folded)
    return is_bare and sum(not _is_internal(word) for word in folded) == 1


def _is_upkeep(folded: list[str]) -> bool:
    """Whether the head is upkeep, whatever place follows: "add tests" for the parser, "more fixes for tests" on Windows."""
    words_ = (*folded[:_LONGEST_HEAD], "for")
    heads = [folded[:index] for index, word in enumerate(words_) if word in _PLACES]
    upkeep = [head for head in heads if head and not _UPKEEP.isdisjoint(head) and all(map(_is_internal, head))]
    return any(head[0] in _UPKEEP_VERBS or not _PLACES.isdisjoint(head) for head in upkeep)
