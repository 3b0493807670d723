"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

COMES_IN = "says what comes in"

UNTESTED = {
    "trainer.correct": {
        COMES_IN: ("out: one row per sample, one score per class, shape `(batch, classes)`.",),
    },
    "trainer.Trainer.fit": {COMES_IN: ("epochs: how many rounds at most.",)},
    "trainer.EarlyStopping": {
        COMES_IN: ("patience: how many updates without improvement are too many.",),
    },
    "trainer.Trainer": {
        COMES_IN: (
            "model, optimizer, loss_fn: see the top of this file.",
            "train_loader: the batches to learn from.",
            "val_loader: batches that are never learned from, to see how good the model is; or…",
        ),
    },
}
