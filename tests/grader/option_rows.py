"""Each option of each command, and a case in which it shows: a row of `test_options.py`."""

from __future__ import annotations

from typing import Any, NamedTuple

from grader import root
from grader.classroom.exports import FORMATS
from grader.sandbox.isolation import HIGHEST


class Row(NamedTuple):
    """Two command lines, and what the first one alone shows."""

    shows: str
    hides: str
    says: str  # a regular expression; empty: they say different things, each always the same
    stdin: str | None = None
    around: dict[str, str] = {}


class Told(NamedTuple):
    """A test that shows an option, where a case of its own would take long."""

    module: str
    test: str


def rows(command: str, *each: tuple[Any, ...]) -> dict[tuple[str, str], Row | Told]:
    """The rows of one command: an option, then its `Row`, or its `Told`."""
    return {
        (command, option): more[0] if isinstance(more[0], Told) else Row(*more)
        for option, *more in each
    }


R, NEW = "--package ../right", "--package ../new"
VIVA = f"viva lesson1 {R}"
ANN = f"{VIVA} --learner ann"
NONE = "--isolation process"
SHEET = "viva lesson1 --sheet ../in --out v.html"
PART = f"viva lesson2.covariance --sheet ../part --out v.html {NONE}"
LESS = {HIGHEST: "process"}  # as where the kernel does not confine
GRAPH = "graph '(Tensor([2.0]) * Tensor([3.0])).sum()'"
ENGINE, BOOK = f"--package {root.path('solutions')}", {"GRADER_COURSE": ""}

