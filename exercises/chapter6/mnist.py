"""MNIST from its files: `parse_idx`, `parse_mnist`, `MNISTDataset`."""

from grader.course import body, edit, exercise

# Whole numbers read in the order of this machine, or of the least significant byte first.
LITTLE_ENDIAN = (
    r"unpack(?:_from)?\(f?'(?![>!])[^']{0,40}[IiLl]|'little'|'<[ui]4'"
    r"|frombuffer\([^()]{0,80}(?:np\.|')u?int32\b(?!.{0,200}(?:byteswap|newbyteorder))"
)


@exercise("data.parse_idx", points=3)
class PARSE_IDX:
    """`data[3]` is already a whole number: indexing bytes gives numbers. It tells you how long the
    header is.

    `struct.unpack` turns bytes into numbers. Look up which sign means big-endian and which letter
    means an unsigned 32-bit integer.

    `np.frombuffer` makes an array of what comes after the header. Compare its size with the product
    of the sizes before you reshape it.
    """

    def _plain(data):
        if data[:3] != b"\x00\x00\x08":
            raise ValueError("not an IDX file")
        start = 4 + 4 * data[3]
        shape = struct.unpack(f">{data[3]}I", data[4 : 4 + 4 * data[3]])
        values = np.frombuffer(data[start:], dtype=np.uint8)
        if values.size != math.prod(shape):
            raise ValueError("wrong number of values")
        return values.reshape(shape)

    little_endian = edit(">", "<", of=_plain, shown_by=LITTLE_ENDIAN)
    """You read the header's numbers with the least significant byte first: so a size of 3 becomes
    50,331,648. IDX files are big-endian."""

    header_of_eight = edit(
        ("= 4 + 4 * data[3]", "= 8"),
        ("(data[start:], dtype=np.uint8)", "(data[start:], dtype=np.uint8)[: math.prod(shape)]"),
        of=_plain,
    )
    """You took the values from byte 8 on. That fits labels; the header is 4 bytes longer for every
    further axis, and its bytes ended up as your first values."""

    header_of_sixteen = edit(
        ("= 4 + 4 * data[3]", "= 16"),
        ("(data[start:], dtype=np.uint8)", "(data[start:], dtype=np.uint8)[: math.prod(shape)]"),
        of=_plain,
    )
    """You took the values from byte 16 on. That fits images; with fewer axes the header is shorter,
    and you skipped values."""

    signed_bytes = edit("uint8", "int8", of=_plain)
    """You read signed bytes, so 200 became -56. Grey values go up to 255: they are unsigned."""

    columns_first = edit("reshape(shape)", "reshape(shape[::-1]).transpose()", of=_plain)
    """You let the first axis run fastest, so the images are scrambled. In the file the last axis
    runs fastest, as in NumPy."""

    type_not_checked = edit(
        ('if data[:3] != b"\\x00\\x00\\x08":', ""),
        ('raise ValueError("not an IDX file")', ""),
        of=_plain,
    )
    """You read on although the file begins with something other than 0, 0, 8: it isn't an IDX file
    of unsigned bytes."""

    extra_values_ignored = edit(
        "(data[start:], dtype=np.uint8)",
        "(data[start:], dtype=np.uint8)[: math.prod(shape)]",
        of=_plain,
    )
    """A file with more values than the header promises went through. Something is wrong with such a
    file; say so with a ValueError."""


