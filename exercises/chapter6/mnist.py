"""MNIST from its files: `parse_idx`, `parse_mnist`, `MNISTDataset`."""

from grader.course import Exercise, Mistake

CHECKED = "if data[:3] != b'\\x00\\x00\\x08':\n    raise ValueError('not an IDX file')\n"


def reader(*, order=">", start="4 + 4 * data[3]", dtype="np.uint8", more="", end="shape"):
    """A body of `parse_idx` that is right but for what is named."""
    return (
        f"{CHECKED}start = {start}\n"
        f"shape = struct.unpack(f'{order}{{data[3]}}I', data[4 : 4 + 4 * data[3]])\n"
        f"values = np.frombuffer(data[start:], dtype={dtype}){more}\n"
        "if values.size != math.prod(shape):\n    raise ValueError('wrong number of values')\n"
        f"return values.reshape({end})"
    )


PARSE_IDX = Exercise(
    "chapter6.parse_idx",
    section="6.3",
    targets=("data.parse_idx",),
    points=3,
    minutes=20,
    difficulty=3,
    hints=(
        "`data[3]` is already a whole number: indexing bytes gives numbers. It tells you how long "
        "the header is.",
        "`struct.unpack` turns bytes into numbers. Look up which sign stands for big-endian and "
        "which letter for an unsigned 32-bit integer.",
        "`np.frombuffer` makes an array of what comes after the header. Compare its size with the "
        "product of the sizes before you reshape it.",
    ),
    mistakes=(
        Mistake(
            "little-endian", reader(order="<"),
            "You read the sizes with the least significant byte first, so that 3 became "
            "50,331,648. IDX files are big-endian.",
        ),
        Mistake(
            "header-of-eight",
            reader(start="8", more="[: math.prod(shape)]"),
            "You took the values from byte 8 on. That fits labels; the header is 4 bytes longer "
            "for every further axis, and its bytes ended up as your first values.",
        ),
        Mistake(
            "header-of-sixteen",
            reader(start="16", more="[: math.prod(shape)]"),
            "You took the values from byte 16 on. That fits images; with fewer axes the header is "
            "shorter, and you skipped values.",
        ),
        Mistake(
            "signed-bytes", reader(dtype="np.int8"),
            "You read signed bytes, so that 200 became -56. Grey values go up to 255: they are "
            "unsigned.",
        ),
        Mistake(
            "columns-first", reader(end="shape[::-1]).transpose("),
            "You let the first axis run fastest, so the images are scrambled. In the file the last "
            "axis runs fastest, as in NumPy.",
        ),
        Mistake(
            "type-not-checked",
            reader().removeprefix(CHECKED),
            "You read on although the file begins with something else than 0, 0, 8: it is not an "
            "IDX file of unsigned bytes.",
        ),
        Mistake(
            "extra-values-ignored", reader(more="[: math.prod(shape)]"),
            "A file with more values than the header promises went through. Something is wrong "
            "with such a file; say so with a ValueError.",
        ),
    ),
)  # fmt: skip

COMPARED = "if len(images) != len(labels):\n    raise ValueError('lengths differ')\n"
READ = "images = parse_idx(read_bytes(image_file))\nlabels = parse_idx(read_bytes(label_file))\n"
FLAT = "images.reshape(len(images), -1).astype(np.float32)"

