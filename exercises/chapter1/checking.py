"""Gradients back to 0, and gradients checked against the numeric slope."""

from grader.course import Exercise, Mistake

ZERO_GRAD = Exercise(
    "chapter1.zero_grad",
    section="1.7",
    targets=("scalar.zero_grad",),
    points=1,
    minutes=2,
    needs=("chapter1.value.init",),
    hints=(
        "One loop over the parameters. Which attribute is to become 0?",
        "Assign to the attribute of each Value, not to the loop's variable.",
    ),
    mistakes=(
        Mistake(
            "only-the-first",
            "for parameter in parameters:\n    parameter.grad = 0.0\n    return",
            "You return inside the loop, so only the first parameter is zeroed.",
        ),
        Mistake(
            "forgets-the-last",
            "for i in range(len(parameters) - 1):\n    parameters[i].grad = 0.0",
            "`range` leaves its end out already. With the -1 the last parameter keeps its "
            "gradient.",
        ),
        Mistake(
            "rebinds",
            "for parameter in parameters:\n    parameter = 0.0",
            "You gave the loop's variable another value. The Value that it stood for is unchanged.",
        ),
        Mistake(
            "data-too",
            "for parameter in parameters:\n    parameter.data = parameter.grad = 0.0",
            "You zeroed the numbers themselves. Only the gradients go back to 0; the numbers are "
            "what was learned.",
        ),
        Mistake(
            "none",
            "for parameter in parameters:\n    parameter.grad = None",
            "You set `grad` to None. The next rule adds to it, so it has to be the number 0.0.",
        ),
    ),
)

_CHECK = """\
first, result = value(), value()
again = {{id(node) for node in topological_order(result)}}
leaves = [n for n in topological_order(first) if not n._prev{same}]
held = [leaf.grad for leaf in leaves]
{zero}
result.backward()
errors = {{}}
for leaf, earlier in zip(leaves, held):
    grad = leaf.grad
    {back}
    data = leaf.data
    leaf.data = data + epsilon
    above = value().data
    leaf.data = data - epsilon
    below = value().data
    {restore}
    numeric = {numeric}
    errors[leaf] = {error}
return errors"""

_RIGHT = {
    "same": " and id(n) in again",
    "zero": "zero_grad(leaves)",
    "back": "leaf.grad = earlier",
    "restore": "leaf.data = data",
    "numeric": "(above - below) / (2 * epsilon)",
    "error": "abs(grad - numeric) / max(abs(grad), abs(numeric), 1e-4)",
}


def _wrong(**changed: str) -> str:
    return _CHECK.format(**{**_RIGHT, **changed})


CHECK = Exercise(
    "chapter1.check_gradients",
    section="1.7",
    targets=("scalar.check_gradients",),
    points=4,
    minutes=25,
    difficulty=3,
    needs=("chapter1.value.backward", "chapter1.zero_grad"),
    hints=(
        "Four stages: find the leaves; note their gradients and set them to 0; call `backward` "
        "once; then nudge one leaf after the other, up and down, and rebuild each time.",
        "To find the leaves, call `value` twice and keep the nodes without `_prev` that both "
        "graphs have in common. `topological_order` lists the nodes.",
        "Keep a leaf's number in a variable before you nudge it, and put it back afterwards.",
    ),
    mistakes=(
        Mistake(
            "one-sided",
            _wrong(numeric="(above - result.data) / epsilon"),
            "You took the one-sided difference, which is much less exact than the central one.",
        ),
        Mistake(
            "not-relative",
            _wrong(error="abs(grad - numeric)"),
            "This is the absolute error. Divide by the size of the larger of the two gradients.",
        ),
        Mistake(
            "signed-error",
            _wrong(error="(numeric - grad) / max(abs(grad), abs(numeric), 1e-4)"),
            "An error has no sign: take the size of the difference. A negative one would pass "
            "any test for being small.",
        ),
        Mistake(
            "floor-of-one",
            _wrong(error="abs(grad - numeric) / max(abs(grad), abs(numeric), 1.0)"),
            "You never divide by less than 1, so that the error is absolute for all slopes below "
            "1, and most slopes of a network are. The floor is 1e-4.",
        ),
        Mistake(
            "no-floor",
            _wrong(error="abs(grad - numeric) / max(abs(grad), abs(numeric))"),
            "Where a slope is 0, you divide 0 by 0. The 1e-4 in the formula is there for that.",
        ),
        Mistake(
            "data-not-restored",
            _wrong(restore="pass"),
            "A leaf keeps the number that you nudged it to. Put its own number back.",
        ),
        Mistake(
            "grad-not-restored",
            _wrong(back="pass"),
            "The leaves keep the gradients of your test. Put back what they held before.",
        ),
        Mistake(
            "grad-zeroed",
            _wrong(back="leaf.grad = 0.0"),
            "The leaves hold 0 afterwards. They may have held gradients that somebody still "
            "needs: put back what was there before.",
        ),
        Mistake(
            "old-gradients",
            _wrong(zero="pass"),
            "The leaves held a gradient already, and `backward` added to it. Set them to 0 first.",
        ),
        Mistake(
            "constants-too",
            _wrong(same=""),
            "You counted the numbers written into the expression. They are new Values in every "
            "call, so nudging the old ones moves nothing.",
        ),
        Mistake(
            "forgot-two",
            _wrong(numeric="(above - below) / epsilon"),
            "The two nudged results lie 2·epsilon apart, not epsilon.",
        ),
    ),
)
