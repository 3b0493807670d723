"""Moodle's worksheet: filled in, and still a worksheet."""

from __future__ import annotations

import csv
import io

import pytest

from grader.classroom.exports import ExportRequest, tables
from grader.classroom.files import csv_text, restore_cell
from grader.errors import WrongUse

from .downloads import ADA, MO, record, rows
from .worksheets import LANGUAGES

WORKSHEET = (
    "Identifier,Full name,Status,Grade,Maximum grade,Grade can be changed,Feedback comments\r\n"
    "Participant 1234567,Ada Love,Submitted,-,100.00,Yes,\r\n"
    "Participant 7654321,Mo O'Neil,Submitted,--,100.00,Yes,\r\n"
    "Participant 1,Nobody,No submission,-,100.00,Yes,kept\r\n"
)


def test_moodles_comment_says_what_lateness_has_cost():
    late = {"late": {"chapter7": {"hours": 27.5, "factor": 0.8}}}
    learners = [record(ADA, 80.0) | late]
    found = rows(tables.export_moodle(ExportRequest(learners, None, "x", WORKSHEET, [])))
    says = "80 of 200 points. chapter7 came 27.5 hours late: 80 % of its points are left."
    assert found[1][6].startswith(says)


def test_moodles_worksheet_is_filled_in_and_stays_a_worksheet():
    learners = [record(ADA, 150.0), record(MO, None)]
    made = tables.export_moodle(ExportRequest(learners, None, "x", WORKSHEET, []))
    found = rows(made)
    assert found[0] == WORKSHEET.splitlines()[0].split(",")
    assert found[1][3] == "75.0" and found[1][6].startswith("150 of 200 points")
    assert found[2][3] == found[2][6] == ""  # no mark: as it was, without the dash
    assert found[3][3:] == ["", "100.00", "Yes", "kept"]
    assert any("maximum grade, 100" in note for note in made.notes)


def test_what_may_not_be_changed_is_not():
    locked = WORKSHEET.replace("Yes", "No")
    made = tables.export_moodle(ExportRequest([record(ADA, 150.0)], None, "x", locked, []))
    assert rows(made)[1][3] == "" and "lets nobody change" in " ".join(made.missing)


# Headers as Moodle's versions and languages write them: with capitals until 4.0, with columns for
# groups, workflow and markers where these are on; in the language of whoever downloads.
HEADERS = {
    "2.4": "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Online text,Last modified (grade),Feedback comments",
    "3.x": "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,"
    "Grade can be changed,Last modified (grade),Feedback comments",
    "4.x": "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments",
    "workflow": "Identifier,Full name,Status,Group,Marker,Grade,Maximum grade,"
    "Marking workflow state,Grade can be changed,Last modified (submission),Feedback comments",
    "blind": "Identifier,Status,Grade,Maximum Grade,Grade can be changed,Feedback comments",
    "edited": "IDENTIFIER, full name ,Status,GRADE,maximum  grade,Grade Can Be Changed,"
    "Feedback Comments",
    "German": "ID,Vollständiger Name,E-Mail-Adresse,Status,Gruppe,Bewertung,Bestwertung,"
    "Bewertung kann geändert werden,Zuletzt geändert (Bewertung),Feedback als Kommentar",
    "French": "Identifiant,Nom complet,Statut,Note,Note maximale,La note peut être modifiée,"
    "Feedback par commentaires",
    "Spanish": "Identificador,Nombre completo,Estatus,Calificación,Calificación máxima,"
    "Comentarios de retroalimentación",
    "Portuguese": "Identificador,Nome completo,Status,Nota,Nota máxima,Nota pode ser alterada,"
    "Comentários de feedback",
}
GRADE = ("grade", "bewertung", "note", "calificación", "nota")
CELLS = {"grade can be changed": "Yes", "bewertung kann geändert werden": "Ja",
         "la note peut être modifiée": "Oui", "nota pode ser alterada": "Sim"}  # fmt: skip


def worksheet(header: str, most: str = "100,00") -> str:
    """A line of somebody's, as a worksheet with this header has it."""
    word = {"id": "Teilnehmer/in"}.get(header.split(",")[0].lower(), "Participant")
    cells = []
    for name in (" ".join(n.split()).casefold() for n in header.split(",")):
        is_most = any(part in name for part in ("maxim", "máxima", "bestwertung"))
        cells.append(f'"{most}"' if is_most else CELLS.get(name, "-" if name in GRADE else ""))
    return f"{header}\r\n{word} 1234567,{','.join(cells[1:])}\r\n"


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
@pytest.mark.parametrize("most", ["100,00", "100.00", "10", "17"])
def test_full_marks_are_full_marks_by_every_header_of_moodle(header, most):
    text = worksheet(header, most)
    made = tables.export_moodle(ExportRequest([record(ADA, 200.0)], None, "x", text, []))
    found = rows(made)
    grade = next(at for at, name in enumerate(found[0]) if name.casefold().strip() in GRADE)
    assert float(found[1][grade]) == float(most.replace(",", ".")), found
    assert found[0][: len(header.split(","))] == header.split(",")
    assert any("Scaled from 200 points" in note for note in made.notes) and not made.missing


