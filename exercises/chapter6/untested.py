"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

GIVEN = "is set by code that is given"
COMES_IN = "says what comes in"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "data.collate": {"says why": ("nobody needs the gradient of the data.",)},
    "data.ArrayDataset.__getitem__": {
        "says how it comes about": ("(Indexing a NumPy array raises it for you.)",),
    },
    "data.parse_mnist": {
        COMES_IN: (
            "image_file: the IDX file of the images, three axes: image, row, column.",
            "label_file: the IDX file of the labels, one axis.",
        ),
    },
    "data.Dataset": {
        "says what for": (
            "A data set of your own inherits from this class and writes `__len__` and…",
            "A sample is a tuple, most often `(x, y)`: what goes into the model, and what…",
        ),
    },
    "data.MNISTDataset": {GIVEN: ("labels: shape `(count,)`.",)},
    "data.DataLoader": {
        COMES_IN: ("dataset: anything with `len(dataset)` and `dataset[i]` that gives tuples.",),
    },
    "box 6.2": {
        SAID_TWICE: ("An index beyond the end…",),
    },
    "box 6.4": {
        SAID_TWICE: ("If the numbers of labels…",),
    },
    "box 6.5": {
        SAID_TWICE: ("The transforms get the…",),
    },
    "box 6.6": {
        SAID_TWICE: ("From a list of samples,…",),
    },
    "box 6.8": {
        SAID_TWICE: ("`RandomFlipHorizontal(p=0.5)(image)`…",),
    },
    "box 6.9": {
        "says how many there are": ("Make three data sets.",),
    },
}
