"""Mistakes as code: wrong functions and edits in a class, read with their sentences."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import root
from grader.course import Chapter, exercise
from grader.course.bodies import id_of, read_bodies, result
from grader.course.load import with_bodies
from grader.errors import OurFault

from .whole_course import whole_course

REFERENCE = {"ops.py": whole_course().solutions["ops.py"]}
RIGHT = "a, b = node._inputs\nreturn out_grad / b, -out_grad * a / (b * b)"
HEAD = """\
from grader.course import Mistake, after, before, body, edit, exercise, first, instead, mistake

@exercise("chapter3.div.backward", section="3.4", targets=("ops.Div.backward",))
class BACKWARD:
"""


def loaded(exercise):
    """The mistakes of an exercise, each with its body."""
    (chapter,) = with_bodies([Chapter("chapter3", "Three", (exercise,))], REFERENCE)
    return {mistake.name: mistake for mistake in chapter.exercises[0].mistakes}


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Loads a class of mistakes from the rows in it."""

    def load_rows(rows: str):
        (tmp_path / "wrong_ones.py").write_text(HEAD + rows, "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "wrong_ones", raising=False)
        return loaded(importlib.import_module("wrong_ones").BACKWARD)

    return load_rows


def test_a_function_is_a_mistake_its_docstring_the_sentence(written):
    found = written('''\
    def like_mul(self, out_grad, node):
        """This is the rule
        of `Mul`."""
        a, b = node._inputs  # two

        # The other one.
        return out_grad * b, out_grad * a
''')
    mistake = found["like-mul"]
    assert mistake.says == "This is the rule of `Mul`."
    assert mistake.body == (
        "a, b = node._inputs  # two\n\n# The other one.\nreturn out_grad * b, out_grad * a"
    )


def test_an_edit_has_its_sentence_beneath_it(written):
    found = written('''\
    no_minus = edit("-out_grad", "out_grad")
    """The minus is gone."""
    like_add = body("return out_grad, out_grad", says="This is the rule of `Add`.")
''')
    assert found["no-minus"].body.strip() == RIGHT.replace("-", "")
    assert [m.says for m in found.values()] == ["The minus is gone.", "This is the rule of `Add`."]


def test_more_may_be_said_of_a_function_and_of_an_edit(written):
    found = written("""\
    @mistake(says="Both.", shown_by="return a")
    def or_(self, out_grad, node):
        return a
    no_minus = edit("-out_grad", "out_grad", says="The minus is gone.", has=("x",))
""")
    assert (found["or"].says, found["or"].shown_by, found["or"].body) == (
        "Both.", "return a", "return a",
    )  # fmt: skip
    assert found["no-minus"].has == ("x",)


def test_an_edit_may_be_of_a_function_which_need_not_be_a_mistake(written):
    found = written('''\
    def _plain(self, out_grad, node):
        return 1, 2
    second = edit("2", "3", of=_plain)
    """The second is off by one."""
''')
    assert {name: m.body for name, m in found.items()} == {"second": "return 1, 3"}


LINES = {
    "before": ('@before("return")', "a, b = node._inputs\na = a + 0\nreturn"),
    "after": ('@after("_inputs")', "a, b = node._inputs\na = a + 0\nreturn"),
    "instead": ('@instead("_inputs")', "a = a + 0\nreturn"),
    "from one to another": ('@instead("_inputs", "out_grad")', "a = a + 0"),
    "with an edit": (
        '@before("return", edits=(("a, b =", "b, a ="),))',
        "b, a = node._inputs\na = a + 0\nreturn"),
}  # fmt: skip


@pytest.mark.parametrize("case", LINES)
def test_lines_of_a_function_come_into_the_reference(case, written):
    decorator, begins = LINES[case]
    (found,) = written(f'''\
    {decorator}
    def one(self, a):
        """Nothing was added."""
        a = a + 0
''').values()
    assert found.body.strip().startswith(begins)
    assert found.says == "Nothing was added."


def test_a_line_comes_before_those_of_any_reference(written):
    found = written('    one = first("out_grad = 1", says="s")\n')
    assert found["one"].body.split("\n")[:2] == ["out_grad = 1", "a, b = node._inputs"]


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("return a * b", "return T((a * b).data)"),
        ("return f(a), -a", "return T(f(a).data), T((-a).data)"),
        ("if a:\n    return a\nreturn None", "if a:\n    return T(a.data)\nreturn T((None).data)"),
        ("é = 1; return é", "é = 1; return T(é.data)"),
        ("def f():\n    return 1\nreturn f(lambda: 2)",
         "def f():\n    return 1\nreturn T(f(lambda: 2).data)"),
    ],
)  # fmt: skip
def test_each_result_goes_through_an_expression(body, changed):
    assert result("T({}.data)").edit[0].put_into(body, "here") == changed


