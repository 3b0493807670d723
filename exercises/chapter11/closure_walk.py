"""Engine 3, closures: many inputs, and the walk."""

from grader.course import body, edit, exercise

from .sentences import (
    NO_GRAPH,
    STORED_NOT_ADDED,
    UNATTACHED,
    read_early,
)


@exercise("engines.closure.stack", points=2)
class STACK:
    """One closure can serve all inputs: it goes through them when it is called.

    `out.grad[i]` is the row of input i. `zip(out._prev, out.grad)` brings them together.
    """

    def captures_the_loop_variable(tensors):
        """You made a closure per input in a loop. Each remembers the *variables* `i` and `each`,
        not what they held: when the closures are called, the loop is over, and all of them hand the
        last row to the last input."""
        out = Tensor(np.stack([each.data for each in tensors]), _prev=tensors)
        pushes = []
        for i, each in enumerate(tensors):

            def push():
                each.grad += out.grad[i]

            pushes.append(push)
        out._backward = lambda: [push() for push in pushes]
        return out

    def last_closure_wins(tensors):
        """You set `_backward` once per input, and each replaces the one before. There is room for
        one function; it has to serve all inputs."""
        out = Tensor(np.stack([each.data for each in tensors]), _prev=tensors)

        def pusher(i, each):
            def push():
                each.grad += out.grad[i]

            return push

        for i, each in enumerate(tensors):
            out._backward = pusher(i, each)
        return out

    overwrites = edit("+= row", "= row.copy()", says=STORED_NOT_ADDED)

    everything_to_each = edit(
        ("each, row in zip(out._prev, out.grad, strict=True)", "each in tensors"),
        ("+= row", "+= out.grad.sum(axis=0)"),
    )
    """Each input is handed the sum of all rows. Only its own row came from it."""

    no_graph = body("return Tensor(np.stack([each.data for each in tensors]))", says=NO_GRAPH)
    too_early = read_early()
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.backward", targets=("engines.closure.Tensor.backward",), points=3, needs=()
)
class BACKWARD:
    """Nothing is passed on as long as the result itself holds zeros.

    `topological_order(self)` lists inputs first. You want to walk from the result.
    """

    def forgot_start(self, gradient):
        """You never set `self.grad`. It is 0, and 0 times anything is what arrives below."""
        for node in reversed(topological_order(self)):
            node._backward()

    def gradient_ignored(self, gradient):
        """The walk starts from ones, also where a gradient is given."""
        self.grad = np.ones_like(self.data)
        for node in reversed(topological_order(self)):
            node._backward()

    not_reversed = edit(("reversed(", ""), ("self)", "self"))
    """You call the closures from the leaves up. They all hold zeros then: only the result's own has
    something to pass on."""

    def zeroes_first(self, gradient):
        """You set every `grad` to zeros before the walk. What a leaf holds from an earlier graph
        has to stay; zeroing is the caller's decision."""
        for node in topological_order(self):
            node.grad = np.zeros_like(node.data)
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        for node in reversed(topological_order(self)):
            node._backward()

    def restarts_below(self, gradient):
        """You call `backward` on the inputs. That sets their `grad` to ones and forgets what had
        arrived there."""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        self._backward()
        for node in self._prev:
            node.backward()

    def once_per_path(self, gradient):
        """You call the closure of a node once for every path that leads to it, so that what arrived
        by the first path is passed on again by the second."""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)

        def visit(node):
            node._backward()
            for source in node._prev:
                visit(source)

        visit(self)

    def breadth_first(self, gradient):
        """You go level by level from the result. Where a short and a long path lead to one Tensor,
        it is called before all that belongs to it has arrived."""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        level, seen = [self], {id(self)}
        for node in level:
            node._backward()
            level += {id(n): n for n in node._prev if id(n) not in seen}.values()
            seen |= {id(n) for n in node._prev}


WALK = (STACK, BACKWARD)