LEARNERS = {
    **rows(
        "",
        ("--version", "--version", "status", r"babygrad-course \d"),
        ("--verbose", "show lesson1.mean --verbose", "show lesson1.mean", "exit status 0"),
    ),
    **rows(
        "init",
        ("folder", "init one", "init two", "wrote work/one/"),
        ("--from", "init x --from lesson2", "init x", "begins at lesson2"),
        ("--route", Told("test_route", "a_workspace_on_the_short_route_has_its_own_total")),
        ("--formulas", Told("test_route", "hidden_formulas_are_hints_until_they_are_shown")),
        ("--from-browser", "init x --from-browser ../saved.json", "init x", "# of the page"),
    ),
    **rows(
        "update",
        ("bundle", f"update ../handout {NEW}", f"update ../both {NEW}", "4 file"),
        ("--route", Told("test_route", "a_route_is_changed_later_and_results_are_kept")),
        ("--formulas", Told("test_route", "hidden_formulas_are_hints_until_they_are_shown")),
        ("--package", f"update ../both {NEW}", "update ../both", "wrote new/"),
    ),
    **rows(
        "import",
        ("folder", f"import ../right/tinystats {NEW}", f"import tinystats {NEW}", "6 of them pass"),
        ("--package", f"import ../right/tinystats {NEW}", "import ../right/tinystats", "new/tiny"),
    ),
    **rows(
        "check",
        ("names", "check lesson2", "check lesson1", "covariance failed"),
        ("--package", f"check lesson1 {R}", "check lesson1", "5 / 5 points"),
        ("--json", "check lesson1 --json", "check lesson1", '"schema": "grader-result/1"'),
        ("--isolation", "check lesson1 --isolation confined", "check lesson1", "status 2", None,
         LESS),
        ("--fail-fast", "check lesson1 --fail-fast", "check lesson1", "/ 1 points"),
    ),
    **rows(
        "hint",
        ("name", "hint lesson2.covariance", "hint lesson1.mean", "lesson2.covariance, hint 1"),
        ("--package", f"hint lesson1.mean {R}", "hint lesson1.mean", "hint 2 of 2"),
    ),
    **rows(
        "show",
        ("name", "show lesson2.covariance", "show lesson1.mean", "def covariance"),
        ("--package", f"show lesson1.mean {R}", "show lesson1.mean", "it is passed"),
    ),
    **rows(
        "solution",
        ("name", f"solution lesson1.variance {R}", f"solution lesson1.mean {R}", "distances"),
        ("--package", f"solution lesson1.mean {R}", "solution lesson1.mean", r"np\.sum"),
        ("--reveal", "solution lesson1.mean --reveal", "solution lesson1.mean", r"np\.sum"),
        ("--all", f"solution lesson1.mean --all {R}", f"solution lesson1.mean {R}", "def variance"),
        ("--no-docstrings", f"solution describe.py --all {R}",
         f"solution describe.py --all --no-docstrings {R}", "Args:"),
    ),
    **rows(
        "reset",
        ("name", "reset lesson2.covariance --yes", "reset lesson1.mean --yes", "covariance: a"),
        ("--package", f"reset lesson1.mean --yes {R}", "reset lesson1.mean --yes", "wrote right/"),
        ("--yes", "reset lesson1.mean --yes", "reset lesson1.mean", "mean: a stub again"),
    ),
    **rows(
        "repro",
        ("name", "repro lesson1.standardize", "repro lesson1.mean", "def standardize"),
        ("--package", f"repro lesson1.mean {R}", "repro lesson1.mean", "is passed"),
        ("--out", "repro lesson1.mean --out r.py", "repro lesson1.mean", "wrote work/r.py"),
    ),
    **rows(
        "watch",
        ("names", "watch lesson2", "watch lesson1", "covariance failed", "q"),
        ("--package", f"watch lesson1 {R}", "watch lesson1", "3 of 3 exercises", "q"),
        ("--lines", "watch lesson1 --lines", "watch lesson1", "describe.py:6:1: error", "q"),
    ),
    **rows("status", ("--package", f"status {R}", "status", "All of it is right")),
    **rows(
        "quiz",
        ("chapter", "quiz lesson1", "quiz lesson2", "1 question", "q"),
        ("--package", f"quiz lesson1 {R}", "quiz lesson1", "1 of 1 prediction right", "q"),
        ("--again", f"quiz lesson1 --again {R}", f"quiz lesson1 {R}", "Question 1 of 1", "q"),
    ),
    **rows(
        "viva",
        ("names", f"viva lesson2 {R} --json", f"{VIVA} --json", '"chapter": "lesson2"'),
        ("--package", f"{VIVA} --json", "viva lesson1 --json", '"kind"'),
        ("--count", f"{VIVA} --count 2", VIVA, "Question 1 of 2", "q"),
        ("--seed", f"{VIVA} --json --seed 3", f"{VIVA} --json", ""),
        ("--learner", f"{ANN} --json", f"{VIVA} --json", ""),
        ("--json", f"{VIVA} --json", VIVA, '"schema": "grader-viva/1"', "q"),
        ("--sheet", f"{SHEET} {NONE}", f"{VIVA} --out v.html {NONE}", "ben: There is nothing"),
        ("--release", f"{PART} --release ../both", PART, "ada: There is nothing"),
        ("--out", f"{VIVA} --out v.html", VIVA, "wrote work/v.html", "q"),
        ("--supervised", f"{ANN} {NONE} --supervised r", f"{ANN} {NONE}", "wrote work/r/viva/ann",
         "q"),
        ("--isolation", f"{SHEET} {NONE}", SHEET, "questions for 1 of 2", None, LESS),
        ("--minutes", f"{ANN} {NONE} --supervised r --minutes 3", f"{ANN} {NONE} --supervised r",
         "3 minutes, from now", "q"),
    ),
    **rows(
        "book",
        ("name", "book lesson2", "book", "lesson2.html"),
        ("--build", "book --build site", "book", "wrote work/site/lesson1.html"),
        ("--pyodide", "book --build site", "book --build site --pyodide none", "Graded in"),
    ),
    **rows(
        "graph",
        ("what", f"{GRAPH.replace('*', '+')} {ENGINE}", f"{GRAPH} {ENGINE}", '"Add"', None, BOOK),
        ("--package", f"{GRAPH} {ENGINE}", GRAPH, "wrote work/graph.html", None, BOOK),
        ("--out", f"{GRAPH} {ENGINE} --out g.html", f"{GRAPH} {ENGINE}", "wrote work/g.html", None,
         BOOK),
    ),
}  # fmt: skip

GRADE = "grade ../in --out o --seed s --chapters lesson1 --jobs 1"
AGAIN = "grade ../in --out ../res --jobs 1"
OTHER = "--course ../other.toml"
EXPLAIN = "explain ../res ben lesson1.mean"
TIMES = f"{AGAIN} {OTHER} --times ../times.csv"
SHEETS = Told("instructor.test_open_answers", "from_hand_ins_to_a_worksheet_and_back_again")

