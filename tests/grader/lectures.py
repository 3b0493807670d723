"""Code as five lectures on this subject write it, in our words and with their names.

Each is code for one exercise. Some of it is right here as it stands; for the rest the learner is
told what it is called here.
"""

from __future__ import annotations

from typing import NamedTuple


class Block(NamedTuple):
    """A block of code from a lecture.

    Attributes:
        exercise: what it is written for.
        bodies: target → body, with the lecture's names.
        edits: (file, old text, new text), for what lies outside of the bodies: signatures, names.
        row: the row of `exceptions.py`, or the mistake, that speaks of it; empty where it runs.
        says: words of what the learner is told.
    """

    exercise: str
    bodies: dict[str, str] = {}
    edits: tuple[tuple[str, str, str], ...] = ()
    row: str = ""
    says: str = ""


def result_of(value: str, made_with: str, rule: str, engine: str = "engines.closure.Tensor") -> str:
    kind = engine.rpartition(".")[2]
    return (
        f"out = {kind}({value}, {made_with})\ndef _backward():\n    self.grad += {rule}\n"
        "out._backward = _backward\nreturn out"
    )


TOPO = """\
topo, visited = [], set()
def build_topo(v):
    if v not in visited:
        visited.add(v)
        for child in v.{0}:
            build_topo(child)
        topo.append(v)
build_topo({1})
"""
WALK = "self.grad = {2}\nfor v in reversed(topo):\n    v._backward()"
SCALAR, CLOSURE = "scalar.Value", "engines.closure.Tensor"
VALUE = "def __init__(self, data: float, _prev: tuple[Value, ...] = ()) -> None:"
SIZES = 'self, sizes: Sequence[int], activation: str = "tanh", output: str = "linear"'
LAYER = "Layer({0}, 'linear' if i + 1 == len(nouts) else 'tanh')"
OUT_GRAD = "out.grad * out.data"
TANH = "out.grad * (1 - out.data**2)"
PRODUCT = """\
other = as_tensor(other)
out = Tensor(self.data * other.data, _prev=(self, other))
def _backward():
    self.grad += {0}(other.data * out.grad, self.shape)
    other.grad += {0}(self.data * out.grad, other.shape)
out._backward = _backward
return out"""

MICROGRAD = {
    "a set of children": Block(
        "chapter1.value.init",
        {f"{SCALAR}.__init__": "self.data, self.grad = data, 0\nself._backward = lambda: None\n"
         "self._prev = set(_children)\nself._op = _op"},
        (("scalar.py", VALUE, "def __init__(self, data, _children=(), _op=''):"),),
    ),
    "topo": Block(
        "chapter1.topological_order",
        {"scalar.topological_order": TOPO.format("_prev", "root") + "return topo"},
    ),
    "topo of children": Block(
        "chapter1.topological_order",
        {"scalar.topological_order": TOPO.format("_children", "root") + "return topo"},
        row="_children-is-_prev", says="`_children`, as in micrograd, is `_prev` here",
    ),
    "an op by position": Block(
        "chapter1.value.exp",
        {f"{SCALAR}.exp": result_of("math.exp(self.data)", "(self,), 'exp'", OUT_GRAD, SCALAR)},
        row="op-by-position", says="`Value(data, parents)` here",
    ),
    "an op by name": Block(
        "chapter1.value.exp",
        {f"{SCALAR}.exp": result_of("math.exp(self.data)", "(self,), _op='exp'", OUT_GRAD, SCALAR)},
        row="name-of-the-op", says="leave it out",
    ),
    "w and b": Block(
        "chapter1.neuron.init",
        {"scalar.Neuron.__init__":
         "self.w = [Value(random.uniform(-1, 1)) for _ in range(inputs)]\n"
         "self.b = Value(0)\nself.activation = activation"},
        row="w-for-weights", says="`weights` is the name here. Or did you write `w`",
    ),
    "w and b in a call": Block(
        "chapter1.neuron.call",
        {"scalar.Neuron.__call__": "return sum((w * n for w, n in zip(self.w, x)), self.b).tanh()"},
        row="w-is-weights", says="`w`, as in micrograd, is `weights` here",
    ),
    "inputs, then outputs": Block(
        "chapter1.mlp.init",
        {"scalar.MLP.__init__": "sz = [nin] + nouts\n"
         f"self.layers = [{LAYER.format('sz[i], sz[i + 1]')} for i in range(len(nouts))]"},
        (("scalar.py", SIZES, "self, nin, nouts"),),
        "sizes-in-a-list", "`MLP([3, 4, 4, 1])` here",
    ),
    "gradients of a Value": Block(
        "chapter1.check_gradients",
        {"scalar.check_gradients":
         "value.backward()\nreturn {v: v.grad for v in topological_order(value)}"},
        row="not-called", says="Call it",
    ),
    "retain_graph": Block(
        "chapter1.check_gradients",
        {"scalar.check_gradients": "value().backward(retain_graph=True)\nreturn {}"},
        row="retain-graph", says="leaves the graph as it is",
    ),
    "nin=": Block(
        "chapter1.layer.init",
        {"scalar.Layer.__init__":
         "self.neurons = [Neuron(nin=inputs) for _ in range(outputs)]"},
        row="nin-is-inputs", says="`nin`, as in micrograd, is `inputs` here",
    ),
}  # fmt: skip

