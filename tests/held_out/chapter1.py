"""Wrong bodies of chapter 1 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "Every call makes a new list": what a caller does to the first list shows in the second.
    "the list of parameters is made once": (
        "scalar.Neuron.parameters",
        """\
if not hasattr(self, "_listed"):
    self._listed = [*self.weights, self.bias]
return self._listed""",
    ),
    # "Every node that root was made from": a node of an earlier list is missing from the next.
    "a node is listed in one call only": (
        "scalar.topological_order",
        ("seen: set[int] = set()", 'seen = topological_order.__dict__.setdefault("seen", {})'),
        ("seen.add(id(node))", "seen[id(node)] = node"),
    ),
    # "Set grad of every Value to 0.0": a Value that was cleared before keeps its gradient.
    "each parameter is cleared once": (
        "scalar.zero_grad",
        """\
for parameter in parameters:
    if not getattr(parameter, "_cleared", False):
        parameter.grad = 0.0
        parameter._cleared = True""",
    ),
    # "The slope of f at x": another f at the same x gets the slope of the first.
    "a slope is known by its place alone": (
        "scalar.numerical_derivative",
        """\
known = numerical_derivative.__dict__.setdefault("known", {})
if (x, h) not in known:
    known[x, h] = (f(x + h) - f(x - h)) / (2 * h)
return known[x, h]""",
    ),
    # "_backward passes grad on" whenever it is called: a second walk passes nothing.
    "the rule of tanh works once": (
        "scalar.Value.tanh",
        (
            "self.grad += (1 - out.data**2) * out.grad",
            "self.grad += (1 - out.data**2) * out.grad\n    out._backward = lambda: None",
        ),
    ),
    # "It starts with self.grad = 1.0": a second walk starts from more than 1.
    "the walk adds 1 to where it starts": (
        "scalar.Value.backward",
        ("self.grad = 1.0", "self.grad += 1.0"),
    ),
    # "Every weight is a separate Value, with its own number", drawn: two neurons start equal.
    "every neuron draws the same numbers": (
        "scalar.Neuron.__init__",
        (
            "[Value(random.uniform(-1, 1)) for _ in range(inputs)]",
            "[Value(w) for w in map(random.Random(inputs).uniform, [-1] * inputs, [1] * inputs)]",
        ),
    ),
}

SETTING = {
    # "Layers, each fed the output of the one before it": that of a layer of one neuron is a list.
    "every layer of one neuron is unwrapped": (
        "scalar.MLP.__call__",
        """\
signal = x
for layer in self.layers:
    signal = layer(signal)
    if len(signal) == 1:
        signal = signal[0]
return signal""",
    ),
    # "-1000 gives 0.0": it gives 9e-14, and far from 0 nothing is told apart.
    "sigmoid keeps its input between -30 and 30": (
        "scalar.Value.sigmoid",
        """\
if abs(self.data) > 30:
    return 0 * self + 1 / (1 + math.exp(-math.copysign(30, self.data)))
return 1 / (1 + (-self).exp())""",
    ),
    # "x holds numbers or Values": a Value that comes in gets no gradient.
    "inputs that are Values lose their past": (
        "scalar.Neuron.__call__",
        ("weight * number", 'weight * float(getattr(number, "data", number))'),
    ),
    # "activation: of every layer but the last": with one layer there is none before it.
    "a network of one layer uses the inner activation": (
        "scalar.MLP.__init__",
        ("output if i == last else", "output if i == last and i else"),
    ),
}

VARIETY = {
    # "output: the activation of the last layer": so is an earlier layer of the same size.
    "the last layer is known by its size": (
        "scalar.MLP.__init__",
        ("output if i == last else", "output if outputs == sizes[-1] else"),
    ),
    # "one addition per input": in x + x the Value x is an input twice.
    "a sum visits each different input": (
        "scalar.Value.__add__",
        (
            "self.grad += out.grad\n    other.grad += out.grad",
            "for source in {self, other}:\n        source.grad += out.grad",
        ),
    ),
    # "Whatever the parameters hold in grad when the loop starts must not count": infinity does,
    # and so does a number that is large enough to swallow the digits of the gradient.
    "what was in grad before is subtracted": (
        "scalar.mended_zeroing",
        """\
losses = []
for _ in range(steps):
    before = [parameter.grad for parameter in parameters]
    loss = loss_of()
    loss.backward()
    for parameter, earlier in zip(parameters, before):
        parameter.data -= rate * (parameter.grad - earlier)
    losses.append(loss.data)
