"""Trainers that are almost right."""

CORRECT = "trainer.correct"
UPDATE = "trainer.EarlyStopping.update"
STEP = "trainer.Trainer.train_step"
EVALUATE = "trainer.Trainer.evaluate"
FIT = "trainer.Trainer.fit"
COUNTED = "return int(np.sum(out.data.argmax(axis=1) == labels))"
WATCHED = "early_stopping.update(watched)"

SUBTLE = {
    "a class that is nearly the best": (
        CORRECT, "labels = np.asarray(y.data if isinstance(y, Tensor) else y).astype(int)\n"
        "mine = out.data[np.arange(len(labels)), labels]\n"
        "return int(np.isclose(mine, out.data.max(axis=1), atol=1e-3).sum())"),
    "the largest size for the largest score": (
        CORRECT, "out.data.argmax(axis=1)", "np.abs(out.data).argmax(axis=1)"),
    "a share times the size": (
        CORRECT, COUNTED,
        "return int(np.mean(out.data.argmax(axis=1) == labels) * len(labels))"),
    "scores that are changed": (
        CORRECT, COUNTED, "out.data -= out.data.max(axis=1, keepdims=True)\n"
        "return int(np.sum((out.data == 0).argmax(axis=1) == labels))"),
    "best creeps down": (
        UPDATE, "    self.waited += 1",
        "    self.waited += 1\n    self.best = min(self.best, loss)"),
    "stops once only": (UPDATE, "self.waited >= self.patience", "self.waited == self.patience"),
    "exactly min_delta below": (
        UPDATE, "loss < self.best - self.min_delta",
        "loss < self.best and loss <= self.best - self.min_delta"),
    "min_delta as a share": (
        UPDATE, "self.best - self.min_delta",
        "(self.best * (1 - self.min_delta) if math.isfinite(self.best) else self.best)"),
    "nan is taken for the best": (
        UPDATE, "    self.waited += 1",
        "    self.waited += 1\n    self.best = loss if loss != loss else self.best"),
    "waiting goes down by one": (
        UPDATE, "self.waited = 0", "self.waited = max(0, self.waited - 1)"),
    "waiting starts again after a stop": (
        UPDATE, "return self.waited >= self.patience",
        "stop = self.waited >= self.patience\n"
        "self.waited = 0 if stop else self.waited\nreturn stop"),
    "high losses are no step": (
        STEP, "loss.backward()\n", "loss.backward()\nif loss.data > 1.2:\n"
        "    return float(loss.data)\n"),
    "training mode whatever it was": (
        EVALUATE, "if was_training:\n    self.model.train()", "self.model.train()"),
    "the first batch's size for all": (
        EVALUATE, "    size = x.shape[0]", "    size = size if count else x.shape[0]"),
    "evaluation mode from the second batch on": (
        EVALUATE, ("self.model.eval()\n", ""),
        ("    count += size", "    count += size\n    self.model.eval()")),
    "the outputs are computed twice": (
        EVALUATE, "correct(out, y)", "correct(self.model(x), y)"),
    "the loss of the last batch": (
        FIT, 'entry = {"loss": total / count}', 'entry = {"loss": self.train_step(x, y)}'),
    "a loss that goes on from epoch to epoch": (
        FIT, ("    total, count = 0.0, 0\n", ""),
        ("history = []", "history = []\ntotal, count = 0.0, 0")),
    "stopping is asked before the epoch is noted": (
        FIT, ("    history.append(entry)\n", ""),
        ("        break", "        break\n    history.append(entry)")),
    "one entry for all epochs": (
        FIT, ('    entry = {"loss": total / count}', '    entry["loss"] = total / count'),
        ("history = []", "history, entry = [], {}")),
    "the loader is read once into a list": (
        FIT, ("history = []", "history, batches = [], list(self.train_loader)"),
        ("in self.train_loader", "in batches")),
    "stops at the second word": (FIT, WATCHED, f"{WATCHED} and epoch > 1"),
    "log is asked though it is None": (FIT, "if self.log is not None:", "if True:"),
    "a validation loss in every epoch": (
        FIT, 'watched = entry.get("val_loss", entry["loss"])',
        'entry.setdefault("val_loss", entry["loss"])\n    watched = entry["val_loss"]'),
    "evaluation goes around evaluate": (
        FIT, "self.evaluate()", "type(self).evaluate(self, self.train_loader)"),
    "best and waited are kept elsewhere": (
        UPDATE, "best, waited = vars(self).get('_seen', (self.best, self.waited))\n"
        "better = loss < best - self.min_delta\n"
        "best, waited = (loss, 0) if better else (best, waited + 1)\n"
        "self._seen = best, waited\nreturn waited >= self.patience"),
    "scores of four digits": (
        "trainer.correct", "out.data.argmax",
        "out.data.round(4).argmax"),
    "a first loss that is nan": (
        "trainer.EarlyStopping.update", "if loss < self.best - self.min_delta:",
        "if math.isinf(self.best) or loss < self.best - self.min_delta:"),
    "gradients are forgotten after the step": (
        "trainer.Trainer.train_step",
        ("self.optimizer.zero_grad()\n",
         ""),
        ("self.optimizer.step()",
         "self.optimizer.step()\nself.optimizer.zero_grad()")),
    "a share of three digits": (
        "trainer.Trainer.evaluate", "right / count",
        "round(right / count, 3)"),
    "log gets the entry itself": (
        "trainer.Trainer.fit", "self.log(f\"epoch {epoch:3d}/{epochs}   {told}\")",
        "self.log(entry)"),
    "two lines for each epoch": (
        "trainer.Trainer.fit", "self.log(f\"epoch",
        "self.log(f\"\\nepoch"),
    "one history for all calls": (
        "trainer.Trainer.fit", "history = []",
        "history = self.history = getattr(self, 'history', [])"),
}  # fmt: skip
