"""The names of the house: a public function is a verb with an object, never a bare participle.

«said», «told», «known» mean another thing in every file; `describe_error` means one.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

GRADER = Path(__file__).parents[2] / "grader"

# Participles that do not end in `ed`; not among them those that are commands too, as `read` is.
WORDS = """
    begun born borne bought bound broken brought built caught chosen done drawn driven fallen
    fed felt fled flown forgotten fought found frozen given gone grown had heard held hidden
    kept known laid led left lent lost made meant met paid risen said seen sent shown sold
    sought spent spoken stood struck sworn taken taught thought thrown told torn understood
    woken won worn written wound
"""
IRREGULAR = frozenset(WORDS.split())
COMMANDS = frozenset(("embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"))
# What is left from before, by room: it may only become less.
LEFT = {"commands": 3, "course": 3, "learner": 3, "sandbox": 7}


def is_participle(name: str) -> bool:
    regular = re.fullmatch(r"[a-z]+ed", name) is not None and name not in COMMANDS
    return regular or name in IRREGULAR


def room(path: Path) -> str:
    return path.relative_to(GRADER).with_suffix("").parts[0]


def participles() -> list[tuple[str, str]]:
    """(room, place) of every public function that is called by one."""
    return [
        (room(path), f"{path.relative_to(GRADER)}:{node.lineno} {node.name}")
        for path in sorted(GRADER.rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_participle(node.name)
    ]


def test_no_public_function_is_a_bare_participle():
    found = participles()
    for name in {name for name, _ in found}:
        mine = [place for where, place in found if where == name]
        assert len(mine) <= LEFT.get(name, 0), f"name what it does: {mine}"


@pytest.mark.parametrize(
    "name, expected",
    {"said": True, "judged": True, "read": False, "feed": False, "judge_probe": False,
     "find_edited": False, "_told": False}.items(),
)  # fmt: skip
def test_what_a_participle_is(name, expected):
    assert is_participle(name) is expected
