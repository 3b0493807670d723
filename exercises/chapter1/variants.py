"""Right solutions of chapter 1 that are written in other ways than the reference."""

from grader.course import Variant

from .bodies import one, two

# Rules for everything, a set of inputs, and a walk by recursion, all in one method.
EVERY_RULE = Variant(
    "every-rule",
    bodies={
        "scalar.numerical_derivative": "return 0.5 * f(x + h) / h - 0.5 * f(x - h) / h",
        "scalar.Value.__init__": (
            "self.data = data\nself.grad = 0\nself._backward = lambda: None\n"
            "self._prev = set(_prev)"
        ),
        "scalar.Value.__add__": two("self.data + other.data", "1.0 * out.grad", "1.0 * out.grad"),
        "scalar.Value.__neg__": one("-self.data", "-out.grad"),
        "scalar.Value.__sub__": two("self.data - other.data", "out.grad", "-out.grad"),
        "scalar.Value.__truediv__": two(
            "self.data / other.data",
            "out.grad / other.data",
            "-self.data * out.grad / (other.data * other.data)",
        ),
        "scalar.Value.__rsub__": one("other - self.data", "-out.grad"),
        "scalar.Value.__rtruediv__": "return Value(other) / self",
        "scalar.Value.relu": ("return Value(0.0) * self if self.data <= 0 else self * 1.0"),
        "scalar.Value.tanh": "e = (2 * self).exp()\nreturn (e - 1) / (e + 1)",
        "scalar.Value.sigmoid": (
            "x = max(-700.0, self.data)\n"
            + one("1 / (1 + math.exp(-x))", "out.data * (1 - out.data) * out.grad")
        ),
        "scalar.Value.backward": (
            "topo, visited = [], set()\n\n"
            "def build(v):\n    if v not in visited:\n        visited.add(v)\n"
            "        for child in v._prev:\n            build(child)\n        topo.append(v)\n\n"
            "build(self)\nself.grad = 1\nfor v in topo[::-1]:\n    v._backward()"
        ),
        "scalar.topological_order": (
            "order = []\n\ndef visit(node):\n    if not any(node is known for known in order):\n"
            "        for source in node._prev:\n            visit(source)\n"
            "        order.append(node)\n\n"
            "visit(root)\nreturn order"
        ),
        "scalar.check_gradients": (
            "def leaves_of(root):\n    return [n for n in topological_order(root) if "
            "len(n._prev) == 0]\n\n"
            "one = leaves_of(value())\ntwo = {id(n) for n in leaves_of(value())}\n"
            "leaves = [n for n in one if id(n) in two]\nbefore = {n: n.grad for n in leaves}\n"
            "numeric = {}\nfor n in leaves:\n    x = n.data\n"
            "    def at(d, n=n):\n        n.data = d\n        return value().data\n"
            "    numeric[n] = numerical_derivative(at, x, epsilon)\n    n.data = x\n"
            "for n in leaves:\n    n.grad = 0.0\nvalue().backward()\nerrors = {}\n"
            "for n in leaves:\n"
            "    g, m = n.grad, numeric[n]\n    errors[n] = abs(g - m) / max(abs(g), abs(m), "
            "1e-4)\n"
            "    n.grad = before[n]\nreturn errors"
        ),
    },
    but=("chapter1.topological_order/deep",),
)

