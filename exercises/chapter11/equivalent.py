"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

NO_MESSAGE = "what the message says is left open"
FLOAT64_COMES = "what arrives is an ndarray of float64 already"
NO_AXES = "a sum over no axes is the number itself"
SUMMED_NUMBER = "return without_axes(gradient.sum(axis=stretched, keepdims=True), gradient)"
OWN_SUM = "by then `gradient` is a sum, an array of its own"
SPOILT = "return spoil(gradient.sum(axis=stretched, keepdims=True), gradient)"
AS_IT_COMES = "arrived = np.ones_like(self.data) if gradient is None else "
CONTEXT = "each call has a Context of its own"
VIEW = "a view of the same array shows its new values"
GRAPH = "a graph stays as it was made"
START = "start = np.ones_like(root.data) if gradient is None else "

EQUIVALENT = {
    "engines.apply.Mul.forward": {CONTEXT: ("kept by repr",)},
    "engines.apply.Mul.backward": {CONTEXT: ("kept by repr",)},
    "engines.apply.Sum.backward": {CONTEXT: ("kept by repr",), VIEW: ("kept by identity",)},
    "engines.apply.Tanh.forward": {CONTEXT: ("kept by repr",)},
    "engines.apply.Tanh.backward": {CONTEXT: ("kept by repr",)},
    "engines.apply.Tensor.backward": {
        NO_MESSAGE: ("raise ValueError()",),
        FLOAT64_COMES: ("arrived: dict[int, NDArray] = {id(self): gradient}",),
    },
    "engines.closure.Tensor.backward": {
        FLOAT64_COMES: ("self.grad = np.array(start)",),
        "the first of the order is a leaf, and hands nothing on": (
            "for node in list(reversed(topological_order(self)))[:-1]:",
        ),
    },
    "engines.closure.stack": {
        "each call has a list of its own": ("kept by identity",),
        "a Tensor makes one array of a list itself": (
            "out = Tensor([each.data for each in tensors], _prev=tensors)",
        ),
    },
    "engines.grad_fn.unbroadcast": {NO_AXES: (SUMMED_NUMBER,), OWN_SUM: (SPOILT,)},
    "engines.grad_fn.Tensor.backward": {
        FLOAT64_COMES: (f"{AS_IT_COMES}gradient", f"{AS_IT_COMES}np.asarray(gradient)"),
    },
    "engines.grad_fn.backward_in_order": {
        FLOAT64_COMES: (f"{START}gradient", f"{START}np.array(gradient)"),
        "a leaf gets a copy later": (f"{START}np.asarray(gradient, dtype=np.float64)",),
    },
    "engines.grad_fn.visits": {
        GRAPH: ("kept by …",),
        "what requires no gradient has no rule": ("if root.grad_fn is None:",),
    },
}  # fmt: skip
