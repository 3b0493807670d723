"""States by generators, zip archives by hand, headers by slices of memory."""

UNUSUAL = {
    "checkpoint.require_match": """
        shapes = [{name: tuple(np.shape(x.data if hasattr(x, "requires_grad") else x))
                   for name, x in each.items()} for each in (own, state)]
        if wrong := {name for name, _ in shapes[0].items() ^ shapes[1].items()}:
            raise ValueError(f"Look at {sorted(wrong)}.")
    """,
    "nn.named_state": """
        def walk(thing, path=(), inside=frozenset()):
            match thing:
                case Tensor() | np.ndarray():
                    yield ".".join(path), thing
                    return
                case Module():
                    held = vars(thing)
                case dict():
                    held = thing
                case list() | tuple():
                    held = dict(enumerate(thing))
                case _:
                    return
            if id(thing) not in inside:
                for name, item in held.items():
                    yield from walk(item, (*path, f"{name}"), inside | {id(thing)})

        rows = [*walk(value)]
        if len(found := dict(rows)) < len(rows):
            raise ValueError("One name for two things.")
        return found
    """,
    "nn.Module.state_dict": """
        def copied(pair):
            name, thing = pair
            return name, (thing.data if isinstance(thing, Tensor) else thing).copy()

        return dict(map(copied, named_state(self).items()))
    """,
    "nn.Module.load_state_dict": """
        require_match(own := named_state(self), state)
        for name in own:
            target = own[name].data if isinstance(own[name], Tensor) else own[name]
            np.copyto(target, state[name], casting="unsafe")
    """,
    "optim.Optimizer.state_dict": """
        def walk(path, value):
            match value:
                case list() | tuple():
                    for i, item in enumerate(value):
                        yield from walk(f"{path}.{i}", item)
                case value if isinstance(value, KEPT):
                    yield path, np.array(value, copy=True)

        return {name: kept for pair in vars(self).items() for name, kept in walk(*pair)}
    """,
    "optim.Optimizer.load_state_dict": """
        require_match(Optimizer.state_dict(self), state)

        def put(holder, key, path):
            value = holder[key]
            if isinstance(value, tuple):
                value = list(value)
                for i in range(len(value)):
                    put(value, i, f"{path}.{i}")
                holder[key] = tuple(value)
            elif isinstance(value, list):
                for i in range(len(value)):
                    put(value, i, f"{path}.{i}")
            elif isinstance(value, np.ndarray):
                holder[key] = state[path].astype(value.dtype, copy=True)
            elif isinstance(value, KEPT):
                holder[key] = np.asarray(state[path]).tolist()

        for name in [*vars(self)]:
            put(vars(self), name, name)
    """,
    "checkpoint.save": """
        import io
        import zipfile

        pickled = [n for n, each in state.items() if np.asarray(each).dtype.hasobject]
        if pickled:
            raise ValueError(" ".join(pickled))
        with opened(file, "wb") as target, zipfile.ZipFile(target, "w") as archive:
            for name, each in state.items():
                np.lib.format.write_array(buffer := io.BytesIO(), np.asarray(each))
                archive.writestr(f"{name}.npy", buffer.getvalue())
    """,
    "checkpoint.load": """
        import io

        with opened(file, "rb") as source:
            whole = io.BytesIO(source.read())
        archive = np.load(whole, allow_pickle=False)
        return {**archive}
    """,
    "checkpoint.random_state": """
        state = np.random.get_state(legacy=False)
        inner = state.pop("state")
        state.pop("bit_generator")
        return {name: np.array(each) for name, each in {**state, **inner}.items()}
    """,
    "checkpoint.set_random_state": """
        words = {name: state[name] for name in ("key", "pos")}
        rest = {name: state[name].item() for name in ("has_gauss", "gauss")}
        words["pos"] = int(words["pos"])
        np.random.set_state({"bit_generator": "MT19937", "state": words, **rest})
    """,
    "checkpoint.parse_safetensors": """
        memory = memoryview(data)
        start = 8 + int.from_bytes(memory[:8], "little")
        entries = json.loads(bytes(memory[8:start]))

        def array(dtype, shape, data_offsets):
            if dtype not in SAFETENSORS:
                raise ValueError(f"What is {dtype}?")
            kind = np.dtype(SAFETENSORS[dtype])
            begin, end = (start + offset for offset in data_offsets)
            count = int(np.prod(shape, dtype=int))
            if end - begin != count * kind.itemsize:
                raise ValueError("The offsets do not fit the shape.")
            out = np.empty(shape, kind)
            out.reshape(-1).view(np.uint8)[:] = memory[begin:end]
            return out

        return {n: array(**e) for n, e in entries.items() if n != "__metadata__"}
    """,
}