RULE = "engines.grad_fn.{0}Backward.backward"
TAKES = "a, b = self.inputs\n"
GRAD_FN = {
    "functions, in a network of one's own": Block(
        "chapter11.grad_fn.train_step", {},
        (("engines/grad_fn.py", "return x @ self.weight.T + self.bias",
          "return add(matmul(x, transpose(self.weight)), self.bias)"),
         ("engines/grad_fn.py", "x = layer(x).relu()", "x = mul(relu(layer(x)), 1.0)")),
    ),
    "rules that recurse": Block(
        "chapter11.grad_fn.mul",
        {RULE.format("Mul"): TAKES + "a.backward(unbroadcast(gradient * b.data, a.shape))\n"
         "b.backward(unbroadcast(gradient * a.data, b.shape))"},
        row="recurses", says="Here a rule only returns",
    ),
    "one input that recurses": Block(
        "chapter11.grad_fn.sigmoid",
        {RULE.format("Sigmoid"): "(a,) = self.inputs\nif a.requires_grad:\n"
         "    a.backward(gradient * self.out * (1 - self.out))"},
        row="recurses", says="returns nothing",
    ),
    "saved_tensors of a rule": Block(
        "chapter11.grad_fn.mul",
        {RULE.format("Mul"):
         "a, b = self.saved_tensors\nreturn gradient * b.data, gradient * a.data"},
        row="saved_tensors-is-inputs", says="`saved_tensors`, as in PyTorch, is `inputs` here",
    ),
    ".cross_entropy": Block(
        "chapter11.grad_fn.train_step",
        {"engines.grad_fn.train_step": "loss = model(Tensor(x)).cross_entropy(y)\nloss.backward()"},
        row="function-of-grad-fn", says="it is a function",
    ),
    "layers called fc1": Block(
        "chapter11.grad_fn.train_step",
        {"engines.grad_fn.train_step": "model.fc1.weight.grad = None\nreturn 0.0"},
        row="any-model", says="it has `parameters()`",
    ),
    "backward(grad=)": Block(
        "chapter11.grad_fn.train_step",
        {"engines.grad_fn.train_step": "for p in model.parameters():\n    p.grad = None\n"
         "loss = cross_entropy(model(Tensor(x)), y)\nloss.backward(grad=np.ones(()))\n"
         "for p in model.parameters():\n    p.data -= lr * p.grad\nreturn float(loss.data)"},
        row="grad-is-gradient", says="is `gradient` here",
    ),
    "backward(retain_graph=)": Block(
        "chapter11.grad_fn.train_step",
        {"engines.grad_fn.train_step": "loss = cross_entropy(model(Tensor(x)), y)\n"
         "loss.backward(retain_graph=True)\nreturn float(loss.data)"},
        row="retain-graph", says="leaves the graph as it is",
    ),
    "Linear(in_features=)": Block(
        "chapter11.grad_fn.train_step",
        {"engines.grad_fn.train_step": "model = Linear(in_features=2, out_features=2)\nreturn 0.0"},
        row="in_features-is-inputs", says="`in_features`, as in PyTorch, is `inputs` here",
    ),
    "def backward(grad)": Block(
        "chapter11.grad_fn.backward",
        {"engines.grad_fn.Tensor.backward": "if not self.requires_grad:\n    return\n"
         "grad = np.ones_like(self.data) if grad is None else np.asarray(grad, np.float64)\n"
         "self.grad = grad.copy() if self.grad is None else self.grad + grad\n"
         "if self.grad_fn is not None:\n"
         "    for parent, g in zip(self.grad_fn.inputs, self.grad_fn.backward(grad)):\n"
         "        parent.backward(g)"},
        (("engines/grad_fn.py", "def backward(self, gradient: Any = None)",
          "def backward(self, grad: Any = None)"),),
    ),
}  # fmt: skip

