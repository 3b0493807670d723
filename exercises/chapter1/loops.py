"""Three training loops that run, print a loss, and are wrong: «mend this»."""

from grader.course import edit, exercise, instead, mistake

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

    @instead("losses = []", "pass", of=never)
    def once_before(parameters):
        """You zero once before the loop. From the second step on old gradients count again."""
        losses = []
        zero_grad(parameters)

    @instead(
        "loss.backward()",
        "pass",
        of=never,
        has=(r"(?s)\.backward\(\).{0,400}zero_grad\(.{0,400}\.data",),
    )
    def too_late(loss, parameters):
        """You zero between `backward` and the update: the gradient is gone before it is used."""
        loss.backward()
        zero_grad(parameters)

    @instead("for _ in range(steps):", "pass", of=never)
    def only_one(steps, parameters):
        """Only the first parameter is zeroed; the gradients of the others still add up."""
        for _ in range(steps):
            zero_grad(parameters[:1])

    @instead("for parameter in parameters:", "pass", of=never)
    def after_the_update(parameters, rate):
        """You zero at the end of each step. What the parameters held before the first step still
        counts there."""
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        zero_grad(parameters)

    @instead("for _ in range(steps):", "pass", edits=(("-=", "+="),), of=never)
    def uphill(steps, parameters):
        """You step along the gradient, which is uphill. The loss grows."""
        for _ in range(steps):
            zero_grad(parameters)

    @instead("for _ in range(steps):", "pass", edits=(("loss.data", "loss_of().data"),), of=never)
    def loss_afterwards(steps, parameters):
        """You return the losses after each update; return the ones before it."""
        for _ in range(steps):
            zero_grad(parameters)


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

    @instead("loss = loss_of()", "parameter.data =", of=still_stale)
    def before_the_loss(parameters, limit, loss_of):
        """The graph is never stale now, but the limit is applied before each step, not after its
        update: the last update can leave a parameter beyond it."""
        for parameter in parameters:
            parameter.data = max(-limit, min(limit, parameter.data))
        loss = loss_of()
        pass

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

    @instead("for parameter in parameters:", "pass", of=dropped)
    def one_side(parameters, rate, limit):
        """Only the upper limit holds; a parameter may still fall below -limit."""
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        for parameter in parameters:
            parameter.data = min(limit, parameter.data)


@exercise("scalar.mended_two_walks", points=2, minutes=6, needs=(*_NEEDS, "chapter1.value.add"))
class TWO_WALKS:
    """After the first walk the shared nodes hold a gradient. What does the second walk pass on?

    The gradient of a sum is the sum of the gradients. Can one walk serve both losses?
    """

    @instead(
        "total = fit + penalty",
        "total.backward()",
        edits=(("total.data", "fit.data + penalty.data"),),
    )
    def still_twice(fit, penalty):
        """This is the broken loop: what the first walk left in the shared nodes is passed on a
        second time."""
        fit.backward()
        penalty.backward()

    @instead(
        "total = fit + penalty",
        "total.backward()",
        edits=(("total.data", "fit.data + penalty.data"),),
    )
    def fit_only(fit):
        """Only the fit is followed; the penalty has no effect."""
        fit.backward()

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

    @instead(
        "total = fit + penalty",
        "total.backward()",
        edits=(("total.data", "fit.data + penalty.data"),),
    )
    def averaged(fit, penalty):
        """You follow the mean of the two losses, so every step is half as long. Follow their
        sum."""
        ((fit + penalty) / 2).backward()

    @instead("total = fit + penalty", "total.backward()", edits=(("total.data", "fit.data"),))
    def fit_reported(fit, penalty):
        """The steps are right, but you return the fit alone; return fit plus penalty."""
        (fit + penalty).backward()
