"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import DTYPE, REFUSED, SHIFT

LIMIT = "is a limit, and no answer comes near it"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter16.nucleus": {
        REFUSED: ("answering.no_nucleus probabilities",),
    },
    "chapter16.choose": {
        REFUSED: ("answering.not_chosen logits",),
    },
    "chapter16.cache.extend": {
        REFUSED: (
            "answering.no_room first",
            "answering.no_room more",
        ),
        LIMIT: ("answering.extended room",),
    },
    "chapter16.through": {
        SHIFT: ("answering.passed state.attention.key.bias",),
    },
    "chapter16.step": {
        SHIFT: (
            "answering.stepped state.blocks.0.attention.key.bias",
            "answering.stepped state.blocks.1.attention.key.bias",
        ),
        "says whether lists come in the place of arrays": ("answering.stepped listed",),
    },
    "chapter16.stream": {
        SHIFT: (
            "answering.streamed state.blocks.0.attention.key.bias",
            "answering.streamed state.blocks.1.attention.key.bias",
        ),
        REFUSED: (
            "answering.too_much size…",
            "answering.too_much state…",
            "answering.too_much prompt…",
        ),
    },
    "chapter16.smalllinear": {
        DTYPE: ("answering.small_linear dtype",),
    },
    "chapter16.multiply_adds": {
        LIMIT: ("answering.counted size.1",),
        "shares out the same products": ("answering.counted size.3",),
        "says only whether there is a head of its own": ("answering.counted size.5",),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards", "prompt": "the prompt, likewise"}
