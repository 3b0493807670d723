"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "nn.named_state": {
        "last-one-wins": ["if False:"],
        "endless": ["if False:"],
        "no-dicts": ["elif False:", "held = list()"],
    },
    "nn.Module.state_dict": {
        "no-copy": [
            "return {name: thing.data if isinstance(thing, Tensor) else thing for "
            "name, thing in named_state(self).items()}"
        ],
    },
    "checkpoint.require_match": {
        "shapes-not-compared": [
            "told = [f\"{kind}: {', '.join(names)}\" for kind, names in "
            "list(problems.items())[:-1] if names]"
        ],
    },
    "nn.Module.load_state_dict": {
        "no-copy": ["thing.data = np.asarray(state[name], dtype=thing.dtype)"],
        "arrays-forgotten": ["no: thing[...] = state[name]"],
    },
    "optim.Optimizer.state_dict": {
        "no-copy": ["state[path] = value", "state[path] = np.asarray(value)"],
    },
    "optim.Optimizer.load_state_dict": {
        "dtype-of-the-state": ["return np.array(state[path])"],
        "no-copy": ["return np.asarray(state[path], dtype=value.dtype)"],
        "numbers-as-arrays": [
            "return np.asarray(state[path]) if isinstance(value, KEPT) else value"
        ],
    },
    "checkpoint.set_random_state": {
        "spare-normal-lost": [
            "np.random.set_state(('MT19937', state['keys'], int(state['position']), "
            "int(), float(state['cached_gaussian'])))"
        ],
    },
    "checkpoint.parse_safetensors": {
        "notes-as-an-array": [
            "no: header.pop('__metadata__', None)",
            "'__metadata__'",
            "None",
            "header.pop(None, '__metadata__')",
        ],
        "offsets-from-the-start": ["values = data", "values = data[:]"],
        "forgot-the-eight": ["values = data[length:]"],
        "key-error": [
            "if False:",
            "no: raise ValueError(f\"{name} is of the type {entry['dtype']}, which is "
            'not known here")',
        ],
    },
}
