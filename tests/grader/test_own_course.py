"""A second course, which is not about autograd: the same grader, asked by its public command."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader import root
from grader.course.key_file import Key
from grader.learner.untrusted_files import read_json_or_none

from . import warm_start
from .conftest import run_grader

pytestmark = pytest.mark.xdist_group("own course")  # its key is made once

OWN = Path(root.ROOT) / "examples" / "own_course"
GRAPHS = Path(root.ROOT) / "examples" / "graphs_and_sorting"
WRONG = {
    "describe.mean": "return np.sum(values) / (len(values) - 1)",
    "describe.variance": "return np.sum((values - mean(values)) ** 2) / (len(values) - ddof)",
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> str:
    """One cache for all: the course's key is built once, and the user's own is left alone."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def own(cache):
    """`grader …` for the second course, or for a copy of it that somebody has changed."""

    def run(*arguments: str, cwd: Path | None = None, course: Path = OWN, **more: str):
        more = {"GRADER_COURSE": str(course), "XDG_CACHE_HOME": cache, **more}
        return run_grader(*arguments, cwd=cwd, **more)

    for course in (OWN, GRAPHS):  # as they are: most of the others are changed between two commands
        warm_start.keep(GRADER_COURSE=str(course))
    return run


def write(package: Path, bodies: dict[str, str]) -> None:
    """Fill stubs of a workspace."""
    for target, body in bodies.items():
        file, name = target.split(".")
        path = package / f"{file}.py"
        stub = rf"(def {name}\(.*?)raise NotImplementedError"
        text = re.sub(stub, lambda m, body=body: m[1] + body, path.read_text(), flags=re.S)
        path.write_text(text)


@pytest.mark.long
@pytest.mark.parametrize("course, name", [(OWN, "tinystats"), (GRAPHS, "algos")])
def test_its_audit_is_green_and_its_stubs_are_up_to_date(own, course, name):
    assert own("stubs", "--check", course=course).out == f"{name}/ is up to date.\n"
    told = own("audit", "--jobs", "1", course=course)
    assert told.status == 0, told.out + told.err
    assert told.out.endswith("The course holds together.\n")


def test_a_learner_goes_from_an_empty_workspace_to_a_named_mistake(own, tmp_path):
    made = own("init", "work", cwd=tmp_path)
    assert made.status == 0 and os.path.join("work", "tinystats") in made.out
    work = tmp_path / "work"
    assert "tinystats/" in (work / "AGENTS.md").read_text()
    told = own("check", "lesson1", "--json", cwd=work)
    assert set(told.statuses().values()) == {"pending"} and told.result["score"] == 0
    write(work / "tinystats", WRONG)
    told = own("check", "lesson1", cwd=work)
    assert "You divided by n - 1." in told.out and "In tinystats/describe.py, line 6." in told.out
    assert "blocked by lesson1.mean" in " ".join(told.out.split()), told.out
    assert "babygrad" not in told.out and "PyTorch" not in told.out
    assert "hint 1 of 2" in own("hint", "lesson1.mean", cwd=work).out
    assert "def variance" in own("show", "1.2", cwd=work).out
    for words in (["demo"], ["graph", "mean([1, 2])"]):
        other = own(*words, cwd=work)
        assert other.status == 2 and "tinystats" in other.err
        assert not re.search("engine|Tensor|babygrad|gradient", other.err), other.err
    assert "import tinystats as bg" in own("repro", "lesson1.mean", cwd=work).out
    assert "all lessons" in own("status", cwd=work).out


ANSWERS = {
    "graphs.order": "found = []\n    while len(found) < len(graph):\n"
    "        found += [n for n in sorted(graph) if n not in found and not any(\n"
    "            n in graph[m] for m in graph if m not in found)][-1:]\n    return found",
    "graphs.path": "return [start, goal]",
    "graphs.degrees": "return {node: len(graph[node]) for node in graph}",
    "graphs.reachable": "return {*graph}",
}


