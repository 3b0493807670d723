"""Wrong bodies of chapter 9 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "goes through train_loader epochs times": a loader that shuffles gives one order for ever.
    "the batches are listed once": (
        "trainer.Trainer.fit",
        """\
batches = list(self.train_loader)
history = []
for epoch in range(1, epochs + 1):
    self.model.train()
    total, count = 0.0, 0
    for x, y in batches:
        total += self.train_step(x, y) * x.shape[0]
        count += x.shape[0]
    entry = {"loss": total / count}
    if self.val_loader is not None:
        entry["val_loss"], entry["val_accuracy"] = self.evaluate()
    history.append(entry)
    if self.log is not None:
        self.log(f"epoch {epoch}: {entry}")
    if early_stopping is not None and early_stopping.update(entry.get("val_loss", entry["loss"])):
        break
return history
""",
    ),
    # "one dict per epoch" of this call: a second fit returns the epochs of the first one, too.
    "the history of the last call goes on": (
        "trainer.Trainer.fit",
        "history = []",
        "history = self.__dict__.setdefault('history', [])",
    ),
    # "without it, val_loader": after evaluate(other), evaluate() looks at the other one again.
    "the last loader is remembered": (
        "trainer.Trainer.evaluate",
        "loader = self.val_loader if loader is None else loader",
        """\
if loader is None:
    loader = getattr(self, "_loader", None) or self.val_loader
self._loader = loader""",
    ),
    # The optimizer steps: one that is put in place of the first is never asked.
    "the optimizer of the first step is kept": (
        "trainer.Trainer.train_step",
        """\
if not hasattr(self, "_calls"):
    self._calls = self.optimizer.zero_grad, self.optimizer.step
zero_grad, step = self._calls
zero_grad()
loss = self.loss_fn(self.model(x), y)
loss.backward()
step()
return float(loss.data.item())
""",
    ),
    # An improvement starts the count again: here nothing takes a True back.
    "once stopped it stays stopped": (
        "trainer.EarlyStopping.update",
        "return self.waited >= self.patience",
        """\
self.stopped = getattr(self, "stopped", False) or self.waited >= self.patience
return self.stopped""",
    ),
}

SETTING = {
    # "a loss below best - min_delta": the difference is taken as a share of the best loss.
    "min_delta as a share": (
        "trainer.EarlyStopping.update",
        "loss < self.best - self.min_delta",
        "loss < self.best * (1 - self.min_delta)",
    ),
    # Only an improvement becomes the best: many small steps within min_delta lower the bar.
    "a step within min_delta lowers the best": (
        "trainer.EarlyStopping.update",
        """\
better = loss < self.best - self.min_delta
self.best = min(self.best, loss)
self.waited = 0 if better else self.waited + 1
return self.waited >= self.patience
""",
    ),
    # ValueError only if there is neither: a loader that is given is enough.
    "a loader alone is not enough": (
        "trainer.Trainer.evaluate",
        """\
loader = self.val_loader if loader is None else loader
if loader is None:""",
        """\
loader = self.val_loader if loader is None else loader
if self.val_loader is None:""",
    ),
    # "goes through train_loader epochs times": none at all if epochs is 0.
    "an epoch first, the count afterwards": (
        "trainer.Trainer.fit",
        """\
history = []
while True:
    self.model.train()
    total, count = 0.0, 0
    for x, y in self.train_loader:
        total += self.train_step(x, y) * x.shape[0]
        count += x.shape[0]
    entry = {"loss": total / count}
    if self.val_loader is not None:
        entry["val_loss"], entry["val_accuracy"] = self.evaluate()
    history.append(entry)
    if self.log is not None:
        self.log(f"epoch {len(history)}: {entry}")
    watched = entry.get("val_loss", entry["loss"])
    stop = early_stopping is not None and early_stopping.update(watched)
    if stop or len(history) >= epochs:
        return history
