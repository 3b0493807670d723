"""A page that grades runs a learner's scratch code with the learner's files."""

from __future__ import annotations

import json
import subprocess
import sys

from grader import root

PAGE = """
import contextlib, json, sys
from grader.course.key_file import write_key_file
from grader.book.page.page_judge import COURSE, PageJudge

write_key_file(sys.argv[1], {"outline": [], "targets": {}, "titles": {}}, {}, {})
desk = PageJudge(sys.argv[1], {"__init__.py": "", "ops.py": "def f():\\n    return 1\\n"})
desk.worker.EventClock = contextlib.nullcontext  # its own needs a Python that watches calls
told = []
def run(scratch, **written):
    scratch = scratch.replace("PKG", COURSE.name)
    return desk.run(written, scratch, lambda *each: told.append(each))
print(json.dumps([
    run("from PKG.ops import f\\nprint(f())"),
    run("from PKG.ops import f\\nprint(f())", **{"ops.py": "def f():\\n    return 2\\n"}),
    run("x = 1\\n1 / 0"), len(told),
]))
"""


def test_what_is_tried_in_a_page_uses_the_learners_files_and_tells_how_it_ended(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PAGE, str(tmp_path / "a.key")], cwd=root.ROOT,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, second, wrong, count = json.loads(done.stdout)
    assert (first, second, count) == ("1\n", "2\n", 3)
    assert 'File "try.py", line 2' in wrong and "ZeroDivisionError" in wrong
    assert "grader" not in wrong