@pytest.mark.parametrize("body", ["pass", "return", "return f(\n    a)"])
def test_no_result_on_one_line_is_told(body):
    with pytest.raises(OurFault, match="here: every result has to be on one line"):
        result("T({})").edit[0].put_into(body, "here")


def test_lines_come_into_a_function_above_as_deep_as_the_line_they_are_named_by(written):
    (found,) = written("""\
    def _loop(self, out_grad, node):
        for each in node:
            first(each)
    @before("first(each)", of=_loop, says="Twice.")
    def twice(each):
        if each:
            again(each)
""").values()
    assert found.body == ("for each in node:\n    if each:\n        again(each)\n    first(each)")


def test_bodies_of_a_class_need_no_sentence_and_may_be_right_ones(tmp_path, monkeypatch):
    (tmp_path / "plain_rows.py").write_text(
        "from grader.course import edit, right\n\n\nclass ROWS:\n"
        '    no_minus = edit("-", "", target="ops.f")\n'
        '    twice = right("ops.g", "return 2")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = read_bodies(importlib.import_module("plain_rows").ROWS)
    assert [(row.name, row.target, row.edit, row.body) for row in found] == [
        ("no-minus", "ops.f", ("-", ""), ""), ("twice", "ops.g", (), "return 2"),
    ]  # fmt: skip


def test_a_row_may_stand_for_several_which_another_class_has_named(written):
    found = written("""\
    first = body("return 1", says="s")
    shared = (Mistake("both", "return 2", "t"), Mistake("more-of-it", "return 3", "u"))
    last = body("return 4", says="v")
""")
    assert [*found] == ["first", "both", "more-of-it", "last"]
    with pytest.raises(OurFault, match="line 6: a second mistake is called both"):
        written("""\
    both = body("return 1", says="s")
    shared = (Mistake("both", "return 2", "t"),)
""")


WRITTEN_AS_CODE = ("exercises", "tests/subtle", "tests/held_out", "tests/unusual")


def in_strings(text: str) -> list[int]:
    """Lines of the strings outside functions that hold several lines of code, with escapes."""
    tree = ast.parse(text)
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside
        and "\n" in node.value and "\\n" in (ast.get_source_segment(text, node) or "\\n")
    ]  # fmt: skip


@pytest.mark.parametrize("folder", WRITTEN_AS_CODE)
def test_a_body_of_several_lines_is_a_function_and_no_string_with_escapes(folder):
    for path in sorted(Path(root.path(*folder.split("/"))).rglob("*.py")):
        assert in_strings(path.read_text("utf-8")) == [], path


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            '    @before("nowhere")\n    def one(self):\n        """s"""\n        a = 1\n',
            "line 6: one line has to hold 'nowhere'",
        ),
        (
            '    @instead("return", "_inputs")\n    def one(self):\n        """s"""\n        1\n',
            "line 6: one line has to hold 'return', and one from there on '_inputs'",
        ),
        ("    def bare(self):\n        return 1\n", "line 5: the mistake bare needs"),
        ('    one = edit("-out_grad", "out_grad")\n', "line 5: the mistake one needs"),
        ('    one = edit("a", "b", says="s")\n', "line 5: an edit has to change"),
        (
            "    def _one(self):\n        return 1, 1\n"
            '    two = edit("1", "2", of=_one, says="s")\n',
            "line 7: an edit has to change exactly one place; '1' stands there 2",
        ),
        (
            '    one = body("x", says="s")\n    one = body("y", says="s")\n',
            "line 6: a second mistake is called one",
        ),
    ],
    ids=[
        "no line",
        "no line from there on",
        "no docstring",
        "no sentence",
        "edit of the reference",
        "edit of a function",
        "twice",
    ],
)
def test_what_is_amiss_is_told_with_file_and_line(written, rows, told):
    with pytest.raises(OurFault) as raised:
        written(rows)
    assert f"wrong_ones.py, {told}" in str(raised.value)


class Rows:
    """A nudge, over
    two lines.

    All but the answer.
    """


