"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

BROKEN = {
    "trainer.Trainer.train_step": {
        "returns the loss before the step,…": (
            "float(loss.data.item())", "round(loss.data.item(), 4)",
        ),
        "and the optimizer steps after it.": ("()\nloss", "()\nself.optimizer.step()\nloss"),
    },
    "trainer.correct": {
        "`out` stays as it was.": (
            "labels =", "out.data -= out.data.max(axis=1, keepdims=True)\nlabels =",
        ),
    },
    "trainer.Trainer.evaluate": {
        "every sample counts the same,": (
            ("() * size", "()"), ("loss / count", "loss / len(loader)"),
        ),
        "even in a last batch that is smaller than the others.": (
            "size = x.shape[0]", "size = size if count else x.shape[0]",
        ),
        "The model is in evaluation mode meanwhile,": (
            "self.model.eval()", "self.model.training = False",
        ),
        "and afterwards in the mode in which it was found.": (
            "self.model.train()", "self.model.training = True",
        ),
        "The batches stay as they were.": (
            "out = self.model(x)", "x.data -= x.data.mean(axis=0)\n    out = self.model(x)",
        ),
    },
    "trainer.Trainer.fit": {
        "The model is put into training mode at the start,": (
            "self.model.train()", "self.model.training = True",
        ),
        "whatever mode it was in.": ("train()", "train(self.model.training)"),
    },
    "trainer.EarlyStopping.update": {
        "Take note of one more loss;": (
            "return self.waited >= self.patience",
            "stops = self.waited >= self.patience\n"
            "self.waited = 0 if stops else self.waited\n"
            "return stops",
        ),
    },
    "trainer.Trainer": {
        "None says nothing.": {
            "trainer.Trainer.fit": (
                ("if self.log is not None:", "if True:"), ("self.log(f", "(self.log or print)(f"),
            ),
        },
    },
}  # fmt: skip
