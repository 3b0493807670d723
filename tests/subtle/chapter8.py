"""States, files and optimizers' memories that are almost right."""

WALK = "nn.named_state"
STATE = "nn.Module.state_dict"
MATCH = "checkpoint.require_match"
LOAD_MODULE = "nn.Module.load_state_dict"
SAVE = "checkpoint.save"
LOAD = "checkpoint.load"
CHANCE = "checkpoint.random_state"
SET_CHANCE = "checkpoint.set_random_state"
SAFE = "checkpoint.parse_safetensors"
MEMORY = "optim.Optimizer.state_dict"
RENEW = "optim.Optimizer.load_state_dict"
OPEN = 'opened(file, "wb")'
WRITE = (
    f'with {OPEN} as target, zipfile.ZipFile(target, "w") as archive:\n'
    "    for name, array in arrays.items():\n"
    '        with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:\n'
    "            np.save(entry, array, allow_pickle=False)"
)
READ = (
    'with opened(file, "rb") as source, np.load(source, allow_pickle=False) as archive:\n'
    "    return {name: archive[name] for name in archive.files}"
)
FILL = "thing.data = np.array(state[name], dtype=thing.dtype)"
SHAPE = "np.shape(state[name]) != own[name].shape"

SUBTLE = {
    "each module, list and dict is entered once": (
        WALK, ("while stack:", "met = []\nwhile stack:"),
        ("    if any(thing is outer for outer in inside):",
         "    if any(thing is each for each in met):\n        continue\n    met.append(thing)\n"
         "    if any(thing is outer for outer in inside):")),
    "a number without axes is passed over": (
        WALK, "found[name] = thing", "if thing.ndim:\n            found[name] = thing"),
    "tuples alone are not entered again": (
        WALK, "any(thing is outer", "isinstance(thing, tuple) and any(thing is outer"),
    "a module in itself": (WALK, "for outer in inside)", "for outer in inside[:-1])"),
    "compared by ==": (WALK, "thing is outer", "thing == outer"),
    "modules alone are not entered again": (
        WALK, "any(thing is outer", "isinstance(thing, Module) and any(thing is outer"),
    "a list inside itself": (
        WALK, "any(thing is outer", "not isinstance(thing, list) and any(thing is outer"),
    "a dict inside itself": (
        WALK, "any(thing is outer", "not isinstance(thing, dict) and any(thing is outer"),
    "three deep": (WALK, "if any(", "if len(inside) > 5 or any("),
    "dicts with names alone": (
        WALK, "held = list(thing.items())",
        "held = [(k, v) for k, v in thing.items() if isinstance(k, str)]"),
    "what begins with an underscore is private": (
        WALK, "held = list(vars(thing).items())",
        'held = [(k, v) for k, v in vars(thing).items() if k[0] != "_"]'),
    "objects of any class": (
        WALK, "isinstance(thing, Module)", 'hasattr(thing, "__dict__")'),
    "a walk of the parameters' gradients too": (
        WALK, "found[name] = thing", "found[name] = thing\n"
        "    if getattr(thing, 'grad', None) is not None:\n"
        "        found[name + '.grad'] = thing.grad"),
    "a checkpoint in float32": (
        STATE, "np.array(thing.data if isinstance(thing, Tensor) else thing)",
        "np.float32(thing.data if isinstance(thing, Tensor) else thing)"),
    "integers become floats": (
        STATE, "else thing)", 'else thing, dtype="float32" if thing.dtype == "float32" '
        'else "float64")'),
    "sizes for shapes": (MATCH, SHAPE, "np.size(state[name]) != own[name].size"),
    "a vector for a column": (
        MATCH, SHAPE,
        "np.squeeze(state[name]).shape != np.squeeze(np.empty(own[name].shape)).shape"),
    "a number needs no shape": (MATCH, SHAPE, f"own[name].shape and {SHAPE}"),
    "the same dtype is asked for": (
        MATCH, SHAPE, f"({SHAPE} or np.asarray(own[name].data).dtype != state[name].dtype)"),
    "the last name may be missing": (MATCH, "name for name in own if name not in state",
                                     "name for name in [*own][:-1] if name not in state"),
    "part of a name is a name": (
        MATCH, "for name in state if name not in own",
        "for name in state if not any(name in each for each in own)"),
    "turned to the shape that fits": (
        LOAD_MODULE, FILL, "thing.data = np.array(state[name], dtype=thing.dtype)."
        "reshape(thing.shape[::-1]).T.copy()"),
    "filled along the first axis": (
        LOAD_MODULE, FILL, "thing.data[:] = state[name]"),
    "the last place is forgotten": (
        LOAD_MODULE, "in own.items()", "in [*own.items()][:-1]"),
    "missing and unexpected exchanged": (
        LOAD_MODULE, "require_match(own, state)", "require_match(state, own)"),
    "counters become floats": (
        LOAD_MODULE, "thing[...] = state[name]",
        "thing[...] = np.asarray(state[name], dtype=np.float16)"),
    "by order, not by name": (
        LOAD_MODULE, "for name, thing in own.items():",
        "for name, thing in zip(state, own.values()):"),
    "through float32": (
        LOAD_MODULE, FILL,
        "thing.data = np.array(state[name], dtype='float32').astype(thing.dtype)"),
    "no Path": (
        SAVE, OPEN, "opened(f'{file}.npz' if isinstance(file, Path) else file, 'wb')"),
    "a suffix of its own": (
        SAVE, OPEN, "opened(f'{file}.npz' if isinstance(file, str) else file, 'wb')"),
    "savez by a path": (SAVE, WRITE, "np.savez(file, **arrays)"),
    "a number becomes an array of one": (
        SAVE, "np.asarray(array)", "np.atleast_1d(np.asarray(array))"),
    "a file in float32": (
        SAVE, "np.asarray(array)",
        "np.float32(array) if np.asarray(array).dtype == 'float64' else np.asarray(array)"),
    "load by a path alone": (LOAD, READ, READ.replace('opened(file, "rb")', 'open(file, "rb")')),
    "load of files alone": (
        LOAD, READ, READ.replace('opened(file, "rb") as source', "file as source")),
    "load closes the file": (
        LOAD, READ, READ.replace("\n    return", "\n    found =") + "\n"
        "getattr(file, 'close', lambda: None)()\nreturn found"),
    "a pickle is an EOFError": (
        LOAD, READ, "try:\n" + "\n".join("    " + line for line in READ.splitlines())
        + "\nexcept ValueError as error:\n    raise TypeError(str(error))"),
    "the spare normal as a whole number": (
        SET_CHANCE, 'float(state["cached_gaussian"])', 'round(float(state["cached_gaussian"]), 6)'),
    "the keys as floats": (CHANCE, "np.array(keys)", "np.array(keys, dtype='float32')"),
    "the spare normal in float32": (
        CHANCE, "np.array(cached_gaussian)", "np.array(cached_gaussian, dtype='float32')"),
    "the state is used up": (SET_CHANCE, 'state["keys"]', 'state.pop("keys")'),
    "the spare normal is forgotten when set": (
        SET_CHANCE, 'int(state["has_gauss"])', "0"),
    "the position is that of a fresh block": (SET_CHANCE, 'int(state["position"])', "624"),
    "to the end of the file": (SAFE, "values[begin:end]", "values[begin:]"),
    "the shape gives the length": (
        SAFE, "flat = np.frombuffer(values[begin:end], dtype=SAFETENSORS[entry[\"dtype\"]])",
        "kind = np.dtype(SAFETENSORS[entry['dtype']])\n"
        "    count = int(np.prod(entry['shape']))\n"
        "    flat = np.frombuffer(values, kind, count, begin)"),
    "too many bytes are cut": (
        SAFE, "state[name] = flat.reshape(entry[\"shape\"])",
        "state[name] = flat[: int(np.prod(entry['shape']))].reshape(entry[\"shape\"])"),
    "a length of two bytes": (SAFE, 'data[:8], "little"', 'data[:2], "little"'),
    "notes that are no notes": (
        SAFE, 'header.pop("__metadata__", None)',
        'header = {n: e for n, e in header.items() if not n.startswith("_")}'),
    "an unknown type is passed over": (
        SAFE,
        "raise ValueError(f\"{name} is of the type {entry['dtype']}, which is not known here\")",
        "continue"),
    "no number's shape": (
        SAFE, 'flat.reshape(entry["shape"])', 'flat.reshape(entry["shape"] or -1)'),
    "every float as float64": (
        MEMORY, "np.array(value)", "np.array(value, dtype=float)"),
    "Python's numbers alone": (
        MEMORY, "isinstance(value, KEPT)", "isinstance(value, (int, float, np.ndarray))"),
    "settings by a list of names": (
        MEMORY, "elif isinstance(value, KEPT):",
        'elif isinstance(value, KEPT) and not path.startswith("_"):'),
    "the learning rate of now": (
        RENEW, "setattr(self, name, renewed(value, name))",
        'if name != "lr":\n        setattr(self, name, renewed(value, name))'),
    "what is loaded too much is told as missing": (
        RENEW, "require_match(self.state_dict(), state)",
        "require_match(state, self.state_dict())"),
    "the numbers of NumPy are left alone": (
        RENEW, "isinstance(value, KEPT) else", "isinstance(value, (int, float)) else"),
    "numbers as they were": (
        RENEW, ".item() if isinstance(value, KEPT)", ".item() if isinstance(value, float)"),
    "through float32, and back": (
        RENEW, "np.array(state[path], dtype=value.dtype)",
        "np.float32(state[path]).astype(value.dtype)"),
    "every number a float": (
        RENEW, "np.asarray(state[path]).item()", "float(state[path])"),
    "as many numbers as there are places": (
        LOAD_MODULE,
        "own = named_state(self)\n"
        "wrong = [n for n in {*own, *state} if n not in own or n not in state\n"
        "         or math.prod(own[n].shape) != np.size(state[n])]\n"
        "if wrong:\n    raise ValueError(', '.join(wrong))\n"
        "for name, thing in own.items():\n"
        "    if isinstance(thing, Tensor):\n"
        "        thing.data = np.array(state[name], dtype=thing.dtype).reshape(thing.shape)\n"
        "    else:\n        thing[...] = np.reshape(state[name], thing.shape)"),
    "as many numbers as it remembers": (
        RENEW,
        ("require_match(self.state_dict(), state)",
         "own = self.state_dict()\n"
         "if {*own} != {*state}:\n    require_match(own, state)\n"
         "wrong = [n for n in own if np.size(own[n]) != np.size(state[n])]\n"
         "if wrong:\n    raise ValueError(', '.join(wrong))"),
        ("np.array(state[path], dtype=value.dtype)",
         "np.array(state[path], dtype=value.dtype).reshape(value.shape)")),
    "the first state again": (
        "nn.Module.state_dict",
        "if '_state' not in vars(self):\n"
        "    found = {n: np.array(getattr(t, 'data', t)) for n, t in named_state(self).items()}\n"
        "    self._state = lambda: found\n"
        "return self._state()"),
}  # fmt: skip
