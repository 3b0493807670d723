"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import BIAS, DTYPE, LINEAR, REFUSED, SHIFT, SIZE

HEADS = "shares out the same parameters: another check tells how many heads there are"
NAMED = "asks for one thing, whatever else the model is made of"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter14": {
        "is computed with, and what is told is whether both dtypes give the same": (
            "attentions.dtypes…",
            "attentions.dtypes_of_module…",
        ),
        DTYPE: ("attentions.typed dtype",),
    },
    "chapter14.characters.encode": {
        "gets letters that no text has: the others keep their numbers": (
            "texts.encoded alphabet",
            "texts.unknown alphabet",
        ),
    },
    "chapter14.characters.decode": {
        "gets letters that no text has: the others keep their numbers": ("texts.decoded alphabet",),
    },
    "chapter14.take.backward": {
        LINEAR: (
            "operators.vjp arrays.0",
            "twice.linear arrays.0",
            "twice.linear cotangent",
        ),
    },
    "chapter14.embedding.init": {
        SIZE: (
            "attentions.initial larger.0",
            "attentions.initial larger.1",
        ),
    },
    "chapter14.embedding.forward": {LINEAR: ("attentions.gradient state.weight",)},
    "chapter14.multihead.init": {
        HEADS: (
            "attentions.owned arguments.1",
            "attentions.typed arguments.1",
        ),
        REFUSED: ("attentions.refused arguments.0",),
    },
    "chapter14.multihead.forward": {
        SHIFT: (
            "attentions.value state.key.bias",
            "attentions.gradient state.key.bias",
        ),
        BIAS: ("attentions.gradient state.output.bias",),
    },
    "chapter14.block.init": {
        HEADS: (
            "attentions.owned arguments.1",
            "attentions.typed arguments.1",
        ),
    },
    "chapter14.block.forward": {
        SHIFT: (
            "attentions.value state.attention.key.bias",
            "attentions.gradient state.attention.key.bias",
        ),
        BIAS: ("attentions.gradient state.shrink.bias",),
    },
    "chapter14.gpt.init": {
        HEADS: (
            "attentions.owned arguments.3",
            "attentions.typed arguments.3",
            "attentions.headless arguments.3",
        ),
        "names a parameter, and the others of its shape are made alike": (
            "attentions.owned paths.18",
            "attentions.owned paths.19",
        ),
        NAMED: (
            "attentions.options arguments.0",
            "attentions.options arguments.4",
            "attentions.kept…",
        ),
    },
    "chapter14.gpt.forward": {
        SHIFT: (
            "attentions.value state.blocks.0.attention.key.bias",
            "attentions.value state.blocks.1.attention.key.bias",
            "attentions.gradient state.blocks.0.attention.key.bias",
            "attentions.gradient state.blocks.1.attention.key.bias",
            "attentions.kinds_of_tokens state.blocks.0.attention.key.bias",
            "attentions.lengths state.blocks.0.attention.key.bias",
        ),
        "is a model, and what is told is which scores move with a later token": (
            "attentions.moved arguments…",
            "attentions.moved state…",
            "attentions.moved tokens…",
            "attentions.moved other",
        ),
        REFUSED: (
            "attentions.refused arguments…",
            "attentions.refused tokens…",
        ),
    },
    "chapter14.cross_entropy": {
        "says in which form the targets come, and each gives the same": ("attentions.losses kind",),
    },
    "chapter14.generate": {
        "is the same for both calls, which draw alike": (
            "texts.again…",
            "texts.usual count",
            "texts.usual vocabulary",
            "texts.usual start",
        ),
    },
    "chapter14.next_probabilities": {REFUSED: ("texts.no_chances logits",)},
}
ECHOES = {"inputs": "what was handed in, as it is afterwards", "prompt": "the prompt, likewise"}
