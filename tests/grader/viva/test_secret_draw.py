"""A supervised draw comes of a secret: what is practised at home is another one, whatever the
package looks like and however the name is spelt."""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import interrupt
from grader.classroom.marks.roster import fold_name
from grader.errors import WrongUse
from grader.viva.commands.questions import refuse_what_does_not_fit, supervise
from grader.viva.kinds import Draft, draw_questions, seed_for
from grader.viva.question import VivaQuestion
from grader.viva.subject import SourceLine

from .. import machine
from ..examples import SOME
from .asked import asked_about, package_of, package_with, written

IDS = ("chapter3.sub.forward", "chapter3.mul.backward", "chapter3.div.backward")


@pytest.fixture
def right(tmp_path):
    return written(package_of().files, tmp_path / "right")


def asked_of(ran) -> str:
    """Return the output of a viva in the terminal, without its durations."""
    return ran.out.partition("Question 1")[2]


@pytest.mark.long
def test_a_supervised_draw_is_not_what_the_same_name_gets_at_home(right, grader, tmp_path):
    words = ("viva", *IDS, "--package", right, "--count", "4", "--learner", "ada")
    said = "1\n" * 40
    supervised = grader(
        *words, "--supervised", "results", "--isolation", machine.strongest(), stdin=said,
        cwd=tmp_path,
    )  # fmt: skip
    (path,) = (tmp_path / "results" / "viva").iterdir()
    secret = json.loads(path.read_text())["seed"]
    assert len(bytes.fromhex(secret)) >= 16 and secret not in supervised.out + supervised.err
    assert asked_of(supervised) and asked_of(supervised) != asked_of(grader(*words, stdin=said))
    # Who has the record asks the same again.
    assert asked_of(supervised) == asked_of(grader(*words, "--seed", secret, stdin=said))


@pytest.mark.parametrize("least", [40, 90, 250])
def test_draws_at_home_share_no_more_with_secret_ones_than_chance(least):
    """It draws for hundreds of packages, learners and secrets; no question has to run."""
    kinds = {
        k: (SourceLine, lambda s, line, rng: Draft(f"{line.number}?", "a", "bcd")) for k in "kl"
    }
    shared, expected, count = 0, 0.0, 5
    for number in range(200):
        size = least + number % 7
        function = SimpleNamespace(
            exercise="e", file="f.py", title="t", node=SimpleNamespace(lineno=1),
            quote=lambda line: (str(line),),
        )  # fmt: skip
        subject = SimpleNamespace(samples=[], lines=[SourceLine(function, n) for n in range(size)])
        secret = hashlib.sha256(b"%d" % number).hexdigest()
        home, kept = (
            {
                question.asks
                for question in draw_questions(subject, count, seed_for(f"ada{number}", s), kinds)
            }
            for s in (None, secret)
        )
        shared += len(home & kept)
        expected += count * count / size
    assert shared < 1.5 * expected + 5 < 200  # the same draws would share 1,000


def commented(text: str, above: str, behind: str) -> str:
    """Return a module with a comment above each statement and one behind each short statement."""
    lines = text.split("\n")
    inside = [
        node
        for function in ast.walk(ast.parse(text)) if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function
    ]  # fmt: skip
    simple = (ast.Assign, ast.AugAssign, ast.Return)
    places = {node.lineno: node for node in inside}
    for number in sorted(places, reverse=True):
        node, line = places[number], lines[number - 1]
        if line[: node.col_offset].strip():
            continue
        if behind and isinstance(node, simple) and node.end_lineno == number:
            lines[number - 1] = f"{line}  # {behind}"
        if above:
            lines.insert(number - 1, f"{line[: node.col_offset]}# {above}")
    return "\n".join(lines)


def told(question: VivaQuestion) -> tuple[object, ...]:
    """Return a question without line numbers and comments."""
    text = re.sub(r"  # [^`]*", "", question.asks)
    return question.kind, question.exercise, question.setting, re.sub(r"\d+", "#", text)


