"""Every format by its own rules: schema, parser, reader, linter."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import jsonschema
import junitparser
import pytest
from referencing import Registry, Resource

from grader.classroom.files import neutralize_cell
from grader.classroom.marks.record import redact_check
from grader.learner.untrusted_files import read_json_or_none

from .conftest import CHAPTER, FORMULA, records


@pytest.fixture
def export(grader, graded, tmp_path):
    def run(name: str, *arguments: str, result: Path = graded) -> Path:
        ran = grader("export", name, str(result), "--out", str(tmp_path / "out"), *arguments)
        untold = "Not exported" in ran.err or "Without a mark" in ran.err
        assert ran.status == (1 if untold else 0), ran.err
        assert result != graded or "Without a mark: empty. empty cannot be judged: it" in ran.err
        return tmp_path / "out"

    return run


def schema(name: str):
    return json.loads((files("grader.classroom") / "schemas" / f"{name}.schema.json").read_text())


def test_json_follows_its_schema(export):
    result = schema("grader-result-1")
    registry = Registry().with_resource(result["$id"], Resource.from_contents(result))
    check = jsonschema.Draft202012Validator(schema("grader-class-1"), registry=registry)
    whole = json.loads(export("json").read_text())
    check.validate(whole)
    assert len(whole["records"]) == 7
    whole["records"][0]["status"] = "unreadable"  # a mark that should not be there
    assert not check.is_valid(whole)


def test_a_dash_is_standard_output(grader, graded, tmp_path):
    written, plain = (
        grader("export", "csv", str(graded), *out, cwd=tmp_path).out for out in (("--out", "-"), ())
    )
    assert written == plain != "" and not [*tmp_path.iterdir()]


def test_junit_loads_and_its_counts_are_true(export):
    suites = junitparser.JUnitXml.fromfile(str(export("junit")))
    cases = [case for suite in suites for case in suite]
    assert suites.tests == len(cases) > 300
    for kind, count in (("failure", suites.failures), ("error", suites.errors)):
        found = [c for c in cases if any(type(r).__name__.lower() == kind for r in c.result)]
        assert len(found) == count > 0
    names = {suite.name for suite in suites}
    assert f"名前.{CHAPTER}" in names and "empty" in names


def test_csv_holds_every_learner_and_no_formula(export):
    rows = list(csv.DictReader(io.StringIO(export("csv").read_text(encoding="utf-8"))))
    by = {row["learner"]: row for row in rows}
    assert "'" + FORMULA.replace("/", "_") in by
    assert by["empty"]["mark"] == "" and by["empty"]["status"] == "unreadable"
    ada = by["ada"]
    each = sum(float(v) for k, v in ada.items() if k and k.startswith(CHAPTER) and v)
    assert each == pytest.approx(float(ada["mark"]))


@pytest.mark.parametrize("cell", ["=1+1", "+1+1", "-1+1", "@x", "\t=1", "  =1", "\r=1", "\n=1"])
def test_what_looks_like_a_formula_is_text(cell):
    assert neutralize_cell(cell) == cell.replace(cell.lstrip(), f"'{cell.lstrip()}")
    assert neutralize_cell(-1.5) == -1.5


def test_moodle_takes_a_roster_and_leaves_out_what_has_no_mark(export, graded, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "First name,Email address,learner\nAda,ada@x.org,ada\nMo,mo@x.org,mo\nE,e@x.org,empty\n"
        "Zoe,zoe@x.org,zoe\n"
    )
    out = export("moodle", "--roster", str(roster), "--assignment", "Chapter 3")
    rows = list(csv.reader(io.StringIO(out.read_text())))
    assert rows[0] == ["First name", "Email address", "Chapter 3", "Chapter 3 feedback"]
    assert [row[1] for row in rows[1:]] == ["ada@x.org", "mo@x.org"]
    assert float(rows[1][2]) == records(graded)["ada"]["mark"]


def test_canvas_keeps_its_columns_and_says_the_points(export, graded, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "Student,ID,SIS Login ID,Section,Old (1)\n    Points Possible,,,,10\n"
        '"Love, Ada",7,ada,A,3\n"X, Zoe",8,zoe,A,\n'
    )
    out = export("canvas", "--roster", str(roster), "--assignment", "Chapter 3")
    rows = list(csv.reader(io.StringIO(out.read_text())))
    most = records(graded)["ada"]["max_mark"]
    assert rows[0] == ["Student", "ID", "SIS Login ID", "Section", "Chapter 3"]
    assert rows[1] == ["    Points Possible", "", "", "", f"{most}"]
    assert [row[:1] + row[-1:] for row in rows[2:]] == [["Love, Ada", f"{most}"]]


def test_a_roster_that_knows_nobody_is_a_sentence(grader, graded, tmp_path):
    (tmp_path / "roster.csv").write_text("Email\nnobody@x.org\n")
    ran = grader("export", "moodle", str(graded), "--roster", str(tmp_path / "roster.csv"))
    assert ran.status == 2 and "No row of the roster" in ran.err
    ran = grader("export", "moodle", str(graded))
    assert ran.status == 2 and "--roster" in ran.err


class Page(HTMLParser):
    """Counts tags, and remembers what is not closed."""

    VOID = ("meta", "link", "br", "img", "input", "hr")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_whole_escaped_and_links_to_every_learner(export):
    out = export("html")
    page = Page((out / "index.html").read_text(encoding="utf-8"))
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    learners = {link for link in links if link.startswith("learners/")}
    assert len(learners) == 7 and all((out / link).is_file() for link in links)
    assert {"by-mark.html", "by-status.html"} <= set(links)
    for path in [*out.glob("*.html"), *(out / "learners").iterdir()]:
        text = path.read_text(encoding="utf-8")
        page = Page(text)
        assert not page.open
        assert not [t for t, a in page.tags if t in ("script", "img", "link") or "src" in a]
        assert "<script" not in text and "http://" not in text.replace("http://x", "")


def test_a_hidden_check_shows_its_sentence_and_nothing_of_its_inputs(graded):
    record = read_json_or_none(str(graded / "learners" / "mo.json.gz"))
    checks = [
        c for ch in record["result"]["chapters"] for e in ch["exercises"] for c in e["checks"]
    ]
    hidden = [c for c in checks if c["hidden"] and c["status"] == "failed"]
    assert hidden and all(c["yours"] for c in hidden)
    for check in hidden:
        shown = redact_check(check)
        assert shown["title"] and shown["yours"] is None and not any(shown["expected"].values())
        assert str(check["yours"]) not in shown["message"]


def test_what_check_prints_can_be_exported_too(export, grader, package, tmp_path):
    ran = grader("check", "3.2", "--json", "--package", str(package()))
    (tmp_path / "one.json").write_text(ran.out)
    suites = junitparser.JUnitXml.fromfile(str(export("junit", result=tmp_path / "one.json")))
    assert suites.tests > 10 and suites.failures == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pdf", "."], "no format pdf"),
        (["csv"], "Name the results"),
        (["csv", "nowhere"], "There is no nowhere"),
        (["csv", "."], "no results"),
    ],
)
def test_wrong_use_is_a_sentence(arguments, words, grader, tmp_path):
    ran = grader("export", *arguments, cwd=tmp_path)
    assert ran.status == 2 and words in ran.err and "Traceback" not in ran.err
