"""An instructor's own course: Softplus and LogCosh, points, what is off."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path

import pytest

from grader.audit.commands import audit as authors
from grader.audit.invariants import INVARIANTS
from grader.classroom.exports import ExportRequest, gradescope, pages
from grader.classroom.intake.handins import HandIn
from grader.classroom.judging import SubmissionJudge
from grader.classroom.marks import cohort
from grader.classroom.marks.cohort import Cohort, digest_suites, ensure_key, open_class_key
from grader.classroom.marks.overlay import load_course
from grader.classroom.marks.record import redact_check
from grader.classroom.release import bundle, publickey
from grader.course.key_file import Key
from grader.course.load import read_course
from grader.course.make_key import KeyBuilder
from grader.errors import WrongUse
from grader.learner.wording import format_numbers

from .conftest import write_package
from .private_course import FILES

pytestmark = pytest.mark.xdist_group("overlay")  # what all share takes long to make


@pytest.fixture(scope="module")
def toml(tmp_path_factory) -> Path:
    base = tmp_path_factory.mktemp("mine")
    for name, text in FILES.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(text, encoding="utf-8")
    return base / "course.toml"


@pytest.fixture(scope="module")
def mine(toml):
    return load_course(str(toml))


@pytest.fixture(scope="module")
def key(mine, toml, tmp_path_factory) -> Key:
    """The overlaid course as far as chapter 3, which it changes."""
    path = str(tmp_path_factory.mktemp("key") / "answers.key")
    return open_class_key(
        ensure_key(os.path.dirname(path), "secret", mine, None, ["chapter3"]), str(toml)
    )


def test_the_overlay_is_in_the_course_and_the_course_stays_as_it_was(mine):
    assert mine.exercises["chapter3.div.backward"].points == 40
    assert mine.exercises["chapter3.bughunt.mend"].given
    assert "class Softplus" in mine.stubs()["ops.py"]
    assert "logaddexp(a, -a)" not in mine.stubs()["ops.py"]
    body = mine.regions[mine.exercises["chapter3.bughunt.mend"].targets[0]].body.strip()
    assert body.splitlines()[-1] in mine.stubs()["bughunt.py"]
    assert "chapter3.softplus.forward" not in read_course().exercises


@pytest.mark.long
def test_it_is_audited_like_the_rest_and_released_without_its_answers(mine, key):
    assert bundle.find_failing_invariants(mine, key, ["chapter1", "chapter2", "chapter3"]) == []
    files = bundle.build_bundle(mine, key, ["chapter3"], "given")
    assert not list(publickey.find_leaks(mine, key, ["chapter3"], files))
    assert b"Friday, 18:00" in files["README.md"]
    assert b"### logcosh" in files["chapters/chapter3.md"]
    assert not any(b"the private answer" in data for data in files.values())


@pytest.mark.long
def test_the_audit_takes_it(mine, key):
    invariants = authors.invariants(mine)
    assert {t.id for t in invariants} == {t.id for t in INVARIANTS} - {"5-stripped"}
    quick = ("2-stubs", "3-alone", "6-regions", "6-whole", "6-order", "8-leaks", "9-taught")
    with authors.proof_of(mine, [], None) as proof:
        proof.__dict__["key"] = key  # built already
        assert {m.name for _, m in proof.mistakes()} == {"mine"}
        assert not [p for t in invariants if t.id in quick for p in t.problems(proof)]


@pytest.mark.long
def test_the_gradescope_zip_holds_its_exercises_and_not_its_answers(key, toml, monkeypatch):
    monkeypatch.setattr(gradescope, "open_public_key", lambda course: key)
    wanted = ExportRequest([], None, "x", None, ["chapter3"], str(toml), seed="public")
    made = gradescope.export_gradescope(wanted)
    with zipfile.ZipFile(io.BytesIO(made.files["autograder.zip"])) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    place = "course/grader/_course"
    assert b"chapter3.softplus.forward" in files[f"{place}/answers.key"]
    assert "class LogCosh" in json.loads(files[f"{place}/stubs.json"])["ops.py"]
    answers = (b"the private answer", b"np.logaddexp(0.0, a)", b"np.logaddexp(a, -a)")
    assert not any(answer in data for data in files.values() for answer in answers)


def test_its_key_is_made_once_and_kept(mine, monkeypatch, tmp_path):
    made = []

    def chapter(self, name, launch=None):
        made.append((self.seed, name))
        return b"a slice"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(KeyBuilder, "chapter", chapter)
    for _ in range(2):
        assert cohort.open_public_key(mine).slice("chapter2") == b"a slice"
    assert made == [(f"public {mine.answers_fingerprint}", "chapter2")]


@pytest.mark.sampled(long=0)
def test_the_commands_take_it(toml, grader, tmp_path):
    """The same by the commands themselves, which build its key: a minute or three."""
    for arguments in (
        ["audit", "--course", str(toml)],
        ["release", str(tmp_path / "out"), "--chapters", "chapter3", "--course", str(toml)],
        ["export", "gradescope", "--out", str(tmp_path / "a.zip"), "--course", str(toml)],
    ):
        ran = grader(*arguments, seconds=1200)
        assert ran.status == 0, ran.out + ran.err
    ran = grader("check", "chapter3.softplus", "--json", cwd=tmp_path / "out")
    assert set(ran.statuses().values()) == {"pending"}


@pytest.mark.long
def test_marks_come_from_it(mine, key, toml, tmp_path):
    wrong = {"ops.LogCosh.backward": "(a,) = node._inputs\nreturn out_grad * sigmoid(a)"}
    write_package(tmp_path / "zoe", mine.replace_bodies(wrong))
    class_ = Cohort(key.path, digest_suites(key.path), ["chapter3"], "best", str(toml))
    judge = SubmissionJudge(class_)
    record = judge.record(HandIn("zoe", str(tmp_path / "zoe")), None)
    judge.end()
    assert record["status"] == "graded", record["says"]
    lost = {id for id, m in record["marks"].items() if m["mark"] < m["max_mark"]}
    assert lost == {"chapter3.logcosh.backward"}
    assert record["marks"]["chapter3.div.backward"]["max_mark"] == 40
    assert record["marks"]["chapter3.bughunt.mend"]["max_mark"] == 0
    checks = {
        c["id"]: c for ch in record["result"]["chapters"] for e in ch["exercises"]
        for c in e["checks"]
    }  # fmt: skip
    assert checks["chapter3.softplus.forward/large"]["status"] == "passed"
    assert checks["chapter3.logcosh.backward/gradient"]["mistake"]["name"] == "mine"


POINTS = "[points]\n'chapter3.div.backward' = 40\n"
OFF = "[off]\nexercises = ['chapter3.bughunt.mend']\n"
DUE = "[due]\nchapter3 = 2026-03-01T12:00:00Z\n"


def test_points_and_dates_change_no_input_and_no_answer(mine, tmp_path):
    """So PyTorch's answers are on record for them, and what was worked out once is there."""

    def made(text):
        (tmp_path / "course.toml").write_text(text)
        return load_course(str(tmp_path / "course.toml"))

    for text, mark, asks in (
        (DUE, False, False), (POINTS, True, False), (OFF, True, True), (POINTS + OFF, True, True),
    ):  # fmt: skip
        course = made(text)
        assert (bool(course.key_fingerprint), bool(course.answers_fingerprint)) == (mark, asks), (
            text
        )
        assert course.drawn_from("public") == "public"
    assert made(OFF).answers_fingerprint == made(POINTS + OFF + DUE).answers_fingerprint
    assert (
        made(OFF).key_fingerprint
        != made(POINTS + OFF).key_fingerprint
        == made(POINTS + OFF + DUE).key_fingerprint
    )
    assert mine.drawn_from("public") != "public"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[pints]", "no table [pints]"),
        ("[points]\n'chapter3.nothing' = 2", "names chapter3.nothing"),
        ("[points]\n'chapter3.div.backward' = 0", "a number above 0"),
        ("[due]\nchapter77 = 'x'", "names chapter77"),
        ("[course]\noverlay = 'nowhere'", "which is not there"),
        ('[course]\noverlay = "a\\u0000b"', "names a folder, as a text; 'a.x00b' is none"),
        ("[course]\noverlay = 7", "names a folder, as a text; 7 is none"),
        ("[marks]\npolicy = []", "policy is one of"),
        ("[off]\nexercises = 3", "is a list of texts"),
        ("[points]\n'chapter3.div.forward' = nan", "needs a number above 0"),
        ("[points]\n'chapter3.div.forward' = true", "needs a number above 0"),
        ("[marks]\npolicy = 'mild'", "policy is one of"),
        ("[[[", "cannot be read"),
    ],
)
def test_a_wrong_course_toml_is_a_sentence(text, words, tmp_path):
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(WrongUse, match=words.replace("[", r"\[")):
        load_course(str(tmp_path / "course.toml"))


