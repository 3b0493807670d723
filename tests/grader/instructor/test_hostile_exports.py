"""A hostile learner in each export, read back as its platform reads it.

Each text stands where a learner has a say: as the name of a hand-in, and in what is said of it (a
message, a title of a check, a place, a mistake). A neighbour who is read back has the same marks
and the same page as in a class without the hostile one, and nothing runs. Names that a file system
folds into one do not come so far: `records/names_that_are_alike`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from grader.classroom.exports import ExportRequest, ci, gradescope, pages, tables
from grader.classroom.files import neutralize_cell
from grader.classroom.intake.handins import fold_case, name_hand_ins
from grader.errors import os_safe

from .records import check, exercise, record, result, unjudged
from .test_files import live_cells
from .test_round_trips import moodle_reads

HONEST, OF_HONEST = "Ada Love", "learners/Ada=20Love.html"
TEXTS = {
    "formula": "=HYPERLINK(\"http://x/?\"&A1,\"open\")",
    "formula behind a separator": "eve;=1+1",
    "command of a spreadsheet": "@SUM(1+1)*cmd|' /C calc'!A0",
    "a row of its own": f"eve\r\n{HONEST},graded,0,2",
    "a cell of its own": f'eve",{HONEST},"graded","99',
    "markup": "<img src=x onerror=alert(1)><script>alert(1)</script>",
    "an attribute that ends": "\" onmouseover=\"alert(1)\" x='",
    "the end of a CDATA": "]]><x/><!--",
    "an entity": "<!DOCTYPE a [<!ENTITY b 'c'>]>&b;",
    "a command of a workflow": "\n::error file=x::owned\n::set-env name=PATH::/tmp",
    "a command behind a carriage return": "%0A\r::add-path::/tmp",
    "Markdown": "</pre></details>\n\n# [x](javascript:alert(1)) | 9/2 |\n| a | b |",
    "nothing printable": "\x00\x07\x1b[2J\x9b31m",
    "from right to left": "ada\u202egnp.exe",
    "half a character": "eve\udc80",
    "a path": "../../" + HONEST,
    "a page of the class": "index",
    "Moodle's name of a hand-in": "Eve_1_assignsubmission_file_x",
    "as long as a line may be": "e" * 4000,
    "a template": "{{ 7*7 }}{% raw %}{{ config }}",
    "a number": "1e308",
    "an infinite number": "Infinity",
}  # fmt: skip


def hostile(text: str) -> dict[str, Any]:
    """The record of who is called so, and of whose code says nothing else."""
    said = {"name": "m", "says": text}
    wrong = check("crashed", text, title=text, location=f"{text}:1", mistake=said, reason=said)
    made = record(text, exercise("chapter1.a", "crashed", 0.0, wrong, title=text))
    return made | {"says": text}


def of_class(*others: Any) -> list[Any]:
    """A class with the honest one, whose mark is 1.5 of 2, and others."""
    return [record(HONEST, exercise("chapter1.a", "failed", 1.5)), *others]


def html_elements(data: bytes) -> list[tuple[str, tuple[str, ...]]]:
    """Each element's name, and the names of its attributes."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            found.append((tag, tuple(name for name, _ in attrs)))

    Reader().feed(data.decode())
    return found


