"""Measure how much of each room of `grader/` the quick suite runs, and list the weakest files.

Every process is measured that coverage.py can write for: commands that end by `os._exit`, and the
processes of pytest. Those of the other side of the boundary (a worker, the reader of a hand-in, a
page) are closed for writing, or are no processes of this Python: what only they run counts as not
run. A release and a wheel run from copies, which are not counted either.

    pip install coverage && python benchmarks/coverage_by_room.py [what pytest takes]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = """\
[run]
source = {root}/grader
data_file = {folder}/data
parallel = True
sigterm = True
patch = _exit, subprocess
[report]
ignore_errors = True
exclude_also = if TYPE_CHECKING:
"""
SUITE = ["-n", "auto", "--dist", "loadgroup"]
SHOWN = 3  # files of a room


def measured(arguments: list[str], folder: Path) -> dict[str, tuple[int, int]]:
    """Map each file below `grader/` to its statements and the number that nothing ran."""
    settings = folder / "settings"
    settings.write_text(SETTINGS.format(root=ROOT, folder=folder), encoding="utf-8")
    folder.chmod(0o777)  # some tests judge as a user who is not root

    def coverage(command: str, *more: str, check: bool = True) -> None:
        line = [sys.executable, "-m", "coverage", command, f"--rcfile={settings}", *more]
        subprocess.run(line, cwd=ROOT, check=check, stdout=sys.stderr)

    coverage("run", "-m", "pytest", *arguments, check=False)  # a failure is told on the screen
    coverage("combine")
    coverage("json", "-o", str(folder / "report.json"))
    files = json.loads((folder / "report.json").read_text(encoding="utf-8"))["files"]
    return {
        name.removeprefix("grader/"): (s["num_statements"], s["missing_lines"])
        for name, s in ((name, each["summary"]) for name, each in files.items())
    }


def room(file: str) -> str:
    """``judge/blame.py`` → ``judge``; the worker's side of the boundary is a room of its own."""
    parts = Path(file).parent.parts
    return "/".join(parts[: 2 if parts[1:2] == ("worker",) else 1]) or "the main line"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = measured(sys.argv[1:] or SUITE, Path(folder))
    rooms: dict[str, list[str]] = defaultdict(list)
    for file in sorted(files, key=lambda file: -files[file][1]):
        rooms[room(file)].append(file)
    print("| room | statements | run | most is left in |\n|---|---|---|---|")
    for name, inside in sorted(rooms.items()):
        total, left = (sum(files[file][n] for file in inside) for n in (0, 1))
        most = ", ".join(f"`{file}` ({files[file][1]})" for file in inside[:SHOWN])
        print(f"| {name} | {total:,} | {1 - left / max(total, 1):.1%} | {most} |")


if __name__ == "__main__":
    main()