@exercise("data.parse_mnist", points=2)
class PARSE_MNIST:
    """Two functions do the reading: `read_bytes`, which is there, and your `parse_idx`.

    Compare the two lengths first. Then give the images the shape, the dtype and the range that the
    docstring promises.

    `reshape` with -1 flattens what is left. Change the dtype before you divide, and check which
    dtype comes out.
    """

    def not_scaled(image_file, label_file):
        """Your grey values go up to 255. Divide them by 255, so that they lie between 0 and 1."""
        images = parse_idx(read_bytes(image_file))
        labels = parse_idx(read_bytes(label_file))
        if len(images) != len(labels):
            raise ValueError("lengths differ")
        return images.reshape(len(images), math.prod(images.shape[1:])).astype(
            np.float32
        ), labels.astype(np.int64)

    def divided_by_256(image_file, label_file):
        """You divided by 256. The largest value is 255, and it should become 1."""
        images = parse_idx(read_bytes(image_file))
        labels = parse_idx(read_bytes(label_file))
        if len(images) != len(labels):
            raise ValueError("lengths differ")
        return images.reshape(len(images), math.prod(images.shape[1:])).astype(
            np.float32
        ) / 256, labels.astype(np.int64)

    def whole_division(image_file, label_file):
        """`//` rounds down: all that wasn't 255 became 0, and the digits are full of holes."""
        images = parse_idx(read_bytes(image_file))
        labels = parse_idx(read_bytes(label_file))
        if len(images) != len(labels):
            raise ValueError("lengths differ")
        return images.reshape(len(images), -1).astype(np.float32) // 255, labels.astype(np.int64)

    float64 = edit(".astype(np.float32) //", " /", of=whole_division)
    """A uint8 array divided by a number is float64: right values, twice the memory. The images have
    to be float32."""

    not_flat = edit(
        "reshape(len(images), -1).astype(np.float32) //", "astype(np.float32) /", of=whole_division
    )
    """Your images still have rows and columns. One image is one row of pixels here."""

    def transposed(image_file, label_file):
        """You laid the images out column by column; the digits lie on their side. They are stored
        row by row."""
        images = parse_idx(read_bytes(image_file))
        labels = parse_idx(read_bytes(label_file))
        if len(images) != len(labels):
            raise ValueError("lengths differ")
        pixels = images.transpose(0, 2, 1).reshape(len(images), -1)
        return pixels.astype(np.float32) / 255, labels.astype(np.int64)

    def labels_shifted(image_file, label_file):
        """Your labels begin with four bytes of the header, so every label belongs to another image:
        labels have a header of 8 bytes."""
        images = parse_idx(read_bytes(image_file))
        raw = np.frombuffer(read_bytes(label_file), dtype=np.uint8)
        if len(raw) - 8 != len(images):
            raise ValueError("lengths differ")
        return images.reshape(len(images), -1).astype(np.float32) / 255, raw[
            4 : 4 + len(images)
        ].astype(np.int64)

    def swapped(image_file, label_file):
        """You returned the labels first. Images first, then labels."""
        images = parse_idx(read_bytes(image_file))
        labels = parse_idx(read_bytes(label_file))
        if len(images) != len(labels):
            raise ValueError("lengths differ")
        return labels.astype(np.int64), images.reshape(len(images), -1).astype(np.float32) / 255

    def counts_not_compared(image_file, label_file):
        """You accept different numbers of images and labels. Then some image has no label: raise a
        ValueError."""
        images = parse_idx(read_bytes(image_file))
        labels = parse_idx(read_bytes(label_file))
        return images.reshape(len(images), -1).astype(np.float32) / 255, labels.astype(np.int64)


@exercise(
    "chapter6.mnist.length",
    targets=("data.MNISTDataset.__len__",),
    points=1,
    minutes=1,
    needs=("chapter6.parse_mnist",),
)
class LENGTH:
    """`self.images` has one row per image, and `self.labels` one number."""

    counts_pixels = body("return self.images.size")
    """You counted the pixels. A sample is a whole image."""

    row_length = body("return self.images.shape[1]")
    """You returned the length of one row, which is the number of pixels of an image."""

    last_index = body("return len(self.labels) - 1")
    """You returned the index of the last image. Counting from 0, it is one less than the length."""


@exercise(
    "chapter6.mnist.getitem",
    targets=("data.MNISTDataset.__getitem__",),
    points=2,
    needs=("chapter6.parse_mnist", "chapter6.dataset.apply_transforms"),
)
class GETITEM:
    """Row `index` of `self.images` holds 784 pixels. An image has rows, columns and one channel.

    Shape first, transforms second: a transform expects to find rows and columns.
    """

    flat = body("return self.apply_transforms(self.images[index]), self.labels[index]")
    """The image is still one row of 784 pixels; give it rows, columns and a channel."""

    no_channel = edit("28, 1", "28")
    """Your image has two axes. The third one, of size 1, is the channel."""

    channel_first = edit("28, 28, 1", "1, 28, 28")
    """You put the channel first, as PyTorch does. Here it is the last axis."""

    transposed = edit("(28, 28, 1)", "(28, 28, 1).transpose(1, 0, 2)")
    """You swapped rows and columns: the digits lie on their side."""

    transforms_forgotten = body("return self.images[index].reshape(28, 28, 1), self.labels[index]")
    """The transforms were never called."""

    def transforms_before_shape(self, index):
        """The transforms got a flat row of 784 pixels. They need the image: reshape first."""
        return self.apply_transforms(self.images[index]).reshape(28, 28, 1), self.labels[index]

    labels_shifted = edit("labels[index]", "labels[index - 1]")
    """The label belongs to the image before this one."""
