"""The rules: libraries that would do the learner's work are watched for, lone files are read."""

from __future__ import annotations

import ast
import sys

import pytest

from grader.sandbox.launch import WORKER

sys.path.insert(0, WORKER)  # its modules name each other barely
from rules import Forbidden, Guard, SelfContainedRule, imported  # noqa: E402

sys.path.remove(WORKER)

FORBIDDEN = Forbidden(["torch", "jax"], "No {name} here.")
ALONE = SelfContainedRule("pkg", "engines/", "Alone.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import torch", ["torch"]), ("import a, torch.nn as t", ["a", "torch.nn"]),
        ("from torch.nn import Linear", ["torch.nn"]), ("from . import torch", []),
        ("import_module('torch')", ["torch"]), ("x.import_module('jax')", ["jax"]),
        ("__import__('jax')", ["jax"]), ("import_module(name)", []), ("load('torch')", []),
    ],
)  # fmt: skip
def test_every_way_to_import_is_seen(text, names):
    found = [name for node in ast.walk(ast.parse(text)) for name in imported(node)]
    assert found == names


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("import math\nfrom .b import x\n", [2]), ("def f():\n    import pkg.ops\n", [2]),
        ("if __name__ == '__main__':\n    import pkg\nelse:\n    import pkg.ops\n", [4]),
        ('if "__main__" == __name__:\n    from . import b\n', []), ("from . import b\nf(:", []),
        ("if x:\n    from . import b\n", [2]), ("x = 'import pkg'\n", []),
    ],
)  # fmt: skip
def test_a_file_that_works_alone_imports_nothing_of_the_package(text, lines):
    files = {"engines/a.py": text.encode(), "ops.py": text.encode()}
    broken = [("engines/a.py", "engines/a.py", line, "Alone.") for line in lines]
    assert ALONE.broken(files, ["engines/a.py", "ops.py", "engines/b.py"]) == broken


def test_an_import_of_learner_code_is_stopped_and_noted():
    noted = []
    look = FORBIDDEN.watcher("/work/pkg", lambda *each: noted.append(each))
    look("math")
    look("torch")  # nobody of the learner's asks
    assert noted == []
    code = compile("x = 1\nguard.find_spec('torch.nn')\n", "/work/pkg/ops.py", "exec")
    with pytest.raises(ImportError, match="No torch.nn here."):
        exec(code, {"guard": Guard(look)})
    assert noted == [("ops.py", 2, "No torch.nn here.")]
