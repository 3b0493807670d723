"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter9.correct": {
        "says in which form the labels come, and each gives the same": ("trainers.counted form",),
    },
    "chapter9.evaluate": {
        "says from where it is called, and each gives the same": ("trainers.evaluated where",),
        "is a weight, and nothing is sent through the model": ("trainers.nothing_to_evaluate w",),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
