"""Data by iterators, views of memory and complex numbers."""

SCATTER = """
        points = np.column_stack([np.real(z), np.imag(z)])
        points += noise * np.random.default_rng(seed).standard_normal(points.shape)
        return np.float32(points), np.asarray(labels, dtype=np.int64)
"""

UNUSUAL = {
    "data.Dataset.apply_transforms": """
        def after(x, steps):
            return after(steps[0](x), steps[1:]) if steps else x

        return after(x, list(self.transforms or []))
    """,
    "data.ArrayDataset.__init__": """
        Dataset.__init__(self, transforms=transforms)
        self.arrays = tuple(arrays)
        lengths = [*map(len, arrays)]
        if lengths and min(lengths) < max(lengths):
            raise ValueError("Not as many rows everywhere.")
    """,
    "data.ArrayDataset.__len__": "return min(map(len, self.arrays))",
    "data.ArrayDataset.__getitem__": """
        import operator

        row = map(operator.itemgetter(index), self.arrays)
        return self.apply_transforms(next(row)), *row
    """,
    "data.parse_idx": """
        if not data.startswith(bytes((0, 0, 8))):
            raise ValueError("No IDX file of bytes.")
        axes = data[3]
        sizes = np.frombuffer(data[4 : 4 + 4 * axes], dtype=">u4").tolist()
        body = bytearray(memoryview(data)[4 + 4 * axes :])
        if len(body) != math.prod(sizes):
            raise ValueError("Not as many values as promised.")
        return np.ndarray(sizes, np.uint8, buffer=body) if body else np.zeros(sizes, np.uint8)
    """,
    "data.parse_mnist": """
        images, labels = map(parse_idx, map(read_bytes, (image_file, label_file)))
        if (count := images.shape[0]) != labels.size:
            raise ValueError("Not one label for each image.")
        pixels = np.divide(images, 255, dtype=np.float32)
        return pixels.reshape(count, math.prod(images.shape[1:])), labels.astype(int)
    """,
    "data.MNISTDataset.__len__": "return len(self.images)",
    "data.MNISTDataset.__getitem__": """
        side = math.isqrt(self.images.shape[1])
        image = self.images[index, :, None].reshape(side, side, 1)
        return self.apply_transforms(image), self.labels[index]
    """,
    "data.collate": """
        def tensor(*field):
            stacked = np.array(field)
            return Tensor(stacked, dtype=stacked.dtype, requires_grad=False)

        return (*map(tensor, *samples),)
    """,
    "data.DataLoader.__len__": "return len(range(0, len(self.dataset), self.batch_size))",
    "data.DataLoader.__iter__": """
        import itertools

        n = len(self.dataset)
        rest = iter((np.argsort(np.random.random(n)) if self.shuffle else np.arange(n)).tolist())
        while chosen := [*itertools.islice(rest, self.batch_size)]:
            yield collate(list(map(self.dataset.__getitem__, chosen)))
    """,
    "data.Normalize.__call__": """
        mean, std = (np.array(each, dtype=image.dtype) for each in (self.mean, self.std))
        return np.true_divide(image, std) - mean / std
    """,
    "data.RandomFlipHorizontal.__call__": """
        columns = range(image.shape[1])
        order = [*columns] if np.random.rand() >= self.p else [*reversed(columns)]
        return np.take(image, order, axis=1)
    """,
    "data.RandomCrop.__call__": """
        p = self.padding
        rows, columns, channels = image.shape
        framed = np.zeros((rows + 2 * p, columns + 2 * p, channels), image.dtype)
        framed[p : p + rows, p : p + columns] = image
        cuts = np.lib.stride_tricks.sliding_window_view(framed, (rows, columns), axis=(0, 1))
        place = np.random.randint(2 * p + 1), np.random.randint(2 * p + 1)
        return np.moveaxis(cuts[place], 0, -1)
    """,
    "data.make_xor": f"""
        i = np.arange(n)
        labels = (i + i // 2) % 2
        z = i // 2 % 2 + 1j * (i % 2)
        {SCATTER.strip()}
    """,
    "data.make_moons": f"""
        turn = [np.exp(1j * np.linspace(0, np.pi, size)) for size in (n // 2, n - n // 2)]
        z = np.append(turn[0], 1 + 0.5j - turn[1])
        labels = np.where(np.arange(n) < n // 2, 0, 1)
        {SCATTER.strip()}
    """,
    "data.make_spiral": f"""
        r = np.linspace(0, 1, n)
        arms = np.exp(2j * np.pi * np.arange(classes) / classes)
        z = np.outer(arms, r * np.exp(4j * r)).ravel()
        labels = [arm for arm in range(classes) for _ in range(n)]
        {SCATTER.strip()}
    """,
}