APPLY = {
    "saved_tensors": Block(
        "chapter11.apply.mul",
        {"engines.apply.Mul.backward": "a, b = ctx.saved_tensors\n"
         "return unbroadcast(gradient * b, a.shape), unbroadcast(gradient * a, b.shape)"},
    ),
    "backward of the creator": Block(
        "chapter11.apply.backward",
        {"engines.apply.Tensor.backward": "self._creator.backward(np.ones_like(self.data))"
         " if self._creator else None"},
        row="backward-is-backward", says="is `function.backward(context, …)` here",
    ),
    "an object for each call": Block(
        "chapter11.apply.apply",
        {"engines.apply.Function.apply": "ctx = cls(*inputs)\n"
         "return Tensor(cls.forward(ctx, *[as_tensor(each).data for each in inputs]))"},
        row="no-objects", says="A Function has no objects here",
    ),
    "parents of the creator": Block(
        "chapter11.apply.backward",
        {"engines.apply.Tensor.backward": "if not self.requires_grad:\n    return\n"
         "for each in self._creator.parents:\n    each.grad = gradient"},
        row="parents-is-inputs", says="`parents`, as in lectures, is `inputs` here",
    ),
    "power=": Block(
        "chapter3.pow.operator",
        {"tensor.Tensor.__pow__": "return ops.PowerScalar(power=other)(self)"},
        row="power-is-scalar", says="`power`, as in lectures, is `scalar` here",
    ),
    "saved_values": Block(
        "chapter11.apply.mul",
        {"engines.apply.Mul.backward":
         "a, b = ctx.saved_values\nreturn gradient * b, gradient * a"},
        row="saved_values-is-saved", says="`saved_values`, as in minitorch, is `saved` here",
    ),
}  # fmt: skip

CLOSURES = {
    "parents and an op": Block(
        "chapter11.closure.tanh",
        {f"{CLOSURE}.tanh": result_of("np.tanh(self.data)", "(self,), 'tanh'", TANH)},
        row="parents-by-position", says="`Tensor(data, _prev=parents)` here",
    ),
    "parents alone": Block(
        "chapter11.closure.tanh",
        {f"{CLOSURE}.tanh": result_of("np.tanh(self.data)", "(self,)", TANH)},
        row="parents-by-position", says="`Tensor(data, _prev=parents)` here",
    ),
    "_parents=": Block(
        "chapter11.closure.tanh",
        {f"{CLOSURE}.tanh": result_of("np.tanh(self.data)", "_parents=(self,)", TANH)},
        row="_parents-is-_prev", says="`_parents`, as in lectures, is `_prev` here",
    ),
    "a walk along _parents": Block(
        "chapter11.closure.backward",
        {f"{CLOSURE}.backward":
         (TOPO + WALK).format("_parents", "self", "np.ones_like(self.data)")},
        row="_parents-is-_prev", says="`_parents`, as in lectures, is `_prev` here",
    ),
    "Tensor._unbroadcast": Block(
        "chapter11.closure.mul", {f"{CLOSURE}.__mul__": PRODUCT.format("Tensor._unbroadcast")},
        row="function-of-closure", says="it is a function",
    ),
    "self._unbroadcast": Block(
        "chapter11.closure.mul", {f"{CLOSURE}.__mul__": PRODUCT.format("self._unbroadcast")},
        row="function-of-closure", says="it is a function",
    ),
}  # fmt: skip

