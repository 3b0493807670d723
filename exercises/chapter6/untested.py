"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

UNTESTED = {
    "data.ArrayDataset.__getitem__": {
        "says how it comes about": ("(Indexing a NumPy array raises it for you.)",),
    },
    "data.parse_mnist": {
        "says what comes in": (
            "image_file: the IDX file of the images, three axes: image, row, column.",
            "label_file: the IDX file of the labels, one axis.",
        ),
    },
}
