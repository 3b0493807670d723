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

VARIANTS = (WEIGHTED,)
