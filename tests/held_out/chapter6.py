"""Wrong bodies of chapter 6 written without knowledge of its suites, and unusual right ones."""

from grader.course import edit, instead, mistake, right


class SECOND_CALL:
    @instead("for start in range(0,", "chosen = order[start", target="data.DataLoader.__iter__")
    def two_loops_at_once_share_their_place(self, order):
        """«Every `for` loop over it is one epoch»: two loops at once share the place where they
        are."""
        self._next = 0
        while self._next < len(order):
            chosen = order[self._next : self._next + self.batch_size]
            self._next += self.batch_size

    @mistake(target="data.RandomCrop.__call__")
    def all_images_are_framed_in_one_array(self, image):
        """«Cut one out»: a view of a frame that the next image is put into."""
        rows, columns = image.shape[:2]
        p = self.padding
        framed = vars(self).get("_framed")
        if framed is None or framed.shape[:2] != (rows + 2 * p, columns + 2 * p):
            framed = np.pad(image, ((p, p), (p, p), (0, 0)))
            self._framed = framed
        framed[p : p + rows, p : p + columns] = image
        top, left = np.random.randint(0, 2 * self.padding + 1, size=2)
        return framed[top : top + rows, left : left + columns]

    @mistake(target="data.make_xor")
    def the_noise_of_a_seed_goes_on(n, noise, seed):
        """«The same seed gives the same points»: the second call goes on where the first one
        stopped."""
        corners = np.array([(0, 0), (0, 1), (1, 0), (1, 1)])[np.arange(n) % 4]
        labels = corners[:, 0] ^ corners[:, 1]
        kept = make_xor.__dict__.setdefault("kept", {})
        stream = kept.setdefault(seed, np.random.default_rng(seed))
        points = corners + stream.normal(0, noise, (n, 2))
        return points.astype(np.float32), labels.astype(np.int64)

    @mistake(target="data.Normalize.__call__")
    def mean_and_std_take_the_dtype_of_the_first_image(self, image):
        """«(image - mean) / std»: mean and std keep the digits of the first image's dtype."""
        self.mean, self.std = (np.asarray(number, image.dtype) for number in (self.mean, self.std))
        return ((image - self.mean) / self.std).astype(image.dtype)

    @mistake(target="data.MNISTDataset.__getitem__")
    def an_image_is_prepared_once(self, index):
        """«The transforms get the image again each time»: one that draws at random draws once."""
        ready = self.__dict__.setdefault("_ready", {})
        if index not in ready:
            ready[index] = self.apply_transforms(self.images[index].reshape(28, 28, 1))
        return ready[index], self.labels[index]


class SETTING:
    @mistake(target="data.Normalize.__call__")
    def mean_decides_what_std_is(self, image):
        """«Mean and std are numbers, or hold one per channel»: one of them a number, the other
        not."""
        if np.ndim(self.mean) == 0:
            return (image - image.dtype.type(self.mean)) / image.dtype.type(float(self.std))
        channels = [
            (image[..., c] - image.dtype.type(self.mean[c])) / image.dtype.type(self.std[c])
            for c in range(image.shape[-1])
        ]
        return np.stack(channels, axis=-1)

    a_file_without_axes_becomes_a_list_of_one = edit(
        "return values.reshape(shape)",
        "return values.reshape(shape) if ndim else values",
        target="data.parse_idx",
    )
    """«As many axes as the header says», none included: a single value, of shape ()."""

    @mistake(target="data.RandomCrop.__call__")
    def an_image_is_put_between_padding_and_minus_padding(self, image):
        """«A frame of self.padding zeros»: with none the part from 0 to -0 is empty."""
        rows, columns = image.shape[:2]
        p = self.padding
        framed = np.zeros((rows + 2 * p, columns + 2 * p, image.shape[2]), image.dtype)
        framed[p:-p, p:-p] = image
        top, left = np.random.randint(0, 2 * self.padding + 1, size=2)
        return framed[top : top + rows, left : left + columns]

    half_a_circle_of_one_point_has_no_steps = edit(
        "upper, lower = np.linspace(0, np.pi, n // 2), np.linspace(0, np.pi, n - n // 2)",
        "upper, lower = (np.arange(k) * np.pi / (k - 1) for k in (n // 2, n - n // 2))",
        target="data.make_moons",
    )
    """«In even steps from 0 to π»: a half of one point has no steps to divide by."""


