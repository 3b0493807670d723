"""Submissions whose transcripts are kept in `golden/`: what learners hand in, right and wrong."""

from __future__ import annotations

from typing import Any, NamedTuple

from grader.course.load import Course

FLOAT32 = ("Tensor(data, dtype=data.dtype, requires_grad", "Tensor(data, requires_grad")


class Submission(NamedTuple):
    """One package, and what of it is checked.

    Attributes:
        names: arguments of `grader check`.
        bodies: target → another body; everything else as in the reference.
        texts: file → its whole text.
        stubs: whether everything else is a stub of this chapter instead.
        float32: whether every result becomes float32, as many first drafts have it.
    """

    names: tuple[str, ...]
    bodies: dict[str, str] = {}
    texts: dict[str, str] = {}
    stubs: int = 0
    float32: bool = False


def sources(course: Course, one: Submission) -> dict[str, str]:
    """The files of a submission."""
    files = course.stubs(one.stubs) if one.stubs else course.replace_bodies({})
    if one.bodies and one.stubs:
        files = {**files, "ops.py": _filled(course, files["ops.py"], one.bodies)}
    elif one.bodies:
        files = course.replace_bodies(one.bodies)
    if one.float32:
        files = {**files, "ops.py": files["ops.py"].replace(*FLOAT32)}
    return {**files, **one.texts}


def _filled(course: Course, text: str, bodies: dict[str, str]) -> str:
    """Stubs with some of them filled in."""
    for target, body in bodies.items():
        exercise = course.owner[target]
        stub = f"# Yours to write: section {exercise.section}; `grader check {exercise.id}`\n"
        head, found, tail = text.partition(stub)
        assert found, target
        text = head + body + tail.partition("NotImplementedError")[2]
    return text


def mistake(course: Course, exercise: str, name: str) -> dict[str, str]:
    """The body of a known mistake, ready to be patched in."""
    one = course.exercises[exercise]
    found = next(m for m in one.mistakes if m.name == name)
    return {found.target or one.targets[0]: found.body}


DIV = "ops.Div.forward"
DIFFERENCE = """\
a, h = node._inputs[0].data, 1e-6
slope = (self.forward(a + h) - self.forward(a - h)) / (2 * h)
return out_grad * Tensor(slope, dtype=a.dtype)"""
MUL = "ops.Mul.backward"
LOOK = ("chapter3.div.forward", "chapter3.sub.forward")
TWO = "a, b = node._inputs\nreturn -(out_grad * b), out_grad"
TWICE = "a, b = node._inputs\nreturn out_grad * b * 2, out_grad * a * 2"


def div(body: str) -> Submission:
    """A wrong `Div.forward` beside a right `Sub.forward`."""
    return Submission(LOOK, {DIV: body})


def submissions(course: Course) -> dict[str, Submission]:
    """Name → submission."""
    return {**diagnosed(course), **WRONG_ANSWERS, **NO_ANSWERS}


