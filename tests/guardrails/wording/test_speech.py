"""Telling scripts and languages: clear cases only, and none out of names, code or a few words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.wording.speech import Speech

LANGUAGES = {
    "en": "Jobs are resumed when the worker is restarted, and the queue is not lost.",
    "de": "Die Aufträge werden nicht verloren, und der Dienst wird beim Start mit der Warteschlange verbunden.",
    "fr": "Les tâches ne sont pas perdues et la file est reprise par le service dans les délais.",
    "es": "Los trabajos se reanudan cuando el servidor no responde y los datos son guardados en la cola del servicio.",
    "it": "Il servizio riprende i lavori quando la coda è piena e gli errori della rete sono gravi, che non si perdono.",
    "pt": "Os trabalhos são retomados quando o servidor não responde e os dados da fila foram guardados em uma tabela.",
    "nl": "De taken worden niet verloren en het proces wordt bij een herstart van de server met de wachtrij verbonden.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_told_by_its_small_words(language: str) -> None:
    told = Speech.of(LANGUAGES[language])
    assert (told.language, told.script) == (language, "LATIN")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Resume interrupted settlement jobs",
        "Update serde",
        " ".join(LANGUAGES.values()),
        "重新启动后恢复任务",
        "for x in y: not in z",
    ],
)
def test_a_few_words_names_and_mixtures_tell_no_language(text: str) -> None:
    assert Speech.of(text).language is None


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Resume interrupted jobs", "LATIN"),
        ("Возобновить прерванные задания", "CYRILLIC"),
        ("重新启动后恢复任务", "CJK"),
        ("再起動後にジョブを再開する", "CJK"),
        ("재시작 후 작업을 재개합니다", "HANGUL"),
        ("Επανεκκίνηση εργασιών", "GREEK"),
        ("修复 OAuth Token 刷新 login", None),
        ("a", None),
        ("12345 67890 -- !!", None),
    ],
)
def test_a_script_is_told_by_letters(text: str, script: str | None) -> None:
    assert Speech.of(text).script == script


def test_every_script_with_its_part_is_spoken() -> None:
    assert Speech.of("修复 OAuth Token 登录失败").scripts == {"CJK", "LATIN"}
    assert Speech.of("修复登录失败的问题并更新所有的文档和测试 x").scripts == {"CJK"}


@given(st.lists(st.text(max_size=30), max_size=5))
def test_several_texts_count_as_one(texts: list[str]) -> None:
    assert Speech.together(map(Speech.of, texts)) == Speech.of(" ".join(texts))
