"""Write open answers to a spreadsheet, and read their marks back into the records.

The sheet has a row per answer, similar ones together, and a column per item of the rubric. A row
is known by its key, a digest of learner, question and text: spreadsheets change names that look
like numbers, and a mark belongs to the text that was read.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

from ...course.outline import chapter_of
from ...course.schema import Chapter, Question
from ...errors import WrongUse, safe_text
from ...learner.open_questions import YOUR_ANSWER, in_file, join_answers, open_questions
from ...notebooks.notebook_source import Cell, cells
from ..files import csv_text
from ..intake.archive_reader import SubmittedFiles
from ..marks.record import OpenMark, Record, compute_marks
from ..marks.roster import read_columns
from .similar import link_pairs


def read_answers(
    taken: SubmittedFiles, chapters: Iterable[Chapter], wanted: Collection[str]
) -> dict[str, str]:
    """Collect a submission's answers, open question → text; under "" text below no question.

    Args:
        chapters: all chapters, whose questions separate the answers.
        wanted: ids of the chapters to grade.
    """
    asked = list(open_questions(chapters).values())
    found: dict[str, list[str]] = defaultdict(list)
    alone = {} if taken.notebook is None else {"": taken.notebook}
    for data in taken.answers.values():
        for id, text in in_file(data.decode("utf-8-sig", "replace"), asked).items():
            found[id].append(safe_text(text))
    for name, data in (taken.notebooks | alone).items():
        with suppress(WrongUse):  # reported where its code is read
            for id, text in in_cells(cells(data, name), asked).items():
                found[id].append(safe_text(text))
    mine = {id: texts for id, texts in found.items() if not id or chapter_of(id) in wanted}
    return {id: "\n\n".join(dict.fromkeys(texts)) for id, texts in mine.items()}


def in_cells(read: Iterable[Cell], asked: Iterable[Question]) -> dict[str, str]:
    """Return id → answer from a notebook's cells; answers that are empty are left out."""
    by_name = {question.anchor: question.id for question in asked}
    found: dict[str, list[str]] = {}
    id = ""
    for cell in read:
        if cell.tag:
            id = by_name.get(str(cell.tag.get("grade_id")), "")
        elif id and cell.text.strip() != YOUR_ANSWER:
            found.setdefault(id, []).append(cell.text)
    return join_answers(found)


def carry_marks(record: Record, earlier: Record | None, counted: Mapping[str, float]) -> Record:
    """Return a new record with the earlier one's marks of unchanged open answers.

    ``counted``: question → points, of those that count for this class.
    """
    if record["result"] is None or not counted:
        return record
    kept = earlier.get("open", {}) if earlier else {}
    texts = record.get("answers", {})
    found: dict[str, OpenMark] = {}
    for id, most in counted.items():
        key = row_key(record["learner"], id, texts.get(id, ""))
        same = id in kept and kept[id].get("key") == key
        found[id] = {**kept[id], "max_points": most} if same else {"max_points": most}
    return {**record, "open": found}


def row_key(learner: str, id: str, text: str) -> str:
    """Return an answer's key; it begins with a letter, so that spreadsheets keep it as text."""
    words = f"{learner}\0{id}\0{text}".encode("utf-8", "replace")
    return f"a{hashlib.sha256(words).hexdigest()[:12]}"


# ---- the sheet ------------------------------------------------------------------------

WORD = re.compile(r"\w+")
ALIKE = 0.6  # Dice coefficient of the words of two answers that are grouped
MOST_SHOWN = 30_000  # characters: a cell of Excel holds 32,767
ITEM = "item "
LEADING = ("row", "learner", "question", "like", "answer")
BELOW_NONE = "below no question of the rubric"


def make_marking_sheet(
    records: Iterable[Record], asked: Mapping[str, Question]
) -> tuple[bytes, int]:
    """Return the table, with earlier marks filled in, and the number of answers in it."""
    each: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        for id in record.get("answers", {}):
            each[id].append(record)
    items = max((len(asked[id].rubric) for id in each if id in asked), default=0)
    rows: list[Sequence[object]] = [
        [*LEADING, *(f"{ITEM}{n + 1}" for n in range(items)), "comment"]
    ]
    for id in [*(id for id in asked if id in each), *(id for id in each if id not in asked)]:
        if id in asked:
            rows.append(["", "", id, "", asked[id].asks, *asked[id].rubric])
        rows += _rows(id, each[id], items)
    count = sum(map(len, each.values()))
    # Excel recognises UTF-8 by the byte order mark.
    return csv_text(rows).encode("utf-8-sig"), count


def _rows(id: str, records: Sequence[Record], items: int) -> Iterator[Sequence[object]]:
    texts = [record["answers"][id] for record in records]
    for number, group in enumerate(group_similar_texts(texts), 1):
        for at in group:
            who, text = records[at]["learner"], texts[at]
            mine = records[at].get("open", {}).get(id) or {}
            given = [*mine.get("items", ()), *[""] * items][:items]
            cut = len(text) - MOST_SHOWN
            more = f"… ({cut} more characters are in the hand-in)" if cut > 0 else ""
            shown = f"{text[:MOST_SHOWN]}{more}"
            key = row_key(who, id, text)
            yield [key, who, id or BELOW_NONE, number, shown, *given, mine.get("comment", "")]


