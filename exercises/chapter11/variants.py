"""Right solutions of chapter 11 that are written in other ways than the reference."""

from grader.course import Variant

from . import other_variants
from .closure_bodies import one, two

_G, _A, _C = "engines.grad_fn", "engines.apply", "engines.closure"

_BY_LOOPS = """\
while gradient.ndim > len(shape):
    gradient = gradient.sum(axis=0)
for axis, size in enumerate(shape):
    if size == 1:
        gradient = gradient.sum(axis=axis, keepdims=True)
return gradient"""

# Loops for what the reference does at once, lists for tuples, the walk in order everywhere.
RECURSIVE = Variant(
    "recursion-and-loops",
    bodies={
        f"{_G}.unbroadcast": _BY_LOOPS,
        f"{_G}.AddBackward.backward": (
            "return [unbroadcast(gradient, t.shape) for t in self.inputs]"
        ),
        f"{_G}.PowBackward.backward": (
            "a = self.inputs[0].data\n"
            "return [gradient * (self.exponent * np.power(a, self.exponent - 1.0))]"
        ),
        f"{_G}.ReLUBackward.backward": (
            "return (np.where(self.inputs[0].data > 0, gradient, 0.0),)"
        ),
        f"{_G}.MatMulBackward.backward": (
            "a, b = (t.data for t in self.inputs)\n"
            "return np.einsum('mn,kn->mk', gradient, b), np.einsum('mk,mn->kn', a, gradient)"
        ),
        f"{_G}.CrossEntropyBackward.backward": (
            "x = self.inputs[0].data\nx = x - np.max(x, axis=1, keepdims=True)\n"
            "p = np.exp(x - np.log(np.sum(np.exp(x), axis=1, keepdims=True)))\n"
            "return (gradient * (p - np.eye(x.shape[1])[self.labels]) / x.shape[0],)"
        ),
        f"{_G}.Tensor.backward": "backward_in_order(self, gradient)",
        f"{_G}.backward_in_order": (
            "order, seen = [], set()\n\ndef visit(t):\n"
            "    if id(t) in seen or not t.requires_grad:\n        return\n"
            "    seen.add(id(t))\n    if t.grad_fn is not None:\n"
            "        for source in t.grad_fn.inputs:\n            visit(source)\n"
            "    order.append(t)\n\nvisit(root)\n"
            "sums = {id(t): np.zeros_like(t.data) for t in order}\n"
            "if root.requires_grad:\n"
            "    sums[id(root)] += 1.0 if gradient is None else gradient\n"
            "for t in order[::-1]:\n"
            "    t.grad = sums[id(t)] + (0.0 if t.grad is None else t.grad)\n"
            "    if t.grad_fn is not None:\n"
            "        for source, part in zip(t.grad_fn.inputs, "
            "t.grad_fn.backward(sums[id(t)])):\n"
            "            if source.requires_grad:\n                sums[id(source)] += part"
        ),
        f"{_G}.visits": (
            "if not root.requires_grad:\n    return 0\ncount, stack = 0, [root]\n"
            "while stack:\n    t = stack.pop()\n"
            "    if t.grad_fn is not None and t.requires_grad:\n        count += 1\n"
            "        stack.extend(t.grad_fn.inputs)\nreturn count"
        ),
        f"{_G}.Linear.__init__": (
            "rng = np.random.default_rng() if rng is None else rng\nb = inputs ** -0.5\n"
            "self.weight = Tensor((2 * rng.random((outputs, inputs)) - 1) * b, True)\n"
            "self.bias = Tensor([0.0] * outputs, True)"
        ),
        f"{_A}.Function.apply": (
            "made = [x if isinstance(x, Tensor) else Tensor(x) for x in inputs]\n"
            "ctx = Context(cls, tuple(made))\n"
            "out = Tensor(np.array(cls.forward(ctx, *[t.data for t in made], **options)))\n"
            "for t in made:\n    if t.requires_grad:\n"
            "        out.requires_grad, out._creator = True, ctx\nreturn out"
        ),
        f"{_A}.Tensor.backward": (
            "if not self.requires_grad:\n    return\n"
            "if gradient is None and self.data.size > 1:\n"
            "    raise ValueError('Which gradient shall it start from?')\n"
            "sums = {}\n\ndef arrive(t, g):\n"
            "    sums[id(t)] = np.add(sums.get(id(t), 0.0), g)\n\n"
            "arrive(self, np.ones(self.shape) if gradient is None else gradient)\n"
            "for t in topological_order(self)[::-1]:\n"
            "    if id(t) not in sums or not t.requires_grad:\n        continue\n"
            "    g = sums[id(t)]\n    if t._creator is None:\n"
            "        t.grad = g.copy() if t.grad is None else t.grad + g\n        continue\n"
            "    back = t._creator.function.backward(t._creator, g)\n"
            "    back = back if isinstance(back, (tuple, list)) else [back]\n"
            "    for source, part in zip(t._creator.inputs, back):\n"
            "        if part is not None:\n            arrive(source, part)"
        ),
        f"{_A}.Sum.backward": (
            "shape = list(ctx.shape)\nfor axis in range(len(shape)) if ctx.axis is None else "
            "np.atleast_1d(ctx.axis):\n    shape[axis] = 1\n"
            "return gradient.reshape(shape) * np.ones(ctx.shape)"
        ),
        f"{_A}.Tanh.forward": (
            "e = np.exp(2 * a)\nt = (e - 1) / (e + 1)\nctx.save_for_backward(t)\nreturn t"
        ),
        f"{_A}.Tensor.__repr__": (
            "return 'Tensor(data=' + str(self.data) + ', requires_grad=' + "
            "str(self.requires_grad) + ')'"
        ),
        f"{_C}._unbroadcast": _BY_LOOPS,
    },
)

