"""A scalar engine of closures, iterators and folds."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("scalar.numerical_derivative")
    def numerical_derivative(f, x, h):
        above, below = (f(x + side * h) for side in (1.0, -1.0))
        return (above - below) / ((x + h) - (x - h))

    @right("scalar.Value.__init__")
    def value_init(self, data, _prev):
        self.__dict__ |= {"data": data * 1.0, "grad": 0.0, "_prev": (*_prev,)}
        self._backward = type(None)

    @right("scalar.Value.__add__")
    def value_add(self, other):
        pair = self, as_value(other)
        out = Value(math.fsum(each.data for each in pair), pair)

        def push(into=pair):
            for each in into:
                each.grad = each.grad + out.grad

        out._backward = push
        return out

    @right("scalar.Value.__mul__")
    def value_mul(self, other):
        class Rule:
            __slots__ = ("a", "b", "out")

            def __init__(self, a, b):
                self.a, self.b = a, b
                self.out = Value(a.data * b.data, (a, b))

            def __call__(self):
                self.a.grad += self.out.grad * self.b.data
                self.b.grad += self.out.grad * self.a.data

        rule = Rule(self, as_value(other))
        rule.out._backward = rule
        return rule.out

    value_neg = right("scalar.Value.__neg__", "return self.__mul__(-1.0)")

    value_sub = right("scalar.Value.__sub__", "return -(other + -self)")

    @right("scalar.Value.__pow__")
    def value_pow(self, exponent):
        out = Value(pow(self.data, exponent), (self,))
        out._backward = lambda: setattr(
            self, "grad", self.grad + out.grad * exponent * pow(self.data, exponent - 1)
        )
        return out

    @right("scalar.Value.__truediv__")
    def value_truediv(self, other):
        other = as_value(other)
        out = Value(self.data / other.data, (self, other))

        def push():
            share = out.grad / other.data
            self.grad += share
            other.grad -= share * out.data

        out._backward = push
        return out

    @right("scalar.Value.__radd__")
    def value_radd(self, other):
        import operator

        return operator.add(self, other)

    value_rsub = right("scalar.Value.__rsub__", "return Value(other) + self * -1")

    value_rmul = right("scalar.Value.__rmul__", "return Value.__mul__(self, other)")

    @right("scalar.Value.__rtruediv__")
    def value_rtruediv(self, other):
        out = Value(other / self.data, (self,))

        def push():
            self.grad -= out.grad * out.data / self.data

        out._backward = push
        return out

    @right("scalar.Value.exp")
    def value_exp(self):
        out = Value(power := math.exp(self.data), (self,))
        out._backward = lambda: vars(self).update(grad=self.grad + power * out.grad)
        return out

    @right("scalar.Value.log")
    def value_log(self):
        out = Value(math.log2(self.data) * math.log(2), _prev=[self])

        def push():
            self.grad, share = self.grad, out.grad / self.data
            self.grad += share

        out._backward = push
        return out

    @right("scalar.Value.relu")
    def value_relu(self):
        open_ = self.data > 0
        out = Value(self.data if open_ else 0, (self,))
        if open_:

            def push():
                self.grad += out.grad

            out._backward = push
        return out

    @right("scalar.Value.tanh")
    def value_tanh(self):
        small, less = math.exp(-2 * abs(self.data)), math.expm1(-2 * abs(self.data))
        out = Value(math.copysign(less / (2 + less), self.data), (self,))

        def push():
            self.grad += out.grad * 4 * small / (1 + small) ** 2

        out._backward = push
        return out

    @right("scalar.Value.sigmoid")
    def value_sigmoid(self):
        negative = self.data < 0
        small = (self if negative else -self).exp()
        return (small if negative else 1) / (1 + small)

    @right("scalar.Value.backward")
    def value_backward(self):
        self.grad, order = 1.0, topological_order(self)
        while order:
            order.pop()._backward()

    @right("scalar.topological_order")
    def topological_order(root):
        order, seen = [], {id(root)}
        path = [(root, iter(root._prev))]
        while path:
            node, rest = path[-1]
            for source in rest:
                if id(source) not in seen:
                    seen.add(id(source))
                    path.append((source, iter(source._prev)))
                    break
            else:
                order.append(node)
                path.pop()
        return order

    @right("scalar.zero_grad")
    def zero_grad(parameters):
        import collections

        collections.deque((setattr(each, "grad", 0.0) for each in parameters), maxlen=0)

    @right("scalar.check_gradients")
    def check_gradients(value, epsilon):
        def built():
            result = value()
            return result, {n: None for n in topological_order(result) if not n._prev}

        (_, first), (result, second) = built(), built()
        kept = {leaf: (leaf.data, leaf.grad) for leaf in first.keys() & second.keys()}
        zero_grad(kept)
        result.backward()
        walked = {leaf: leaf.grad for leaf in kept}

        def moved(leaf, to):
            leaf.data = to
            return value().data

        errors = {}
        for leaf, (data, grad) in kept.items():
            try:
                n = numerical_derivative(lambda to, leaf=leaf: moved(leaf, to), data, epsilon)
            finally:
                leaf.data, leaf.grad = data, grad
            g = walked[leaf]
            errors[leaf] = abs(g - n) / max(map(abs, (g, n, 1e-4)))
        return errors

    @right("scalar.Neuron.__init__")
    def neuron_init(self, inputs, activation):
        self.weights = [Value(2 * random.betavariate(1, 1) - 1) for _ in range(inputs)]
        self.bias, self.activation = Value(0), activation

    @right("scalar.Neuron.__call__")
    def neuron_call(self, x):
        from functools import reduce

        total = reduce(Value.__add__, map(Value.__mul__, self.weights, x), self.bias)
        match self.activation:
            case "linear":
                return total
            case name:
                return getattr(Value, name)(total)

    neuron_parameters = right(
        "scalar.Neuron.parameters", "return list(self.weights).__add__([self.bias])"
    )

    layer_init = right(
        "scalar.Layer.__init__",
        """
        vars(self)["neurons"] = list(map(Neuron, [inputs] * outputs, [activation] * outputs))
    """,
    )

    @right("scalar.Layer.__call__")
    def layer_call(self, x):
        def each():
            for neuron in self.neurons:
                yield neuron(x)

        return [*each()]

    @right("scalar.Layer.parameters")
    def layer_parameters(self):
        from itertools import chain

        return list(chain.from_iterable(map(Neuron.parameters, self.neurons)))

    @right("scalar.MLP.__init__")
    def mlp_init(self, sizes, activation, output):
        bends = [activation] * (len(sizes) - 2) + [output]
        self.layers = list(map(Layer, sizes, sizes[1:], bends))

    @right("scalar.MLP.__call__")
    def mlp_call(self, x):
        from functools import reduce

        first, *rest = reduce(lambda signal, layer: layer(signal), self.layers, x)
        return [first, *rest] if rest else first

    @right("scalar.MLP.parameters")
    def mlp_parameters(self):
        def flat(layers):
            return layers[0].parameters() + flat(layers[1:]) if layers else []

        return flat(self.layers)

    @right("scalar.mean_squared_error")
    def mean_squared_error(predictions, targets):
        def total(squares):
            if len(squares) == 1:
                return squares[0]
            middle = len(squares) // 2
            return total(squares[:middle]) + total(squares[middle:])

        n = len(targets)
        return total([(predictions[i] - targets[i]) ** 2 for i in range(n)]) / n

    @right("scalar.binary_cross_entropy")
    def binary_cross_entropy(probabilities, targets):
        likely = (p**t * (1 - p) ** (1 - t) for p, t in zip(probabilities, targets))
        return -sum(map(Value.log, likely)) / len(probabilities)

    @right("scalar.mended_zeroing")
    def mended_zeroing(parameters, loss_of, steps, rate):
        def step():
            loss = loss_of()
            zero_grad(parameters)
            loss.backward()
            for p in parameters:
                p.data += -rate * p.grad
            return loss.data

        return [step() for _ in range(steps)]

    @right("scalar.mended_limit")
    def mended_limit(parameters, loss_of, steps, rate, limit):
        def walk():
            for _ in range(steps):
                loss = loss_of()
                zero_grad(parameters)
                loss.backward()
                yield loss.data
                for p in parameters:
                    _, p.data, _ = sorted((-limit, p.data - rate * p.grad, limit))

        return list(walk())

    @right("scalar.mended_two_walks")
    def mended_two_walks(parameters, losses_of, steps, rate):
        if steps < 1:
            return []
        zero_grad(parameters)
        total = sum(losses_of())
        total.backward()
        for p in parameters:
            p.data -= rate * p.grad
        return [total.data, *mended_two_walks(parameters, losses_of, steps - 1, rate)]
