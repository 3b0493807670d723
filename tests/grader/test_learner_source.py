"""What a learner wrote for an exercise, as text to search."""

from __future__ import annotations

from grader.course.learner_source import own_text, plain
from grader.sandbox.observation import Definition


def test_comments_docstrings_and_spacing_are_gone():
    text = 'def f( a ):\n    """Says."""\n    # why\n    return a+1\n'
    assert plain(text) == "def f(a):\n    return a + 1"
    assert plain('def f():\n    """All that there is."""\n').count("All") == 1


def test_what_is_no_python_is_no_text():
    assert plain("def f(:") == plain("x = '\0'") == plain("-" * 100_000 + "1") == ""


def test_the_definitions_of_the_targets_stand_one_below_the_other():
    files = {"ops.py": b"class A:\n    def f(self):\n        return 1\n\ndef g():\n    return 2\n"}
    definitions = {
        "ops.A.f": Definition("ops.A.f", "ops.py", 2, 3, False),
        "ops.g": Definition("ops.g", "ops.py", 5, 6, False),
        "nn.h": Definition("nn.h", "nn.py", 1, 1, False),
    }
    found = own_text(files, definitions, ["ops.A.f", "ops.g", "nn.h", "ops.nowhere"])
    assert found == "def f(self):\n    return 1\ndef g():\n    return 2"
