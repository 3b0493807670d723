"""What a save has edited: the exercises whose text reads otherwise."""

from __future__ import annotations

from grader.learner.edits import Editor


def test_only_what_reads_otherwise_counts_as_edited():
    owners = {"ops.A.f": "x.a", "ops.g": "x.g"}
    editor = Editor(owners)
    text = (
        "import numpy\n\n\nclass A:\n    def f(self):\n        return 1\n\n\ndef g():\n    pass\n"
    )
    editor.look({"ops.py": text.encode()})
    assert editor.look({"ops.py": text.encode()}) == ([], set(), False)
    moved = "\n" + text.replace("return 1", "return 2")
    assert editor.look({"ops.py": moved.encode()}) == (["ops.py"], {"x.a"}, False)
    broken = moved.replace("pass", "pass (")
    assert editor.look({"ops.py": broken.encode()}) == (["ops.py"], set(), True)
    assert editor.look({"ops.py": moved.replace("pass", "return 3").encode()}).exercises == {"x.g"}
    assert editor.look({"ops.py": moved.replace("numpy", "math").encode()}).elsewhere
    assert editor.look({}) == (["ops.py"], {"x.a", "x.g"}, True)
