"""Data: from files and formulas to batches of tensors (chapter 6)."""

from __future__ import annotations

import gzip
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .tensor import NDArray, Tensor

Transform = Callable[[NDArray], NDArray]
Source = str | Path | bytes | BinaryIO

GZIP_MAGIC = b"\x1f\x8b"


# ---- data sets --------------------------------------------------------------------------


class Dataset:
    """A collection of samples: ``len(dataset)`` says how many, ``dataset[i]`` gives one.

    A data set of your own inherits from this class and writes ``__len__`` and ``__getitem__``.
    A sample is a tuple, most often ``(x, y)``: what goes into the model, and what should come out.
    """

    def __init__(self, transforms: Sequence[Transform] | None = None) -> None:
        self.transforms = transforms

    def __len__(self) -> int:
        """The number of samples."""
        raise NotImplementedError

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        """The sample with this number, counted from 0."""
        raise NotImplementedError

    def apply_transforms(self, x: NDArray) -> NDArray:
        """``x`` after every function in ``self.transforms``, in the order of the list.

        Each function gets what the one before it returned. With None or an empty list,
        ``x`` comes back unchanged.
        """
        ### BEGIN SOLUTION
        if self.transforms:
            x = np.array(x)  # a transform may write into it; the data set keeps its own
        for transform in self.transforms or ():
            x = transform(x)
        return x
        ### END SOLUTION


class ArrayDataset(Dataset):
    """Arrays side by side: sample ``i`` is row ``i`` of every array.

    ``ArrayDataset(x, y)[3]`` is the tuple ``(x[3], y[3])``; any number of arrays will do.
    """

    def __init__(self, *arrays: NDArray, transforms: Sequence[Transform] | None = None) -> None:
        """Keep the arrays themselves: a copy would take as much memory once more.

        Raises:
            ValueError: the arrays do not all have the same number of rows.
        """
        ### BEGIN SOLUTION
        super().__init__(transforms)
        if len({len(array) for array in arrays}) > 1:
            raise ValueError(f"arrays of different lengths: {[len(array) for array in arrays]}")
        self.arrays = arrays
        ### END SOLUTION

    def __len__(self) -> int:
        """The number of samples: the rows of each array."""
        ### BEGIN SOLUTION
        return len(self.arrays[0])
        ### END SOLUTION

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        """A tuple with row ``index`` of every array.

        The transforms work on the first one only, again each time.

        Raises:
            IndexError: there is no such row. (Indexing a NumPy array raises it for you.)
        """
        ### BEGIN SOLUTION
        first, *others = (array[index] for array in self.arrays)
        return (self.apply_transforms(first), *others)
        ### END SOLUTION


# ---- MNIST, from IDX files ----------------------------------------------------------------


def read_bytes(source: Source) -> bytes:
    """Everything in ``source``: the name of a file, an open binary file, or bytes.

    What is gzipped is unpacked; gzipped data begin with the bytes 1f 8b.
    """
    if isinstance(source, (str, Path)):
        data = Path(source).read_bytes()
    elif isinstance(source, bytes):
        data = source
    else:
        data = source.read()
    return gzip.decompress(data) if data.startswith(GZIP_MAGIC) else data


def parse_idx(data: bytes) -> NDArray:
    """The array in an IDX file of unsigned bytes.

    The file is a header, then one byte per value, the last axis running fastest:

        bytes 0 and 1    zero
        byte 2           the type of the values; 8 stands for unsigned bytes
        byte 3           the number of axes
        then, per axis   its size, an unsigned 32-bit integer, big-endian
        then             the values

    Returns:
        An array of dtype uint8, with as many axes as the header says and of their sizes.

    Raises:
        ValueError: bytes 0 to 2 are not 0, 0, 8; or the file holds more or fewer values than
            the header promises.

    Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database", section "File formats".
    """
    ### BEGIN SOLUTION
    if data[:3] != b"\x00\x00\x08":
        raise ValueError(f"not an IDX file of unsigned bytes: it begins with {data[:3].hex()}")
    if len(data) < 4 or len(data) < 4 + 4 * data[3]:
        raise ValueError(f"the file ends in its header, after {len(data)} bytes")
    ndim = data[3]
    start = 4 + 4 * ndim
    # `>` is big-endian: the most significant byte comes first. `I` is 32 bits, unsigned.
    shape = struct.unpack(f">{ndim}I", data[4:start])
    values = np.frombuffer(data[start:], dtype=np.uint8)
    if values.size != math.prod(shape):
        raise ValueError(f"{values.size} values, but the header promises the shape {shape}")
    return values.reshape(shape)
    ### END SOLUTION


