"""`python -m grader`.

Python puts the current folder first among the places to import from. In a learner's folder that
would let a `json.py` there run inside of the grader, so it is taken away again. (A folder called
`grader` there is found before this line: use the command `grader`, or `python -P -m grader`.)
"""

import os
import sys

try:
    if sys.path and os.path.abspath(sys.path[0] or ".") == os.getcwd():
        del sys.path[0]
except OSError:
    pass  # the current folder is gone: nothing can be imported from there

from .cli import main  # noqa: E402 (not before the line above)

main()
