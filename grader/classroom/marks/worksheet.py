"""Read Moodle's grading worksheet in any language: its columns, its numbers and its times.

Names of columns, the word for no, and the order of a time are the language's of whoever downloads
it. Columns are found by their order and content; times by the names of months, as Unicode's CLDR
has them for about thirty languages (`tests/grader/instructor/worksheets.py` says which are tried).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

Rows = Sequence[dict[str, str]]
# Meaning of a column of Moodle's worksheet → its name in English; others are found by their order.
MEANINGS = {
    "identifier": ("identifier",),
    "grade": ("grade",),
    "most": ("maximum grade",),
    "open": ("grade can be changed",),
    "feedback": ("feedback comments",),
}
# As 21 of Moodle's language packs have it; those of Norwegian, Finnish, Polish, Czech, Hungarian,
# Hebrew, Vietnamese and Indonesian are untried.
NO = {
    "no", "nein", "non", "não", "nee", "nej", "nei", "ei", "nie", "ne", "nem", "nu", "hayır", "нет",
    "ні", "не", "όχι", "لا", "نہیں", "לא", "いいえ", "否", "不", "아니오", "không", "tidak", "ez",
}  # fmt: skip
CLOCK = re.compile(r"\d[:.]\d\d")  # a part of every time that Moodle writes
# Words of January, of February, …; no word is of two months.
MONTHS = (
    (
        "يناير gener ledna januar ιανουαρίου january enero urtarrila tammikuuta janvier xaneiro "
        "január januari gennaio sausio stycznia janeiro ianuarie января januára ocak січня جنوری "
        "януари ژانویه јануар"
    ),
    (
        "فبراير febrer února februar φεβρουαρίου february febrero otsaila helmikuuta février "
        "febreiro február februari febbraio vasario lutego fevereiro februarie февраля februára "
        "şubat лютого فروری февруари فوریه фебруар"
    ),
    (
        "مارس març března marts märz μαρτίου march marzo martxoa maaliskuuta mars március maret "
        "kovo maart marca março martie марта marec mart березня مارچ март"
    ),
    (
        "أبريل abril dubna april απριλίου apirila huhtikuuta avril április aprile balandžio "
        "kwietnia aprilie апреля apríla nisan квітня اپریل април آوریل"
    ),
    (
        "مايو maig května maj mai μαΐου may mayo maiatza toukokuuta maio május mei maggio gegužės "
        "maja мая mája mayıs травня مئی май مه мај"
    ),
    (
        "يونيو juny června juni ιουνίου june junio ekaina kesäkuuta juin xuño június giugno "
        "birželio czerwca junho iunie июня júna junij haziran червня جون юни ژوئن јун"
    ),
    (
        "يوليو juliol července juli ιουλίου july julio uztaila heinäkuuta juillet xullo július "
        "luglio liepos lipca julho iulie июля júla julij temmuz липня جولائی юли ژوئیه јул"
    ),
    (
        "أغسطس agost srpna august αυγούστου agosto abuztua elokuuta août augusztus agustus "
        "rugpjūčio augustus sierpnia августа augusta avgust augusti ağustos серпня اگست август "
        "اوت"
    ),
    (
        "سبتمبر setembre září september σεπτεμβρίου septiembre iraila syyskuuta septembre "
        "setembro szeptember settembre rugsėjo września septembrie сентября septembra eylül "
        "вересня ستمبر септември سپتامبر септембар"
    ),
    (
        "أكتوبر octubre října oktober οκτωβρίου october urria lokakuuta octobre outubro október "
        "ottobre spalio października octombrie октября októbra ekim жовтня اکتوبر октомври اکتبر "
        "октобар"
    ),
    (
        "نوفمبر novembre listopadu november νοεμβρίου noviembre azaroa marraskuuta novembro "
        "lapkričio listopada noiembrie ноября novembra kasım листопада نومبر ноември نوامبر "
        "новембар"
    ),
    (
        "ديسمبر desembre prosince december dezember δεκεμβρίου diciembre abendua joulukuuta "
        "décembre decembro desember dicembre gruodžio grudnia dezembro decembrie декабря decembra "
        "aralık грудня دسمبر декември دسامبر децембар"
    ),
)  # fmt: skip
NAMED = {word: number for number, words in enumerate(MONTHS, 1) for word in words.split()}


def locate_columns(names: list[str], rows: Rows) -> dict[str, str]:
    """Return meaning → column of a worksheet in any language, by Moodle's order of columns.

        …  Grade  Maximum grade  Grade can be changed  …  Last modified (grade)  Feedback comments
        …  -      100,00         Ja                    …  -

    The maximum is one number in all rows, behind grades or dashes. The last column has comments
    unless it has times.
    """
    cells = [[row[name].strip() for row in rows] for name in names]
    numbers = [all(parse_number(cell) > 0 for cell in each) for each in cells]
    blank = [
        all(parse_number(cell) >= 0 or not cell.strip("- ") for cell in each) for each in cells
    ]
    for at in range(2, len(names) if rows else 0):
        is_last = at + 1 == len(names) or not numbers[at + 1]
        if numbers[at] and len(set(cells[at])) == 1 and blank[at - 1] and is_last:
            means = {"identifier": names[0], "grade": names[at - 1], "most": names[at]}
            behind = zip(names[at + 1 : at + 3], cells[at + 1 :], strict=False)
            means["open"] = next((n for n, c in behind if NO & {*map(str.casefold, c)}), "")
            has_times = all(CLOCK.search(cell) or cell.startswith("-") for cell in cells[-1])
            return means if has_times or at + 2 >= len(names) else means | {"feedback": names[-1]}
    return {}


def locate_times(names: list[str], rows: Rows) -> str:
    """Return the column that says when each handed in; empty if that is not certain.

    Behind the maximum come two columns of times or dashes: of the submission, then of the grade.
    """
    means = locate_columns(names, rows)
    times = list_time_columns(names[names.index(means["most"]) + 1 :], rows) if means else []
    return times[0] if len(times) > 1 and any(CLOCK.search(row[times[0]]) for row in rows) else ""


def list_time_columns(names: list[str], rows: Rows) -> list[str]:
    """Return the columns with nothing but times and dashes."""
    return [name for name in names if all(_is_time_or_none(row[name]) for row in rows)]


def _is_time_or_none(cell: str) -> bool:
    return bool(CLOCK.search(cell)) or cell.strip() == "-"


def read_worded_time(text: str) -> datetime:
    """Read a time as Moodle writes it in a language of `MONTHS`, with 月, or with dots.

        Freitag, 27. Februar 2026, 18:15    27.02.2026, 18:15    2026年 02月 27日(金曜日) 18:15

    Raises:
        ValueError: it is none, or day and month could be each other.
    """
    said = CLOCKED.fullmatch(_fold(text))
    half = said and HALVES.get("".join(WORD.findall(said["end"])))
    if said is None or half is None:
        raise ValueError(text)
    hour, minute = map(int, said["clock"].split(":"))
    if half and hour <= NOON:  # `%H:%M %p` of Ukrainian is no mistake
        hour = hour % NOON + (NOON if half == "pm" else 0)
    return datetime(*_read_date(said["date"]), hour, minute)


NOON = 12
# Words behind a time → its half of the day, as CLDR has them; none in clocks of 24 hours.
HALVES = {
    "": "", "etan": "", "am": "am", "pm": "pm", "ص": "am", "م": "pm",
    "πμ": "am", "μμ": "pm", "오전": "am", "오후": "pm", "öö": "am", "ös": "pm", "дп": "am",
    "пп": "pm",
}  # fmt: skip
CLOCKED = re.compile(r"(?P<date>.*?)(?P<clock>\d?\d:\d\d)(?P<end>\D*)", re.DOTALL)
WORD = re.compile(r"[^\W\d_]+")
DOTTED = re.compile(r"\D*(\d?\d)\.(\d?\d)\.(\d{4})\D*")
NUMBERED = re.compile(r"(\d?\d)[월月]")
FIRST_YEAR = 1000


def _read_date(text: str) -> tuple[int, int, int]:
    """Return year, month and day."""
    words = (word.removesuffix("ren") for word in WORD.findall(text))  # Basque declines them
    months = {NAMED[word] for word in words if word in NAMED}
    months |= {int(number) for number in NUMBERED.findall(text)}
    numbers = sorted(map(int, re.findall(r"\d+", NUMBERED.sub("", text))))
    if len(months) == 1 and len(numbers) == 2 and numbers[1] >= FIRST_YEAR:
        return numbers[1], months.pop(), numbers[0]
    if dotted := DOTTED.fullmatch(text):
        return int(dotted[3]), int(dotted[2]), int(dotted[1])
    raise ValueError(text)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text.casefold())


def parse_number(text: str) -> float:
    """Parse a platform's number, with a comma, a point or an Arabic one; -1 if it is none."""
    try:
        found = float(text.strip().replace(",", ".").replace("٫", "."))
    except ValueError:
        return -1.0
    return found if math.isfinite(found) else -1.0