def no_script(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        for tag, attributes in html_elements(data):
            assert tag not in ("script", "img", "iframe", "object"), (name, tag)
            assert not [each for each in attributes if each.startswith("on")], (name, tag)


# format → what its platform reads of the honest one; each asserts that nothing runs.
def read_csv(records: Any) -> object:
    text = tables.export_csv(ExportRequest(records, None, "x", None, [])).files["grades.csv"]
    assert not live_cells(text.decode())
    head, *rows = csv.reader(io.StringIO(text.decode(), newline=""))
    assert len(rows) == len(records) and {len(row) for row in rows} == {len(head)}
    return [row for row in rows if row[0] == HONEST]


def read_moodle(records: Any) -> object:
    """The worksheet, in which a number and nothing else names a person."""
    people = "".join(
        f'Participant {n},"{"Ada Love" if n == 1 else "Eve"}",Submitted,-,2.00,Yes,-,-,\r\n'
        for n, _ in enumerate(records, 1)
    )
    head = (
        "Identifier,Full name,Status,Grade,Maximum grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments\r\n"
    )
    named = [r | {"learner": f"Participant {n}"} for n, r in enumerate(records, 1)]
    made = tables.export_moodle(ExportRequest(named, None, "x", head + people, []))
    text = made.files["moodle.csv"].decode()
    grades, comments = moodle_reads(text, 2)
    assert not live_cells(text) and len(comments) == len(records)
    assert grades.keys() == {str(n) for n, r in enumerate(records, 1) if r["mark"] is not None}
    return grades["1"], comments["1"]


def read_canvas(records: Any) -> object:
    head = "Student,ID,SIS Login ID,Section,x (4711)\r\n    Points Possible,,,,2\r\n"
    out = io.StringIO()
    for n, each in enumerate(records, 1):
        name = each["learner"].encode("utf-8", "replace").decode()
        csv.writer(out).writerow([name, n, f"login{n}", "A", ""])
    named = [r | {"learner": f"login{n}"} for n, r in enumerate(records, 1)]
    made = tables.export_canvas(ExportRequest(named, None, "x", head + out.getvalue(), []))
    text = made.files["canvas.csv"].decode()
    _, _, *rows = csv.reader(io.StringIO(text, newline=""))
    assert not live_cells(text)
    ids = [row[1] for row in rows]
    assert len(ids) == len({*ids}) and {*ids} <= {str(n) for n, _ in enumerate(records, 1)}
    return [row for row in rows if row[1] == "1"]


def read_json(records: Any) -> object:
    (data,) = tables.export_json(ExportRequest(records, None, "x", None, [])).files.values()
    found = json.loads(data, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert data.isascii() and len(found["records"]) == len(records)
    return [each for each in found["records"] if each["learner"] == HONEST]


def read_junit(records: Any) -> object:
    (data,) = ci.export_junit(ExportRequest(records, None, "x", None, [])).files.values()
    top = ET.fromstring(data)
    assert b"<!DOCTYPE" not in data and {e.tag for e in top.iter()} <= {
        "testsuites", "testsuite", "testcase", "properties", "property", "failure", "error",
        "skipped",
    }  # fmt: skip
    assert len(top) == len(records)
    return [ET.tostring(s) for s in top if s.get("name") == f"{HONEST}.chapter1"]


def read_github(records: Any) -> object:
    """Commands of the runner: a line that begins with `::`, and nothing else may be one."""
    made = ci.export_annotations(ExportRequest(records, None, "x", None, [])).files
    lines = re.split(r"\r\n|\r|\n", made["annotations.txt"].decode())
    commands = [line for line in lines if line]
    assert all(re.match(r"::error (file=[^,]*,line=[^,:]*,)?title=[^,:]*::", c) for c in commands)
    assert len(commands) <= len(records)
    text = made["summary.md"].decode()
    assert text.count("<details>") == text.count("</details>") == text.count("<pre>")
    assert not re.search(r"<(script|img|x)", text)
    rows = [line for line in text.split("\n") if re.match(r"\| 1\.1 \|", line)]
    assert len(rows) == len(records) - sum(r["result"] is None for r in records)
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)
    return text.split("\n")[0], commands[0], rows[0]


def read_pages(records: Any) -> object:
    files = pages.export_pages(ExportRequest(records, None, "x", None, [])).files
    no_script(files)
    assert len(files) == 3 + len(records) and len({name.casefold() for name in files}) == len(files)
    assert all(re.fullmatch(r"[^/\x00]+\.html|learners/[^/\x00]+\.html", name) for name in files)
    assert not any(len(name.encode()) > 255 for path in files for name in path.split("/"))
    links = re.findall(r'href="(learners/[^"]*)"', files["index.html"].decode())
    assert {*links} <= files.keys() and len({*links}) == len(records)
    return files[OF_HONEST]


def read_moodle_pages(records: Any) -> object:
    named = [
        r | {"learner": f"{r['learner'].replace('_', ' ')}_{n}_assignsubmission_file_"}
        for n, r in enumerate(records, 1)
    ]
    (data,) = pages.export_moodle_pages(ExportRequest(named, None, "x", None, [])).files.values()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        assert not [n for n in names if n.startswith(("/", ".", "~")) or "\\" in n or "/" in n]
        by = {name.split("_", 4)[1]: name for name in names}
        assert len(by) == len(names)
        files = {name: archive.read(name) for name in names}
    no_script(files)
    return files[by["1"]]


def read_gradescope(records: Any) -> object:
    found = []
    for each in records:
        if each["result"] is None:
            continue
        told = gradescope.convert_result(each["result"])
        text = json.dumps(told, allow_nan=False)
        assert sum(test["score"] for test in told["tests"]) == told["score"]
        assert {test["output_format"] for test in told["tests"]} == {"text"}
        found.append(json.loads(text))
    return found[0]


READERS: dict[str, Callable[[Any], object]] = {
    name.removeprefix("read_"): reader for name, reader in list(globals().items())
    if name.startswith("read_")
}  # fmt: skip


@pytest.mark.sampled(quick=12)
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_neighbour_is_read_as_if_the_hostile_one_were_not_there(text, reader):
    alone = reader(of_class(record("Eve", exercise("chapter1.a", "crashed", 0.0))))
    assert alone and reader(of_class(hostile(text))) == alone
    assert reader(of_class(unjudged(text, text))) == alone


@pytest.mark.parametrize("half", ["\ud800", "\udfff", "\udc80\ud800", "a\ude00\ud83d"])
def test_half_a_character_anywhere_can_be_written(half):
    assert os_safe(f"x{half}y").encode() and os_safe("\U0001f600ä") == "\U0001f600ä"


UNSEEN = "\u200b\u200d\u2060\xad\ufeff\ufe0f\u034f\u3164\u061c\u2800\U000e0041\U000e0100"


@pytest.mark.parametrize("unseen", UNSEEN, ids=lambda c: f"U+{ord(c):04X}")
def test_a_name_that_looks_like_a_neighbours_is_told_with_more_of_its_path(unseen):
    found = [("/in/a/Ada Love", HONEST), (f"/in/b/Ada{unseen} Love", f"Ada{unseen} Love")]
    names = [handin.learner for handin in name_hand_ins(found)]
    cell = str(neutralize_cell(names[1], True))
    seen = "".join(c for c in cell if c not in UNSEEN)
    assert names[0] == HONEST and seen != HONEST and fold_case(names[1]) != fold_case(HONEST)
    apart = [("/in/a/Ada Love", HONEST), ("/in/b/Ada Lowe", "Ada Lowe")]
    assert [handin.learner for handin in name_hand_ins(apart)] == [HONEST, "Ada Lowe"]


def test_the_class_is_one_that_was_graded():
    assert result()["schema"] == "grader-result/1" and len(TEXTS) * len(READERS) > 150
