"""A method that a class only inherits is not written yet: it is *pending* under its own name."""

from __future__ import annotations

import pytest

# exercise, file, what is taken out of it, what is said
ABSENT = {
    "of Function": ("chapter3.sub.forward", "ops", "Sub has no forward yet."),
    "of Module": ("chapter4.tanh.forward", "nn", "Tanh has no forward yet."),
    "of object": ("chapter2.repr", "tensor", "Tensor has no __repr__ yet."),
}
NAMES = {"ops": "class Sub(Function)", "nn": "class Tanh(Module)", "tensor": "class Tensor:"}
METHODS = {"ops": "def forward", "nn": "def forward", "tensor": "def __repr__"}


@pytest.mark.parametrize("which", ABSENT)
def test_a_method_that_is_not_there_is_pending(which, package, grader, course):
    exercise, module, says = ABSENT[which]
    text = course.solved()[f"{module}.py"]
    at = text.index(METHODS[module], text.index(NAMES[module]))
    name = METHODS[module].removeprefix("def ")
    text = text[:at] + f"def other_{name.strip('_')}" + text[at + len(METHODS[module]) :]
    ran = grader("check", exercise, "--json", "--package", str(package(**{module: text})))
    found = ran.exercises()[exercise]
    assert found["status"] == "pending", found
    assert found["checks"][0]["message"] == says
