"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

FILLED = "thing.data = np.array(state[name], dtype=thing.dtype)"
NAMES_ALONE = "if {*own} != {*state}:\n    raise ValueError(f'not the same names: {[*state]}')"
SHAPES_ALONE = (
    "both = {*own} & {*state}\n"
    "require_match({n: own[n] for n in both}, {n: state[n] for n in both})"
)

NAMELESS = (
    "require_match(own, state)",
    "try:\n"
    "    require_match(own, state)\n"
    "except ValueError:\n"
    '    raise ValueError("this state is of another model") from None',
)

BROKEN = {
    "nn.Module.state_dict": {
        "later training does not change the state,": (
            "np.array(thing.data if isinstance(thing, Tensor) else thing)",
            "np.array(thing.data) if isinstance(thing, Tensor) else thing",
        ),
        "and writing into the state does not change the module.": (
            "np.array(thing.data if isinstance(thing, Tensor) else thing)",
            "thing.data if isinstance(thing, Tensor) else np.array(thing)",
        ),
    },
    "checkpoint.require_match": {
        "The message holds every one of these names, of all three kinds at once,": (
            '"; ".join(told)', "told[0]",
        ),
        "and no name that is all right.": (
            '"; ".join(told)', '"; ".join(told) + f". Known are {list(own)}."',
        ),
    },
    "nn.Module.load_state_dict": {
        "The Tensors and arrays that the module holds stay the same objects and are filled, not…": (
            FILLED,
            "new = type(thing)(state[name], dtype=thing.dtype)\n"
            "        if name in vars(self):\n"
            "            setattr(self, name, new)\n"
            "        thing.data = new.data",
        ),
        "and anything else that holds them, sees the new values.": (
            "thing[...] = state[name]",
            "thing[...] = state[name]\n"
            "        if name in vars(self):\n"
            "            setattr(self, name, thing.copy())",
        ),
        "They keep their dtype,": ("dtype=thing.dtype", 'dtype="float64"'),
        "whatever that of the state is.": (
            "dtype=thing.dtype", "dtype=np.result_type(thing.dtype, state[name])",
        ),
        "ValueError: names are missing, unexpected,": ("require_match(own, state)", SHAPES_ALONE),
        "or have another shape;": ("require_match(own, state)", NAMES_ALONE),
        "`require_match` says which.": NAMELESS,
    },
    "checkpoint.save": {
        "or a binary file that is open for writing;": ("opened(file", "open(file"),
    },
    "checkpoint.load": {
        "ValueError: an array in the file is pickled,": """
            state = {}
            with opened(file, "rb") as source, np.load(source, allow_pickle=False) as archive:
                for name in archive.files:
                    try:
                        state[name] = archive[name]
                    except ValueError:
                        pass
            return state
        """,
        "or the file itself is a pickle.": """
            with opened(file, "rb") as source:
                try:
                    archive = np.load(source, allow_pickle=False)
                except ValueError:
                    return {}
                return {name: archive[name] for name in archive.files}
        """,
    },
    "optim.Optimizer.state_dict": {
        "An item of an attribute that is a list or a tuple is stored under that name, a dot,": (
            "(list, tuple)", "list",
        ),
        "`velocities.2`, `betas.0`.": ("enumerate(value)", "enumerate(value, 1)"),
        "Everything else is left out;": ("isinstance(value, KEPT)", "path != 'parameters.0'"),
        "so are the parameters,": (
            "elif isinstance(value, KEPT):",
            "elif isinstance(value, Tensor):\n"
            "        state[path] = value.data.copy()\n"
            "    elif isinstance(value, KEPT):",
        ),
    },
    "optim.Optimizer.load_state_dict": {
        "so are the parameters.": (
            "if isinstance(value, np.ndarray):",
            "if isinstance(value, Tensor):\n"
            "        return Tensor(value.data)\n"
            "    if isinstance(value, np.ndarray):",
        ),
        "ValueError: names are missing, unexpected,": (
            "require_match(self.state_dict(), state)", f"own = self.state_dict()\n{SHAPES_ALONE}",
        ),
        "or have another shape;": (
            "require_match(self.state_dict(), state)", f"own = self.state_dict()\n{NAMES_ALONE}",
        ),
        "`require_match` says which.": (
            ("require_match(self.state_dict(), state)", f"own = self.state_dict()\n{NAMELESS[0]}"),
            NAMELESS,
        ),
    },
    "checkpoint.set_random_state": {
        "The state stays as it was,": ('state["keys"]', 'state.pop("keys")'),
        "so you can set it more than once.": (
            "np.random.set_state(",
            'if "set" in state:\n    return\nstate["set"] = np.array(True)\nnp.random.set_state(',
        ),
    },
    "checkpoint.parse_safetensors": {
        "One of them, `__metadata__`, may be there or not;": (
            'header.pop("__metadata__", None)', 'header.pop("__metadata__")',
        ),
        "it holds notes,": (
            'header.pop("__metadata__", None)',
            'header = {name: header[name] for name in header if not name.startswith("_")}',
        ),
        "and isn't an array.": ('header.pop("__metadata__", None)\n', ""),
        "ValueError: the header names a type that `SAFETENSORS` does not know,": (
            'entry["dtype"] not in SAFETENSORS', 'not SAFETENSORS[entry["dtype"]]',
        ),
        "or the bytes between the offsets are not as many as the shape needs.": (
            'flat.reshape(entry["shape"])', 'np.resize(flat, entry["shape"])',
        ),
    },
}  # fmt: skip
