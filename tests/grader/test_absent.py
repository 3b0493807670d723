"""A method that a class only inherits is not written yet: it is *pending* under its own name."""

from __future__ import annotations

import re

import pytest

from grader.audit.proof import REFERENCE_FOLDER
from grader.course.package import Package
from grader.course.splice import find_pieces, target_file
from grader.grade_package import Grading
from grader.verdict import PENDING, WRONG

from .whole_course import whole_course

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


# ---- the innocent does not pay for what is missing ------------------------------------------

COURSE = whole_course()
ASKED = [target for target, exercise in COURSE.owner.items() if not exercise.given]


def misspell(name: str) -> str:
    """Swap two letters, as in a hurry: `forward` → `forwadr`, `__init__` → `__inti__`."""
    bare = name.strip("_")
    at = name.index(bare) + len(bare) - 2
    if len(bare) < 2 or name[at] == name[at + 1]:
        return f"{name}x"
    return f"{name[:at]}{name[at + 1]}{name[at]}{name[at + 2 :]}"


def with_misspelt(target: str) -> dict[str, str]:
    """The reference, one of its definitions by another name."""
    sources = COURSE.solved()
    file, inside = target_file(target, sources)
    name, piece = inside.rpartition(".")[2], find_pieces(sources[file])[inside]
    changed = re.sub(rf"\b(def|class) {name}\b", rf"\1 {misspell(name)}", piece.text, count=1)
    assert changed != piece.text
    lines = sources[file].split("\n")
    lines[piece.first - 1 : piece.last] = changed.split("\n")
    return {**sources, file: "\n".join(lines)}


@pytest.mark.sampled(quick=60, long=18)
@pytest.mark.parametrize("target", ASKED)
def test_nobody_fails_for_what_another_has_not_written(target, proof):
    """A file that cannot be imported without it has its own sentence, for all that it defines."""
    own = COURSE.owner[target]
    verdicts = proof.judge(with_misspelt(target), proof.chapter_ids(own))
    innocent = [v for v in verdicts.values() if v.id != own.id and not v.unloadable]
    assert {v.id: [c.says for c in v.checks] for v in innocent if v.status in WRONG} == {}
    assert {id for v in innocent for id in v.blocked_by} <= {own.id}
    assert verdicts[own.id].status in {PENDING, *WRONG}  # wrong where it inherits another's


@pytest.mark.parametrize("has_reference", [True, False])
def test_who_has_a_fault_of_its_own_waits_for_nothing_that_is_missing(has_reference, proof):
    """A right `sub.forward` would not mend it; without a reference, nobody knows."""
    files = {name: text.encode() for name, text in with_misspelt("ops.Sub.forward").items()}
    good, wrong = b"out_grad * b, out_grad * a", b"out_grad * a, out_grad * b"
    assert files["ops.py"].count(good) == 1
    files["ops.py"] = files["ops.py"].replace(good, wrong)
    reference = COURSE.solved if has_reference else None
    grading = Grading(
        proof.key, Package(REFERENCE_FOLDER, files, ""), proof.launch, set(), reference=reference
    )
    found = grading.grade(["chapter3.mul.backward"])["chapter3.mul.backward"]
    assert found.status in WRONG and not found.blocked_by
