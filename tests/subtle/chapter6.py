"""Data sets, loaders, transforms and points that are almost right."""

from grader.course import after, before, edit, instead, mistake

CHAIN = "data.Dataset.apply_transforms"
ARRAYS, ROW = "data.ArrayDataset.__init__", "data.ArrayDataset.__getitem__"
IDX, MNIST, DIGIT = "data.parse_idx", "data.parse_mnist", "data.MNISTDataset.__getitem__"
COLLATE = "data.collate"
EPOCH = "data.DataLoader.__iter__"
NORMALIZE, FLIP = "data.Normalize.__call__", "data.RandomFlipHorizontal.__call__"
CROP = "data.RandomCrop.__call__"
XOR, MOONS, SPIRAL = "data.make_xor", "data.make_moons", "data.make_spiral"
MAGIC = 'data[:3] != b"\\x00\\x00\\x08"'
TENSOR = "Tensor(field, dtype=field.dtype, requires_grad=False)"


class SUBTLE:
    without_transforms_a_float32_copy = edit(
        "return x", "return x if self.transforms else np.asarray(x, dtype='float32')", target=CHAIN
    )
    only_neighbours_are_compared = edit(
        "len({len(array) for array in arrays}) > 1",
        "len(arrays) > 1 and len(arrays[0]) != len(arrays[1])",
        target=ARRAYS,
    )
    more_rows_than_the_first_has = edit(
        "len({len(array) for array in arrays}) > 1",
        "any(len(array) < len(arrays[0]) for array in arrays)",
        target=ARRAYS,
    )
    two_fields = edit("*others)", "*others[:1])", target=ROW)

    @mistake(target=ROW)
    def an_end_that_raises_nothing(self, index):
        index = index % (len(self.arrays[0]) + 1)
        first, *others = (array[index] for array in self.arrays)
        return (self.apply_transforms(first), *others)

    byte_one_is_not_looked_at = edit(MAGIC, "data[0] != 0 or data[2] != 8", target=IDX)
    byte_zero_is_not_looked_at = edit(MAGIC, "data[1] != 0 or data[2] != 8", target=IDX)
    other_types_of_one_byte = edit(MAGIC, "data[:2] != b'\\x00\\x00' or data[2] > 9", target=IDX)
    one_byte_for_a_size = edit(
        'struct.unpack(f">{ndim}I", data[4:start])', "data[7:start:4]", target=IDX
    )
    what_is_too_much_is_cut_off = edit(
        "np.frombuffer(data[start:], dtype=np.uint8)",
        "np.frombuffer(data[start:], dtype=np.uint8)[: math.prod(shape)]",
        target=IDX,
    )
    labels_in_int32 = edit("np.int64", "np.int32", target=MNIST)
    labels_as_they_are_in_the_file = edit("labels.astype(np.int64)", "labels", target=MNIST)
    more_labels_than_images = edit(
        "len(images) != len(labels)", "len(images) > len(labels)", target=MNIST
    )
    the_names_of_files_are_bytes = edit(
        "parse_idx(read_bytes(image_file))",
        "parse_idx(read_bytes(image_file if isinstance(image_file, bytes) else image_file.read()))",
        target=MNIST,
    )
    a_digit_in_float64 = edit(
        "reshape(28, 28, 1)", "reshape(28, 28, 1).astype(float)", target=DIGIT
    )
    a_digit_that_is_rounded = edit(
        "reshape(28, 28, 1)", "reshape(28, 28, 1).round(3)", target=DIGIT
    )
    floats_become_float32 = edit(
        TENSOR,
        "Tensor(field, dtype='float32' if field.dtype.kind == 'f' else field.dtype, "
        "requires_grad=False)",
        target=COLLATE,
    )
    floats_become_float64 = edit(
        TENSOR,
        "Tensor(field, dtype='float64' if field.dtype.kind == 'f' else field.dtype, "
        "requires_grad=False)",
        target=COLLATE,
    )
    labels_in_eight_bits = edit(
        TENSOR,
        "Tensor(field, dtype='int8' if field.dtype.kind == 'i' else field.dtype, "
        "requires_grad=False)",
        target=COLLATE,
    )
    only_labels_ask_for_nothing = edit(
        TENSOR, "Tensor(field, dtype=field.dtype, requires_grad=field.ndim > 2)", target=COLLATE
    )

    @after("chosen = order[start", target=EPOCH)
    def one_place_for_all_loops(self, start, order):
        self.at = self.at + self.batch_size if start else 0
        chosen = order[self.at : self.at + self.batch_size]

    @mistake(target=EPOCH)
    def the_same_order_until_somebody_seeds(self):
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.seed(int(np.random.randint(1000)))
            np.random.shuffle(order)
        for start in range(0, len(order), self.batch_size):
            chosen = order[start : start + self.batch_size]
            yield collate([self.dataset[int(index)] for index in chosen])

    @before("np.random.shuffle(order)", target=EPOCH)
    def the_stream_is_seeded(self):
        self.epoch = getattr(self, "epoch", 0) + 1
        np.random.seed(self.epoch)

    a_shuffled_rest = edit(
        "np.random.shuffle(order)", "np.random.shuffle(order[:-1])", target=EPOCH
    )

    @instead("np.random.shuffle(order)", target=EPOCH)
    def one_swap_more(order):
        for i in range(len(order) - 1):
            j = np.random.randint(i + 1, len(order))
            order[[i, j]] = order[[j, i]]

    the_spread_is_never_zero = edit("/ std", "/ (std + 1e-8)", target=NORMALIZE)

    @mistake(target=NORMALIZE)
    def in_place(self, image):
        dtype = np.result_type(image.dtype, np.float32)
        mean, std = (np.asarray(number, dtype) for number in (self.mean, self.std))
        normal: NDArray = image
        normal -= mean
        normal /= std
        return normal

    every_row_by_itself = edit(
        "return image[:, ::-1] if np.random.random() < self.p else image",
        "return np.stack([r[::-1] if np.random.random() < self.p else r for r in image])",
        target=FLIP,
    )

    @mistake(target=CROP)
    def an_image_that_is_blackened(self, image):
        rows, columns = image.shape[:2]
        framed = np.pad(image, ((self.padding,) * 2, (self.padding,) * 2, (0, 0)))
        top, left = np.random.randint(0, 2 * self.padding + 1, size=2)
        image[:] = image.min()
        return framed[top : top + rows, left : left + columns]

    one_place_too_few = edit("2 * self.padding + 1, size", "2 * self.padding, size", target=CROP)
    noise_of_NumPys_own = edit(
        "np.random.default_rng(seed).normal", "np.random.RandomState(seed).normal", target=XOR
    )

    @mistake(target=XOR)
    def a_seed_for_everybody(n, noise, seed):
        np.random.seed(seed)
        corners = np.array([(0, 0), (0, 1), (1, 0), (1, 1)])[np.arange(n) % 4]
        labels = corners[:, 0] ^ corners[:, 1]
        points = corners + np.random.default_rng(seed).normal(0, noise, (n, 2))
        return points.astype(np.float32), labels.astype(np.int64)

    xor_in_float64 = edit("points.astype(np.float32)", "points", target=XOR)
    labels_of_xor_in_bits = edit("labels.astype(np.int64)", "labels.astype(np.int8)", target=XOR)
    moons_from_the_global_stream = edit(
        "np.random.default_rng(seed).normal", "np.random.normal", target=MOONS
    )

    @mistake(target=MOONS)
    def moons_that_seed_the_global_stream(n, noise, seed):
        upper, lower = np.linspace(0, np.pi, n // 2), np.linspace(0, np.pi, n - n // 2)
        x = np.concatenate([np.cos(upper), 1 - np.cos(lower)])
        y = np.concatenate([np.sin(upper), 0.5 - np.sin(lower)])
        np.random.seed(seed)
        points = np.stack([x, y], axis=1) + np.random.normal(0, noise, (n, 2))
        labels = np.repeat([0, 1], [n // 2, n - n // 2])
        return points.astype(np.float32), labels.astype(np.int64)

    moons_in_float64 = edit("points.astype(np.float32)", "points", target=MOONS)
    a_spiral_of_seeds_of_its_own = edit(
        "np.random.default_rng(seed)", "np.random.default_rng(seed + 1)", target=SPIRAL
    )

    @mistake(target=SPIRAL)
    def a_spiral_that_seeds_the_global_stream(n, classes, noise, seed):
        r = np.tile(np.linspace(0, 1, n), classes)
        labels = np.repeat(np.arange(classes), n)
        angle = 4 * r + 2 * np.pi * labels / classes
        points = np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1)
        np.random.seed(seed)
        points += np.random.normal(0, noise, points.shape)
        return points.astype(np.float32), labels.astype(np.int64)

    labels_of_the_spiral_in_int32 = edit("np.int64", "np.int32", target=SPIRAL)

    @mistake(target="data.ArrayDataset.__getitem__")
    def rows_that_are_remembered(self, index):
        rows = vars(self).setdefault("rows", {})
        if index not in rows:
            first, *others = (array[index] for array in self.arrays)
            rows[index] = (self.apply_transforms(first), *others)
        return rows[index]

    @mistake(target="data.MNISTDataset.__getitem__")
    def digits_that_are_remembered(self, index):
        rows = vars(self).setdefault("rows", {})
        if index not in rows:
            rows[index] = (
                self.apply_transforms(self.images[index].reshape(28, 28, 1)),
                self.labels[index],
            )
        return rows[index]

    grey_values_by_the_largest_one = edit(
        "/ 255", "/ np.float32(max(1, images.max()))", target="data.parse_mnist"
    )
    the_dtype_of_the_first_sample = edit(
        "np.stack(field)",
        "np.stack(field).astype(np.asarray(field[0]).dtype)",
        target="data.collate",
    )

    @mistake(target="data.DataLoader.__iter__")
    def shuffled_ten_by_ten(self):
        order = np.arange(len(self.dataset))
        if self.shuffle:
            for at in range(0, len(order), 10):
                np.random.shuffle(order[at : at + 10])
        for start in range(0, len(order), self.batch_size):
            chosen = order[start : start + self.batch_size]
            yield collate([self.dataset[int(index)] for index in chosen])

    @mistake(target="data.RandomFlipHorizontal.__call__")
    def the_image_itself_is_turned(self, image):
        if np.random.random() < self.p:
            image[:] = image[:, ::-1].copy()
        return image

    the_middle_is_likelier = edit(
        "np.random.randint(0, 2 * self.padding + 1, size=2)",
        "np.random.binomial(2 * self.padding, 0.5, size=2)",
        target="data.RandomCrop.__call__",
    )

    @after("2 * self.padding + 1, size=2)", target="data.RandomCrop.__call__")
    def one_shift_for_a_square_image(rows, columns, top, left):
        left = top if rows == columns else left

    no_transform_for_a_number = edit(
        "in self.transforms or ():",
        "in (self.transforms or ()) if np.ndim(x) else ():",
        target="data.Dataset.apply_transforms",
    )
    plain_numbers_in_float32 = edit(
        "dtype=field.dtype",
        "dtype='float32' if field.dtype.kind == 'f' and field.ndim < 2 else field.dtype",
        target="data.collate",
    )