def diagnosed(course: Course) -> dict[str, Submission]:
    """Return right packages and packages with a mistake whose cause is found."""

    def known(exercise: str, name: str, *names: str, **more: Any) -> Submission:
        return Submission(names or (exercise,), mistake(course, exercise, name), **more)

    both = {**mistake(course, "chapter3.mul.backward", "swapped"),
            **mistake(course, "chapter3.div.backward", "forgot-minus")}  # fmt: skip
    return {
        "empty-package": Submission(("3.2", "3.4"), texts={"ops.py": "", "tensor.py": "",
                                                           "__init__.py": ""}),
        "stubs": Submission(("3.2", "3.4"), stubs=3),
        "one-right": Submission(("3.2",), {"ops.Sub.forward": "return a - b"}, stubs=3),
        "all-right": Submission(("3.4",)),
        "all-right-float32": Submission(("3.4",), float32=True),
        "known-mistake": known("chapter3.mul.backward", "swapped"),
        "known-mistake-float32": known("chapter3.mul.backward", "swapped", float32=True),
        "numpy-inside": known("chapter3.mul.backward", "numpy-inside"),
        "wrong-mul-blocks": known("chapter3.mul.backward", "forgot-out-grad", "3.4", "4.4"),
        "two-wrong-ops": Submission(("3.4",), both),
        "inferred-factor": Submission(("chapter3.mul.backward",), {MUL: TWICE}),
        "inferred-two": Submission(("chapter3.mul.backward",), {MUL: TWO}),
        "nothing-inferred": Submission(
            ("chapter3.tanh.backward",), {"ops.Tanh.backward": "return out_grad * (2 - node)"}
        ),
        "walk-overwrites": known("chapter3.backward", "path-overwritten"),
        "fault-in-relu": Submission(
            ("chapter4.relu",),
            {"ops.ReLU.backward": "(a,) = node._inputs\n"
                                  "return out_grad * Tensor(a.data >= 0.5, dtype=a.dtype)"},
        ),
        "blocked-by-unwritten": Submission(
            ("chapter3.sub",), {"ops.Negate.forward": "raise NotImplementedError"}
        ),
        "blocked-by-wrong": Submission(
            ("chapter3.sub", "chapter3.negate"), {"ops.Negate.forward": "return a"}
        ),
    }  # fmt: skip


# What comes back is not what was asked for.
WRONG_ANSWERS = {
    "forgot-return": div("a / b"),
    "a-list": div("return (a / b).tolist()"),
    "wrong-shape": div("return (a / b)[None]"),
    "wrong-dtype": div("return (a / b * 100).astype(int)"),
    "nan": div("return a / b * np.nan"),
    "changed-in-place": div("a /= b\nreturn a"),
    "an-exception": div("return a / c"),
    "given": Submission(("3.1", "chapter3.mul")),
    "hidden-only": div("return a / b if a.ndim < 3 else a"),
    "wrong-prediction": Submission(
        ("3.13",), {"bughunt.predict_diamond": "return 12, 6",
                    "bughunt.mended_backward": "naive_backward(node, grad)"},
    ),
    "class-called": Submission(
        ("chapter3.negate.operator",), {"tensor.Tensor.__neg__": "return ops.Negate(self)"}
    ),
    "tensor-without-dtype": Submission(
        ("chapter3.tanh.backward",),
        {"ops.Tanh.backward": "return out_grad * Tensor(1 - node.data**2)"},
    ),
    "three-axes": Submission(
        ("chapter3.transpose.forward",), {"ops.Transpose.forward": "return np.transpose(a)"}
    ),
    "one-gradient-of-two": Submission(
        ("chapter3.mul.backward",), {MUL: "a, b = node._inputs\nreturn out_grad * b"}
    ),
    "backward-none": Submission(("chapter3.mul.backward",), {MUL: "out_grad * 2"}),
}  # fmt: skip

# Nothing comes back, or nothing that may be judged.
NO_ANSWERS = {
    "endless-loop": div("while True:\n    pass"),
    "endless-recursion": div("return self.forward(a, b)"),
    "too-much-memory": div("return np.ones(400_000_000)"),
    "end-of-python": div("import os\nos._exit(3)"),
    "system-exit": div("raise SystemExit"),
    "much-output": div("print('here I am')\n" * 30 + "return a / b"),
    "refused": Submission(("chapter3.exp.backward",), {"ops.Exp.backward": DIFFERENCE}),
    "refused-import": Submission(
        ("chapter3.exp",), {"ops.Exp.backward": "import torch\nreturn out_grad * node"}
    ),
    "syntax-error": Submission(("3.2",), texts={"ops.py": "def broken(:\n    pass\n"}),
    "import-error": Submission(("3.2",), texts={"ops.py": "import no_such_module\n"}),
    "loop-at-import": Submission(("3.2",), texts={"ops.py": "while True:\n    pass\n"}),
    "file-missing": Submission(("3.2",), texts={"ops.py": "raise ImportError('no ops')\n"}),
}  # fmt: skip
