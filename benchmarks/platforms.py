"""Count the marks that reach a platform's own list: right, wrong, missing.

Classes hand in as platforms download them: Moodle with folders and without, Canvas, Gradescope, and
teams on each; one person per odd shape (`tests/grader/instructor/platform_shapes.py`). `grader
grade` judges the download as it is, and `grader export` fills in the platform's list: Moodle's
worksheet in four languages, Canvas's gradebook; for Gradescope, the table of `export csv`. The
script reads the filled list by the platform's rules: Moodle by its number, Canvas by its ID. A mark
is right if it is that of the same files in a plain folder; without files that can be judged, right
is no mark.

    python benchmarks/platforms.py [--beside DIR]

`--beside DIR` does the same with the grader in another folder (an earlier commit's, from `git
worktree add DIR COMMIT`), first.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from tests.grader.instructor.platform_shapes import (  # noqa: E402
    PLATFORMS,
    Shape,
    make_shapes,
    make_teams,
)
from tests.grader.instructor.worksheets import LANGUAGES  # noqa: E402

COURSE = Path(ROOT, "examples", "own_course")
PACKAGE, FILES, CHAPTER = "tinystats", ("describe.py", "relate.py"), "lesson1"
SOLVED = {name: (COURSE / "solutions" / PACKAGE / name).read_text("utf-8") for name in FILES}
STUBS = {path.name: path.read_bytes() for path in sorted((COURSE / PACKAGE).glob("*.py"))}
SPOKEN = ("German", "French", "Japanese", "Arabic")
MOST = "100.00"  # the maximum grade on each platform
# Of `describe.py`; each person has some of them, so that marks differ.
MISTAKES = [("/ len(values)\n", "/ (len(values) + 1)\n"), ("- ddof)", "- 2 * ddof)"),
            ("np.sqrt(variance(values))", "variance(values)")]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", metavar="DIR", help="another grader, measured first")
    options = parser.parse_args()
    for tree in filter(None, (options.beside and os.path.abspath(options.beside), ROOT)):
        print(f"{'now' if tree == ROOT else tree}: right, wrong, missing")
        with tempfile.TemporaryDirectory() as folder:
            total = Bench(Path(folder), tree).run()
        print(f"  {'all':<28} {describe(total)}", flush=True)


def describe(count: Counter[str]) -> str:
    return " ".join(f"{count[kind]:>4}" for kind in ("right", "wrong", "missing"))


def write_file(name: str, who: str) -> bytes:
    """A file as somebody wrote it, with mistakes of theirs."""
    text = SOLVED[name]
    for at, (right, wrong) in enumerate(MISTAKES if name == FILES[0] else ()):
        text = text.replace(right, wrong) if sum(map(ord, who)) >> at & 1 else text
    return f"# {who}\n{text}".encode()


class Bench:
    """One grader, and the folder in which its classes hand in."""

    def __init__(self, place: Path, tree: str) -> None:
        self.place, self.tree = place, tree

    def run(self) -> Counter[str]:
        total: Counter[str] = Counter()
        shapes = make_shapes(STUBS, write_file, FILES, PACKAGE)
        teams = make_teams(write_file, FILES[0])
        right = self.grade_plainly(
            {**shapes, **{team: shape for team, (shape, _) in teams.items()}}
        )
        of_people = {name: right[name] for name in shapes}
        of_members = {who: right[team] for team, (_, people) in teams.items() for who in people}
        members = {who: team for team, (_, people) in teams.items() for who in people}
        for platform, (write, _) in PLATFORMS.items():
            for kind, handed, expected, groups in (
                ("", shapes, of_people, {}),
                (
                    ", teams",
                    {team: shape for team, (shape, _) in teams.items()},
                    of_members,
                    members,
                ),
            ):
                name = f"{platform}{kind}"
                download = self.place / name.replace(" ", "-").replace(",", "")
                download.mkdir()
                for number, (who, shape) in enumerate(handed.items()):
                    if platform == "Gradescope" and kind:
                        write_gradescope_team(download, who, number, shape, teams[who][1])
                    elif platform == "Canvas" and kind:  # the number is of the member who uploaded
                        first, _, last = who.partition(" ")
                        number = [*members].index(teams[who][1][0])
                        write(download, f"{last} {first}", number, shape)
                    else:
                        write(download, who, number, shape)
                count = self.count(name, download, expected, groups)
                print(f"  {name:<28} {describe(count)}", flush=True)
                total += count
        return total

    def grade_plainly(self, shapes: Mapping[str, Shape]) -> dict[str, float | None]:
        """Return person → the mark of their files in a folder of their name."""
        for name, shape in shapes.items():
            for file, data in ({**STUBS, **shape.taken} if shape.taken else {}).items():
                path = self.place / "plain" / name / PACKAGE / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        results = self.grade(self.place / "plain", "plain.out")
        with open(results / "results.csv", encoding="utf-8") as file:
            found = {row["learner"]: row for row in csv.DictReader(file)}
        return {
            name: round(100 * float(row["mark"]) / float(row["max_mark"]), 2)
            if (row := found.get(name)) and row["mark"]
            else None
            for name in shapes
        }

    def grade(self, place: Path, out: str, *words: str) -> Path:
        results = self.place / out
        self.grader("grade", place, "--out", results, "--seed", "s", "--chapters", CHAPTER, *words)
        return results

    def grader(self, *words: str | Path) -> str:
        """`grader …`, whatever its exit status: what it cannot do is counted."""
        around = {**os.environ, "PYTHONPATH": self.tree, "GRADER_COURSE": str(COURSE)}
        around["XDG_CACHE_HOME"] = str(self.place / "cache")
        command = [sys.executable, "-c", "from grader.cli import main; main()", *map(str, words)]
        return subprocess.run(
            command, cwd=self.place, env=around, capture_output=True, text=True, check=False
        ).stdout

    def count(
        self,
        name: str,
        download: Path,
        right: Mapping[str, float | None],
        groups: Mapping[str, str],
    ) -> Counter[str]:
        """Grade a download, fill in each list of the platform, and compare."""
        numbers = {who: at for at, who in enumerate(right)}
        more: list[str] = []
        if groups:
            rows = [("name", "group"), *groups.items()]
            more = ["--roster", str(self.write_table(f"{name}.roster", rows))]
        results = self.grade(download, f"{name}.out", *more)
        found: Counter[str] = Counter()
        for marks in self.fill_in(name, results, numbers):
            for who, expected in right.items():
                mark = marks.get(who)
                is_right = mark == expected if expected is None or mark is None else (
                    abs(mark - expected) < 0.02
                )  # fmt: skip
                found["right" if is_right else "missing" if mark is None else "wrong"] += 1
        return found

    def fill_in(self, name: str, results: Path, numbers: Mapping[str, int]) -> list[dict]:
        """Return person → mark as the platform reads each list that was filled in."""
        if name.startswith("Moodle"):
            return [self.fill_in_worksheet(results, numbers, language) for language in SPOKEN]
        if name.startswith("Canvas"):
            return [self.fill_in_gradebook(results, numbers)]
        rows = csv.DictReader(io.StringIO(self.grader("export", "csv", results)))
        return [{
            row["learner"]: 100 * float(row["mark"]) / float(row["max_mark"])
            for row in rows if row["mark"]
        }]  # fmt: skip

    def fill_in_worksheet(self, results: Path, numbers: Mapping[str, int], name: str) -> dict:
        said = LANGUAGES[name]
        rows = [said.columns]
        rows += [
            (f"{said.word}{1000 + n}", who, "✓", "-", MOST, "✓", said.when, "-", "")
            for who, n in numbers.items()
        ]
        list_of = self.write_table(f"worksheet-{name}", rows)
        made = self.grader("export", "moodle", results, "--roster", list_of)
        whose = {f"{said.word}{1000 + n}": who for who, n in numbers.items()}
        filled = list(csv.reader(io.StringIO(made)))
        if not filled or said.columns[3] not in filled[0]:
            return {}
        at = filled[0].index(said.columns[3])
        return {whose[row[0]]: float(row[at]) for row in filled[1:] if row[at].strip("- ")}

    def fill_in_gradebook(self, results: Path, numbers: Mapping[str, int]) -> dict:
        def turn(who: str) -> str:
            first, _, last = who.partition(" ")
            return f"{last}, {first}"

        rows = [("Student", "ID", "SIS Login ID", "Section", "Lesson 1 (77)", "Final Score")]
        rows.append(("    Points Possible", "", "", "", MOST, "(read only)"))
        rows += [(turn(who), str(5000 + n), f"u{n}", "A", "", "") for who, n in numbers.items()]
        book = self.write_table("gradebook", rows)
        words = "--roster", book, "--assignment", "Lesson 1"
        made = list(csv.reader(io.StringIO(self.grader("export", "canvas", results, *words))))
        if not made or made[0][-1] != "Lesson 1 (77)":
            return {}
        whose = {str(5000 + n): who for who, n in numbers.items()}
        at = made[0].index("ID")
        return {whose[row[at]]: float(row[-1]) for row in made[1:] if row[at] and row[-1]}

    def write_table(self, name: str, rows: list) -> Path:
        path = self.place / f"{name.replace(' ', '-')}.csv"
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        return path


def write_gradescope_team(
    place: Path, team: str, number: int, shape: Shape, people: tuple[str, ...]
) -> None:
    """Write a team's hand-in as Gradescope does: a folder, and its members in the metadata."""
    folder = place / f"submission_{7000 + number}"
    folder.mkdir()
    for name, data in shape.files.items():
        (folder / name).write_bytes(data)
    members = "".join(f"  - :name: {who}\n    :email: {who[:3]}@example.org\n" for who in people)
    with open(place / "submission_metadata.yml", "a", encoding="utf-8") as file:
        file.write(f"{folder.name}:\n  :submitters:\n{members}  :score: 0.0\n")


if __name__ == "__main__":
    main()
