"""A check turns out wrong: it is mended, the class graded again, and workspaces updated."""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
from pathlib import Path

import pytest

from grader import root
from grader.classroom.commands.grade import keep_record
from grader.classroom.intake.handins import HandIn
from grader.classroom.marks.regrade import (
    EarlierRecords,
    begin_after,
    describe_changes,
    list_changes,
    refuse_lost_learners,
    write_changes,
)
from grader.classroom.marks.results import Results
from grader.classroom.marks.roster import Person
from grader.errors import WrongUse
from grader.learner.untrusted_files import read_json_or_none

from ..conftest import run_grader
from .records import exercise, record, unjudged

OWN = Path(root.ROOT) / "examples" / "own_course"
# The course as it was: its variance ignores `ddof`, and so do the formulas that judge it.
WAS_WRONG = {
    "solutions/tinystats/describe.py": (
        "    return np.sum(distances**2)", "    ddof = 1\n    return np.sum(distances**2)",
    ),
    "tests/lesson1/suite.py": ("np.var, (0,)", "lambda x: np.var(x, ddof=1), (0,)"),
}  # fmt: skip
STANDARD = ("x.std()", "x.std(ddof=1)")


def graded(results: Results, learner: str, sha: str = "a", **points: float) -> None:
    """Keep the record of somebody whose exercises earned these points, of 2 each."""
    rows = [
        exercise(f"chapter1.{name}", "passed" if each == 2 else "failed", each)
        for name, each in points.items()
    ]
    results.write({**record(learner, *rows), "sha256": sha * 64})


@pytest.fixture
def two(tmp_path: Path) -> tuple[Results, Results]:
    """Earlier results, and new ones of nobody yet."""
    for name in ("before", "after"):
        (tmp_path / name / "learners").mkdir(parents=True)
    return Results(str(tmp_path / "before")), Results(str(tmp_path / "after"))


def judge_again(two, learner: str, sha: str = "a", lower: bool = False, grants=(), **points: float):
    """Keep the new record as `grader grade --after` does; return its marks."""
    base, results = two
    scratch = Results(results.folder + "-scratch")
    Path(scratch.learners).mkdir(parents=True, exist_ok=True)
    graded(scratch, learner, sha, **points)
    known = EarlierRecords(results, base, lower)
    clock = None, {}, {learner: list(grants)}
    made = scratch.read(learner)
    keep_record(HandIn(learner, made["submission"], learner), made, clock, known, False)
    return {id: row["mark"] for id, row in results.read(learner)["marks"].items()}


def test_no_mark_falls_and_a_grant_says_which_stayed(two):
    base, results = two
    graded(base, "ada", x=2, y=0)
    assert judge_again(two, "ada", x=0.5, y=2) == {"chapter1.x": 2, "chapter1.y": 2}
    made = results.read("ada")
    assert made["kept"] == ["chapter1.x"] and made["mark"] == 4 and made["own"] == 2.5
    assert "Granted: 2 points for chapter1.x." in made["says"]
    # The next `grader grade` without earlier results leaves it so; of other code it would not.
    again = (None, results)
    assert judge_again(again, "ada", x=0.5, y=2) == {"chapter1.x": 2, "chapter1.y": 2}
    assert judge_again(again, "ada", sha="b", x=0.5, y=2) == {"chapter1.x": 0.5, "chapter1.y": 2}


def test_a_mark_falls_where_it_is_asked_for_or_code_or_grants_say_so(two):
    base, results = two
    graded(base, "ada", x=2)
    assert judge_again(two, "ada", lower=True, x=0) == {"chapter1.x": 0}
    assert judge_again(two, "ada", sha="b", x=0) == {"chapter1.x": 0}
    grant = {"learner": "ada", "exercise": "chapter1.x", "points": 1.0, "reason": "So be it."}
    assert judge_again(two, "ada", grants=[grant], x=0) == {"chapter1.x": 1}
    assert "kept" not in results.read("ada")


def test_the_table_and_the_messages_name_those_whose_mark_moves(two):
    base, results = two
    for name, points in {"ada": 0.5, "ben": 2, "cleo": 2, "dan": 1}.items():
        graded(base, name, x=points, y=2)
    base.write(unjudged("eve"))
    for name, points in {"ada": 2, "ben": 2, "cleo": 0, "dan": 1, "eve": 1}.items():
        judge_again(two, name, sha="b" if name == "dan" else "a", x=points, y=2)
    changes = list_changes(base, results)
    assert [each.learner for each in changes if each.moved] == ["ada", "eve"]
    told = describe_changes(changes)
    assert told[0].split() == ["ada", "2.5", "→", "4", "of", "4", "chapter1.x", "0.5", "→", "2"]
    assert told[1].endswith("chapter1.x keeps its points") and "no mark → 3 of 4" in told[2]
    assert told[3:] == [
        "2 marks move, 3 stay.", "Handed in other files than before, so their marks may fall: dan",
    ]  # fmt: skip
    people = [Person("1", "Ada Love", "ada@example.org", "", "", "ada")]
    write_changes(results, changes, people, "It refused a float.")
    messages = Path(results.folder) / "messages"
    assert {path.name for path in messages.iterdir()} == {"ada.txt", "eve.txt"}
    says = (messages / "ada.txt").read_text()
    assert says.startswith("To: Ada Love <ada@example.org>\n") and "It refused a float." in says
    assert "Your mark is 4 of 4 now; before it was 2.5." in says and "chapter1.x 0.5 → 2" in says
    table = (Path(results.folder) / "changes.csv").read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    assert [(r["learner"], r["before"], r["after"], r["kept"]) for r in rows] == [
        ("ada", "2.5", "4.0", ""), ("cleo", "4.0", "4.0", "chapter1.x"), ("eve", "", "3.0", ""),
    ]  # fmt: skip
    assert rows[0]["message"].rstrip() == says.rstrip() and not rows[1]["message"]


