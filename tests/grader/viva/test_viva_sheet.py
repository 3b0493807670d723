"""`grader viva` in the terminal, as data, supervised, and as the sheet of a class."""

from __future__ import annotations

import json

import pytest

from grader import interrupt
from grader.viva.commands.questions import Lot, render_viva_sheet, right_answers
from grader.viva.question import VivaQuestion

from .. import machine
from .asked import package_of, written

SUBS = ("chapter3.sub.forward", "chapter3.sub.backward")
BAD = {"ops.Sub.forward": "return b - a"}


@pytest.fixture
def right(tmp_path):
    return written(package_of().files, tmp_path / "right")


def test_it_asks_tells_the_answer_and_counts(right, grader):
    ran = grader("viva", *SUBS, "--package", right, "--count", "2", stdin="1\n2\n")
    assert ran.status == 0, ran.err
    assert "Question 2 of 2" in ran.out and "of 2 questions right." in ran.out
    assert ran.out.count("Right.") + ran.out.count("Not so:") == 2
    stopped = grader("viva", *SUBS, "--package", right, "--count", "2", stdin="q\n")
    assert stopped.status == 1 and "Stopped." in stopped.out


def test_what_is_typed_is_run_and_asked_for_again_where_it_is_no_input(monkeypatch, capsys):
    said = iter(["one", "[2]", "[3]"])
    monkeypatch.setattr(interrupt, "read_line", lambda: f"{next(said)}\n")

    def judge(text):
        if text == "one":
            raise ValueError("Type numbers.")
        return text == "[3]"

    question = VivaQuestion("k", "e", "p", "a?", (), (), (), "[3], for example", "Both ran.", judge)
    first, second = right_answers([question, question])
    out = capsys.readouterr().out
    assert (first["right"], second["right"]) == (False, True) and out.count("Type numbers.") == 1
    assert "Not so: [3], for example" in out and "1 of 2 questions right." in out


@pytest.mark.long
def test_a_page_of_ones_own_tells_each_answer_once_one_is_chosen(right, grader, tmp_path):
    pytest.importorskip("jinja2")
    words = ("viva", SUBS[0], "--package", right, "--count", "2")
    ran = grader(*words, "--out", "mine.html", cwd=tmp_path)
    assert ran.status == 0 and "wrote mine.html: 2 questions" in ran.out, ran.err
    page = (tmp_path / "mine.html").read_text()
    asked = json.loads(grader(*words, "--json").out)["questions"]
    assert page.count('type="radio"') == sum(len(q["options"]) for q in asked)
    assert page.count("<summary>The answer</summary>") == 2 and "<h2>Answers" not in page
    assert all(q["place"] in page for q in asked) and "<script" not in page


@pytest.mark.long
def test_as_data_a_name_and_a_seed_give_another_draw(right, grader):
    def drawn(*more):
        ran = grader("viva", *SUBS, "--package", right, "--count", "3", "--json", *more)
        return json.loads(ran.out)

    said = drawn()
    assert said["schema"] == "grader-viva/1" and said["chapter"] == "chapter3"
    assert {q["exercise"] for q in said["questions"]} <= set(SUBS)
    assert all(q["answer"] in q["options"] for q in said["questions"])
    assert drawn("--learner", "ann") == drawn("--learner", "ann") != said


@pytest.mark.long
def test_what_does_not_pass_is_not_asked_about(tmp_path, grader):
    place = written(package_of(BAD).files, tmp_path)
    ran = grader("viva", *SUBS, "--package", place, "--json", "--count", "2")
    assert {q["exercise"] for q in ran.result["questions"]} == {"chapter3.sub.backward"}
    assert "1 exercise of 2 does not pass yet: chapter3.sub.forward." in ran.err
    assert "`grader check chapter3.sub.forward`" in ran.err
    ran = grader("viva", SUBS[0], "--package", place)
    assert ran.status == 1 and not ran.out and "does not pass yet" in ran.err


