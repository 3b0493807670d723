"""Three training loops that run, print a loss, and are wrong: «mend this»."""

from grader.course import Exercise, Mistake

_NEEDS = ("chapter1.value.backward", "chapter1.zero_grad")

_LOOP = """\
losses = []
{top}
for _ in range(steps):
    {before}
    loss = loss_of()
    {between}
    loss.backward()
    {zero}
    for parameter in parameters:
        {update}
    {after}
    losses.append({kept})
return losses"""
_RIGHT = {
    "top": "pass", "before": "zero_grad(parameters)", "between": "pass", "zero": "pass",
    "update": "parameter.data -= rate * parameter.grad", "after": "pass", "kept": "loss.data",
}  # fmt: skip


def _loop(**changed: str) -> str:
    return _LOOP.format(**{**_RIGHT, **changed})


ZEROING = Exercise(
    "chapter1.mended_zeroing",
    section="1.10",
    targets=("scalar.mended_zeroing",),
    points=2,
    minutes=6,
    needs=_NEEDS,
    hints=(
        "Print a parameter's `grad` in every step of the broken loop: it grows.",
        "`backward` adds to what is there. What has to be there before each call?",
    ),
    mistakes=(
        Mistake(
            "never",
            _loop(before="pass"),
            "This is the broken loop: every step goes by the sum of all gradients so far.",
        ),
        Mistake(
            "once-before",
            _loop(top="zero_grad(parameters)", before="pass"),
            "You zero once before the loop. From the second step on old gradients count again.",
        ),
        Mistake(
            "too-late",
            _loop(before="pass", zero="zero_grad(parameters)"),
            "You zero between `backward` and the update: the gradient is gone before it is used.",
        ),
        Mistake(
            "only-one",
            _loop(before="zero_grad(parameters[:1])"),
            "Only the first parameter is zeroed; the others still add up.",
        ),
        Mistake(
            "after-the-update",
            _loop(before="pass", after="zero_grad(parameters)"),
            "You zero at the end of each step. What the parameters held before the first step "
            "still counts there.",
        ),
        Mistake(
            "uphill",
            _loop(update="parameter.data += rate * parameter.grad"),
            "You step along the gradient, which is uphill. The loss grows.",
        ),
        Mistake(
            "loss-afterwards",
            _loop(kept="loss_of().data"),
            "The losses you return were taken after the update; the ones before it are asked for.",
        ),
    ),
)

_CLIP = "\n    ".join((
    "for parameter in parameters:",
    "    parameter.data = max(-limit, min(limit, parameter.data))",
))  # fmt: skip

LIMIT = Exercise(
    "chapter1.mended_limit",
    section="1.10",
    targets=("scalar.mended_limit",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=_NEEDS,
    hints=(
        "Which numbers did the forward use, and which does `loss.backward()` find?",
        "Between `loss_of()` and `loss.backward()` no `data` may change. Where else could the "
        "limit go, so that it holds after every step?",
    ),
    mistakes=(
        Mistake(
            "still-stale",
            _loop(between=_CLIP),
            "This is the broken loop: the numbers change after the loss was computed from them.",
        ),
        Mistake(
            "before-the-loss",
            _loop(before="zero_grad(parameters)\n    " + _CLIP),
            "The graph is never stale now, but the limit is applied before each step, not after "
            "its update: the last update can leave a parameter beyond it.",
        ),
        Mistake(
            "dropped",
            _loop(),
            "You took the limit out. It has to hold after every update.",
        ),
        Mistake(
            "limits-the-gradient",
            _loop(update="parameter.data -= rate * max(-limit, min(limit, parameter.grad))"),
            "You limit the gradient. It is the parameter that has to stay between the limits.",
        ),
        Mistake(
            "one-side",
            _loop(
                after=_CLIP.replace(
                    "max(-limit, min(limit, parameter.data))", "min(limit, parameter.data)"
                )
            ),
            "Only the upper limit holds; a parameter may still fall below -limit.",
        ),
    ),
)

_TWO = """\
totals = []
for _ in range(steps):
    zero_grad(parameters)
    fit, penalty = losses_of()
    {walk}
    for parameter in parameters:
        parameter.data -= rate * parameter.grad
    totals.append({kept})
return totals"""
_BOTH = "fit.data + penalty.data"

TWO_WALKS = Exercise(
    "chapter1.mended_two_walks",
    section="1.10",
    targets=("scalar.mended_two_walks",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=(*_NEEDS, "chapter1.value.add"),
    hints=(
        "After the first walk the shared nodes hold a gradient. What does the second walk hand on?",
        "The gradient of a sum is the sum of the gradients. Can one walk serve both losses?",
    ),
    mistakes=(
        Mistake(
            "still-twice",
            _TWO.format(walk="fit.backward()\n    penalty.backward()", kept=_BOTH),
            "This is the broken loop: what the first walk left in the shared nodes is handed on "
            "a second time.",
        ),
        Mistake(
            "fit-only",
            _TWO.format(walk="fit.backward()", kept=_BOTH),
            "Only the fit is followed; the penalty has no effect.",
        ),
        Mistake(
            "zeroed-between",
            _TWO.format(
                walk="fit.backward()\n    zero_grad(parameters)\n    penalty.backward()", kept=_BOTH
            ),
            "Zeroing the parameters in between throws away what the fit had handed to them. Only "
            "what it left in the shared nodes is handed on again.",
        ),
        Mistake(
            "averaged",
            _TWO.format(walk="((fit + penalty) / 2).backward()", kept=_BOTH),
            "You follow the mean of the two losses, so every step is half as long. It is their "
            "sum that counts.",
        ),
        Mistake(
            "fit-reported",
            _TWO.format(walk="(fit + penalty).backward()", kept="fit.data"),
            "The steps are right, but you return the fit alone; fit plus penalty is asked for.",
        ),
    ),
)