def parse_mnist(image_file: Source, label_file: Source) -> tuple[NDArray, NDArray]:
    """Images and labels of MNIST, ready for a network.

    Args:
        image_file: the IDX file of the images, three axes: image, row, column.
        label_file: the IDX file of the labels, one axis.
            Each may be a file's name, an open binary file, or bytes; gzipped or not.
            ``read_bytes`` takes care of that.

    Returns:
        images: shape ``(count, rows * columns)``, dtype float32; the grey values 0 to 255
            divided by 255, so that they lie between 0 and 1.
        labels: shape ``(count,)``, dtype int64; 0 to 9.

    Raises:
        ValueError: there are not as many labels as images.
    """
    ### BEGIN SOLUTION
    images = parse_idx(read_bytes(image_file))
    labels = parse_idx(read_bytes(label_file))
    if len(images) != len(labels):
        raise ValueError(f"{len(images)} images, but {len(labels)} labels")
    pixels = images.reshape(len(images), math.prod(images.shape[1:])).astype(np.float32) / 255
    return pixels, labels.astype(np.int64)
    ### END SOLUTION


class MNISTDataset(Dataset):
    """The MNIST digits, one image and its label per sample.

    Attributes:
        images: shape ``(count, 784)``, float32, as ``parse_mnist`` returns them.
        labels: shape ``(count,)``.
    """

    def __init__(
        self,
        image_file: Source,
        label_file: Source,
        transforms: Sequence[Transform] | None = None,
    ) -> None:
        super().__init__(transforms)
        self.images, self.labels = parse_mnist(image_file, label_file)

    def __len__(self) -> int:
        """The number of images."""
        ### BEGIN SOLUTION
        return len(self.labels)
        ### END SOLUTION

    def __getitem__(self, index: int) -> tuple[NDArray, Any]:
        """The image with this number, of shape ``(28, 28, 1)``, and its label.

        The three axes are row, column and channel; grey images have one channel. The
        transforms get the image in this shape, again each time; the label is left alone.
        """
        ### BEGIN SOLUTION
        image = self.images[index].reshape(28, 28, 1)
        return self.apply_transforms(image), self.labels[index]
        ### END SOLUTION


# ---- batches --------------------------------------------------------------------------------


def collate(samples: Sequence[tuple[Any, ...]]) -> tuple[Tensor, ...]:
    """One Tensor per field, out of a list of samples that are tuples.

    From ``[(x0, y0), (x1, y1), (x2, y2)]`` it makes ``(X, Y)``: row ``i`` of ``X`` is ``xi``,
    row ``i`` of ``Y`` is ``yi``. A field may hold arrays or plain numbers. The samples stay as they
    were.

    Each Tensor keeps the dtype that NumPy gives the stacked field, so that labels stay whole
    numbers, and has ``requires_grad=False``: nobody needs the gradient of the data.
    """
    ### BEGIN SOLUTION
    fields = (np.stack(field) for field in zip(*samples, strict=True))
    return tuple(Tensor(field, dtype=field.dtype, requires_grad=False) for field in fields)
    ### END SOLUTION


class DataLoader:
    """Goes through a data set in batches; every ``for`` loop over it is one epoch.

    Attributes:
        dataset: anything with ``len(dataset)`` and ``dataset[i]`` that gives tuples.
        batch_size: how many samples a batch holds; the last one of an epoch may hold fewer.
        shuffle: whether every epoch goes through the samples in a new random order.
    """

    def __init__(self, dataset: Any, batch_size: int = 1, shuffle: bool = False) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size}; at least 1 is needed")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle

    def __len__(self) -> int:
        """The number of batches in an epoch; a smaller last batch counts."""
        ### BEGIN SOLUTION
        return math.ceil(len(self.dataset) / self.batch_size)
        ### END SOLUTION

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        """Start an epoch, and give one batch after another, each made by ``collate`` when the loop
        asks for it: a whole epoch may not fit into memory.

        Every sample comes exactly once per epoch. The last batch holds what is left over and
        is not dropped. Without ``shuffle`` the samples come in the order of the data set; with
        it, every epoch draws a new order of all samples, and the data set itself stays as it is.
        A loop that is left early does not matter: the next loop starts a whole new epoch.
        """
        ### BEGIN SOLUTION
        order = np.arange(len(self.dataset))
        if self.shuffle:
            np.random.shuffle(order)
        for start in range(0, len(order), self.batch_size):
            chosen = order[start : start + self.batch_size]
            yield collate([self.dataset[int(index)] for index in chosen])
        ### END SOLUTION


# ---- transforms: an image in, an image of the same shape out ----------------------------------


class Normalize:
    """``(image - mean) / std``: values around 0 whose spread is about 1.

    ``mean`` and ``std`` are numbers, or hold one number per channel (the last axis); one of them
    may be a number while the other is not.
    """

    def __init__(self, mean: Any, std: Any) -> None:
        self.mean = mean
        self.std = std

    def __call__(self, image: NDArray) -> NDArray:
        """``(image - mean) / std`` in a new array: the caller's image stays as it was."""
        ### BEGIN SOLUTION
        # In the dtype of the image, and in float32 for bytes: a plain list would make float64.
        dtype = np.result_type(image.dtype, np.float32)
        mean, std = (np.asarray(number, dtype) for number in (self.mean, self.std))
        normal: NDArray = (image - mean) / std
        return normal
        ### END SOLUTION


