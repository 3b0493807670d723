"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

IN_PLACE = Variant(
    "in-place",
    {
        "nn.named_state": (
            "found, todo = {}, [('', value, [])]\n"
            "while todo:\n"
            "    path, thing, above = todo.pop()\n"
            "    if isinstance(thing, Tensor) or isinstance(thing, np.ndarray):\n"
            "        if path in found:\n            raise ValueError(path)\n"
            "        found[path] = thing\n"
            "        continue\n"
            "    if id(thing) in above:\n        continue\n"
            "    items = ()\n"
            "    if isinstance(thing, Module):\n        items = thing.__dict__.items()\n"
            "    elif isinstance(thing, dict):\n        items = thing.items()\n"
            "    elif isinstance(thing, (list, tuple)):\n        items = enumerate(thing)\n"
            "    for name, item in items:\n"
            "        longer = f'{path}.{name}' if path else f'{name}'\n"
            "        todo.append((longer, item, [*above, id(thing)]))\n"
            "return found"
        ),
        "nn.Module.state_dict": (
            "state = {}\nfor name, thing in named_state(self).items():\n"
            "    state[name] = getattr(thing, 'data', thing).copy() if isinstance(thing, Tensor) "
            "else thing.copy()\nreturn state"
        ),
        "nn.Module.load_state_dict": (
            "require_match(self.state_dict(), state)\n"
            "for name, thing in named_state(self).items():\n"
            "    np.copyto(thing.data if isinstance(thing, Tensor) else thing, state[name], "
            "casting='unsafe')"
        ),
        "checkpoint.require_match": (
            "missing, unexpected = own.keys() - state.keys(), state.keys() - own.keys()\n"
            "differ = {n for n in own.keys() & state.keys()\n"
            "          if tuple(own[n].shape) != np.asarray(state[n]).shape}\n"
            "if missing or unexpected or differ:\n"
            "    raise ValueError(f'missing {missing}, unexpected {unexpected}, shapes {differ}')"
        ),
        "checkpoint.save": (
            "bad = [n for n, a in state.items() if np.asarray(a).dtype == object]\n"
            "if bad:\n    raise ValueError(f'{bad} cannot be saved')\n"
            "kind = zipfile.ZIP_DEFLATED\n"
            "with opened(file, 'wb') as out, zipfile.ZipFile(out, 'w', kind) as archive:\n"
            "    for n, a in state.items():\n"
            "        with archive.open(n + '.npy', 'w') as part:\n"
            "            np.lib.format.write_array(part, np.asarray(a))"
        ),
        "checkpoint.load": (
            "import io\nwith opened(file, 'rb') as source:\n    data = io.BytesIO(source.read())\n"
            "archive = np.load(data)\nreturn dict(archive.items())"
        ),
        "checkpoint.random_state": (
            "_, keys, *numbers = np.random.get_state()\n"
            "return {'all': np.array([*keys, *numbers], dtype='float64')}"
        ),
        "checkpoint.set_random_state": (
            "*keys, position, spare, number = state['all'].tolist()\n"
            "np.random.set_state(('MT19937', np.array(keys, dtype='uint32'), int(position), "
            "int(spare), number))"
        ),
        "checkpoint.parse_safetensors": (
            "n = 8 + int.from_bytes(data[:8], 'little')\n"
            "entries = json.loads(data[8:n].decode('utf-8'))\nfound = {}\n"
            "for name in entries:\n"
            "    if name != '__metadata__':\n"
            "        code, shape = entries[name]['dtype'], entries[name]['shape']\n"
            "        if code not in SAFETENSORS:\n            raise ValueError(code)\n"
            "        first, last = entries[name]['data_offsets']\n"
            "        bits = memoryview(data)[n + first : n + last]\n"
            "        array = np.frombuffer(bits, SAFETENSORS[code]).copy()\n"
            "        found[name] = array.reshape(tuple(shape))\n"
            "return found"
        ),
    },
)

