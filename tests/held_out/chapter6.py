"""Wrong bodies of chapter 6 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "Every `for` loop over it is one epoch": two loops at once share the place where they are.
    "two loops at once share their place": (
        "data.DataLoader.__iter__",
        (
            "for start in range(0, len(order), self.batch_size):\n"
            "    chosen = order[start : start + self.batch_size]\n",
            "self._next = 0\n"
            "while self._next < len(order):\n"
            "    chosen = order[self._next : self._next + self.batch_size]\n"
            "    self._next += self.batch_size\n",
        ),
    ),
    # "Cut one out": a view of a frame that the next image is put into.
    "all images are framed in one array": (
        "data.RandomCrop.__call__",
        (
            "framed = np.pad(image, ((self.padding,) * 2, (self.padding,) * 2, (0, 0)))",
            "p = self.padding\n"
            'framed = vars(self).get("_framed")\n'
            "if framed is None or framed.shape[:2] != (rows + 2 * p, columns + 2 * p):\n"
            "    framed = np.pad(image, ((p, p), (p, p), (0, 0)))\n"
            "    self._framed = framed\n"
            "framed[p : p + rows, p : p + columns] = image",
        ),
    ),
    # "The same seed gives the same points": the second call goes on where the first one stopped.
    "the noise of a seed goes on": (
        "data.make_xor",
        (
            "points = corners + np.random.default_rng(seed).normal(",
            'kept = make_xor.__dict__.setdefault("kept", {})\n'
            "stream = kept.setdefault(seed, np.random.default_rng(seed))\n"
            "points = corners + stream.normal(",
        ),
    ),
    # "(image - mean) / std": mean and std keep the digits of the first image's dtype.
    "mean and std take the dtype of the first image": (
        "data.Normalize.__call__",
        """\
self.mean, self.std = (np.asarray(number, image.dtype) for number in (self.mean, self.std))
return ((image - self.mean) / self.std).astype(image.dtype)""",
    ),
    # "The transforms get the image again each time": one that draws at random draws once.
    "an image is prepared once": (
        "data.MNISTDataset.__getitem__",
        (
            "image = self.images[index].reshape(28, 28, 1)\nreturn self.apply_transforms(image),",
            'ready = self.__dict__.setdefault("_ready", {})\n'
            "if index not in ready:\n"
            "    ready[index] = self.apply_transforms(self.images[index].reshape(28, 28, 1))\n"
            "return ready[index],",
        ),
    ),
}

SETTING = {
    # "Mean and std are numbers, or hold one per channel": one of them a number, the other not.
    "mean decides what std is": (
        "data.Normalize.__call__",
        """\
if np.ndim(self.mean) == 0:
    return (image - image.dtype.type(self.mean)) / image.dtype.type(float(self.std))
