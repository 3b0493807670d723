"""Notes in a copy of a package: the copy does the same, and says it as a trace does."""

from __future__ import annotations

import builtins
import re
import sys

import pytest

from grader.viva.line_notes import NOTE, add_notes

from .asked import package_of

SOURCE = '''"""A module."""
def decorated(function):
    return function

class Some:
    @decorated
    def all_kinds(self, count, total=0):
        """Its docstring stays."""
        nonlocal outside
        for n in range(count):
            if n == 1:
                continue
            elif n > 3:
                break
            total += n
        else:
            total = -1
        while total < 20:
            total += 7
        with open("/dev/null") as file, open("/dev/null"):
            for _ in file:
                pass
        try:
            raise KeyError
        except KeyError:
            outside = total
        finally:
            total += 1; total += 1
        match total:
            case 3:
                total = 4
            case _:
                total = [total,
                         total]
        def inside():
            return 3
        assert total
        del file
        import os
        return [each for each in total], (inside() +
                                          1)
'''
SOURCE = "def around():\n    outside = 0\n" + "".join(
    f"    {line}\n" if line else "\n" for line in SOURCE.split("\n")
) + "    return Some, lambda: outside\n"  # fmt: skip
FIRST = 8  # the decorator of `all_kinds`


class Told:
    """Keeps the lines that are told, in order."""

    def __init__(self):
        self.lines = []

    def enter(self, place):
        pass

    def line(self, number):
        self.lines.append(number)

    def each(self, number, items):
        for item in items:
            yield item
            self.lines.append(number)

    def gave(self, value):
        return value


def results(source, count):
    names: dict = {}
    exec(compile(source, "a.py", "exec"), names)
    some, outside = names["around"]()
    return some().all_kinds(count), outside(), some.all_kinds.__doc__


@pytest.mark.parametrize("count", [0, 1, 3, 9])
def test_a_copy_with_notes_does_the_same_and_tells_the_lines_of_a_trace(count, monkeypatch):
    traced = []

    def trace(frame, event, arg):
        if frame.f_code.co_name == "all_kinds" and event == "line":
            traced.append(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        expected = results(SOURCE, count)
    finally:
        sys.settrace(before)
    told = Told()
    monkeypatch.setattr(builtins, NOTE, told, raising=False)
    copy = add_notes({"a.py": SOURCE.encode()}, [f"a.py:{FIRST}"])["a.py"]
    assert results(copy, count) == expected and expected[2] == "Its docstring stays."
    texts = SOURCE.split("\n")
    asked = re.compile(r"\s*(if|elif|for|while|continue|break|total \S= \w+$|raise|assert|outside)")
    lines = [n for n in {*traced, *told.lines} if asked.match(texts[n - 1])]
    assert [(n, told.lines.count(n)) for n in lines] == [(n, traced.count(n)) for n in lines]


def test_every_file_of_the_course_stays_python_with_notes():
    files = package_of().files
    for name, data in add_notes(files, ()).items():
        compile(data, name, "exec")
        assert (NOTE.encode() in data) == (b"def " in files[name]), name


@pytest.mark.parametrize("data", [b"def f(:\n", b"\xff", b"(" * 10_000, b""])
def test_no_python_stays_as_it_is(data):
    assert add_notes({"a.py": data}, ["a.py:1"]) == {"a.py": data}
