"""A textbook engine, where the ladder of benchmarks/lean_ladder.py begins.

Every op is a class, every rule is written with Tensors, every result is a node. Arrays have two
axes throughout: a bias is (1, out), a sum keeps its axis.
"""

import numpy as np


class Tensor:
    """An array, its gradient, and the op that made it."""

    def __init__(self, data):
        self.data = np.array(data, dtype=np.float64)
        self.grad = None
        self.op = None
        self.inputs = ()

    shape = property(lambda self: self.data.shape)
    T = property(lambda self: Transpose()(self))

    def __add__(self, other):
        return Add()(self, tensor(other))

    def __sub__(self, other):
        return Sub()(self, tensor(other))

    def __mul__(self, other):
        return Mul()(self, tensor(other))

    def __truediv__(self, other):
        return Div()(self, tensor(other))

    def __neg__(self):
        return Neg()(self)

    def __matmul__(self, other):
        return MatMul()(self, other)

    def sum(self, axis, keepdims=True):
        return Sum(axis)(self)

    def backward(self):
        order, seen = [], set()

        def visit(node):
            seen.add(node)
            for source in node.inputs:
                if source not in seen:
                    visit(source)
            order.append(node)

        visit(self)
        for node in order:
            node.grad = Tensor(np.zeros(node.shape))
        self.grad = Tensor(np.ones(self.shape))
        for node in reversed(order):
            if node.op is not None:
                parts = node.op.backward(node.grad, node, *node.inputs)
                for source, part in zip(node.inputs, parts, strict=True):
                    source.grad = source.grad + part


def tensor(value):
    return value if isinstance(value, Tensor) else Tensor(value)


def fit(grad, shape):
    """``grad`` summed over the batch, where an input of one row was stretched over it."""
    return grad.sum(0, keepdims=True) if shape[0] < grad.shape[0] else grad


class Op:
    def __call__(self, *inputs):
        out = Tensor(self.forward(*[x.data for x in inputs]))
        out.op, out.inputs = self, inputs
        return out


class Add(Op):
    def forward(self, a, b):
        return a + b

    def backward(self, g, out, a, b):
        return g, fit(g, b.shape)


class Sub(Op):
    def forward(self, a, b):
        return a - b

    def backward(self, g, out, a, b):
        return g, -g


class Mul(Op):
    def forward(self, a, b):
        return a * b

    def backward(self, g, out, a, b):
        return g * b, g * a


class Div(Op):
    def forward(self, a, b):
        return a / b

    def backward(self, g, out, a, b):
        return g / b, -g * out / b


class Neg(Op):
    def forward(self, a):
        return -a

    def backward(self, g, out, a):
        return (-g,)


class MatMul(Op):
    def forward(self, a, b):
        return a @ b

    def backward(self, g, out, a, b):
        return g @ b.T, a.T @ g


class Transpose(Op):
    def forward(self, a):
        return a.T

    def backward(self, g, out, a):
        return (g.T,)


class Sum(Op):
    def __init__(self, axis):
        self.axis = axis

    def forward(self, a):
        return a.sum(self.axis, keepdims=True)

    def backward(self, g, out, a):
        return (g * np.ones(a.shape),)


class Exp(Op):
    def forward(self, a):
        return np.exp(a)

    def backward(self, g, out, a):
        return (g * out,)


class Log(Op):
    def forward(self, a):
        return np.log(a)

    def backward(self, g, out, a):
        return (g / a,)


class Tanh(Op):
    def forward(self, a):
        return np.tanh(a)

    def backward(self, g, out, a):
        return (g - g * out * out,)


class Network:
    """Linear layers with tanh between them, the cross-entropy of a softmax, gradient descent."""

    def __init__(self, arrays, rate):
        self.parameters = [Tensor(np.atleast_2d(array)) for array in arrays]
        self.rate = rate

    def scores(self, x):
        *inner, last = zip(self.parameters[::2], self.parameters[1::2], strict=True)
        for weight, bias in inner:
            x = Tanh()(x @ weight + bias)
        weight, bias = last
        return x @ weight + bias

    def loss(self, scores, y):
        """The mean of log Σ eˢ - s[right]."""
        right = np.eye(scores.shape[1])[y]
        log_sum = Log()(Exp()(scores).sum(1))
        return (log_sum - (scores * right).sum(1)).sum(0) * np.full((1, 1), 1 / len(y))

    def step(self, x, y):
        loss = self.loss(self.scores(Tensor(x)), y)
        loss.backward()
        for parameter in self.parameters:
            parameter.data = parameter.data - self.rate * parameter.grad.data
        return loss.data.item()
