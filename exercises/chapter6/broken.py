"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import broken, edit, mistake

FLOAT32, INT64 = "points.astype(np.float32)", "labels.astype(np.int64)"


@broken("data.ArrayDataset.__init__")
class ARRAYDATASET_INIT:
    a_copy_would_take = edit(
        "self.arrays = arrays", "self.arrays = tuple(np.array(array) for array in arrays)"
    )
    """a copy would take as much memory once more."""


@broken("data.parse_mnist")
class PARSE_MNIST:
    each_may_be_a_file = edit(
        "read_bytes(image_file)",
        "read_bytes(image_file if isinstance(image_file, bytes) else image_file.read())",
    )
    """Each may be a file's name, an open binary file, or bytes;"""

    gzipped_or_not = edit(
        "read_bytes(image_file)",
        "image_file if isinstance(image_file, bytes) else read_bytes(image_file)",
    )
    """gzipped or not."""


@broken("data.MNISTDataset.__getitem__")
class MNISTDATASET_GETITEM:
    the_three_axes_are_row = edit("28, 28, 1", '28, 28, 1, order="F"')
    """The three axes are row, column and channel;"""

    grey_images_have_one_channel = edit("(28, 28, 1)", "(28, 28, 1).repeat(3, axis=2)")
    """grey images have one channel."""


@broken("data.collate")
class COLLATE:
    def the_samples_stay_as_they(samples):
        """The samples stay as they were."""
        columns = [[field] for field in samples.pop(0)]
        while samples:
            for column, field in zip(columns, samples.pop(0), strict=True):
                column.append(field)
        fields = (np.stack(column) for column in columns)
        return tuple(Tensor(field, dtype=field.dtype, requires_grad=False) for field in fields)

    each_tensor_keeps_the_dtype = edit(
        "dtype=field.dtype", 'dtype=field.dtype if field.dtype.kind in "iu" else "float32"'
    )
    """Each Tensor keeps the dtype that NumPy gives the stacked field,"""


@broken("data.DataLoader.__iter__")
class DATALOADER_ITER:
    def the_data_set_itself_stays(self):
        """and the data set itself stays as it is."""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
            self.dataset = [self.dataset[int(index)] for index in order]
        for start in range(0, len(order), self.batch_size):
            chosen = order[start : start + self.batch_size]
            yield collate([self.dataset[int(index)] for index in chosen])


@broken("data.RandomCrop.__call__")
class RANDOMCROP_CALL:
    of_its_padding_places = edit(
        "np.random.randint(0, 2 * self.padding + 1, size=2)",
        "np.random.randint(0, 2 * self.padding or 1), np.random.randint(2 * self.padding + 1)",
    )
    """of its `2 * padding + 1` places in each direction all are equally likely, both ends…"""

    def the_caller_s_image_stays(self, image):
        """The caller's image stays as it was."""
        rows, columns = image.shape[:2]
        framed = np.pad(image, ((self.padding,) * 2, (self.padding,) * 2, (0, 0)))
        top, left = np.random.randint(0, 2 * self.padding + 1, size=2)
        image[...] = framed[top : top + rows, left : left + columns]
        return image


@broken("data.make_xor")
class MAKE_XOR:
    point_i_belongs_to_corner = edit("(0, 1), (1, 0)", "(1, 0), (0, 1)")
    """Point `i` belongs to corner `i % 4` of (0, 0), (0, 1), (1, 0), (1, 1);"""

    points_of_shape_dtype_float32 = edit(FLOAT32, "points")
    """points of shape `(n, 2)`, dtype float32,"""

    labels_of_shape_dtype_int64 = edit(INT64, "labels.astype(np.float32)")
    """and labels of shape `(n,)`, dtype int64."""


@broken("data.make_moons")
class MAKE_MOONS:
    the_first_n_points_have = edit("[np.cos(upper)", "[-np.cos(upper)")
    """The first `n // 2` points have label 0 and lie at (cos t, sin t);"""

    the_others_have_label = edit("0.5 - np", "-np")
    """the others have label 1 and lie at (1 - cos t, 1/2 - sin t)."""

    points_of_shape_dtype_float32 = edit(FLOAT32, "points")
    """points of shape `(n, 2)`, dtype float32,"""

    labels_of_shape_dtype_int64 = edit(INT64, "labels.astype(np.float32)")
    """and labels of shape `(n,)`, dtype int64."""


@broken("data.make_spiral")
class MAKE_SPIRAL:
    the_arms_follow_one_another = edit(
        ("np.tile(np.linspace(0, 1, n), classes)", "np.repeat(np.linspace(0, 1, n), classes)"),
        ("np.repeat(np.arange(classes), n)", "np.tile(np.arange(classes), n)"),
    )
    """The arms follow one another, arm 0 first."""

    points_of_shape_dtype_float32 = edit(FLOAT32, "points")
    """points of shape `(n * classes, 2)`, dtype float32,"""

    labels_of_shape_dtype_int64 = edit(INT64, "labels.astype(np.float32)")
    """and labels of shape `(n * classes,)`, dtype int64."""


@broken("data.ArrayDataset")
class ARRAYDATASET:
    arraydataset_is_the_tuple = edit(
        "array[index]", "array[index - 1]", target="data.ArrayDataset.__getitem__"
    )
    """`ArrayDataset(x, y)[3]` is the tuple `(x[3], y[3])`;"""

    any_number_of_arrays_will = edit(
        "*others)", "others[0])", target="data.ArrayDataset.__getitem__"
    )
    """any number of arrays will do."""


@broken("data.DataLoader")
class DATALOADER:
    @mistake(target="data.DataLoader.__iter__")
    def batch_size_how_many_samples(self):
        """batch_size: how many samples a batch holds;"""
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        for chosen in np.array_split(order, len(self)):
            yield collate([self.dataset[int(index)] for index in chosen])

    the_last_one = edit(
        "len(order),", "len(order) - self.batch_size + 1,", target="data.DataLoader.__iter__"
    )
    """the last one of an epoch may hold fewer."""


@broken("data.Normalize")
class NORMALIZE:
    mean_and_std_are_numbers = edit(
        "np.asarray(number, dtype)", "np.array([*number], dtype)", target="data.Normalize.__call__"
    )
    """`mean` and `std` are numbers,"""

    hold_one_number_per_channel = edit(
        "(self.mean, self.std)", "(np.mean(self.mean), self.std)", target="data.Normalize.__call__"
    )
    """or hold one number per channel (the last axis);"""

    one_of_them_may_be = edit(
        "(np.asarray(number, dtype) for number in (self.mean, self.std))",
        "np.asarray((self.mean, self.std), dtype)",
        target="data.Normalize.__call__",
    )
    """one of them may be a number while the other is not."""