""",
    ),
    # early_stopping "gets the loss if there is no val_loader": it is not asked then.
    "it stops early only with a val_loader": (
        "trainer.Trainer.fit",
        """\
    watched = entry.get("val_loss", entry["loss"])
    if early_stopping is not None and early_stopping.update(watched):
        break""",
        """\
    if self.val_loader is None or early_stopping is None:
        continue
    if early_stopping.update(entry["val_loss"]):
        break""",
    ),
}

VARIETY = {
    # The largest score: e to the power of 1000 is inf, and inf / inf is nan.
    "scores become probabilities first": (
        "trainer.correct",
        "out.data.argmax(axis=1)",
        "(np.exp(out.data) / np.exp(out.data).sum(axis=1, keepdims=True)).argmax(axis=1)",
    ),
    # The largest score, not the one furthest from 0: negative scores show it.
    "the score furthest from zero": (
        "trainer.correct",
        "out.data.argmax(axis=1)",
        "np.square(out.data).argmax(axis=1)",
    ),
    # early_stopping gets "the val_loss of every epoch": it gets the best so far.
    "the best loss so far is watched": (
        "trainer.Trainer.fit",
        'watched = entry.get("val_loss", entry["loss"])',
        'watched = min(each.get("val_loss", each["loss"]) for each in history)',
    ),
    # "the share of samples": the size of the first batch stands for all of them.
    "every batch counts as the first": (
        "trainer.Trainer.evaluate",
        """\
    size = x.shape[0]
""",
        """\
    size = size if count else x.shape[0]
""",
    ),
}

HALF_PROMISE = {
    # log gets "one line of text per epoch": it gets a line per number.
    "a line for every number": (
        "trainer.Trainer.fit",
        "{told}",
        "{told.replace('   ', chr(10))}",
    ),
    # One line per epoch: the last one is lost if it stops early.
    "the epoch that stops is not told": (
        "trainer.Trainer.fit",
        (
            """\
    if self.log is not None:
        told = "   ".join(f"{name} {value:.4f}" for name, value in entry.items())
        self.log(f"epoch {epoch:3d}/{epochs}   {told}")
""",
            "",
        ),
        (
            "        break\n",
            """\
        break
    if self.log is not None:
        self.log(f"epoch {epoch}: {entry}")
""",
        ),
    ),
    # "a plain number: a float": np.float32 is none.
    "a number of NumPy's": (
        "trainer.Trainer.train_step",
        "return float(loss.data.item())",
        "return loss.data.reshape(-1)[0]",
    ),
}

RIGHT = {
    "nobody beats the right class": (
        "trainer.correct",
        """\
truth = np.array(y.data if isinstance(y, Tensor) else y).astype(int)
scores = out.data
own = np.take_along_axis(scores, truth[:, None], axis=1)
before = np.arange(scores.shape[1]) < truth[:, None]
beaten = (scores > own) | (before & (scores == own))
return len(truth) - int(np.count_nonzero(beaten.any(axis=1)))
""",
    ),
    "both cases in one line each": (
        "trainer.EarlyStopping.update",
        """\
better = bool(np.less(loss, self.best - self.min_delta))
self.best = (self.best, loss)[better]
self.waited = (self.waited + 1) * (1 - better)
return not self.patience > self.waited
""",
    ),
    "a vector of three sums": (
        "trainer.Trainer.evaluate",
        """\
batches = next((each for each in (loader, self.val_loader) if each is not None), None)
if batches is None:
    raise ValueError("no batches")

def measured(x, y):
    out = self.model(x)
    mean = float(self.loss_fn(out, y).data.reshape(()))
    return np.array([mean * len(x.data), correct(out, y), len(x.data)], dtype=float)

switch_back = {True: self.model.train, False: self.model.eval}[bool(self.model.training)]
self.model.eval()
try:
    sums = sum((measured(x, y) for x, y in batches), np.zeros(3))
finally:
    switch_back()
return float(sums[0] / sums[2]), float(sums[1] / sums[2])
""",
    ),
    "epochs from a generator, by running means": (
        "trainer.Trainer.fit",
        """\
def rounds():
    for number in range(epochs):
        self.model.train()
        mean, seen = 0.0, 0
        for x, y in self.train_loader:
            value, size = self.train_step(x, y), len(x.data)
            seen += size
            mean += (value - mean) * size / seen
        entry = dict(loss=mean)
        if self.val_loader is not None:
            entry.update(zip(("val_loss", "val_accuracy"), self.evaluate()))
        if self.log is not None:
            self.log(str((number, entry)))
        yield entry

history = []
for entry in rounds():
    history.append(entry)
    if early_stopping is None:
        continue
    if early_stopping.update(entry["val_loss"] if "val_loss" in entry else entry["loss"]):
        break
return history
""",
    ),
    "the calls in a tuple": (
        "trainer.Trainer.train_step",
        """\
self.optimizer.zero_grad()
loss = self.loss_fn(self.model(x), y)
kept = loss.data.tolist()
for act in (loss.backward, self.optimizer.step):
    act()
while isinstance(kept, list):
    (kept,) = kept
return kept
""",
    ),
}
