"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import BYTE, REFUSED, SEED, VALUES

HEADER = "is part of a header: a gzipped file is read without it, and any other is refused"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter6.array_dataset": {
        VALUES: ("datasets.loop_ends arrays…",),
        REFUSED: ("datasets.refuses arrays…",),
    },
    "chapter6.parse_idx": {
        BYTE: (
            "datasets.refuses arrays.0.3",
            "datasets.refuses arrays.0.4",
            "datasets.refuses arrays.0.5",
            "datasets.refuses arrays.0.6",
            "datasets.refuses arrays.0.7",
            "datasets.refuses arrays.0.8",
            "datasets.refuses arrays.0.9",
            "datasets.refuses arrays.0.10",
            "datasets.refuses arrays.0.11",
            "datasets.refuses arrays.0.12",
            "datasets.refuses arrays.0.13",
            "datasets.refuses arrays.0.14",
            "datasets.refuses arrays.0.15",
            "datasets.refuses arrays.0.16",
            "datasets.refuses arrays.0.17",
            "datasets.refuses arrays.0.18",
        ),
    },
    "chapter6.parse_mnist": {
        HEADER: (
            "datasets.mnist images.3",
            "datasets.mnist images.4",
            "datasets.mnist images.5",
            "datasets.mnist images.6",
            "datasets.mnist images.7",
            "datasets.mnist images.8",
            "datasets.mnist images.9",
            "datasets.mnist labels.3",
            "datasets.mnist labels.4",
            "datasets.mnist labels.5",
            "datasets.mnist labels.6",
            "datasets.mnist labels.7",
        ),
        "says in which form a file comes, and each gives the same": ("datasets.mnist form",),
        REFUSED: ("datasets.refuses arrays…",),
    },
    "chapter6.mnist.length": {
        VALUES: (
            "datasets.digits_length images…",
            "datasets.digits_length labels…",
        ),
    },
    "chapter6.loader.iterate": {
        "holds values, and what is told is when they are asked for": ("datasets.one_by_one x",),
        "says in how many parts the samples come, which all come once": (
            "datasets.shuffled batch_size",
        ),
        "says how often it is drawn, and so often each pair meets": ("datasets.mixes epochs",),
        SEED: (
            "datasets.shuffled start",
            "datasets.mixes start",
        ),
    },
    "chapter6.flip": {
        VALUES: ("images.flips image",),
    },
    "chapter6.crop": {
        VALUES: (
            "images.cuts image",
            "images.gap image",
        ),
        "says how often it is drawn, and so often all there is is met": ("images.gap times",),
    },
    "chapter6.xor": {
        SEED: ("images.points options.seed",),
        "says how many points there are, and what is told is whether they are the same": (
            "images.seeds options.n",
        ),
    },
    "chapter6.moons": {
        SEED: ("images.points options.seed",),
        "says how many points there are, and what is told is whether they are the same": (
            "images.seeds options.n",
        ),
    },
    "chapter6.spiral": {
        SEED: ("images.points options.seed",),
        "says how many points there are, and what is told is whether they are the same": (
            "images.seeds options.n",
            "images.seeds options.classes",
        ),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