BY_NAME = Variant(
    "by-name",
    {
        "nn.named_state": (
            "def inside(thing, above):\n"
            "    if isinstance(thing, (Tensor, np.ndarray)):\n        yield '', thing\n"
            "    elif not any(thing is each for each in above):\n"
            "        holder = thing\n"
            "        if isinstance(thing, Module):\n            thing = vars(thing)\n"
            "        if isinstance(thing, (list, tuple)):\n"
            "            thing = {str(i): each for i, each in enumerate(thing)}\n"
            "        if isinstance(thing, dict):\n"
            "            for name, item in thing.items():\n"
            "                for rest, found in inside(item, [*above, holder]):\n"
            "                    yield f'{name}.{rest}', found\n"
            "pairs = [(name.rstrip('.'), thing) for name, thing in inside(value, [])]\n"
            "if len({name for name, _ in pairs}) < len(pairs):\n"
            "    raise ValueError('two things have the same name')\n"
            "return dict(sorted(pairs, key=lambda pair: pair[0]))"
        ),
        "optim.Optimizer.state_dict": (
            "flat = {}\nfor name in sorted(self.__dict__):\n    value = self.__dict__[name]\n"
            "    many = isinstance(value, (list, tuple))\n"
            "    for i, item in enumerate(value if many else [value]):\n"
            "        if isinstance(item, KEPT):\n"
            "            flat[f'{name}.{i}' if many else name] = np.copy(item)\n"
            "return flat"
        ),
        "optim.Optimizer.load_state_dict": (
            "require_match(Optimizer.state_dict(self), state)\n"
            "for path, array in state.items():\n"
            "    name, dot, number = path.rpartition('.')\n"
            "    held = getattr(self, name) if dot else getattr(self, path)\n"
            "    old = held[int(number)] if dot else held\n"
            "    new = np.array(array, dtype=old.dtype) if isinstance(old, np.ndarray) else "
            "np.array(array).tolist()\n"
            "    if dot:\n"
            "        items = list(held)\n        items[int(number)] = new\n"
            "        setattr(self, name, type(held)(items))\n"
            "    else:\n        setattr(self, path, new)"
        ),
        "checkpoint.save": (
            "import zipfile\n"
            "bad = [n for n, a in state.items() if np.asarray(a).dtype.hasobject]\n"
            "if bad:\n    raise ValueError(' and '.join(bad))\n"
            "with opened(file, 'wb') as out, zipfile.ZipFile(out, 'w') as archive:\n"
            "    for name, array in state.items():\n"
            "        with archive.open(name + '.npy', 'w') as member:\n"
            "            np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)"
        ),
        "checkpoint.random_state": (
            "found = np.random.get_state(legacy=False)\n"
            "return {'key': found['state']['key'].copy(), "
            "'numbers': np.array([found['state']['pos'], found['has_gauss'], found['gauss']])}"
        ),
        "checkpoint.set_random_state": (
            "position, spare, number = state['numbers']\n"
            "np.random.set_state({'bit_generator': 'MT19937', 'has_gauss': int(spare), "
            "'gauss': number, 'state': {'key': state['key'], 'pos': int(position)}})"
        ),
    },
)

# Patterns for types, messages by set and sort, a zip archive read by hand, lists changed in place.
BY_PATTERN = Variant(
    "patterns, archives by hand, lists in place",
    {
        "nn.named_state": """
            def walk(thing, path, above):
                match thing:
                    case Tensor() | np.ndarray():
                        yield path[1:], thing
                        return
                    case Module():
                        inside = thing.__dict__.items()
                    case dict():
                        inside = thing.items()
                    case list() | tuple():
                        inside = enumerate(thing)
                    case _:
                        return
                if id(thing) not in above:
                    for name, item in inside:
                        yield from walk(item, f"{path}.{name}", above | {id(thing)})

            state = {}
            for path, thing in walk(value, "", frozenset()):
                if state.setdefault(path, thing) is not thing or list(state).count(path) > 1:
                    raise ValueError(path)
            return state
        """,
        "nn.Module.state_dict": """
            state = named_state(self)
            for name in state:
                each = state[name]
                state[name] = each.numpy() if isinstance(each, Tensor) else np.copy(each)
            return state
        """,
        "nn.Module.load_state_dict": """
            own = named_state(self)
            require_match(own=own, state=state)
            for name in own.keys() & state.keys():
                array = own[name].data if isinstance(own[name], Tensor) else own[name]
                array[...] = np.asarray(state[name]).astype(array.dtype)
        """,
        "checkpoint.require_match": """
            wrong = sorted(own.keys() ^ state.keys())
            for name in own.keys() & state.keys():
                if list(np.shape(state[name])) != list(own[name].shape):
                    wrong.append(name)
            class Mismatch(ValueError):
                pass

            if wrong:
                raise Mismatch("\\n".join(wrong))
        """,
        "checkpoint.save": """
            import io
            for array in state.values():
                if np.asarray(array).dtype.hasobject:
                    names = [n for n, a in state.items() if np.asarray(a).dtype.hasobject]
                    raise ValueError(names)
            whole = io.BytesIO()
            with zipfile.ZipFile(whole, "w") as archive:
                for name, array in state.items():
                    data = io.BytesIO()
                    np.save(data, array)
                    archive.writestr(f"{name}.npy", data.getvalue())
            with opened(file, "wb") as out:
                out.write(whole.getvalue())
        """,
        "checkpoint.load": """
            import zipfile
            state = {}
            with opened(file, "rb") as source:
                if not zipfile.is_zipfile(source):
                    raise ValueError("no archive")
                with zipfile.ZipFile(source) as archive:
                    for name in archive.namelist():
                        with archive.open(name) as member:
                            array = np.lib.format.read_array(member, allow_pickle=False)
                        state[name[: -len(".npy")]] = array
            return state
        """,
        "checkpoint.random_state": """
            told = np.random.get_state()[1:]
            return {f"part.{i}": np.asarray(part).copy() for i, part in enumerate(told)}
        """,
        "checkpoint.set_random_state": """
            parts = [np.array(state[f"part.{i}"]) for i in range(4)]
            np.random.set_state(["MT19937", parts[0], *(part.item() for part in parts[1:])])
        """,
        "checkpoint.parse_safetensors": """
            end = 8 + int.from_bytes(data[:8], byteorder="little")
            state = {}
            for name, entry in json.loads(data[8:end].decode()).items():
                if name == "__metadata__":
                    continue
                try:
                    kind = np.dtype(SAFETENSORS[entry["dtype"]])
                except KeyError:
                    raise ValueError(f"{name}: {entry['dtype']}") from None
                begin, stop = entry["data_offsets"]
                array = np.empty(entry["shape"], kind)
                if array.nbytes != stop - begin:
                    raise ValueError(f"{name} has {stop - begin} bytes")
                array.reshape(-1)[:] = np.frombuffer(data, kind, array.size, end + begin)
                state[name] = array
            return state
        """,
        "optim.Optimizer.state_dict": """
            def items(name, value):
                if isinstance(value, (list, tuple)):
                    for i in range(len(value)):
                        yield from items(name + "." + str(i), value[i])
                elif isinstance(value, KEPT):
                    yield name, np.array(value, copy=True)

            return {k: v for name in self.__dict__ for k, v in items(name, self.__dict__[name])}
        """,
        "optim.Optimizer.load_state_dict": """
            require_match(self.state_dict(), state)

            def one(old, path):
                if isinstance(old, np.ndarray):
                    old[...] = state[path]
                    return old
                return state[path].item() if isinstance(old, KEPT) else old

            for name, held in vars(self).items():
                if isinstance(held, list):
                    held[:] = [one(item, f"{name}.{i}") for i, item in enumerate(held)]
                elif isinstance(held, tuple):
                    pairs = enumerate(held)
                    self.__dict__[name] = tuple(one(item, f"{name}.{i}") for i, item in pairs)
                else:
                    self.__dict__[name] = one(held, name)
        """,
    },
)

