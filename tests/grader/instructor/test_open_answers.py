"""Open answers: from what is handed in, by way of a spreadsheet, into the marks."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from grader.classroom.analysis.open_answers import (
    ALIKE,
    apply_sheet_marks,
    carry_marks,
    group_similar_texts,
    make_marking_sheet,
    read_answers,
    read_sheet,
)
from grader.classroom.analysis.similar import link_pairs
from grader.classroom.exports import ExportRequest, ci, pages, tables
from grader.classroom.intake.archive_reader import read_submission_files
from grader.classroom.nbgrader import assignments
from grader.course.schema import Question
from grader.errors import WrongUse
from grader.learner.open_questions import answer_files, open_questions

from . import records
from .conftest import FORMULA, write_package

WHY, HOW = "chapter1.q.why", "chapter1.q.how"
ASKED = {
    WHY: Question(WHY, "Why?", rubric=("It sums.", "It scales.", "It ends.")),
    HOW: Question(HOW, "How?", rubric=("So.",)),
}


def answered(learner: str, text: str = "It sums.", **more) -> dict:
    return records.record(
        learner, records.exercise("chapter1.a", "passed", 2.0), answers={WHY: text}, **more
    )


def filled(data: bytes, fill: Callable[[dict[str, str]], None]) -> list[dict[str, str]]:
    """The sheet's rows, those with an answer changed by ``fill``."""
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    for row in rows:
        if row["row"]:
            fill(row)
    return rows


def saved(rows: list[dict[str, str]], between: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=between)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def back(learners: list[dict], fill: Callable[[dict[str, str]], None]):
    data, _ = make_marking_sheet(learners, ASKED)
    return read_sheet(saved(filled(data, fill)), learners, ASKED)


def test_a_row_for_each_answer_like_ones_together_and_the_rubric_above():
    texts = {
        "ada": "It grows with the number of inputs of a sum.",
        "bob": "Because weights are small.",
        "eve": "it GROWS with the number of inputs, of a sum",
        "mo": "=HYPERLINK(1)",
    }
    data, count = make_marking_sheet([answered(who, text) for who, text in texts.items()], ASKED)
    first, *rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert count == 4 and first[5:] == ["item 1", "item 2", "item 3", "comment"]
    assert rows[0] == ["", "", WHY, "", "Why?", *ASKED[WHY].rubric]
    assert [row[1] for row in rows[1:]] == ["ada", "eve", "bob", "mo"]
    assert [row[3] for row in rows[1:]] == ["1", "1", "2", "3"]
    assert rows[4][4] == "'=HYPERLINK(1)"
    assert not any(row[0][0].isdigit() for row in rows[1:])


def test_groups_hold_whoever_is_linked_and_the_largest_is_first():
    texts = ["a b c d", "x", "b c d e", "c d e f", "y z", "z y"]
    assert group_similar_texts(texts) == [[0, 2, 3], [4, 5], [1]]
    assert group_similar_texts([]) == [] and group_similar_texts(["", ""]) == [[0, 1]]


def test_groups_are_those_of_the_words_of_each_pair():
    rng = random.Random(7)
    for size in range(1, 40):
        texts = [" ".join(rng.choices("abcdefgh", k=rng.randrange(9))) for _ in range(size)]
        words = [{*text.split()} for text in texts]
        groups = {at: group for group in group_similar_texts(texts) for at in group}
        for a, b in itertools.combinations(range(size), 2):
            is_alike = 2 * len(words[a] & words[b]) >= ALIKE * (len(words[a]) + len(words[b]))
            assert not is_alike or b in groups[a]


def test_answers_that_are_all_alike_are_joined_once_each():
    joined = []

    def note(frame, event, arg):
        if event == "c_call" and arg.__name__ == "fromkeys":
            joined.append(arg)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        (group,) = link_pairs(itertools.combinations(range(30), 2))
    finally:
        sys.setprofile(before)
    assert len(group) == 30 and len(joined) == 29