@pytest.mark.parametrize(
    "words, says",
    [
        (["chapter1", "chapter3"], "Name one chapter"),
        (["chapter99"], "There is no chapter"),
        (["chapter3.add.forward"], "came written"),
        (["chapter3", "--count", "0"], "above 0"),
        (["chapter3", "--sheet", "nowhere"], "--sheet needs --out"),
        (["chapter3", "--sheet", "nowhere", "--out", "x.html"], "There is no"),
        ([*SUBS, "--supervised", "results"], "needs --learner"),
        ([*SUBS, "--supervised", "r", "--learner", " "], "--learner NAME"),
        *(
            ([*SUBS, "--supervised", "r", "--learner", "a", *more], "nothing beside")
            for more in (["--out", "x.html"], ["--json"], ["--seed", "x"])
        ),
    ],
)
def test_wrong_use_is_said_in_a_sentence(words, says, right, grader, tmp_path):
    own = () if "--sheet" in words else ("--package", right)
    ran = grader("viva", *words, *own, cwd=tmp_path)
    assert ran.status == 2 and says in ran.err and "Traceback" not in ran.err


@pytest.mark.long
def test_supervised_there_is_one_draw_and_a_record_of_it(right, grader, tmp_path):
    results = str(tmp_path / "results")
    words = (
        "viva", *SUBS, "--package", right, "--count", "1", "--supervised", results,
        "--isolation", machine.strongest(), "--learner",
    )  # fmt: skip
    assert grader(*words, "second/Ann", stdin="1\n").status == 0
    (file,) = (tmp_path / "results" / "viva").iterdir()
    kept = json.loads(file.read_text())
    (answer,) = kept["answers"]
    assert kept["learner"] == "ann" and kept["minutes"] == 10 and kept["seconds"] >= 0
    assert answer["late"] is False and isinstance(answer["right"], bool)
    again = grader(*words, "ann", stdin="1\n")
    assert again.status == 2 and "no second draw" in again.err
    late = grader(*words, "eve", "--minutes", "0.000001", stdin="1\n")
    assert "The time is over" in late.out and "0 of 1 question right" in late.out


def test_a_sheet_has_everybody_and_runs_nothing_that_they_wrote(grader, tmp_path):
    pytest.importorskip("jinja2")
    hostile = {"ops.Sub.forward": 'why = "<script>alert(1)</script>"\nreturn a - b'}
    for name, bodies in {"ann": hostile, "bob": BAD}.items():
        written(package_of(bodies).files, tmp_path / "class" / name)
    (tmp_path / "class" / "<b>eve").mkdir()
    ran = grader(
        "viva", "chapter3.sub.forward", "--sheet", "class", "--out", "s.html", "--count", "2",
        "--isolation", machine.strongest(), cwd=tmp_path,
    )  # fmt: skip
    assert ran.status == 1 and "questions for 1 of 3 hand-ins" in ran.out
    assert "bob: There is nothing to ask" in ran.err
    page = (tmp_path / "s.html").read_text()
    assert "<script" not in page and "<b>eve" not in page and "alert(1)" in page
    questions, answers = page.split("<h2>Answers</h2>")
    assert questions.count('class="question"') == 2 and answers.count('class="number"') == 2


@pytest.mark.long
def test_a_sheet_asks_about_files_that_were_handed_in_alone(grader, course, tmp_path):
    pytest.importorskip("jinja2")
    texts = {"loveada_5_91_ops.py": course.solved()["ops.py"], "sunli_6_92_ops.py": "1"}
    for name, text in texts.items():
        (tmp_path / "class" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / name).write_text(text)
    ran = grader(
        "viva", "chapter3.sub.forward", "--sheet", "class", "--out", "s.html",
        "--isolation", machine.strongest(), cwd=tmp_path,
    )  # fmt: skip
    assert "questions for 1 of 2 hand-ins" in ran.out
    assert ran.err.startswith("sunli: There is nothing to ask")


def test_the_letter_on_the_sheet_is_that_of_the_option():
    question = VivaQuestion("k", "e", "p", "a?", (), (), ("x", "y", "z"), "y", "w")
    page = render_viva_sheet("chapter3", [Lot("ann", [question])], "secret").decode()
    assert "<td>B: y</td>" in page
