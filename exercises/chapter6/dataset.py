"""What a data set is: `Dataset.apply_transforms` and `ArrayDataset`."""

from grader.course import Exercise, Mistake

APPLY_TRANSFORMS = Exercise(
    "chapter6.dataset.apply_transforms",
    section="6.1",
    targets=("data.Dataset.apply_transforms",),
    points=1,
    minutes=3,
    hints=(
        "`self.transforms` is a list of functions, or None. What should happen for None?",
        "Give the first function `x`, the second one what the first returned, and so on.",
    ),
    mistakes=(
        Mistake(
            "each-on-the-original",
            "result = x\nfor transform in self.transforms or ():\n    result = transform(x)\n"
            "return result",
            "Every function got the original `x`, so only the last one counts. Each has to work on "
            "what the one before it returned.",
        ),
        Mistake(
            "reversed",
            "for transform in reversed(self.transforms or ()):\n    x = transform(x)\nreturn x",
            "You went through the list from its end. The first function in the list comes first.",
        ),
        Mistake(
            "first-only", edit=("x =", "return"),
            says="Your `return` stands inside the loop, so that it ends after the first function.",
        ),
        Mistake(
            "none-not-handled", edit=("self.transforms or ()", "self.transforms"),
            says="`self.transforms` may be None, and a loop over None is a TypeError.",
        ),
        Mistake(
            "results-thrown-away", edit=("x = transform", "transform"),
            says="You called the functions but kept nothing of what they returned.",
        ),
    ),
)  # fmt: skip

ARRAY_DATASET = Exercise(
    "chapter6.array_dataset",
    section="6.2",
    targets=(
        "data.ArrayDataset.__init__",
        "data.ArrayDataset.__len__",
        "data.ArrayDataset.__getitem__",
    ),
    points=3,
    minutes=10,
    needs=("chapter6.dataset.apply_transforms",),
    hints=(
        "`*arrays` arrives as a tuple. Keep it, look at the lengths, and let `Dataset.__init__` "
        "keep the transforms.",
        "Sample i takes `array[i]` from every array. What has to be raised for an i that is too "
        "large, NumPy raises for you.",
        "Only the first field goes through `self.apply_transforms`; the others are copied over.",
    ),
    mistakes=(
        Mistake(
            "lengths-not-compared",
            "super().__init__(transforms)\nself.arrays = arrays",
            "Arrays of different lengths were accepted. Five images and four labels cannot all be "
            "paired; say so with a ValueError.",
        ),
        Mistake(
            "transforms-not-applied",
            "return tuple(array[index] for array in self.arrays)",
            "The samples are as they were stored: the transforms were not kept in `__init__`, or "
            "not called in `__getitem__`.",
            target="data.ArrayDataset.__getitem__",
        ),
        Mistake(
            "transforms-everything",
            "return tuple(self.apply_transforms(array[index]) for array in self.arrays)",
            "You transformed the labels too. The transforms are for the first array only.",
            target="data.ArrayDataset.__getitem__",
        ),
        Mistake(
            "list-of-rows",
            "return self.apply_transforms(self.arrays[0][index]), [a[index] for a in "
            "self.arrays[1:]]",
            "You returned the first row and a list of the others. A sample is one flat tuple with "
            "a field per array.",
            target="data.ArrayDataset.__getitem__",
        ),
        Mistake(
            "wraps-around",
            "index = index % len(self.arrays[0])\n"
            "first, *others = (a[index] for a in self.arrays)\n"
            "return (self.apply_transforms(first), *others)",
            "An index beyond the end starts over at the beginning, so a `for` loop never ends. "
            "Python stops a loop at the IndexError.",
            target="data.ArrayDataset.__getitem__",
        ),
        Mistake(
            "counts-arrays",
            "return len(self.arrays)",
            "You counted the arrays. The length of a data set is its number of samples.",
            target="data.ArrayDataset.__len__",
        ),
        Mistake(
            "counts-values",
            "return self.arrays[0].size",
            "You counted the values. A sample is a whole row of the array.",
            target="data.ArrayDataset.__len__",
        ),
    ),
)  # fmt: skip