def group_similar_texts(texts: Sequence[str]) -> list[list[int]]:
    """Group the indices of similar texts, transitively: the largest group first, singles last."""
    words = [frozenset(WORD.findall(text.casefold())) for text in texts]
    sizes, sets = [len(each) for each in words], _bit_sets(words)
    pairs = (
        (a, b) for a, b in combinations(range(len(texts)), 2)
        if 2 * (sets[a] & sets[b]).bit_count() >= ALIKE * (sizes[a] + sizes[b])
    )  # fmt: skip
    found = [sorted(group, key=lambda n: (texts[n], n)) for group in link_pairs(pairs)]
    found += [[n] for n in sorted(set(range(len(texts))) - {n for group in found for n in group})]
    return sorted(found, key=lambda group: (-len(group), group))


def _bit_sets(sets: Sequence[frozenset[str]]) -> list[int]:
    """Return each set as a number with a bit per word, without words that only one set has.

    Two of 2,000 words each are compared in a microsecond, not in a hundred.
    """
    count = Counter(word for each in sets for word in each)
    places = {word: at for at, word in enumerate(word for word in count if count[word] > 1)}
    found = []
    for each in sets:
        bits = bytearray(len(places) // 8 + 1)
        for at in (places[word] for word in each if word in places):
            bits[at // 8] |= 1 << at % 8
        found.append(int.from_bytes(bits, "little"))
    return found


# ---- reading it back ------------------------------------------------------------------

# Words in a cell of a rubric that stand for a number from 0 to 1.
TICKS = {"x": 1.0, "✓": 1.0, "✔": 1.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0, "-": 0.0}


class SheetMarks(NamedTuple):
    """The marks of an answer: points per item of the rubric, and a comment."""

    learner: str
    question: str
    items: list[float]
    comment: str


class InvalidRow(Exception):
    """A row that does not fit its rubric; the message says why."""


def read_sheet(
    text: str, records: Iterable[Record], asked: Mapping[str, Question]
) -> tuple[dict[str, SheetMarks], list[str]]:
    """Read a sheet; return key → marks of the valid filled rows, and a sentence per invalid row.

    Raises:
        WrongUse: it is no such sheet.
    """
    columns, rows = read_columns(text)
    if not {"row", "answer"} <= set(columns):
        raise WrongUse("The sheet lacks its columns row and answer: is it the one of `--out`?")
    known = {
        row_key(r["learner"], id, each): (r["learner"], id)
        for r in records for id, each in r.get("answers", {}).items()
    }  # fmt: skip
    found: dict[str, SheetMarks] = {}
    wrong: list[str] = []
    for number, row in enumerate(rows, 2):
        try:
            given = _read_row(row, known, asked)
            if given and found.setdefault(row["row"], given) != given:
                raise InvalidRow("stands there twice, with other marks; the first ones count.")
        except InvalidRow as error:
            who = " ".join(filter(None, (row.get("learner"), row.get("question"))))
            wrong.append(f"Row {number} ({who}) {error}")
    return found, wrong


def _read_row(
    row: Mapping[str, str], known: Mapping[str, tuple[str, str]], asked: Mapping[str, Question]
) -> SheetMarks | None:
    """Read a row's marks; None if it is empty, or is the rubric."""
    cells = {name: cell for name, cell in row.items() if name.startswith(ITEM) and cell}
    if not (row["row"] or row.get("learner")) or not (cells or row.get("comment")):
        return None
    if row["row"] not in known:
        raise InvalidRow(
            "is no answer of these results: another one was handed in since, or its first cell was "
            "changed. Write the sheet anew with --out, and mark it there."
        )
    learner, id = known[row["row"]]
    size = len(asked[id].rubric) if id in asked else 0
    items = {f"{ITEM}{n + 1}": _points(n + 1, row.get(f"{ITEM}{n + 1}", "")) for n in range(size)}
    more = [name for name in cells if name not in items]
    if more:
        raise InvalidRow(f"is marked in {more[0]}; its rubric has {size} items.")
    if not cells:
        raise InvalidRow("has a comment and no marks. Write 0 into an item where nothing is right.")
    return SheetMarks(learner, id, list(items.values()), row.get("comment", ""))


def _points(number: int, cell: str) -> float:
    text = cell.casefold()
    try:
        points = TICKS[text] if text in TICKS else float(text.replace(",", ".") or 0)
    except ValueError:
        points = math.nan
    if not 0 <= points <= 1:
        raise InvalidRow(f"has «{cell}» in {ITEM}{number}. An item is worth from 0 to 1.")
    return points


def apply_sheet_marks(
    record: Record, given: Mapping[str, SheetMarks], counted: Mapping[str, float]
) -> Record:
    """Return the record with the marks of its open answers, and its new mark."""
    made = carry_marks(record, record, counted)
    if made["result"] is None:
        return made
    for id in made.get("open", ()):
        key = row_key(record["learner"], id, record.get("answers", {}).get(id, ""))
        if key in given:
            items, comment = given[key].items, given[key].comment
            made["open"][id] |= {
                "key": key, "items": items, "points": round(sum(items), 4), "comment": comment,
            }  # fmt: skip
    return compute_marks(made, made["policy"])