INSTRUCTORS = {
    **rows(
        "release",
        ("out", "release one --chapters lesson1", "release two --chapters lesson1", "work/one/"),
        ("--chapters", "release r --chapters lesson2", "release r", "r: lesson2;"),
        ("--route", Told("instructor.test_short_route", "a_release_takes_the_short_route")),
        ("--formulas", Told("instructor.test_short_route", "a_release_takes_the_short_route")),
        ("--earlier", "release r --chapters lesson2", "release r --chapters lesson2 --earlier own",
         '"from": "lesson2"'),
        ("--course", f"release r {OTHER}", "release r", "1 March 2026"),
        ("--wheel", "release r --wheel https://x.org/y.whl", "release r", "https://x.org/y.whl"),
        ("--reveal", "release r --reveal", "release r", "is in it, but for the sol"),
    ),
    **rows(
        "grade",
        ("submissions", GRADE, GRADE.replace("../in", "../in/ada"), "ben +graded"),
        ("--out", GRADE.replace(" o ", " p "), GRADE, "wrote work/p/results.csv"),
        ("--chapters", GRADE, GRADE.replace("lesson1", "lesson2"), "5 of 5"),
        ("--release", f"{GRADE} --release ../both", GRADE, "By both"),
        ("--seed", GRADE, GRADE.replace("--seed s", "--seed t"), '"seed": "s"'),
        ("--seed-file", GRADE.replace("--seed s", "--seed-file ../seed.txt"), GRADE, "from a file"),
        ("--marks", f"{AGAIN} --marks best", AGAIN, '"policy": "best"'),
        ("--course", f"{AGAIN} {OTHER}", AGAIN, "18 of 18"),
        ("--roster", f"{AGAIN} --roster ../roster.csv", AGAIN, "Not in the roster: ben"),
        ("--times", TIMES, f"{AGAIN} {OTHER}", "Late by the platform's time"),
        ("--timezone", f"{TIMES} --timezone Africa/Lagos", TIMES, "are read in Africa/Lagos"),
        ("--shard", f"{GRADE} --shard 1/2", GRADE, "1 judged"),
        ("--like", "grade ../in --out o --jobs 1 --like ../res", "grade ../in --out o --jobs 1",
         '"seed": "s"'),
        ("--prepare", "grade ../in --out o --seed s --chapters lesson1 --prepare", GRADE,
         "0 judged, 0 kept"),
        ("--after", "grade ../in --out o --jobs 1 --after ../res", "grade ../in --out o --jobs 1",
         "0 marks move, 2 stay"),
        ("--again", f"{AGAIN} --again", AGAIN, "2 judged, 0 kept"),
        ("--isolation", f"{GRADE} {NONE}", GRADE, "2 judged", None, LESS),
    ),
    **rows(
        "merge",
        ("results", "merge ../part1 ../part2 --out m", "merge ../part1 --out m", "2 records of 2"),
        ("--out", "merge ../part1 --out m", "merge ../part1 --out n", "wrote work/m/results.csv"),
    ),
    **rows(
        "notebooks",
        ("out", "notebooks one lesson1 --seed s", "notebooks two lesson1 --seed s", "work/one/"),
        ("chapters", "notebooks n lesson2 --seed s", "notebooks n lesson1 --seed s", "lesson2.ipy"),
        ("--earlier", "notebooks n lesson2 --seed s", "notebooks n lesson2 --seed s --earlier own",
         '"from": "lesson2"'),
        ("--course", f"notebooks n lesson1 --seed s {OTHER}", "notebooks n lesson1 --seed s",
         "other.toml"),
        ("--db", "notebooks n lesson1 --seed s --db sqlite:///x.db", "notebooks n lesson1 --seed s",
         "db_url = .sqlite:///x.db"),
        ("--results", "notebooks n lesson1 --seed s --results ../kept",
         "notebooks n lesson1 --seed s", "wrote kept/answers.key"),
        ("--seed", "notebooks n lesson1 --seed s", "notebooks n lesson1 --seed t", '"seed": "s"'),
    ),
    **rows(
        "insights",
        ("results", "insights ../res", "insights ../part1", "2 judged"),
        ("--html", "insights ../res --html i.html", "insights ../res", "wrote work/i.html"),
        ("--before", "insights ../res --before ../before", "insights ../res", "ada: from 0 %"),
        ("--anonymous", "insights ../res --before ../before --html i.html",
         "insights ../res --before ../before --html i.html --anonymous", "ada: from 0 %"),
    ),
    **rows("open", ("results", SHEETS), ("--out", SHEETS), ("--read", SHEETS)),
    **rows(
        "explain",
        ("results", EXPLAIN, EXPLAIN.replace("res", "part1"), "ben, lesson1.mean"),
        ("learner", EXPLAIN, EXPLAIN.replace("ben", "ada"), "ben, lesson1.mean"),
        ("exercise", EXPLAIN, EXPLAIN.replace("mean", "variance"), "ben, lesson1.mean"),
        ("--html", f"{EXPLAIN} --html e.html", EXPLAIN, "wrote work/e.html"),
        ("--staff", f"{EXPLAIN} --html e.html --staff", f"{EXPLAIN} --html e.html", ""),
    ),
}  # fmt: skip

NEW_COURSE = "course new ../fresh"
AUDIT = "audit lesson1.mean --jobs 1"

