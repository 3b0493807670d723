"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import BIAS, DTYPE, LINEAR, OPTION, REFUSED

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter4": {
        "says whether a layer trains that does the same when it is used": (
            "modules.value training",
            "modules.gradient training",
        ),
        "is the number of a plain Tensor, which nothing may find": (
            "ownership.collected marks.3",
            "ownership.collected_modules marks.3",
            "ownership.parameters marks.3",
            "ownership.zeroed marks.3",
        ),
    },
    "chapter4.parameter.init": {DTYPE: ("ownership.parameter dtype",)},
    "chapter4.flatten.forward": {LINEAR: ("modules.gradient x",)},
    "chapter4.linear.init": {
        OPTION: ("modules.initial arguments.2", "modules.typed arguments.2"),
        DTYPE: ("modules.typed dtype",),
        "is the size of a layer, of which its options are told": ("modules.absent arguments…",),
    },
    "chapter4.linear.forward": {
        BIAS: ("modules.gradient state.bias",),
        "says whether there is a bias, whose gradient is told where there is one": (
            "modules.gradient arguments.2",
        ),
    },
    "chapter4.sequential.forward": {LINEAR: ("modules.gradient x",)},
    "chapter4.dropout.forward": {
        LINEAR: ("modules.gradient x",),
        "draws the mask, which is told beside the gradient": ("modules.dropout_gradient start",),
    },
    "chapter4.layernorm1d.forward": {BIAS: ("modules.gradient state.bias",)},
    "chapter4.batchnorm1d.forward": {
        BIAS: ("modules.gradient state.bias",),
        REFUSED: (
            "modules.raises arguments.0",
            "modules.raises arrays.0",
        ),
    },
    "chapter4.mseloss.forward": {REFUSED: ("modules.raises arrays…",)},
    "chapter4.softmaxloss.forward": {
        "says in which form the targets come, and each gives the same": (
            "modules.softmax_loss kind",
        ),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