def test_any_valid_answer_is_right_and_texts_sets_and_dicts_are_shown(own, tmp_path):
    assert own("init", "work", cwd=tmp_path, course=GRAPHS).status == 0
    work = tmp_path / "work"
    write(work / "algos", ANSWERS)
    told = own("check", "unit2", "--json", cwd=work, course=GRAPHS).statuses()
    assert told["unit2.order"] == "passed" and told["unit2.path"] == "failed"
    for exercise, says in {
        "degrees": r"degrees\(\{'f': .*yours +\{\"a\": 2, .* reference +\{\"a\": 2, \"b\": 3",
        "reachable": r"yours +a b c d e f reference +a b c d e\b",
        "path": r"path gave \['a', '.'\], and no edge leads from a to .\.",
    }.items():
        told = own("check", f"unit2.{exercise}", cwd=work, course=GRAPHS)
        assert re.search(says, " ".join(told.out.split())), told.out


FAILS = """    if found == ["b"]: raise KeyError(found)
    while found == ["c"]: pass
    if found == ["d"]: bytes(1 << 42)
    if sorted(found)"""


def test_a_predicate_sees_data_where_no_learner_code_is_and_its_own_fault_is_told(own, tmp_path):
    course = tmp_path / "course"
    shutil.copytree(GRAPHS, course)
    calls = course / "tests" / "programs" / "calls.py"
    before, sound = calls.read_text().split("def sound")
    calls.write_text(f"{before}def sound{sound.replace('    if sorted(found)', FAILS)}")
    warm_start.keep(GRADER_COURSE=str(course))
    own("init", "work", cwd=tmp_path, course=course)
    work = tmp_path / "work"
    stubs = (work / "algos" / "graphs.py").read_text()
    for body, status, says in (
        (f"import json\n    json.loads = None\n    return {['x']}", 1, "order gave ['x'], and not"),
        ("return ['b']", 3, "sound of the course, which looks at your answer, failed: KeyError"),
        ("return ['c']", 3, "failed: it ran out of time. That is its author's fault, not yours."),
        ("return ['d']", 3, "failed: it asked for too much memory."),
    ):  # fmt: skip
        (work / "algos" / "graphs.py").write_text(stubs)
        write(work / "algos", {"graphs.order": body})
        told = own("check", "unit2.order", cwd=work, course=course)
        assert told.status == status and says in " ".join(told.out.split()), told.out + told.err
    # A class is told that it is no fault of its own, and gives no mark.
    shutil.copytree(work, tmp_path / "in" / "ada")
    graded = ("--chapters", "unit2", "--seed", "s", "--jobs", "1")
    told = own("grade", "in", "--out", "res", *graded, cwd=tmp_path, course=course)
    assert told.status == 3 and "1 failed by our fault, and have no mark: ada" in told.out
    assert "calls.sound" in " ".join(told.out.split()), told.out


def test_a_script_asks_the_predicate_too(own, tmp_path):
    own("init", "work", cwd=tmp_path, course=GRAPHS)
    work = tmp_path / "work"
    write(work / "algos", {"graphs.order": ANSWERS["graphs.order"], "graphs.path": "return [goal]"})
    own("check", "unit2", cwd=work, course=GRAPHS)
    told = own("repro", "unit2.path", "--out", "again.py", cwd=work, course=GRAPHS)
    assert told.status == 0, told.err
    ran = subprocess.run([sys.executable, "again.py"], cwd=work, capture_output=True, text=True)
    assert "the result: wrong" in ran.stdout and "1 nodes" in ran.stdout, ran.stderr


def test_what_this_course_forbids_is_refused_and_what_another_forbids_is_not(own, tmp_path):
    own("init", "work", cwd=tmp_path)
    package = tmp_path / "work" / "tinystats"
    write(package, {"describe.mean": "import statistics\n    return statistics.fmean(values)"})
    told = own("check", "lesson1.mean", cwd=tmp_path / "work")
    assert "It imports statistics, which knows all the answers" in " ".join(told.out.split())


