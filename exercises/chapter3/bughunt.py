"""Bug hunt: a walk back that is right on every chain, and wrong on a diamond."""

from grader.course import body, edit, exercise, instead, mistake


@exercise("chapter3.bughunt.predict", targets=("bughunt.predict_diamond",), points=1)
class PREDICT:
    """Take a sheet of paper. First the right one: write z as a formula in x alone, and
    differentiate it.

    Then play `naive_backward`, line by line. It comes to y twice. What is in `y.grad` each time,
    and what does it pass on to x?
    """

    no_difference = edit("18.0", "12.0")
    """You expect that `naive_backward` gets this one right. It doesn't: follow what it passes on
    when it comes to y for the second time."""

    places_changed = body("return 18.0, 12.0")
    """The right numbers in the wrong order: first the gradient that is right, then what
    `naive_backward` leaves."""

    all_twice = edit("18.0", "24.0")
    """You let y pass on the full 2 both times. When the first path arrives, `y.grad` holds only
    1."""

    one_path = body("return 6.0, 18.0")
    """z is y + y, so both of its inputs are y. You counted only one of them."""


@exercise("chapter3.bughunt.mend", targets=("bughunt.mended_backward",), points=3)
class MEND:
    """The problem is when it passes gradients on, not how much it keeps: a node must wait until all
    of its users have passed their gradients to it.

    Find an order in which every node comes after all of its users, and go through it once. You have
    written that order already.
    """

    as_it_was = body("naive_backward(node, grad)")
    """This still does what `naive_backward` does: it passes on the same gradient again each time
    another path arrives."""

    def overwritten(node, grad):
        """Now each path overwrites what an earlier one left. Gradients of several paths add."""

        def walk(tensor, out_grad):
            tensor.grad = out_grad.data
            if tensor._op is None:
                return
            gradients = tensor._op.backward(out_grad, tensor)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(tensor._inputs, gradients, strict=True):
                walk(source, gradient)

        walk(node, grad)

    @instead("tensor.grad = out_grad.data", of=overwritten)
    def path_by_path(tensor, out_grad):
        """The gradients are right now, but every path is walked on its own, so an op's backward is
        called once per path. Ten diamonds in a row make a thousand paths."""
        held = tensor.grad
        tensor.grad = out_grad.data if held is None else held + out_grad.data

    @mistake(seen="https://github.com/TrenTorch/TrenTorch/pull/182")
    def first_visit_only(node, grad):
        """Each node passes its gradient on once, but when the first path arrives. What comes by the
        other paths never reaches the leaves."""
        seen = set()

        def walk(tensor, out_grad):
            held = tensor.grad
            tensor.grad = out_grad.data if held is None else held + out_grad.data
            if id(tensor) in seen:
                return
            seen.add(id(tensor))
            if tensor._op is None:
                return
            gradients = tensor._op.backward(out_grad, tensor)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(tensor._inputs, gradients, strict=True):
                walk(source, gradient)

        walk(node, grad)


EXERCISES = (PREDICT, MEND)
