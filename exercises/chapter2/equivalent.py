"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

DEVICE = "`device` is accepted and changes nothing"
LAST = "last device in place of its default"
ONE_IN_2_53 = "the same but for one of the 2^53 numbers that are drawn"


def without_device(values: str) -> tuple[str, ...]:
    made = f"Tensor({values}, dtype=dtype, requires_grad=requires_grad)"
    return LAST, "device = None", f"return {made}"


EQUIVALENT = {
    "tensor.Tensor.__init__": {DEVICE: ("device = None", LAST)},
    "tensor.Tensor.device": {"there is one device": ("first result for ever",)},
    "tensor.Tensor.rand": {
        DEVICE: without_device("values"),
        ONE_IN_2_53: ("values = np.random.uniform(high, low, shape)",),
    },
    "tensor.Tensor.randn": {DEVICE: without_device("values")},
    "tensor.Tensor.randb": {
        DEVICE: without_device("values"),
        ONE_IN_2_53: ("values = np.random.random(shape) <= p",),
    },
    "tensor.Tensor.ones": {DEVICE: without_device("np.ones(shape)")},
    "tensor.Tensor.zeros": {DEVICE: without_device("np.zeros(shape)")},
    "tensor.Tensor.one_hot": {DEVICE: without_device("rows")},
}  # fmt: skip
