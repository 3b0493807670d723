"""Programs for the network of chapter 1, and for the training loops that its learner mends."""

import numpy as np

from .harness import POOL, Complaint, ask_first, text
from .scalars import (
    data,
    function_of,
    leaves,
    linear,
    listed,
    made,
    number,
    outcome,
    packed,
    seed,
)

USUAL = "tanh", "linear"  # the activation and the output of an MLP
MEANS = {"*": {"alone": True}}  # nothing here goes through an op of the table


def neuron_drawn(bg, inputs, start, *activation):
    """A new Neuron draws a weight per input, uniformly from -1 to 1."""
    ask_first(bg.scalar.Neuron, 1, "linear")  # what it is asked for is for this one alone
    seed(start)
    neuron = bg.scalar.Neuron(inputs, *activation)
    weights = listed(neuron.weights, "Neuron.weights")
    later = listed(bg.scalar.Neuron(inputs, *activation).weights, "Neuron.weights")
    return {
        "numbers": [np.array(float(len({float(x) for x in data([*weights, *later])})))],
        "activation": [text(str(getattr(neuron, "activation", None)))],
        "weights": [np.array(data(weights))],
        "distinct": [np.array(float(len({id(weight) for weight in weights})))],
        "bias": data([neuron.bias]),
    }


def layer_made(bg, sizes, activation):
    """A new Layer holds as many separate neurons as it has outputs."""
    inputs, outputs = sizes
    for more, kind in ((1, activation), (0, "sigmoid")):  # each has its own
        ask_first(bg.scalar.Layer, inputs + more, outputs, kind)
        ask_first(bg.scalar.Layer, inputs, outputs + more, kind)
    seed(12)
    return facts([bg.scalar.Layer(*sizes, activation), bg.scalar.Layer(1, 1)])


def mlp_made(bg, sizes, extra):
    """A new MLP holds one layer per step from one size to the next."""
    activation, output = (*extra, *USUAL[len(extra) :])
    for others in (("relu", output), (activation, "sigmoid")):  # each has its own
        ask_first(bg.scalar.MLP, list(sizes), *others)
    seed(13)
    layers = listed(bg.scalar.MLP(list(sizes), *extra).layers, "MLP.layers")
    return facts(layers)


def facts(layers):
    """Count neurons and weights, and those that are objects of their own."""
    neurons = [neuron for layer in layers for neuron in layer.neurons]
    return {
        "layers": [np.array(float(len(layers)))],
        "neurons": [np.array([float(len(layer.neurons)) for layer in layers])],
        "weights": [np.array([float(len(neuron.weights)) for neuron in neurons])],
        "distinct": [np.array(float(len({id(neuron) for neuron in neurons})))],
        "bent": [
            text("; ".join(", ".join(str(n.activation) for n in layer.neurons) for layer in layers))
        ],
    }


def network(bg, kind, *args):
    """A Neuron, a Layer or an MLP, the same object as in an earlier probe."""
    return POOL.take((kind, repr(args)), lambda: getattr(bg.scalar, kind)(*args))[0]


def fill(neuron, weights, bias):
    """Give a neuron these numbers, and no gradients; returns its parameters in this order."""
    if len(neuron.weights) != len(weights):
        raise Complaint(f"Neuron.weights has {len(neuron.weights)} entries, not {len(weights)}.")
    for weight, x in zip(neuron.weights, weights, strict=False):
        weight.data = float(x)
    neuron.bias.data = float(bias)
    parameters = [*neuron.weights, neuron.bias]
    for each in parameters:
        each.grad = 0.0
    return parameters


def neuron_call(bg, activation, weights, bias, numbers, out_grad):
    """A Neuron computes its activation of the weighted sum plus the bias."""
    neuron = network(bg, "Neuron", len(weights), *activation)
    parameters = fill(neuron, weights, bias)
    inputs = leaves(bg, numbers)
    ask_first(neuron, [0.5] * len(numbers))
    out = made(bg, neuron(inputs), "Neuron.__call__")
    told = packed(outcome([out], [out_grad], [*parameters, *inputs]))
    plain = made(bg, neuron([float(x) for x in numbers]), "Neuron.__call__")
    told["plain"] = data([plain])
    return told


def layer_call(bg, activation, weights, biases, numbers, out_grads):
    """A Layer returns what each of its neurons makes of the inputs."""
    layer = network(bg, "Layer", len(weights[0]), len(weights), activation)
    parameters = []
    for neuron, row, bias in zip(layer.neurons, weights, biases, strict=False):
        parameters += fill(neuron, row, bias)
    inputs = leaves(bg, numbers)
    outs = listed(layer(inputs), "Layer.__call__")
    outs = [made(bg, out, "Layer.__call__, in its list,") for out in outs]
    return packed(outcome(outs, out_grads, [*parameters, *inputs]))


