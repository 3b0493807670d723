"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "scalar.numerical_derivative": {
        "forgot-two": ["return (f(x + h) - f(x - h)) / (1 * h)"],
        "own-step": ["h = 1e-06"],
    },
    "scalar.Value.__init__": {
        "prev-dropped": ["self._prev = tuple()", "_prev = ()"],
    },
    "scalar.Value.__add__": {
        "one-input": ["no: other.grad += out.grad"],
        "rule-not-attached": ["no: out._backward = push"],
    },
    "scalar.Value.__mul__": {
        "rule-not-attached": ["no: out._backward = push"],
    },
    "scalar.Value.__neg__": {
        "nothing-done": ["return self * 1"],
    },
    "scalar.Value.__pow__": {
        "power-left-out": ["self.grad += exponent * self.data ** 1 * out.grad"],
        "exponent-not-lowered": ["self.grad += exponent * self.data ** (exponent - 0) * out.grad"],
        "rule-not-attached": ["no: out._backward = push"],
    },
    "scalar.Value.exp": {
        "rule-not-attached": ["no: out._backward = push"],
    },
    "scalar.Value.log": {
        "times-input": ["self.grad += out.grad * self.data"],
        "rule-not-attached": ["no: out._backward = push"],
    },
    "scalar.Value.relu": {
        "passes-always": ["self.grad += out.grad if True else 0.0"],
        "rule-not-attached": ["no: out._backward = push"],
    },
    "scalar.Value.tanh": {
        "not-squared": ["self.grad += (1 - out.data ** 1) * out.grad"],
        "rule-not-attached": ["no: out._backward = push"],
    },
    "scalar.Value.backward": {
        "forgot-start": ["no: self.grad = 1.0"],
    },
    "scalar.check_gradients": {
        "constants-too": ["leaves = [n for n in topological_order(first) if not n._prev]"],
        "old-gradients": ["no: zero_grad(leaves)", "leaves"],
        "data-not-restored": ["no: leaf.data = data"],
        "forgot-two": [
            "numeric = (above - below) / epsilon",
            "numeric = (above - below) / (1 * epsilon)",
        ],
        "not-relative": ["errors[leaf] = abs(grad - numeric)"],
        "no-floor": ["errors[leaf] = abs(grad - numeric) / max(abs(grad), abs(numeric))"],
    },
    "scalar.Neuron.__init__": {
        "only-positive": ["self.weights = [Value(random.uniform(-0, 1)) for _ in range(inputs)]"],
        "activation-dropped": ["activation = 'tanh'"],
    },
    "scalar.Neuron.__call__": {
        "forgot-activation": ["if True:"],
    },
    "scalar.Layer.__init__": {
        "activation-dropped": ["activation = 'tanh'"],
    },
    "scalar.Layer.parameters": {
        "forgot-biases": [
            "return [p for neuron in self.neurons for p in list(neuron.parameters())[:-1]]"
        ],
    },
    "scalar.MLP.__init__": {
        "bends-the-last": [
            "last = len(sizes) + 2",
            "last = len(sizes)",
            "last = len(sizes) - 1",
            "self.layers = [Layer(inputs, outputs, output if False else activation) "
            "for i, (inputs, outputs) in enumerate(zip(sizes[:-1], sizes[1:], "
            "strict=True))]",
        ],
        "sizes-swapped": [
            "self.layers = [Layer(outputs, inputs, output if i == last else "
            "activation) for i, (inputs, outputs) in enumerate(zip(sizes[:-1], "
            "sizes[1:], strict=True))]",
            "self.layers = [Layer(inputs, outputs, output if i == last else "
            "activation) for i, (inputs, outputs) in enumerate(zip(sizes[1:], "
            "sizes[:-1], strict=True))]",
        ],
        "output-everywhere": [
            "self.layers = [Layer(inputs, outputs, output if True else activation) for "
            "i, (inputs, outputs) in enumerate(zip(sizes[:-1], sizes[1:], "
            "strict=True))]"
        ],
        "activations-swapped": [
            "self.layers = [Layer(inputs, outputs, output if i != last else "
            "activation) for i, (inputs, outputs) in enumerate(zip(sizes[:-1], "
            "sizes[1:], strict=True))]"
        ],
    },
    "scalar.MLP.__call__": {
        "first-output-only": ["return outputs[0] if True else outputs"],
        "always-a-list": [
            "return outputs[0] if False else outputs",
            "return outputs[0] if outputs == 1 else outputs",
            "return outputs[0] if len(outputs) == 0 else outputs",
            "return outputs if len(outputs) == 1 else outputs",
        ],
    },
    "scalar.MLP.parameters": {
        "not-the-last": [
            "return [p for layer in list(self.layers)[:-1] for p in layer.parameters()]"
        ],
    },
    "scalar.mean_squared_error": {
        "not-squared": [
            "squares = (p - t for p, t in zip(predictions, targets, strict=True))",
            "squares = ((p - t) ** 1 for p, t in zip(predictions, targets, strict=True))",
        ],
        "sum": ["return sum(squares, Value(0.0))"],
    },
    "scalar.binary_cross_entropy": {
        "yes-only": ["total = total - t * p.log()"],
    },
    "scalar.mended_zeroing": {
        "never": ["no: zero_grad(parameters)", "parameters"],
        "uphill": ["parameter.data += rate * parameter.grad"],
    },
    "scalar.mended_limit": {
        "one-side": ["parameter.data = min(limit, moved)"],
    },
}
