"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import BIAS, DTYPE, LINEAR, OPTION, REFUSED

AGAIN = "is asked for a second time, which only tells whether both agree"
AFTER = "adds zeros behind what the gradient is cut from"
ONE = "is the axis of a single number, which looks the same along each"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter10": {
        "says whether a layer trains that does the same when it is used": (
            "modules.value training",
            "modules.gradient training",
        ),
        LINEAR: (
            "operators.vjp arrays.0",
            "modules.gradient x",
        ),
        AGAIN: (
            "twice.linear attrs…",
            "twice.linear arrays.0",
            "twice.linear cotangent",
        ),
    },
    "chapter10.dilate.forward": {ONE: ("operators.single attrs.0",)},
    "chapter10.flip.forward": {ONE: ("operators.single attrs.0",)},
    "chapter10.pad.backward": {
        AFTER: (
            "operators.vjp attrs.0.0.1",
            "operators.vjp attrs.0.1.1",
            "operators.vjp attrs.0.2.1",
        ),
    },
    "chapter10.max.backward": {
        "is an axis, and no other fits the gradient but itself, counted from the end": (
            "operators.vjp attrs.0",
        ),
    },
    "chapter10.conv.forward": {
        "is the stride of a kernel that fits in one place": ("convolutions.outputs cases.8.6",),
        REFUSED: (
            "convolutions.raises a",
            "convolutions.raises b",
        ),
    },
    "chapter10.conv.backward": {
        "is the stride of a kernel that fits in one place": ("convolutions.gradients cases.8.6",),
    },
    "chapter10.nn_conv.init": {
        OPTION: (
            "modules.initial arguments.3",
            "modules.initial arguments.4",
            "modules.initial arguments.5",
            "modules.owned arguments.3",
            "modules.owned arguments.4",
            "modules.typed arguments.3",
            "modules.typed arguments.4",
            "modules.typed arguments.5",
        ),
        DTYPE: ("modules.typed dtype",),
        "is the size of a layer, of which its options are told": (
            "modules.absent arguments…",
            "modules.options arguments.0",
            "modules.options arguments.1",
            "modules.options arguments.2",
        ),
    },
    "chapter10.nn_conv.forward": {
        BIAS: ("modules.gradient state.bias",),
        "says whether there is a bias, whose gradient is told where there is one": (
            "modules.gradient arguments.5",
        ),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
