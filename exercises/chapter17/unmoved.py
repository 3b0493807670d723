"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
