"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

WORDING = "the wording of the message is free"
UNCHANGED = "nothing is added or taken out while the walk goes on"
OWN_ALREADY = "`get_state` gives a copy and plain numbers"
TAKEN_AS_NUMBERS = "`set_state` takes arrays without axes for the numbers that they hold"
KEYS, POSITION, WAITING = (
    f"'{name}': np.array({name})" for name in ("keys", "position", "has_gauss")
)
ENTRY = "with archive.open(f'{name}.npy', 'w'"
SET = "np.random.set_state(('MT19937', state['keys']"

EQUIVALENT = {
    "nn.named_state": {
        WORDING: ("raise ValueError()",),
        "a Tensor holds nothing that is looked into": ("no: continue",),
        "the order is free": ("for name, item in held:",),
        UNCHANGED: ("held = vars(thing).items()", "held = thing.items()"),
    },
    "nn.Module.state_dict": {
        "`data` of an ndarray is its memory, of which NumPy makes the same array": (
            "return {name: np.array(thing.data if True else thing) …",
            "return {name: np.array(thing.data if Tensor else thing) …",
        ),
    },
    "checkpoint.require_match": {
        WORDING: ("raise ValueError('; '.join(told))",),
        "names and shapes alone are compared": ("kept by shape",),
    },
    "checkpoint.save": {
        "the values of a state are arrays": (
            "arrays = {name: array for name, array in state.items()}",
        ),
        "no array of a check has more than 2 GiB": (
            f"{ENTRY}) as entry:", f"{ENTRY}, force_zip64=False) as entry:",
        ),
        "arrays of objects have been refused by then": (
            "np.save(entry, array)", "np.save(entry, array, allow_pickle=True)",
        ),
    },
    "checkpoint.load": {
        "NumPy refuses pickles by default": (
            "with opened(file, 'rb') as source, np.load(source) as archive:",
        ),
    },
    "checkpoint.random_state": {
        OWN_ALREADY: (
            "return {'keys': keys, …", "return {'keys': np.asarray(keys), …",
            f"return {{{KEYS}, 'position': np.asarray(…",
            f"return {{{KEYS}, {POSITION}, 'has_gauss': np.asarray(…",
            f"return {{{KEYS}, {POSITION}, {WAITING}, 'cached_gaussian': np.asarray(…",
        ),
    },
    "checkpoint.set_random_state": {
        TAKEN_AS_NUMBERS: (
            f"{SET}, state['position'], …",
            f"{SET}, int(state['position']), state['has_gauss'], …",
            f"{SET}, int(state['position']), int(state['has_gauss']), state[…",
        ),
    },
    "checkpoint.parse_safetensors": {
        WORDING: ("raise ValueError()",),
        "no check asks for a file that is cut off": (
            "if len(data) …", "no: raise ValueError(f'the file ends…", "raise f'the file ends…",
        ),
        "no header has 2^56 bytes": ("length = int.from_bytes(data[:7], 'little')",),
    },
    "optim.Optimizer.load_state_dict": {
        "the values of a state are arrays": (
            "return state[path].item() if isinstance(value, KEPT) else value",
        ),
        UNCHANGED: ("for name, value in vars(self).items():",),
    },
}  # fmt: skip
