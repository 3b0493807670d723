"""A scalar engine: numbers that remember how they were made (chapter 1).

It stands on its own: nothing here needs NumPy or the rest of the package. A `Value` holds one
number. An expression made of Values is a graph; `Value.backward` walks it from the result to
the leaves and leaves in each the derivative of the result.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence


def numerical_derivative(f: Callable[[float], float], x: float, h: float = 1e-6) -> float:
    """The slope of ``f`` at ``x``, by the central difference ``(f(x + h) - f(x - h)) / (2h)``.

    Args:
        f: a function of one number that returns a number.
        x: where.
        h: how far to step to either side.

    Source: the error shrinks with h², where that of ``(f(x + h) - f(x)) / h`` shrinks with h
    (Taylor's theorem). Below about 1e-6 rounding takes over.
    """
    ### BEGIN SOLUTION
    return (f(x + h) - f(x - h)) / (2 * h)
    ### END SOLUTION


class Value:
    """A number that remembers how it was made.

    Attributes:
        data: the number.
        grad: the derivative of the final result with respect to this number; 0.0 at first.
        _prev: the Values that it was made from, in a tuple; ``()`` for a leaf.
        _backward: a function without arguments. It passes ``grad`` on: it adds to what the inputs
            hold in ``grad``, one addition per input. For a leaf it does nothing.

    Every operator and function below makes a new Value, and leaves the ``data`` of its inputs
    as it was.
    """

    def __init__(self, data: float, _prev: tuple[Value, ...] = ()) -> None:
        """A Value that holds the number ``data`` and was made from the Values in ``_prev``.

        ``grad`` starts at 0.0. ``_backward`` starts as a function that does nothing; the
        operator that makes this Value puts its own rule there.
        """
        ### BEGIN SOLUTION
        self.data = float(data)
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._backward: Callable[[], None] = lambda: None
        ### END SOLUTION

    def __repr__(self) -> str:
        return f"Value(data={self.data:.4f}, grad={self.grad:.4f})"

    # ---- two rules of their own -------------------------------------------------------

    def __add__(self, other: Value | float) -> Value:
        """``self + other``; ``other`` is a Value or a number.

        Its rule: d(a + b)/da = 1 and d(a + b)/db = 1.
        """
        ### BEGIN SOLUTION
        other = as_value(other)
        out = Value(self.data + other.data, (self, other))

        def push() -> None:
            # `+=`, because other parts of the expression may hand something on, too.
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out
        ### END SOLUTION

    def __mul__(self, other: Value | float) -> Value:
        """``self * other``; ``other`` is a Value or a number.

        Its rule: d(a·b)/da = b and d(a·b)/db = a.
        """
        ### BEGIN SOLUTION
        other = as_value(other)
        out = Value(self.data * other.data, (self, other))

        def push() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = push
        return out
        ### END SOLUTION

    # ---- the other operators ------------------------------------------------------------

    def __neg__(self) -> Value:
        """``-self``, whose derivative is -1."""
        ### BEGIN SOLUTION
        return self * -1
        ### END SOLUTION

    def __sub__(self, other: Value | float) -> Value:
        """``self - other``; ``other`` is a Value or a number.

        Its rule: d(a - b)/da = 1 and d(a - b)/db = -1.
        """
        ### BEGIN SOLUTION
        return self + (-other)
        ### END SOLUTION

    def __pow__(self, exponent: float) -> Value:
        """``self ** exponent``; ``exponent`` is a number, whole or not, negative too.

        Its rule: d(aⁿ)/da = n·aⁿ⁻¹.
        """
        ### BEGIN SOLUTION
        out = Value(self.data**exponent, (self,))

        def push() -> None:
            # a⁰ is 1 everywhere, so nothing moves; at 0 the rule would ask for 0⁻¹.
            if exponent:
                self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = push
        return out
        ### END SOLUTION

    def __truediv__(self, other: Value | float) -> Value:
        """``self / other``; ``other`` is a Value or a number.

        Its rule: d(a/b)/da = 1/b and d(a/b)/db = -a/b².
        """
        ### BEGIN SOLUTION
        return self * as_value(other) ** -1
        ### END SOLUTION

    # ---- a number on the left: Python asks the right-hand side --------------------------

    def __radd__(self, other: float) -> Value:
        """``other + self`` for a number ``other``: ``5 + x``. `sum` needs it: it starts at 0."""
        ### BEGIN SOLUTION
        return self + other
        ### END SOLUTION

    def __rsub__(self, other: float) -> Value:
        """``other - self`` for a number ``other``: ``5 - x``."""
        ### BEGIN SOLUTION
        return -self + other
        ### END SOLUTION

    def __rmul__(self, other: float) -> Value:
        """``other * self`` for a number ``other``: ``5 * x``."""
        ### BEGIN SOLUTION
        return self * other
        ### END SOLUTION

    def __rtruediv__(self, other: float) -> Value:
        """``other / self`` for a number ``other``: ``1 / x``."""
        ### BEGIN SOLUTION
        return self**-1 * other
        ### END SOLUTION

    # ---- functions ------------------------------------------------------------------------

    def exp(self) -> Value:
        """e to the power of ``self``. Its rule: d(eᵃ)/da = eᵃ."""
        ### BEGIN SOLUTION
        out = Value(math.exp(self.data), (self,))

        def push() -> None:
            self.grad += out.data * out.grad

        out._backward = push
        return out
        ### END SOLUTION

    def log(self) -> Value:
        """The natural logarithm of a positive ``self``. Its rule: d(ln a)/da = 1/a."""
        ### BEGIN SOLUTION
        out = Value(math.log(self.data), (self,))

        def push() -> None:
            self.grad += out.grad / self.data

        out._backward = push
        return out
        ### END SOLUTION

    def relu(self) -> Value:
        """``self`` where it is positive, else 0.

        Its rule: the derivative is 1 for a positive number and 0 for a negative one. At exactly
        0 there is no derivative; by convention the rule gives 0 there, as PyTorch does.
        """
        ### BEGIN SOLUTION
        out = Value(max(0.0, self.data), (self,))

        def push() -> None:
            self.grad += out.grad if self.data > 0 else 0.0

        out._backward = push
        return out
        ### END SOLUTION

    def tanh(self) -> Value:
        """The hyperbolic tangent. Its rule: d(tanh a)/da = 1 - tanh²a."""
        ### BEGIN SOLUTION
        out = Value(math.tanh(self.data), (self,))

        def push() -> None:
            self.grad += (1 - out.data**2) * out.grad

        out._backward = push
        return out
        ### END SOLUTION

    def sigmoid(self) -> Value:
        """``1 / (1 + exp(-self))``, built from `exp` and the operators.

        Its derivative is s·(1 - s), where s is the result; it follows from the parts. For a very
        negative number exp(-a) is too large for a float: there, use the equal form
        ``exp(self) / (1 + exp(self))``, so that -1000 gives 0.0 and no error. That form alone would
        fail for a large number: 1000 gives 1.0.
        """
        ### BEGIN SOLUTION
        if self.data >= 0:
            return 1 / (1 + (-self).exp())
        small = self.exp()
        return small / (1 + small)
        ### END SOLUTION

    # ---- the walk back --------------------------------------------------------------------

    def backward(self) -> None:
        """Add to the ``grad`` of every leaf the derivative of ``self`` with respect to it.

        It starts with ``self.grad = 1.0`` and calls ``_backward`` of every node once, each only
        after all nodes that were made from it. Where paths meet, derivatives add. A leaf that
        holds a ``grad`` from an earlier result adds to it. Meant for a fresh graph: a second
        call on the same one finds the intermediate nodes filled, and counts them again.

        Source: reverse accumulation, Linnainmaa 1970; Baydin et al. 2018, section 3.2.
        """
        ### BEGIN SOLUTION
        self.grad = 1.0
        for node in reversed(topological_order(self)):
            node._backward()
        ### END SOLUTION


def as_value(number: Value | float) -> Value:
    """A number becomes a leaf; a Value stays itself."""
    return number if isinstance(number, Value) else Value(number)


def topological_order(root: Value) -> list[Value]:
    """Every node that ``root`` was made from, ``root`` included, in an order to compute them.

    Each node is in the list once, after all nodes in its ``_prev``; ``root`` is the last. Two nodes
    are the same only if they are the same object, whatever their ``data``.

    Source: depth-first search, Tarjan 1976.
    """
    ### BEGIN SOLUTION
    # By a stack of our own: Python allows about 1000 calls inside one another, and the sum
    # of 1000 terms is a chain that long.
    order: list[Value] = []
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node._prev)
    return order
    ### END SOLUTION


def zero_grad(parameters: Iterable[Value]) -> None:
    """Set ``grad`` of every Value in ``parameters`` to 0.0; their ``data`` stays."""
    ### BEGIN SOLUTION
    for parameter in parameters:
        parameter.grad = 0.0
    ### END SOLUTION


def check_gradients(value: Callable[[], Value], epsilon: float = 1e-5) -> dict[Value, float]:
    """The distance of ``backward`` from the central difference, for every leaf of an expression.

    Args:
        value: a function without arguments that rebuilds the expression from its leaves:
            ``lambda: x * y + x``. It is called again after every nudge.
        epsilon: how far each leaf is nudged to either side.

    Returns:
        A dict with one entry per leaf: the leaf, and its relative error
        ``|g - n| / max(|g|, |n|, 1e-4)``, where g is the ``grad`` that ``backward`` leaves and
        n is the central difference. The 1e-4 keeps a derivative of 0 from dividing by 0.

    A leaf is a Value without ``_prev`` that is still there, as the same object, when ``value`` is
    called a second time. A number written into the expression becomes a new Value on every call, so
    it is not counted.

    Afterwards every leaf holds the ``data`` and the ``grad`` that it held before. What it held
    in ``grad`` before does not count as error.
    """
    ### BEGIN SOLUTION
    first, result = value(), value()
    again = {id(node) for node in topological_order(result)}
    leaves = [n for n in topological_order(first) if not n._prev and id(n) in again]

    held = [leaf.grad for leaf in leaves]
    zero_grad(leaves)
    result.backward()
    errors = {}
    for leaf, earlier in zip(leaves, held, strict=True):
        grad, leaf.grad = leaf.grad, earlier
        data = leaf.data
        leaf.data = data + epsilon
        above = value().data
        leaf.data = data - epsilon
        below = value().data
        leaf.data = data
        numeric = (above - below) / (2 * epsilon)
        errors[leaf] = abs(grad - numeric) / max(abs(grad), abs(numeric), 1e-4)
    return errors
    ### END SOLUTION


# ---- a network ------------------------------------------------------------------------------


class Neuron:
    """A weighted sum, a bias, and an activation that bends the result.

    Attributes:
        weights: a list of Values, one per input.
        bias: a Value.
        activation: ``"tanh"``, ``"relu"``, ``"sigmoid"`` or ``"linear"`` (nothing is bent).
    """

    def __init__(self, inputs: int, activation: str = "tanh") -> None:
        """Draw one weight per input, uniformly from -1 to 1; the bias starts at 0.

        Every weight is a separate Value, with its own number.
        """
        ### BEGIN SOLUTION
        self.weights = [Value(random.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Value(0.0)
        self.activation = activation
        ### END SOLUTION

    def __call__(self, x: Sequence[Value | float]) -> Value:
        """``activation(w₁·x₁ + w₂·x₂ + … + bias)``; ``x`` holds numbers or Values."""
        ### BEGIN SOLUTION
        total = self.bias
        for weight, number in zip(self.weights, x, strict=True):
            total = total + weight * number
        if self.activation == "linear":
            return total
        return {"tanh": total.tanh, "relu": total.relu, "sigmoid": total.sigmoid}[self.activation]()
        ### END SOLUTION

    def parameters(self) -> list[Value]:
        """The weights and the bias, in one flat list; each once.

        Every call makes a new list: a second call gives the same.
        """
        ### BEGIN SOLUTION
        return [*self.weights, self.bias]
        ### END SOLUTION


class Layer:
    """Several neurons side by side that all see the same inputs.

    Attributes:
        neurons: a list of Neurons, one per output.
    """

    def __init__(self, inputs: int, outputs: int, activation: str = "tanh") -> None:
        """``outputs`` separate neurons, each with ``inputs`` weights and this activation."""
        ### BEGIN SOLUTION
        self.neurons = [Neuron(inputs, activation) for _ in range(outputs)]
        ### END SOLUTION

    def __call__(self, x: Sequence[Value | float]) -> list[Value]:
        """A list of what the neurons return for ``x``, in the order of the neurons."""
        ### BEGIN SOLUTION
        return [neuron(x) for neuron in self.neurons]
        ### END SOLUTION

    def parameters(self) -> list[Value]:
        """The parameters of all neurons of the layer, in one flat list; each once.

        Every call makes a new list.
        """
        ### BEGIN SOLUTION
        return [p for neuron in self.neurons for p in neuron.parameters()]
        ### END SOLUTION


class MLP:
    """A multi-layer perceptron: layers, each fed the output of the one before it.

    Attributes:
        layers: a list of Layers.
    """

    def __init__(
        self, sizes: Sequence[int], activation: str = "tanh", output: str = "linear"
    ) -> None:
        """One layer per step from one size to the next: ``MLP([2, 8, 1])`` has two layers.

        Args:
            sizes: the number of inputs, then the number of neurons of every layer.
            activation: of every layer but the last.
            output: the activation of the last layer.
        """
        ### BEGIN SOLUTION
        last = len(sizes) - 2
        self.layers = [
            Layer(inputs, outputs, output if i == last else activation)
            for i, (inputs, outputs) in enumerate(zip(sizes[:-1], sizes[1:], strict=True))
        ]
        ### END SOLUTION

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        """The output of the last layer: a list of Values, or a bare Value if it has one neuron."""
        ### BEGIN SOLUTION
        signal: Sequence[Value | float] = x
        for layer in self.layers:
            signal = outputs = layer(signal)
        return outputs[0] if len(outputs) == 1 else outputs
        ### END SOLUTION

    def parameters(self) -> list[Value]:
        """The parameters of all layers, in one flat list; each once.

        Every call makes a new list.
        """
        ### BEGIN SOLUTION
        return [p for layer in self.layers for p in layer.parameters()]
        ### END SOLUTION


# ---- how wrong the network is ---------------------------------------------------------------


def mean_squared_error(predictions: Sequence[Value], targets: Sequence[float]) -> Value:
    """The mean of ``(prediction - target)²`` over all pairs.

    Args:
        predictions: Values.
        targets: as many numbers.
    """
    ### BEGIN SOLUTION
    squares = ((p - t) ** 2 for p, t in zip(predictions, targets, strict=True))
    return sum(squares, Value(0.0)) / len(predictions)
    ### END SOLUTION


def binary_cross_entropy(probabilities: Sequence[Value], targets: Sequence[float]) -> Value:
    """The mean of ``-(t·ln p + (1 - t)·ln(1 - p))`` over all pairs.

    Args:
        probabilities: Values strictly between 0 and 1, such as `sigmoid` makes.
        targets: as many numbers from 0 to 1; 1 where the answer is yes.

    Source: the negative log-likelihood of independent yes-or-no answers (Bernoulli).
    """
    ### BEGIN SOLUTION
    total = Value(0.0)
    for p, t in zip(probabilities, targets, strict=True):
        total = total - (t * p.log() + (1 - t) * (1 - p).log())
    return total / len(probabilities)
    ### END SOLUTION


# ---- three broken training loops, and yours -------------------------------------------------


def train_without_zeroing(
    parameters: list[Value], loss_of: Callable[[], Value], steps: int, rate: float
) -> list[float]:
    """Gradient descent with a bug: the gradients of all earlier steps are still there.

    ``loss_of()`` builds the loss again from the parameters.
    """
    losses = []
    for _ in range(steps):
        loss = loss_of()
        loss.backward()
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        losses.append(loss.data)
    return losses


def mended_zeroing(
    parameters: list[Value], loss_of: Callable[[], Value], steps: int, rate: float
) -> list[float]:
    """``train_without_zeroing``, fixed: every step uses the gradient of its own loss alone.

    Whatever the parameters hold in ``grad`` when the loop starts must not count, either.

    Returns:
        The loss of every step, as a number, taken before the step's update.
    """
    ### BEGIN SOLUTION
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        losses.append(loss.data)
    return losses
    ### END SOLUTION


def train_with_stale_limit(
    parameters: list[Value], loss_of: Callable[[], Value], steps: int, rate: float, limit: float
) -> list[float]:
    """Gradient descent that keeps every parameter between -limit and limit, with a bug.

    It edits ``data`` after the loss was built: from then on the graph is stale. Its nodes hold
    numbers that were computed from other parameters than the rules now find.
    """
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        for parameter in parameters:
            parameter.data = max(-limit, min(limit, parameter.data))
        loss.backward()
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        losses.append(loss.data)
    return losses


def mended_limit(
    parameters: list[Value], loss_of: Callable[[], Value], steps: int, rate: float, limit: float
) -> list[float]:
    """``train_with_stale_limit``, fixed: the limit is applied right after every update.

    So no ``data`` changes between a forward and its ``backward``, and after every step all
    parameters lie between -limit and limit.

    Returns:
        The loss of every step, as a number, taken before the step's update.
    """
    ### BEGIN SOLUTION
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for parameter in parameters:
            moved = parameter.data - rate * parameter.grad
            parameter.data = max(-limit, min(limit, moved))
        losses.append(loss.data)
    return losses
    ### END SOLUTION


def train_with_two_walks(
    parameters: list[Value],
    losses_of: Callable[[], tuple[Value, Value]],
    steps: int,
    rate: float,
) -> list[float]:
    """Gradient descent on the sum of two losses, with a bug: it walks one graph twice.

    ``losses_of()`` builds two losses at once. They share nodes: the second walk finds these
    filled by the first, and passes the same gradient on again.
    """
    totals = []
    for _ in range(steps):
        zero_grad(parameters)
        fit, penalty = losses_of()
        fit.backward()
        penalty.backward()
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        totals.append(fit.data + penalty.data)
    return totals


def mended_two_walks(
    parameters: list[Value],
    losses_of: Callable[[], tuple[Value, Value]],
    steps: int,
    rate: float,
) -> list[float]:
    """``train_with_two_walks``, fixed: every step uses the gradient of fit plus penalty.

    Returns:
        Fit plus penalty of every step, as a number, taken before the step's update.
    """
    ### BEGIN SOLUTION
    totals = []
    for _ in range(steps):
        zero_grad(parameters)
        fit, penalty = losses_of()
        total = fit + penalty
        total.backward()
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        totals.append(total.data)
    return totals
    ### END SOLUTION
