"""Programs for chapter 6: data sets, IDX files, batches, transforms, made-up points."""

import io

import numpy as np

from .folders import ROOT, Folder
from .harness import (
    POOL,
    Complaint,
    array_of,
    ask_first,
    count_from_here,
    count_to_here,
    tensor_data,
    unlike,
)

MEANS = {
    "refuses": {"not_so": {"value": "Nothing was raised; a ValueError was expected."}},
    "in_order": {"calls": {"again": "value"}},  # the second epoch and the first
}


class Rows:
    """A data set of the course's own: sample i is ([i, -i], 10 i + 3)."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if not 0 <= index < self.count:
            raise IndexError(index)
        return np.array([index, -index], dtype=np.float32), 10 * index + 3


class Asked:
    """A data set of samples that are one row, which counts how many it was asked for."""

    def __init__(self, x):
        self.x, self.asked = x, 0

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        row = self.x[index]  # raises IndexError at the end
        self.asked += 1
        return (row,)


def functions(steps):
    """Transforms out of plain data: ("add", 2.0), ("times", 3.0) or ("turn", 0).

    What stands there twice is the same function twice.
    """
    made = {
        "add": lambda number: lambda x: x + number,
        "times": lambda number: lambda x: x * number,
        "turn": lambda axis: lambda x: np.flip(x, axis),
    }
    known = {(name, number): made[name](number) for name, number in steps or ()}
    return None if steps is None else [known[name, number] for name, number in steps]


def fields(sample, who):
    """The fields of a sample or a batch, which has to be a tuple (a list will do)."""
    if not isinstance(sample, (tuple, list)):
        raise unlike(sample, f"{who} returned", "a tuple was expected")
    return sample


def batch_of(bg, batch):
    """Return the batches of a DataLoader as arrays of float64."""
    who, place = "DataLoader", " as a field"
    return [np.asarray(tensor_data(bg, each, who, place), np.float64) for each in batch]


def plain(value, who):
    """A field of a sample as float64, whatever kind of number it holds."""
    if isinstance(value, (int, float)):
        value = np.asarray(value)
    return np.asarray(array_of(value, who), dtype=np.float64)


def whole(value, who):
    """A length, which has to be a whole number: `len` itself would complain in its own words."""
    if not isinstance(value, (int, np.integer)):
        raise unlike(value, f"{who} returned", "a whole number was expected")
    return np.asarray(int(value))


def chain(bg, x, steps):
    """Dataset.apply_transforms passes x through the functions, one after another."""
    kind = "Dataset", repr(steps)
    dataset, _ = POOL.take(kind, lambda: bg.data.Dataset(functions(steps)))
    ask_first(dataset.apply_transforms, x + 1)
    return [array_of(dataset.apply_transforms(POOL.array(x)), "apply_transforms")]


def rows(bg, arrays, indices, steps):
    """ArrayDataset gives row i of every array as a tuple."""
    transforms = functions(steps)
    ask_first(
        bg.data.ArrayDataset, *arrays, transforms=transforms
    )  # another one of the same arrays
    dataset = bg.data.ArrayDataset(*arrays, transforms=transforms)
    who = "ArrayDataset.__getitem__"
    samples = [fields(dataset[index], who) for index in indices]
    dataset.transforms = None
    return {
        "anew": [plain(fields(dataset[indices[0]], who)[0], who)],
        "value": [plain(field, who) for sample in samples for field in sample],
        "fields": [np.array([len(sample) for sample in samples])],
        "length": [whole(dataset.__len__(), "ArrayDataset.__len__")],
    }


def kept(bg, x, y):
    """ArrayDataset copies no array.

    An array that is changed afterwards, and its sample, are a witness beside the count.
    """
    dataset, who = bg.data.ArrayDataset(x, y), "ArrayDataset.__getitem__"
    found = [plain(field, who) for index in (1, -2) for field in fields(dataset[index], who)]
    count_to_here()
    found = [np.array(each) for each in found]
    x += 1
    if not np.array_equal(plain(fields(dataset[1], who)[0], who), x[1]):
        raise Complaint("The array was changed, and its sample was not: ArrayDataset keeps a copy.")
    return found


def loop_ends(bg, arrays):
    """A for loop over an ArrayDataset meets every sample and ends."""
    dataset, met = bg.data.ArrayDataset(*arrays), 0
    for _ in dataset:
        met += 1
        if met > 100:
            raise Complaint("The loop goes on after the last sample.")
    return [np.array(met)]


def refuses(bg, what, arrays):
    """{what} raises ValueError where its input cannot be right."""
    data, raw = bg.data, [array.tobytes() for array in arrays]
    calls = {
        "ArrayDataset": lambda: data.ArrayDataset(*arrays),
        "parse_idx": lambda: data.parse_idx(raw[0]),
        "parse_mnist": lambda: data.parse_mnist(*raw),
    }
    try:
        calls[what]()
    except ValueError:
        return [np.array(True)]
    return [np.array(False)]


def other_values(raw):
    """The bytes of an IDX file whose last value is another one."""
    changed = raw.copy()
    changed[-1] ^= 1
    return changed.tobytes()


def idx(bg, raw):
    """parse_idx reads the array in an IDX file."""
    if raw.size > 4 + 4 * raw[3]:
        array_of(bg.data.parse_idx(other_values(raw)), "parse_idx")
    return [array_of(bg.data.parse_idx(raw.tobytes()), "parse_idx")]


def mnist(bg, images, labels, form):
    """parse_mnist returns the images and the labels."""
    sources = [images.tobytes(), labels.tobytes()]
    folder = Folder(images=sources[0], labels=sources[1])
    if form == "file":
        sources = [io.BytesIO(source) for source in sources]
    elif form == "path":
        sources = [ROOT + name for name in folder.files]
        with Folder(images=other_values(images), labels=labels.tobytes()):
            bg.data.parse_mnist(*sources)  # what the files held before
    with folder:
        found = fields(bg.data.parse_mnist(*sources), "parse_mnist")
    if len(found) != 2:
        raise Complaint(f"parse_mnist returned {len(found)} values; two were expected.")
    pixels, numbers = (array_of(value, "parse_mnist", place=" as one of two") for value in found)
    return {"images": [pixels], "labels": [numbers]}


def digit(bg, images, labels, indices, steps):
    """MNISTDataset gives an image of shape (28, 28, 1) and its label."""
    dataset = bg.data.MNISTDataset(images.tobytes(), labels.tobytes(), functions(steps))
    who = "MNISTDataset.__getitem__"
    samples = [fields(dataset[index], who) for index in indices]
    dataset.transforms = None
    return {
        "anew": [array_of(fields(dataset[indices[0]], who)[0], who)],
        "images": [array_of(sample[0], who) for sample in samples],
        "labels": [plain(label, who) for sample in samples for label in sample[1:]],
    }


def digits_length(bg, images, labels):
    """len(MNISTDataset) is the number of images."""
    dataset = bg.data.MNISTDataset(images.tobytes(), labels.tobytes())
    return [whole(dataset.__len__(), "MNISTDataset.__len__")]


def collated(bg, samples):
    """collate stacks the samples field by field."""
    before = [[np.array(field) for field in sample] for sample in samples]
    given = samples[:1]
    bg.data.collate(given)
    given[:] = samples  # the same list, filled anew
    batch = fields(bg.data.collate(given), "collate")
    arrays = [tensor_data(bg, field, "collate", " as a field") for field in batch]
    return {
        "value": [np.asarray(array, dtype=np.float64) for array in arrays],
        "kind": [np.array([array.dtype.kind in "iu" for array in arrays])],
        "dtype": arrays,
        "leaf": [np.array([bool(field.requires_grad) for field in batch])],
        "kept": [np.array([
            np.array_equal(one, other)
            for sample, old in zip(given, before)  # noqa: B905
            for one, other in zip(sample, old)  # noqa: B905
        ])],
    }  # fmt: skip


def batches(bg, loader, most=1000):
    """One epoch: for every batch its x and y, as float64."""
    found = []
    for batch in loader:
        batch = fields(batch, "DataLoader")
        if len(batch) != 2 or len(found) == most:
            raise Complaint(f"Batch {len(found)} of an epoch has {len(batch)} tensors.")
        found.append(batch_of(bg, batch))
    if not found:
        raise Complaint("DataLoader gave no batch at all.")
    return found


def joined(found):
    """Return an epoch without the borders between its batches: x, y, the sizes."""
    x, y = (np.concatenate([batch[field] for batch in found]) for field in (0, 1))
    return x, y, np.array([len(batch[0]) for batch in found])


def in_order(bg, count, batch_size):
    """DataLoader without shuffle gives every sample once, in order, in batches."""
    np.random.seed(count)
    loader = bg.data.DataLoader(Rows(count), batch_size=batch_size, shuffle=False)
    x, y, sizes = joined(batches(bg, loader))
    return {"value": [x, y], "sizes": [sizes], "again": list(joined(batches(bg, loader)))}


def shuffled(bg, count, batch_size, start):
    """DataLoader with shuffle gives every sample exactly once in every epoch."""
    np.random.seed(start)
    loader = bg.data.DataLoader(Rows(count), batch_size=batch_size, shuffle=True)
    epochs = [joined(batches(bg, loader)) for _ in range(2)]
    after = np.random.random()
    np.random.seed(start + 1)
    held = list(Rows(count))
    samples = list(held)
    again = bg.data.DataLoader(samples, batch_size=batch_size, shuffle=True)
    for _ in range(2):
        batches(bg, again)
    (first, _, sizes), (second, _, _) = epochs
    if len(first) != count or len(second) != count:
        raise Complaint(f"Of {count} samples, DataLoader gave {len(first)}, then {len(second)}.")
    return {
        "value": [np.sort(x[:, 0]) for x, _, _ in epochs],
        "sizes": [sizes],
        "kept": [np.array(again.dataset is samples and [*map(id, samples)] == [*map(id, held)])],
        "stream": [np.array(after != np.random.random())],
        # Some of them far: a shuffle of blocks leaves all of them near.
        "moved": [np.array(np.abs(first[:, 0] - np.arange(count)).max() > count / 2)],
        "reshuffled": [np.array(not np.array_equal(first, second))],
        "together": [np.array([np.array_equal(y, 10 * x[:, 0] + 3) for x, y, _ in epochs])],
    }


def one_by_one(bg, x, batch_size):
    """DataLoader makes each batch when the loop asks for it."""
    np.random.seed(len(x))
    rows, sums, asked = Asked(x), [], []
    loader = bg.data.DataLoader(rows, batch_size)
    count_from_here()
    for batch in loader:
        sums.append(tensor_data(bg, fields(batch, "DataLoader")[0], "DataLoader").sum())
        asked.append(rows.asked)
    return {"value": [np.array(sums)], "asked": [np.array(asked)]}


def mixes(bg, epochs, start):
    """With shuffle, any two samples can meet in the first batch."""
    np.random.seed(start)
    loader = bg.data.DataLoader(Rows(4), batch_size=2, shuffle=True)
    met = set()
    for _ in range(epochs):
        (x, _) = fields(next(iter(loader)), "DataLoader")
        met.add(tuple(sorted(int(i) for i in tensor_data(bg, x, "DataLoader")[:, 0])))
    return [np.array([(a, b) in met for a in range(4) for b in range(a + 1, 4)])]


def left_early(bg, count, batch_size):
    """A loop that is left early does not disturb the next one, nor one that goes on meanwhile."""
    np.random.seed(count)
    loader = bg.data.DataLoader(Rows(count), batch_size=batch_size, shuffle=False)
    for _ in loader:
        break
    found = []
    for batch in loader:
        if not found:
            for _ in loader:
                pass
        x, y = fields(batch, "DataLoader")
        found.append(batch_of(bg, (x, y)))
        if len(found) > count:
            raise Complaint("The loop goes on after the last batch.")
    return list(joined(found))


def batch_count(bg, count, batch_size):
    """len(DataLoader) is the number of batches."""
    loader = bg.data.DataLoader(Rows(count), batch_size=batch_size)
    return [whole(loader.__len__(), "DataLoader.__len__")]