def mlp_call(bg, sizes, weights, biases, numbers, out_grads):
    """An MLP feeds each layer with what the one before it made."""
    mlp = network(bg, "MLP", list(sizes))
    inputs = leaves(bg, numbers)
    ask_first(mlp, inputs)  # as it was before a step of training
    parameters = []
    for layer, rows, row_of_biases in zip(mlp.layers, weights, biases, strict=False):
        for neuron, row, bias in zip(layer.neurons, rows, row_of_biases, strict=False):
            parameters += fill(neuron, row, bias)
    outs = mlp(inputs)
    bare = not isinstance(outs, (list, tuple))
    outs = [made(bg, out, "MLP.__call__") for out in ([outs] if bare else outs)]
    told = packed(outcome(outs, out_grads, [*parameters, *inputs]))
    told["bare"] = [text("a Value" if bare else "a list")]
    return told


def parameters(bg, kind, args):
    """{kind}.parameters lists every weight and every bias once."""
    seed(14)
    network = getattr(bg.scalar, kind)(*args)
    layers = getattr(network, "layers", [network])
    neurons = [n for layer in layers for n in getattr(layer, "neurons", [layer])]
    wanted = [p for neuron in neurons for p in (*neuron.weights, neuron.bias)]
    handed_out = network.parameters()
    found = listed(handed_out, f"{kind}.parameters")
    if isinstance(handed_out, list):
        handed_out.append(None)  # the next list is a new one
    again = listed(network.parameters(), f"{kind}.parameters")
    return {
        "once": [text(counted(found, wanted))],
        "length": [np.array(float(len(found)))],
        "again": [np.array(float(len(again)))],
    }


def counted(found, wanted):
    """Count the parameters that a list lacks, and those that stand there more than once."""
    times = [sum(f is p for f in found) for p in wanted]
    twice = sum(n > 1 for n in times)
    return f"of {len(wanted)} missing: {times.count(0)}, more than once: {twice}"


def told(parameters, losses, who):
    """Return the losses and parameters of a training loop."""
    losses = [number(x, f"A loss of {who} is") for x in listed(losses, who)]
    return {"losses": [np.array(losses)], "parameters": [np.array(data(parameters))]}


def trained(bg, function, start, held, centres, steps, rate, extra):
    """{function} follows the gradient of each step's loss."""
    params = leaves(bg, start)
    for parameter in params:
        parameter.grad = held

    def loss_of():
        # Σ (p - c)⁴, through a node in between that can go stale: what the rule finds in
        # `data` when it is called is not always what the node was computed from.
        distances = [shifted(bg, p, c) for p, c in zip(params, centres, strict=False)]
        return linear(bg, [fourth(bg, d) for d in distances], [1.0] * len(distances))

    losses = getattr(bg.scalar, function)(params, function_of(loss_of), steps, rate, *extra)
    return told(params, losses, function)


def shifted(bg, node, centre):
    """(node - centre)², as one node."""
    out = bg.scalar.Value((node.data - centre) ** 2)
    out._prev = (node,)

    def push():
        node.grad += 2 * (node.data - centre) * out.grad

    out._backward = push
    return out


def fourth(bg, node):
    """node², as one node."""
    return shifted(bg, node, 0.0)


def trained_on_two(bg, function, start, centres, steps, rate, share):
    """{function} follows the gradient of fit plus penalty."""
    params = leaves(bg, start)
    for parameter in params:
        parameter.grad = 0.8

    def losses_of():
        shared = [linear(bg, [p], [1.5]) for p in params]
        # The fit sees the parameters themselves as well, so that not all of it goes through
        # the nodes that it shares with the penalty.
        terms = [
            shifted(bg, node, c)
            for n in (shared, params)
            for node, c in zip(n, centres, strict=False)
        ]
        fit = linear(bg, terms, [1.0] * len(terms))
        penalty = linear(bg, [fourth(bg, s) for s in shared], [share] * len(shared))
        return fit, penalty

    losses = getattr(bg.scalar, function)(params, function_of(losses_of), steps, rate)
    return told(params, losses, function)


def loss(bg, function, numbers, targets, out_grad):
    """{function} has the right value and the right derivatives."""
    predictions = leaves(bg, numbers)
    out = made(bg, getattr(bg.scalar, function)(predictions, list(targets)), function)
    return packed(outcome([out], [out_grad], predictions))
