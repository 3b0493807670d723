"""Compare the catalogue of exercises with another tree's, and count lines by kind.

The catalogue has a row for each exercise, question, mistake and other right solution, with every
field and every body, without comments and line breaks. With `--beside DIR` (an earlier commit's,
from `git worktree add DIR COMMIT`) it prints the rows that differ; then the exit status is 1.

    python benchmarks/catalogue.py [--beside DIR]
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KINDS = {
    "exercises": ("exercises", "*.py"), "suites": ("tests/chapter*", "*.py"),
    "wrong bodies": ("tests/subtle", "*.py"), "right bodies": ("tests/unusual", "*.py"),
    "held out": ("tests/held_out", "*.py"), "programs": ("tests/programs", "*.py"),
}  # fmt: skip
Rows = dict[str, Any]


def flatten(value: Any) -> Any:
    """Return what a catalogue holds as JSON; a function is its name, as its lines may move."""
    if dataclasses.is_dataclass(value):
        fields = (f.name for f in dataclasses.fields(value) if f.name not in ("where", "wrong"))
        found = {name: flatten(getattr(value, name)) for name in fields}
        if "bodies" in found:
            found["bodies"] = {of: as_code(text) for of, text in found["bodies"].items()}
        return found | ({"body": as_code(found["body"])} if "body" in found else {})
    if isinstance(value, dict):
        return {str(key): flatten(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [flatten(each) for each in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    return value if isinstance(value, (str, int, float, type(None))) else without_place(value)


def as_code(text: str) -> str:
    """Return a body as its syntax tree says it."""
    try:
        return ast.unparse(ast.parse("def body():\n" + textwrap.indent(textwrap.dedent(text), " ")))
    except SyntaxError:
        return text


def without_place(value: Any) -> str:
    return re.sub(r" at 0x\w+", "", repr(value))


def read_catalogue() -> Rows:
    """Return name → row, of the course that is imported."""
    from grader.course.load import read_course

    rows: Rows = {}
    for chapter in read_course().chapters:
        for exercise in chapter.exercises:
            rows[exercise.id] = {**flatten(exercise), "mistakes": len(exercise.mistakes)}
            for mistake in exercise.mistakes:
                rows[f"{exercise.id}: {mistake.name}"] = flatten(mistake)
        rows |= {f"{question.id}": flatten(question) for question in chapter.questions}
        rows |= {f"{chapter.id}: {v.name}": flatten(v) for v in chapter.variants}
    return rows


def catalogue_of(tree: Path) -> Rows:
    """Return the catalogue of a tree, from a process that imports its sources."""
    done = subprocess.run(
        [sys.executable, __file__, "--rows"], cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return dict(json.loads(done.stdout))


def lines_of(tree: Path) -> dict[str, tuple[int, int]]:
    """Return kind → files and lines."""
    found = {}
    for kind, (folder, name) in KINDS.items():
        files = [path for place in tree.glob(folder) for path in place.rglob(name)]
        found[kind] = len(files), sum(len(path.read_text("utf-8").splitlines()) for path in files)
    return found


def kind_of(name: str, row: Rows) -> str:
    if "asks" in row:
        return "questions"
    if "bodies" in row:
        return "right solutions"
    return "mistakes" if ": " in name else "exercises"


def tell(tree: Path, rows: Rows) -> None:
    counts = Counter(kind_of(name, row) for name, row in rows.items())
    digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
    print(f"{tree}: {', '.join(f'{n} {kind}' for kind, n in counts.items())}; digest {digest}")
    for kind, (files, lines) in lines_of(tree).items():
        print(f"  {kind:14} {files:5} files {lines:7} lines")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", metavar="DIR", type=Path, help="another tree")
    parser.add_argument("--rows", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    if options.rows:
        print(json.dumps(read_catalogue()))
        return 0
    now = catalogue_of(ROOT)
    tell(ROOT, now)
    if options.beside is None:
        return 0
    before = catalogue_of(options.beside.resolve())
    tell(options.beside, before)
    differ = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    print(f"{len(differ)} rows differ", *differ, sep="\n  ")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
