"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "trainer.Trainer.train_step": {
        SAID_TWICE: ("One step on one batch;",),
        "says why": ("a Tensor would keep the whole graph of the step alive.",),
    },
    "trainer.correct": {
        COMES_IN: (
            "out: one row per sample, one score per class, shape `(batch, classes)`.",
            "y: the right classes, whole numbers of shape `(batch,)`;",
        ),
    },
    "trainer.Trainer.fit": {COMES_IN: ("epochs: how many rounds at most.",)},
    "trainer.EarlyStopping": {
        COMES_IN: ("patience: how many updates without improvement are too many.",),
        "is set by code that is given": ("infinity at first.",),
    },
    "trainer.Trainer": {
        COMES_IN: (
            "model, optimizer, loss_fn: see the top of this file.",
            "train_loader: the batches to learn from.",
            "val_loader: batches that are never learned from, to see how good the model is; or…",
        ),
    },
    "box 9.2": {
        SAID_TWICE: ("Return a count from 0…",),
    },
    "box 9.3": {
        SAID_TWICE: (
            "`evaluate(loader=None)`…",
            "Without a loader it…",
        ),
    },
    "box 9.4": {
        "is about code that is given": ("`EarlyStopping(patience=3,…",),
        SAID_TWICE: ("From the `patience`-th…",),
    },
}