def test_its_book_says_no_word_of_another_course(own, tmp_path):
    told = own("book", "--build", "site", "--pyodide", "none", cwd=tmp_path)
    assert told.status == 0 and "built in" in told.out, told.err
    pages = [p for p in (tmp_path / "site").iterdir() if p.suffix in (".html", ".js", ".css")]
    text = {p.name: re.sub("babygrad-graph|BabygradGraph", "", p.read_text()) for p in pages}
    assert {"lesson1.html", "lesson2.html", "index.html"} <= set(text)
    assert not [name for name, each in text.items() if "babygrad" in each.lower()]


def test_its_addresses_stand_in_one_place(own, tmp_path):
    course = tmp_path / "course"
    shutil.copytree(OWN, course)
    about = json.loads((course / "course.json").read_text())
    about |= {"repository": "https://example.org/course", "contact": "faults@example.org"}
    (course / "course.json").write_text(json.dumps(about))
    told = own("book", "--build", "site", "--pyodide", "none", cwd=tmp_path, course=course)
    assert told.status == 0, told.out + told.err
    start = (tmp_path / "site" / "index.html").read_text()
    assert "$ git clone https://example.org/course tinystats" in start
    assert 'href="https://example.org/course"' in start
    assert 'href="mailto:faults@example.org"' in start


