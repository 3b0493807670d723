"""Data sets, loaders, transforms and points that are almost right."""

CHAIN = "data.Dataset.apply_transforms"
ARRAYS, ROW = "data.ArrayDataset.__init__", "data.ArrayDataset.__getitem__"
IDX, MNIST, DIGIT = "data.parse_idx", "data.parse_mnist", "data.MNISTDataset.__getitem__"
COLLATE, LENGTH, EPOCH = "data.collate", "data.DataLoader.__len__", "data.DataLoader.__iter__"
NORMALIZE, FLIP = "data.Normalize.__call__", "data.RandomFlipHorizontal.__call__"
CROP = "data.RandomCrop.__call__"
XOR, MOONS, SPIRAL = "data.make_xor", "data.make_moons", "data.make_spiral"
GLOBAL = "np.random.seed(seed)\n"
MAGIC = 'data[:3] != b"\\x00\\x00\\x08"'
TENSOR = "Tensor(field, dtype=field.dtype, requires_grad=False)"
SAMPLES = "collate([self.dataset[int(index)] for index in chosen])"

SUBTLE = {
    "without transforms a float32 copy": (
        CHAIN, "return x", "return x if self.transforms else np.asarray(x, dtype='float32')"),
    "only neighbours are compared": (
        ARRAYS, "len({len(array) for array in arrays}) > 1",
        "len(arrays) > 1 and len(arrays[0]) != len(arrays[1])"),
    "more rows than the first has": (
        ARRAYS, "len({len(array) for array in arrays}) > 1",
        "any(len(array) < len(arrays[0]) for array in arrays)"),
    "two fields": (ROW, "*others)", "*others[:1])"),
    "an end that raises nothing": (
        ROW, "first,", "index = index % (len(self.arrays[0]) + 1)\nfirst,"),
    "byte 1 is not looked at": (IDX, MAGIC, "data[0] != 0 or data[2] != 8"),
    "byte 0 is not looked at": (IDX, MAGIC, "data[1] != 0 or data[2] != 8"),
    "other types of one byte": (IDX, MAGIC, "data[:2] != b'\\x00\\x00' or data[2] > 9"),
    "one byte for a size": (IDX, "struct.unpack(f\">{ndim}I\", data[4:start])", "data[7:start:4]"),
    "what is too much is cut off": (
        IDX, "np.frombuffer(data[start:], dtype=np.uint8)",
        "np.frombuffer(data[start:], dtype=np.uint8)[: math.prod(shape)]"),
    "labels in int32": (MNIST, "np.int64", "np.int32"),
    "labels as they are in the file": (MNIST, "labels.astype(np.int64)", "labels"),
    "more labels than images": (
        MNIST, "len(images) != len(labels)", "len(images) > len(labels)"),
    "the names of files are bytes": (
        MNIST, "parse_idx(read_bytes(image_file))",
        "parse_idx(read_bytes(image_file if isinstance(image_file, bytes) else "
        "image_file.read()))"),
    "a digit in float64": (DIGIT, "reshape(28, 28, 1)", "reshape(28, 28, 1).astype(float)"),
    "a digit that is rounded": (
        DIGIT, "reshape(28, 28, 1)", "reshape(28, 28, 1).round(3)"),
    "floats become float32": (
        COLLATE, TENSOR,
        "Tensor(field, dtype='float32' if field.dtype.kind == 'f' else field.dtype, "
        "requires_grad=False)"),
    "floats become float64": (
        COLLATE, TENSOR,
        "Tensor(field, dtype='float64' if field.dtype.kind == 'f' else field.dtype, "
        "requires_grad=False)"),
    "labels in eight bits": (
        COLLATE, TENSOR,
        "Tensor(field, dtype='int8' if field.dtype.kind == 'i' else field.dtype, "
        "requires_grad=False)"),
    "only labels ask for nothing": (
        COLLATE, TENSOR, "Tensor(field, dtype=field.dtype, requires_grad=field.ndim > 2)"),
    "one place for all loops": (
        EPOCH, f"yield {SAMPLES}",
        f"self.at = self.at + self.batch_size if start else 0\n"
        "    chosen = order[self.at : self.at + self.batch_size]\n"
        f"    yield {SAMPLES}"),
    "the same order until somebody seeds": (
        EPOCH, "np.random.shuffle(order)",
        "np.random.seed(int(np.random.randint(1000)))\n    np.random.shuffle(order)"),
    "the stream is seeded": (
        EPOCH, "np.random.shuffle(order)",
        "self.epoch = getattr(self, 'epoch', 0) + 1\n    np.random.seed(self.epoch)\n"
        "    np.random.shuffle(order)"),
    "a shuffled rest": (
        EPOCH, "np.random.shuffle(order)", "np.random.shuffle(order[:-1])"),
    "one swap more": (
        EPOCH, "np.random.shuffle(order)",
        "for i in range(len(order) - 1):\n"
        "        j = np.random.randint(i + 1, len(order))\n"
        "        order[[i, j]] = order[[j, i]]"),
    "the spread is never 0": (NORMALIZE, "/ std", "/ (std + 1e-8)"),
    "in place": (
        NORMALIZE, "normal: NDArray = (image - mean) / std",
        "normal: NDArray = image\nnormal -= mean\nnormal /= std"),
    "every row by itself": (
        FLIP, "return image[:, ::-1] if np.random.random() < self.p else image",
        "return np.stack([r[::-1] if np.random.random() < self.p else r for r in image])"),
    "an image that is blackened": (
        CROP, "return framed", "image[:] = image.min()\nreturn framed"),
    "one place too few": (CROP, "2 * self.padding + 1, size", "2 * self.padding, size"),
    "noise of NumPy's own": (
        XOR, "np.random.default_rng(seed).normal", "np.random.RandomState(seed).normal"),
    "a seed for everybody": (
        XOR, "corners = np", "np.random.seed(seed)\ncorners = np"),
    "xor in float64": (XOR, "points.astype(np.float32)", "points"),
    "labels of xor in bits": (XOR, "labels.astype(np.int64)", "labels.astype(np.int8)"),
    "moons from the global stream": (
        MOONS, "np.random.default_rng(seed).normal", "np.random.normal"),
    "moons that seed the global stream": (
        MOONS, "points = np.stack([x, y], axis=1) + np.random.default_rng(seed).normal",
        GLOBAL + "points = np.stack([x, y], axis=1) + np.random.normal"),
    "moons in float64": (MOONS, "points.astype(np.float32)", "points"),
    "a spiral of seeds of its own": (
        SPIRAL, "np.random.default_rng(seed)", "np.random.default_rng(seed + 1)"),
    "a spiral that seeds the global stream": (
        SPIRAL, "points += np.random.default_rng(seed).normal",
        GLOBAL + "points += np.random.normal"),
    "labels of the spiral in int32": (SPIRAL, "np.int64", "np.int32"),
    "rows that are remembered": (
        "data.ArrayDataset.__getitem__",
        "first, *others = (array[index] for array in self.arrays)\nreturn ("
        "self.apply_transforms(first), *others)",
        "rows = vars(self).setdefault('rows', {})\nif index not in rows:\n    first, *others "
        "= (array[index] for array in self.arrays)\n    rows[index] = (self.apply_transforms("
        "first), *others)\nreturn rows[index]"),
    "digits that are remembered": (
        "data.MNISTDataset.__getitem__",
        "image = self.images[index].reshape(28, 28, 1)\nreturn self.apply_transforms(image), "
        "self.labels[index]",
        "rows = vars(self).setdefault('rows', {})\nif index not in rows:\n    rows[index] = "
        "self.apply_transforms(self.images[index].reshape(28, 28, 1)), self.labels[index]\n"
        "return rows[index]"),
    "grey values by the largest one": (
        "data.parse_mnist", "/ 255",
        "/ np.float32(max(1, images.max()))"),
    "the dtype of the first sample": (
        "data.collate", "np.stack(field)",
        "np.stack(field).astype(np.asarray(field[0]).dtype)"),
    "shuffled ten by ten": (
        "data.DataLoader.__iter__", "np.random.shuffle(order)",
        "for at in range(0, len(order), 10):\n        np.random.shuffle(order[at : at + 10])"),
    "the image itself is turned": (
        "data.RandomFlipHorizontal.__call__",
        "return image[:, ::-1] if np.random.random() < self.p else image",
        "if np.random.random() < self.p:\n    image[:] = image[:, ::-1].copy()\nreturn image"),
    "the middle is likelier": (
        "data.RandomCrop.__call__", "np.random.randint(0, 2 * self.padding + 1, size=2)",
        "np.random.binomial(2 * self.padding, 0.5, size=2)"),
    "one shift for a square image": (
        "data.RandomCrop.__call__", "2 * self.padding + 1, size=2)",
        "2 * self.padding + 1, size=2)\nleft = top if rows == columns else left"),
    "no transform for a number": (
        "data.Dataset.apply_transforms", "in self.transforms or ():",
        "in (self.transforms or ()) if np.ndim(x) else ():"),
    "plain numbers in float32": (
        "data.collate", "dtype=field.dtype",
        "dtype='float32' if field.dtype.kind == 'f' and field.ndim < 2 else field.dtype"),
}  # fmt: skip
