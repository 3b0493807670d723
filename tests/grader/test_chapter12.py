"""Chapter 12: the mutants of the package, and those that judge a learner's judge, are the same."""

from __future__ import annotations

import ast
from pathlib import Path

from grader import root


def functions(*parts: str) -> dict[str, str]:
    """Every function of a file, by its name, as text."""
    text = Path(root.path(*parts)).read_text("utf-8")
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.get_source_segment(text, node) or "" for node in nodes}


def test_a_learner_sees_the_mutants_that_the_judge_is_judged_by():
    seen = functions("solutions", "babygrad", "mutants.py")
    used = functions("tests", "programs", "checkers.py")
    assert len(seen) >= 12
    assert {name: used.get(name) for name in seen} == seen
