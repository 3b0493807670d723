"""A class that is graded while somebody in it, or the machine, means it ill.

Ada is honest and in every class: whatever happens, she has her row and all of her points.
"""

from __future__ import annotations

import csv
import gzip
import html.parser
import json
import os
import re
import resource
import signal
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.learner.untrusted_files import read_json_or_none
from grader.sandbox.isolation import FOR_MARKS

from .loader import Case
from .scene import HARM, Ended, Scene

HONEST = "ada"
PATIENCE = 300.0
SCRIPT = "evil-script"  # what a case writes where it may become one


def play(case: Case, scene: Scene) -> Ended:
    """Grade the class after the scene's first events."""
    arguments = (
        "grade", "in", "--out", "out", "--seed", "public", "--jobs", "1",
        "--chapters", case.says["class"], "--marks", case.says.get("marks", "own"),
    )  # fmt: skip
    if "demands" not in case.says:
        arguments += "--isolation", scene.level
    if "first" in case.says:
        FIRST[case.says["first"]](scene, arguments)
    return scene.run(*arguments)


def judged(case: Case, scene: Scene, ended: Ended, level: str) -> None:
    """Assert that every hand-in has one row and that nobody has more than is due."""
    if "demands" in case.says and level != FOR_MARKS:
        assert (ended.status, ended.out) == (2, "") and f"--isolation {FOR_MARKS}" in ended.err
        assert not kept(scene)
        return
    allowed = set(case.says.get("others", "full").split("|"))
    # 3: some Pythons end with what is handed in, and then a row says that it was our fault.
    assert ended.status in (0, 1, *[3] * ("our_fault" in allowed)), ended.err
    rows = records(scene)
    found = {name: word(row) for name, row in rows.items()}
    assert found.pop(HONEST) == "full", rows[HONEST]
    assert len(rows) == int(case.says.get("count", 2)), list(rows)
    assert set(found.values()) <= allowed, {n: (r["says"], r["mark"]) for n, r in rows.items()}
    for name, _, ids in (word.partition("=") for word in case.says.get("revealed", "").split()):
        record = read_json_or_none(str(scene.work / "out" / "learners" / f"{name}.json.gz"))
        assert set(record["revealed"]) == set(filter(None, ids.split("|"))), record["revealed"]
    most = float(case.says.get("at most", 1))
    for row in rows.values():
        assert row["learner"] == HONEST or (row["mark"] or 0) <= most * (row["max_mark"] or 0), row
    for marks in others_marks(scene):
        for id in case.says.get("earns nothing", "").split():
            assert marks[id]["follow_through"] == 0, (id, marks[id])
        for id in case.says.get("earns all", "").split():
            assert marks[id]["follow_through"] == marks[id]["max_mark"], (id, marks[id])
    rows = (scene.work / "out").rglob("*.json.gz")
    told = "".join(gzip.decompress(p.read_bytes()).decode(errors="replace") for p in rows)
    if case.reaches("harm", level):
        assert case.says.get("untold", HARM) not in told + ended.out
    if case.group == "records":
        exports_are_text(scene)
    if "read" in case.says or "unread" in case.says:
        told = read_by_learners(scene)
        found = re.search(case.says.get("unread", "(?!)"), told)
        assert found is None, told[max(0, found.start() - 300) : found.end() + 300]
        assert re.search(case.says.get("read", ""), told), told[:2000]


def read_by_learners(scene: Scene) -> str:
    """Return everything the grader writes for the learners of a class."""
    for name in ("html", "junit", "github"):
        (scene.work / "told" / name).mkdir(parents=True)
        scene.hand_over()
        ended = scene.run("export", name, "out", "--out", f"told/{name}")
        assert ended.status in (0, 1), ended.err  # 1: somebody has no mark
    paths = [p for p in (scene.work / "told").rglob("*") if p.is_file() and "class" not in p.name]
    told = "".join(p.read_text(encoding="utf-8") for p in paths)
    assert "chapter3" in told or "chapter2" in told
    return told


