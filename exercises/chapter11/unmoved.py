"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import TEXT

PLACE = "is where a walk of sums begins, whose gradients are the same everywhere"
COUNTED = "is counted by its paths, whatever its slopes and values are"
FRESH = "says whether the graph is made again, which gives the same gradients"
SPOILED = "is written into a gradient afterwards, and no other may change with it"
HELD = "is held before, and forgotten"

WALKED = (
    "engine_walks.walked arrays…",
    "engine_walks.walked_twice arrays…",
    "engine_walks.own_arrays arrays…",
)

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter11.grad_fn.backward": {
        PLACE: WALKED,
        FRESH: ("engine_walks.walked_twice fresh",),
        SPOILED: ("engine_walks.own_arrays value",),
    },
    "chapter11.grad_fn.train_step": {HELD: ("engine_networks.stepped held",)},
    "chapter11.grad_fn.visits": {
        COUNTED: (
            "engine_walks.counted steps…",
            "engine_walks.counted arrays…",
        )
    },
    "chapter11.grad_fn.in_order": {
        PLACE: WALKED,
        FRESH: ("engine_walks.walked_twice fresh",),
        SPOILED: ("engine_walks.own_arrays value",),
        "is walked, and what is told is that no backward was called": (
            "engine_walks.calls_of_backward steps…",
            "engine_walks.calls_of_backward arrays.0",
        ),
    },
    "chapter11.apply.backward": {
        PLACE: WALKED,
        FRESH: ("engine_walks.walked_twice fresh",),
        SPOILED: ("engine_walks.own_arrays value",),
        "is no single number, which is all that counts": ("engine_walks.without_start array",),
    },
    "chapter11.closure.matmul": {
        TEXT: ("engines.closure_rule call",),
    },
    "chapter11.closure.backward": {
        PLACE: (*WALKED[:2], "engine_walks.filled arrays…", "engine_walks.set_anew array"),
        HELD: ("engine_walks.set_anew held",),
    },
    "chapter11.zoo": {
        "names an engine, and all of them give the same": ("engine_zoo.gradients engine",),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