class RandomFlipHorizontal:
    """Flips an image of shape (rows, columns, channels) left to right, with probability ``p``."""

    def __init__(self, p: float = 0.5) -> None:
        self.p = p

    def __call__(self, image: NDArray) -> NDArray:
        """With probability ``self.p`` the image with its columns in reverse order, else as it is.

        One draw decides for the whole image. The caller's image stays as it was.
        """
        ### BEGIN SOLUTION
        return image[:, ::-1] if np.random.random() < self.p else image
        ### END SOLUTION


class RandomCrop:
    """Shifts an image of shape (rows, columns, channels) a little; zeros fill the gap."""

    def __init__(self, padding: int = 3) -> None:
        self.padding = padding

    def __call__(self, image: NDArray) -> NDArray:
        """Frame the image with ``self.padding`` zeros on its four sides, and cut one out again.

        What is cut out has the shape of the image. Down and across, the place of the cut is
        drawn separately; of its ``2 * padding + 1`` places in each direction all are equally
        likely, both ends included. The caller's image stays as it was.
        """
        ### BEGIN SOLUTION
        rows, columns = image.shape[:2]
        framed = np.pad(image, ((self.padding,) * 2, (self.padding,) * 2, (0, 0)))
        top, left = np.random.randint(0, 2 * self.padding + 1, size=2)
        return framed[top : top + rows, left : left + columns]
        ### END SOLUTION


# ---- made-up data: three problems that no straight line solves --------------------------------


def make_xor(n: int = 200, noise: float = 0.1, seed: int = 0) -> tuple[NDArray, NDArray]:
    """``n`` points around the corners of a square, labelled by exclusive or.

    Point ``i`` belongs to corner ``i % 4`` of (0, 0), (0, 1), (1, 0), (1, 1); its label is 1
    where exactly one of the corner's coordinates is 1. To every coordinate a normal draw with
    standard deviation ``noise`` is added, from ``np.random.default_rng(seed)``.

    Returns:
        points of shape ``(n, 2)``, dtype float32, and labels of shape ``(n,)``, dtype int64.
    """
    ### BEGIN SOLUTION
    corners = np.array([(0, 0), (0, 1), (1, 0), (1, 1)])[np.arange(n) % 4]
    labels = corners[:, 0] ^ corners[:, 1]
    points = corners + np.random.default_rng(seed).normal(0, noise, (n, 2))
    return points.astype(np.float32), labels.astype(np.int64)
    ### END SOLUTION


def make_moons(n: int = 200, noise: float = 0.1, seed: int = 0) -> tuple[NDArray, NDArray]:
    """Two half circles that reach into each other.

    The first ``n // 2`` points have label 0 and lie at (cos t, sin t); the others have label 1
    and lie at (1 - cos t, 1/2 - sin t). In each half, t goes in even steps from 0 to π, both
    ends included. Then noise is added as in ``make_xor``.

    Returns:
        points of shape ``(n, 2)``, dtype float32, and labels of shape ``(n,)``, dtype int64.

    Source of the shape: ``sklearn.datasets.make_moons``.
    """
    ### BEGIN SOLUTION
    upper, lower = np.linspace(0, np.pi, n // 2), np.linspace(0, np.pi, n - n // 2)
    x = np.concatenate([np.cos(upper), 1 - np.cos(lower)])
    y = np.concatenate([np.sin(upper), 0.5 - np.sin(lower)])
    points = np.stack([x, y], axis=1) + np.random.default_rng(seed).normal(0, noise, (n, 2))
    labels = np.repeat([0, 1], [n // 2, n - n // 2])
    return points.astype(np.float32), labels.astype(np.int64)
    ### END SOLUTION


def make_spiral(
    n: int = 100, classes: int = 3, noise: float = 0.05, seed: int = 0
) -> tuple[NDArray, NDArray]:
    """``classes`` arms that wind around the origin, ``n`` points in each.

    In every arm, r goes in even steps from 0 to 1, both ends included; arm ``k`` has the angle
    a = 4r + 2πk / classes and the points (r cos a, r sin a), all with label ``k``. The arms
    follow one another, arm 0 first. Then noise is added as in ``make_xor``.

    Returns:
        points of shape ``(n * classes, 2)``, dtype float32, and labels of shape
        ``(n * classes,)``, dtype int64.

    Source of the shape: the spiral data of Stanford's CS231n notes.
    """
    ### BEGIN SOLUTION
    r = np.tile(np.linspace(0, 1, n), classes)
    labels = np.repeat(np.arange(classes), n)
    angle = 4 * r + 2 * np.pi * labels / classes
    points = np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1)
    points += np.random.default_rng(seed).normal(0, noise, points.shape)
    return points.astype(np.float32), labels.astype(np.int64)
    ### END SOLUTION
