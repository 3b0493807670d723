"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

SCATTER = (
    "rng = np.random.default_rng(seed)\n"
    "points = np.array(points) + rng.standard_normal((len(points), 2)) * noise\n"
    "return points.astype('float32'), np.array(labels)"
)

# Loops and lists where the reference has slices; other functions of NumPy; other draws.
LOOPS = Variant(
    "loops",
    {
        "data.Dataset.apply_transforms": (
            "if self.transforms is None or len(self.transforms) == 0:\n    return x\n"
            "for i in range(len(self.transforms)):\n    x = self.transforms[i](x)\nreturn x"
        ),
        "data.ArrayDataset.__init__": (
            "self.transforms = transforms\nself.arrays = list(arrays)\n"
            "for array in arrays[1:]:\n    if array.shape[0] != arrays[0].shape[0]:\n"
            "        raise ValueError('lengths')"
        ),
        "data.ArrayDataset.__len__": "return int(self.arrays[-1].shape[0])",
        "data.ArrayDataset.__getitem__": (
            "row = [array[index] for array in self.arrays]\n"
            "row[0] = self.apply_transforms(row[0])\nreturn tuple(row)"
        ),
        "data.parse_idx": (
            "if data[0] != 0 or data[1] != 0 or data[2] != 8:\n    raise ValueError('magic')\n"
            "shape = []\nfor axis in range(data[3]):\n"
            "    shape.append(int.from_bytes(data[4 + 4 * axis : 8 + 4 * axis], 'big'))\n"
            "return np.array(list(data[4 + 4 * data[3] :]), dtype='uint8').reshape(shape)"
        ),
        "data.parse_mnist": (
            "x, y = (parse_idx(read_bytes(file)) for file in (image_file, label_file))\n"
            "if x.shape[0] != y.shape[0]:\n    raise ValueError('counts')\n"
            "x = x.reshape(x.shape[0], x.shape[1] * x.shape[2])\n"
            "return (x / 255.0).astype(np.float32), y.astype('int64')"
        ),
        "data.collate": (
            "batch = []\nfor field in range(len(samples[0])):\n"
            "    column = np.array([sample[field] for sample in samples])\n"
            "    batch.append(Tensor(column, dtype=column.dtype, requires_grad=False))\n"
            "return tuple(batch)"
        ),
        "data.DataLoader.__len__": "return -(-len(self.dataset) // self.batch_size)",
        "data.DataLoader.__iter__": (
            "n = len(self.dataset)\n"
            "order = list(np.random.permutation(n)) if self.shuffle else list(range(n))\n"
            "batch = []\nfor i in order:\n    batch.append(self.dataset[i])\n"
            "    if len(batch) == self.batch_size:\n        yield collate(batch)\n"
            "        batch = []\n"
            "if batch:\n    yield collate(batch)"
        ),
        "data.Normalize.__call__": (
            "return np.divide(np.subtract(image, self.mean), self.std).astype(image.dtype)"
        ),
        "data.RandomFlipHorizontal.__call__": (
            "return np.fliplr(image) if np.random.uniform() < self.p else image.copy()"
        ),
        "data.RandomCrop.__call__": (
            "p = self.padding\nout = np.zeros_like(image)\n"
            "down, across = np.random.randint(-p, p + 1), np.random.randint(-p, p + 1)\n"
            "for i in range(image.shape[0]):\n    for j in range(image.shape[1]):\n"
            "        if 0 <= i - down < len(image) and 0 <= j - across < image.shape[1]:\n"
            "            out[i, j] = image[i - down, j - across]\n"
            "return out"
        ),
        "data.make_xor": (
            "points = [(i // 2 % 2, i % 2) for i in range(n)]\n"
            f"labels = [int(a != b) for a, b in points]\n{SCATTER}"
        ),
        "data.make_moons": (
            "points, labels = [], []\n"
            "for t in np.linspace(0, np.pi, n // 2):\n"
            "    points.append((np.cos(t), np.sin(t)))\n    labels.append(0)\n"
            "for t in np.linspace(0, np.pi, n - n // 2):\n"
            "    points.append((1 - np.cos(t), 0.5 - np.sin(t)))\n    labels.append(1)\n"
            f"{SCATTER}"
        ),
        "data.make_spiral": (
            "points, labels = [], []\n"
            "for k in range(classes):\n    for r in np.linspace(0, 1, n):\n"
            "        a = 4 * r + 2 * np.pi * k / classes\n"
            "        points.append((r * np.cos(a), r * np.sin(a)))\n        labels.append(k)\n"
            f"{SCATTER}"
        ),
    },
)  # fmt: skip

# Bytes one by one, one draw of a whole order, shifts by a roll.
BYTES = Variant(
    "bytes one by one, an order drawn as a whole, rolls",
    {
        "data.Dataset.apply_transforms": """
            import functools
            return functools.reduce(lambda image, change: change(image), self.transforms or [], x)
        """,
        "data.MNISTDataset.__len__": "return int(self.images.shape[0])",
        "data.MNISTDataset.__getitem__": """
            image = np.reshape(self.images[index], (28, 28))[..., None]
            return (self.apply_transforms(x=image), self.labels[index])
        """,
        "data.parse_idx": """
            if len(data) < 4 or tuple(data[:3]) != (0, 0, 8):
                raise ValueError("no IDX file of bytes")
            sizes = [int.from_bytes(data[i : i + 4], "big") for i in range(4, 4 + 4 * data[3], 4)]
            count = 1
            for size in sizes:
                count *= size
            body = data[4 + 4 * len(sizes) :]
            if len(body) != count:
                raise ValueError(f"{len(body)} values instead of {count}")
            return np.array(list(body), dtype="uint8").reshape(sizes)
        """,
        "data.collate": """
            columns = [np.asarray(list(column)) for column in zip(*samples)]
            return tuple(Tensor(c, dtype=c.dtype, requires_grad=False) for c in columns)
        """,
        "data.DataLoader.__len__": "return (len(self.dataset) - 1) // self.batch_size + 1",
        "data.DataLoader.__iter__": """
            order = list(range(len(self.dataset)))
            if self.shuffle:
                np.random.shuffle(order)
            starts = range(0, len(order), self.batch_size)
            return (
                collate([self.dataset[i] for i in order[at : at + self.batch_size]])
                for at in starts
            )
        """,
        "data.Normalize.__call__": """
            out = np.array(image)
            out -= np.array(self.mean, out.dtype)
            out /= np.array(self.std, out.dtype)
            return out
        """,
        "data.RandomFlipHorizontal.__call__": """
            turned = np.random.binomial(1, self.p) == 1
            return np.flip(image, axis=1) if turned else image
        """,
        "data.RandomCrop.__call__": """
            p = self.padding
            down, across = (int(np.random.choice(2 * p + 1)) - p for _ in range(2))
            framed = np.pad(image, ((p, p), (p, p), (0, 0)))
            framed = np.roll(framed, (-down, -across), axis=(0, 1))
            return framed[p : p + image.shape[0], p : p + image.shape[1]].copy()
        """,
    },
)

VARIANTS = (LOOPS, BYTES)
