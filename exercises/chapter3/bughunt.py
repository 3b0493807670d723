"""Bug hunt: a walk back that is right on every chain, and wrong on a diamond."""

from grader.course import Exercise, Mistake

PREDICT = Exercise(
    "chapter3.bughunt.predict",
    section="3.13",
    targets=("bughunt.predict_diamond",),
    points=1,
    minutes=10,
    difficulty=2,
    hints=(
        "Take paper. First the right one: write z as a formula in x alone, and differentiate it.",
        "Then play `naive_backward`, line by line. It comes to y twice. What stands in `y.grad` "
        "each time, and what does it hand on to x?",
    ),
    mistakes=(
        Mistake(
            "no-difference", "return 12.0, 12.0",
            "You expect that `naive_backward` gets this one right. It does not: follow what it "
            "hands on when it comes to y for the second time.",
        ),
        Mistake(
            "places-changed", "return 18.0, 12.0",
            "The right numbers in the wrong order: first the gradient that is right, then what "
            "`naive_backward` leaves.",
        ),
        Mistake(
            "all-twice", "return 12.0, 24.0",
            "You let y hand on the full 2 both times. When the first path arrives, only 1 stands "
            "in `y.grad`.",
        ),
        Mistake(
            "one-path", "return 6.0, 18.0",
            "z is y + y, so both of its inputs are y. You counted one of them only.",
        ),
    ),
)  # fmt: skip

HAND_ON = """
    if tensor._op is None:
        return
    gradients = tensor._op.backward({given}, tensor)
    if isinstance(gradients, Tensor):
        gradients = (gradients,)
    for source, gradient in zip(tensor._inputs, gradients, strict=True):
        walk(source, gradient)

walk(node, grad)
"""

MEND = Exercise(
    "chapter3.bughunt.mend",
    section="3.13",
    targets=("bughunt.mended_backward",),
    points=3,
    minutes=15,
    difficulty=2,
    hints=(
        "What goes wrong is when it hands on, not how much it keeps: a node must wait until all "
        "of its users have handed their gradients to it.",
        "Find an order in which every node comes after all of its users, and go through it once. "
        "You have written that order already.",
    ),
    mistakes=(
        Mistake(
            "as-it-was", "naive_backward(node, grad)",
            "This still does what `naive_backward` does: it hands on the same gradient again "
            "each time that another path arrives.",
        ),
        Mistake(
            "overwritten",
            "def walk(tensor, out_grad):\n    tensor.grad = out_grad.data"
            + HAND_ON.format(given="out_grad"),
            "Now each path overwrites what an earlier one left. Gradients of several paths add.",
        ),
        Mistake(
            "path-by-path",
            "def walk(tensor, out_grad):\n"
            "    held = tensor.grad\n"
            "    tensor.grad = out_grad.data if held is None else held + out_grad.data"
            + HAND_ON.format(given="out_grad"),
            "The gradients are right now, but every path is walked on its own, so an op's "
            "backward is called once per path. Ten diamonds in a row make a thousand paths.",
        ),
        Mistake(
            "first-visit-only",
            "seen = set()\n\n"
            "def walk(tensor, out_grad):\n"
            "    held = tensor.grad\n"
            "    tensor.grad = out_grad.data if held is None else held + out_grad.data\n"
            "    if id(tensor) in seen:\n        return\n"
            "    seen.add(id(tensor))" + HAND_ON.format(given="out_grad"),
            "Each node hands on once, but when the first path arrives. What comes by the other "
            "paths never reaches the leaves.",
        ),
    ),
)  # fmt: skip

EXERCISES = (PREDICT, MEND)
