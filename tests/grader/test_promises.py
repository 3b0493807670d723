"""Every tested behaviour is announced, and every announced one is tested or excused in a row."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from grader.audit import promises
from grader.audit import proof as shared
from grader.course import Chapter, Check, Exercise, Mistake
from grader.course.load import Course
from grader.course.modules import has_module
from grader.course.rows import PUBLIC_SEED
from grader.errors import OurFault

from .whole_course import whole_course

# Chapters whose docstrings are not looked at yet.
OPEN: set[str] = set()
DOCSTRING = """The ``total``. It keeps the dtype, and
    leaves its inputs alone!

    Args:
        a: a number. It is
            positive.
        b: another.

    Returns:
        A float.

    Raises:
        ValueError: ``a`` is 0.

    Source: a book. And a page.
    """
SENTENCES = [
    "The `total`.", "It keeps the dtype, and leaves its inputs alone!", "a: a number.",
    "It is positive.", "b: another.", "A float.", "ValueError: `a` is 0.",
]  # fmt: skip


FUNCTION = (
    f'def f(a, b):\n    """{DOCSTRING}"""\n    ### BEGIN SOLUTION\n    return a\n'
    "    ### END SOLUTION\n"
)
TIMES = r"\b(?:once|twice)\b"
COUNTS = re.compile(rf"[^.;:]*\b(?:call|ask|comput|visit)\w*\b[^.;:]*{TIMES}[^.;:]*")
CLASS = (
    'class Count:\n    """A counter. It begins at 0.\n\n    Attributes:\n        n: where it is.\n'
    '    """\n\n    def more(self):\n        """One more."""\n        ### BEGIN SOLUTION\n'
    "        self.n += 1\n        ### END SOLUTION\n"
)


def proof_of(*taught, prose="", table=None, monkeypatch=None, source=FUNCTION, target="ops.f"):
    """A course of one exercise, whose checks quote this; and its table of excuses."""

    class Fake(Course):
        def prose(self, chapter):
            return prose

        def checks(self, chapter, seed):
            return [Check("chapter1.f", str(n), (), quote) for n, quote in enumerate(taught)]

    exercise = Exercise(id="chapter1.f", section="1.1", targets=(target,), points=1.0)
    chapter = Chapter("chapter1", "One", (exercise,))
    course = Fake((chapter,), {"ops.py": source})
    if monkeypatch:
        monkeypatch.setattr(
            promises, "has_module", lambda name: name.endswith("untested") and table is not None
        )
        monkeypatch.setattr(shared, "optional_table", lambda module, name: table or {})
    return SimpleNamespace(course=course, chapters=[chapter], ids={exercise.id}, notes=[])


def told(theorem, *args, **more) -> list[str]:
    return [problem.what for problem in theorem(proof_of(*args, **more))]


def test_a_docstring_is_read_sentence_by_sentence_and_argument_by_argument():
    assert promises.split_docstring(inspect.cleandoc(DOCSTRING)) == SENTENCES


def test_a_behaviour_that_nobody_announces_is_told():
    assert told(promises.behaviours_are_taught, "keeps the dtype … `a` is 0") == []
    assert told(promises.behaviours_are_taught, "in a box", prose="It is in a ``box``: in a box"
                ) == []  # fmt: skip
    assert told(promises.behaviours_are_taught, "keeps the dtype … the `sum`", "") == [
        "quotes «the `sum`», which stands nowhere", "quotes «», which stands nowhere",
    ]  # fmt: skip


def test_a_promise_that_no_check_quotes_is_told(monkeypatch):
    found = told(promises.promises_are_tested, "The ``total`` … dtype", "a number. It", "A float",
                 table={}, monkeypatch=monkeypatch)  # fmt: skip
    assert found == [
        f"promises «{text}», and no check quotes it"
        for text in ("b: another.", "ValueError: `a` is 0.")
    ]


