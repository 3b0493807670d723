"""The prose: its Python runs, prints what stands below it, and its links lead somewhere.

The ```python blocks of a chapter run in order, in one namespace, with the reference package as
`babygrad`; a ```text block that follows one (a blank line may lie between) is its exact output.
Blocks marked ```python torch run where PyTorch is installed.
"""

from __future__ import annotations

import atexit
import functools
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grader import root
from grader.course import Exercise

from .prerequisites import closure, needed, solved_for
from .warm_start import as_key

SOLUTIONS = root.path("solutions")
CHAPTERS = sorted(Path(root.path("chapters")).glob("chapter*.md"))
IDS = [path.stem for path in CHAPTERS]
FENCE = re.compile(r"^```(\S[^\n]*)?\n(.*?)^```$(\n*)", re.MULTILINE | re.DOTALL)
BOX = re.compile(r"\} Exercise [^\n]* \((given, )?(\d+) minutes?, (★+)☆*\)$", re.MULTILINE)
LINK = re.compile(r"\]\(#([^)\s]+)\)")
ANCHOR = re.compile(r"^\(([^)\s]+)\)=$", re.MULTILINE)

# Small arrays gain nothing from threads, and lose much where tests run side by side.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

one_for_all = pytest.mark.xdist_group("code of the prose")

# For each chapter a process of its own: what it imports, seeds or leaves behind stays there. They
# are forked from one that has imported what takes long; without PyTorch, the chapters do, too.
RUNNER = """
import contextlib, importlib.util, io, json, os, sys, traceback
if importlib.util.find_spec("torch"):
    import torch
for line in sys.stdin:
    (folder, package, blocks), namespace, printed = json.loads(line), {"__name__": "__main__"}, []
    if child := os.fork():
        if os.waitpid(child, 0)[1]:
            print("null", flush=True)
        continue
    os.chdir(folder)
    sys.path.insert(1, package)  # after the folder that it works in
    for name, line, code in blocks:
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                exec(compile("\\n" * line + code, name, "exec"), namespace)
        except BaseException:
            printed.append(out.getvalue() + traceback.format_exc())
            break
        printed.append(out.getvalue())
    print(json.dumps(printed), flush=True)
    os._exit(0)
"""


@one_for_all
@pytest.mark.sampled(quick=16, long=4)
@pytest.mark.parametrize("path", CHAPTERS, ids=IDS)
def test_code_of_the_prose_prints_what_stands_below_it(path, tmp_path):
    says_what_stands_below(path, tmp_path)


def says_what_stands_below(path: Path, tmp_path: Path) -> None:
    """Run a chapter's blocks; each has to print what its prose shows.

    Chapters that this one does not name as needed are stubs.
    """
    blocks = python_blocks(path)
    assert blocks
    package = solved_for(path.stem, closure(needed(path.stem)), tmp_path)
    printed = run([(path.name, b["line"], b["code"]) for b in blocks], tmp_path, package)
    for block, said in zip(blocks, printed, strict=False):
        where = f"{path.name}, line {block['line']}"
        assert "Traceback" not in said, f"{where}:\n{said}"
        if block["output"] is not None:
            assert said == block["output"], f"{where} prints:\n{said}"
    assert len(printed) == len(blocks)


@pytest.mark.parametrize("path", CHAPTERS, ids=IDS)
def test_a_file_that_the_prose_names_is_in_a_workspace(path, begun):
    named = re.findall(r"`(?:python )?([\w./-]+/[\w.-]+\.\w+)`", path.read_text("utf-8"))
    places = (begun, begun / "babygrad")
    assert not [name for name in named if not any((at / name).exists() for at in places)]


@one_for_all
def test_a_program_says_where_a_value_was_read_as_chapter_15_shows(tmp_path):
    path = Path(root.path("chapters/chapter15.md"))
    code = next(b["code"] for b in python_blocks(path) if "def clipped" in b["code"])
    (tmp_path / "clipped.py").write_text(code)
    ask = (
        "from clipped import clipped\nfrom babygrad import Tensor, tracing\n"
        "try:\n    tracing.trace(clipped, Tensor([1.0]))\n"
        "except tracing.CannotTrace as error:\n    print(str(error).rpartition('/')[2])\n"
    )
    (said,) = run([("ask", 0, "import sys\nsys.path.insert(0, '')\n" + ask)], tmp_path)
    assert f"```text\n{said.splitlines()[0]}\n```" in path.read_text("utf-8")


# Column of chapter 1's table of names → what stands before its first row, and before its fourth.
COLUMNS = {
    0: ("from babygrad.scalar import Value, zero_grad",
        "p, rate, parameters, loss = x, 0.1, [x], x * x"),
    1: ("from babygrad import Tensor\nfrom babygrad.optim import SGD",
        "optimizer, loss = SGD([x], lr=0.1), x * x"),
    2: ("import torch", "optimizer, loss = torch.optim.SGD([x], lr=0.1), x * x"),
}  # fmt: skip


