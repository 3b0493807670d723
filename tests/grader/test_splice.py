"""Definitions put into another text, word for word."""

from __future__ import annotations

import random
from functools import reduce

from grader.course.splice import Piece, find_pieces, with_pieces

RIGHT = """import os, sys
from a import b, c
x = 1; y = 2
class A:
    p = 1; q = 2
    def f(self): return 1
    @staticmethod
    def g(self):
        return 2


class B(A): pass
def h(): pass
"""
MINE = (
    RIGHT.replace("1", "77").replace("= 2", "= (3,\n  4)")
    .replace("def h(): pass", "def h():\n    return 5\n\n\ndef k(): pass\nz = 3")
    .replace("class B(A): pass", "class B(A):\n    r = 3\n\n    def f(self):\n        return 6")
)  # fmt: skip


def one_by_one(text: str, wanted: list[Piece]) -> str:
    return reduce(lambda so_far, piece: with_pieces(so_far, [piece]), wanted, text)


def written(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def test_many_pieces_at_once_give_what_one_after_the_other_gives(course):
    """This holds for overlapping pieces and after lines have moved."""
    drawn = random.Random(0)
    texts = [(RIGHT, MINE)]
    texts += [(course.stubs(9)[name], course.solved()[name]) for name in ("ops.py", "nn.py")]
    for right, mine in texts:
        known = find_pieces(mine)
        for _ in range(200 if right is RIGHT else 5):
            names = drawn.sample(list(known), drawn.randint(2, 6))
            wanted = [known[name] for name in names]
            try:
                expected = one_by_one(right, wanted)
            except SyntaxError:  # a method for a class whose body stands on its own line
                continue
            assert written(with_pieces(right, wanted)) == written(expected), names


def test_statements_that_share_a_line_stay_together():
    """Half of such a line may not be valid Python."""
    shared = find_pieces("LOW = 1; HIGH = (\n    2, 3)\n\n\n@cache\ndef f(): return LOW\n")
    assert shared["LOW"].text == shared["HIGH"].text == "LOW = 1; HIGH = (\n    2, 3)"
    assert shared["f"].first == 5
    assert "HIGH" in find_pieces(with_pieces(RIGHT, [shared["LOW"], shared["f"]]))


def test_what_is_put_in_is_there():
    wanted = [find_pieces(MINE)[name] for name in ("A.g", "h", "B", "k")]
    found = find_pieces(with_pieces(RIGHT, wanted))
    assert [found[p.name].text.split() for p in wanted] == [p.text.split() for p in wanted]
