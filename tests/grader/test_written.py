"""The report sees code written in the wrong place and says where it is, not «write it»."""

from __future__ import annotations

import textwrap

import pytest

from grader.course.package import module_of
from grader.course.syntax_tree import normalize_source
from grader.judge.diagnosis import find_misspelt_attribute
from grader.learner.wording import Style, sides

from .whole_course import whole_course

COURSE = whole_course()
SOURCES = COURSE.solved()
STYLE = Style(False, 80)


def moved(file: str, old: str, new: str) -> dict[str, str]:
    assert old in SOURCES[file]
    return {**SOURCES, file: SOURCES[file].replace(old, new)}


NEG = "    def __neg__(self) -> Tensor:\n"
STUB = NEG + "        raise NotImplementedError\n\n"
END = "from . import ops  # noqa: E402"
OUTSIDE = {
    **SOURCES,
    "tensor.py": SOURCES["tensor.py"].replace("def __neg__", "def _other")
    + "\n\ndef __neg__(self):\n    return ops.negate(self)\n",
}
ELSEWHERE = moved("ops.py", "class Sub(Function):", "class Subtract(Function):")
ELSEWHERE["ops.py"] = ELSEWHERE["ops.py"].replace("Sub()(", "Subtract()(")
ELSEWHERE["nn.py"] += (
    "\n\nclass Sub(ops.Function):\n    def forward(self, a, b):\n        return a - b\n"
)

WRITTEN = {
    "outside of its class": (OUTSIDE, "chapter3.negate.operator", "outside the class Tensor"),
    "misspelt": (
        moved("tensor.py", "def __rsub__", "def __rsub_"), "chapter3.sub.reflected",
        "Did you mean `__rsub__`?",
    ),
    "before a second stub": (
        moved("tensor.py", "    def __matmul__", STUB + "    def __matmul__"),
        "chapter3.negate.operator", "is in tensor.py twice",
    ),
    "a method of an engine's, outside": (
        {**SOURCES, "engines/closure.py":
         SOURCES["engines/closure.py"].replace("def tanh(self)", "def _other(self)")
         + "\n\ndef tanh(self):\n    return self\n"},
        "chapter11.closure.tanh", "outside the class Tensor",
    ),
    "a function, as a method": (
        moved(
            "engines/closure.py", "def stack(",
            "class Rows:\n    def stack(self, tensors):\n        return tensors\n\n\ndef _other(",
        ),
        "chapter11.closure.stack", "inside the class Rows",
    ),
    "a class by another name": (
        moved("scalar.py", "class MLP:", "class MyMLP:"), "chapter1.mlp.call",
        "Did you mean `MLP`?",
    ),
    "in the wrong file": (ELSEWHERE, "chapter3.sub.forward", "move it there"),
}  # fmt: skip


@pytest.mark.parametrize("sources, id, says", WRITTEN.values(), ids=WRITTEN)
def test_what_was_written_is_seen(sources, id, says, proof):
    verdict = proof.judge(sources, [id])[id]
    assert verdict.status == "pending"
    assert says in verdict.says, verdict.says


def test_a_module_without_its_forward_is_not_written_yet(proof):
    start = SOURCES["nn.py"].index("class ReLU(Module):")
    end = SOURCES["nn.py"].index("class Tanh(Module):")
    only = 'class ReLU(Module):\n    """To be written."""\n\n\n'
    sources = {**SOURCES, "nn.py": SOURCES["nn.py"][:start] + only + SOURCES["nn.py"][end:]}
    id = "chapter4.relu.forward"
    verdict = proof.judge(sources, [id])[id]
    assert verdict.status == "pending" and "forward" in verdict.says


def test_a_wrong_attribute_is_answered_with_the_right_one(proof):
    body = "(a,) = node._input\nreturn out_grad / a"
    id = "chapter3.log.backward"
    verdict = proof.judge(proof.course.replace_bodies({"ops.Log.backward": body}), [id])[id]
    assert "Did you mean `_inputs`?" in verdict.checks[0].says


def test_no_helper_of_ours_is_named_in_an_error(proof):
    body = "self._op.backward(grad)"
    id = "chapter3.backward"
    verdict = proof.judge(proof.course.replace_bodies({"tensor.Tensor.backward": body}), [id])[id]
    says = " ".join(check.says for check in verdict.checks)
    assert "<locals>" not in says and ".backward() missing" in says


def test_a_syntax_error_costs_what_needs_that_file(proof):
    sources = {**SOURCES, "ops.py": "def broken(:\n"}
    ids = ["chapter1.value.add", "chapter3.sub.forward"]
    verdicts = proof.judge(sources, ids)
    assert verdicts[ids[0]].status == "passed"
    assert verdicts[ids[1]].status == "crashed"