@pytest.mark.parametrize("line", ["b: another.", "b: an…"])
def test_a_row_says_why_a_promise_is_not_tested(line, monkeypatch):
    quoted = [s for s in SENTENCES if s != "b: another."]
    rows = {"ops.f": {"says what comes in": (line,)}}
    assert not told(promises.promises_are_tested, *quoted, table=rows, monkeypatch=monkeypatch)
    assert told(promises.promises_are_tested, *SENTENCES, table=rows, monkeypatch=monkeypatch) == [
        f"no sentence without a check says «{line}»"
    ]


def test_of_a_class_all_but_the_first_sentence_is_asked_by_what_is_written_in_it(monkeypatch):
    more = {"table": {}, "monkeypatch": monkeypatch, "source": CLASS, "target": "ops.Count.more"}
    assert told(promises.promises_are_tested, "One more", **more) == [
        f"promises «{text}», and no check quotes it"
        for text in ("It begins at 0.", "n: where it is.")
    ]
    assert not told(promises.promises_are_tested, "One more", "begins at 0 … n: where", **more)


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("Softplus, `log(1 + eᵃ)`; no overflow for any `a`.",
         ["Softplus, `log(1 + eᵃ)`;", "no overflow for any `a`."]),
        ("The gradient of `a`: the sign of `a`, and by convention 0 where `a` is 0.",
         ["The gradient of `a`:", "the sign of `a`,", "and by convention 0 where `a` is 0."]),
        ("It copies an array and keeps its dtype.", ["It copies an array", "and keeps its dtype."]),
        ("A number, a list or an array.", ["A number, a list or an array."]),
        ("n: where it is, and why.", ["n: where it is, and why."]),  # too few words for three
    ],
)  # fmt: skip
def test_a_sentence_is_split_into_its_clauses(sentence, clauses):
    assert promises.split_clauses(sentence) == clauses


SOFTPLUS = Exercise(
    id="chapter1.f", section="1.1", targets=("ops.f",), points=1.0,
    mistakes=(Mistake("wrong", "return 2"), Mistake("other", "return 3")),
)  # fmt: skip
HOLDS = "It holds the number; it never overflows."
ROW = {"it never…": "return inf"}


@pytest.mark.parametrize(
    ("taught", "fails", "rows", "left"),
    [
        # One quoted word does not make the other clause tested.
        (["the number"], {}, {}, ["quotes", "alone"]),
        (["the number", "never"], {"return 2": "0", "return 3": "01"}, {}, ["alone"]),
        (["the number", "never"], {"return 2": "0", "return 3": "1"}, {}, []),
        (["the number", "never"], {"return 2": "0", "return inf": "1"}, ROW, []),
        (["the number", "never"], {"return 2": "0", "return inf": "01"}, ROW, ["alone"]),
        # What quotes both at once tells of neither.
        (["the number; it never"], {"return 2": "0"}, {}, ["alone", "alone"]),
        (["the number; it never"], {"return inf": "0"}, {"It holds…": "return inf"}, ["alone"]),
    ],
)  # fmt: skip
def test_each_clause_is_broken_alone(taught, fails, rows, left, monkeypatch):
    source = FUNCTION.replace(DOCSTRING, HOLDS)
    proof = proof_of(*taught, table={}, monkeypatch=monkeypatch, source=source)
    chapter = replace(proof.chapters[0], exercises=(SOFTPLUS,))
    proof.course = replace(proof.course, chapters=(chapter,))
    monkeypatch.setattr(promises, "has_module", lambda name: True)
    table = SimpleNamespace(BROKEN={"ops.f": rows})
    monkeypatch.setattr(promises, "import_module", lambda name: table)
    monkeypatch.setattr(
        promises, "fails_of",
        lambda proof, name, body: frozenset(f"chapter1.f/{n}" for n in fails.get(body, "")),
    )  # fmt: skip
    found = [*promises.promises_are_tested(proof), *promises.clauses_are_broken(proof)]
    words = ["quotes" if "no check quotes" in each.what else each.what[-5:] for each in found]
    assert words == left