def test_it_is_released_and_graded(own, cache, tmp_path):
    told = own("release", "out", "--chapters", "lesson1", cwd=tmp_path)
    assert told.status == 0, told.out + told.err
    (wheel,) = (tmp_path / "out").glob("tinystats_course-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    assert not (tmp_path / "site" / "grader" / "_course" / "solutions").exists()
    # A learner has the wheel, and no word in the environment.
    theirs = {"PYTHONPATH": str(tmp_path / "site"), "XDG_CACHE_HOME": cache, "GRADER_COURSE": ""}
    assert run_grader("init", "work", cwd=tmp_path, **theirs).status == 0
    told = run_grader("check", "--json", cwd=tmp_path / "work", **theirs)
    assert told.result["max_score"] == 5 and set(told.statuses().values()) == {"pending"}
    # Who has the grader of another course is told so.
    other = run_grader("check", "--package", "work", cwd=tmp_path, GRADER_COURSE="")
    assert other.status == 2 and "tinystats" not in other.out
    for learner, source in {"ada": OWN / "solutions", "ben": tmp_path / "out"}.items():
        shutil.copytree(source / "tinystats", tmp_path / "in" / learner / "tinystats")
    told = own("grade", "in", "--out", "res", "--release", "out", cwd=tmp_path)
    assert re.search(r"ada +graded +5 of 5", told.out), told.out + told.err
    assert re.search(r"ben +graded +0 of 5", told.out)
    assert "lesson1.variance" in own("insights", "res", cwd=tmp_path).out


def test_the_key_of_a_class_holds_what_is_asked_and_goes_on(own, tmp_path):
    """One line of progress for each chapter, though nobody watches; what is judged is kept."""
    shutil.copytree(OWN / "solutions" / "tinystats", tmp_path / "in" / "ada" / "tinystats")
    own("init", "work", cwd=tmp_path)
    own("check", cwd=tmp_path / "work")  # the course's own key is built, or was
    key, line = tmp_path / "res" / "answers.key", "building the answer key: "
    built, suites = [], []
    for more in (["lesson1"], ["lesson1"], ["lesson1", "lesson2"]):
        told = own("grade", "in", "--out", "res", "--seed", "s", "--chapters", *more, cwd=tmp_path)
        assert told.status == 0, told.out + told.err
        lines = [each.removeprefix(line) for each in told.err.splitlines() if each.startswith(line)]
        built.append((lines, Key(str(key)).chapters))
        record = read_json_or_none(str(tmp_path / "res" / "learners" / "ada.json.gz"))
        suites.append(record["suites"]["lesson1"])
    both = ["lesson1", "lesson2"]
    assert built == [(["lesson1"], ["lesson1"]), ([], ["lesson1"]), (["lesson2"], both)]
    assert len(set(suites)) == 1
    told = own("grade", "in", "--out", "res", "--marks", "best", cwd=tmp_path)
    assert "0 judged, 0 kept from before" in told.out, told.out
    assert "1 have other marks by the terms of now; none was judged again" in told.out


def test_the_page_leads_to_a_course_that_holds_together(own, tmp_path):
    """Every command of `docs/own-course.md`, in its order, in one folder."""
    page = (Path(root.ROOT) / "docs" / "own-course.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\$ grader (.+)$", page, re.M)
    assert [line.split()[0] for line in lines] == ["course", "stubs", "audit", "init", "check"]
    for line in lines:
        course = OWN if line == lines[0] else tmp_path / "bounds"
        told = own(*line.split(), cwd=tmp_path, course=course)
        warm_start.keep(GRADER_COURSE=str(tmp_path / "bounds"))  # the first command has written it
        assert told.status == (1 if line == lines[-1] else 0), told.out + told.err
    assert "pending" in told.out
    # It has no prose, and nobody is sent to read it.
    told = own("book", "--build", "site", "--pyodide", "none", cwd=tmp_path, course=course)
    assert told.status == 2 and "No chapter has prose yet" in told.err
    told = own("release", "out", cwd=tmp_path, course=course)
    assert told.status == 0 and not (tmp_path / "out" / "chapters").exists(), told.err
    assert "\nWrite the bodies in `bounds/`" in (tmp_path / "out" / "README.md").read_text()
    assert own(*lines[0].split(), cwd=tmp_path).status == 2  # never over what is there


def test_a_new_course_is_called_as_one_says(own, tmp_path):
    more = ("--name", "knots", "--chapter", "unit", "--title", 'Say "when"')
    assert own("course", "new", "a-folder", *more, cwd=tmp_path).status == 0
    place = tmp_path / "a-folder"
    assert json.loads((place / "course.json").read_text())["title"] == 'Say "when"'
    assert own("stubs", course=place).status == 0
    told = own("check", "unit1", course=place, cwd=place)
    assert "unit1  The first one" in told.out and "limited" in told.out


BROKEN = {
    # what is changed: (file, old, new), and what the audit says of it, once
    "an oracle that takes no complex numbers": (
        "tests/lesson1/suite.py", "np.mean, ()", "np.logaddexp.reduce, (np.nope)",
        "tests/lesson1/suite.py raises AttributeError",
    ),
    "an oracle that raises": (
        "tests/lesson1/suite.py", "lambda x: (x - x.mean()) / x.std()", "lambda x: x.nope",
        "lesson1.standardize/value.0: its oracle numpy raises AttributeError",
    ),
    "an oracle of any other name": (
        "tests/lesson2/suite.py", '"numpy": lambda: {"value": told}',
        '"way": lambda: {"value": told[1:]}', "/value.0: way gives 2 arrays for value",
    ),
    "a mistake without a sentence": (
        "exercises/lesson1/__init__.py",
        '"""You took the one in the middle, which is the median."""', "",
        "exercises/lesson1/__init__.py, line 16: the mistake median needs a sentence",
    ),
    "a mistake that cannot be imported": (
        "exercises/lesson1/__init__.py", "return np.sort(values)[len(values) // 2]",
        "return np.sort(values", "median: SyntaxError",
    ),
    "a program that says nothing": (
        "tests/programs/lists.py", '"""variance gives the mean of the squared distances."""', "",
        "lesson1.variance/value says nothing",
    ),
    "an exercise file that is no Python": (
        "exercises/lesson1/__init__.py", "class MEAN:", "class = MEAN:",
        "exercises/lesson1 raises SyntaxError",
    ),
}  # fmt: skip


@pytest.mark.sampled(quick=6)
@pytest.mark.parametrize("case", BROKEN)
def test_the_audit_names_the_row(own, tmp_path, case):
    name, old, new, says = BROKEN[case]
    place = tmp_path / "course"
    shutil.copytree(OWN, place)
    text = (place / name).read_text()
    assert text.count(old) == 1
    (place / name).write_text(text.replace(old, new))
    lesson = "lesson2" if "lesson2" in name else "lesson1"
    told = own("audit", lesson, "--jobs", "1", course=place)
    said = told.out + told.err
    assert told.status == 3 and said.count(says) == 1, said
    assert "Traceback" not in said
    assert os.path.basename(name) in said or "mend" in said


def test_a_folder_without_a_course_is_said_to_be_one(tmp_path):
    told = run_grader("check", GRADER_COURSE=str(tmp_path))
    assert told.status == 2 and "no course is there" in told.err and str(tmp_path) in told.err


# Of what is left, the first is pip's name of this grader; a graph's format is older than a course,
# and the page that judges by itself is one of chapter 1 of babygrad.
ALLOWED = {
    "__init__.py", "sandbox/worker/importer.py", "sandbox/worker/rules.py", "book/site.py",
    "book/graph/page.py",
}  # fmt: skip


def test_nothing_in_the_grader_is_tied_to_one_course():
    place = Path(root.PACKAGE)
    found = {
        path.relative_to(place).as_posix()
        for path in place.rglob("*.py")
        if "babygrad" in path.read_text(encoding="utf-8")
    }
    assert found <= ALLOWED
    assert sys.modules["grader.about"].COURSE.name == "babygrad"


def test_no_code_of_the_grader_knows_what_a_course_has_learners_write(course):
    """Docstrings name some as examples; what code has to know stands in its own files."""
    for path in Path(root.PACKAGE).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            if id(node) not in told
        ]
        assert not course.owner.keys() & set(texts), path


