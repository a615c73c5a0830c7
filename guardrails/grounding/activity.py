"""Mere activity: texts that tell what was done to the code and name no result (Intent Changesets 6.4).

Tables of words, no grammar: English in full; German, French, Spanish, Portuguese, Chinese and Japanese where it is cheap.
An activity told in words of its own is missed: the tables let an honest sentence through rather than catch every poor one.
A dependency brought to a version is a release fact; one that is only updated, without a version, is an activity.
"""

from __future__ import annotations

import re
import unicodedata

from guardrails.grounding.wording import STOPWORDS, phrases, words

_TOUCHING = words(
    "update updates updated change changes changed modify modified edit edits edited touch tweak tweaks tweaked adjust",
    "adjusted",
    "adapt rework reworked rewrite polish improve improved improvements enhance optimize optimise move moved extract",
    "split inline simplify simplification sync regenerate refresh bump bumps bumped upgrade upgrades upgraded reformat",
    "format formatted lint linted tidy refactor refactors refactored refactoring restructure reorganize reorganise",
    "reorder consolidate consolidates consolidated trigger triggers prepare prepares prepared combine combines combined",
    "combination clean cleans cleaned cleanup cleanups up",
    "aktualisiere aktualisieren aktualisiert ändere ändern geändert",
    "anpassen angepasst überarbeiten überarbeitet aufräumen refaktoriere mettre jour mise modifier modifie refactoriser",
    "nettoyer nettoyage actualizar actualiza modificar refactorizar limpiar limpieza atualizar atualiza refatorar limpar",
    "limpeza",
)
_EFFECTING = words(
    "add adds added adding fix fixes fixed fixing bugfix hotfix remove removes removed delete deletes deleted drop rename",
    "renamed introduce implement implements implemented implementation create use apply applied address addresses",
    "addressed resolve resolved correct corrected handle run make write enable disable do work done merge merged revert",
    "start finish continue increase extend try repair hinzufügen ergänze ergänzen korrigiere korrigieren behebe",
    "beheben behoben entferne entfernen ajouter ajoute corriger corrige supprimer añadir agregar arreglar corregir",
    "eliminar adicionar remover",
)
_INTERNAL = words(
    "file files code codebase source sources stuff thing things test tests testing unittest unittests unit integration",
    "e2e autofix autofixes autoupdate newsfragment newsfragments newsfile newsfiles pre spec specs coverage linter",
    "linting lints eslint ruff flake8 pylint mypy prettier black isort clippy rubocop",
    "gofmt rustfmt typing type types hint hints annotation annotations formatting style styling whitespace indentation",
    "import imports dependency dependencies dep deps lockfile lock version versions comment comments review reviews",
    "feedback suggestion suggestions remark remarks nit nits ci cd pipeline workflow workflows build builds script",
    "scripts changelog readme doc docs documentation docstring docstrings typo typos spelling grammar wording todo todos",
    "class classes method methods function functions module modules variable variables constant constants helper helpers",
    "util utils utility utilities logic internals structure naming branch branches master main develop conflict conflicts",
    "gitignore bug bugs issue issues problem problems error errors warning warnings fixup squash amend wip misc",
    "miscellaneous minor various small some more other several few junk trivial little new old unused dead missing failing",
    "failed broken flaky redundant duplicate duplicated obsolete unnecessary necessary needed requested pr prs mr mrs",
    "pull request requests commit commits again now forgotten all everything separate own chore feat feature features",
    "perf ops patch initial first final last next snapshot checkpoint temp tmp temporary draft progress quick config",
    "configs configuration settings package packages latest project repo repository datei dateien quellcode tests",
    "abhängigkeiten fehler kommentare kleinigkeiten fichier fichiers dépendances erreur erreurs archivo archivos código",
    "dependencias errores pruebas arquivo arquivos dependências erros testes",
)
_ACTIVITY = _TOUCHING | _EFFECTING | _INTERNAL | STOPWORDS
_GENERATED = re.compile(
    r"(?:fixup|squash|amend)!|merge (?:branch|branches|pull request|remote-tracking|tag|commit|changes)\b|"
    r"(?:wip|work in progress)\b|(?:prepare|cut|tag)(?: for)?(?: the)?(?: next)? release\b|"
    r"(?:update|edit|tweak|finali[sz]e|prepare)[sd]?(?: for)?(?: the| a)?(?: next| final| new)? release$|"
    r"(?:update|edit|bump|set)[sd]?(?: \w+){1,5} for (?:the |a )?(?:\w+ )?release$|"
    r"release (?:notes?|versions?|instructions?|process|scripts?|workflows?|checklist|docs?)\b|"
    r"(?:make|get|let)s?(?: \w+){0,5} (?:tests?|ci|builds?|lint\w*) (?:pass|green|work|run)\b|"
    r"release v?\d[\w.-]*$|initial commit$|automatic merge|auto-?merge\b|apply suggestions? from code review"
)
_PURE = re.compile(
    r"(?:major |minor |big |small |some |more )?(?:refactor(?:s|ed|ing)?|restructur(?:e|es|ed|ing)|"
    r"reorgani[sz](?:e|es|ed|ing)|refactori[sz]e|refaktorier\w*|refactorizar?|refatorar|bump(?:s|ed)? version|"
    r"bump(?:s|ed)? the version)\b"
)
_UPKEEP = words(
    "test tests typo typos lint linter linting coverage docstring docstrings imports formatting whitespace dependencies",
    "deps",
)
_ALONG = _UPKEEP | words(
    "doc docs documentation readme changelog version versions release ci build review reviews feedback remarks remark nit nits",
    "conflict conflicts newsfragment newsfragments newsfile newsfiles format reformat formatted black ruff isort prettier",
    "eslint flake8 mypy autofix autoupdate comment comments",
)
_UPKEEP_VERBS = words(
    "add adds added fix fixes fixed update updates updated improve extend more write increase adjust remove move clean",
    "cleanup ergänze korrigiere aktualisiere corriger corrige ajouter arreglar corregir actualizar",
)
_BARE_TOUCHES = words(
    "update updates updated change changes changed modify modified edit edits edited touch tweak tweaks tweaked adjust adjusts",
    "adjusted rework reworked refresh",
)
_PLACES = words(
    "for in of on from to with by after into per as around about at under für von pour dans de en para em",
)
_LONGEST_HEAD = 64
_OUTCOME = phrases(
    "so that",
    "so",
    "because",
    "when",
    "whenever",
    "while",
    "instead of",
    "rather than",
    "no longer",
    "without",
    "unless",
    "until",
    r"to (?!(?:use|follow|match|the|a|an|be|its|new|own|separate|latest)\b|v?\d|"
    r"(?:improve|increase|enhance) (?:code|readability|maintainability|structure|quality|clarity|testability|"
    r"consistency)\b)[a-z]+",
    "damit",
    "weil",
    "pour que",
    "afin de",
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
_HAN_ACTIVITY = re.compile(
    "更新|修改|修复|修正|重构|优化|整理|添加|新增|删除|调整|合并|完善|重新|生成|说明|代码|文件|测试|文档|注释|格式|依赖|版本|分支|"
    "错误|问题|一些|的|了|"
    "リファクタリング|リファクタ|テスト|コード|ファイル|コメント|ドキュメント|バージョン|追加|削除|変更|修正|"
    "整形|依存関係|微調整|"
    "を|の|し|ます|ました|した"
)


def is_activity(text: str) -> bool:
    """Whether `text` tells only what was done to the code, with no result a consumer could notice; so does an empty text."""
    stages = _without_prefixes(unicodedata.normalize("NFKC", text).strip())
    if any(_GENERATED.match(stage.casefold().rstrip(" .!")) for stage in stages):
        return True
    bare = stages[-1]
    folded = bare.casefold()
    has_outcome = _OUTCOME.search(folded) is not None
    if _PURE.match(folded):
        return not has_outcome
    tokens = [stripped for token in _TOKEN.findall(bare) if (stripped := token.strip(_EDGES))]
    words_ = [token.casefold() for token in tokens]
    return _all_internal(tokens) or (not has_outcome and (_is_upkeep(words_) or _is_bare_touch(words_)))


def is_upkeep(text: str) -> bool:
    """Whether `text` tells of work that goes along with any change: tests, lint, docs, reviews, merges, versions."""
    stages = _without_prefixes(unicodedata.normalize("NFKC", text).strip())
    if any(_GENERATED.match(stage.casefold().rstrip(" .!")) for stage in stages):
        return True
    tokens = {token.strip(_EDGES).casefold() for token in _TOKEN.findall(stages[-1])}
    return not _ALONG.isdisjoint(tokens) and is_activity(text)


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
    return all(not part or part in _ACTIVITY for part in parts) or not _HAN_ACTIVITY.sub("", word)


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