# One dict of places per level; everything in bytes; what fits nothing is an error at once.
LEVELS = Variant(
    "level by level, in bytes",
    {
        "nn.named_state": """
            found, level = [], [((), value, ())]
            while level:
                deeper = []
                for path, thing, above in level:
                    if isinstance(thing, (np.ndarray, Tensor)):
                        found.append((".".join(map(str, path)), thing))
                        continue
                    inside = vars(thing) if isinstance(thing, Module) else thing
                    if isinstance(inside, (list, tuple)):
                        inside = dict(enumerate(inside))
                    if isinstance(inside, dict) and id(thing) not in above:
                        for name in inside:
                            deeper.append(((*path, name), inside[name], (*above, id(thing))))
                level = deeper
            if len(dict(found)) != len(found):
                raise ValueError("one name for two things")
            return dict(found)
        """,
        "nn.Module.load_state_dict": """
            held = named_state(self)
            require_match(held, state)
            fresh = {name: np.array(state[name], held[name].dtype) for name in held}
            for name, each in held.items():
                if isinstance(each, Tensor):
                    each.data = fresh[name]
                else:
                    each.flat = fresh[name].ravel()
        """,
        "checkpoint.require_match": """
            lines = []
            for name in dict.fromkeys([*own, *state]):
                sizes = [side[name].shape if name in side else None for side in (own, state)]
                if sizes[0] != sizes[1]:
                    lines.append(f"{name}: {sizes[0]} here, {sizes[1]} there")
            if len(lines) > 0:
                raise ValueError("; ".join(lines))
        """,
        "checkpoint.load": """
            with contextlib.ExitStack() as stack:
                source = stack.enter_context(opened(file, "rb"))
                archive = np.load(source)
                if isinstance(archive, np.ndarray):
                    raise ValueError("one array, and no archive")
                return {name: np.array(array) for name, array in archive.items()}
        """,
        "checkpoint.random_state": """
            kind, keys, *rest = np.random.get_state()
            return {
                "keys": np.frombuffer(keys.tobytes(), dtype="uint8"),
                "rest": np.array(rest, dtype="float64"),
            }
        """,
        "checkpoint.set_random_state": """
            keys = np.frombuffer(np.asarray(state["keys"]).tobytes(), dtype="uint32")
            position, spare, number = np.asarray(state["rest"]).tolist()
            np.random.set_state(("MT19937", keys, int(position), int(spare), number))
        """,
    },
)

VARIANTS = (IN_PLACE, BY_NAME, BY_PATTERN, LEVELS)
