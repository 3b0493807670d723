"""Chapter 11 needs engines that work alone, and names that several files share.

All tests use the public command, on workspaces made of the reference with one thing changed.
"""

from __future__ import annotations

import numpy as np
import pytest

from grader.audit.consistency import find_unapplied
from grader.course import numeric
from grader.course.load import import_reference
from grader.errors import OurFault

CHECK = ("check", "--json")
BORROWED = (
    "from ..tensor import Tensor as Borrowed\n",
    "from babygrad import Tensor as Borrowed\n",
    "import babygrad.tensor\n",
    "from . import closure\n",
    "from .closure import Tensor as Borrowed\n",
    "import importlib\nimportlib.import_module('babygrad.tensor')\n",
)
MUL = "engines.grad_fn.MulBackward.backward"
OWN = "chapter11.grad_fn.mul"


def judged(grader, place, *names):
    return grader("check", *names, "--json", "--package", str(place)).exercises()


@pytest.mark.parametrize("line", BORROWED)
def test_an_engine_that_imports_from_the_package_is_refused(line, grader, package, course):
    text = course.solved()["engines/grad_fn.py"]
    head = "import numpy as np\n"
    place = package(**{"engines/grad_fn": text.replace(head, head + line, 1)})
    found = judged(grader, place, "chapter11.grad_fn.mul", "chapter11.apply.mul")
    assert found[OWN]["status"] == "refused" and found[OWN]["score"] == 0
    assert "works alone" in str(found[OWN])
    assert found["chapter11.apply.mul"]["status"] == "passed"


BORROW = "(x * y).backward(Tensor3(gradient, dtype='float64'))\n"
DELEGATES = {
    "openly": BORROW,
    "with the trace off": "sys.settrace(None)\n" + BORROW,
    "with a trace of its own": "sys.settrace(lambda *each: None)\n" + BORROW,
    "called by a function in C": "list(map(Tensor3.__mul__, [x], [y]))\n" + BORROW,
    "in a generator": "def late():\n    yield x * y\nnext(late())\n" + BORROW,
    "after many calls of its own": "def mine(): pass\nfor _ in range(5000): mine()\n" + BORROW,
}


@pytest.mark.parametrize("how", DELEGATES)
def test_an_engine_that_delegates_without_an_import_is_refused(how, grader, package):
    body = (
        "import sys\nTensor3 = sys.modules['babygrad'].Tensor\n"
        "a, b = self.inputs\n"
        "x, y = (Tensor3(t.data, dtype='float64') for t in (a, b))\n"
        f"{DELEGATES[how]}return x.grad, y.grad"
    )
    found = judged(grader, package({MUL: body}), "chapter11.grad_fn.mul")
    assert found[OWN]["status"] == "refused" and found[OWN]["score"] == 0


def test_a_rule_that_is_not_there_is_pending_and_others_wait_for_it(grader, package, course):
    text = course.solved()["engines/grad_fn.py"]
    begin = text.index("    def backward", text.index("class MulBackward"))
    end = text.index("class PowBackward")
    place = package(**{"engines/grad_fn": text[:begin] + "\n\n" + text[end:]})
    found = judged(grader, place, "11.1", "chapter11.zoo")
    assert found[OWN]["status"] == "pending"
    assert "MulBackward has no backward yet" in str(found[OWN])
    assert found["chapter11.grad_fn.add"]["status"] == "given"
    assert found["chapter11.grad_fn.sigmoid"]["status"] == "passed"
    assert found["chapter11.zoo"]["status"] == "blocked"
    assert found["chapter11.zoo"]["blocked_by"] == [OWN]


CALL = "return x @ self.weight.T + self.bias"
OLDER = {
    "in another way": "return self.bias + x @ self.weight.transpose()",
    "wrong": "return x @ self.weight.T",
    "not at all": "raise NotImplementedError",
}


