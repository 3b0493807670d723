"""The texts of an instructor's own course: Softplus and LogCosh, points, what is off."""

TOML = """
[course]
overlay = "private"
[points]
"chapter3.div.backward" = 40
[off]
exercises = ["chapter3.bughunt.mend"]
[due]
chapter3 = "Friday, 18:00"
[marks]
policy = "best"
"""

EXERCISES = """
import numpy as np

from grader.course import REAL, Exercise, Mistake, OpRow, Question, shapes


def row(op, forward, torch, slope):
    return OpRow(
        op=op, forward=forward, torch=torch, domain=(REAL,),
        samples=(shapes((2,)), shapes((2, 3))),
        taught={"forward": f"{op} of every value", "backward": f"its slope is {slope}"},
    )


ROWS = (
    row("Softplus", lambda a: np.log1p(np.exp(a)),
        lambda torch, a: torch.nn.functional.softplus(a), "the sigmoid"),
    row("LogCosh", lambda a: np.log(np.cosh(a)),
        lambda torch, a: torch.log(torch.cosh(a)), "the tanh"),
)


def exercises(row, wrong_slope):
    name = row.op.lower()
    for direction, body in (("forward", "return np.exp(a)"), ("backward", wrong_slope)):
        yield Exercise(
            f"chapter3.{name}.{direction}", section="3.90", targets=(f"ops.{row.op}.{direction}",),
            points=3, hints=("Read the section once more.",),
            mistakes=(Mistake("mine", body, "This is another function."),),
        )


EXERCISES = {
    "chapter3": (
        *exercises(ROWS[0], "(a,) = node._inputs\\nreturn out_grad * tanh(a)"),
        *exercises(ROWS[1], "(a,) = node._inputs\\nreturn out_grad * sigmoid(a)"),
    )
}
QUESTIONS = {"chapter3": (Question("chapter3.q.mine", "Why is Softplus smooth?", rubric=("…",)),)}
"""

SUITE = """
import numpy as np
from exercises_of_mine import ROWS

from grader.course import Check, Probe, shapes
from tests.op_checks import backward_checks, forward_checks

HIDDEN = (shapes((3, 2)), shapes((4,)))


def checks(chapter, seed):
    if chapter != "chapter3":
        return
    for row in ROWS:
        name = f"chapter3.{row.op.lower()}"
        yield from forward_checks(row, f"{name}.forward", HIDDEN, seed)
        yield from backward_checks(row, f"{name}.backward", HIDDEN, seed)
    large = np.array([800.0, -800.0])
    probe = Probe(
        "mine.forward", ("Softplus", large), "Softplus().forward(a)",
        oracles={"numpy": lambda: {"value": [np.array([800.0, 0.0])]}},
    )
    taught = "Softplus of every value"
    yield Check("chapter3.softplus.forward", "large", (probe,), taught, hidden=True)
"""

PROGRAM = '''
"""A program of the instructor's own."""

from .harness import array_of


def forward(bg, op, a):
    """Softplus does not overflow."""
    return {"value": [array_of(getattr(bg.ops, op)().forward(a), op)]}
'''

SOLUTION = '''
class Softplus(Function):
    """A smooth ReLU."""

    def forward(self, a: NDArray) -> NDArray:
        """Softplus of every value."""
        ### BEGIN SOLUTION
        return np.logaddexp(0.0, a)  # the private answer, which no bundle may hold
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient: its slope is the sigmoid."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return out_grad * sigmoid(a)
        ### END SOLUTION


class LogCosh(Function):
    """A smooth absolute value."""

    def forward(self, a: NDArray) -> NDArray:
        """LogCosh of every value."""
        ### BEGIN SOLUTION
        return np.logaddexp(a, -a) - np.log(2.0)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient: its slope is the tanh."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return out_grad * tanh(a)
        ### END SOLUTION
'''
PROSE = "\n".join(
    f"(chapter3-{op}-{direction})=\n### {op}\n\nMine.\n"
    for op in ("softplus", "logcosh")
    for direction in ("forward", "backward")
)

FILES = {
    "course.toml": TOML, "private/exercises.py": EXERCISES, "private/suite.py": SUITE,
    "private/programs/mine.py": PROGRAM, "private/solutions/ops.py": SOLUTION,
    "private/chapters/chapter3.md": PROSE,
}  # fmt: skip
