"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

FIXED = "belongs to a formula: with other numbers, another number of lines is enough"
REFUSED = "is refused whatever the other numbers are"
NO_STEP = "some axes have one value, or none: nobody takes a step along them"
TWO_NAMES = "an axis and an index have two names, and a slice may end behind the last value"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter17.row_major_strides": {
        "the size of the first axis is in no stride": ("views.strides cases…",),
    },
    "chapter17.offset_of": {
        REFUSED: ("views.refused …",),
        "a size says only which indices there are": ("views.offsets cases…",),
    },
    "chapter17.is_compact": {
        "one gap is as good as another": ("views.compactness cases…",),
    },
    "chapter17.ndarray.transpose": {
        REFUSED: ("views.method_refused …",),
        TWO_NAMES: ("views.viewed cases…",),
    },
    "chapter17.ndarray.broadcast_to": {
        REFUSED: ("views.method_refused …",),
        NO_STEP: ("views.viewed cases…",),
    },
    "chapter17.ndarray.getitem": {
        REFUSED: ("views.method_refused …",),
        TWO_NAMES: ("views.viewed cases…",),
    },
    "chapter17.ndarray.setitem": {
        REFUSED: ("views.write_refused …",),
        NO_STEP: ("views.written cases…",),
    },
    "chapter17.view_strides": {
        "one array without such strides is as good as another": ("views.strides_in_place cases…",),
    },
    "chapter17.ndarray.reshape": {
        REFUSED: ("views.method_refused …",),
        NO_STEP: ("views.copied cases…",),
    },
    "chapter17.ndarray.windows": {REFUSED: ("views.method_refused …",)},
    "chapter17.elementwise": {
        REFUSED: ("folds.loop_refused …",),
        NO_STEP: ("folds.combined cases…",),
        "names a function, and each has its own number of arrays": ("folds.combined formula",),
    },
    "chapter17.reduce": {
        REFUSED: ("folds.loop_refused …",),
        NO_STEP: ("folds.reduced cases…",),
    },
    "chapter17.matmul": {REFUSED: ("products.not_multiplied …",)},
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
