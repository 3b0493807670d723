"""Wrong bodies of chapter 8 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "A copy: later training does not change the state": the next snapshot changes it.
    "every snapshot is written into the first": (
        "nn.Module.state_dict",
        """\
kept = Module.state_dict.__dict__.setdefault("kept", {}).setdefault(id(self), {})
for name, thing in named_state(self).items():
    values = thing.data if isinstance(thing, Tensor) else thing
    if name not in kept or kept[name].shape != values.shape or kept[name].dtype != values.dtype:
        kept[name] = values.copy()
    kept[name][...] = values
return dict(kept)""",
    ),
    # "Every attribute that is a number": one that was set after the first call is left out.
    "what to remember is decided once": (
        "optim.Optimizer.state_dict",
        (
            "for name, value in vars(self).items():",
            'names = vars(self).setdefault("_names", tuple(vars(self)))\n'
            "for name, value in [(name, vars(self)[name]) for name in names]:",
        ),
    ),
    # "Later draws do not change the state": the next call of the function does.
    "all states of chance share their keys": (
        "checkpoint.random_state",
        (
            '    "keys": np.array(keys),',
            '    "keys": np.copyto(buffer, keys) or buffer,',
        ),
        (
            "return {",
            'buffer = random_state.__dict__.setdefault("buffer", np.empty_like(keys))\nreturn {',
        ),
    ),
    # "The state stays as it was": a second optimizer finds no numbers in it.
    "numbers are taken out of the state": (
        "optim.Optimizer.load_state_dict",
        ("np.asarray(state[path]).item()", "np.asarray(state.pop(path)).item()"),
    ),
}

SETTING = {
    # "Every value has the dtype of the original", and its shape: a single number gets an axis.
    "a single number gets an axis": (
        "nn.Module.state_dict",
        (
            "np.array(thing.data if isinstance(thing, Tensor) else thing)",
            "np.ascontiguousarray(thing.data if isinstance(thing, Tensor) else thing).copy()",
        ),
    ),
    # "One of the types in KEPT": a rate that is np.float32(0.1) is left out.
    "numbers of NumPy are left out": (
        "optim.Optimizer.state_dict",
        ("isinstance(value, KEPT)", "isinstance(value, (int, float, np.ndarray))"),
    ),
    # "Names and arrays", a single number as well: it comes back as a number of Python.
    "a single number is no array": (
        "checkpoint.load",
        (
            "{name: archive[name] for name in archive.files}",
            "{\n        name: archive[name] if archive[name].ndim else archive[name].item()\n"
            "        for name in archive.files\n    }",
        ),
    ),
    # "The shape that the header says", [] as well.
    "an empty shape is left as it is": (
        "checkpoint.parse_safetensors",
        (
            'state[name] = flat.reshape(entry["shape"])',
            'state[name] = flat.reshape(entry["shape"] or -1)',
        ),
    ),
    # "Tensors and arrays stay the same objects and are filled": an array of the module's own is
    # replaced.
    "an array of the module is replaced": (
        "nn.Module.load_state_dict",
        (
            "    else:\n        thing[...] = state[name]",
            "    elif name in vars(self):\n"
            "        setattr(self, name, np.array(state[name], dtype=thing.dtype))\n"
            "    else:\n"
            "        thing[...] = state[name]",
        ),
    ),
}

VARIETY = {
    # "Take over the values of a state" by their names: its order may be another.
    "values are taken over in their order": (
        "nn.Module.load_state_dict",
        (
            "for name, thing in own.items():",
            "state = dict(zip(own, state.values()))\nfor name, thing in own.items():",
        ),
    ),
    # "The state wins": a rate of 1 becomes 0 when 0.5 is loaded.
    "a whole number stays whole": (
        "optim.Optimizer.load_state_dict",
        (
            "np.asarray(state[path]).item() if isinstance(value, KEPT) else value",
            "type(value)(state[path]) if isinstance(value, KEPT) else value",
        ),
    ),
    # "What is neither a number nor an array is left alone": a None among arrays is dropped.
    "what is missing in a list is dropped": (
        "optim.Optimizer.load_state_dict",
        (
            'return type(value)(renewed(v, f"{path}.{i}") for i, v in enumerate(value))',
            "return type(value)(\n"
            '            renewed(v, f"{path}.{i}") for i, v in enumerate(value) if v is not None\n'
            "        )",
        ),
    ),
    # "The message holds every one of these names", not the first ten.
    "a long list of names is cut": (
        "checkpoint.require_match",
        (
            "{kind}: {', '.join(names)}\"",
            "{kind}: {', '.join(names[:10])}{', …' if names[10:] else ''}\"",
        ),
    ),
}

HALF_PROMISE = {
    # "Nothing is written": beside the path an empty file with .part at its end is left.
    "the file is opened before the look": (
        "checkpoint.save",
        """\
