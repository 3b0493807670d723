"""Count names and docstrings that are not the field's: by folder, and each case with `--list`.

A relative opening is a docstring that begins with Who, What, Where and the like in place of what
the thing does. A class name that several modules of `grader/` have in public is listed with them.

    python benchmarks/wording.py [--list] [FOLDER …]
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("grader", "exercises", "tests", "benchmarks", "solutions")
RELATIVE = re.compile(r"(Who|What|Where|When|Which|Whose|Whom|How|Why)(ever)?\b")
HOLDERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each docstring of a file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, HOLDERS) and (text := ast.get_docstring(node)):
            yield node.body[0].lineno, text


def shared_classes(files: list[Path]) -> dict[str, list[str]]:
    """Public class names that stand in several of these modules."""
    places = defaultdict(list)
    for path in files:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT).as_posix())
    return {name: found for name, found in places.items() if len(found) > 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", action="store_true", help="each opening with its place")
    parser.add_argument("folders", nargs="*", default=FOLDERS, metavar="FOLDER")
    options = parser.parse_args()
    docs, relative = Counter[str](), Counter[str]()
    for folder in options.folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "cases" in path.parts:  # hostile hand-ins: not all of them are Python
                continue
            room = "/".join(path.relative_to(ROOT).parts[:-1][:2])
            for line, text in docstrings(path):
                docs[room] += 1
                if RELATIVE.match(text):
                    relative[room] += 1
                    if options.list:
                        print(f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}")
    for room, count in docs.items():
        print(f"{room:24}{relative[room]:5} of {count:5} docstrings begin with a relative word")
    shared = shared_classes(sorted((ROOT / "grader").rglob("*.py")))
    for name, places in shared.items():
        print(f"{name:24}in {', '.join(places)}")
    print(f"{sum(relative.values())} of {sum(docs.values())} docstrings; {len(shared)} class names")


if __name__ == "__main__":
    main()
