"""A learner's page says each fault once, and folds what is right."""

from __future__ import annotations

import io
import re
import zipfile

from grader.classroom import files
from grader.classroom.analysis.item_analysis import analyse_class
from grader.classroom.exports import ExportRequest, pages
from grader.classroom.files import render_prose
from grader.classroom.marks.results import Results
from grader.classroom.marks.roster import Person

from .records import exercise, record

MOST_LINES = 80  # of text that is not folded, for one mistake or one cause


def page_of(graded, learner: str) -> str:
    record = Results(str(graded)).read(learner)
    return (
        pages.export_pages(ExportRequest([record], None, "x", None, []))
        .files[f"learners/{learner}.html"]
        .decode()
    )


def unfolded(text: str) -> list[str]:
    """The lines of the body that are there without a click."""
    body, depth = [], 0
    for line in text.partition("<main>")[2].splitlines():
        if not depth and line.strip():
            body.append(line)
        depth += line.count("<details") - line.count("</details")
    return body


def test_one_cause_is_told_once_and_what_waits_for_it_stands_below_it(graded):
    """One exercise is wrong, and the others that need it wait."""
    text = page_of(graded, "late")
    assert text.count("These wait for it") >= 1
    assert len(unfolded(text)) < MOST_LINES
    assert "passed</summary>" in text


def test_a_package_that_cannot_be_imported_is_told_once(graded, grader, tmp_path):
    record = Results(str(graded)).read("mo")
    for chapter in record["result"]["chapters"]:
        for e in chapter["exercises"]:
            if e["status"] != "given":
                e["status"] = "crashed"
                for c in e["checks"]:
                    c.update(status="crashed", message="SyntaxError: oh", location="ops.py:3")
    made = pages.export_pages(ExportRequest([record], None, "x", None, []))
    text = made.files["learners/mo.html"].decode()
    assert text.count("SyntaxError: oh") == 1 and "exercises end in the same way" in text
    assert len(unfolded(text)) < MOST_LINES


def test_the_class_page_sorts_totals_and_groups_copies(graded):
    files = pages.export_pages(
        ExportRequest(Results(str(graded)).records(), None, "x", None, [])
    ).files
    by_mark = files["by-mark.html"].decode()
    assert by_mark.index(">ada<") < by_mark.index(">mo<") < by_mark.index(">empty<")
    index = files["index.html"].decode()
    copies = index.partition("The same code, byte for byte")[2].partition("</p>")[0]
    assert ">ada<" in copies and ">copy<" in copies and ">mo<" not in copies
    assert "<tfoot>" in index and 'aria-sort="ascending"' in index and "% " not in copies


def test_copies_on_the_class_page_are_called_by_their_names(graded):
    listed = [Person("ada", "Ada Love", "", "", "", "")]
    wanted = ExportRequest(Results(str(graded)).records(), None, "x", None, [], people=listed)
    index = pages.export_pages(wanted).files["index.html"].decode()
    copies = index.partition("The same code, byte for byte")[2].partition("</p>")[0]
    assert 'learners/ada.html"><bdi>Ada Love</bdi>' in copies and ">copy<" in copies


def test_a_sentence_shows_code_as_code_and_nothing_as_html():
    assert render_prose("`a & b` is <b>") == "<code>a &amp; b</code> is &lt;b&gt;"
    assert render_prose("one ` alone") == "one ` alone"


def test_bars_are_as_high_as_what_they_count():
    found = analyse_class([], {}.get)._replace(distribution=[4, 2, 1, 0, 0, 0, 0, 0, 0, 3])
    text = files.fill_template("insights.html", title="t", found=found, dear=[]).decode()
    heights = [float(each) for each in re.findall(r'style="height:([\d.]+)rem"', text)]
    assert [4 * each / heights[0] for each in heights] == found.distribution


def moodle_takes(name: str, participants: set[int]) -> int | None:
    """The participant of a file in a zip, by the rules of Moodle's importer of such zips."""
    said = name.rpartition("/")[2].split("_", 4)
    if name.startswith((".", "~")) or len(said) < 5 or said[2:4] != ["assignsubmission", "file"]:
        return None
    return int(said[1]) if said[1].isdigit() and int(said[1]) in participants else None


def test_moodle_gives_each_page_of_a_zip_to_its_learner():
    one = exercise("chapter1.a", "passed", 2.0)
    names = [
        "Ada Love_7_assignsubmission_file_",
        "Bob_8_assignsubmission_file_ops.py",
        "x_y",
        "~e",
    ]
    records = [record(name, one) for name in names]
    sheet = (
        "Identifier,Full name,Grade,Maximum grade,learner\n"
        "Participant 9,X Y,-,100,x_y\nParticipant 10,E,-,100,~e\n"
    )
    for roster, count in ((None, 2), (sheet, 4)):
        made = pages.export_moodle_pages(ExportRequest(records, None, "x", roster, []))
        with zipfile.ZipFile(io.BytesIO(made.files["moodle-pages.zip"])) as archive:
            whose = {moodle_takes(name, {7, 8, 9, 10}): name for name in archive.namelist()}
            texts = {n: archive.read(name).decode() for n, name in whose.items()}
        assert sorted(whose) == [7, 8, 9, 10][:count] and len(made.missing) == 4 - count
        assert "Ada Love" in texts[7] and "Ada Love" not in texts[8]


def test_a_record_of_a_group_goes_by_the_worksheet_alone():
    made = record("ada", exercise("chapter1.a", "passed", 2.0))
    made |= {"team": ["ada", "bob"], "whose": "Group A_17_assignsubmission_file_"}
    found = pages.export_moodle_pages(ExportRequest([made], None, "x", None, []))
    assert found.missing and "worksheet with --roster" in found.missing[0]