PARSE_MNIST = Exercise(
    "chapter6.parse_mnist",
    section="6.4",
    targets=("data.parse_mnist",),
    points=2,
    minutes=10,
    difficulty=2,
    needs=("chapter6.parse_idx",),
    hints=(
        "Two functions do the reading: `read_bytes`, which is there, and your `parse_idx`.",
        "Compare the two lengths first. Then give the images the shape, the dtype and the range "
        "that the docstring promises.",
        "`reshape` with -1 flattens what is left. Change the dtype before you divide, and mind "
        "which dtype comes out.",
    ),
    mistakes=(
        Mistake(
            "not-scaled", f"{READ}{COMPARED}return {FLAT}, labels.astype(np.int64)",
            "Your grey values go up to 255. Divide them by 255, so that they lie between 0 and 1.",
        ),
        Mistake(
            "divided-by-256", f"{READ}{COMPARED}return {FLAT} / 256, labels.astype(np.int64)",
            "You divided by 256. The largest value is 255, and it should become 1.",
        ),
        Mistake(
            "whole-division", f"{READ}{COMPARED}return {FLAT} // 255, labels.astype(np.int64)",
            "`//` rounds down: all that was not 255 became 0, and the digits are full of holes.",
        ),
        Mistake(
            "float64",
            f"{READ}{COMPARED}return images.reshape(len(images), -1) / 255, "
            f"labels.astype(np.int64)",
            "A uint8 array divided by a number is float64: right values, twice the memory. The "
            "images have to be float32.",
        ),
        Mistake(
            "not-flat",
            f"{READ}{COMPARED}return images.astype(np.float32) / 255, labels.astype(np.int64)",
            "Your images still have rows and columns. One image is one row of pixels here.",
        ),
        Mistake(
            "transposed",
            f"{READ}{COMPARED}pixels = images.transpose(0, 2, 1).reshape(len(images), -1)\n"
            "return pixels.astype(np.float32) / 255, labels.astype(np.int64)",
            "You laid the images out column by column; the digits lie on their side. They are "
            "stored row by row.",
        ),
        Mistake(
            "labels-shifted",
            f"images = parse_idx(read_bytes(image_file))\n"
            "raw = np.frombuffer(read_bytes(label_file), dtype=np.uint8)\n"
            "if len(raw) - 8 != len(images):\n    raise ValueError('lengths differ')\n"
            f"return {FLAT} / 255, raw[4 : 4 + len(images)].astype(np.int64)",
            "Your labels begin with four bytes of the header, so every label belongs to another "
            "image: labels have a header of 8 bytes.",
        ),
        Mistake(
            "swapped", f"{READ}{COMPARED}return labels.astype(np.int64), {FLAT} / 255",
            "You returned the labels first. Images first, then labels.",
        ),
        Mistake(
            "counts-not-compared", f"{READ}return {FLAT} / 255, labels.astype(np.int64)",
            "Images and labels of different number went through. Then some image has no label: "
            "raise a ValueError.",
        ),
    ),
)  # fmt: skip

LENGTH = Exercise(
    "chapter6.mnist.length",
    section="6.5",
    targets=("data.MNISTDataset.__len__",),
    points=1,
    minutes=1,
    needs=("chapter6.parse_mnist",),
    hints=("`self.images` has one row per image, and `self.labels` one number.",),
    mistakes=(
        Mistake(
            "counts-pixels", "return self.images.size",
            "You counted the pixels. A sample is a whole image.",
        ),
        Mistake(
            "row-length", "return self.images.shape[1]",
            "You returned the length of one row, which is the number of pixels of an image.",
        ),
        Mistake(
            "last-index", "return len(self.labels) - 1",
            "You returned the index of the last image. Counting from 0, it is one less than the "
            "length.",
        ),
    ),
)  # fmt: skip

GETITEM = Exercise(
    "chapter6.mnist.getitem",
    section="6.5",
    targets=("data.MNISTDataset.__getitem__",),
    points=2,
    minutes=5,
    needs=("chapter6.parse_mnist", "chapter6.dataset.apply_transforms"),
    hints=(
        "Row `index` of `self.images` holds 784 pixels. An image has rows, columns and one "
        "channel.",
        "Shape first, transforms second: a transform expects to find rows and columns.",
    ),
    mistakes=(
        Mistake(
            "flat", "return self.apply_transforms(self.images[index]), self.labels[index]",
            "The image is still one row of 784 pixels; rows, columns and a channel were asked for.",
        ),
        Mistake(
            "no-channel", edit=("28, 1", "28"),
            says="Your image has two axes. The third one, of size 1, is the channel.",
        ),
        Mistake(
            "channel-first", edit=("28, 28, 1", "1, 28, 28"),
            says="You put the channel first, as PyTorch does. Here it is the last axis.",
        ),
        Mistake(
            "transposed", edit=("1)", "1).transpose(1, 0, 2)"),
            says="You swapped rows and columns: the digits lie on their side.",
        ),
        Mistake(
            "transforms-forgotten",
            "return self.images[index].reshape(28, 28, 1), self.labels[index]",
            "The transforms were never called.",
        ),
        Mistake(
            "transforms-before-shape",
            "return self.apply_transforms(self.images[index]).reshape(28, 28, 1), "
            "self.labels[index]",
            "The transforms got a flat row of 784 pixels. They need the image: reshape first.",
        ),
        Mistake(
            "labels-shifted", edit=("labels[index", "labels[index - 1"),
            says="The label belongs to the image before this one.",
        ),
    ),
)  # fmt: skip