def test_a_body_that_is_no_python_breaks_no_clause(proof):
    with pytest.raises(OurFault, match="ops.Exp: the body for ops.Exp.forward is no Python"):
        promises.fails_of(proof, "ops.Exp", {"ops.Exp.forward": "return (np.exp(a)"})
    assert promises.fails_of(proof, "ops.Exp.forward", "return nothing")


BOX = (
    "(chapter1-f)=\n:::{admonition} Exercise 1.1: `f` (5 minutes, ★☆☆)\nWrite it in one line. It "
    "keeps the order. It raises\nValueError at 0. See what `grader check 1.1` returns.\n:::\n"
)


def test_what_a_box_says_of_a_result_is_asked_for_too(monkeypatch):
    more = {"monkeypatch": monkeypatch, "prose": BOX}
    quoted = [*SENTENCES, "keeps the order"]
    assert told(promises.promises_are_tested, *quoted, table={}, **more) == [
        "promises «It raises ValueError at 0.», and no check quotes it"
    ]
    rows = {"box 1.1": {"a reason": ("It raises…",)}}
    assert not told(promises.promises_are_tested, *quoted, table=rows, **more)


def test_a_class_is_asked_about_in_the_first_chapter_that_writes_a_part_of_it(monkeypatch):
    more = {"table": {}, "monkeypatch": monkeypatch, "source": CLASS, "target": "ops.Count.more"}
    proof = proof_of("One more", **more)
    (chapter,) = proof.chapters
    later = replace(chapter.exercises[0], id="chapter2.f")
    both = (chapter, Chapter("chapter2", "Two", (later,)))
    proof.course = replace(proof.course, chapters=both)
    proof.ids = {"chapter2.f"}
    assert list(promises.promises_are_tested(proof)) == []


def test_a_chapter_without_a_table_is_left_alone_and_the_audit_says_so(monkeypatch):
    proof = proof_of("A float", monkeypatch=monkeypatch)
    assert list(promises.promises_are_tested(proof)) == []
    assert proof.notes == ["chapter1 has no untested.py: not looked at"]


def test_a_check_counts_where_a_docstring_promises_a_count():
    """«It calls `_backward` of every node once»: right numbers alone do not show it."""
    course, promised, silent = whole_course(), 0, []
    for chapter in course.chapters:
        checks = course.checks(chapter, PUBLIC_SEED)
        for exercise in chapter.exercises:
            quoted = " … ".join(c.taught for c in checks if c.exercise == exercise.id)
            for target in exercise.targets:
                text = ast.get_docstring(shared.definition_of(course, target)) or ""
                found = COUNTS.findall(" ".join(text.split()))
                promised += len(found)
                if found and not re.search(TIMES, quoted):
                    silent.append((target, *found))
    assert silent == [] and promised > 10


def test_every_chapter_of_the_course_is_held_to_it():
    chapters = {chapter.id for chapter in whole_course().chapters}
    assert {id for id in chapters if not has_module(f"exercises.{id}.untested")} == OPEN


def test_broken_bodies_are_rows_of_classes_or_a_table_of_version_1_0(tmp_path, monkeypatch):
    (tmp_path / "broken_ones.py").write_text('''
from grader.course import broken, edit
BROKEN = {"ops.f": {"it is 1;": "return 2"}}


@broken("ops.Exp")
class EXP:
    def the_value(self, a):
        """it is
        the value,"""
        return 0

    no_overflow = edit("a", "b", target="ops.Exp.forward")
    """and never too large."""
''')
    monkeypatch.syspath_prepend(tmp_path)
    assert promises.read_broken(importlib.import_module("broken_ones")) == {
        "ops.f": {"it is 1;": "return 2"},
        "ops.Exp": {
            "it is the value,": {"ops.Exp": "return 0"},
            "and never too large.": {"ops.Exp.forward": ("a", "b")},
        },
    }