def test_paragraphs_are_hints_and_a_target_gives_the_id(monkeypatch):
    monkeypatch.setattr(Rows, "__module__", "private.exercises.chapter3.tanh")
    made = exercise("ops.Tanh.backward", points=2)(Rows)
    assert (made.id, made.targets) == ("chapter3.tanh.backward", ("ops.Tanh.backward",))
    assert made.hints == ("A nudge, over two lines.", "All but the answer.")
    named = exercise("chapter3.add.operator", targets=("tensor.Tensor.__add__",), hints=())(Rows)
    assert (named.id, named.targets, named.hints) == (
        "chapter3.add.operator", ("tensor.Tensor.__add__",), (),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("target", "id"),
    [
        ("ops.Tanh.backward", "chapter3.tanh.backward"),
        ("nn.Linear.__init__", "chapter3.linear.init"),
        ("engines.closure.Tensor.__mul__", "chapter3.closure.tensor.mul"),
        ("ops.sum_of_all", "chapter3.sum_of_all"),
    ],
)
def test_an_id_has_no_underscores_around_a_name(target, id):
    assert id_of(target, "private.exercises.chapter3.tanh") == id


def rows_that_name_a_target(page: Path) -> Iterator[tuple[str, str]]:
    """Yield id and target of the exercises of a page that write both, and have one target."""
    for node in ast.walk(ast.parse(page.read_text("utf-8"))):
        match node:
            case ast.Call(ast.Name("exercise"), [ast.Constant(id), *_], keywords):
                for keyword in keywords:
                    match keyword:
                        case ast.keyword("targets", ast.Tuple([ast.Constant(target)])):
                            yield id, target


# Rows that may go with the next change of their page.
STILL_SAID = {"chapter17.ndarray.getitem", "chapter17.ndarray.setitem"}


def test_no_row_says_the_id_that_its_target_gives():
    pages = sorted(Path(root.path("exercises")).glob("chapter*/*.py"))
    told = [
        id
        for page in pages
        for id, target in rows_that_name_a_target(page)
        if id == id_of(target, f"exercises.{page.parent.name}") and id not in STILL_SAID
    ]
    assert told == [], "write the target alone"


def test_hints_are_the_docstring_unless_code_makes_them():
    for page in sorted(Path(root.path("exercises")).glob("chapter*/*.py")):
        told = [
            node.lineno
            for node in ast.walk(ast.parse(page.read_text("utf-8")))
            if isinstance(node, ast.keyword) and node.arg == "hints"
            and isinstance(node.value, ast.Tuple)
            and all(isinstance(hint, ast.Constant) for hint in node.value.elts)
        ]  # fmt: skip
        assert told == [], f"{page}: write them as paragraphs below the class"


def test_where_no_chapter_is_a_target_alone_gives_no_id():
    with pytest.raises(OurFault, match=r"test_bodies is no chapter's: give ops.Tanh.backward"):
        exercise("ops.Tanh.backward")(Rows)


RIGHT_ONES = """\
from grader.course import right, variant

@variant("by loops", but=("chapter3.exp.forward/again",))
class LOOPS:
    exp = right("ops.Exp.forward", "return np.e**a")

    @right("ops.Div.backward")
    def div_backward(self, out_grad, node):
        a, b = node._inputs

        return out_grad / b, -out_grad * node / b
"""


def read_variant(text, tmp_path, monkeypatch):
    (tmp_path / "right_ones.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "right_ones", raising=False)
    return importlib.import_module("right_ones").LOOPS


def test_a_variant_has_a_body_for_each_target(tmp_path, monkeypatch):
    loops = read_variant(RIGHT_ONES, tmp_path, monkeypatch)
    assert (loops.name, loops.but) == ("by loops", ("chapter3.exp.forward/again",))
    assert loops.bodies == {
        "ops.Exp.forward": "return np.e**a",
        "ops.Div.backward": ("a, b = node._inputs\n\nreturn out_grad / b, -out_grad * node / b"),
    }


@pytest.mark.parametrize(
    "old, new", [('    @right("ops.Div.backward")\n', ""), ("ops.Div.backward", "ops.Exp.forward")]
)
def test_a_row_without_a_target_of_its_own_is_told_with_file_and_line(
    old, new, tmp_path, monkeypatch
):
    with pytest.raises(OurFault, match=r"right_ones\.py, line \d+: begin with @right"):
        read_variant(RIGHT_ONES.replace(old, new), tmp_path, monkeypatch)


PAGES = sorted(
    path
    for path in Path(root.path("exercises")).rglob("*.py")
    if re.search(r"^ROW = OpRow\(", path.read_text("utf-8"), re.MULTILINE)
)
ORDER = ["ROW", "FORWARD", "OPERATOR", "REFLECTED", "BACKWARD"]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_of_an_op_begins_with_its_row_then_forward_then_backward(page):
    found = re.findall(r"^(?:class )?(\w+)(?= = OpRow|:$)", page.read_text("utf-8"), re.MULTILINE)
    named = [name for name in found if name in ORDER]
    assert named == sorted(named, key=ORDER.index)
    assert named[0] == "ROW"
