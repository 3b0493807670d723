"""Right solutions of chapter 1 that are written in other ways than the reference."""

from grader.course import right, variant

from .bodies import one, two


# Rules for everything, a set of inputs, and a walk by recursion, all in one method.
@variant("every-rule", but=("chapter1.topological_order/deep",))
class EVERY_RULE:
    numerical_derivative = right(
        "scalar.numerical_derivative", "return 0.5 * f(x + h) / h - 0.5 * f(x - h) / h"
    )

    @right("scalar.Value.__init__")
    def value_init(self, data, _prev):
        self.data = data
        self.grad = 0
        self._backward = lambda: None
        self._prev = set(_prev)

    value_add = right(
        "scalar.Value.__add__", two("self.data + other.data", "1.0 * out.grad", "1.0 * out.grad")
    )

    value_neg = right("scalar.Value.__neg__", one("-self.data", "-out.grad"))

    value_sub = right(
        "scalar.Value.__sub__", two("self.data - other.data", "out.grad", "-out.grad")
    )

    value_truediv = right(
        "scalar.Value.__truediv__",
        two(
            "self.data / other.data",
            "out.grad / other.data",
            "-self.data * out.grad / (other.data * other.data)",
        ),
    )

    value_rsub = right("scalar.Value.__rsub__", one("other - self.data", "-out.grad"))

    value_rtruediv = right("scalar.Value.__rtruediv__", "return Value(other) / self")

    value_relu = right(
        "scalar.Value.relu", "return Value(0.0) * self if self.data <= 0 else self * 1.0"
    )

    @right("scalar.Value.tanh")
    def value_tanh(self):
        e = (2 * self).exp()
        return (e - 1) / (e + 1)

    @right("scalar.Value.sigmoid")
    def value_sigmoid(self):
        x = max(-700.0, self.data)
        out = Value(1 / (1 + math.exp(-x)), (self,))

        def push():
            self.grad += out.data * (1 - out.data) * out.grad

        out._backward = push
        return out

    @right("scalar.Value.backward")
    def value_backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1
        for v in topo[::-1]:
            v._backward()

    @right("scalar.topological_order")
    def topological_order(root):
        order = []

        def visit(node):
            if not any(node is known for known in order):
                for source in node._prev:
                    visit(source)
                order.append(node)

        visit(root)
        return order

    @right("scalar.check_gradients")
    def check_gradients(value, epsilon):
        def leaves_of(root):
            return [n for n in topological_order(root) if len(n._prev) == 0]

        one = leaves_of(value())
        two = {id(n) for n in leaves_of(value())}
        leaves = [n for n in one if id(n) in two]
        before = {n: n.grad for n in leaves}
        numeric = {}
        for n in leaves:
            x = n.data

            def at(d, n=n):
                n.data = d
                return value().data

            numeric[n] = numerical_derivative(at, x, epsilon)
            n.data = x
        for n in leaves:
            n.grad = 0.0
        value().backward()
        errors = {}
        for n in leaves:
            g, m = n.grad, numeric[n]
            errors[n] = abs(g - m) / max(abs(g), abs(m), 1e-4)
            n.grad = before[n]
        return errors


# Sums by `sum`, lists by loops, training loops with another order of the same steps.
@variant("other-order")
class OTHER_ORDER:
    @right("scalar.Neuron.__init__")
    def neuron_init(self, inputs, activation):
        self.activation = activation
        self.bias = Value(0)
        self.weights = []
        for _ in range(inputs):
            self.weights.append(Value(2 * random.random() - 1))

    @right("scalar.Neuron.__call__")
    def neuron_call(self, x):
        total = sum(w * v for w, v in zip(self.weights, x)) + self.bias
        if self.activation != "linear":
            total = getattr(total, self.activation)()
        return total

    neuron_parameters = right("scalar.Neuron.parameters", "return [self.bias] + self.weights")

    @right("scalar.MLP.__call__")
    def mlp_call(self, x):
        for layer in self.layers:
            x = layer(x)
        if len(x) > 1:
            return x
        return x[0]

    @right("scalar.mean_squared_error")
    def mean_squared_error(predictions, targets):
        total = 0
        for p, t in zip(predictions, targets):
            d = p - t
            total = total + d * d
        return total * (1 / len(targets))

    @right("scalar.binary_cross_entropy")
    def binary_cross_entropy(probabilities, targets):
        terms = [-(p.log() * t) - (1 - p).log() * (1 - t) for p, t in zip(probabilities, targets)]
        return sum(terms) / len(terms)

    @right("scalar.mended_zeroing")
    def mended_zeroing(parameters, loss_of, steps, rate):
        losses = []
        for p in parameters:
            p.grad = 0.0
        for _ in range(steps):
            loss = loss_of()
            losses.append(loss.data)
            loss.backward()
            for p in parameters:
                p.data = p.data - rate * p.grad
                p.grad = 0.0
        return losses

    @right("scalar.mended_limit")
    def mended_limit(parameters, loss_of, steps, rate, limit):
        losses = []
        for _ in range(steps):
            loss = loss_of()
            zero_grad(parameters)
            loss.backward()
            losses.append(loss.data)
            for p in parameters:
                p.data -= rate * p.grad
            for p in parameters:
                p.data = min(limit, max(-limit, p.data))
        return losses

    # Two walks are right as well, if each has a graph of its own.
    @right("scalar.mended_two_walks")
    def mended_two_walks(parameters, losses_of, steps, rate):
        totals = []
        for _ in range(steps):
            zero_grad(parameters)
            fit = losses_of()[0]
            penalty = losses_of()[1]
            fit.backward()
            penalty.backward()
            for p in parameters:
                p.data -= rate * p.grad
            totals.append(fit.data + penalty.data)
        return totals