channels = [
    (image[..., c] - image.dtype.type(self.mean[c])) / image.dtype.type(self.std[c])
    for c in range(image.shape[-1])
]
return np.stack(channels, axis=-1)""",
    ),
    # "As many axes as the header says", none included: a single value, of shape ().
    "a file without axes becomes a list of one": (
        "data.parse_idx",
        ("return values.reshape(shape)", "return values.reshape(shape) if ndim else values"),
    ),
    # "A frame of self.padding zeros": with none the part from 0 to -0 is empty.
    "an image is put between padding and minus padding": (
        "data.RandomCrop.__call__",
        (
            "framed = np.pad(image, ((self.padding,) * 2, (self.padding,) * 2, (0, 0)))",
            "p = self.padding\n"
            "framed = np.zeros((rows + 2 * p, columns + 2 * p, image.shape[2]), image.dtype)\n"
            "framed[p:-p, p:-p] = image",
        ),
    ),
    # "In even steps from 0 to π": a half of one point has no steps to divide by.
    "half a circle of one point has no steps": (
        "data.make_moons",
        (
            "upper, lower = np.linspace(0, np.pi, n // 2), np.linspace(0, np.pi, n - n // 2)",
            "upper, lower = (np.arange(k) * np.pi / (k - 1) for k in (n // 2, n - n // 2))",
        ),
    ),
}

VARIETY = {
    # "Its size, an unsigned 32-bit integer": the two upper bytes count, too.
    "sizes are read from two bytes": (
        "data.parse_idx",
        (
            'shape = struct.unpack(f">{ndim}I", data[4:start])',
            'shape = struct.unpack(">" + "xxH" * ndim, data[4:start])',
        ),
    ),
    # "The grey values divided by 255": not by the brightest of them.
    "grey values are divided by the brightest": (
        "data.parse_mnist",
        ("astype(np.float32) / 255", "astype(np.float32) / max(int(images.max()), 1)"),
    ),
    # "ValueError: the arrays do not all have the same number of rows": the second of three may.
    "the first and the last array are compared": (
        "data.ArrayDataset.__init__",
        (
            "len({len(array) for array in arrays}) > 1",
            "arrays and len(arrays[0]) != len(arrays[-1])",
        ),
    ),
    # "x after every function in self.transforms": a function may stand there twice.
    "a transform that stands twice is applied once": (
        "data.Dataset.apply_transforms",
        ("self.transforms or ()", "dict.fromkeys(self.transforms or ())"),
    ),
    # "The dtype that NumPy gives the stacked field": 1 and 2.5 make floats, not whole numbers.
    "a field has the dtype of its first value": (
        "data.collate",
        (
            "(np.stack(field) for field",
            "(np.stack(field).astype(np.asarray(field[0]).dtype) for field",
        ),
    ),
    # "The number of batches": `round` takes the even neighbour, 3 + 1/2 becomes 4.
    "a half is added before rounding": (
        "data.DataLoader.__len__",
        (
            "math.ceil(len(self.dataset) / self.batch_size)",
            "round(len(self.dataset) / self.batch_size + 0.5)",
        ),
    ),
    # "The last one may hold fewer": 10 in batches of 4 are 4, 4 and 2, not 4, 3 and 3.
    "what is left over is shared out": (
        "data.DataLoader.__iter__",
        (
            "for start in range(0, len(order), self.batch_size):\n"
            "    chosen = order[start : start + self.batch_size]\n",
            "for chosen in np.array_split(order, max(len(self), 1)):\n"
            "    if not len(chosen):\n"
            "        return\n",
        ),
    ),
}

HALF_PROMISE = {
    # "ValueError: there are not as many labels as images": more of them are let through.
    "labels that are left over are no error": (
        "data.parse_mnist",
        ("len(images) != len(labels)", "len(images) > len(labels)"),
    ),
    # "Each made when the loop asks for it": here one more is made before anybody asks.
    "one batch is made ahead": (
        "data.DataLoader.__iter__",
        (
            "    yield collate([self.dataset[int(index)] for index in chosen])",
            "    ahead = collate([self.dataset[int(index)] for index in chosen])\n"
            "    if start:\n"
            "        yield made\n"
            "    made = ahead\n"
            "if len(order):\n"
            "    yield made",
        ),
    ),
    # "To every coordinate a normal draw is added": all arms get the draws of the first.
    "every arm gets the same noise": (
        "data.make_spiral",
        (
            "np.random.default_rng(seed).normal(0, noise, points.shape)",
            "np.tile(np.random.default_rng(seed).normal(0, noise, (n, 2)), (classes, 1))",
        ),
    ),
    # "ValueError: bytes 0 to 2 are not 0, 0, 8": the first two may be anything.
    "only the byte of the type is checked": (
        "data.parse_idx",
        (r'data[:3] != b"\x00\x00\x08"', "data[2] != 8"),
    ),
}

RIGHT = {
    "an idx file read one byte at a time": (
        "data.parse_idx",
        """\
stream = iter(data)

def number(size):
    total = 0
    for _ in range(size):
        total = 256 * total + next(stream)
    return total

if (number(2), number(1)) != (0, 8):
    raise ValueError("not an IDX file of unsigned bytes")
shape = tuple(number(4) for _ in range(number(1)))
rest = np.array(list(stream), dtype="uint8")
out = np.empty(shape, dtype="uint8")
if rest.size != out.size:
    raise ValueError(f"{rest.size} values for {shape}")
out[...] = rest.reshape(shape)
return out""",
    ),
    "fields filled row by row": (
        "data.collate",
        """\
out = []
for position in range(len(samples[0])):
    column = [np.asarray(sample[position])[None] for sample in samples]
    stacked = np.concatenate(column, axis=0)
    out.append(Tensor(stacked, dtype=stacked.dtype, requires_grad=False))
return (*out,)""",
    ),
    "an epoch as a class of its own": (
        "data.DataLoader.__iter__",
        """\
loader = self

class Epoch:
    def __init__(self):
        count = len(loader.dataset)
        self.left = list(np.random.permutation(count) if loader.shuffle else range(count))
        self.left.reverse()

    def __iter__(self):
        return self

    def __next__(self):
        size = min(loader.batch_size, len(self.left))
        if size == 0:
            raise StopIteration
        return collate([loader.dataset[int(self.left.pop())] for _ in range(size)])

return Epoch()""",
    ),
    "a crop as a roll with a blank edge": (
        "data.RandomCrop.__call__",
        """\
shifts = np.random.randint(-self.padding, self.padding + 1, size=2)
out = image.copy()
for axis, shift in enumerate(shifts):
    out = np.roll(out, shift, axis)
    blank = [slice(None)] * out.ndim
    blank[axis] = slice(0, shift) if shift > 0 else slice(out.shape[axis] + min(shift, 0), None)
    if shift < -out.shape[axis]:
        blank[axis] = slice(None)
    out[tuple(blank)] = 0
return out""",
    ),
    "a spiral of complex numbers": (
        "data.make_spiral",
        """\
r = np.linspace(0, 1, n)
arms = [r * np.exp(1j * (4 * r + 2 * np.pi * k / classes)) for k in range(classes)]
z = np.ravel(arms) if n else np.zeros(0, complex)
points = z[:, None].view(float) if len(z) else np.zeros((0, 2))
points = points + np.random.default_rng(seed).normal(0, noise, (n * classes, 2))
return points.astype("float32"), (np.arange(n * classes) // max(n, 1)).astype("int64")""",
    ),
    "batches counted from below": (
        "data.DataLoader.__len__",
        "return -(-len(self.dataset) // self.batch_size)",
    ),
}