@pytest.mark.parametrize("most", ["", "-", "0", "nan", "-5", "satisfactory"])
@pytest.mark.parametrize("name", ["2.4", "German"])
def test_where_the_scale_is_not_known_nothing_is_written(name, most):
    with pytest.raises(WrongUse, match="of how many points"):
        text = worksheet(HEADERS[name], most)
        tables.export_moodle(ExportRequest([record(ADA, 200.0)], None, "x", text, []))


def test_a_scale_in_words_is_refused():
    text = worksheet(HEADERS["4.x"].replace("Maximum grade", "Scale"))
    with pytest.raises(WrongUse, match="not a scale"):
        tables.export_moodle(ExportRequest([record(ADA, 200.0)], None, "x", text, []))


SETS = {"plain": {}, "group": {"3": ("Group", "")}, "mail": {"2": ("Mail", "a@x.org")}}


def foreign(
    language: str, more: dict[str, tuple[str, str]], grade: str = "-", most: str = "100,00",
    locked: bool = False, is_marked: bool = False, comments: bool = True,
) -> str:  # fmt: skip
    """A worksheet in a language, with more columns where Moodle puts them."""
    word, no, when, *_, names = LANGUAGES[language]
    cells = [
        [f"{word}{number}", name, "✓", grade, most, no if locked else "✓", when,
         when if is_marked else "-", ""]
        for number, name in ((1234567, "Ada Love"), (7654321, "Mo O'Neil"), (1, "Nobody"))
    ]  # fmt: skip
    names = [*names]
    for row in (names, *cells):
        for at, pair in more.items():
            row.insert(int(at), pair[row is not names])
    return csv_text([row if comments else row[:-1] for row in (names, *cells)])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("more", SETS.values(), ids=SETS)
@pytest.mark.parametrize("is_marked", [False, True])
@pytest.mark.parametrize("comments", [False, True])
def test_a_worksheet_is_filled_in_whatever_its_language(language, more, is_marked, comments):
    grade = "75,00" if is_marked else "-"
    text = foreign(language, more, grade, is_marked=is_marked, comments=comments)
    made = tables.export_moodle(ExportRequest([record(ADA, 150.0)], None, "x", text, []))
    found, at = rows(made), 3 + len(more)
    assert not made.missing and any("maximum grade, 100" in note for note in made.notes)
    assert found[1][at] == ("75,00" if is_marked else "75.0")
    assert found[1][8 + len(more)].startswith("150 of 200 points")
    assert len(found[0]) == len(found[1]) == 9 + len(more)  # no column but one for comments
    assert [row[:at] for row in found] == [row[:at] for row in list(csv.reader(io.StringIO(text)))]
    assert found[2][at] == ("75,00" if is_marked else "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_locked_grade_stays_in_every_language(language):
    text = foreign(language, {}, locked=True)
    made = tables.export_moodle(ExportRequest([record(ADA, 150.0)], None, "x", text, []))
    assert rows(made)[1][3] == "" and "lets nobody change" in " ".join(made.missing)


@pytest.mark.parametrize("most", ["", "Gut", "-"])
@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "Dutch"])
def test_a_foreign_worksheet_without_a_maximum_is_refused(language, most):
    text = foreign(language, {}, most=most)
    with pytest.raises(WrongUse, match="of how many points"):
        tables.export_moodle(ExportRequest([record(ADA, 150.0)], None, "x", text, []))


@pytest.mark.parametrize("ids", [("s12", "s13"), ("student1", "student2"), ("4711", "4712")])
def test_a_list_of_people_in_any_columns_is_no_worksheet(ids):
    people = [[id, "X", "y", "", who] for id, who in zip(ids, (ADA, MO), strict=True)]
    text = csv_text([["id", "name", "grade", "place", "key"], *people])
    made = tables.export_moodle(ExportRequest([record(ADA, 17.0)], None, "Chapter 1", text, []))
    assert rows(made)[0][-2:] == ["Chapter 1", "Chapter 1 feedback"]
    assert rows(made)[1][-2] == "17.0"


def test_a_table_of_ids_and_notes_is_no_worksheet():
    text = "ID,Note,learner\r\n7,old,ada\r\n"
    found = rows(
        tables.export_moodle(ExportRequest([record("ada", 17.0)], None, "Chapter 1", text, []))
    )
    assert found[0] == ["ID", "Note", "Chapter 1", "Chapter 1 feedback"]
    assert found[1][:3] == ["7", "old", "17.0"]


CANVAS = (
    "Student,ID,SIS Login ID,Section,Chapter 3 (4711),Chapter 3 again (4712),Final Score\r\n"
    ",,,,Manual Posting,,(read only)\r\n"
    "    Points Possible,,,,10.00,,(read only)\r\n"
    '"Love, Ada",7,ada,A,3,,\r\n"X, Zoe",8,zoe,A,,,\r\n'
)


