"""`clip_grad_norm`: gradients that explode are cut down, their direction stays."""

from grader.course import Exercise, Mistake

TOTAL = """
trained = [p for p in parameters if p.grad is not None]
total = math.sqrt(sum(float(np.sum(gradient_of(p) ** 2)) for p in trained))
"""

SCALE = """
if total > max_norm:
    for p in trained:
        p.grad = p.grad * (max_norm / total)
return total
"""

EACH = (
    "You measured and clipped each gradient by itself. It is one length that counts, that of all "
    "gradients together: measure it first, then scale all of them by one factor."
)

CLIP = Exercise(
    "chapter5.clip_grad_norm",
    section="5.5",
    targets=("optim.clip_grad_norm",),
    points=3,
    minutes=10,
    difficulty=2,
    hints=(
        "Imagine all values of all gradients in one long vector. Its length is the total norm.",
        "You need the parameters twice: to measure and to scale. A generator lets you walk "
        "through it once, so make a list of those that have a gradient first.",
        "Scale only where the total is greater than max_norm, all by the same factor, and return "
        "the total that you measured before.",
    ),
    mistakes=(
        Mistake(
            "each-by-itself",
            TOTAL + "for p in trained:\n    norm = math.sqrt(float(np.sum(gradient_of(p) ** 2)))\n"
            "    if norm > max_norm:\n        p.grad = p.grad * (max_norm / norm)\nreturn total",
            "You clipped each gradient by its own norm. That bends the step as a whole: small "
            "gradients keep their size and large ones do not. One factor for all.",
        ),
        Mistake(
            "each-and-its-norms",
            "total = 0.0\nfor p in parameters:\n    g = gradient_of(p)\n    if g is None:\n"
            "        continue\n    norm = math.sqrt(float(np.sum(g ** 2)))\n    total += norm\n"
            "    if norm > max_norm:\n        p.grad = g * (max_norm / norm)\nreturn total",
            EACH,
        ),
        Mistake(
            "each-and-the-last",
            "norm = 0.0\nfor p in parameters:\n    g = gradient_of(p)\n    if g is None:\n"
            "        continue\n    norm = math.sqrt(float(np.sum(g ** 2)))\n"
            "    if norm > max_norm:\n        p.grad = g * (max_norm / norm)\nreturn norm",
            EACH,
        ),
        Mistake(
            "scales-up",
            TOTAL + "for p in trained:\n    p.grad = p.grad * (max_norm / total if total else 1)\n"
            "return total",
            "You scaled gradients up as well, where they were shorter than max_norm. These stay "
            "as they are.",
        ),
        Mistake(
            "returns-after",
            TOTAL + "if total > max_norm:\n    for p in trained:\n"
            "        p.grad = p.grad * (max_norm / total)\nreturn min(total, max_norm)",
            "You returned the norm after clipping. Asked is the norm before it: that is the "
            "number worth watching.",
        ),
        Mistake(
            "no-root",
            "trained = [p for p in parameters if p.grad is not None]\n"
            "total = sum(float(np.sum(gradient_of(p) ** 2)) for p in trained)"
            + SCALE,
            "The root is missing: your total is the square of the length.",
        ),
        Mistake(
            "sum-of-norms",
            "trained = [p for p in parameters if p.grad is not None]\n"
            "total = sum(math.sqrt(float(np.sum(gradient_of(p) ** 2))) for p in trained)"
            + SCALE,
            "You added up the norms of the gradients. Lengths at right angles do not add; their "
            "squares do, and the root comes last.",
        ),
        Mistake(
            "value-by-value",
            TOTAL + "for p in trained:\n    p.grad = np.clip(gradient_of(p), -max_norm, max_norm)\n"
            "return total",
            "You clipped each value between −max_norm and max_norm. That changes the direction "
            "of the step; clipping by norm keeps it.",
        ),
        Mistake(
            "generator-walked-twice",
            "total = math.sqrt(sum(float(np.sum(gradient_of(p) ** 2)) for p in parameters "
            "if p.grad is not None))\n"
            "for p in parameters:\n    if total > max_norm and p.grad is not None:\n"
            "        p.grad = p.grad * (max_norm / total)\nreturn total",
            "You walked through `parameters` twice. A generator is empty the second time: the "
            "norm is measured, and nothing is scaled.",
        ),
        Mistake(
            "crash-on-none",
            "parameters = list(parameters)\n"
            "total = math.sqrt(sum(float(np.sum(p.grad ** 2)) for p in parameters))"
            + SCALE.replace("trained", "parameters"),
            "A parameter whose `grad` is None has no norm. Leave it out.",
        ),
        Mistake(
            "own-share",
            TOTAL + "if total > max_norm:\n    for p in trained:\n"
            "        p.grad = p.grad / total\nreturn total",
            "You scaled to a length of 1, whatever `max_norm` says.",
        ),
    ),
)  # fmt: skip