@pytest.mark.parametrize("cells, points", [
    (("1", "0", "0"), 1), (("1", "", ""), 1), (("0,5", "0.25", ""), 0.75), (("x", "✓", "TRUE"), 3),
    (("0", "", ""), 0), (("-", "no", "1"), 1),
])  # fmt: skip
def test_a_cell_is_what_people_write(cells, points):
    ada = answered("ada")
    one = {f"item {number}": cell for number, cell in enumerate(cells, 1)}
    given, wrong = back([ada], lambda row: row.update(one))
    assert not wrong and [sum(each.items) for each in given.values()] == [points]


@pytest.mark.parametrize("change, says", [
    ({"item 2": "2"}, "«2» in item 2"), ({"item 1": "-1"}, "«-1» in item 1"),
    ({"item 1": "nan"}, "«nan»"), ({"item 3": "good"}, "«good» in item 3"),
    ({"item 1": "1", "row": ""}, "no answer of these results"),
    ({"item 1": "1", "row": "afeed"}, "no answer of these results"),
    ({"comment": "fine"}, "a comment and no marks"),
])  # fmt: skip
def test_what_does_not_fit_is_told_by_its_row_and_the_others_count(change, says):
    learners = [answered("ada"), answered("bob", "Something else altogether.")]

    def fill(row):
        row["item 1"] = "1" if row["learner"] == "ada" else ""
        row.update(change if row["learner"] == "bob" else {})

    given, wrong = back(learners, fill)
    assert [each.learner for each in given.values()] == ["ada"]
    assert len(wrong) == 1 and wrong[0].startswith(f"Row 4 (bob {WHY})") and says in wrong[0]


def test_an_item_beyond_the_rubric_does_not_fit():
    ada = answered("ada") | {"answers": {WHY: "It sums.", HOW: "So.", "": "Left over."}}
    given, wrong = back([ada], lambda row: row.update({"item 1": "1", "item 2": "1"}))
    assert [each.question for each in given.values()] == [WHY]
    assert [line.partition(")")[0] for line in wrong] == [
        f"Row 5 (ada {HOW}", "Row 6 (ada below no question of the rubric",
    ]  # fmt: skip


def test_a_row_that_stands_there_twice_counts_once():
    ada = answered("ada")
    data, _ = make_marking_sheet([ada], ASKED)
    rows = filled(data, lambda row: row.update({"item 1": "1"}))
    given, wrong = read_sheet(saved([*rows, rows[-1]]), [ada], ASKED)
    assert len(given) == 1 and not wrong
    given, wrong = read_sheet(saved([*rows, {**rows[-1], "item 1": "0"}]), [ada], ASKED)
    assert [each.items for each in given.values()] == [[1, 0, 0]] and "twice" in wrong[0]


LARGE = f"row,answer\n,{'x' * 200_000}\n"  # more than a field of a CSV may hold


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "row\nx\n", '"', LARGE], ids=len)
def test_another_file_is_no_sheet(text):
    with pytest.raises(WrongUse, match=r"--out|table cannot be read"):
        read_sheet(text, [answered("ada")], ASKED)


def marked_class() -> list[dict]:
    """Ada has 1.5 of 3, Bob waits, Eve wrote nothing; Mo cannot be read."""
    learners = [answered("ada"), answered("bob", "Other words."), records.unjudged("mo")]
    learners.insert(2, records.record("eve", records.exercise("chapter1.a", "passed", 2.0)))

    def fill(row):
        if row["learner"] == "ada":
            row.update({"item 1": "1", "item 2": "0,5", "comment": "'- nearly"})

    given, _ = back(learners, fill)
    return [apply_sheet_marks(record, given, {WHY: 3.0}) for record in learners]


def test_marks_have_what_was_given_and_everybody_the_same_most():
    ada, bob, eve, mo = marked_class()
    assert [r["mark"] for r in (ada, bob, eve, mo)] == [3.5, 2.0, 2.0, None]
    assert [r["max_mark"] for r in (ada, bob, eve)] == [5.0, 5.0, 5.0]
    assert ada["open"][WHY]["comment"] == "- nearly" and "open" not in mo
    assert apply_sheet_marks(ada, {}, {WHY: 3.0}) == ada  # read again, nothing new
    assert (
        apply_sheet_marks(answered("ada"), {}, {})["mark"] == 2.0
    )  # a sheet in which nothing stands