class VARIETY:
    sizes_are_read_from_two_bytes = edit(
        'shape = struct.unpack(f">{ndim}I", data[4:start])',
        'shape = struct.unpack(">" + "xxH" * ndim, data[4:start])',
        target="data.parse_idx",
    )
    """«Its size, an unsigned 32-bit integer»: the two upper bytes count, too."""

    grey_values_are_divided_by_the_brightest = edit(
        "astype(np.float32) / 255",
        "astype(np.float32) / max(int(images.max()), 1)",
        target="data.parse_mnist",
    )
    """«The grey values divided by 255»: not by the brightest of them."""

    the_first_and_the_last_array_are_compared = edit(
        "len({len(array) for array in arrays}) > 1",
        "arrays and len(arrays[0]) != len(arrays[-1])",
        target="data.ArrayDataset.__init__",
    )
    """«ValueError: the arrays do not all have the same number of rows»: the second of three may."""

    a_transform_that_stands_twice_is_applied_once = edit(
        "self.transforms or ()",
        "dict.fromkeys(self.transforms or ())",
        target="data.Dataset.apply_transforms",
    )
    """«x after every function in self.transforms»: a function may stand there twice."""

    a_field_has_the_dtype_of_its_first_value = edit(
        "(np.stack(field) for field",
        "(np.stack(field).astype(np.asarray(field[0]).dtype) for field",
        target="data.collate",
    )
    """«The dtype that NumPy gives the stacked field»: 1 and 2.5 make floats, not whole numbers."""

    a_half_is_added_before_rounding = edit(
        "math.ceil(len(self.dataset) / self.batch_size)",
        "round(len(self.dataset) / self.batch_size + 0.5)",
        target="data.DataLoader.__len__",
    )
    """«The number of batches»: `round` takes the even neighbour, 3 + 1/2 becomes 4."""

    @mistake(target="data.DataLoader.__iter__")
    def what_is_left_over_is_shared_out(self):
        """«The last one may hold fewer»: 10 in batches of 4 are 4, 4 and 2, not 4, 3 and 3."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        for chosen in np.array_split(order, max(len(self), 1)):
            if not len(chosen):
                return
            yield collate([self.dataset[int(index)] for index in chosen])


class HALF_PROMISE:
    labels_that_are_left_over_are_no_error = edit(
        "len(images) != len(labels)", "len(images) > len(labels)", target="data.parse_mnist"
    )
    """«ValueError: there are not as many labels as images»: more of them are let through."""

    @mistake(target="data.DataLoader.__iter__")
    def one_batch_is_made_ahead(self):
        """«Each made when the loop asks for it»: here one more is made before anybody asks."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        for start in range(0, len(order), self.batch_size):
            chosen = order[start : start + self.batch_size]
            ahead = collate([self.dataset[int(index)] for index in chosen])
            if start:
                yield made
            made = ahead
        if len(order):
            yield made

    every_arm_gets_the_same_noise = edit(
        "np.random.default_rng(seed).normal(0, noise, points.shape)",
        "np.tile(np.random.default_rng(seed).normal(0, noise, (n, 2)), (classes, 1))",
        target="data.make_spiral",
    )
    """«To every coordinate a normal draw is added»: all arms get the draws of the first."""

    only_the_byte_of_the_type_is_checked = edit(
        r'data[:3] != b"\x00\x00\x08"', "data[2] != 8", target="data.parse_idx"
    )
    """«ValueError: bytes 0 to 2 are not 0, 0, 8»: the first two may be anything."""


class RIGHT:
    @right("data.parse_idx")
    def an_idx_file_read_one_byte_at_a_time(data):
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
        return out

    @right("data.collate")
    def fields_filled_row_by_row(samples):
        out = []
        for position in range(len(samples[0])):
            column = [np.asarray(sample[position])[None] for sample in samples]
            stacked = np.concatenate(column, axis=0)
            out.append(Tensor(stacked, dtype=stacked.dtype, requires_grad=False))
        return (*out,)

    @right("data.DataLoader.__iter__")
    def an_epoch_as_a_class_of_its_own(self):
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

        return Epoch()

    @right("data.RandomCrop.__call__")
    def a_crop_as_a_roll_with_a_blank_edge(self, image):
        shifts = np.random.randint(-self.padding, self.padding + 1, size=2)
        out = image.copy()
        for axis, shift in enumerate(shifts):
            out = np.roll(out, shift, axis)
            blank = [slice(None)] * out.ndim
            blank[axis] = (
                slice(0, shift) if shift > 0 else slice(out.shape[axis] + min(shift, 0), None)
            )
            if shift < -out.shape[axis]:
                blank[axis] = slice(None)
            out[tuple(blank)] = 0
        return out

    @right("data.make_spiral")
    def a_spiral_of_complex_numbers(n, classes, noise, seed):
        r = np.linspace(0, 1, n)
        arms = [r * np.exp(1j * (4 * r + 2 * np.pi * k / classes)) for k in range(classes)]
        z = np.ravel(arms) if n else np.zeros(0, complex)
        points = z[:, None].view(float) if len(z) else np.zeros((0, 2))
        points = points + np.random.default_rng(seed).normal(0, noise, (n * classes, 2))
        return points.astype("float32"), (np.arange(n * classes) // max(n, 1)).astype("int64")

    batches_counted_from_below = right(
        "data.DataLoader.__len__", "return -(-len(self.dataset) // self.batch_size)"
    )
