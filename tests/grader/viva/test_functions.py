"""A learner's functions as text: lines, blocks, quotes, and other lines in their place."""

from __future__ import annotations

import ast

from grader.viva.subject import Function, other_lines, read_definitions

TEXT = '''\
class A:
    def f(self, x):
        """Said.

        More."""
        y = (x +
             1)  # why
        if y: return y
        for each in x:
            y += each
        def inner():
            return 1
        return y; y = 2

    def g(self, x):
        try:
            a = x
            b = a  # why
            c = b
        except KeyError:
            while True:
                "a constant"
        return c
'''
TREE = ast.parse(TEXT).body[0]
F, G = (Function("chapter3.a", f"A.{n.name}", "ops.py", n, TEXT.split("\n")) for n in TREE.body)


def test_a_line_has_one_statement_which_python_tells_of():
    assert list(F.lines) == [9, 10]  # neither another function, nor what shares a line
    assert list(G.lines) == [17, 18, 19, 23] and G.line(18) == "b = a  # why"


def test_a_block_is_lines_in_a_row():
    assert F.blocks == [] and G.blocks == [[17, 18, 19]]


def test_a_quote_leaves_the_docstring_out_and_marks_the_line():
    quote = F.quote(6)
    assert not any("Said" in line or "More" in line for line in quote)
    assert [line[:6] for line in quote if line[0] == ">"] == [">   6 "]
    assert quote[0] == "    2 |     def f(self, x):"


def test_another_line_is_one_line_of_the_same_sort():
    assert "y = x - 1" in other_lines("y = x + 1  # why")
    assert "y -= each" in other_lines("y += each")
    assert "for each in list(x)[:-1]:" in other_lines("for each in x:")
    assert all(line.endswith(":") for line in other_lines("if a < b:"))
    assert other_lines("elif a:") == other_lines("if a:  # why") == []


def test_what_would_steer_a_terminal_is_not_read():
    assert read_definitions(b"\xef\xbb\xbfx = 1\r\ndef f(): pass")[0] == ["x = 1", "def f(): pass"]
    for data in (b"x = '\x1b[2J'", "x = 1  # \u202e".encode(), b"x = '\xff'", b"x = ("):
        assert read_definitions(data) == ([], {})
