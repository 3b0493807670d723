"""Tables as Moodle and Canvas read them back, by the rules of their own importers.

Moodle: `mod/assign/feedback/offline/locallib.php` and `importgradeslib.php`. Canvas:
`lib/gradebook_importer.rb` and what its page then sends. Nobody loses a grade by an import, and
nobody is given one who has no mark.
"""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.exports import ExportRequest, tables
from grader.classroom.files import csv_text, restore_cell
from grader.classroom.marks.roster import read_people
from grader.errors import WrongUse

from ..examples import SOME
from .downloads import ADA, MO, record

WORKSHEET = (
    "Identifier,Full name,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
    'Participant 1234567,Ada Love,Submitted,{dash},100.00,Yes,"Sunday, 1 March",-,\r\n'
    "Participant 7654321,Mo O'Neil,Submitted,{dash},100.00,Yes,-,-,\r\n"
    "Participant 5,Eve,No submission,{dash},100.00,Yes,-,-,\r\n"
    "Participant 6,Zoe,No submission,55.00,100.00,Yes,-,-,by hand\r\n"
)


def moodle_reads(text: str, most: float) -> tuple[dict[str, float], dict[str, str]]:
    """Map each participant to the grade and the comment after the import."""
    columns, *lines = csv.reader(io.StringIO(text))
    # Each is found by its exact name, and without these three nothing is read.
    person, grade, _ = map(columns.index, ("Identifier", "Grade", "Last modified (grade)"))
    grades, comments = {}, {}
    for line in lines:
        id = line[person][len("Participant ") :]
        said = line[grade].strip().replace(" ", "")
        # What PHP makes of it: the number that it begins with, else 0; of nothing, nothing.
        number = re.match(r"-?\d*\.?\d+", said)
        value = None if said == "" else float(number[0]) if number else 0.0
        if value is not None and 0 <= value <= most:
            grades[id] = value
        comments[id] = line[columns.index("Feedback comments")]
    return grades, comments


@pytest.mark.parametrize("dash", ["-", "--", ""])
def test_moodle_sets_the_grades_of_whoever_has_a_mark_and_no_others(dash):
    learners = [record(ADA, 150.0), record(MO, None)]
    wanted = ExportRequest(learners, None, "x", WORKSHEET.format(dash=dash), [])
    (data,) = tables.export_moodle(wanted).files.values()
    grades, comments = moodle_reads(data.decode(), 100)
    assert grades == {"1234567": 75.0, "6": 55.0}
    assert comments["1234567"].startswith("150 of 200 points") and comments["6"] == "by hand"
    assert comments["7654321"] == comments["5"] == ""


CANVAS = {
    "login": "Student,ID,SIS Login ID,Section,Chapter 3 (4711),Final Score\r\n",
    "all": "Student,ID,SIS User ID,SIS Login ID,Integration ID,Root Account,Section,"
    "Chapter 3 (4711),Final Score\r\n",
    "none": "Student,ID,Section,Chapter 3 (4711),Final Score\r\n",
    "split": "LastName,FirstName,ID,SIS Login ID,Section,Chapter 3 (4711),Final Score\r\n",
}
SCORES = {"7": "3", "8": "EX", "9": "4", "10": ""}
PEOPLE = {"7": ("Love, Ada", "ada"), "8": ("X, Zoe", "zoe"), "9": ("Low, Cy", "cy"),
          "10": ("Hill, Bob", "bob")}  # fmt: skip


def gradebook(header: str) -> str:
    """Return the gradebook as Canvas exports it with these columns."""
    names = next(csv.reader([header]))
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(names)
    table.writerow([*[""] * (len(names) - 2), "Manual Posting", ""])
    table.writerow(["    Points Possible", *[""] * (len(names) - 3), "10.00", "(read only)"])
    for id, (name, login) in PEOPLE.items():
        own = {"Student": name, "ID": id, "SIS Login ID": login, "SIS User ID": login,
               "Section": "A", "Chapter 3 (4711)": SCORES[id]}  # fmt: skip
        own |= dict(zip(("LastName", "FirstName"), name.split(", "), strict=True))
        table.writerow([own.get(column, "") for column in names])
    own = {"Student": "Student, Test", "LastName": "Student", "FirstName": "Test", "ID": "11"}
    table.writerow([own.get(column, "") for column in names])
    return out.getvalue()


