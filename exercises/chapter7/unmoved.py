"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import DTYPE, SEED, SIZE

FANS = "tells the spread, and here the shape that is given is told"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter7.gain": {
        "is a name that nobody knows, and each is refused": ("initializers.refused name",),
    },
    "chapter7.xavier_uniform": {
        SIZE: (
            "initializers.drawn options.shape.0",
            "initializers.drawn options.shape.1",
            "initializers.drawn options.shape.2",
            "initializers.drawn options.shape.3",
        ),
        FANS: ("initializers.form args…",),
        SEED: ("initializers.form start",),
    },
    "chapter7.xavier_normal": {
        SIZE: (
            "initializers.drawn options.shape.0",
            "initializers.drawn options.shape.1",
            "initializers.drawn options.shape.2",
            "initializers.drawn options.shape.3",
        ),
        FANS: ("initializers.form args…",),
        SEED: ("initializers.form start",),
    },
    "chapter7.kaiming_uniform": {
        SIZE: (
            "initializers.drawn options.shape.0",
            "initializers.drawn options.shape.1",
            "initializers.drawn options.shape.2",
            "initializers.drawn options.shape.3",
        ),
        FANS: ("initializers.form args…",),
        SEED: ("initializers.form start",),
    },
    "chapter7.kaiming_normal": {
        SIZE: (
            "initializers.drawn options.shape.0",
            "initializers.drawn options.shape.1",
            "initializers.drawn options.shape.2",
            "initializers.drawn options.shape.3",
        ),
        FANS: ("initializers.form args…",),
        SEED: ("initializers.form start",),
    },
    "chapter7.initialize": {
        DTYPE: ("initializers.filled dtype",),
    },
}
ECHOES: dict[str, str] = {}
