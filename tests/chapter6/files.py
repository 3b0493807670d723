"""Checks of the IDX parser, `parse_mnist` and `MNISTDataset`: the files exist in memory only."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from random import Random

import numpy as np

from grader.course import Check, Parts, Probe, rng_for

from .rows import transformed

IDX, MNIST = "chapter6.parse_idx", "chapter6.parse_mnist"
ROWS, GREY = "shape `(count, rows * columns)`", "the grey values 0 to 255 divided by 255"
SHAPED = (
    "The image with this number, of shape `(28, 28, 1)` … The three axes are row, column and "
    "channel; grey images have one channel"
)
LENGTH, GETITEM = "chapter6.mnist.length", "chapter6.mnist.getitem"


def checks(seed: str) -> Iterator[Check]:
    yield from _idx(seed)
    yield from _mnist(seed)
    yield from _digits(seed)


def idx_file(array: np.ndarray, kind: int = 8) -> bytes:
    """An IDX file, as its format says."""
    header = struct.pack(f">HBB{array.ndim}I", 0, kind, array.ndim, *array.shape)
    return header + array.astype(np.uint8).tobytes()


def as_array(data: bytes) -> np.ndarray:
    """Bytes as an argument of a program."""
    return np.frombuffer(data, dtype=np.uint8)


def gzipped(data: bytes) -> bytes:
    """A gzip member (RFC 1952) that stores its data (RFC 1951, 3.2.4).

    Written out here because every zlib packs in its own way and `gzip.compress` signs its header
    differently from one Python to the next, while the inputs of a probe are the same everywhere.
    """
    header = bytes.fromhex("1f8b 08 00 00000000 00 ff")  # deflate; no name, no time, no system
    stored = struct.pack("<BHH", 1, len(data), len(data) ^ 0xFFFF) + data
    return header + stored + struct.pack("<II", zlib.crc32(data), len(data))


def grey(rng: Random, shape: tuple[int, ...]) -> np.ndarray:
    """Grey values from the whole range; 0, 200 and 255 are always among three or more."""
    values = [rng.randrange(256) for _ in range(int(np.prod(shape)))]
    if len(values) > 2:
        values[:3] = [200, 0, 255]
    return np.array(values, dtype=np.uint8).reshape(shape)


def idx_probe(rng: Random, *shape: int) -> Probe:
    """`parse_idx` on a file of this shape."""
    array = grey(rng, shape)
    return Probe(
        "datasets.idx", (as_array(idx_file(array)),), f"parse_idx(file of shape {shape})",
        oracles={"numpy": lambda: {"value": [array]}},
    )  # fmt: skip


def refused(data: bytes, call: str) -> Probe:
    """`parse_idx` on a file that it has to refuse."""
    return Probe("datasets.refuses", ("parse_idx", [as_array(data)]), call)


def _idx(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, IDX)
    labels, images = idx_probe(rng, 5), idx_probe(rng, 3, 4, 2)
    right = idx_file(grey(rng, (3, 2)))
    wrong = (
        refused(idx_file(grey(rng, (3, 2)), kind=13), "parse_idx(an IDX file of floats)"),
        refused(idx_file(grey(rng, (2, 2)), kind=9), "parse_idx(an IDX file of signed bytes)"),
        refused(b"\x1f" + right[1:], "parse_idx(a file that begins with 1f)"),
        refused(b"\x00\x01" + right[2:], "parse_idx(a file that begins with 00 01)"),
    )
    short, long = refused(right[:-1], "a value short"), refused(right + b"\x07", "one too many")
    says = "parse_idx raises ValueError where the file "
    yield Check(IDX, "labels", (labels,), "in an IDX file of unsigned bytes … the number of axes")
    yield Check(
        IDX, "images", (images,),
        "The file is a header … the last axis running fastest",
        says="parse_idx reads a file with three axes.", weight=2,
    )  # fmt: skip
    yield Check(
        IDX, "dtype", (labels,), "An array of dtype uint8", compare="dtype",
        says="parse_idx returns unsigned bytes, dtype uint8.", weight=0.5,
    )  # fmt: skip
    yield Check(
        IDX, "type", wrong,
        "bytes 0 to 2 are not 0, 0, 8 … bytes 0 and 1 zero byte 2 the type of the values; 8 stands "
        "for unsigned bytes",
        says=says + "does not begin with 0, 0, 8.",
    )  # fmt: skip
    yield Check(
        IDX, "size", (short, long), "the file holds more or fewer values than the header promises",
        says=says + "has not as many values as its header promises.",
    )  # fmt: skip
    # A size that two bytes do not hold, without a value; and a single value, without a size.
    large = 70_000 + rng.randrange(9_000)
    many = (idx_probe(rng, large, 0), idx_probe(rng, 2, 3, 2, 5), idx_probe(rng))
    yield Check(
        IDX, "more", many, "its size, an unsigned 32-bit integer, big-endian", hidden=True,
        says="parse_idx reads files of other sizes, with more axes and with none.",
    )  # fmt: skip


def mnist_probe(images: np.ndarray, labels: np.ndarray, form: str) -> Probe:
    """`parse_mnist` on files that are bytes, open files or gzipped bytes."""
    files = [idx_file(images), idx_file(labels)]
    if form == "gzip":
        files = [gzipped(file) for file in files]

    def numpy() -> Parts:
        pixels = images.reshape(len(images), -1).astype(np.float32) / 255
        return {"images": [pixels], "labels": [labels.astype(np.int64)]}

    def twin(torch) -> Parts:
        pixels = torch.tensor(images).flatten(1).float() / 255
        return {"images": [pixels.numpy()], "labels": [torch.tensor(labels).long().numpy()]}

    return Probe(
        "datasets.mnist", (*map(as_array, files), form), f"parse_mnist(images, labels), {form}",
        oracles={"numpy": numpy}, twin=twin,
    )  # fmt: skip


def _uneven(images: np.ndarray, labels: np.ndarray) -> Probe:
    files = [as_array(idx_file(array)) for array in (images, labels)]
    call = f"parse_mnist({len(images)} images, {len(labels)} labels)"
    return Probe("datasets.refuses", ("parse_mnist", files), call)


def _mnist(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, MNIST)
    images, labels = grey(rng, (4, 3, 5)), np.array([7, 2, 1, 9])
    plain = mnist_probe(images, labels, "bytes")
    others = tuple(mnist_probe(images, labels, form) for form in ("file", "gzip", "path"))
    yield Check(
        MNIST, "images", (plain,), GREY, part="images",
        says="parse_mnist returns a row of values from 0 to 1 for every image.", weight=2,
    )  # fmt: skip
    yield Check(
        MNIST, "labels", (plain,), "labels: shape ``(count,)``, dtype int64; 0 to 9", part="labels",
        says="parse_mnist returns the labels as they are in their file.", weight=2,
    )  # fmt: skip
    yield Check(
        MNIST, "dtype", (plain,), f"{ROWS}, dtype float32 … {GREY}", part="images",
        compare="dtype", says="The images have the dtype float32.", weight=0.5,
    )  # fmt: skip
    yield Check(
        MNIST, "label-dtype", (plain,), "labels: shape ``(count,)``, dtype int64; 0 to 9",
        part="labels", compare="dtype", says="The labels have the dtype int64.", weight=0.5,
    )  # fmt: skip
    yield Check(
        MNIST, "sources", others,
        "Each may be a file's name, an open binary file, or bytes; gzipped or not … `read_bytes` "
        "takes care of that",
        part="images", weight=0.5,
        says="parse_mnist takes open files, gzipped data, and the names of files.",
    )  # fmt: skip
    uneven = tuple(_uneven(images[:n], labels[:m]) for n, m in ((4, 3), (3, 4)))
    yield Check(
        MNIST, "counts", uneven, "there are not as many labels as images",
        says="parse_mnist raises ValueError where images and labels differ in number.",
    )  # fmt: skip
    more = mnist_probe(grey(rng, (6, 7, 2)) // 2, np.array([3, 0, 8, 5, 5, 4]), "gzip")
    for part in ("images", "labels"):
        yield Check(
            MNIST, f"more-{part}", (more,), "ready for a network", part=part, hidden=True,
            says=f"parse_mnist returns the right {part} for other files too.",
        )  # fmt: skip


def _digits(seed: str) -> Iterator[Check]:
    images, labels = grey(rng_for(seed, GETITEM), (3, 28, 28)), np.array([6, 3, 8])
    files = [as_array(idx_file(images)), as_array(idx_file(labels))]

    def probe(indices: list[int], steps: list[tuple[str, float]] | None) -> Probe:
        def numpy() -> Parts:
            pixels = (images[indices] / 255)[..., np.newaxis].astype(np.float32)
            found = [transformed(image, steps) for image in pixels]
            told = [np.float64(n) for n in labels[indices]]
            return {"images": found, "labels": told, "anew": [pixels[0]]}

        call = f"MNISTDataset(images, labels, {'transforms' if steps else None})[i], i in {indices}"
        return Probe("datasets.digit", (*files, indices, steps), call, oracles={"numpy": numpy})

    call = "len(MNISTDataset(images, labels))"
    fewer = [as_array(idx_file(array[:2])) for array in (images, labels)]
    lengths = tuple(Probe("datasets.digits_length", tuple(f), call) for f in (files, fewer))
    yield Check(LENGTH, "value", lengths, "The number of images")
    plain, turned = probe([2, 0, 1], None), probe([1], [("times", 2.0), ("turn", 1), ("add", -0.5)])
    yield Check(GETITEM, "image", (plain,), SHAPED, part="images", weight=2)
    yield Check(
        GETITEM, "dtype", (plain, turned), "float32, as ``parse_mnist`` returns them",
        part="images", compare="dtype", weight=0.5,
        says="The images of MNISTDataset have the dtype float32.",
    )  # fmt: skip
    yield Check(
        GETITEM, "label", (plain,), "and its label", part="labels",
        says="MNISTDataset gives the label that belongs to the image.",
    )  # fmt: skip
    again = "The transforms get the image in this shape, again each time"
    yield Check(
        GETITEM, "transforms", (turned,), again, part="images",
        says="MNISTDataset applies its transforms to the image of shape (28, 28, 1).",
    )  # fmt: skip
    yield Check(GETITEM, "anew", (turned,), again, part="anew", weight=0.5,
                says="MNISTDataset asks its transforms whenever it is asked.")  # fmt: skip
    yield Check(
        GETITEM, "label-untouched", (turned,), "the label is left alone", part="labels",
        hidden=True, weight=0.5, says="MNISTDataset leaves the label alone.",
    )  # fmt: skip
