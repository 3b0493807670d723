"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

FLOAT32, INT64 = "points.astype(np.float32)", "labels.astype(np.int64)"

BROKEN = {
    "data.ArrayDataset.__init__": {
        "a copy would take as much memory once more.": (
            "self.arrays = arrays", "self.arrays = tuple(np.array(array) for array in arrays)",
        ),
    },
    "data.parse_mnist": {
        "Each may be a file's name, an open binary file, or bytes;": (
            "read_bytes(image_file)",
            "read_bytes(image_file if isinstance(image_file, bytes) else image_file.read())",
        ),
        "gzipped or not.": (
            "read_bytes(image_file)",
            "image_file if isinstance(image_file, bytes) else read_bytes(image_file)",
        ),
    },
    "data.MNISTDataset.__getitem__": {
        "The three axes are row, column and channel;": ("28, 28, 1", '28, 28, 1, order="F"'),
        "grey images have one channel.": ("(28, 28, 1)", "(28, 28, 1).repeat(3, axis=2)"),
    },
    "data.collate": {
        "The samples stay as they were.": (
            "fields = (np.stack(field) for field in zip(*samples, strict=True))",
            "columns = [[field] for field in samples.pop(0)]\n"
            "while samples:\n"
            "    for column, field in zip(columns, samples.pop(0), strict=True):\n"
            "        column.append(field)\n"
            "fields = (np.stack(column) for column in columns)",
        ),
        "Each Tensor keeps the dtype that NumPy gives the stacked field,": (
            "dtype=field.dtype", 'dtype=field.dtype if field.dtype.kind in "iu" else "float32"',
        ),
    },
    "data.DataLoader.__iter__": {
        "and the data set itself stays as it is.": (
            "np.random.shuffle(order)",
            "np.random.shuffle(order)\n"
            "    self.dataset = [self.dataset[int(index)] for index in order]",
        ),
    },
    "data.RandomCrop.__call__": {
        "of its `2 * padding + 1` places in each direction all are equally likely, both ends…": (
            "np.random.randint(0, 2 * self.padding + 1, size=2)",
            "np.random.randint(0, 2 * self.padding or 1), np.random.randint(2 * self.padding + 1)",
        ),
        "The caller's image stays as it was.": (
            "return framed[top : top + rows, left : left + columns]",
            "image[...] = framed[top : top + rows, left : left + columns]\nreturn image",
        ),
    },
    "data.make_xor": {
        "Point `i` belongs to corner `i % 4` of (0, 0), (0, 1), (1, 0), (1, 1);": (
            "(0, 1), (1, 0)", "(1, 0), (0, 1)",
        ),
        "points of shape `(n, 2)`, dtype float32,": (FLOAT32, "points"),
        "and labels of shape `(n,)`, dtype int64.": (INT64, "labels.astype(np.float32)"),
    },
    "data.make_moons": {
        "The first `n // 2` points have label 0 and lie at (cos t, sin t);": (
            "[np.cos(upper)", "[-np.cos(upper)",
        ),
        "the others have label 1 and lie at (1 - cos t, 1/2 - sin t).": ("0.5 - np", "-np"),
        "points of shape `(n, 2)`, dtype float32,": (FLOAT32, "points"),
        "and labels of shape `(n,)`, dtype int64.": (INT64, "labels.astype(np.float32)"),
    },
    "data.make_spiral": {
        "The arms follow one another, arm 0 first.": (
            ("np.tile(np.linspace(0, 1, n), classes)", "np.repeat(np.linspace(0, 1, n), classes)"),
            ("np.repeat(np.arange(classes), n)", "np.tile(np.arange(classes), n)"),
        ),
        "points of shape `(n * classes, 2)`, dtype float32,": (FLOAT32, "points"),
        "and labels of shape `(n * classes,)`, dtype int64.": (INT64, "labels.astype(np.float32)"),
    },
    "data.ArrayDataset": {
        "`ArrayDataset(x, y)[3]` is the tuple `(x[3], y[3])`;": {
            "data.ArrayDataset.__getitem__": ("array[index]", "array[index - 1]"),
        },
        "any number of arrays will do.": {
            "data.ArrayDataset.__getitem__": ("*others)", "others[0])"),
        },
    },
    "data.DataLoader": {
        "batch_size: how many samples a batch holds;": {
            "data.DataLoader.__iter__": (
                (
                    "for start in range(0, len(order), self.batch_size):",
                    "for chosen in np.array_split(order, len(self)):",
                ),
                ("    chosen = order[start : start + self.batch_size]\n", ""),
            ),
        },
        "the last one of an epoch may hold fewer.": {
            "data.DataLoader.__iter__": ("len(order),", "len(order) - self.batch_size + 1,"),
        },
    },
    "data.Normalize": {
        "`mean` and `std` are numbers,": {
            "data.Normalize.__call__": ("np.asarray(number, dtype)", "np.array([*number], dtype)"),
        },
        "or hold one number per channel (the last axis);": {
            "data.Normalize.__call__": ("(self.mean, self.std)", "(np.mean(self.mean), self.std)"),
        },
        "one of them may be a number while the other is not.": {
            "data.Normalize.__call__": (
                "(np.asarray(number, dtype) for number in (self.mean, self.std))",
                "np.asarray((self.mean, self.std), dtype)",
            ),
        },
    },
}  # fmt: skip
