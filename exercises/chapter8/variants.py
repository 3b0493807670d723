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
            "with opened(file, 'wb') as out:\n    np.savez_compressed(out, **state)"
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

VARIANTS = (IN_PLACE, BY_NAME)
