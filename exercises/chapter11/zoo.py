"""The zoo: one function that asks any engine for its gradients."""

from grader.course import Exercise, Mistake

GRAD_FN = "backward add mul pow relu sigmoid matmul"
APPLY = "backward apply mul pow sum tanh matmul"
CLOSURE = "backward add mul sum tanh relu exp log matmul"

_BODY = """\
leaves = [leaf(number) for number in numbers]
{walk}
return {out}"""
_WALK = "expression(*leaves).backward()"
_GRADS = "[each.grad for each in leaves]"

ZOO = Exercise(
    "chapter11.zoo",
    section="11.8",
    targets=("zoo.gradients_of",),
    points=3,
    minutes=6,
    difficulty=2,
    needs=(
        "chapter1.value.backward",
        "chapter3.backward",
        *(f"chapter11.grad_fn.{name}" for name in GRAD_FN.split()),
        *(f"chapter11.apply.{name}" for name in APPLY.split()),
        *(f"chapter11.closure.{name}" for name in CLOSURE.split()),
    ),
    hints=(
        "Three lines: make the leaves, build the expression and walk back from it, read `grad`.",
        "`expression(*leaves)` hands them over one by one.",
    ),
    mistakes=(
        Mistake(
            "values-returned",
            _BODY.format(walk=_WALK, out="[each.data for each in leaves]"),
            "You returned what the leaves hold. Their gradients are in `grad`.",
        ),
        Mistake(
            "no-walk",
            _BODY.format(walk="expression(*leaves)", out=_GRADS),
            "You built the expression and did not walk back from it.",
        ),
        Mistake(
            "twice",
            _BODY.format(walk=f"{_WALK}\n{_WALK}", out=_GRADS),
            "You walked back twice, and gradients add.",
        ),
        Mistake(
            "one-leaf",
            f"made = leaf(numbers[0])\nleaves = [made] * len(numbers)\n{_WALK}\nreturn {_GRADS}",
            "You made one leaf and used it for every input. Each number gets a leaf of its own.",
        ),
        Mistake(
            "numbers-handed-over",
            _BODY.format(walk="expression(*numbers).backward()", out=_GRADS),
            "You called the expression with the bare numbers. An engine follows its leaves only.",
        ),
    ),
)