def canvas(text: str, name: str = "Chapter 3"):
    learners = [record("ada", 150.0), record("mo", 10.0), record("zoe", None)]
    return tables.export_canvas(ExportRequest(learners, None, name, text, [], overwrite=True))


@pytest.mark.parametrize("name", ["Chapter 3", "chapter 3", "Chapter 3 (4711)"])
def test_canvas_keeps_the_column_and_its_points(name):
    made = canvas(CANVAS, name)
    found = rows(made)
    assert found[0] == ["Student", "ID", "SIS Login ID", "Section", "Chapter 3 (4711)"]
    assert found[1][-1] == "10.0" and [row[-1] for row in found[2:]] == ["7.5"]  # zoe has no mark
    assert made.notes == ["Scaled from 200 points to Canvas's points, 10",
                          "Written over: ada, Chapter 3 (4711) «3», here «7.5»"]  # fmt: skip
    assert made.missing == ["Not exported, not in the roster: mo"]


# Canvas's own columns behind those of assignments, with and without a group of assignments before.
SUMS = [
    f"{group}{posted}{kind} {what}"
    for group in ("", "Homework ")
    for posted in ("", "Unposted ")
    for kind in ("Current", "Final")
    for what in ("Score", "Points", "Grade")
]


@pytest.mark.parametrize("name", [*SUMS, "final grade", "Override Score", "Override Grade"])
def test_sums_of_canvas_take_no_marks(name):
    with pytest.raises(WrongUse, match="a sum that Canvas makes itself"):
        canvas(CANVAS, name)


def test_what_canvas_does_not_say_is_not_guessed():
    with pytest.raises(WrongUse, match="how many points"):
        canvas(CANVAS, "Chapter 3 again")
    with pytest.raises(WrongUse, match="Name one of them"):
        canvas(CANVAS.replace("Chapter 3 again (", "Chapter 3 ("))
    made = canvas(CANVAS, "Chaptr 3")
    assert rows(made)[0][-1] == "Chaptr 3" and rows(made)[1][-1] == "200.0"
    assert "Or is it Chapter 3 (4711)" in " ".join(made.notes)


# What stands in the cell of a grade, beside a mark of 75 here: whether it is there, and another.
GRADES = {
    "": (False, False), "-": (False, False), "--": (False, False), " ": (False, False),
    "75": (True, False), "75.0": (True, False), "75.00": (True, False), "75,00": (True, False),
    "75.004": (True, False), "97.00": (True, True), "97": (True, True), "97,00": (True, True),
    "0.00": (True, True), "75.01": (True, True), "74.9": (True, True), "B+": (True, True),
    "nan": (True, True),
}  # fmt: skip
SAYS = "150 of 200 points. Well done, x."
COMMENTS = ("", SAYS, f" {SAYS.replace(' ', '  ')}", "Granted after appeal", "=1+1; -x")


def of_moodle(grade: str, comment: str) -> str:
    head = "Identifier,Full name,Grade,Maximum grade,Feedback comments\r\n"
    return head + csv_text([["Participant 1234567", "Ada Love", grade, "100.00", comment]])


def of_list(grade: str, comment: str) -> str:
    return "id,learner,x,x feedback\r\n" + csv_text([[4, ADA, grade, comment]])


def of_canvas(grade: str, comment: str) -> str:
    points = csv_text([["    Points Possible", "", "", "", "100.00"]])
    row = csv_text([["Love, Ada", "7", ADA, "A", grade]])
    return f"Student,ID,SIS Login ID,Section,x (1)\r\n{points}{row}"


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("comment", COMMENTS)
@pytest.mark.parametrize(("text", "export", "most"), [
    (of_moodle, tables.export_moodle, 200.0), (of_list, tables.export_moodle, 100.0),
    (of_canvas, tables.export_canvas, 200.0),
])  # fmt: skip
def test_a_mark_that_is_there_is_shown_and_kept_unless_told_otherwise(
    text, export, most, comment, overwrite
):
    learner = record(ADA, 0.75 * most) | {"max_mark": most}
    ours = f"{0.75 * most:g} of {most:g} points. Well done, x."
    other = bool(comment) and comment.split() != ours.split()
    for grade, (is_there, differs) in GRADES.items():
        made = export(
            ExportRequest([learner], None, "x", text(grade, comment), [], overwrite=overwrite)
        )
        written = dict(zip(rows(made)[0], rows(made)[-1], strict=True))
        mark = written.get("Grade") or written.get("x") or written["x (1)"]
        stays = differs and not overwrite
        assert mark == (grade if is_there and (stays or not differs) else "75.0"), grade
        if text is not of_canvas:
            said = restore_cell(rows(made)[-1][-1])
            comment_stays = stays or (comment and not (other and overwrite))
            assert said == (comment.strip() if comment_stays else ours), grade
        told = " ".join(made.notes if overwrite else made.missing)
        assert (f"«{grade}», here «75.0»" in told) == differs, (grade, told)
        assert ("feedback" in told.casefold()) == (other and text is not of_canvas)
