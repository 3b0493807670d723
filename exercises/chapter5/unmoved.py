"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import DTYPE, VALUES

FORM = "says whether a list or a generator comes, and both give the same"
AFTER = "lies behind the end, where the rate stays as it is"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter5.optimizer.init": {
        VALUES: (
            "optimizers.kept arrays…",
            "optimizers.refused arrays…",
        ),
        FORM: ("optimizers.kept form",),
        "names a parameter that stands earlier in the list": ("optimizers.kept order.4",),
    },
    "chapter5.optimizer.zero_grad": {
        "is forgotten, whatever it is": (
            "optimizers.forgotten gradients.0",
            "optimizers.forgotten gradients.2",
        ),
    },
    "chapter5.sgd.init": {
        VALUES: (
            "optimizers.settings arrays…",
            "optimizers.memory arrays…",
        ),
        DTYPE: ("optimizers.memory dtype",),
    },
    "chapter5.adam.init": {
        VALUES: (
            "optimizers.settings arrays…",
            "optimizers.memory arrays…",
        ),
        DTYPE: ("optimizers.memory dtype",),
    },
    "chapter5.adam.direction": {
        "is where the parameters are, and a direction comes from gradients alone": (
            "optimizers.directions arrays…",
            "optimizers.directions_float32 array",
        ),
    },
    "chapter5.clip_grad_norm": {FORM: ("optimizers.clipped form",)},
    "chapter5.step_decay": {
        "gives the rate that a step beside it gives": (
            "optimizers.schedule steps.9",
            "optimizers.schedule steps.10",
        ),
    },
    "chapter5.warmup_cosine": {
        AFTER: (
            "optimizers.schedule steps.22",
            "optimizers.schedule steps.23",
        ),
    },
    "chapter5.scheduler": {
        "is replaced before the first step": ("optimizers.scheduled lr",),
    },
}
ECHOES: dict[str, str] = {}