def test_earlier_results_are_kept_and_have_to_be_whole(two):
    base, results = two
    with pytest.raises(WrongUse, match="holds no results"):
        begin_after(results, base.folder)
    base.write_batch({"seed": "s", "chapters": ["chapter1"]})
    with pytest.raises(WrongUse, match="another folder"):
        begin_after(base, base.folder)
    key = Path(results.folder) / "answers.key"
    key.write_bytes(b"of the checks as they were")
    assert begin_after(results, base.folder).folder == base.folder
    assert results.batch["seed"] == "s" and not key.exists()
    with pytest.raises(WrongUse, match="no results yet"):
        refuse_lost_learners(base, [])
    graded(base, "ada", x=2)
    with pytest.raises(WrongUse, match="results of ada"):
        refuse_lost_learners(base, [HandIn("ben", "in/ben", "ben")])


def install(release: Path, place: Path) -> dict[str, str]:
    """Unpack a release's wheel, as pip does; return the environment of its learner."""
    (wheel,) = release.glob("*.whl")
    shutil.rmtree(place, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    return {"PYTHONPATH": str(place), "GRADER_COURSE": ""}


class Term:
    """A course whose variance is wrong, released; ada is right, ben right by the wrong check."""

    def __init__(self, place: Path) -> None:
        self.place, self.course = place, place / "course"
        shutil.copytree(OWN, self.course)
        for name, change in WAS_WRONG.items():
            text = (self.course / name).read_text().replace(*change)
            (self.course / name).write_text(text.replace(*STANDARD) if "suite" in name else text)
        self.run("release", "out", "--chapters", "lesson1")
        self.theirs = install(place / "out", place / "site")
        for who, source in {"ada": OWN, "ben": self.course}.items():
            shutil.copytree(place / "out", place / "in" / who)
            written = source / "solutions" / "tinystats" / "describe.py"
            shutil.copy(written, place / "in" / who / "tinystats")

    def run(self, *words: str, where: str = "", status: int = 0, **more: str):
        around = {"GRADER_COURSE": str(self.course), "XDG_CACHE_HOME": str(self.place / "cache")}
        told = run_grader(*words, cwd=self.place / where, **{**around, **more})
        assert told.status == status, told.out + told.err
        return told

    def mend(self) -> None:
        shutil.rmtree(self.course)
        shutil.copytree(OWN, self.course)

    def read(self, results: str) -> list[dict]:
        """The records of ada and ben."""
        folder = self.place / results / "learners"
        return [read_json_or_none(str(folder / f"{who}.json.gz")) for who in ("ada", "ben")]


@pytest.mark.long
def test_a_wrong_check_is_mended_for_a_class_and_in_workspaces(tmp_path):
    """From the release with the wrong check to the learner whose check passes."""
    term = Term(tmp_path)
    assert "✗" in term.run("check", where="in/ada", status=1, **term.theirs).out
    term.run("grade", "in", "--release", "out", "--out", "res")
    before = term.read("res")
    assert before[0]["mark"] < 5 == before[1]["mark"]

    assert "have changed since" not in term.run("grade", "in", "--out", "res").err
    term.mend()
    shutil.copytree(tmp_path / "res", tmp_path / "again")
    told = term.run("grade", "in", "--out", "again")
    assert "lesson1. Everybody is judged again" in told.err and "--after again" in told.err
    told = term.run("grade", "in", "--after", "res", "--out", "res2", "--why", "It ignored ddof.")
    assert "1 mark moves, 1 stays." in told.out, told.out
    assert "Only this is judged again" in told.err and "marks may fall" not in told.err
    ada, ben = term.read("res2")
    assert ada["mark"] == ben["mark"] == 5 > ben["own"] and "lesson1.variance" in ben["kept"]
    assert [p.name for p in (tmp_path / "res2" / "messages").iterdir()] == ["ada.txt"]
    assert term.read("res") == before
    told = term.run("explain", "res2", "ben", "lesson1.variance")
    assert "It had these before a check was mended" in told.out

    term.run("release", "out2", "--chapters", "lesson1")
    written = tmp_path / "in" / "ada" / "tinystats" / "describe.py"
    text = written.read_bytes()
    told = term.run("update", str(tmp_path / "out2"), where="in/ada", **term.theirs)
    assert "file(s) are new" in told.out and written.read_bytes() == text
    assert "5 of 5 points" in term.run("check", where="in/ada", **term.theirs).out
    term.run("grade", "in", "--after", "res", "--out", "res2", "--lower")
    assert term.read("res2")[1]["mark"] < 5