BASE = "def __init__(self, parameters: Iterable[Tensor], lr: float) -> None:"
BOOK = {
    "a base without a rate": Block(
        "chapter5.optimizer.init", {"optim.Optimizer.__init__": "self.params = params"},
        (("optim.py", BASE, "def __init__(self, params):"),),
        "rate-in-the-base", "`Optimizer(parameters, lr)` here",
    ),
    "a rate of its own": Block(
        "chapter5.sgd.init",
        {"optim.SGD.__init__": "super().__init__(parameters)\nself.lr = lr"},
        row="rate-in-the-base", says="`Optimizer(parameters, lr)` here",
    ),
    "params": Block(
        "chapter5.optimizer.init",
        {"optim.Optimizer.__init__": "self.params, self.lr = list(parameters), lr"},
        row="params-for-parameters", says="Or did you write `params`",
    ),
    "a loop over params": Block(
        "chapter5.optimizer.zero_grad",
        {"optim.Optimizer.zero_grad": "for p in self.params:\n    p.grad = None"},
        row="params-is-parameters", says="`params`, as in needle, is `parameters` here",
    ),
    "beta1": Block(
        "chapter5.adam.direction",
        {"optim.Adam.direction": "return gradient * (1 - self.beta1)"},
        row="beta1-is-betas", says="`beta1`, as in needle, is `betas` here",
    ),
    "apply_transform": Block(
        "chapter6.dataset.apply_transforms", {},
        (("data.py", "def apply_transforms(", "def apply_transform("),),
        says="Did you mean `apply_transforms`?",
    ),
    "a row through apply_transform": Block(
        "chapter6.array_dataset",
        {"data.ArrayDataset.__getitem__": "x, *others = (array[index] for array in self.arrays)\n"
         "return (self.apply_transform(x), *others)"},
        row="apply_transform-is-apply_transforms", says="is `apply_transforms` here",
    ),
    "LogSumExp(axes)": Block(
        "chapter4.logsumexp.forward", {},
        (("ops.py", "class LogSumExp(Function):\n"
          '    """``log Σ eᵃ`` over some axes, or over all of them: a smooth maximum."""\n\n'
          "    def __init__(self, axes: int | tuple[int, ...] | None = None) -> None:",
          "class LogSumExp(Function):\n    def __init__(self, axes):"),),
        "all-axes", "`axes` needs the default None",
    ),
    "multiply": Block(
        "chapter3.log.backward",
        {"ops.Log.backward": "(a,) = node._inputs\nreturn multiply(out_grad, a ** -1)"},
        row="multiply-is-mul", says="`multiply`, as in NumPy, is `mul` here",
    ),
    "realize_cached_data": Block(
        "chapter3.exp.backward",
        {"ops.Exp.backward":
         "(a,) = node._inputs\nreturn out_grad * Tensor(np.exp(a.realize_cached_data()))"},
        row="cached_data-is-data", says="`realize_cached_data`, as in needle, is `data` here",
    ),
    "a Tensor of parents": Block(
        "chapter3.negate.operator",
        {"tensor.Tensor.__neg__": "return Tensor(-self.data, (self,), 'neg')"},
        row="graph-by-position", says="`Function.__call__`",
    ),
}  # fmt: skip

LECTURES = {
    "micrograd": MICROGRAD, "grad_fn": GRAD_FN, "apply": APPLY, "closures": CLOSURES, "book": BOOK,
}  # fmt: skip
