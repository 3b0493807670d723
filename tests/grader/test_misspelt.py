"""A misspelt attribute is seen where it is set, and nothing that is right is called misspelt."""

from __future__ import annotations

import textwrap

import pytest

from grader.course.learner_source import plain
from grader.course.load import load, module_of
from grader.judge.misspelt import set_in_vain
from grader.judge.written import elsewhere
from grader.sandbox.observation import Definition

COURSE = load()
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
    verdict = proof.judge(proof.course.patched({target: body}), [id])[id]
    assert [name for name, _ in verdict.mistakes] == ["written:misspelt"]
    assert words in verdict.mistakes[0][1]


@pytest.mark.parametrize("name", FILES)
def test_nothing_in_the_reference_is_misspelt(name):
    assert not set_in_vain(plain(FILES[name].decode()), FILES)


@pytest.mark.long
def test_no_known_mistake_is_a_misspelt_name():
    """Its own sentence is the better one."""
    for exercise in COURSE.exercises.values():
        for mistake in exercise.mistakes:
            text = plain("def f(self):\n" + textwrap.indent(mistake.body.strip("\n"), "    "))
            said = set_in_vain(text, {**FILES, "the mistake": text.encode()})
            assert not said, (exercise.id, mistake.name)


def test_a_name_that_is_read_anywhere_is_no_misspelt_one():
    body = "def f(self):\n    self.gard = 1.0\n"
    files = {**FILES, "mine.py": (body + "\ndef g(x):\n    return x.gard\n").encode()}
    assert not set_in_vain(plain(body), files)
    assert set_in_vain(plain(body), {**FILES, "mine.py": body.encode()})


def test_what_is_too_deep_to_be_read_is_no_text():
    assert plain("total = " + "+".join(["1"] * 5000)) == ""


def test_a_capital_letter_is_a_misspelling_too():
    there = Definition("scalar.Value.relU", "scalar.py", 7, 9, stub=False)
    said = elsewhere("scalar.Value.relu", {"scalar.Value.relU": there}, ())
    assert "Did you mean `relu`?" in said


def test_every_file_of_the_reference_is_looked_at():
    assert {module_of(name) for name in FILES} >= {"tensor", "ops", "scalar"}
