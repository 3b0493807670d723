"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

TEXT = "is a text, and no other probe has one that fits in its place"
COUNTED = "is a place to count at: what is counted does not depend on it"
LINEAR = "is a place, and a linear answer is the same everywhere"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter13": {
        "is computed with, and what is told is whether both dtypes give the same": (
            "higher.dtypes…",
        ),
    },
    "chapter13.grad": {
        TEXT: (
            "higher.twice call",
            "higher.on_the_way inner",
            "higher.through_start call",
        ),
        COUNTED: ("higher.asked array",),
        LINEAR: ("higher.through_start start",),
    },
    "chapter13.hvp": {
        COUNTED: ("higher.walks array",),
    },
    "chapter13.dual.mul": {
        TEXT: ("forward_rules.nested call",),
    },
    "chapter13.derivative": {
        TEXT: ("forward_rules.second_slope call",),
    },
    "chapter13.jvp_linear": {
        LINEAR: (
            "forward_rules.rule arrays.0",
            "forward_rules.rule arrays.1",
        ),
    },
    "chapter13.jvp": {
        LINEAR: ("forward_rules.of_own_op array",),
    },
    "chapter13.graph_size": {
        COUNTED: ("remembering.size arrays…",),
    },
    "chapter13.no_grad": {
        COUNTED: (
            "remembering.broken_off array",
            "remembering.entered_again array",
        ),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
