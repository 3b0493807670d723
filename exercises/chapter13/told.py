"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "higher.grad": {
        "starts-from-ones": ["if True:", "grad_output = None"],
        "graph-cut-off": ["if True:", "create_graph = False"],
        "graph-always": ["if False:", "create_graph=True"],
        "broadcast-forgotten": ["gradient = gradient"],
        "overwrites": [
            "arrived[source] = arrived[source] + gradient if False else gradient",
            "arrived[source] = gradient if source in arrived else gradient",
        ],
        "unused-is-none": ["return [found.get(x) for x, zero in zip(inputs, zeros, strict=True)]"],
    },
    "higher.hvp": {
        "graph-forgotten": ["gradients = grad(f(*inputs), inputs, create_graph=False)"],
    },
    "higher.jacobian": {
        "ones": [
            "for index in np.ndindex():",
            "start = np.ones(y.shape, y.dtype)",
            "row, = grad(y, [x])",
        ],
    },
    "higher.hessian": {
        "graph-forgotten": ["return jacobian(lambda x: grad(f(x), [x], create_graph=False)[0], x)"],
    },
    "forward_mode.Dual.__mul__": {
        "one-side": ["tangent = self.tangent * other.value"],
    },
    "forward_mode.Dual.__truediv__": {
        "square-forgotten": ["return Dual(value, self.tangent - value * other.tangent)"],
        "divisor-stays": ["return Dual(value, self.tangent / other.value)"],
    },
    "forward_mode.Dual.__pow__": {
        "exponent-kept": [
            "return Dual(self.value ** exponent, exponent * self.value ** (exponent - "
            "0) * self.tangent)"
        ],
    },
    "forward_mode.exp": {
        "moves-alone": ["return Dual(value, x.tangent)"],
    },
    "forward_mode.jvp_linear": {
        "values-again": ["return node"],
    },
    "forward_mode.jvp_bilinear": {
        "one-side": ["return once_more(node, da, b)"],
    },
    "forward_mode.jvp_div": {
        "divisor-stays": ["return da / b"],
    },
    "forward_mode.jvp_logsumexp": {
        "not-weighed-down": ["softmax = ops.exp(a)"],
        "sum-only": ["return ops.summation(da, node._op.axes)"],
    },
    "forward_mode.jacobian_forward": {
        "scrambled": ["together = np.stack(columns)", "together = np.stack(columns, axis=-0)"],
    },
    "forward_mode.hvp_forward": {
        "graph-forgotten": ["gradients = grad(f(*inputs), inputs, create_graph=False)"],
    },
    "memory.no_grad.__enter__": {
        "nothing-replaced": ["no: Function.__call__ = without_graph"],
    },
    "memory.checkpointed": {
        "weights-turned-round": [
            "own = [(layer, [left.pop(-1) for _ in each]) for layer, each in piece]"
        ],
    },
}
