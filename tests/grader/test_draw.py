"""A typed expression or file becomes a graph, or a sentence that says why it cannot be drawn."""

from __future__ import annotations

import pytest

from grader.arrays import make_array
from grader.book.graph import page as draw
from grader.course.package import Package
from grader.errors import WrongUse
from grader.sandbox.observation import Observation, Run

from .test_model import node, told


def test_an_expression_a_file_and_a_variable_of_it_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text("x = 1\n")
    assert draw.source_of("a * b; a.py + b") == ("a * b; a.py + b", "", "a * b; a.py + b")
    assert draw.source_of("net.py") == ("x = 1\n", "", "the graph of net.py")
    assert draw.source_of("net.py:loss") == ("x = 1\n", "loss", "loss of net.py")


@pytest.mark.parametrize("data", [None, b"\xff"])
def test_a_file_that_cannot_be_read_is_said(data, tmp_path):
    if data is not None:
        (tmp_path / "net.py").write_bytes(data)
    with pytest.raises(WrongUse, match="net.py cannot be read"):
        draw.source_of(str(tmp_path / "net.py"))


@pytest.fixture
def drawn(monkeypatch):
    """Draw with a fake worker that gives this answer."""

    def make(got: Observation | None, unloadable: Observation | None = None):
        class Session:
            def __init__(self, launch, request, exercises):
                assert set(request["programs"]) == {"__init__", "graphing", "graphs"}
                assert request["probes"][0][2] == ["a * b", "c"]
                self.observations = {} if got is None else {0: got}
                self.unloadable = unloadable

            def run(self):
                pass

            def close(self):
                return Run(None, {}, set(), None, {}, {}, "printed", [])

        monkeypatch.setattr(draw, "Session", Session)
        return draw.draw_graph(Package("/x", {}, ""), lambda: None, "a * b", "c")

    return make


def test_what_comes_back_is_a_graph_and_what_was_printed(drawn):
    data = told(node("x", value=(3.0,)))
    array = make_array((0,), [])._replace(dtype="uint8", shape=(len(data),), data=data.encode())
    graph, printed = drawn(Observation("arrays", {}, {"graph": [array]}))
    assert [n.name for n in graph.nodes] == ["x"] and printed == "printed"


@pytest.mark.parametrize(
    ("got", "says"),
    [
        (Observation("raised", {"type": "NotImplementedError", "file": "ops.py", "line": "3"}, {}),
         r"not written yet \(ops.py, line 3\)"),
        (Observation("raised", {"type": "KeyError", "message": "x", "file": "a", "line": "1"}, {}),
         r"KeyError: x \(a, line 1\)\."),
        (Observation("hung", {"message": "20"}, {}), "still running after 20 s"),
        (None, "the process that ran it came to an end"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_says_why(got, says, drawn):
    with pytest.raises(WrongUse, match=f"It cannot be drawn: .*{says}"):
        drawn(got)


def test_a_package_that_cannot_be_imported_is_checked_first(drawn):
    broken = Observation("raised", {"type": "SyntaxError", "message": "m"}, {})
    with pytest.raises(WrongUse, match="SyntaxError: m Run `grader check` first"):
        drawn(None, broken)
