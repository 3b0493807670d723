"""Run `python -m grader`.

Python puts the current folder first on `sys.path`. In a learner's folder a `json.py` would then run
inside the grader, so the folder is removed again. (A folder called `grader` there is imported
before this line runs: use the command `grader`, or `python -P -m grader`.) The checkout of the
grader stays: processes that judge a class import the grader from there.
"""

import os
import sys

try:
    first = os.path.abspath(sys.path[0] or ".") if sys.path else ""
    if first == os.getcwd() != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
        del sys.path[0]
except OSError:
    pass  # the current folder is gone: nothing can be imported from there

from .cli import main  # noqa: E402 (not before the line above)

main()