@pytest.mark.parametrize("how", OLDER)
def test_what_somebody_wrote_before_it_was_given_may_stay(how, grader, package, course):
    """If it is right, it costs nothing; if not, exercises that run it are blocked and name it."""
    text = course.solved()["engines/grad_fn.py"]
    assert text.count(CALL) == 1
    place = package(**{"engines/grad_fn": text.replace(CALL, OLDER[how])})
    found = judged(grader, place, "11.3")
    assert found["chapter11.grad_fn.linear"]["status"] == "given"
    step = found["chapter11.grad_fn.train_step"]
    if how == "in another way":
        assert (step["status"], step["score"]) == ("passed", step["max_score"])
    else:
        assert (step["status"], step["blocked_by"]) == ("blocked", ["chapter11.grad_fn.linear"])


# What is given and no check of the chapter runs: an expression of x, and its value in NumPy.
SCORES = np.array([[0.3, -1.2, 2.0], [900.0, -900.0, 0.5]])
LABELS = np.array([2, 1])
CHOSEN = np.array([0, 1]), LABELS


def log_softmax(a):
    shifted = a - a.real.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


GIVEN = {
    "apply.CrossEntropy": (
        lambda x, engine: engine.CrossEntropy.apply(x, LABELS),
        lambda a: -log_softmax(a)[CHOSEN].mean(),
    ),
    "closure.cross_entropy": (
        lambda x, engine: engine.cross_entropy(x, LABELS),
        lambda a: -log_softmax(a)[CHOSEN].mean(),
    ),
    "closure.log_softmax": (
        lambda x, engine: (x.log_softmax() * SCORES).sum(),
        lambda a: (log_softmax(a) * SCORES).sum(),
    ),
    "closure.mean": (
        lambda x, engine: (x.mean(axis=-1) * LABELS).sum(),
        lambda a: (a.mean(-1) * LABELS).sum(),
    ),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_given_is_right(name):
    engine = import_reference(f"engines.{name.partition('.')[0]}")
    expression, formula = GIVEN[name]
    x = engine.Tensor(SCORES, requires_grad=True)
    out = expression(x, engine)
    out.backward()
    assert np.allclose(out.data, formula(SCORES))
    (slope,) = numeric.vjp(formula, [SCORES], np.array(1.0), analytic=True)
    assert np.allclose(x.grad, slope)


@pytest.mark.parametrize("exponent", ["3", None, [2.0]])
def test_a_power_that_is_given_refuses_what_is_no_number(exponent):
    engine = import_reference("engines.apply")
    with pytest.raises(TypeError, match="has to be a number"):
        engine.Tensor([1.0]) ** exponent


def test_a_mistake_below_a_folder_reaches_the_package(course):
    texts = course.replace_bodies({MUL: "return gradient, gradient"})
    assert "return gradient, gradient" in texts["engines/grad_fn.py"]
    assert texts["ops.py"] == course.solutions["ops.py"]


def test_a_body_without_a_place_is_an_error_of_the_course(course):
    with pytest.raises(OurFault, match="no solution region"):
        course.replace_bodies({"engines.grad_fn.Gone.backward": "return 1"})


def test_a_mistake_that_is_the_reference_is_an_error_of_the_course(proof):
    right = "# the same\n" + proof.course.regions[MUL].body
    told = [p.what for p in find_unapplied(proof, "here", {MUL: right, "ops.Gone.forward": "pass"})]
    assert told == [
        f"its body of {MUL} is the reference's",
        "ops.Gone.forward has no solution region",
    ]


@pytest.mark.parametrize("name", ["Tensor.backward", "MLP", "Linear"])
def test_a_name_that_several_files_have_is_asked_about(name, grader, package):
    ran = grader("check", name, "--package", str(package()))
    assert ran.status == 2
    assert f"{name} is in several places" in ran.err
    assert f"engines.grad_fn.{name}" in ran.err


@pytest.mark.parametrize(
    ("name", "exercise"),
    [
        ("MulBackward.backward", OWN),
        ("grad_fn.Tensor.backward", "chapter11.grad_fn.backward"),
        ("engines.closure.Tensor.backward", "chapter11.closure.backward"),
        ("tensor.Tensor.backward", "chapter3.backward"),
        ("Div.backward", "chapter3.div.backward"),
    ],
)
def test_a_name_that_one_file_has_is_enough(name, exercise, grader, package):
    assert list(judged(grader, package(), name)) == [exercise]