return losses""",
    ),
    # "The mean over all pairs": two equal predictions are divided by 1.
    "the mean is over the different predictions": (
        "scalar.mean_squared_error",
        ("/ len(predictions)", "/ len({p.data for p in predictions})"),
    ),
}

HALF_PROMISE = {
    # "Afterwards every leaf holds the data that it held before": its last digits differ.
    "the nudge is taken back by arithmetic": (
        "scalar.check_gradients",
        ("    data = leaf.data\n", ""),
        ("leaf.data = data + epsilon", "leaf.data += epsilon"),
        ("leaf.data = data - epsilon", "leaf.data -= 2 * epsilon"),
        ("    leaf.data = data\n", "    leaf.data += epsilon\n"),
    ),
    # "The limit is applied right after every update": here before the first loss as well.
    "the limit holds before the first step": (
        "scalar.mended_limit",
        (
            "losses = []\n",
            "losses = []\n"
            "for parameter in parameters:\n"
            "    parameter.data = max(-limit, min(limit, parameter.data))\n",
        ),
    ),
    # "Fit plus penalty of every step, taken before the step's update": here it is taken after.
    "fit plus penalty are computed again after the step": (
        "scalar.mended_two_walks",
        (
            "    totals.append(total.data)\n",
            "    totals.append(sum(loss.data for loss in losses_of()))\n",
        ),
    ),
    # "What it held in grad before does not count" and stays: here it is 0 afterwards.
    "every leaf ends with a gradient of 0": (
        "scalar.check_gradients",
        ("grad, leaf.grad = leaf.grad, earlier", "grad, leaf.grad = leaf.grad, 0.0"),
    ),
}

RIGHT = {
    "kahn's order, from counts of users": (
        "scalar.topological_order",
        """\
nodes, users, found = {id(root): root}, {id(root): 0}, [root]
for node in found:
    for source in node._prev:
        if id(source) not in nodes:
            nodes[id(source)] = source
            users[id(source)] = 0
            found.append(source)
        users[id(source)] += 1
ready, order = [root], []
while ready:
    node = ready.pop()
    order.append(node)
    for source in node._prev:
        users[id(source)] -= 1
        if not users[id(source)]:
            ready.append(source)
return order[::-1]""",
    ),
    "the walk goes on from what has heard from all its users": (
        "scalar.Value.backward",
        """\
users, found = {self: 0}, [self]
for node in found:
    for source in node._prev:
        if source not in users:
            users[source] = 0
            found.append(source)
        users[source] += 1
self.grad = 1.0
ready = [self]
while ready:
    node = ready.pop()
    node._backward()
    for source in node._prev:
        users[source] -= 1
        if users[source] == 0:
            ready.append(source)""",
    ),
    "a quotient with a rule of its own, by the output": (
        "scalar.Value.__truediv__",
        """\
other = as_value(other)
out = Value(self.data / other.data, (self, other))

def push() -> None:
    share = out.grad / other.data
    self.grad += share
    other.grad -= share * out.data

out._backward = push
return out""",
    ),
    "cross-entropy as the logarithm of a product of powers": (
        "scalar.binary_cross_entropy",
        """\
def surprise(p, t):
    return -(p**t * (1 - p) ** (1 - t)).log()

pairs = list(zip(probabilities, targets, strict=True))

def add_up(first, last):
    if last - first == 1:
        return surprise(*pairs[first])
    middle = (first + last) // 2
    return add_up(first, middle) + add_up(middle, last)

return add_up(0, len(pairs)) / len(pairs)""",
    ),
    "two walks, with the nodes in between cleared": (
        "scalar.mended_two_walks",
        """\
totals = []
for _ in range(steps):
    zero_grad(parameters)
    losses = losses_of()
    for loss in losses:
        start = loss + 0
        zero_grad(node for node in topological_order(start) if node._prev)
        start.backward()
    totals.append(sum(loss.data for loss in losses))
    for parameter in parameters:
        parameter.data -= rate * parameter.grad
return totals""",
    ),
    "a network as a recursion over its layers": (
        "scalar.MLP.__call__",
        """\
def send(signal, layers):
    return send(layers[0](signal), layers[1:]) if layers else signal

outputs = send(x, self.layers)
[*first, last] = outputs
return outputs if first else last""",
    ),
}
