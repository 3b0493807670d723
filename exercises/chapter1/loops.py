"""Three training loops that run, print a loss, and are wrong: «mend this»."""

from grader.course import edit, exercise, mistake

_NEEDS = ("chapter1.value.backward", "chapter1.zero_grad")


@exercise("scalar.mended_zeroing", points=2, minutes=6, difficulty=1, needs=_NEEDS)
class ZEROING:
    """Print a parameter's `grad` in every step of the broken loop: it grows.

    `backward` adds to what is there. What has to be there before each call?
    """

    @mistake(seen="https://github.com/yastrebksv/TennisCourtDetector/issues/7")
    def never(parameters, loss_of, steps, rate):
        """This is the broken loop: every step uses the sum of all gradients so far."""
        losses = []
        pass
        for _ in range(steps):
            pass
            loss = loss_of()
            pass
            loss.backward()
            pass
            for parameter in parameters:
                parameter.data -= rate * parameter.grad
            pass
            losses.append(loss.data)
        return losses

    once_before = edit("[]\npass", "[]\nzero_grad(parameters)", of=never)
    """You zero once before the loop. From the second step on old gradients count again."""

    too_late = edit(
        "pass\n    for",
        "zero_grad(parameters)\n    for",
        of=never,
        has=(r"(?s)\.backward\(\).{0,400}zero_grad\(.{0,400}\.data",),
    )
    """You zero between `backward` and the update: the gradient is gone before it is used."""

    only_one = edit(":\n    pass", ":\n    zero_grad(parameters[:1])", of=never)
    """Only the first parameter is zeroed; the gradients of the others still add up."""

    after_the_update = edit("grad\n    pass", "grad\n    zero_grad(parameters)", of=never)
    """You zero at the end of each step. What the parameters held before the first step still counts
    there."""

    uphill = edit((":\n    pass", ":\n    zero_grad(parameters)"), ("-=", "+="), of=never)
    """You step along the gradient, which is uphill. The loss grows."""

    loss_afterwards = edit(
        (":\n    pass", ":\n    zero_grad(parameters)"), ("loss.data", "loss_of().data"), of=never
    )
    """You return the losses after each update; return the ones before it."""


@exercise("scalar.mended_limit", points=2, minutes=8, needs=_NEEDS)
class LIMIT:
    """Which numbers did the forward use, and which does `loss.backward()` find?

    Between `loss_of()` and `loss.backward()` no `data` may change. Where else could the limit go,
    so that it holds after every step?
    """

    def still_stale(parameters, loss_of, steps, rate, limit):
        """This is the broken loop: the numbers change after the loss was computed from them."""
        losses = []
        pass
        for _ in range(steps):
            zero_grad(parameters)
            loss = loss_of()
            for parameter in parameters:
                parameter.data = max(-limit, min(limit, parameter.data))
            loss.backward()
            pass
            for parameter in parameters:
                parameter.data -= rate * parameter.grad
            pass
            losses.append(loss.data)
        return losses

    before_the_loss = edit(
        ("(parameters)\n    loss = loss_of()", "(parameters)"),
        (
            "(-limit, min(limit, parameter.data))",
            "(-limit, min(limit, parameter.data))\n    loss = loss_of()\n    pass",
        ),
        of=still_stale,
    )
    """The graph is never stale now, but the limit is applied before each step, not after its
    update: the last update can leave a parameter beyond it."""

    def dropped(parameters, loss_of, steps, rate, limit):
        """You took the limit out. It has to hold after every update."""
        losses = []
        pass
        for _ in range(steps):
            zero_grad(parameters)
            loss = loss_of()
            pass
            loss.backward()
            pass
            for parameter in parameters:
                parameter.data -= rate * parameter.grad
            pass
            losses.append(loss.data)
        return losses

    limits_the_gradient = edit(
        "parameter.grad", "max(-limit, min(limit, parameter.grad))", of=dropped
    )
    """You limit the gradient. The parameter has to stay between the limits."""

    one_side = edit(
        "grad\n    pass",
        "grad\n"
        "    for parameter in parameters:\n"
        "        parameter.data = min(limit, parameter.data)",
        of=dropped,
    )
    """Only the upper limit holds; a parameter may still fall below -limit."""


@exercise("scalar.mended_two_walks", points=2, minutes=6, needs=(*_NEEDS, "chapter1.value.add"))
class TWO_WALKS:
    """After the first walk the shared nodes hold a gradient. What does the second walk pass on?

    The gradient of a sum is the sum of the gradients. Can one walk serve both losses?
    """

    still_twice = edit(
        ("total = fit + penalty\n    total", "fit.backward()\n    penalty"),
        ("total.data", "fit.data + penalty.data"),
    )
    """This is the broken loop: what the first walk left in the shared nodes is passed on a second
    time."""

    fit_only = edit(
        ("total = fit + penalty\n    total", "fit"), ("total.data", "fit.data + penalty.data")
    )
    """Only the fit is followed; the penalty has no effect."""

    def zeroed_between(parameters, losses_of, steps, rate):
        """Zeroing the parameters in between throws away what the fit had passed to them. Only what
        it left in the shared nodes is passed on again."""
        totals = []
        for _ in range(steps):
            zero_grad(parameters)
            fit, penalty = losses_of()
            fit.backward()
            zero_grad(parameters)
            penalty.backward()
            for parameter in parameters:
                parameter.data -= rate * parameter.grad
            totals.append(fit.data + penalty.data)
        return totals

    averaged = edit(
        ("total = fit + penalty\n    total", "((fit + penalty) / 2)"),
        ("total.data", "fit.data + penalty.data"),
    )
    """You follow the mean of the two losses, so every step is half as long. Follow their sum."""

    fit_reported = edit(
        ("total = fit + penalty\n    total", "(fit + penalty)"), ("total.data", "fit.data")
    )
    """The steps are right, but you return the fit alone; return fit plus penalty."""
