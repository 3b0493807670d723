"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

CALLED = "names what is called, which is one function for each exercise"
DTYPES = "is computed with, and only the dtype of the answer is told"
TEXT = "is a text, and no other probe has one that fits in its place"
COUNTED = "is a place to count at: what is counted does not depend on it"
LINEAR = "is a place, and a linear answer is the same everywhere"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter13.grad": {
        TEXT: (
            "higher.twice call",
            "higher.on_the_way inner",
            "higher.on_the_way call",
            "higher.through_start call",
            "higher.orders call",
        ),
        DTYPES: ("higher.dtypes…",),
        COUNTED: ("higher.asked array",),
        LINEAR: ("higher.through_start start",),
    },
    "chapter13.hvp": {
        CALLED: (
            "higher.product where",
            "higher.product name",
        ),
        DTYPES: ("higher.dtypes…",),
        COUNTED: ("higher.walks array",),
    },
    "chapter13.jacobian": {
        CALLED: (
            "higher.matrix where",
            "higher.matrix name",
        ),
        DTYPES: ("higher.dtypes…",),
    },
    "chapter13.hessian": {
        CALLED: (
            "higher.matrix where",
            "higher.matrix name",
        ),
        DTYPES: ("higher.dtypes…",),
    },
    "chapter13.dual.mul": {
        TEXT: ("forward_rules.nested call",),
    },
    "chapter13.dual.pow": {
        TEXT: ("forward_rules.nested call",),
    },
    "chapter13.derivative": {
        TEXT: ("forward_rules.second_slope call",),
    },
    "chapter13.jvp_linear": {
        CALLED: ("forward_rules.rule name",),
        LINEAR: (
            "forward_rules.rule arrays.0",
            "forward_rules.rule arrays.1",
        ),
    },
    "chapter13.jvp_bilinear": {
        CALLED: ("forward_rules.rule name",),
    },
    "chapter13.jvp_elementwise": {
        CALLED: ("forward_rules.rule name",),
    },
    "chapter13.jvp_div": {
        CALLED: ("forward_rules.rule name",),
    },
    "chapter13.jvp_logsumexp": {
        CALLED: ("forward_rules.rule name",),
    },
    "chapter13.jvp": {
        DTYPES: ("higher.dtypes…",),
        LINEAR: ("forward_rules.of_own_op array",),
    },
    "chapter13.jacobian_forward": {
        CALLED: (
            "higher.matrix where",
            "higher.matrix name",
        ),
        DTYPES: ("higher.dtypes…",),
    },
    "chapter13.hvp_forward": {
        CALLED: (
            "higher.product where",
            "higher.product name",
        ),
        DTYPES: ("higher.dtypes…",),
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
