"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

# Gradients forgotten as late as possible, means as weighted averages, the mode put back by name.
WEIGHTED = Variant(
    "weighted-averages",
    {
        "trainer.Trainer.train_step": (
            "loss = self.loss_fn(self.model(x), y)\nself.optimizer.zero_grad()\n"
            "loss.backward()\nvalue = float(np.sum(loss.data))\n"
            "self.optimizer.step()\nreturn value"
        ),
        "trainer.correct": (
            "y = np.asarray(y.data if isinstance(y, Tensor) else y)\nright = 0\n"
            "for row, label in zip(out.data, y):\n    right += list(row).index(max(row)) == label\n"
            "return right"
        ),
        "trainer.EarlyStopping.update": (
            "self.waited += 1\n"
            "if self.best - loss > self.min_delta:\n    self.best, self.waited = loss, 0\n"
            "return not self.waited < self.patience"
        ),
        "trainer.Trainer.evaluate": (
            "if loader is None:\n    loader = self.val_loader\n"
            "if loader is None:\n    raise ValueError('no batches')\n"
            "mode = self.model.training\nself.model.eval()\nlosses, shares, sizes = [], [], []\n"
            "for x, y in loader:\n    out = self.model(x)\n    sizes.append(len(x.data))\n"
            "    losses.append(float(np.sum(self.loss_fn(out, y).data)))\n"
            "    shares.append(correct(out, y) / len(x.data))\n"
            "self.model.train(mode)\n"
            "return np.average(losses, weights=sizes), np.average(shares, weights=sizes)"
        ),
        "trainer.Trainer.fit": (
            "self.model.train()\nhistory = []\nwhile len(history) < epochs:\n"
            "    steps = [(self.train_step(x, y), len(x.data)) for x, y in self.train_loader]\n"
            "    entry = {'loss': sum(l * n for l, n in steps) / sum(n for _, n in steps)}\n"
            "    if self.val_loader is not None:\n"
            "        entry['val_loss'], entry['val_accuracy'] = self.evaluate()\n"
            "    if self.log:\n        self.log(str(entry))\n"
            "    history.append(entry)\n"
            "    last = entry['val_loss' if 'val_loss' in entry else 'loss']\n"
            "    if early_stopping and early_stopping.update(last):\n        break\n"
            "return history"
        ),
    },
)  # fmt: skip

# Lists of what every batch gave, sums at the end, a mode put back even where something fails.
COLLECTED = Variant(
    "collected and summed at the end",
    {
        "trainer.correct": """
            truth = y.numpy() if isinstance(y, Tensor) else np.asarray(y)
            best = out.data.max(axis=1)
            first = [int(np.flatnonzero(row == top)[0]) for row, top in zip(out.data, best)]
            return sum(1 for guess, label in zip(first, truth.tolist()) if guess == label)
        """,
        "trainer.EarlyStopping.update": """
            if not loss < self.best - self.min_delta:
                self.waited += 1
                return self.patience <= self.waited
            self.waited, self.best = 0, loss
            return self.patience <= 0
        """,
        "trainer.Trainer.train_step": """
            optimizer = self.optimizer
            loss = self.loss_fn(self.model(x), y)
            before = loss.numpy().reshape(-1)[0].item()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return before
        """,
        "trainer.Trainer.evaluate": """
            batches = loader if loader is not None else self.val_loader
            if batches is None:
                raise ValueError("no loader")
            found = self.model.training
            self.model.eval()
            try:
                rows = []
                for x, y in batches:
                    out = self.model(x)
                    rows.append((x.shape[0], self.loss_fn(out, y).data.item(), correct(out, y)))
            finally:
                self.model.train() if found else self.model.eval()
            sizes, losses, right = (np.array(column, dtype=float) for column in zip(*rows))
            return float(sizes @ losses / sizes.sum()), float(right.sum() / sizes.sum())
        """,
        "trainer.Trainer.fit": """
            history, left, stop = [], epochs, False
            while left > 0 and not stop:
                left -= 1
                self.model.train()
                steps = [(self.train_step(x, y), x.shape[0]) for x, y in self.train_loader]
                losses, sizes = zip(*steps)
                row = {"loss": float(np.dot(losses, sizes) / np.sum(sizes))}
                if self.val_loader is not None:
                    row |= zip(("val_loss", "val_accuracy"), self.evaluate())
                history += [row]
                if self.log is not None:
                    self.log(", ".join(f"{k}={v:.3g}" for k, v in row.items()))
                if early_stopping is not None:
                    stop = early_stopping.update(row.get("val_loss", row["loss"]))
            return history
        """,
    },
)

VARIANTS = (WEIGHTED, COLLECTED)
