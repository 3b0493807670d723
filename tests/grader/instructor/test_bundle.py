"""A release tells nothing and works on its own, and a later one takes nothing away."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.about import COURSE
from grader.audit.proof import Problem
from grader.classroom.intake.handed_out import read_revealed
from grader.classroom.release import bundle as release
from grader.classroom.release import publickey
from grader.cli import run_command_line
from grader.course import outline
from grader.course.key_file import Key
from grader.course.key_source import open_key
from grader.course.splice import find_pieces, with_pieces
from grader.learner.file_writer import write_folder
from tests.grader.some_mistakes import some_mistakes

pytestmark = pytest.mark.xdist_group("release")  # what all share takes long to make


@pytest.fixture(scope="session")
def key() -> Key:
    """The public key, with the mistakes of one exercise."""
    return some_mistakes(open_key(), ["chapter3.sub.forward"])


def command(key: Key, red: list[Problem], out: Path) -> int:
    """`grader release` of chapter 3, in this process; what an audit of the course has found is
    said: that finds nothing, as test_invariants.py proves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.classroom.commands.release.open_public_key", lambda course: key)
        patch.setattr(
            release, "find_failing_invariants", lambda course, of, shown: red if of is key else None
        )
        return run_command_line(["release", str(out), "--chapters", "chapter3"])


@pytest.fixture(scope="session")
def released(tmp_path_factory, key) -> Path:
    """A release of chapter 3; tests copy it."""
    out = tmp_path_factory.mktemp("release") / "bundle"
    assert command(key, [], out) == 0
    return out


def test_a_release_asks_for_what_is_handed_out_and_for_nothing_later(course, key, monkeypatch):
    """The results of mistakes are not needed for chapters that are handed out solved."""
    asked = {"chapter": set(), "mistakes": set()}

    class Asked:
        def __getattr__(self, name):
            return getattr(key, name)

        def chapter(self, name, launch=None):
            asked["chapter"].add(name)
            return key.chapter(name, launch)

        def mistakes(self, id, launch=None):
            asked["mistakes"].add(outline.chapter_of(id))
            return key.mistakes(id, launch)

    monkeypatch.setattr(release, "all_slices", lambda key, names: asked["chapter"].update(names))
    monkeypatch.setattr(release, "QUICK", ())
    assert release.find_failing_invariants(course, Asked(), ["chapter1"]) == []
    assert asked == {"chapter": {"chapter1"}, "mistakes": set()}
    files = release.build_bundle(course, Asked(), ["chapter3"], "given", "https://x/y.whl")
    assert not list(publickey.find_leaks(course, Asked(), ["chapter3"], files))
    assert asked["chapter"] == {"chapter1", "chapter2", "chapter3"}
    assert asked["mistakes"] == {"chapter3"}
    release.build_bundle(course, Asked(), ["chapter3"], "own", "https://x/y.whl")
    assert asked["mistakes"] == {"chapter1", "chapter2", "chapter3"}


def test_what_does_not_hold_together_is_not_handed_out(key, tmp_path, capsys):
    problem = Problem("chapter3.sub.forward", "the reference is failed", "mend it")
    assert command(key, [problem], tmp_path / "out") == 3
    assert ": ".join(problem[:2]) in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.fixture
def workspace(released, tmp_path) -> Path:
    shutil.copytree(released, tmp_path / "work")
    return tmp_path / "work"


def write(workspace: Path, course, target: str) -> str:
    """Solve one target of `ops.py` as a learner would; the body that was written."""
    path = workspace / "babygrad" / "ops.py"
    exercise = course.owner[target]
    line = f"# Yours to write: section {exercise.section}; `grader check {exercise.id}`\n"
    body = course.regions[target].body.strip("\n").replace("\n", "\n        ")
    head, _, tail = path.read_text().partition(line)
    path.write_text(head + body + "  # mine" + tail.partition("NotImplementedError")[2])
    return body + "  # mine"


def test_a_bundle_is_a_workspace_with_all_that_a_learner_needs(workspace, grader):
    for name in (
        "babygrad/ops.py", "chapters/chapter3.md", "examples/xor.py", "AGENTS.md", "README.md",
        "requirements.txt", ".grader/answers.key",
    ):  # fmt: skip
        assert (workspace / name).is_file(), name
    assert not (workspace / "chapters" / "chapter4.md").exists()
    (wheel,) = workspace.glob("*.whl")
    assert (workspace / "requirements.txt").read_text() == f"./{wheel.name}\nnumpy>=1.26,<3\n"
    ran = grader("check", "chapter3", "--json", cwd=workspace)
    assert ran.status == 1 and set(ran.statuses().values()) == {"given", "pending"}


