"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import TEXT, VALUES

ORDER = "is a slope, or one of several in any order, and only the order of nodes is told"
LINEAR = "is a value, and sums have the same slopes everywhere"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter1.numerical_derivative": {
        TEXT: ("scalars.derivative functions.0",),
    },
    "chapter1.value.init": {
        VALUES: ("scalars.with_inputs numbers…",),
    },
    "chapter1.value.add": {
        TEXT: ("scalars.through function",),
    },
    "chapter1.value.mul": {
        TEXT: ("scalars.through function",),
    },
    "chapter1.value.radd": {
        TEXT: ("scalars.through function",),
    },
    "chapter1.value.rmul": {
        TEXT: (
            "scalars.through function",
            "scalars.expression function",
        ),
    },
    "chapter1.topological_order": {
        ORDER: ("scalars.order graph…",),
        VALUES: ("scalars.order numbers…",),
        "is room for calls, of which a loop needs none": ("scalars.deep room",),
    },
    "chapter1.value.backward": {
        LINEAR: ("scalars.backward numbers…",),
        "is held before, and no other gradient depends on it": ("scalars.backward held",),
        "is counted by its paths, whatever its slopes and values are": (
            "scalars.rule_calls graph…",
            "scalars.rule_calls numbers…",
        ),
    },
    "chapter1.zero_grad": {
        "is held before, and forgotten": ("scalars.zeroed held.2",),
    },
    "chapter1.mended_zeroing": {
        "is held before, and forgotten": ("scalar_networks.trained held",),
    },
    "chapter1.mended_limit": {
        "is held before, and forgotten": ("scalar_networks.trained held",),
    },
}
ECHOES: dict[str, str] = {}