@one_for_all
@pytest.mark.parametrize("column", COLUMNS)
def test_names_of_chapter_1_lead_to_pytorchs(column, tmp_path):
    if column == 2 and not torch_is_installed():
        pytest.skip("PyTorch is not installed")
    table = CHAPTERS[0].read_text("utf-8").partition("| here | chapters 2 to 5 | PyTorch |")[2]
    rows = [line.strip("| ").split(" | ") for line in table.split("\n\n")[0].splitlines()[2:]]
    code = [row[column].split("`")[1] for row in rows]
    claims = [row[column].split("`")[2] for row in rows]
    before, between = COLUMNS[column]
    shown = "print(x.grad)\nprint(abs(x.data - {}) < 1e-6)\n"
    first, last = shown.format("3.0"), shown.format("2.4")
    program = "\n".join([before, code[0], first, between, *code[1:], last])
    (said,) = run([("table", 0, program)], tmp_path)
    at_first, moved_from, at_last, moved_to = said.splitlines()
    assert claims[2] == f": {at_first} at first" and "True" in moved_from
    assert claims[5] == f": to {at_last}" and "True" in moved_to


@pytest.mark.parametrize("path", CHAPTERS, ids=IDS)
def test_links_inside_the_book_lead_somewhere(path):
    known = {anchor for other in CHAPTERS for anchor in ANCHOR.findall(other.read_text("utf-8"))}
    missing = set(LINK.findall(path.read_text("utf-8"))) - known
    assert not missing


def test_no_anchor_is_there_twice():
    anchors = Counter(a for path in CHAPTERS for a in ANCHOR.findall(path.read_text("utf-8")))
    assert [anchor for anchor, count in anchors.items() if count > 1] == []


@pytest.mark.parametrize("path", CHAPTERS, ids=IDS)
def test_a_box_promises_the_minutes_of_its_exercises_and_the_stars_of_the_hardest(path, course):
    text = path.read_text("utf-8")
    at = {anchor[1]: anchor.end() for anchor in ANCHOR.finditer(text)}
    boxes: dict[re.Match[str], list[Exercise]] = {box: [] for box in BOX.finditer(text)}
    mine = [e for e in course.exercises.values() if e.chapter == path.stem]
    for exercise in mine:
        below = next((box for box in boxes if box.start() > at[exercise.anchor]), None)
        if below and (below[1] or not exercise.given):  # what is given may stand in plain text
            boxes[below].append(exercise)
    assert sum(not e.given for e in mine) <= sum(map(len, boxes.values()))
    for box, exercises in boxes.items():
        given, minutes, stars = box.groups()
        assert exercises, box[0]
        assert given or int(minutes) == sum(exercise.minutes for exercise in exercises), box[0]
        assert len(stars) == max(exercise.difficulty for exercise in exercises), box[0]


FOLDED = re.compile(r"^:::\{dropdown\}.*?^:::$", re.MULTILINE | re.DOTALL)
ASIDE = re.compile(r"^:::\{admonition\} (?!Exercise )(.*)\n(.*?)^:::$", re.MULTILINE | re.DOTALL)
CHAPTER3 = Path(root.path("chapters", "chapter3.md"))


def test_the_first_stub_of_chapter_3_comes_soon(course):
    """Within 600 words that are not folded away."""
    text = CHAPTER3.read_text("utf-8")
    first = next(e for e in course.exercises.values() if e.chapter == "chapter3" and not e.given)
    before = FOLDED.sub("", text[: text.index(f"({first.anchor})=")])
    assert len(before.split()) <= 600


def test_every_section_of_chapter_3_that_asks_something_ends_in_short():
    sections = re.split(r"^## ", CHAPTER3.read_text("utf-8"), flags=re.MULTILINE)[1:]
    asks = [s for s in sections if any(not given for given, _, _ in BOX.findall(s))]
    assert len(asks) >= 11
    without = [s.partition("\n")[0] for s in asks if s.count("} In short\n") != 1]
    assert without == []


@pytest.mark.parametrize("path", CHAPTERS, ids=IDS)
def test_a_long_aside_is_folded(path):
    asides = ASIDE.findall(path.read_text("utf-8"))
    assert [title for title, text in asides if len(text.split()) > 100] == []


def python_blocks(path: Path) -> list[dict[str, Any]]:
    """The blocks that run here, with the line they begin after and the output they promise."""
    text = path.read_text("utf-8")
    fences = list(FENCE.finditer(text))
    blocks = []
    for fence, after in zip(fences, [*fences[1:], None], strict=True):
        language = fence[1] or ""
        if language == "python" or (language == "python torch" and torch_is_installed()):
            follows = after is not None and after[1] == "text" and after.start() == fence.end()
            blocks.append(
                {
                    "line": text.count("\n", 0, fence.start()) + 1,
                    "code": fence[2],
                    "output": after[2] if after is not None and follows else None,
                }
            )
    return blocks


def torch_is_installed() -> bool:
    return importlib.util.find_spec("torch") is not None


@functools.cache
def runner(looked_at: frozenset[tuple[str, str]]) -> subprocess.Popen[str]:
    """The process that is forked, for what NumPy looks at; it ends with this one."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER],
        env={**os.environ, **dict(looked_at), **ONE_THREAD},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.communicate)
    return process


def run(
    blocks: list[tuple[str, int, str]], folder: Path, package: Path | str = SOLUTIONS
) -> list[str]:
    """Return what each block printed; the last one ends with a traceback if a block failed."""
    process = runner(as_key(os.environ))
    asked, answer = process.stdin, process.stdout
    assert asked and answer
    print(json.dumps([str(folder), str(package), blocks]), file=asked, flush=True)
    return list(json.loads(answer.readline()))
