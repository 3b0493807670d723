"""The zoo: one function that asks any engine for its gradients."""

from grader.course import edit, exercise

GRAD_FN = "backward unbroadcast mul sigmoid"
APPLY = "backward apply mul sum tanh"
CLOSURE = "backward mul matmul tanh"


@exercise(
    "chapter11.zoo",
    targets=("zoo.gradients_of",),
    points=3,
    needs=(
        "chapter1.value.backward",
        "chapter3.backward",
        *(f"chapter11.grad_fn.{name}" for name in GRAD_FN.split()),
        *(f"chapter11.apply.{name}" for name in APPLY.split()),
        *(f"chapter11.closure.{name}" for name in CLOSURE.split()),
    ),
)
class ZOO:
    """Three lines: make the leaves, build the expression and walk back from it, read `grad`.

    `expression(*leaves)` hands them over one by one.
    """

    values_returned = edit("grad", "data")
    """You returned what the leaves hold. Their gradients are in `grad`."""

    no_walk = edit(".backward()", "")
    """You built the expression and did not walk back from it."""

    def twice(leaf, expression, numbers):
        """You walked back twice, and gradients add."""
        leaves = [leaf(number) for number in numbers]
        expression(*leaves).backward()
        expression(*leaves).backward()
        return [each.grad for each in leaves]

    def one_leaf(leaf, expression, numbers):
        """You made one leaf and used it for every input. Each number gets a leaf of its own."""
        made = leaf(numbers[0])
        leaves = [made] * len(numbers)
        expression(*leaves).backward()
        return [each.grad for each in leaves]

    numbers_handed_over = edit("*leaves", "*numbers")
    """You called the expression with the bare numbers. An engine follows its leaves only."""