def records(scene: Scene) -> dict[str, Any]:
    """Map each learner to a row; two rows of one learner are an error."""
    lines = (scene.work / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    by_name = {row["learner"]: row for row in rows}
    assert len(by_name) == len(rows)
    return by_name


def others_marks(scene: Scene) -> list[dict[str, Any]]:
    """Return the marks of each graded learner except Ada, by exercise."""
    paths = (scene.work / "out" / "learners").glob("*.json.gz")
    found = [read_json_or_none(str(path)) for path in paths]
    return [r["marks"] for r in found if r["learner"] != HONEST and r["status"] == "graded"]


def word(row: dict[str, Any]) -> str:
    """``full``, ``less`` or ``none`` of the points; a status where there is no mark."""
    if row["status"] != "graded":
        assert row["mark"] is None
        return str(row["status"])
    return "full" if row["mark"] == row["max_mark"] else "less" if row["mark"] else "none"


# ---- what happens first --------------------------------------------------------------


def killed(scene: Scene, arguments: tuple[str, ...]) -> None:
    """Kill the batch at its first row, then run it again: no record is lost or judged again."""
    with scene.start(*arguments) as batch:
        wait_for(lambda: kept(scene))
        os.killpg(batch.pid, signal.SIGKILL)
    before = kept(scene)
    assert before
    scene.run(*arguments)
    after = kept(scene)
    assert {name: after[name] for name in before} == before  # neither lost nor judged again


def killed_early(scene: Scene, arguments: tuple[str, ...]) -> None:
    """Kill the batch again and again, each time later."""
    for n in range(5):
        with scene.start(*arguments) as batch:
            time.sleep(0.1 * n)
            os.killpg(batch.pid, signal.SIGKILL)


def full_disk(scene: Scene, arguments: tuple[str, ...]) -> None:
    """Let no file grow beyond a few kilobytes: a sentence says so and no half record stays."""

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    ended = scene.run(*arguments, prepare=small)
    assert ended.status == 2 and "Traceback" not in ended.err, ended.err
    for data in kept(scene).values():
        json.loads(data[1])


def second_grader(scene: Scene, arguments: tuple[str, ...]) -> None:
    """Run two graders at once: one says so and ends, and neither spoils anything."""
    with scene.start(*arguments) as one:
        ended = scene.run(*arguments)
        one.wait(timeout=PATIENCE)
    assert {ended.status, one.returncode} <= {0, 1, 2}, ended.err
    assert min(ended.status, one.returncode) < 2
    assert "Traceback" not in ended.err


def broken_hand_in(scene: Scene, arguments: tuple[str, ...]) -> None:
    """Grade the class; then delete the code of every hand-in except Ada's."""
    scene.run(*arguments)
    for place in (scene.work / "in").iterdir():
        if place.name != HONEST:
            for path in place.rglob("*.py"):
                path.unlink()


def link_to_a_neighbour(scene: Scene, arguments: tuple[str, ...]) -> None:
    """One folder is Ada's by another name; whoever hands in is no user of this machine."""
    (scene.work / "in" / "thief").symlink_to(HONEST)
    scene.hand_over()


def notes_of_a_neighbour(scene: Scene, arguments: tuple[str, ...]) -> None:
    """Ada had a solution shown, and another's notes are hers by another name."""
    notes = scene.work / "in" / HONEST / ".grader"
    notes.mkdir()
    (notes / "revealed.json").write_text('{"chapter2.init": 5}', encoding="utf-8")
    (scene.work / "in" / "thief" / ".grader").symlink_to(f"../{HONEST}/.grader")
    scene.hand_over()


def second_name(scene: Scene, arguments: tuple[str, ...]) -> None:
    """Ada's file has one more name, which another learner made; each is a user of their own."""
    if os.geteuid() != 0:
        pytest.skip("only root can give folders to other users")
    place = scene.work / "in"
    os.link(place / HONEST / "babygrad" / "tensor.py", place / "thief" / "babygrad" / "tensor.py")
    for user, name in ((4002, "thief"), (4001, HONEST)):  # whose the shared file is, comes last
        for path in (place / name, *(place / name).rglob("*")):
            os.chown(path, user, user)


FIRST: dict[str, Callable[[Scene, tuple[str, ...]], None]] = {
    "the batch is killed": killed,
    "a submission is a link": link_to_a_neighbour,
    "notes are a neighbour's": notes_of_a_neighbour,
    "a neighbour's file gets a second name": second_name,
    "the batch is killed often": killed_early,
    "the disk is full": full_disk,
    "a second grader": second_grader,
    "rubbish is handed in later": broken_hand_in,
}


def kept(scene: Scene) -> dict[str, tuple[int, bytes]]:
    """The records that are there: name → when written, and what."""
    folder = scene.work / "out" / "learners"
    paths = folder.glob("*.json.gz") if folder.is_dir() else ()
    return {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in paths}


def wait_for(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.002)


# ---- what is made of it --------------------------------------------------------------


class Tags(html.parser.HTMLParser):
    """Finds what a learner's text must never become: a script, or an attribute that runs one."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not [name for name, _ in attrs if name.startswith("on")], attrs
        assert not [v for _, v in attrs if v and v.lower().lstrip().startswith("javascript:")]
        self.inside = tag

    def handle_data(self, data: str) -> None:
        assert getattr(self, "inside", "") not in ("script", "style") or SCRIPT not in data


def exports_are_text(scene: Scene) -> None:
    for name in ("csv", "html", "junit", "github", "json"):
        (scene.work / "made" / name).mkdir(parents=True)
        scene.hand_over()
        ended = scene.run("export", name, "out", "--out", f"made/{name}")
        assert ended.status in (0, 1) and "Traceback" not in ended.err, ended.err
    for path in (scene.work / "made").rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not {c for c in text if not c.isprintable() and c not in "\n\t\r\ufeff"}, path
            LOOKS.get(path.suffix, lambda path: None)(path)
    no_formulas(scene.work / "out" / "results.csv")


def no_formulas(path: Path) -> None:
    with open(path, encoding="utf-8-sig", newline="") as file:
        for row in csv.reader(file):
            for cell in row:
                assert not cell.lstrip().startswith((*"=+@", *"\uff1d\uff0b\uff0d\uff20")), cell
                assert not cell.startswith("-") or cell[1:2].isdigit(), cell


def no_commands(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        assert path.name != "annotations.txt" or line.startswith("::error "), line


def no_markdown(path: Path) -> None:
    """Assert that no `<pre>` has a blank line: GitHub reads the text after it as Markdown."""
    for inside in re.findall(r"<pre>(.*?)</pre>", path.read_text(encoding="utf-8"), re.DOTALL):
        assert all(map(str.strip, inside.split("\n"))), inside


def no_scripts(path: Path) -> None:
    Tags().feed(path.read_text(encoding="utf-8"))


LOOKS: dict[str, Callable[[Path], object]] = {
    ".csv": no_formulas, ".html": no_scripts, ".txt": no_commands,
    ".xml": ElementTree.parse, ".md": no_markdown,
}  # fmt: skip
