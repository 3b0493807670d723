"""A package as what is asked about: functions, statements, quotes and changes."""

from __future__ import annotations

import ast
import random

from grader.learner.viva.subject import Function, is_alone, lines_of, other_texts, span

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
'''
TREE = ast.parse(TEXT).body[0].body[0]
F = Function("chapter3.a", "A.f", "ops.py", TREE, TEXT.split("\n"))


def test_statements_go_into_loops_and_not_into_other_functions():
    assert [each.lineno for each in F.statements] == [6, 8, 8, 9, 10, 11, 13, 13]
    assert F.text(F.statements[0]) == "y = (x + 1)  # why"
    assert span(F.statements[3]) == (9, 9) and list(lines_of(F.statements[0])) == [6, 7]


def test_a_quote_leaves_the_docstring_out_and_marks_the_line():
    quote = F.quote(F.statements[0])
    assert not any("Said" in line or "More" in line for line in quote)
    assert [line[:6] for line in quote if line[0] == ">"] == [">   6 ", ">   7 "]
    assert quote[0] == "    2 |     def f(self, x):"


def test_only_what_stands_alone_is_changed():
    alone = [each.lineno for each in F.statements if is_alone(F, each)]
    assert alone == [6, 9, 10, 11]
    texts = {each.lineno: list(other_texts(F, each)) for each in F.statements}
    assert "y = x - 1" in texts[6] and "y -= each" in texts[10] and not texts[8] and not texts[13]
    assert "for each in list(x)[:-1]:" in texts[9] and not texts[11]


def test_a_change_stands_in_its_place_and_every_other_line_stays(asked):
    subject = asked.subject
    old = subject.grading.package.files
    rng = random.Random(1)
    for change in filter(None, (subject.change(line, rng) for line in subject.lines[:40])):
        first, last = span(change.statement)
        before = old[change.function.file].decode().split("\n")
        after = change.package.files[change.function.file].decode().split("\n")
        assert after[first - 1].strip() == change.new != change.function.text(change.statement)
        assert after[: first - 1] + after[first:] == before[: first - 1] + before[last:]
        ast.parse("\n".join(after))
        assert change.package.sha256 != subject.grading.package.sha256


def test_a_hidden_probe_is_never_shown(asked):
    chapter = asked.subject.chapter
    secret = {n for check in chapter.checks if check["hidden"] for n in check["probes"]}
    shown = {sample.probe for sample in asked.subject.samples}
    assert shown and not shown & secret
