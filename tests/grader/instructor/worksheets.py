"""Moodle's grading worksheet in twenty-one languages.

Words and patterns of times are those of Moodle's language packs, as of June 2026: `assign.php`,
`moodle.php`, `langconfig.php`, `assignfeedback_comments.php`; what a pack lacks is English there,
too. Names of months and days are CLDR's, which PHP writes. Polish, the last, is not of a pack.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

import pytest


class Language(NamedTuple):
    """What a worksheet in a language has.

    Attributes:
        word: what stands before a participant's number.
        no: the cell of a grade that cannot be changed.
        when: 27 February 2026, 18:15.
        locale: of CLDR; with `pattern`, strftime's, it writes any time.
        columns: number, name, status, grade, maximum, whether it may be changed, submitted, graded,
            comments.
    """

    word: str
    no: str
    when: str
    locale: str
    pattern: str
    columns: tuple[str, ...]


LANGUAGES = {
    "Arabic": Language(
        "المشارك", "لا", "الجمعة، 27 فبراير 2026، 06:15 م", "ar",
        "%A، %d %B %Y، %I:%M %p",
        (
            "المُعرَّف", "ًالاسم كاملا", "الحالة", "الدرجة", "أعلى تقدير", "يمكن تغيير الدرجة",
            "آخر تعديل (التسليم)", "آخر تعديل (التقدير)", "تعليقات الإفادة",
        ),
    ),
    "Basque": Language(
        "Partaidea", "Ez", "ostirala, 2026(e)ko otsailaren 27(e)an, 18:15(e)tan", "eu",
        "%A, %Y(e)ko %Bren %d(e)an, %H:%M(e)tan",
        (
            "Identifikatzailea", "Izen osoa", "Egoera", "Kalifikazioa",
            "Gehieneko kalifikazioa", "Kalifikazioa alda daiteke",
            "Azken aldaketa (bidalketa)", "Azken aldaketa (kalifikazioa)",
            "Feedback-iruzkinak",
        ),
    ),
    "Catalan": Language(
        "Participant", "No", "divendres, 27 de febrer 2026, 18:15", "ca",
        "%A, %d %B %Y, %H:%M",
        (
            "Identificador", "Nom complet", "Estat", "Qualificació", "Qualificació màxima",
            "Es pot canviar la qualificació", "Darrera modificació (tramesa)",
            "Darrera modificació (qualificació)", "Comentaris de retroacció.",
        ),
    ),
    "Chinese": Language(
        "参与人", "否", "2026年02月27日 星期五 18:15", "zh",
        "%Y年%m月%d日 %A %H:%M",
        (
            "标识符", "全名", "状态", "成绩", "最高分", "允许更改成绩", "上次修改（作业）",
            "上次修改（评分）", "反馈意见",
        ),
    ),
    "Dutch": Language(
        "Deelnemer", "Nee", "vrijdag, 27 februari 2026, 18:15", "nl",
        "%A, %d %B %Y, %H:%M",
        (
            "Identificatie", "Volledige naam", "Status", "Cijfer", "Maximaal cijfer",
            "Het cijfer kan gewijzigd worden", "Laatst gewijzigd (inzending)",
            "Laatst gewijzigd (beoordeling)", "Feedback tekstvak",
        ),
    ),
    "French": Language(
        "Participant", "Non", "vendredi 27 février 2026, 18:15", "fr",
        "%A %d %B %Y, %H:%M",
        (
            "Identifiant", "Nom complet", "Statut", "Note", "Note maximale",
            "La note peut être modifiée", "Dernière modification (travail remis)",
            "Dernière modification (note)", "Feedback par commentaires",
        ),
    ),
    "Galician": Language(
        "Participante", "Non", "venres, 27 de febreiro de 2026, 06:15 p.m.", "gl",
        "%A, %d de %B de %Y, %I:%M %p",
        (
            "Identificador", "Nome completo", "Estado", "Cualificación",
            "Cualificación máxima", "A cualificación pode seren cambiada",
            "Última modificación (entrega)", "Última modificación (cualificación)",
            "Comentarios",
        ),
    ),
    "German": Language(
        "Teilnehmer/in", "Nein", "Freitag, 27. Februar 2026, 18:15", "de",
        "%A, %d. %B %Y, %H:%M",
        (
            "ID", "Vollständiger Name", "Status", "Bewertung", "Bestwertung",
            "Bewertung kann geändert werden", "Zuletzt geändert (Abgabe)",
            "Zuletzt geändert (Bewertung)", "Feedback als Kommentar",
        ),
    ),
    "Greek": Language(
        "Συμμετέχων", "Όχι", "Παρασκευή, 27 Φεβρουαρίου 2026, 06:15 μ.μ.", "el",
        "%A, %d %B %Y, %I:%M %p",
        (
            "Αναγνωριστικό", "Πλήρες όνομα", "Κατάσταση", "Βαθμός", "Μέγιστος Βαθμός",
            "Ο βαθμός μπορεί να αλλάξει", "Τελευταία τροποποιημένη (υποβολή)",
            "Τελευταία τροποποίηση (βαθμολόγηση)", "Σχόλια ανατροφοδότησης",
        ),
    ),
    "Italian": Language(
        "Partecipante", "No", "venerdì, 27 febbraio 2026, 18:15", "it",
        "%A, %d %B %Y, %H:%M",
        (
            "Identificativo", "Nome", "Stato", "Valutazione", "Valutazione massima",
            "La valutazione può essere cambiata", "Ultima modifica (consegna)",
            "Ultima modifica (valutazione)", "Commenti",
        ),
    ),
    "Japanese": Language(
        "参加者", "No", "2026年 02月 27日(金曜日) 18:15", "ja",
        "%Y年 %m月 %d日(%A) %H:%M",
        (
            "ID", "フルネーム", "ステータス", "評点", "最大評点", "評点変更可",
            "最終更新日時 (提出)", "最終更新日時 (評定)", "フィードバックコメント",
        ),
    ),
    "Korean": Language(
        "참가자", "아니오", "금요일, 27 2월 2026, 06:15 오후", "ko",
        "%A, %d %B %Y, %I:%M %p",
        (
            "식별자", "전체 이름", "상태", "성적", "최대 성적", "Grade can be changed",
            "마지막 수정됨(제출)", "마지막 수정됨(성적)", "피드백 코멘트",
        ),
    ),
    "Lithuanian": Language(
        "Dalyvis", "Ne", "penktadienis, 2026 vasario 27, 18:15", "lt",
        "%A, %Y %B %d, %H:%M",
        (
            "Identifikatorius", "Visas pavadinimas", "Būsena", "Įvertinimas",
            "Didžiausias įvertinimas", "Įvertinimas gali būti pakeistas",
            "Paskutinį kartą keista  (pateikimas)", "Paskutinį kartą keista   (įvertinimas)",
            "Grįžtamojo ryšio komentarai",
        ),
    ),
    "Portuguese": Language(
        "Participante", "Não", "sexta-feira, 27 de fevereiro de 2026 às 18:15", "pt",
        "%A, %d de %B de %Y às %H:%M",
        (
            "Identificador", "Nome completo", "Estado", "Avaliação", "Nota máxima",
            "A nota pode ser alterada.", "Última atualização (submissão)",
            "Última atualização (avaliação)", "Comentários de feedback",
        ),
    ),
    "Romanian": Language(
        "Participant", "Nu", "vineri, 27 februarie 2026, 18:15", "ro",
        "%A, %d %B %Y, %H:%M",
        (
            "Identificator", "Nume complet", "Status", "Notă", "Notă maximă",
            "Nota poate fi schimbată", "Ultima modificare (a răspunsului)",
            "Ultima modificare (nota)", "Comentarii de feedback",
        ),
    ),
    "Russian": Language(
        "Участник", "Нет", "пятница, 27 февраля 2026, 18:15", "ru",
        "%A, %d %B %Y, %H:%M",
        (
            "Идентификатор", "Полное имя", "Статус", "Оценка", "Максимальная оценка",
            "Оценка может быть изменена", "Последнее изменение (ответ)",
            "Последнее изменение (оценка)", "Отзыв в виде комментария",
        ),
    ),
    "Spanish": Language(
        "Participante", "No", "viernes, 27 de febrero de 2026, 18:15", "es",
        "%A, %d de %B de %Y, %H:%M",
        (
            "Identificador", "Nombre completo", "Estado", "Calificación",
            "Calificación máxima", "La calificación puede ser cambiada",
            "Última modificación (entrega)", "Última modificación (calificación)",
            "Comentarios de retroalimentación",
        ),
    ),
    "Swedish": Language(
        "Deltagare", "Nej", "fredag, 27 februari 2026, 18:15", "sv",
        "%A, %d %B %Y, %H:%M",
        (
            "Identifierare", "Fullständigt namn", "Status", "Betyg", "Maxbetyg",
            "Betyg kan ändras", "Senast modifierat (inlämning)", "Senast modifierat (betyg)",
            "Återkopplingskommentarer",
        ),
    ),
    "Turkish": Language(
        "Katılımcı", "Hayır", "Cuma, 27 Şubat 2026, 06:15 ÖS", "tr",
        "%A, %d %B %Y, %I:%M %p",
        (
            "Tanımlayıcı", "Tam adı", "Durum", "Not", "Enyüksek not", "Not değiştirilebilir",
            "Son düzenleme (gönderim)", "Son düzenleme (not)", "Geri bildirim yorumları",
        ),
    ),
    "Ukrainian": Language(
        "Учасник", "Ні", "пʼятниця 27 лютого 2026 18:15 пп", "uk",
        "%A %d %B %Y %H:%M %p",
        (
            "Ідентифікатор", "Повна назва", "Статус", "Оцінка", "Максимальна оцінка",
            "Оцінка може бути змінена", "Востаннє змінювалося (здача)",
            "Востаннє змінювалося (оцінка)", "Відгук - коментарем",
        ),
    ),
    "Urdu": Language(
        "شریک", "نہیں", "جمعہ, 27 فروری 2026, 06:15 PM", "ur",
        "%A, %d %B %Y, %I:%M %p",
        (
            "شناخت کنندہ", "پورا نام", "حالت", "درجہ", "زیادہ سے زیادہ گریڈ",
            "گریڈ تبدیل کیا جا سکتا ہے", "آخری ترمیم (جمع کرانے)", "آخری ترمیم شدہ (درجہ)",
            "تاثرات کے تبصرے",
        ),
    ),
    "Polish": Language(
        "Uczestnik ", "Nie", "piątek, 27.02.2026, 18:15", "pl",
        "%A, %d.%m.%Y, %H:%M",
        (
            "Identyfikator", "Nazwa", "Stan", "Ocena", "Najwyższa ocena",
            "Ocenę można zmienić", "Zmieniono (przesłane)", "Zmieniono (ocena)", "Komentarz",
        ),
    ),
}  # fmt: skip


def write_time(language: Language, when: datetime) -> str:
    """Write a time as Moodle does: its pattern, filled in with CLDR's words."""
    dates = pytest.importorskip("babel.dates")
    names = {
        "%A": dates.get_day_names("wide", "format", language.locale)[when.weekday()],
        "%B": dates.get_month_names("wide", "format", language.locale)[when.month],
        "%p": dates.get_period_names("abbreviated", "format", language.locale)[
            "am" if when.hour < 12 else "pm"
        ],
    }
    return re.sub("%[ABp]", lambda found: names[found[0]], when.strftime(
        re.sub("%([ABp])", r"%%\1", language.pattern)
    ))  # fmt: skip