# Sums by `sum`, lists by loops, training loops with another order of the same steps.
OTHER_ORDER = Variant(
    "other-order",
    bodies={
        "scalar.Neuron.__init__": (
            "self.activation = activation\nself.bias = Value(0)\nself.weights = []\n"
            "for _ in range(inputs):\n    self.weights.append(Value(2 * random.random() - 1))"
        ),
        "scalar.Neuron.__call__": (
            "total = sum(w * v for w, v in zip(self.weights, x)) + self.bias\n"
            "if self.activation != 'linear':\n    total = getattr(total, self.activation)()\n"
            "return total"
        ),
        "scalar.Neuron.parameters": "return [self.bias] + self.weights",
        "scalar.MLP.__call__": (
            "for layer in self.layers:\n    x = layer(x)\nif len(x) > 1:\n    return x\nreturn x[0]"
        ),
        "scalar.mean_squared_error": (
            "total = 0\nfor p, t in zip(predictions, targets):\n    d = p - t\n"
            "    total = total + d * d\n"
            "return total * (1 / len(targets))"
        ),
        "scalar.binary_cross_entropy": (
            "terms = [-(p.log() * t) - (1 - p).log() * (1 - t) for p, t in zip(probabilities, "
            "targets)]\n"
            "return sum(terms) / len(terms)"
        ),
        "scalar.mended_zeroing": (
            "losses = []\nfor p in parameters:\n    p.grad = 0.0\nfor _ in range(steps):\n"
            "    loss = loss_of()\n    losses.append(loss.data)\n    loss.backward()\n"
            "    for p in parameters:\n        p.data = p.data - rate * p.grad\n"
            "        p.grad = 0.0\n"
            "return losses"
        ),
        "scalar.mended_limit": (
            "losses = []\nfor _ in range(steps):\n    loss = loss_of()\n    zero_grad(parameters)\n"
            "    loss.backward()\n    losses.append(loss.data)\n    for p in parameters:\n"
            "        p.data -= rate * p.grad\n    for p in parameters:\n"
            "        p.data = min(limit, max(-limit, p.data))\nreturn losses"
        ),
        # Two walks are right as well, if each has a graph of its own.
        "scalar.mended_two_walks": (
            "totals = []\nfor _ in range(steps):\n    zero_grad(parameters)\n"
            "    fit = losses_of()[0]\n"
            "    penalty = losses_of()[1]\n    fit.backward()\n    penalty.backward()\n"
            "    for p in parameters:\n        p.data -= rate * p.grad\n"
            "    totals.append(fit.data + penalty.data)\nreturn totals"
        ),
    },
)

# Rules that keep what they computed, sums of pairs, networks out of other containers.
BY_HAND = Variant(
    "by-hand",
    bodies={
        "scalar.numerical_derivative": (
            "right, left = map(f, (x + h, x - h))\nreturn (right - left) / h / 2"
        ),
        "scalar.Value.__init__": (
            "vars(self).update(data=data * 1.0, grad=0.0, _prev=tuple(_prev))\n\n"
            "def nothing():\n    return None\n\nself._backward = nothing"
        ),
        "scalar.Value.__mul__": """
            a, b = self, other if isinstance(other, Value) else Value(other)
            out = Value(a.data * b.data, _prev=(a, b))

            def push():
                for one, factor in ((a, b.data), (b, a.data)):
                    one.grad = one.grad + factor * out.grad

            out._backward = push
            return out
        """,
        "scalar.Value.__pow__": one(
            "math.pow(self.data, exponent)",
            "out.grad * (exponent * math.pow(self.data, exponent - 1))",
        ),
        "scalar.Value.__radd__": "return Value(other).__add__(self)",
        "scalar.Value.__rmul__": "return Value(other) * self",
        "scalar.Value.exp": "power = math.e**self.data\n" + one("power", "power * out.grad"),
        "scalar.Value.log": one("math.log(self.data)", "out.grad * self.data**-1"),
        "scalar.Value.tanh": (
            "t = math.tanh(self.data)\n" + one("t", "(1 + t) * (1 - t) * out.grad")
        ),
        "scalar.zero_grad": "for each in list(parameters):\n    setattr(each, 'grad', 0.0)",
        "scalar.topological_order": """
            users, todo = {root: 0}, [root]
            while todo:
                for source in todo.pop()._prev:
                    if source not in users:
                        todo.append(source)
                    users[source] = users.get(source, 0) + 1
            order, ready = [], [root]
            while ready:
                order.append(ready.pop())
                for source in order[-1]._prev:
                    users[source] -= 1
                    if users[source] == 0:
                        ready.append(source)
            return order[::-1]
        """,
        "scalar.Layer.__init__": """
            self.neurons = []
            while len(self.neurons) < outputs:
                self.neurons.append(Neuron(inputs, activation=activation))
        """,
        "scalar.Layer.__call__": "return list(map(lambda neuron: neuron(x), self.neurons))",
        "scalar.Layer.parameters": "return sum((n.parameters() for n in self.neurons), [])",
        "scalar.MLP.__init__": """
            self.sizes, self.layers = list(sizes), []
            for i in range(1, len(sizes)):
                bends = activation if i < len(sizes) - 1 else output
                self.layers.append(Layer(sizes[i - 1], sizes[i], bends))
        """,
        "scalar.MLP.parameters": """
            found = []
            for layer in self.layers:
                found += layer.parameters()
            return found
        """,
        "scalar.mean_squared_error": """
            pairs = list(zip(predictions, targets))
            return sum((p * p - 2 * t * p + t * t for p, t in pairs), Value(0.0)) * len(pairs) ** -1
        """,
    },
)

VARIANTS = (EVERY_RULE, OTHER_ORDER, BY_HAND)