@pytest.mark.long
def test_a_comment_more_changes_no_question(fork_server):
    plain = package_of()
    first = asked_about(plain, "chapter3", fork_server.fork, [*IDS], 6).questions
    assert len(first) == 6
    for above, behind in (("np.empty if 0: return", ""), ("", "empty()"), ("é", "x = 1")):
        files = {n: commented(d.decode(), above, behind).encode() for n, d in plain.files.items()}
        package = package_with(files)
        assert package.sha256 != plain.sha256
        again = asked_about(package, "chapter3", fork_server.fork, [*IDS], 6).questions
        assert list(map(told, again)) == list(map(told, first)), (above, behind)


def options_of(learner: str, results: Path | str = "results") -> argparse.Namespace:
    return argparse.Namespace(
        learner=learner, supervised=str(results), count=None, minutes=1.0, out=None, sheet=None,
        json=False, seed=None,
    )  # fmt: skip


@SOME
@given(
    name=st.text("abcdeß é名", min_size=1, max_size=6).filter(str.strip),
    before=st.sampled_from(["", " ", "../", "/", "./", "second/", "../../x/"]),
    after=st.sampled_from(["", " ", "/", "  "]),
    change=st.sampled_from([str.upper, str.title, str.swapcase, str.casefold]),
)
def test_all_spellings_of_a_name_are_one_learner(name, before, after, change):
    plain, spelt = options_of(name), options_of(f"{before}{change(name)}{after}")
    for options in (plain, spelt):
        refuse_what_does_not_fit(options)
    assert spelt.learner == plain.learner == fold_name(name)
    assert spelt.seed != plain.seed  # each draw has a secret of its own


QUESTION = VivaQuestion("k", "e", "p", "a?", (), (), ("x", "y", "z"), "y", "w")
DATA = {"chapter": "chapter3", "seed": "s", "questions": [QUESTION.told()]}


def sit(learner: str, results: Path) -> int:
    options = options_of(learner, results)
    refuse_what_does_not_fit(options)
    return supervise(options, DATA, [QUESTION])


@pytest.mark.parametrize("again", ["Ada", " ada", "ada ", "../ada", "second/ada", "ａｄａ", "ADA/"])
@pytest.mark.parametrize("first", ["ada", "Ada.json of 1.0.0"])
def test_nobody_has_a_second_draw_by_another_spelling(first, again, tmp_path, monkeypatch):
    monkeypatch.setattr(interrupt, "read_line", lambda: "1\n")
    if first == "ada":
        assert sit("ada", tmp_path) == 0
    else:
        (tmp_path / "viva").mkdir()
        (tmp_path / "viva" / "Ada-chapter3.json").write_text("{}")
    with pytest.raises(WrongUse, match="no second draw"):
        sit(again, tmp_path)
    assert sit("adam", tmp_path) == 0 and len(os.listdir(tmp_path / "viva")) == 2


def test_a_record_is_its_owners_alone_while_the_questions_are_open(tmp_path, monkeypatch):
    modes = []

    def line() -> str:
        (path,) = (tmp_path / "r" / "viva").iterdir()
        modes.append([each.stat().st_mode & 0o777 for each in (path, path.parent)])
        assert json.loads(path.read_text())["seed"] == "s"
        return "1\n"

    monkeypatch.setattr(interrupt, "read_line", line)
    before = os.umask(0)
    try:
        assert sit("ada", tmp_path / "r") == 0
    finally:
        os.umask(before)
    (path,) = (tmp_path / "r" / "viva").iterdir()
    assert modes == [[0o600, 0o700]] and path.stat().st_mode & 0o777 == 0o600


@pytest.mark.long
def test_a_sheet_is_drawn_from_a_secret_that_stands_beside_its_answers(right, grader, tmp_path):
    pytest.importorskip("jinja2")
    words = ("viva", IDS[1], "--sheet", str(Path(right).parent), "--count", "3",
             "--isolation", machine.strongest())  # fmt: skip

    def sheet(*more: str) -> tuple[str, str]:
        assert grader(*words, "--out", "s.html", *more, cwd=tmp_path).status == 0
        (tmp_path / "right.html").unlink(missing_ok=True)
        text = (tmp_path / "s.html").read_text()
        (tmp_path / "s.html").unlink()
        questions, answers = text.split("<h2>Answers</h2>")
        secret = re.search(r"--seed ([0-9a-f]{32,})<", answers)[1]
        assert secret not in questions
        return secret, questions

    secret, questions = sheet()
    assert sheet("--seed", secret) == (secret, questions) and sheet()[0] != secret
