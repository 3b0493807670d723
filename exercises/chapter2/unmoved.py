"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import SEED, SIZE, VALUES

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter2.init": {
        "says of which class an array is, and each is copied alike": ("tensors.own_copy kind",),
        VALUES: (
            "tensors.starts_without_grad array",
            "tensors.requires_grad array",
            "tensors.new_is_leaf array",
            "tensors.fresh_from_result array",
            "tensors.requires_grad_from_tensor array",
        ),
    },
    "chapter2.shape": {
        VALUES: ("tensors.shape array",),
    },
    "chapter2.dtype": {
        VALUES: ("tensors.dtype array",),
    },
    "chapter2.ndim": {
        VALUES: (
            "tensors.count array",
            "tensors.count dtype",
        ),
    },
    "chapter2.size": {
        VALUES: (
            "tensors.count array",
            "tensors.count dtype",
        ),
    },
    "chapter2.device": {
        VALUES: ("tensors.device array",),
        "is a name that says the same": ("tensors.device options.device",),
    },
    "chapter2.detach": {
        "says whether the original learns, and what is detached never does": (
            "tensors.detach options.requires_grad",
        ),
    },
    "chapter2.rand": {
        SEED: (
            "tensors.drawn_shape seed",
            "tensors.repeatable seed",
        ),
        SIZE: ("tensors.repeatable args…",),
    },
    "chapter2.randn": {
        SEED: (
            "tensors.drawn_shape seed",
            "tensors.repeatable seed",
        ),
        SIZE: ("tensors.repeatable args…",),
    },
    "chapter2.randb": {
        SEED: (
            "tensors.drawn_shape seed",
            "tensors.repeatable seed",
        ),
        SIZE: ("tensors.repeatable args…",),
    },
}
ECHOES: dict[str, str] = {}