def test_check_uses_the_public_key_and_its_checks_only(workspace, grader, course):
    write(workspace, course, "ops.Sub.forward")
    exercises = grader("check", "3.2", "--json", cwd=workspace).exercises()
    checks = exercises["chapter3.sub.forward"]["checks"]
    assert {c["status"] for c in checks} == {"passed"} and not any(c["hidden"] for c in checks)
    assert grader("check", "chapter4", cwd=workspace).status == 2  # it was not handed out


def test_mistakes_are_still_named(workspace, grader):
    path = workspace / "babygrad" / "ops.py"
    new = find_pieces("class Sub:\n    def forward(self, a, b):\n        return b - a\n")[
        "Sub.forward"
    ]
    path.write_text(with_pieces(path.read_text(), [new]))
    failed = grader("check", "chapter3.sub.forward", "--json", cwd=workspace).exercises()
    assert any(c["mistake"] for c in failed["chapter3.sub.forward"]["checks"])


def test_nothing_hidden_and_no_solution_is_in_it(released, course):
    files = {
        str(p.relative_to(released)): p.read_bytes() for p in released.rglob("*") if p.is_file()
    }
    assert not list(publickey.find_leaks(course, open_key(), ["chapter3"], files))
    key = Key(str(released / ".grader" / "answers.key"))
    assert key.chapters == ["chapter1", "chapter2", "chapter3"]
    assert not any(c["hidden"] for n in key.chapters for c in key.chapter(n).checks)


def test_a_question_keeps_its_prediction_and_loses_its_mark_scheme(workspace, grader, course):
    key = Key(str(workspace / ".grader" / "answers.key"))
    asked = [q for name in key.chapters for q in key.chapter(name).questions]
    assert all(q["answer"] is not None or (q["rubric"], q["why"]) == ([], "") for q in asked)
    assert {q["id"]: q["answer"] for q in asked} == {
        q.id: q.answer for c in course.chapters[:3] for q in c.questions
    }
    ran = grader("quiz", "chapter3", cwd=workspace, stdin="1\n" * 40)
    assert "Your answer is kept." in ran.out and "A good answer says" not in ran.out


