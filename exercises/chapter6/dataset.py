"""Data sets: `Dataset.apply_transforms` and `ArrayDataset`."""

from grader.course import body, edit, exercise, mistake


@exercise("data.Dataset.apply_transforms", points=1)
class APPLY_TRANSFORMS:
    """`self.transforms` is a list of functions, or None. What should happen for None?

    Give the first function `x`, the second one what the first returned, and so on.
    """

    def each_on_the_original(self, x):
        """Every function got the original `x`, so only the last one counts. Each has to work on
        what the one before it returned."""
        result = x
        for transform in self.transforms or ():
            result = transform(x)
        return result

    reversed = edit("in self.transforms or ()", "in reversed(self.transforms or ())")
    """You went through the list from its end. The first function in the list comes first."""

    first_only = edit("x = transform", "return transform")
    """Your `return` is inside the loop, so the loop ends after the first function."""

    none_not_handled = edit(" or ()", "")
    """`self.transforms` may be None, and a loop over None is a TypeError."""

    results_thrown_away = edit("x = transform", "transform")
    """Your result is the sample as it was stored: nothing of what the functions return is in it."""


@exercise(
    "chapter6.array_dataset",
    targets=(
        "data.ArrayDataset.__init__",
        "data.ArrayDataset.__len__",
        "data.ArrayDataset.__getitem__",
    ),
    points=3,
    needs=("chapter6.dataset.apply_transforms",),
)
class ARRAY_DATASET:
    """`*arrays` arrives as a tuple. Keep it, look at the lengths, and let `Dataset.__init__` keep
    the transforms.

    Sample i takes `array[i]` from every array. What has to be raised for an i that is too large,
    NumPy raises for you.

    Only the first field goes through `self.apply_transforms`; the others are copied over.
    """

    def lengths_not_compared(self, *arrays, transforms):
        """Arrays of different lengths were accepted. Five images and four labels can't all be
        paired; say so with a ValueError."""
        super().__init__(transforms)
        self.arrays = arrays

    arrays_copied = edit("arrays = arrays", "arrays = [np.array(array) for array in arrays]")
    """You copied every array. For the images of MNIST that is 47 million numbers once more."""

    transforms_not_applied = body(
        "return tuple(array[index] for array in self.arrays)",
        target="data.ArrayDataset.__getitem__",
    )
    """The samples are as they were stored: the transforms weren't kept in `__init__`, or not called
    in `__getitem__`."""

    transforms_everything = body(
        "return tuple(self.apply_transforms(array[index]) for array in self.arrays)",
        target="data.ArrayDataset.__getitem__",
    )
    """You transformed the labels too. The transforms are for the first array only."""

    @mistake(target="data.ArrayDataset.__getitem__")
    def list_of_rows(self, index):
        """You returned the first row and a list of the others. A sample is one flat tuple with a
        field per array."""
        return self.apply_transforms(self.arrays[0][index]), [a[index] for a in self.arrays[1:]]

    @mistake(target="data.ArrayDataset.__getitem__")
    def wraps_around(self, index):
        """An index beyond the end starts over at the beginning, so a `for` loop never ends. Python
        stops a loop at the IndexError."""
        index = index % len(self.arrays[0])
        first, *others = (a[index] for a in self.arrays)
        return (self.apply_transforms(first), *others)

    counts_arrays = edit("[0]", "", target="data.ArrayDataset.__len__")
    """You counted the arrays. The length of a data set is its number of samples."""

    counts_values = body("return self.arrays[0].size", target="data.ArrayDataset.__len__")
    """You counted the values. A sample is a whole row of the array."""
