"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

FIXED = "belongs to a formula: with other numbers, another number of lines is enough"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter17.matmul_by_rows": {FIXED: ("products.lines …",)},
    "chapter17.matmul_in_tiles": {
        FIXED: ("products.lines …",),
        "decides in which order the same numbers are added": ("products.added given.2",),
    },
    "chapter17.padded_row": {
        FIXED: ("products.padded_lines …",),
        "a row may be the shortest for its neighbours, too": ("products.padded cases…",),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
