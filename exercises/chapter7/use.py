"""What is done with drawn weights: filling a model, and looking at outputs and gradients."""

from grader.course import Exercise, Mistake

INITIALIZE = Exercise(
    "chapter7.initialize",
    section="7.5",
    targets=("init.initialize",),
    points=2,
    minutes=6,
    difficulty=2,
    hints=(
        "How do you tell a weight matrix from a bias? By its number of axes.",
        "The model holds the Tensor itself, so give its `data` a new array. `draw` returns a "
        "Tensor; take the array out of it, and bring it to the parameter's dtype.",
    ),
    mistakes=(
        Mistake(
            "fans-swapped",
            "for p in parameters:\n    if p.ndim == 2:\n"
            "        p.data = draw(p.shape[1], p.shape[0]).data.reshape(p.shape).astype(p.dtype)",
            "You called `draw(fan_out, fan_in)`. The first axis of a weight matrix is its inputs.",
        ),
        Mistake(
            "new-tensor",
            "for p in parameters:\n    if p.ndim == 2:\n        p = draw(*p.shape)",
            "`p = …` gives a new meaning to a local name. The model's Tensor is unchanged; set its "
            "`data`.",
        ),
        Mistake(
            "loses-dtype",
            "for p in parameters:\n    if p.ndim == 2:\n        p.data = draw(*p.shape).data",
            "A float32 parameter got the dtype of what was drawn. It keeps its own.",
        ),
        Mistake(
            "biases-zeroed",
            "for p in parameters:\n    if p.ndim == 2:\n"
            "        p.data = draw(*p.shape).data.astype(p.dtype)\n"
            "    else:\n        p.data = np.zeros_like(p.data)",
            "You set everything that is not a matrix to 0. That would kill a LayerNorm, whose "
            "scale is 1; leave those parameters as they are.",
        ),
        Mistake(
            "adds",
            "for p in parameters:\n    if p.ndim == 2:\n"
            "        p.data = p.data + draw(*p.shape).data.astype(p.dtype)",
            "You added the drawn values to the old ones. They replace them.",
        ),
        Mistake(
            "more-axes-too",
            "for p in parameters:\n    if p.ndim >= 2:\n"
            "        n = p.shape[-1]\n"
            "        p.data = draw(p.size // n, n).data.reshape(p.shape).astype(p.dtype)",
            "You took a parameter with three axes for a weight matrix. Exactly two axes are asked "
            "for.",
        ),
    ),
)  # fmt: skip

ROW = (
    "found.append(Statistics(float(x.data.mean()), float(x.data.std()), "
    "float((x.data == 0).mean())))"
)


def stack(*lines: str) -> str:
    """A body that walks through the layers, with these lines per layer."""
    inner = "".join(f"    {line}\n" for line in lines)
    return f"found = []\nfor layer in layers:\n{inner}return found"


ACTIVATIONS = Exercise(
    "chapter7.activation_statistics",
    section="7.4",
    targets=("init.activation_statistics",),
    points=2,
    minutes=7,
    difficulty=2,
    hints=(
        "The output of each layer is the input of the next: `x = layer(x)`.",
        "`x.data` is an ndarray: it has `mean()` and `std()`. How do you count where it is 0? The "
        "mean of a boolean array is the share of True.",
    ),
    mistakes=(
        Mistake(
            "not-chained",
            "found = []\nfor layer in layers:\n    y = layer(x).data\n"
            f"    {ROW.replace('x.data', 'y')}\n"
            "return found",
            "Every layer got the same `x`. Each one after the first gets the output of the one "
            "before.",
        ),
        Mistake(
            "looks-at-inputs",
            stack(ROW, "x = layer(x)"),
            "You looked at what goes into each layer; asked is what comes out.",
        ),
        Mistake(
            "variance",
            stack("x = layer(x)", ROW.replace("x.data.std()", "x.data.var()")),
            "You gave the variance. The standard deviation is its root.",
        ),
        Mistake(
            "sample-std",
            stack("x = layer(x)", ROW.replace("x.data.std()", "x.data.std(ddof=1)")),
            "You divided by n − 1. Asked is the root of the *mean* squared distance, over all "
            "values that are there.",
        ),
        Mistake(
            "counts-zeros",
            stack("x = layer(x)", ROW.replace("(x.data == 0).mean()", "(x.data == 0).sum()")),
            "You counted the zeros. Asked is their share, between 0 and 1.",
        ),
        Mistake(
            "share-of-others",
            stack("x = layer(x)", ROW.replace("x.data == 0", "x.data != 0")),
            "This is the share of values that are *not* 0.",
        ),
        Mistake(
            "last-only",
            stack("x = layer(x)").replace("return found", ROW + "\nreturn found"),
            "There is one entry, for the last layer. Each layer gets its own.",
        ),
        Mistake(
            "walked-twice",
            "n = len(list(layers))\nfound = []\nfor layer in layers:\n    x = layer(x)\n"
            f"    {ROW}\nreturn found",
            "You walked through `layers` twice. A generator is empty the second time, so that "
            "nothing is found.",
        ),
    ),
)  # fmt: skip