with opened(file, "wb") as target:
    arrays = {name: np.asarray(array) for name, array in state.items()}
    objects = [name for name, array in arrays.items() if array.dtype.hasobject]
    if objects:
        raise ValueError(f"only pickle could write these: {', '.join(objects)}")
    np.savez(target, **arrays)""",
    ),
    # "The same draws come again, of every kind": the number that waits has lost digits.
    "the waiting number has the digits of float32": (
        "checkpoint.random_state",
        ("np.array(cached_gaussian)", 'np.array(cached_gaussian, dtype="float32")'),
    ),
    # "The bytes between the offsets are not as many as the shape needs": more of them pass.
    "bytes that are left over are no error": (
        "checkpoint.parse_safetensors",
        (
            'flat = np.frombuffer(values[begin:end], dtype=SAFETENSORS[entry["dtype"]])',
            'count = int(np.prod(entry["shape"]))\n'
            '    flat = np.frombuffer(values[begin:end], SAFETENSORS[entry["dtype"]], count)',
        ),
    ),
    # "Nothing is loaded then": everything that fits is.
    "what fits is loaded before the error": (
        "nn.Module.load_state_dict",
        (
            "require_match(own, state)\n",
            "for name, thing in own.items():\n"
            "    fits = name in state and np.shape(state[name]) == thing.shape\n"
            "    if fits and isinstance(thing, Tensor):\n"
            "        thing.data = np.array(state[name], dtype=thing.dtype)\n"
            "require_match(own, state)\n",
        ),
    ),
}

RIGHT = {
    "paths found by a generator": (
        "nn.named_state",
        """\
def walk(thing, path, inside):
    if isinstance(thing, (np.ndarray, Tensor)):
        yield ".".join(path), thing
    elif id(thing) not in inside:
        if isinstance(thing, Module):
            thing, outer = thing.__dict__, thing
        else:
            outer = thing
        if isinstance(thing, (list, tuple)):
            items = zip(map(str, range(len(thing))), thing)
        elif isinstance(thing, dict):
            items = ((str(key), held) for key, held in thing.items())
        else:
            items = ()
        for part, item in items:
            yield from walk(item, [*path, part], inside | {id(outer)})

pairs = list(walk(value, [], frozenset()))
if len(pairs) > len({name for name, _ in pairs}):
    raise ValueError(f"two of these are the same: {sorted(name for name, _ in pairs)}")
return dict(pairs)""",
    ),
    "two states compared as sets of pairs": (
        "checkpoint.require_match",
        """\
wanted = {(name, tuple(np.shape(own[name].data))) for name in own}
given = {(name, tuple(np.shape(state[name]))) for name in state}
if wanted != given:
    raise ValueError(" and ".join(sorted({name for name, _ in wanted ^ given})))""",
    ),
    "a state taken over by a recursion of holders": (
        "optim.Optimizer.load_state_dict",
        """\
require_match(self.state_dict(), state)

def take(holder, key, path):
    value = holder[key]
    if isinstance(value, np.ndarray):
        holder[key] = np.empty(value.shape, value.dtype)
        holder[key][...] = state[path]
    elif isinstance(value, KEPT):
        holder[key] = np.array(state[path]).tolist()
    elif isinstance(value, (list, tuple)):
        items = list(value)
        for number in range(len(items)):
            take(items, number, f"{path}.{number}")
        holder[key] = items if isinstance(value, list) else type(value)(items)

for name in [*vars(self)]:
    take(vars(self), name, name)""",
    ),
    "a zip archive written by hand": (
        "checkpoint.save",
        """\
import io
import zipfile

arrays = {name: np.asanyarray(state[name]) for name in state}
if refused := sorted(name for name in arrays if arrays[name].dtype.hasobject):
    raise ValueError(f"object arrays: {refused}")
whole = io.BytesIO()
with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
    for name in arrays:
        with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
            np.lib.format.write_array(member, arrays[name], allow_pickle=False)
with opened(file, "wb") as target:
    target.write(whole.getvalue())""",
    ),
    "a file's values copied byte by byte": (
        "checkpoint.parse_safetensors",
        """\
start = 8 + int.from_bytes(data[:8], "little")
table = json.loads(data[8:start].decode("utf-8"))
state = {}
for name in table:
    if name == "__metadata__":
        continue
    code, shape, (begin, end) = (table[name][k] for k in ("dtype", "shape", "data_offsets"))
    if code not in SAFETENSORS:
        raise ValueError(f"no type is called {code}")
    out = np.empty(shape, SAFETENSORS[code])
    if out.nbytes != end - begin or start + end > len(data):
        raise ValueError(f"{name} needs {out.nbytes} bytes, not {end - begin}")
    out.reshape(-1).view("uint8")[:] = list(data[start + begin : start + end])
    state[name] = out
return state""",
    ),
    "chance set by a dict": (
        "checkpoint.set_random_state",
        """\
inner = {"key": np.array(state["keys"]), "pos": int(state["position"])}
waiting = {"has_gauss": int(state["has_gauss"]), "gauss": float(state["cached_gaussian"])}
np.random.set_state({"bit_generator": "MT19937", "state": inner, **waiting})""",
    ),
}
