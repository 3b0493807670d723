"""Headers of Moodle's grading worksheet in some languages, as its language packs may have them."""

from __future__ import annotations

# Language → what stands before a number, a cell that says no, a time; the columns: number, name,
# status, grade, maximum, whether it may be changed, submitted, graded, comments.
LANGUAGES = {
    "German": (
        ("Teilnehmer/in", "Nein", "Freitag, 27. Februar 2026, 18:15"),
        (
            "ID", "Vollständiger Name", "Status", "Bewertung", "Bestwertung",
            "Bewertung kann geändert werden", "Zuletzt geändert (Abgabe)",
            "Zuletzt geändert (Bewertung)", "Feedback als Kommentar",
        ),
    ),
    "Italian": (
        ("Partecipante ", "No", "venerdì, 27 febbraio 2026, 18:15"),
        (
            "Identificativo", "Nome completo", "Stato", "Valutazione", "Valutazione massima",
            "La valutazione può essere modificata", "Ultima modifica (consegna)",
            "Ultima modifica (valutazione)", "Commenti",
        ),
    ),
    "Dutch": (
        ("Deelnemer", "Nee", "vrijdag, 27 februari 2026, 18:15"),
        (
            "Identificatie", "Volledige naam", "Status", "Cijfer", "Hoogste cijfer",
            "Cijfer kan gewijzigd worden", "Laatst gewijzigd (ingezonden)",
            "Laatst gewijzigd (cijfer)", "Opmerkingen",
        ),
    ),
    "Polish": (
        ("Uczestnik ", "Nie", "piątek, 27.02.2026, 18:15"),
        (
            "Identyfikator", "Nazwa", "Stan", "Ocena", "Najwyższa ocena",
            "Ocenę można zmienić", "Zmieniono (przesłane)", "Zmieniono (ocena)", "Komentarz",
        ),
    ),
    "Russian": (
        ("Участник ", "Нет", "пятница, 27 февраля 2026, 18:15"),
        (
            "Идентификатор", "Полное имя", "Состояние", "Оценка", "Максимальная оценка",
            "Оценка может быть изменена", "Изменено (ответ)", "Изменено (оценка)", "Отзыв",
        ),
    ),
    "Japanese": (
        ("参加者", "いいえ", "2026年 02月 27日(金曜日) 18:15"),
        (
            "識別番号", "フルネーム", "ステータス", "評点", "最大評点", "評点を変更できる",
            "最終更新日時 (提出)", "最終更新日時 (評点)", "フィードバックコメント",
        ),
    ),
}  # fmt: skip