def canvas_reads(text: str, scores: dict[str, str]) -> dict[str, str]:
    """Map each student's id to the score after the import; an empty cell removes the old score."""
    header, points, *lines = csv.reader(io.StringIO(text))
    assert header[:2] in (["Student", "ID"], ["LastName", "FirstName"])
    place = header.index("ID")
    sis, more = header[place + 1 : place + 3]
    count = place + 2
    if re.match(r"SIS\s+Login\s+ID", sis):
        count = place + 3
    elif re.match(r"SIS\s+User\s+ID", sis) and re.match(r"SIS\s+Login\s+ID", more):
        count = place + 4 + header[place + 3 : place + 4].count("Integration ID")
        count += header[count - 1 : count].count("Root Account")
    assert "Section" in header[count - 1]  # else: invalid header row
    (title,) = header[count:]
    assert re.fullmatch(r".* \(4711\)", title)  # the assignment that is there, and no new one
    assert "Points Possible" in points[0] and float(points[count]) == 10  # or they are changed
    after = dict(scores)
    for line in lines:
        assert line[place] in PEOPLE
        after[line[place]] = line[count].strip()
    return after


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("header", CANVAS.values(), ids=CANVAS)
def test_canvas_takes_every_mark_and_no_grade_away(header, overwrite):
    by = {login: id for id, (_, login) in PEOPLE.items()}
    called = by if "SIS Login" not in header else {login: login for login in by}
    learners = [record(called["ada"], 150.0), record(called["zoe"], None),
                record(called["bob"], 0.0)]  # fmt: skip
    wanted = ExportRequest(learners, None, "Chapter 3", gradebook(header), [], overwrite=overwrite)
    made = tables.export_canvas(wanted)
    (data,) = made.files.values()
    after = canvas_reads(data.decode(), SCORES)
    assert after == {**SCORES, "7": "7.5" if overwrite else "3", "10": "0.0"}
    assert made.notes[:1] == [f"In the roster without a submission: {called['cy']}"]


@pytest.mark.parametrize("header", [CANVAS["none"], CANVAS["split"]], ids=["one", "split"])
def test_canvas_knows_people_by_their_names_and_who_is_excused_stays_so(header):
    learners = [record("Ada Love", 150.0), record("Zoe X", 100.0), record("Cy Low", 50.0)]
    text = gradebook(header).replace(",A,4,", ",A,N/A,")
    made = tables.export_canvas(
        ExportRequest(learners, None, "Chapter 3", text, [], overwrite=True)
    )
    after = canvas_reads(made.files["canvas.csv"].decode(), SCORES)
    assert after == {**SCORES, "7": "7.5"}
    assert made.missing == [
        "Zoe X: excused in Canvas, and left so",
        "Cy Low: not assigned to them in Canvas, which would take no mark",
    ]


def test_a_name_that_two_people_have_gives_nobody_a_mark():
    text = gradebook(CANVAS["none"]).replace('"Low, Cy"', '"Love, Ada"')
    with pytest.raises(WrongUse, match="Two rows of the roster could be Ada Love"):
        tables.export_canvas(ExportRequest([record("Ada Love", 1.0)], None, "Chapter 3", text, []))


NAMES = st.lists(
    st.text("=+-@;,'\"aÄ ＝", min_size=1, max_size=6).filter(lambda name: name == name.strip()),
    min_size=1, max_size=4, unique_by=lambda name: restore_cell(name).casefold(),
)  # fmt: skip


@SOME
@given(names=NAMES)
def test_learners_called_like_formulas_get_their_marks_back(names):
    """Names such as `-Ann` and `@bob` come from the platform's list and from our own table."""
    learners = [record(name, 10.0 + number) for number, name in enumerate(names)]
    people = [[f"Participant {number}", name] for number, name in enumerate(names, 1)]
    raw = io.StringIO()
    csv.writer(raw).writerows([["id", "learner"], *people])
    ours = csv_text([["id", "learner"], *people])
    for text in (raw.getvalue(), ours):
        made = tables.export_moodle(ExportRequest(learners, None, "x", text, []))
        columns, *lines = csv.reader(io.StringIO(made.files["moodle.csv"].decode()))
        marks = {line[0]: float(line[columns.index("x")]) for line in lines}
        assert marks == {p[0]: r["mark"] for p, r in zip(people, learners, strict=True)}
    assert [each.learner for each in read_people(ours)] == [*map(restore_cell, names)]