def test_late_answers_lose_as_the_chapter_does():
    late = answered("ada", late={"chapter1": {"hours": 5.0, "factor": 0.5}})
    given, _ = back([late], lambda row: row.update({"item 1": "1", "item 2": "1"}))
    made = apply_sheet_marks(late, given, {WHY: 3.0})
    assert made["mark"] == 2.0 and made["own"] == 4.0 and made["marks"][WHY]["mark"] == 1.0


def test_every_export_has_them():
    learners = marked_class()
    wanted = ExportRequest(learners, None, "One", "learner,ID\nada,7\nbob,8\n", [])
    table = tables.export_csv(wanted).files["grades.csv"].decode().splitlines()
    assert table[0].split(",")[6:8] == ["chapter1.a", WHY]
    assert table[1].split(",")[2:4] == ["3.5", "5.0"] and table[1].split(",")[7] == "1.5"
    moodle = tables.export_moodle(wanted).files["moodle.csv"].decode().splitlines()
    assert moodle[1].startswith("7,3.5,3.5 of 5 points.")
    assert f"Not marked yet: {WHY}." in moodle[2]
    made = pages.export_pages(wanted).files
    ada, bob = (made[f"learners/{who}.html"].decode() for who in ("ada", "bob"))
    assert "1.5 of 3 points" in ada and "- nearly" in ada and "It sums." in ada
    assert "not marked yet" in bob and "It scales." not in ada + bob
    cases = ci.export_junit(wanted).files["junit.xml"].decode()
    assert "1.5 of 3 points" in cases and cases.count(f' name="{WHY}"') == 3
    assert json.loads(tables.export_json(wanted).files["class.json"])["records"][0]["open"]


def test_what_was_marked_stays_while_the_answer_does():
    ada = marked_class()[0]
    same, other = answered("ada"), answered("ada", "It sums, and scales.")
    assert carry_marks(same, ada, {WHY: 3.0})["open"] == ada["open"]
    assert carry_marks(other, ada, {WHY: 3.0})["open"] == {WHY: {"max_points": 3.0}}
    assert carry_marks(other, None, {WHY: 3.0})["open"] == {WHY: {"max_points": 3.0}}
    assert "open" not in carry_marks(other, ada, {})
    data, _ = make_marking_sheet([ada], ASKED)
    assert filled(data, lambda row: None)[-1]["item 2"] == "0.5"


# ---- what is handed in ----------------------------------------------------------------

CHAPTER = SimpleNamespace(id="chapter1", title="One", questions=tuple(ASKED.values()))


def written(**answers: str) -> str:
    """The file that was handed out, with these answers."""
    text = answer_files([CHAPTER])["answers/chapter1.md"].decode()
    for id, answer in (({"why": WHY, "how": HOW}[name], a) for name, a in answers.items()):
        quoted = f"> {ASKED[id].asks}\n>\n> ({len(ASKED[id].rubric)} points)\n"
        assert quoted in text
        text = text.replace(quoted, f"{quoted}\n{answer}\n")
    return text


def found_in(place: Path) -> dict[str, str]:
    return read_answers(read_submission_files(str(place)), [CHAPTER], ["chapter1"])


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_answers_of_a_folder_are_read_as_editors_save_them(coding, tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "chapter1.md").write_bytes(written(why="Über.").encode(coding))
    assert found_in(tmp_path) == {WHY: "Über."}


def test_answers_in_archives_are_read_and_links_are_not(tmp_path):
    for name in ("work/answers/chapter1.md", "work\\answers\\chapter1.md"):
        with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
            archive.writestr(name, written(how="Two."))
            archive.writestr("work/chapters/chapter1.md", written(why="Prose."))
        assert found_in(tmp_path / "work.zip") == {HOW: "Two."}
    (tmp_path / "ada" / "answers").mkdir(parents=True)
    (tmp_path / "secret.md").write_text(written(why="Somebody else's."))
    (tmp_path / "ada" / "answers" / "chapter1.md").symlink_to(tmp_path / "secret.md")
    assert found_in(tmp_path / "ada") == {}


def test_what_steers_a_terminal_is_gone(tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "chapter1.md").write_text(written(how="\x1b[2J red"))
    assert found_in(tmp_path) == {HOW: "\N{REPLACEMENT CHARACTER}[2J red"}


# ---- the command ----------------------------------------------------------------------