AUTHORS = {
    **rows(
        "course",
        ("what", "course old ../fresh", NEW_COURSE, "invalid choice: 'old'"),
        ("folder", NEW_COURSE, "course new ../other", "wrote fresh/course.json"),
        ("--name", f"{NEW_COURSE} --name tales", NEW_COURSE, '"name": "tales"'),
        ("--chapter", f"{NEW_COURSE} --chapter unit", NEW_COURSE, "grader check unit1"),
        ("--title", f"{NEW_COURSE} --title 'Tell a tale'", NEW_COURSE, "Tell a tale"),
    ),
    **rows(
        "mistakes",
        ("names", "mistakes lesson2", "mistakes lesson1", "lesson2.covariance"),
        ("--json", "mistakes lesson1 --json", "mistakes lesson1", '"schema": "grader-mistakes/1"'),
    ),
    **rows(
        "audit",
        ("names", "audit lesson2.covariance --jobs 1", AUDIT, "lesson2.covariance: it holds"),
        ("--mutants", f"{AUDIT} --mutants", AUDIT, "lesson1.mean, field: 3 mutants"),
        ("--corners", f"{AUDIT} --corners", AUDIT, "lesson1.mean, corner: 0 mutants"),
        ("--course", AUDIT, f"{AUDIT} {OTHER}", "5-stripped"),
    ),
    **rows("stubs", ("--check", "stubs --check", "stubs", r"describe\.py: \w", None,
                     {"GRADER_COURSE": "../mine"})),
}  # fmt: skip

PLAIN = {
    "json": "export json ../res", "junit": "export junit ../res", "csv": "export csv ../res",
    "moodle": "export moodle ../res --roster ../roster.csv",
    "canvas": "export canvas ../res --roster ../roster.csv",
    "html": "export html ../res --out p", "github": "export github ../res --out p",
    "moodle-pages": "export moodle-pages ../res --roster ../worksheet.csv --out p",
    "workflow": "export workflow", "central": "export central",
    "gradescope": "export gradescope --chapters lesson1 --seed q --out p",
}  # fmt: skip
ZIP = PLAIN["gradescope"]
# How the chapters that it is to judge stand in a file.
JUDGED = {"workflow": "check {} --json", "central": "--chapters {} ", "gradescope": "confined {}"}


def pairs_of(form: str, line: str) -> dict[tuple[str, str], Row]:
    """Return the rows of the options that all formats, or several of them, take."""
    to_judge = JUDGED.get(form, "")
    of_results = f"export {form} ../res --out p", f"export {form} --out p"
    alone = of_results[1]
    some = f"{line} --chapters lesson2".replace("--chapters lesson1", "")
    return {
        (form, "result"): Row(line, line.replace("res", "part1"), r"\bben\b") if not to_judge
        else Row(*of_results, '"seed":"s"' if form == "gradescope"
                 else to_judge.format("lesson1 lesson2")),
        (form, "--out"): Row(line.replace(" --out p", "") + " --out q", line, "wrote work/q"),
        (form, "--chapters"): Row(some, line, to_judge.format("lesson2")) if to_judge
        else Row(some, line, "7 of 7 points") if form == "moodle"
        else Row(some, line, "Possible,,,,7") if form == "canvas"
        else Row(line, some, r'ada\.lesson1|"max_mark":12|12 points|lesson1\.mean,lesson1'),
        (form, "--release"): Row(f"{alone} --release ../handout", alone,
                                 to_judge.format("lesson2")),
        (form, "--roster"): Row(line, line.partition(" --roster")[0], "Ada,7"),
        (form, "--assignment"): Row(f"{line} --assignment Homework", line, "Homework"),
    }  # fmt: skip


# (format, option) → its row; a pair that is not among them is to be refused.
PAIRS = (
    {
        pair: row
        for form, line in PLAIN.items()
        for pair, row in pairs_of(form, line).items()
        if pair[1] in ("result", "--out", "--chapters", *FORMATS[form][3])
    }
    | {
        ("moodle-pages", "--roster"): Row(
            PLAIN["moodle-pages"],
            "export moodle-pages ../res --out p",
            "<main>",
        ),
        ("gradescope", "--visibility"): Row(f"{ZIP} --visibility hidden", ZIP, '"hidden"}'),
        ("gradescope", "--course"): Row(f"{ZIP} {OTHER}", ZIP, ""),
        ("gradescope", "--seed"): Row(ZIP, ZIP.replace(" q", " r"), '"seed":"q"'),
        ("gradescope", "--isolation"): Row(f"{ZIP} {NONE}", ZIP, "process lesson1"),
    }
    | {
        (form, "--overwrite"): Row(f"{filled} --overwrite", filled, "Written over: ada")
        for form in ("moodle", "canvas")
        for filled in [f"export {form} ../res --roster ../{form}-filled.csv"]
    }
)
