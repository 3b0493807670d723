"""Engines as others write them, one per style that the course teaches; in our words.

Each is a package of files, with the names and the signatures that are usual where it comes from.
"""

from __future__ import annotations

MICROGRAD = {
    "micrograd/engine.py": '''
import math

class Value:
    """stores a single scalar value and its gradient"""

    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __pow__(self, other):
        assert isinstance(other, (int, float)), "only int and float powers"
        out = Value(self.data**other, (self,), f'**{other}')

        def _backward():
            self.grad += other * self.data**(other - 1) * out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')

        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), 'tanh')

        def _backward():
            self.grad += (1 - t**2) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1
''',
    "micrograd/nn.py": """
import random
from micrograd.engine import Value

class Module:
    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0

    def parameters(self):
        return []

class Neuron(Module):
    def __init__(self, nin, nonlin=True):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0)
        self.nonlin = nonlin

    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu() if self.nonlin else act

    def parameters(self):
        return self.w + [self.b]

class Layer(Module):
    def __init__(self, nin, nout, **kwargs):
        self.neurons = [Neuron(nin, **kwargs) for _ in range(nout)]

    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]

class MLP(Module):
    def __init__(self, nin, nouts):
        sz = [nin] + nouts
        self.layers = [Layer(sz[i], sz[i + 1], nonlin=i != len(nouts) - 1)
                       for i in range(len(nouts))]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]
""",
}

CLOSURES = {
    "mygrad/tensor.py": """
import numpy as np

def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(axis=i, keepdims=True)
    return grad

class Tensor:
    def __init__(self, data, requires_grad=True, _children=(), _op=''):
        self.data = np.array(data, dtype=np.float64)
        self.grad = np.zeros_like(self.data)
        self._backward = lambda: None
        self._children = _children

    @property
    def shape(self):
        return self.data.shape

    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, _children=(self, other), _op='+')
        def _backward():
            self.grad += unbroadcast(out.grad, self.shape)
            other.grad += unbroadcast(out.grad, other.shape)
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, _children=(self, other), _op='*')
        def _backward():
            self.grad += unbroadcast(other.data * out.grad, self.shape)
            other.grad += unbroadcast(self.data * out.grad, other.shape)
        out._backward = _backward
        return out

    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, _children=(self, other))
        def _backward():
            self.grad += out.grad @ other.data.T
            other.grad += self.data.T @ out.grad
        out._backward = _backward
        return out

    def tanh(self):
        t = np.tanh(self.data)
        out = Tensor(t, _children=(self,))
        def _backward():
            self.grad += (1 - t**2) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._children:
                    build(child)
                topo.append(v)
        build(self)
        self.grad = np.ones_like(self.data)
        for v in reversed(topo):
            v._backward()
""",
    "mygrad/nn.py": """
import numpy as np
from .tensor import Tensor

class Linear:
    def __init__(self, nin, nout):
        self.W = Tensor(np.random.randn(nin, nout))
        self.b = Tensor(np.zeros(nout))

    def __call__(self, x):
        return x @ self.W + self.b

    def parameters(self):
        return [self.W, self.b]

class MyMLP:
    def __init__(self):
        self.fc1, self.fc2 = Linear(4, 8), Linear(8, 2)

    def __call__(self, x):
        return self.fc2(self.fc1(x).tanh())
""",
}

APPLY = {
    "autograd.py": """
import numpy as np

class Context:
    def __init__(self):
        self.saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

class Function:
    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = Context()
        raw = [a.data if isinstance(a, Tensor) else a for a in args]
        out = Tensor(cls.forward(ctx, *raw, **kwargs), requires_grad=True)
        out._ctx, out._fn, out._parents = ctx, cls, args
        return out

class Tensor:
    def __init__(self, data, requires_grad=False):
        self.data = np.asarray(data, dtype=np.float64)
        self.grad, self.requires_grad, self._ctx = None, requires_grad, None

    def __mul__(self, other):
        return Mul.apply(self, other)

    def tanh(self):
        return Tanh.apply(self)

    def backward(self, grad=None):
        if self._ctx is None:
            return
        grads = self._fn.backward(self._ctx, np.ones_like(self.data) if grad is None else grad)
        for parent, g in zip(self._parents, grads if isinstance(grads, tuple) else (grads,)):
            parent.grad = g if parent.grad is None else parent.grad + g
            parent.backward(g)

class Mul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        return grad_output * b, grad_output * a

class Sum(Function):
    @staticmethod
    def forward(ctx, a, axis=None, keepdims=False):
        ctx.shape, ctx.axis, ctx.keepdims = a.shape, axis, keepdims
        return a.sum(axis=axis, keepdims=keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        if ctx.axis is not None and not ctx.keepdims:
            grad_output = np.expand_dims(grad_output, ctx.axis)
        return np.broadcast_to(grad_output, ctx.shape)

class Tanh(Function):
    @staticmethod
    def forward(ctx, a):
        t = np.tanh(a)
        ctx.save_for_backward(t)
        return t

    @staticmethod
    def backward(ctx, grad_output):
        (t,) = ctx.saved_tensors
        return grad_output * (1 - t ** 2)
""",
}

GRAD_FN = {
    "engine.py": """
import numpy as np

class BackwardFunction:
    def __init__(self, *inputs):
        self.inputs = inputs

class MulBackward(BackwardFunction):
    def backward(self, grad):
        a, b = self.inputs
        return grad * b.data, grad * a.data

class SigmoidBackward(BackwardFunction):
    def __init__(self, a, out):
        self.inputs, self.out = (a,), out

    def backward(self, grad):
        return (grad * self.out * (1 - self.out),)

class Tensor:
    def __init__(self, data, requires_grad=False, _creator=None):
        self.data = np.array(data, dtype=np.float64)
        self.requires_grad = requires_grad
        self.grad = None
        self._creator = _creator

    def __mul__(self, other):
        return Tensor(self.data * other.data, True, MulBackward(self, other))

    def backward(self, grad=None):
        if not self.requires_grad:
            return
        grad = np.ones_like(self.data) if grad is None else np.asarray(grad)
        self.grad = grad.copy() if self.grad is None else self.grad + grad
        if self._creator is not None:
            for parent, g in zip(self._creator.inputs, self._creator.backward(grad)):
                parent.backward(g)

def train_step(model, x, y, lr):
    for p in model.parameters():
        p.grad = None
    loss = cross_entropy(model(Tensor(x)), y)
    loss.backward()
    for p in model.parameters():
        p.data -= lr * p.grad
    return float(loss.data)
""",
}

ENGINES = {  # our file → what others write of its style
    "scalar.py": MICROGRAD,
    "engines/closure.py": CLOSURES,
    "engines/apply.py": APPLY,
    "engines/grad_fn.py": GRAD_FN,
}
