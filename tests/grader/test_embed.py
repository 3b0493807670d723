"""A program with all that it depends on, as one text that runs by itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader import root
from grader.learner.embed import INSTEAD, embed_program, written_out

PROGRAMS = [
    path for path in sorted(Path(root.path("tests", "programs")).glob("*.py"))
    if INSTEAD in path.read_text(encoding="utf-8")
]  # fmt: skip
TEXTS = {
    "harness": "import math\nSCALE = 2\ndef scaled(x):\n    return SCALE * x\ndef unused():\n"
    "    return math.pi\n",
    "near": "from .harness import scaled as twice\nimport numpy as np\n"
    "A, B = 1, 2\ndef both(x):\n    return np.add(twice(x), B)\n",
    "main": "from .near import both\ndef program(bg, x):\n    return both(bg + x)\n",
}


def run(texts: dict[str, str], program: str, *args):
    imports, definitions = embed_program(texts, program)
    space: dict = {}
    exec("\n".join([*imports, *definitions]), space)
    return space[program.partition(".")[2]](*args), imports, definitions


def test_it_gives_what_the_program_gives_and_holds_no_more():
    # A name that was imported under another one keeps its own.
    texts = {**TEXTS, "near": TEXTS["near"].replace(" as twice", "").replace("twice", "scaled")}
    found, imports, definitions = run(texts, "main.program", 3, 4)
    assert found == 2 * 7 + 2
    assert imports == ["import numpy as np"]
    assert not any("unused" in each for each in definitions)
    assert [each.split()[1].partition("(")[0] for each in definitions if each[:3] == "def"] == [
        "scaled", "program", "both",
    ] or definitions[0].startswith("SCALE")  # fmt: skip


def test_what_is_defined_stands_below_what_it_leans_on_of_the_harness():
    _, _, definitions = run({**TEXTS, "main": TEXTS["main"]}, "harness.scaled", 5)
    assert definitions == ["SCALE = 2", "def scaled(x):\n    return SCALE * x"]


def test_a_script_has_other_definitions_where_a_module_says_so():
    text = "def helper(x):\n    return x\ndef program(x):\n    return helper(x)\n"
    other = f'{text}IN_A_SCRIPT = {{"helper": "def helper(x):\\n    return -x"}}\n'
    assert run({"m": text}, "m.program", 4)[0] == 4
    assert run({"m": other}, "m.program", 4)[0] == -4


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_definition_for_scripts_takes_the_same_arguments(path):
    """`leaf` took no dtype there: 47 scripts raised a TypeError for right code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    for each in tree.body:
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == INSTEAD:
            for name, text in ast.literal_eval(each.value).items():
                (other,) = ast.parse(text).body
                assert (name, ast.dump(other.args)) == (name, ast.dump(own[name].args))


EVAL = "def program(bg, call, x):\n    return eval(call, {'x': x, 'np': None})\n"


@pytest.mark.parametrize(
    ("call", "x", "right"), [("x + 1", 2, 3), ("[y * x for y in (1, 2)]", 3, [3, 6])]
)
def test_calls_that_are_texts_are_written_out(call, x, right):
    found = written_out([EVAL], "m.program", [call, x])
    assert not any("eval(" in each for each in found)
    space: dict = {}
    exec("\n".join(found), space)
    assert space["program"](None, call, x) == right


def test_a_text_inside_a_pattern_is_filled_in():
    text = EVAL.replace("eval(call,", 'eval(f"{call}(x)",')
    space: dict = {}
    exec("\n".join(written_out([text], "m.program", ["1 + abs", -4])), space)
    assert space["program"](None, "1 + abs", -4) == 5


def test_where_nothing_is_evaluated_nothing_changes():
    assert written_out(["def program(bg):\n    return 1"], "m.program", []) == [
        "def program(bg):\n    return 1"
    ]
