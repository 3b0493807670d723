"""`grader graph`: what the page holds, what a browser makes of it, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from grader import root

from .graph_format import require

BOOK = "a = Tensor([2., 3.]); b = Tensor([4., 5.]); d = a * b; (d + a).sum()"
WRONG_MUL = {"ops.Mul.backward": "a, b = node._inputs\nreturn out_grad * b, out_grad * b"}


@pytest.fixture
def drawn(tmp_path, grader):
    def draw(what: str, place: str | None = None):
        out = tmp_path / "graph.html"
        place = place or root.path("solutions")
        ran = grader("graph", what, "--package", place, "--out", str(out), cwd=tmp_path)
        return ran, out

    return draw


def figure_of(page: str) -> dict:
    """The `babygrad-graph/1` of a page."""
    figure = json.loads(re.search(r'id="graph">(.*?)</script>', page, re.S)[1])
    require(figure)
    return figure


def steps_of(page: str) -> list[dict]:
    return figure_of(page)["steps"]


def wrong_in(page: str) -> list[str]:
    """The ops that are marked."""
    figure = figure_of(page)
    return [figure["nodes"][s["wrong"]]["op"] for s in figure["steps"] if s["wrong"] is not None]


def test_an_expression_is_drawn_step_by_step(drawn):
    ran, out = drawn(BOOK)
    assert ran.status == 0, ran.err
    says = [step["says"] for step in steps_of(out.read_text())]
    assert says[0] == "a is [2, 3], a leaf."
    assert says[2] == "Mul makes [8, 15] of a and b, called d."
    assert "its gradient is 1" in says[5]
    assert says[-1] == "Done. The gradients of the leaves: a: [5, 6]; b: [2, 3]."


def test_a_value_of_chapter_1_needs_no_module_in_front(drawn):
    ran, out = drawn("Value(2.0) * 3")
    assert ran.status == 0, ran.err
    assert steps_of(out.read_text())[-1]["says"].endswith("leaves: v₁: 3; v₂: 2.")


def test_a_script_is_drawn_up_to_the_variable_that_is_named(drawn, tmp_path):
    script = tmp_path / "net.py"
    script.write_text(
        "from babygrad import Tensor\nx = Tensor([[1., 2.]])\nw = Tensor([[3.], [4.]])\n"
        "loss = (x @ w).sum()\nprint('loss', loss.data)\nlater = loss * 2\n"
    )
    ran, out = drawn("net.py:loss")
    assert ran.status == 0 and "loss 11.0" in ran.out, ran.err
    assert "MatMul" in out.read_text() and "later" not in steps_of(out.read_text())[-1]["says"]
    ran, out = drawn("net.py")
    assert any("later" in step["says"] for step in steps_of(out.read_text()))


def test_a_wrong_op_is_marked_and_named(drawn, package):
    ran, out = drawn(BOOK, str(package(WRONG_MUL)))
    assert ran.status == 1
    assert "Mul.backward is wrong: its gradient of b holds" in ran.out
    page = out.read_text()
    assert wrong_in(page) == ["Mul"]
    (wrong,) = [step for step in steps_of(page) if step["wrong"] is not None]
    assert "This is wrong: its gradient of b" in wrong["says"]


def test_a_number_in_a_tensor_is_a_constant_whatever_a_rule_hands_to_it(drawn, package):
    wrap = "if not isinstance(other, Tensor):\n    other = Tensor(other, requires_grad=False)\n"
    place = package({
        "tensor.Tensor.__mul__": f"{wrap}return ops.mul(self, other)",
        "ops.Mul.backward": "a, b = node._inputs\nreturn out_grad * b, out_grad",
    })  # fmt: skip
    ran, out = drawn("Tensor([[1.0, 2.0]]) * 3", str(place))
    assert ran.status == 0 and wrong_in(out.read_text()) == [], ran.out


def test_a_graph_can_be_drawn_before_the_walk_is_written(drawn, package):
    place = package({"tensor.Tensor.backward": "raise NotImplementedError"})
    assert drawn(BOOK, str(place))[0].status == 0


def test_an_unwritten_backward_ends_the_walk_and_is_said(drawn, package):
    ran, out = drawn(BOOK, str(package({"ops.Mul.backward": "raise NotImplementedError"})))
    assert ran.status == 1 and "NotImplementedError" in ran.out
    assert "The walk ends here" in steps_of(out.read_text())[-1]["says"]


REFUSED = {
    "no Tensor": ("1 + 1", "made no Tensor"),
    "no such file": ("nowhere.py", "cannot be read"),
    "a syntax error": ("Tensor([1.) * 2", "SyntaxError"),
    "an exception": ("Tensor([1.]) + nothing", "nothing"),
    "too many nodes": ("x = Tensor([1.])\nfor i in range(300): x = x + x", "more than"),
    "an endless loop": ("import sys; sys.exit(3)", "SystemExit"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_drawn_is_said(what, drawn):
    source, says = REFUSED[what]
    ran, out = drawn(source)
    assert ran.status == 2 and says in ran.err, ran.err
    assert not out.exists() and "Traceback" not in ran.err


class Strict(HTMLParser):
    """Complains about elements that are not closed in the order in which they were opened."""

    EMPTY = ("meta",)

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            assert not (name in ("src", "href") and value), (tag, value)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in self.EMPTY

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_needs_nothing_from_elsewhere_and_no_name_can_break_it(drawn):
    evil = 'x = Tensor([1.]); globals()["</script><b>&quot;"] = x * x; x * x * x'
    ran, out = drawn(evil)
    assert ran.status == 0, ran.err
    page = out.read_text()
    Strict().feed(page)
    addresses = re.sub(r'http-equiv|"http://www.w3.org/2000/svg"', "", page)  # of SVG: its name
    assert "http" not in addresses and "@import" not in page
    assert page.count("</script>") == 3


def test_every_node_has_a_name_of_its_own(drawn):
    _, out = drawn(
        "net = scalar.MLP([2, 2, 1]); out = net([scalar.Value(1.0), scalar.Value(-2.0)])"
    )
    names = [node["name"] for node in figure_of(out.read_text())["nodes"]]
    assert len(set(names)) == len(names) == 25 and all(names)
    assert names[-1] == "out" and "net.layers[0].neurons[1].weights[0]" in names and "v₅" in names


def test_a_card_holds_the_array_as_it_came_and_says_how_it_was_made(drawn):
    _, out = drawn("x = Tensor([[0.1, -2.0]]); y = x * 3.0; y")
    figure = figure_of(out.read_text())
    x, y = figure["nodes"]
    assert x["value"] == {"shape": [1, 2], "values": [0.1, -2.0]}
    assert y["made"] == "MulScalar(scalar=3.0)" and y["finding"] == "Its backward: right."
    assert y["gradient"] == {"shape": [1, 2], "values": [1.0, 1.0]}


def test_what_is_not_finite_arrives_in_the_page(drawn):
    ran, out = drawn("x = Tensor([0.0, 2.0]); y = x / x; z = 1.0 / x")
    assert ran.status in (0, 1), ran.err
    assert figure_of(out.read_text())["nodes"][-1]["value"]["values"] == ["Infinity", 0.5]


def test_what_is_handed_to_a_smaller_input_has_its_shape(drawn):
    _, out = drawn("x = Tensor([[1., 2.], [3., 4.]]); b = Tensor([1., 1.]); out = x + b")
    figure = figure_of(out.read_text())
    (step,) = [step for step in figure["steps"] if step["handed"]]
    shapes = [value["shape"] for _, _, value in step["handed"]]
    assert shapes == [figure["nodes"][at]["value"]["shape"] for at in (0, 1)]


def test_in_a_notebook_the_same_page_is_shown_inline(tmp_path, course):
    for name, text in course.replace_bodies(WRONG_MUL).items():
        (tmp_path / "babygrad" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "babygrad" / name).write_text(text)
    code = (
        "from babygrad import Tensor\nfrom grader.book.graph import graph\n"
        "a, b = Tensor([2., 3.]), Tensor([4., 5.])\nout = (a * b).sum()\n"
        "print(graph(out)._repr_html_())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": f"{tmp_path}:{root.ROOT}", "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<iframe srcdoc=") and "This is wrong" in done.stdout
    assert "BabygradGraph.mount" in done.stdout
    assert "a is [2, 3], a leaf." in done.stdout
