"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant


# Loops and lists where the reference has slices; other functions of NumPy; other draws.
@variant("loops")
class LOOPS:
    @right("data.Dataset.apply_transforms")
    def dataset_apply_transforms(self, x):
        if self.transforms is None or len(self.transforms) == 0:
            return x
        for i in range(len(self.transforms)):
            x = self.transforms[i](x)
        return x

    @right("data.ArrayDataset.__init__")
    def array_dataset_init(self, *arrays, transforms):
        self.transforms = transforms
        self.arrays = list(arrays)
        for array in arrays[1:]:
            if array.shape[0] != arrays[0].shape[0]:
                raise ValueError("lengths")

    array_dataset_len = right("data.ArrayDataset.__len__", "return int(self.arrays[-1].shape[0])")

    @right("data.ArrayDataset.__getitem__")
    def array_dataset_getitem(self, index):
        row = [array[index] for array in self.arrays]
        row[0] = self.apply_transforms(row[0])
        return tuple(row)

    @right("data.parse_idx")
    def parse_idx(data):
        if data[0] != 0 or data[1] != 0 or data[2] != 8:
            raise ValueError("magic")
        shape = []
        for axis in range(data[3]):
            shape.append(int.from_bytes(data[4 + 4 * axis : 8 + 4 * axis], "big"))
        return np.array(list(data[4 + 4 * data[3] :]), dtype="uint8").reshape(shape)

    @right("data.parse_mnist")
    def parse_mnist(image_file, label_file):
        x, y = (parse_idx(read_bytes(file)) for file in (image_file, label_file))
        if x.shape[0] != y.shape[0]:
            raise ValueError("counts")
        x = x.reshape(x.shape[0], x.shape[1] * x.shape[2])
        return (x / 255.0).astype(np.float32), y.astype("int64")

    @right("data.collate")
    def collate(samples):
        batch = []
        for field in range(len(samples[0])):
            column = np.array([sample[field] for sample in samples])
            batch.append(Tensor(column, dtype=column.dtype, requires_grad=False))
        return tuple(batch)

    data_loader_len = right(
        "data.DataLoader.__len__", "return -(-len(self.dataset) // self.batch_size)"
    )

    @right("data.DataLoader.__iter__")
    def data_loader_iter(self):
        n = len(self.dataset)
        order = list(np.random.permutation(n)) if self.shuffle else list(range(n))
        batch = []
        for i in order:
            batch.append(self.dataset[i])
            if len(batch) == self.batch_size:
                yield collate(batch)
                batch = []
        if batch:
            yield collate(batch)

    normalize_call = right(
        "data.Normalize.__call__",
        "return np.divide(np.subtract(image, self.mean), self.std).astype(image.dtype)",
    )

    random_flip_horizontal_call = right(
        "data.RandomFlipHorizontal.__call__",
        "return np.fliplr(image) if np.random.uniform() < self.p else image.copy()",
    )

    @right("data.RandomCrop.__call__")
    def random_crop_call(self, image):
        p = self.padding
        out = np.zeros_like(image)
        down, across = np.random.randint(-p, p + 1), np.random.randint(-p, p + 1)
        for i in range(image.shape[0]):
            for j in range(image.shape[1]):
                if 0 <= i - down < len(image) and 0 <= j - across < image.shape[1]:
                    out[i, j] = image[i - down, j - across]
        return out

    @right("data.make_xor")
    def make_xor(n, noise, seed):
        points = [(i // 2 % 2, i % 2) for i in range(n)]
        labels = [int(a != b) for a, b in points]
        rng = np.random.default_rng(seed)
        points = np.array(points) + rng.standard_normal((len(points), 2)) * noise
        return points.astype("float32"), np.array(labels)

    @right("data.make_moons")
    def make_moons(n, noise, seed):
        points, labels = [], []
        for t in np.linspace(0, np.pi, n // 2):
            points.append((np.cos(t), np.sin(t)))
            labels.append(0)
        for t in np.linspace(0, np.pi, n - n // 2):
            points.append((1 - np.cos(t), 0.5 - np.sin(t)))
            labels.append(1)
        rng = np.random.default_rng(seed)
        points = np.array(points) + rng.standard_normal((len(points), 2)) * noise
        return points.astype("float32"), np.array(labels)

    @right("data.make_spiral")
    def make_spiral(n, classes, noise, seed):
        points, labels = [], []
        for k in range(classes):
            for r in np.linspace(0, 1, n):
                a = 4 * r + 2 * np.pi * k / classes
                points.append((r * np.cos(a), r * np.sin(a)))
                labels.append(k)
        rng = np.random.default_rng(seed)
        points = np.array(points) + rng.standard_normal((len(points), 2)) * noise
        return points.astype("float32"), np.array(labels)


# Bytes one by one, one draw of a whole order, shifts by a roll.
@variant("bytes one by one, an order drawn as a whole, rolls")
class BYTES:
    @right("data.Dataset.apply_transforms")
    def dataset_apply_transforms(self, x):
        import functools

        return functools.reduce(lambda image, change: change(image), self.transforms or [], x)

    mnistdataset_len = right("data.MNISTDataset.__len__", "return int(self.images.shape[0])")

    @right("data.MNISTDataset.__getitem__")
    def mnistdataset_getitem(self, index):
        image = np.reshape(self.images[index], (28, 28))[..., None]
        return (self.apply_transforms(x=image), self.labels[index])

    @right("data.parse_idx")
    def parse_idx(data):
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

    @right("data.collate")
    def collate(samples):
        columns = [np.asarray(list(column)) for column in zip(*samples)]
        return tuple(Tensor(c, dtype=c.dtype, requires_grad=False) for c in columns)

    data_loader_len = right(
        "data.DataLoader.__len__", "return (len(self.dataset) - 1) // self.batch_size + 1"
    )

    @right("data.DataLoader.__iter__")
    def data_loader_iter(self):
        order = list(range(len(self.dataset)))
        if self.shuffle:
            np.random.shuffle(order)
        starts = range(0, len(order), self.batch_size)
        return (
            collate([self.dataset[i] for i in order[at : at + self.batch_size]]) for at in starts
        )

    @right("data.Normalize.__call__")
    def normalize_call(self, image):
        out = np.array(image)
        out -= np.array(self.mean, out.dtype)
        out /= np.array(self.std, out.dtype)
        return out

    @right("data.RandomFlipHorizontal.__call__")
    def random_flip_horizontal_call(self, image):
        turned = np.random.binomial(1, self.p) == 1
        return np.flip(image, axis=1) if turned else image

    @right("data.RandomCrop.__call__")
    def random_crop_call(self, image):
        p = self.padding
        down, across = (int(np.random.choice(2 * p + 1)) - p for _ in range(2))
        framed = np.pad(image, ((p, p), (p, p), (0, 0)))
        framed = np.roll(framed, (-down, -across), axis=(0, 1))
        return framed[p : p + image.shape[0], p : p + image.shape[1]].copy()


VARIANTS = (LOOPS, BYTES)