GRADIENT_ROW = (
    "found.append(Statistics(float(g.mean()), float(g.std()), float((g == 0).mean())))"
)


def walk(nothing: str, row: str = GRADIENT_ROW, g: str = "gradient_of(p)") -> str:
    """A body that walks through the parameters: what it does where nothing arrived, and else."""
    return (
        f"found = []\nfor p in parameters:\n    g = {g}\n    if g is None:\n        {nothing}\n"
        f"    else:\n        {row}\nreturn found"
    )


GRADIENTS = Exercise(
    "chapter7.gradient_statistics",
    section="7.6",
    targets=("init.gradient_statistics",),
    points=2,
    minutes=6,
    difficulty=1,
    hints=(
        "The same three numbers as in `activation_statistics`; only the array is another one. "
        "`gradient_of(parameter)` hands it out, or None.",
        "Look whether it is None before you ask it for its mean, and put None into your list then: "
        "the entries have to stay beside their parameters.",
    ),
    mistakes=(
        Mistake(
            "values-not-gradients", walk("found.append(None)", GRADIENT_ROW.replace("g", "p.data")
            .replace("p.data.std", "p.data.std") if False else
            "g = p.data\n        " + GRADIENT_ROW),
            "You looked at the values of the parameters. Asked is about their gradients.",
        ),
        Mistake(
            "crash-on-none", f"found = []\nfor p in parameters:\n    g = gradient_of(p)\n"
            f"    {GRADIENT_ROW}\nreturn found",
            "A parameter that took no part in the loss has `grad` None, which has no mean. Its "
            "entry is None.",
        ),
        Mistake(
            "left-out", walk("continue"),
            "You left out the parameters without a gradient. Every entry after them then stands "
            "beside the wrong parameter.",
        ),
        Mistake(
            "none-as-zeros", walk("found.append(Statistics(0.0, 0.0, 1.0))"),
            "You say of a gradient that never arrived that it is zeros. The two have different "
            "causes: a dead layer, or a parameter that is not used at all.",
        ),
        Mistake(
            "variance", walk("found.append(None)", GRADIENT_ROW.replace("g.std()", "g.var()")),
            "You gave the variance. The standard deviation is its root.",
        ),
        Mistake(
            "root-mean-square",
            walk("found.append(None)",
                 GRADIENT_ROW.replace("g.std()", "np.sqrt((g**2).mean())")),
            "You took the root of the mean square. The standard deviation measures from the mean, "
            "not from 0.",
        ),
        Mistake(
            "counts-zeros",
            walk("found.append(None)", GRADIENT_ROW.replace("(g == 0).mean()", "(g == 0).sum()")),
            "You counted the zeros. Asked is their share, between 0 and 1.",
        ),
        Mistake(
            "sizes",
            walk("found.append(None)", "g = abs(g)\n        " + GRADIENT_ROW),
            "You took the sizes first. Mean and standard deviation are those of the gradient with "
            "its signs.",
        ),
    ),
)  # fmt: skip