# New arrays instead of `+=`, rules of their own instead of compositions, and the reverse.
COMPOSED = Variant(
    "composed-and-rebound",
    bodies={
        f"{_C}.Tensor.__add__": two(
            "self.data + other.data",
            "self.grad + _unbroadcast(out.grad, self.shape)",
            "other.grad + _unbroadcast(out.grad, other.shape)",
            "{0} = {1}",
        ),
        f"{_C}.Tensor.mean": (
            "out = Tensor(self.data.mean(axis=axis, keepdims=keepdims), _prev=[self])\n\n"
            "def push():\n    g = out.grad / (self.data.size / out.data.size)\n"
            "    if axis is not None and not keepdims:\n        g = np.expand_dims(g, axis)\n"
            "    self.grad = self.grad + g\n\nout._backward = push\nreturn out"
        ),
        f"{_C}.Tensor.tanh": (
            "value = np.tanh(self.data)\n"
            + one("value", "out.grad * (1 - value * value)", "self.grad = self.grad + {0}")
        ),
        f"{_C}.Tensor.log_softmax": (
            "top = self.data.max(axis=-1, keepdims=True)\n"
            "e = np.exp(self.data - top)\np = e / e.sum(axis=-1, keepdims=True)\n"
            "value = self.data - top - np.log(e.sum(axis=-1, keepdims=True))\n"
            + one("value", "out.grad - p * np.sum(out.grad, axis=-1, keepdims=True)")
        ),
        f"{_C}.stack": (
            "out = Tensor(np.array([t.data for t in tensors]), _prev=tuple(tensors))\n"
            "pushes = []\nfor i, t in enumerate(tensors):\n"
            "    def push(i=i, t=t):\n        t.grad = t.grad + out.grad[i]\n"
            "    pushes.append(push)\n\ndef all_of_them():\n    for push in pushes:\n"
            "        push()\n\nout._backward = all_of_them\nreturn out"
        ),
        f"{_C}.cross_entropy": (
            "hot = np.eye(logits.shape[1])[np.asarray(y, dtype=int)]\n"
            "return -(logits.log_softmax() * hot).sum(axis=1).mean()"
        ),
        f"{_C}.Tensor.backward": (
            "order, seen = [], set()\n\ndef visit(t):\n    if t not in seen:\n"
            "        seen.add(t)\n        for source in t._prev:\n            visit(source)\n"
            "        order.append(t)\n\nvisit(self)\n"
            "self.grad = np.ones(self.shape) if gradient is None else np.array(gradient)\n"
            "while order:\n    order.pop()._backward()"
        ),
        f"{_C}.Linear.__init__": (
            "self.weight = Tensor(rng.normal(size=(inputs, outputs)) * inputs ** -0.5)\n"
            "self.bias = Tensor([0.0] * outputs)"
        ),
        f"{_C}.MLP.__call__": (
            "for layer in self.layers[:-1]:\n    x = layer(x).tanh()\nreturn self.layers[-1](x)"
        ),
        f"{_G}.train_step": (
            "for layer in model.parameters():\n    layer.grad = None\n"
            "loss = cross_entropy(model(Tensor(x)), y)\nbackward_in_order(loss)\n"
            "for p in model.parameters():\n    p.data = p.data - lr * p.grad\n"
            "return loss.data.item()"
        ),
        f"{_G}.MLP.__call__": (
            "for i, layer in enumerate(self.layers):\n    x = layer(x)\n"
            "    if i < len(self.layers) - 1:\n        x = x.relu()\nreturn x"
        ),
        f"{_A}.Pow.forward": (
            "if not isinstance(exponent, (int, float, np.integer, np.floating)):\n"
            "    raise TypeError('number')\nctx.n = exponent\nctx.save_for_backward(a)\n"
            "return np.power(a, float(exponent))"
        ),
        f"{_A}.Pow.backward": (
            "return gradient * ctx.n * np.power(ctx.saved[0], float(ctx.n) - 1)"
        ),
        "zoo.gradients_of": (
            "made = tuple(map(leaf, numbers))\nroot = expression(*made)\nroot.backward()\n"
            "return tuple(m.grad for m in made)"
        ),
    },
)

VARIANTS = (RECURSIVE, COMPOSED, other_variants.COUNTED, other_variants.SMALL)