def test_a_file_of_the_course_that_cannot_be_read_is_named(own, tmp_path):
    place = tmp_path / "course"
    shutil.copytree(OWN, place)
    (place / "scripts.py").write_text("WRITTEN = {\n")
    work = tmp_path / "work"
    assert own("init", "work", cwd=tmp_path, course=place).status == 0
    write(work / "tinystats", WRONG)
    told = own("repro", "lesson1.mean", cwd=work, course=place)
    assert told.status == 3 and f"{place / 'scripts.py'} cannot be read: SyntaxError" in told.err


def test_nothing_of_another_course_is_judged_as_ones_own(own, tmp_path):
    """Workspaces, releases, hand-ins and results say whose they are, once the word is forgotten."""
    assert own("init", "work", cwd=tmp_path).status == 0
    assert own("release", "out", "--chapters", "lesson1", cwd=tmp_path).status == 0
    shutil.copytree(tmp_path / "work", tmp_path / "in" / "ada")
    graded = ("grade", "in", "--out", "res", "--chapters", "lesson1", "--seed", "s", "--jobs", "1")
    assert own(*graded, cwd=tmp_path).status == 0
    before = (tmp_path / "res" / "results.csv").read_bytes()
    for words, cwd in (
        (("check",), "work"), (("status",), "work"), (("check", "--package", "work"), "."),
        (("grade", "in", "--out", "res"), "."), (("open", "res", "--out", "sheet.csv"), "."),
        (("explain", "res", "ada", "lesson1.mean"), "."),
        (("grade", "in", "--out", "other", "--release", "out"), "."),
    ):  # fmt: skip
        told = run_grader(*words, cwd=tmp_path / cwd)
        said = " ".join(told.err.split())
        assert told.status == 2 and "is of the course tinystats" in said, (words, said)
        assert "export GRADER_COURSE=FOLDER" in said and "Traceback" not in said
    assert (tmp_path / "res" / "results.csv").read_bytes() == before
    told = run_grader("grade", "in", "--out", "third", "--chapters", "chapter7", "--seed", "public",
                      "--jobs", "1", cwd=tmp_path)  # fmt: skip
    assert told.status == 1 and "1 could not be read, and have no mark: ada" in told.out
    assert "is of the course tinystats" in told.out


def test_who_has_named_another_course_is_told_to_unname_it(own, tmp_path):
    assert run_grader("init", "work", cwd=tmp_path, GRADER_COURSE="").status == 0
    told = own("check", cwd=tmp_path / "work")
    said = " ".join(told.err.split())
    assert told.status == 2 and "is of the course babygrad" in said and "unset it" in said
