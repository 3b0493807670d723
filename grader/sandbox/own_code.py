"""The programs as code: each function begins by looking at who calls it.

What looks is put in by the worker (`worker/tamper_guard.py`), in the place of a constant that is
called here: no name leads to it, and no function of the programs is there without it.
"""

from __future__ import annotations

import ast
import warnings
from functools import cache
from types import CodeType

# As in `worker/tamper_guard.py`: the caller has to be ours; … and so has every frame below.
CALLER, EVERY_FRAME = "programs: ours alone", "programs: ours all the way"
WALKS = "WALKS"  # in a module: the functions of which no call may lead through learner code


@cache  # whoever starts one worker after the other compiles it once
def compile_guarded(path: str, text: str) -> CodeType:
    """A program's module, compiled with its guards."""
    tree = ast.parse(text)
    walks = {name for node in tree.body for name in walks_in(node)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            guard = ast.Constant(EVERY_FRAME if node.name in walks else CALLER)
            look = ast.Expr(ast.Call(guard, [], []))
            first = int(ast.get_docstring(node) is not None)
            around = node.body[min(first, len(node.body) - 1)]
            node.body.insert(first, ast.fix_missing_locations(ast.copy_location(look, around)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a text is called
        return compile(tree, path, "exec", dont_inherit=True)


def walks_in(node: ast.stmt) -> tuple[str, ...]:
    """The names in a module's table of walks; of any other statement none."""
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == WALKS:
        return tuple(ast.literal_eval(node.value))
    return ()
