"""Data by iterators, views of memory and complex numbers."""

from grader.course import right, variant

SCATTER = """
        points = np.column_stack([np.real(z), np.imag(z)])
        points += noise * np.random.default_rng(seed).standard_normal(points.shape)
        return np.float32(points), np.asarray(labels, dtype=np.int64)
"""


@variant("unusual words")
class UNUSUAL:
    @right("data.Dataset.apply_transforms")
    def dataset_apply_transforms(self, x):
        def after(x, steps):
            return after(steps[0](x), steps[1:]) if steps else x

        return after(x, list(self.transforms or []))

    @right("data.ArrayDataset.__init__")
    def array_dataset_init(self, *arrays, transforms):
        Dataset.__init__(self, transforms=transforms)
        self.arrays = tuple(arrays)
        lengths = [*map(len, arrays)]
        if lengths and min(lengths) < max(lengths):
            raise ValueError("Not as many rows everywhere.")

    array_dataset_len = right("data.ArrayDataset.__len__", "return min(map(len, self.arrays))")

    @right("data.ArrayDataset.__getitem__")
    def array_dataset_getitem(self, index):
        import operator

        row = map(operator.itemgetter(index), self.arrays)
        return self.apply_transforms(next(row)), *row

    @right("data.parse_idx")
    def parse_idx(data):
        if not data.startswith(bytes((0, 0, 8))):
            raise ValueError("No IDX file of bytes.")
        axes = data[3]
        sizes = np.frombuffer(data[4 : 4 + 4 * axes], dtype=">u4").tolist()
        body = bytearray(memoryview(data)[4 + 4 * axes :])
        if len(body) != math.prod(sizes):
            raise ValueError("Not as many values as promised.")
        return np.ndarray(sizes, np.uint8, buffer=body) if body else np.zeros(sizes, np.uint8)

    @right("data.parse_mnist")
    def parse_mnist(image_file, label_file):
        images, labels = map(parse_idx, map(read_bytes, (image_file, label_file)))
        if (count := images.shape[0]) != labels.size:
            raise ValueError("Not one label for each image.")
        pixels = np.divide(images, 255, dtype=np.float32)
        return pixels.reshape(count, math.prod(images.shape[1:])), labels.astype(int)

    mnistdataset_len = right("data.MNISTDataset.__len__", "return len(self.images)")

    @right("data.MNISTDataset.__getitem__")
    def mnistdataset_getitem(self, index):
        side = math.isqrt(self.images.shape[1])
        image = self.images[index, :, None].reshape(side, side, 1)
        return self.apply_transforms(image), self.labels[index]

    @right("data.collate")
    def collate(samples):
        def tensor(*field):
            stacked = np.array(field)
            return Tensor(stacked, dtype=stacked.dtype, requires_grad=False)

        return (*map(tensor, *samples),)

    data_loader_len = right(
        "data.DataLoader.__len__", "return len(range(0, len(self.dataset), self.batch_size))"
    )

    @right("data.DataLoader.__iter__")
    def data_loader_iter(self):
        import itertools

        n = len(self.dataset)
        rest = iter((np.argsort(np.random.random(n)) if self.shuffle else np.arange(n)).tolist())
        while chosen := [*itertools.islice(rest, self.batch_size)]:
            yield collate(list(map(self.dataset.__getitem__, chosen)))

    @right("data.Normalize.__call__")
    def normalize_call(self, image):
        mean, std = (np.array(each, dtype=image.dtype) for each in (self.mean, self.std))
        return np.true_divide(image, std) - mean / std

    @right("data.RandomFlipHorizontal.__call__")
    def random_flip_horizontal_call(self, image):
        columns = range(image.shape[1])
        order = [*columns] if np.random.rand() >= self.p else [*reversed(columns)]
        return np.take(image, order, axis=1)

    @right("data.RandomCrop.__call__")
    def random_crop_call(self, image):
        p = self.padding
        rows, columns, channels = image.shape
        framed = np.zeros((rows + 2 * p, columns + 2 * p, channels), image.dtype)
        framed[p : p + rows, p : p + columns] = image
        cuts = np.lib.stride_tricks.sliding_window_view(framed, (rows, columns), axis=(0, 1))
        place = np.random.randint(2 * p + 1), np.random.randint(2 * p + 1)
        return np.moveaxis(cuts[place], 0, -1)

    @right("data.make_xor")
    def make_xor(n, noise, seed):
        i = np.arange(n)
        labels = (i + i // 2) % 2
        z = i // 2 % 2 + 1j * (i % 2)
        points = np.column_stack([np.real(z), np.imag(z)])
        points += noise * np.random.default_rng(seed).standard_normal(points.shape)
        return np.float32(points), np.asarray(labels, dtype=np.int64)

    @right("data.make_moons")
    def make_moons(n, noise, seed):
        turn = [np.exp(1j * np.linspace(0, np.pi, size)) for size in (n // 2, n - n // 2)]
        z = np.append(turn[0], 1 + 0.5j - turn[1])
        labels = np.where(np.arange(n) < n // 2, 0, 1)
        points = np.column_stack([np.real(z), np.imag(z)])
        points += noise * np.random.default_rng(seed).standard_normal(points.shape)
        return np.float32(points), np.asarray(labels, dtype=np.int64)

    @right("data.make_spiral")
    def make_spiral(n, classes, noise, seed):
        r = np.linspace(0, 1, n)
        arms = np.exp(2j * np.pi * np.arange(classes) / classes)
        z = np.outer(arms, r * np.exp(4j * r)).ravel()
        labels = [arm for arm in range(classes) for _ in range(n)]
        points = np.column_stack([np.real(z), np.imag(z)])
        points += noise * np.random.default_rng(seed).standard_normal(points.shape)
        return np.float32(points), np.asarray(labels, dtype=np.int64)