def rows(yours, reference, difference, torch):
    expected = {"reference": reference, "finite_difference": difference, "pytorch": torch}
    found = sides({"yours": yours, "expected": expected}, STYLE)
    return [line.split() for line in found if line]


def test_where_all_oracles_agree_one_row_is_right():
    assert rows([1.0], [2.0], [2.0], [2.0]) == [["yours", "[1]"], ["right", "[2]"]]
    assert [r[0] for r in rows([1.0], [2.0], [2.0], [2.1])] == ["yours", "finite", "PyTorch"]


def test_shapes_that_differ_are_shown_as_shapes():
    told = rows([1.0, 2.0], [[2.0]], [[2.0]], [[2.0]])
    assert told == [["yours", "shape", "(2,)"], ["right", "shape", "(1,", "1)"]]


@pytest.mark.long
def test_all_is_a_name_and_stands_for_a_package_without_a_workspace(package, grader):
    place = str(package(__init__="raise ValueError"))  # nothing of it has to be run
    whole = grader("check", "--json", "--package", place)
    assert len(whole.result["chapters"]) > 5 and whole.status == 1
    assert grader("check", "all", "--json", "--package", place).statuses() == whole.statuses()


def test_the_command_that_repro_prints_works_from_here(package, grader, tmp_path):
    import subprocess

    place = package({"ops.Sub.forward": "return b - a"})
    told = grader(
        "repro", "chapter3.sub.forward", "--out", "there.py", "--package", str(place), cwd=tmp_path
    )
    command = told.out.partition("`")[2].partition("`")[0]
    ran = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "wrong" in ran.stdout, (command, ran.stderr)


# ---- attributes that nothing reads --------------------------------------------------------------

FILES = {name: text.encode() for name, text in COURSE.solved().items()}
MUL = """
other = as_value(other)
out = Value(self.data * other.data, (self, other))
def push():
    self.gard += other.data * out.grad
    other.grad += self.data * out.grad
out._backward = push
return out
"""
KEPT = "node.grad = np.array(total if"

# target → (its body, the exercise, what is said)
TYPOS = {
    "tensor.Tensor.backward": (
        COURSE.regions["tensor.Tensor.backward"].body.replace(KEPT, KEPT.replace("grad", "gard")),
        "chapter3.backward", "You set `.gard`",
    ),
    "scalar.Value.__mul__": (MUL, "chapter1.value.mul", "Did you mean `.grad`?"),
}  # fmt: skip


@pytest.mark.parametrize("target", TYPOS)
def test_what_is_set_in_vain_is_told_and_nothing_else(target, proof):
    body, id, words = TYPOS[target]
    verdict = proof.judge(proof.course.replace_bodies({target: body}), [id])[id]
    assert [name for name, _ in verdict.mistakes] == ["written:misspelt"]
    assert words in verdict.mistakes[0][1]


@pytest.mark.parametrize("name", FILES)
def test_nothing_in_the_reference_is_misspelt(name):
    assert not find_misspelt_attribute(normalize_source(FILES[name].decode()), FILES)


@pytest.mark.long
def test_no_known_mistake_is_a_misspelt_name():
    """The mistake's own sentence is the better one."""
    for exercise in COURSE.exercises.values():
        for mistake in exercise.mistakes:
            text = normalize_source(
                "def f(self):\n" + textwrap.indent(mistake.body.strip("\n"), "    ")
            )
            said = find_misspelt_attribute(text, {**FILES, "the mistake": text.encode()})
            assert not said, (exercise.id, mistake.name)


def test_a_name_that_is_read_anywhere_is_no_misspelt_one():
    body = "def f(self):\n    self.gard = 1.0\n"
    files = {**FILES, "mine.py": (body + "\ndef g(x):\n    return x.gard\n").encode()}
    assert not find_misspelt_attribute(normalize_source(body), files)
    assert find_misspelt_attribute(normalize_source(body), {**FILES, "mine.py": body.encode()})
    annotated = body.replace("gard", "gard: float")
    assert find_misspelt_attribute(
        normalize_source(annotated), {**FILES, "mine.py": annotated.encode()}
    )


def test_what_is_too_deep_to_be_read_is_no_text():
    assert normalize_source("total = " + "+".join(["1"] * 5000)) == ""


def test_every_file_of_the_reference_is_looked_at():
    assert {module_of(name) for name in FILES} >= {"tensor", "ops", "scalar"}