@pytest.fixture
def handed_in(tmp_path: Path, grader, course) -> Path:
    """Workspaces of chapter 7: Ada's answer is a formula, Bob's and Zoe's are the same."""
    assert grader("init", str(tmp_path / "work"), "--from", "chapter7").status == 0
    question = next(iter(open_questions(c for c in course.chapters if c.id == "chapter7")))
    for who, text in (("ada", FORMULA), ("bob", "It keeps."), ("zoe", "It keeps.")):
        place = shutil.copytree(tmp_path / "work", tmp_path / "in" / who)
        path = place / "answers" / "chapter7.md"
        head, heading, tail = path.read_text().partition(f"## {question}\n")
        path.write_text(f"{head}{heading}{text}\n{tail}")
    write_package(tmp_path / "in" / "mo", course.stubs(7))
    (tmp_path / "question").write_text(question)
    return tmp_path


@pytest.mark.long
def test_from_hand_ins_to_a_worksheet_and_back_again(handed_in, grader):
    def run(*words):
        return grader(*words, cwd=handed_in)

    grade = ("grade", "in", "--out", "out", "--seed", "public", "--chapters", "chapter7",
             "--jobs", "1")  # fmt: skip
    assert run(*grade).status == 0
    assert run("open", "out").status == 2 and run("open", "in", "--out", "x").status == 2
    assert run("open", "out", "--out", "sheet.csv").status == 0
    again = run("open", "out", "--out", "sheet.csv")
    assert again.status == 2 and "is there already" in again.err
    data = (handed_in / "sheet.csv").read_bytes()
    rows = filled(data, lambda row: row.update({"item 1": "1", "item 2": "0,5"}))
    assert [row["learner"] for row in rows if row["row"]] == ["bob", "zoe", "ada"]
    rows[-1]["item 1"] = "3"
    (handed_in / "sheet.csv").write_text(saved(rows, ";"), encoding="utf-16")
    ran = run("open", "out", "--read", "sheet.csv")
    assert ran.status == 1 and "Row 5 (ada" in ran.err and "Not marked yet: ada" in ran.err
    rows[-1]["item 1"] = "0"
    (handed_in / "sheet.csv").write_text(saved(rows), encoding="utf-8-sig")
    assert run("open", "out", "--read", "sheet.csv").status == 0
    for more in ((), ("--again",)):  # what was marked stays when the class is judged again
        assert run(*grade, *more).status == 0
        with open(handed_in / "out" / "results.csv", encoding="utf-8", newline="") as file:
            marks = {r["learner"]: (r["mark"], r["max_mark"]) for r in csv.DictReader(file)}
        assert marks == {
            "ada": ("0.5", "14.0"), "bob": ("1.5", "14.0"), "zoe": ("1.5", "14.0"),
            "mo": ("0.0", "14.0"),
        }  # fmt: skip
    path = handed_in / "in" / "bob" / "answers" / "chapter7.md"
    path.write_text(path.read_text().replace("It keeps.", "It keeps the spread."))
    assert run(*grade).status == 0
    ran = run("export", "csv", "out", "--out", "grades.csv")
    assert ran.status == 1 and "Not marked yet: bob, chapter7.q.both_ways" in ran.err
    ran = run("open", "out", "--read", "sheet.csv")
    assert ran.status == 1 and "another one was handed in since" in ran.err


def test_answers_of_a_notebook_are_found(course, tmp_path):
    """The notebook has a cell that the learner added."""
    chapter = next(each for each in course.chapters if each.id == "chapter7")
    notebook = assignments.source(course, chapter)
    at = next(n for n, cell in enumerate(notebook.cells) if "Your answer" in cell.source)
    notebook.cells[at].source = "It keeps the spread."
    notebook.cells.insert(at + 1, new_code_cell("print(1)"))
    (tmp_path / "chapter7.ipynb").write_text(nbformat.writes(notebook, version=4))
    question, *_ = open_questions([chapter])
    for place in (tmp_path, tmp_path / "chapter7.ipynb"):
        found = read_answers(read_submission_files(str(place)), course.chapters, ["chapter7"])
        assert found == {question: "It keeps the spread.\nprint(1)"}
        assert read_answers(read_submission_files(str(place)), course.chapters, ["chapter3"]) == {}