# Rules that keep what they computed, sums of pairs, networks out of other containers.
@variant("by-hand")
class BY_HAND:
    @right("scalar.numerical_derivative")
    def numerical_derivative(f, x, h):
        right, left = map(f, (x + h, x - h))
        return (right - left) / h / 2

    @right("scalar.Value.__init__")
    def value_init(self, data, _prev):
        vars(self).update(data=data * 1.0, grad=0.0, _prev=tuple(_prev))

        def nothing():
            return None

        self._backward = nothing

    @right("scalar.Value.__mul__")
    def value_mul(self, other):
        a, b = self, other if isinstance(other, Value) else Value(other)
        out = Value(a.data * b.data, _prev=(a, b))

        def push():
            for one, factor in ((a, b.data), (b, a.data)):
                one.grad = one.grad + factor * out.grad

        out._backward = push
        return out

    value_pow = right(
        "scalar.Value.__pow__",
        one(
            "math.pow(self.data, exponent)",
            "out.grad * (exponent * math.pow(self.data, exponent - 1))",
        ),
    )

    value_radd = right("scalar.Value.__radd__", "return Value(other).__add__(self)")

    value_rmul = right("scalar.Value.__rmul__", "return Value(other) * self")

    @right("scalar.Value.exp")
    def value_exp(self):
        power = math.e**self.data
        out = Value(power, (self,))

        def push():
            self.grad += power * out.grad

        out._backward = push
        return out

    value_log = right("scalar.Value.log", one("math.log(self.data)", "out.grad * self.data**-1"))

    @right("scalar.Value.tanh")
    def value_tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))

        def push():
            self.grad += (1 + t) * (1 - t) * out.grad

        out._backward = push
        return out

    @right("scalar.zero_grad")
    def zero_grad(parameters):
        for each in list(parameters):
            setattr(each, "grad", 0.0)

    @right("scalar.topological_order")
    def topological_order(root):
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

    @right("scalar.Layer.__init__")
    def layer_init(self, inputs, outputs, activation):
        self.neurons = []
        while len(self.neurons) < outputs:
            self.neurons.append(Neuron(inputs, activation=activation))

    layer_call = right(
        "scalar.Layer.__call__", "return list(map(lambda neuron: neuron(x), self.neurons))"
    )

    layer_parameters = right(
        "scalar.Layer.parameters", "return sum((n.parameters() for n in self.neurons), [])"
    )

    @right("scalar.MLP.__init__")
    def mlp_init(self, sizes, activation, output):
        self.sizes, self.layers = list(sizes), []
        for i in range(1, len(sizes)):
            bends = activation if i < len(sizes) - 1 else output
            self.layers.append(Layer(sizes[i - 1], sizes[i], bends))

    @right("scalar.MLP.parameters")
    def mlp_parameters(self):
        found = []
        for layer in self.layers:
            found += layer.parameters()
        return found

    @right("scalar.mean_squared_error")
    def mean_squared_error(predictions, targets):
        pairs = list(zip(predictions, targets))
        return sum((p * p - 2 * t * p + t * t for p, t in pairs), Value(0.0)) * len(pairs) ** -1


VARIANTS = (EVERY_RULE, OTHER_ORDER, BY_HAND)