def test_an_overlay_inside_the_course_is_refused(tmp_path):
    from grader import root

    (tmp_path / "course.toml").write_text(f'[course]\noverlay = "{root.path("exercises")}"')
    with pytest.raises(WrongUse, match="published"):
        load_course(str(tmp_path / "course.toml"))


@pytest.mark.long
def test_who_fails_for_hidden_inputs_alone_sees_a_call_that_is_no_secret(course, key, tmp_path):
    body = "a, b = node._inputs\nif a.data.ndim == 3:\n    return out_grad, out_grad\n"
    body += "return out_grad * b, out_grad * a"
    write_package(tmp_path / "zoe", course.replace_bodies({"ops.Mul.backward": body}))
    chapters = ["chapter3"]
    class_ = Cohort(key.path, digest_suites(key.path), chapters, "own", None, samples=True)
    judge = SubmissionJudge(class_)
    record = judge.record(HandIn("zoe", str(tmp_path / "zoe")), None)
    again = judge.record(HandIn("zoe", str(tmp_path / "zoe")), record)
    judge.end()
    assert again == record
    id = "chapter3.mul.backward/more"
    assert list(record["samples"]) == [id]
    checks = [
        c for ch in record["result"]["chapters"] for e in ch["exercises"] for c in e["checks"]
    ]
    (check,) = (c for c in checks if c["id"] == id)
    assert check["status"] == "failed" and check["hidden"]
    shown = redact_check(check, record["samples"])
    assert "out_grad = " in shown["message"] and shown["yours"] != check["yours"]
    assert shown["title"] == check["title"] and shown["score"] == check["score"]
    page = (
        pages.export_pages(ExportRequest([record], None, "x", None, []))
        .files["learners/zoe.html"]
        .decode()
    )
    assert format_numbers(shown["yours"]) in page and format_numbers(check["yours"]) not in page
