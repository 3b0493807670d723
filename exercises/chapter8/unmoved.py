"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import BYTE, DTYPE

NAMES = "holds values, and what is told are names and which object has them"
REPLACED = "is held before, and the state takes its place"
REFUSED = "is part of a state that is refused as a whole"
PATH = "says in which form a path comes, and each gives the same"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter8.named_state": {
        NAMES: (
            "states.named spec…",
            "states.clash spec…",
        ),
    },
    "chapter8.module.state_dict": {
        DTYPE: ("states.taken dtype",),
        "is a size, and what is told are names": ("states.names_in_network sizes…",),
    },
    "chapter8.require_match": {
        "holds values, and only shapes and names have to match": (
            "states.matched own…",
            "states.matched state…",
        ),
    },
    "chapter8.module.load_state_dict": {
        REPLACED: ("states.loaded spec…",),
        DTYPE: ("states.loaded dtype",),
        REFUSED: ("states.not_loaded state…",),
    },
    "chapter8.save": {
        "is told by its name: values are told of other names": (
            "state_files.saved state.allow_pickle",
            "state_files.saved state.args",
            "state_files.saved state.file",
            "state_files.saved_to_path state…",
        ),
        PATH: ("state_files.saved_to_path kind",),
        REFUSED: (
            "state_files.saved_objects state.weight",
            "state_files.saved_objects state.bias",
        ),
    },
    "chapter8.load": {
        PATH: ("state_files.read_from_path kind",),
        "says where the trap lies, and each is refused": ("state_files.trapped where",),
    },
    "chapter8.parse_safetensors": {
        "is a byte of no meaning: a place that is left free, or the last digits of a float": (
            "state_files.parsed data…",
        ),
        BYTE: ("state_files.not_parsed data…",),
    },
    "chapter8.optimizer.load_state_dict": {
        REPLACED: (
            "states.renewed attributes…",
            "optimizers.continued others…",
        ),
        REFUSED: ("states.not_renewed state…",),
        "says when another optimizer goes on, which ends in the same place": (
            "optimizers.continued stop",
        ),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
