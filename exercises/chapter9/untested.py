"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

COMES_IN = "says what comes in"

UNTESTED = {
    "trainer.correct": {
        COMES_IN: ("out: one row per sample, one score per class, shape `(batch, classes)`.",),
    },
    "trainer.Trainer.fit": {COMES_IN: ("epochs: how many rounds at most.",)},
}