@pytest.fixture(scope="session")
def installed(released, tmp_path_factory) -> Callable[..., subprocess.CompletedProcess]:
    """`grader …` as a learner has it who installed what the bundle names."""
    place = tmp_path_factory.mktemp("site")
    (wheel,) = released.glob("*.whl")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--target", str(place), str(wheel)],
        check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip

    def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess:
        env = {**os.environ, "PYTHONPATH": str(place)}
        return subprocess.run(
            [sys.executable, "-P", "-m", "grader", *arguments] if sys.version_info >= (3, 11)
            else [sys.executable, "-m", "grader", *arguments],
            cwd=cwd, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip

    run.place = place
    return run


def test_the_learners_wheel_holds_no_solution_and_no_suite(installed, course):
    inside = {str(p.relative_to(installed.place)) for p in installed.place.rglob("*")}
    held = {name.split("/")[2] for name in inside if name.startswith("grader/_course/")}
    assert {"answers.key", "chapters", "babygrad", "course.json"} <= held
    described = {name for name in inside if name.startswith("grader/_course/exercises/")}
    own = {f"grader/_course/{name}" for name in COURSE.own_files.values()}
    assert {name for name in described if name.endswith(".py")} == own
    assert not held & {"solutions", "tests"}
    metadata = next(installed.place.glob("babygrad_course-*.dist-info")) / "METADATA"
    assert "Requires-Dist: numpy>=1.26,<" in metadata.read_text()
    texts = [p.read_text() for p in installed.place.rglob("*.py")]
    body = course.regions["ops.MatMul.backward"].body.strip()
    assert not any(body in text for text in texts)


def test_pip_compiles_the_grader_also_where_python_writes_no_bytecode(installed):
    """A container image that sets PYTHONDONTWRITEBYTECODE makes no command slower."""
    modules = [path for path in installed.place.rglob("*.py") if "_course" not in path.parts]
    compiled = {path.name.partition(".")[0] for path in installed.place.rglob("*.pyc")}
    assert len(modules) > 100 and {path.stem for path in modules} <= compiled


def test_a_learner_works_with_what_the_bundle_installs(installed, course, tmp_path):
    made = installed("init", "work", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    begins = json.loads((tmp_path / "work/.grader/workspace.json").read_text())["from"]
    for name, there, other in (("from", begins, "chapter2"), ("route", "full", "short")):
        refused = installed("init", "second", f"--{name}", other, cwd=tmp_path)
        says = f"What you were given has --{name} {there}. Leave --{name} away."
        assert refused.returncode == 2 and says in refused.stderr
    workspace = tmp_path / "work"
    write(workspace, course, "ops.Sub.forward")
    ran = installed("check", "chapter3.sub.forward", "--json", cwd=workspace)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert json.loads(ran.stdout)["score"] > 0
    for command in (["hint", "chapter3.div.forward"], ["show", "3.4"], ["status"], ["update", "."]):
        assert "Traceback" not in installed(*command, cwd=workspace).stderr, command
    told = installed("solution", "chapter3.div.forward", "--reveal", cwd=workspace)
    assert told.returncode == 1 and "has not allowed" in told.stdout
    for command in ("audit", "book"):
        told = installed(command, cwd=workspace)
        assert told.returncode == 2 and "without the sources of the course" in told.stderr


def test_a_url_takes_the_place_of_the_wheel(course, key, grader, tmp_path):
    url = "https://example.org/babygrad_course-1-py3-none-any.whl"
    files = release.build_bundle(course, key, ["chapter3"], "given", url)
    assert files["requirements.txt"].decode().startswith(f"babygrad-course @ {url}\n")
    assert not any(name.endswith(".whl") for name in files)
    ran = grader("release", str(tmp_path / "out"), "--wheel", "babygrad")
    assert ran.status == 2 and "https://….whl" in ran.err


def test_solutions_are_shown_where_the_release_allows_it(workspace, grader, course, tmp_path):
    name = "chapter3.matmul.backward"
    told = grader("solution", name, "--reveal", cwd=workspace)
    body = course.regions["ops.MatMul.backward"].body.strip().splitlines()[0]
    assert told.status == 1 and body not in told.out
    terms = workspace / ".grader" / "release.json"
    terms.write_text(json.dumps({**json.loads(terms.read_text()), "reveal": True}))
    told = grader("solution", name, "--reveal", cwd=workspace)
    assert told.status == 0 and body in told.out
    assert list(read_revealed(str(workspace), {name})) == [name]
    shutil.make_archive(str(tmp_path / "in"), "zip", tmp_path, "work")
    assert list(read_revealed(str(tmp_path / "in.zip"), {name})) == [name]


@pytest.mark.parametrize("what", ["solution", "check", "array", "rubric"])
def test_the_scan_finds_what_is_put_in(what, released, course):
    key = open_key()
    chapter = key.chapter("chapter3")
    hidden = next(c for c in chapter.checks if c["hidden"] and c["id"].endswith("div.forward/more"))
    answer = chapter.probes[hidden["probes"][-1]]["answers"]["reference"][hidden["part"]][0]
    planted = {
        "solution": course.regions["ops.MatMul.backward"].body.encode(),
        "check": f'{{"id": "{hidden["id"]}"}}'.encode(),
        "array": b"xx" + bytes(chapter.array(answer).data),
        "rubric": next(q.rubric[0] for q in course.chapters[2].questions if q.rubric).encode(),
    }
    assert list(publickey.find_leaks(course, key, ["chapter3"], {"examples/x": planted[what]}))


def test_an_earlier_chapter_can_be_the_learners_own(course, key):
    files = release.build_bundle(course, key, ["chapter3"], "own")
    assert json.loads(files[".grader/workspace.json"])["from"] == "chapter1"
    assert (
        course.regions["tensor.Tensor.__init__"].body.strip().encode()
        not in files["babygrad/tensor.py"]
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--chapters", "chapter77"], "no chapter77"),
        (["--chapters", "chapter2", "chapter4"], "name chapter3 too"),
    ],
)
def test_wrong_use_is_a_sentence(arguments, words, grader, tmp_path):
    ran = grader("release", str(tmp_path / "out"), *arguments)
    assert ran.status == 2 and words in ran.err and not (tmp_path / "out").exists()


def test_a_place_that_is_taken_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("x")
    with pytest.raises(Exception, match="is there already"):
        write_folder({"a": b""}, str(tmp_path))


@pytest.mark.long
def test_a_red_course_is_not_handed_out(course, monkeypatch):
    monkeypatch.setitem(course.__dict__, "regions", course.regions)
    broken = type(course)(course.chapters, {**course.solutions})
    broken.solutions["ops.py"] = broken.solutions["ops.py"].replace("return a - b", "return b - a")
    assert any(
        "sub" in p.where for p in release.find_failing_invariants(broken, open_key(), ["chapter3"])
    )


# ---- update -----------------------------------------------------------------------------


def next_release(released: Path, folder: Path, **edits: tuple[str, str]) -> Path:
    """The release with other texts: file (`babygrad__ops.py`) → (old, new)."""
    shutil.copytree(released, folder)
    listed = json.loads((folder / ".grader" / "release.json").read_text())
    for name, (old, new) in edits.items():
        name = name.replace("__", "/") + (".py" if name.startswith("babygrad") else ".md")
        paths = [name, f".grader/base/{name}"] if name.startswith("babygrad") else [name]
        for one in paths:
            text = (folder / one).read_text()
            assert old in text
            (folder / one).write_text(text.replace(old, new))
            digest = hashlib.sha256((folder / one).read_bytes()).hexdigest()
            listed["files"][one] = digest
    (folder / ".grader" / "release.json").write_text(json.dumps(listed))
    return folder


def test_update_keeps_what_was_written(released, workspace, course, grader, tmp_path):
    mine = write(workspace, course, "ops.Sub.forward")
    ops = workspace / "babygrad" / "ops.py"
    ops.write_text(ops.read_text() + "\n\ndef my_helper():\n    return 1\n")
    bundle = next_release(
        released, tmp_path / "next",
        babygrad__ops=("class Tanh(Function):", "class Tanh(Function):\n    note = 1\n"),
        chapters__chapter3=("# ", "# New: "),
    )  # fmt: skip
    before = ops.read_text()
    ran = grader("update", str(bundle), cwd=workspace)
    assert ran.status == 0, ran.out + ran.err
    text = ops.read_text()
    assert mine in text and "def my_helper" in text and "note = 1" in text
    assert "# New: " in (workspace / "chapters" / "chapter3.md").read_text()
    assert (workspace / ".grader" / "backup" / "1" / "babygrad" / "ops.py").read_text() == before
    ran = grader("check", "chapter3.sub.forward", cwd=workspace)
    assert ran.status == 0, ran.out
    assert "Nothing is new" in grader("update", str(bundle), cwd=workspace).out


def test_what_both_changed_is_named_and_stays(released, workspace, grader, tmp_path):
    prose = workspace / "chapters" / "chapter3.md"
    prose.write_text(prose.read_text() + "\nmy notes\n")
    (workspace / "babygrad" / "tensor.py").write_text("def broken(:\n")
    bundle = next_release(
        released, tmp_path / "next", chapters__chapter3=("# ", "# New: "),
        babygrad__tensor=('class Tensor', '# new\nclass Tensor'),
    )  # fmt: skip
    ran = grader("update", str(bundle), cwd=workspace)
    assert ran.status == 1 and "chapter3.md: you changed it" in ran.out
    assert "my notes" in prose.read_text() and "# New" not in prose.read_text()
    assert "# New" in (workspace / "chapters" / "chapter3.md.new").read_text()
    assert (workspace / "babygrad" / "tensor.py").read_text() == "def broken(:\n"
    assert (workspace / "babygrad" / "tensor.py.new").is_file()


def test_no_release_and_no_workspace_are_sentences(
    released, workspace, grader, tmp_path, monkeypatch, capsys
):
    assert "is no release" in grader("update", str(tmp_path), cwd=workspace).err
    assert grader("update", str(released), cwd=tmp_path).status == 2
    listed = workspace / ".grader" / "release.json"
    monkeypatch.chdir(workspace)
    own = ["progress.json", "hints.json", "quiz.json", "revealed.json", "backup/1/x", "new.json"]
    for name in ("../x", "/x", *(f".grader/{each}" for each in own)):
        listed.write_text(json.dumps({"schema": "grader-release/1", "files": {name: ""}}))
        assert run_command_line(["update", str(workspace)]) == 2
        assert "no release may hold" in capsys.readouterr().err


def test_the_next_chapters_release_takes_no_code_away(workspace, grader, course, key, tmp_path):
    """Whether its earlier chapters come solved or not."""
    mine = write(workspace, course, "ops.Sub.forward")
    write(workspace, course, "ops.Div.forward")
    for earlier in ("own", "given"):
        files = release.build_bundle(course, key, ["chapter4"], earlier)
        write_folder(files, str(tmp_path / earlier))
        ran = grader("update", str(tmp_path / earlier), cwd=workspace)
        assert "Traceback" not in ran.err
        text = (workspace / "babygrad" / "ops.py").read_text()
        assert mine in text and (workspace / "chapters" / "chapter4.md").exists()
        ended = grader("check", "3.2", "chapter2", "--json", cwd=workspace).statuses()
        assert ended["chapter3.sub.forward"] == ended["chapter3.div.forward"] == "passed"
        assert {s for id, s in ended.items() if id.startswith("chapter2")} == {"given"}
        assert ended["chapter3.exp.forward"] == ("pending" if earlier == "own" else "passed")
        assert grader("check", "chapter4", cwd=workspace).status == 1


def test_every_workspace_asks_assistants_to_tutor(released, grader, tmp_path):
    assert grader("init", "own", cwd=tmp_path).status == 0
    text = (tmp_path / "own" / "AGENTS.md").read_text()
    assert text == (released / "AGENTS.md").read_text()
    assert "tutor" in text and "grader hint" in text and "chapters/" in text
